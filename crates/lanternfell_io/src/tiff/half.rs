//! Numbers of 16 bits with a floating point: a sign, five bits of exponent and ten of mantissa.
//!
//! Source: IEEE 754-2008, section 3.6, binary16.

/// Returns the number with these bits, which `f32` can always hold.
pub(super) fn from_bits(bits: u16) -> f32 {
    let sign = u32::from(bits >> 15) << 31;
    let (exponent, mantissa) = (u32::from(bits >> 10 & 0x1f), u32::from(bits & 0x3ff));
    let magnitude = match exponent {
        // Subnormal numbers are multiples of 2^-24.
        0 => (mantissa as f32 / 16_777_216.0).to_bits(),
        // Infinity and NaN.
        31 => 0xff << 23 | mantissa << 13,
        // The exponents are offset by 15 and by 127.
        _ => (exponent + 112) << 23 | mantissa << 13,
    };
    f32::from_bits(sign | magnitude)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_the_definition() {
        for bits in 0..=u16::MAX {
            let (exponent, mantissa) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff));
            let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
            let expected = match exponent {
                0 => sign * mantissa / 1024.0 * 2.0_f64.powi(-14),
                31 if mantissa == 0.0 => sign * f64::INFINITY,
                31 => f64::NAN,
                _ => sign * (1.0 + mantissa / 1024.0) * 2.0_f64.powi(exponent - 15),
            };
            let found = f64::from(from_bits(bits));
            assert!(
                found == expected || found.is_nan() && expected.is_nan(),
                "{bits:#x}"
            );
            assert_eq!(found.is_sign_negative(), sign < 0.0);
        }
    }
}
