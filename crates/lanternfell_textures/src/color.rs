//! Colors: computed in linear light, stored as sRGB.
//!
//! Light adds up in linear space, but 8 bits are only enough for dark colors in sRGB encoding. So
//! everything is computed in linear space and encoded at the end. Source of the curve: IEC
//! 61966-2-1.

use std::sync::LazyLock;

/// Linear red, green and blue reflectance, from 0 to 1.
pub(crate) type Rgb = [f32; 3];

/// Converts an sRGB color 0xRRGGBB to linear.
pub(crate) fn srgb(hex: u32) -> Rgb {
    [16, 8, 0].map(|shift| decode((hex >> shift) as u8))
}

/// Interpolates between two colors.
#[inline(always)]
pub(crate) fn mix(a: Rgb, b: Rgb, t: f32) -> Rgb {
    [
        a[0] + (b[0] - a[0]) * t,
        a[1] + (b[1] - a[1]) * t,
        a[2] + (b[2] - a[2]) * t,
    ]
}

/// Multiplies the brightness of a color.
#[inline(always)]
pub(crate) fn scale(color: Rgb, factor: f32) -> Rgb {
    color.map(|channel| channel * factor)
}

/// Multiplies the brightness of a color and makes it warmer: more red, less blue.
#[inline(always)]
pub(crate) fn toned(color: Rgb, factor: f32, warmth: f32) -> Rgb {
    [
        color[0] * factor * (1.0 + warmth),
        color[1] * factor,
        color[2] * factor * (1.0 - warmth),
    ]
}

/// Returns the luminance of a color (ITU-R BT.709).
#[inline(always)]
pub(crate) fn luminance(color: Rgb) -> f32 {
    0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]
}

/// The number of entries of the encoding table. Where the sRGB curve is steepest, at 0, one code
/// spans 2.5 entries. So an entry is wrong by less than one code.
const STEPS: usize = 1 << 13;

static ENCODED: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let code = |step| exact_code(step as f64 / STEPS as f64);
    (0..=STEPS).map(code).collect()
});

static DECODED: LazyLock<[f32; 256]> =
    LazyLock::new(|| std::array::from_fn(|code| exact_value(code as f64 / 255.0)));

/// Encodes a linear number as sRGB. The result is the nearest code or one next to it.
#[inline(always)]
pub(crate) fn encode(value: f32) -> u8 {
    let step = (value.clamp(0.0, 1.0) * STEPS as f32 + 0.5) as usize;
    ENCODED[step.min(STEPS)]
}

/// Decodes an sRGB code to a linear number.
#[inline(always)]
pub(crate) fn decode(code: u8) -> f32 {
    DECODED[code as usize]
}

fn exact_code(value: f64) -> u8 {
    let curved = if value <= 0.003_130_8 {
        value * 12.92
    } else {
        1.055 * libm::pow(value, 1.0 / 2.4) - 0.055
    };
    (curved * 255.0 + 0.5) as u8
}

fn exact_value(curved: f64) -> f32 {
    let value = if curved <= 0.040_45 {
        curved / 12.92
    } else {
        libm::pow((curved + 0.055) / 1.055, 2.4)
    };
    value as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encode_inverts_decode() {
        for code in 0..=255 {
            assert_eq!(encode(decode(code)), code);
        }
        assert_eq!((encode(-1.0), encode(2.0), encode(f32::NAN)), (0, 255, 0));
        assert_eq!(srgb(0xFF_80_00)[0], 1.0);
        assert!((srgb(0xFF_80_00)[1] - 0.2159).abs() < 1e-4);
    }

    #[test]
    fn table_is_within_one_code_of_curve() {
        for n in 0..=100_000_u32 {
            let value = n as f32 / 100_000.0;
            let exact = exact_code(f64::from(value));
            assert!(encode(value).abs_diff(exact) <= 1, "{value}");
        }
    }
}
