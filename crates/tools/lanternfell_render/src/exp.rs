//! The exponential function without branches or tables, for loops that the compiler vectorizes.

use core::f32::consts::{LN_2, LOG2_E};

use glam::Vec3;

/// `e` to the power of `power`. The relative error is at most 1e-6 from -4 to 4, and at most 1.2e-5 farther from 0.
/// Below -88, where the result would be subnormal, it is 0.
#[inline(always)]
pub(super) fn exp(power: f32) -> f32 {
    let bits = (power * LOG2_E).clamp(LEAST, MOST);
    // Rounds to the nearest integer, so that the fraction is at most one half. A cast would check each lane for NaN.
    let rounded = bits + ROUNDING;
    let part = (bits - (rounded - ROUNDING)) * LN_2;
    let scale = f32::from_bits(rounded.to_bits().wrapping_add(BIAS) << (f32::MANTISSA_DIGITS - 1));
    series(part) * scale
}

/// The same for each component.
#[inline(always)]
pub(super) fn exp_each(power: Vec3) -> Vec3 {
    Vec3::new(exp(power.x), exp(power.y), exp(power.z))
}

/// The range of binary exponents. The least one encodes 0.
const LEAST: f32 = -127.0;
const MOST: f32 = 127.0;
const BIAS: u32 = 127;

/// 1.5 times 2^23. Floats of this size are integers, and their lowest bits count up from it.
const ROUNDING: f32 = 12_582_912.0;

/// The Taylor series, for -0.35 to 0.35. Truncation error: less than 1.3e-7.
#[inline(always)]
fn series(part: f32) -> f32 {
    let high = 1.0 / 24.0 + part * (1.0 / 120.0 + part * (1.0 / 720.0));
    1.0 + part * (1.0 + part * (0.5 + part * (1.0 / 6.0 + part * high)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_libm() {
        for step in -87_000..=88_000 {
            let power = step as f32 * 0.001;
            let exact = libm::exp(power.into());
            let off = (f64::from(exp(power)) / exact - 1.0).abs();
            // For large powers the product with log2(e) has a larger rounding error.
            let bound = 4e-7 + 1.3e-7 * f64::from(power.abs());
            assert!(off < bound, "{power}: {off}");
        }
    }

    #[test]
    fn extreme_powers_are_finite() {
        assert_eq!(exp(0.0), 1.0);
        assert_eq!([exp(-90.0), exp(f32::NEG_INFINITY)], [0.0; 2]);
        assert!(exp(1e9).is_finite() && exp(1e9) > 1e38);
    }
}
