//! The exponential function without a branch or a table, for loops that the compiler makes vectors of.

use core::f32::consts::{LN_2, LOG2_E};

use glam::Vec3;

/// `e` to that power: off by a millionth of it from -4 to 4, and by at most 1.2e-5 of it farther from 0; 0 below
/// -88, where it is no number of full precision.
#[inline(always)]
pub(super) fn exp(power: f32) -> f32 {
    let bits = (power * LOG2_E).clamp(LEAST, MOST);
    // To the nearest whole number, so that the part left is half a bit at most. A cast would check for what
    // is no number, one by one.
    let rounded = bits + ROUNDING;
    let part = (bits - (rounded - ROUNDING)) * LN_2;
    let scale = f32::from_bits(rounded.to_bits().wrapping_add(BIAS) << (f32::MANTISSA_DIGITS - 1));
    series(part) * scale
}

/// The same of each component.
#[inline(always)]
pub(super) fn exp_each(power: Vec3) -> Vec3 {
    Vec3::new(exp(power.x), exp(power.y), exp(power.z))
}

/// The exponents that a number has; the least one is that of 0.
const LEAST: f32 = -127.0;
const MOST: f32 = 127.0;
const BIAS: u32 = 127;

/// 1.5 times 2^23: numbers around it are whole, and their lowest bits count from it.
const ROUNDING: f32 = 12_582_912.0;

/// Taylor's series, of a part from -0.35 to 0.35: what is left out is less than 1.3e-7.
#[inline(always)]
fn series(part: f32) -> f32 {
    let high = 1.0 / 24.0 + part * (1.0 / 120.0 + part * (1.0 / 720.0));
    1.0 + part * (1.0 + part * (0.5 + part * (1.0 / 6.0 + part * high)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_exponential_function() {
        for step in -87_000..=88_000 {
            let power = step as f32 * 0.001;
            let exact = libm::exp(power.into());
            let off = (f64::from(exp(power)) / exact - 1.0).abs();
            // Of a large power the product with log2(e) is rounded by more.
            let bound = 4e-7 + 1.3e-7 * f64::from(power.abs());
            assert!(off < bound, "{power}: {off}");
        }
    }

    #[test]
    fn its_ends_are_zero_and_large() {
        assert_eq!(exp(0.0), 1.0);
        assert_eq!([exp(-90.0), exp(f32::NEG_INFINITY)], [0.0; 2]);
        assert!(exp(1e9).is_finite() && exp(1e9) > 1e38);
    }
}
