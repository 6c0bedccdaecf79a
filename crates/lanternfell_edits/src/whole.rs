//! Rounds `f64` down to integers, without a conversion to an integer and back.
//!
//! `f64` has no fractions from 2^52 on, so adding such a number rounds to the nearest integer, and the
//! bits of the integer are the last ones of the sum. Before that, a bit less than one half is subtracted,
//! so the result is rounded down. That is correct for numbers that are computed with a small error, if
//! the exact number is no closer to the next integer than [`whole`] says.

/// 2^52 + 2^51: also sums with small negative numbers are at least 2^52.
const INTEGERS: f64 = ((1_u64 << 52) + (1 << 51)) as f64;

/// Less than one half by 2^-34.
const HALF: f64 = 0.5 - 1.0 / (1_u64 << 34) as f64;

/// Rounds a number from 0 to 2^19 down, if it is at least 2^-32 below the next integer. A number that
/// is less than 2^-35 below an integer counts as this integer.
#[inline(always)]
pub(crate) fn whole(number: f64) -> f64 {
    (number - HALF + INTEGERS) - INTEGERS
}

/// The same as an integer.
#[inline(always)]
pub(crate) fn number(number: f64) -> u32 {
    (number - HALF + INTEGERS).to_bits() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_down_between_integers() {
        for integer in [0.0, 1.0, 2.0, 65_535.0, 65_536.0, 262_143.0] {
            for part in [
                0.0,
                2.0_f64.powi(-32),
                0.25,
                0.5,
                0.75,
                1.0 - 2.0_f64.powi(-32),
            ] {
                assert_eq!(whole(integer + part), integer, "{integer} + {part}");
                assert_eq!(f64::from(number(integer + part)), integer);
            }
            assert_eq!(whole(integer + 1.0 - 2.0_f64.powi(-36)), integer + 1.0);
        }
    }
}
