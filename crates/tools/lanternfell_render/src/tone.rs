//! Tone mapping: from linear light to the three bytes of a pixel, by a filmic curve and sRGB
//! encoding.
//!
//! Light is unbounded, but pixels are not. The curve hardly changes dark and middle tones and
//! compresses bright ones toward white.
//!
//! Source of the curve: Narkowicz, *ACES Filmic Tone Mapping Curve*, 2016.

use glam::Vec3;

/// Maps linear light of any brightness to linear screen values from 0 to 1.
///
/// This is applied to every sample before the samples of a pixel are averaged. Otherwise a single
/// glint would outweigh the other samples and leave a jagged edge.
#[inline(always)]
pub(super) fn film(light: Vec3) -> Vec3 {
    let light = light.max(Vec3::ZERO) * 0.8;
    let bent = (light * (light * 2.51 + 0.03)) / (light * (light * 2.43 + 0.59) + 0.14);
    bent.clamp(Vec3::ZERO, Vec3::ONE)
}

/// Encodes linear screen values as sRGB bytes, with one small table.
///
/// The bit patterns of positive floats are in the same order as their values. So the upper bits of
/// a value number an interval of values. The intervals of dark values are narrower than those of
/// bright values, as are the ranges of values with the same byte. In each interval at most one
/// further byte begins.
///
/// ```text
///  bits of a value:         interval | place within it
///  entry of the interval:   byte at its beginning | WITHIN - place where the next byte begins
/// ```
///
/// The sum of place and entry carries into the byte exactly from the place where the next byte
/// begins.
pub(super) struct Screen([u32; PARTS]);

/// Values below this are black.
const DARKEST: f32 = 1.0 / 8192.0;

/// 128 intervals per halving of the value. In the brightest ones, 1/256 wide, the curve rises by
/// less than half a byte. In darker ones it rises by fewer bytes per interval.
const PART_BITS: u32 = f32::MANTISSA_DIGITS - 1 - 7;

/// Places within an interval.
const WITHIN: u32 = 1 << PART_BITS;

/// 13 halvings have 1664 intervals. Rounded up to a power of two, so that indices need no bounds
/// check.
const PARTS: usize = 2048;

impl Screen {
    pub(super) fn new() -> Self {
        let next: [u32; 256] = core::array::from_fn(|byte| least_above(byte as u8));
        Self(core::array::from_fn(|part| {
            let first = DARKEST.to_bits() + part as u32 * WITHIN;
            let byte = byte_of(f32::from_bits(first));
            let place = next[usize::from(byte)] - first;
            (u32::from(byte) << PART_BITS) + WITHIN.saturating_sub(place)
        }))
    }

    /// Encodes three values. Values outside 0 to 1 are clamped.
    pub(super) fn encode(&self, share: [f32; 3]) -> [u8; 3] {
        share.map(|share| self.byte(share))
    }

    /// Encodes one value. Branch-free, for loops that the compiler vectorizes.
    #[inline(always)]
    #[expect(clippy::manual_clamp, reason = "`clamp` would keep NaN")]
    pub(super) fn byte(&self, share: f32) -> u8 {
        // NaN becomes black too.
        let share = share.max(DARKEST).min(1.0);
        let bits = share.to_bits() - DARKEST.to_bits();
        let entry = self.0[(bits >> PART_BITS) as usize % PARTS];
        ((entry + bits % WITHIN) >> PART_BITS) as u8
    }
}

/// The bits of the smallest value that is encoded as a higher byte. `u32::MAX` for the last byte.
fn least_above(byte: u8) -> u32 {
    if byte == u8::MAX {
        return u32::MAX;
    }
    let (mut below, mut from) = (0, 1.0_f32.to_bits());
    while below < from {
        let middle = (below + from) / 2;
        if byte_of(f32::from_bits(middle)) <= byte {
            below = middle + 1;
        } else {
            from = middle;
        }
    }
    from
}

/// The byte of a value, by the definition of sRGB.
fn byte_of(share: f32) -> u8 {
    let encoded = if share <= 0.003_130_8 {
        share * 12.92
    } else {
        1.055 * libm::powf(share, 1.0 / 2.4) - 0.055
    };
    libm::roundf(encoded.clamp(0.0, 1.0) * 255.0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn film_is_monotonic_and_bounded() {
        let mut last = Vec3::ZERO;
        for step in 0..2000 {
            let share = film(Vec3::splat(step as f32 * 0.01));
            assert!(
                share.cmpge(last).all() && share.cmple(Vec3::ONE).all(),
                "{share} after {last}"
            );
            last = share;
        }
        assert_eq!(film(Vec3::splat(-1.0)), Vec3::ZERO);
    }

    #[test]
    fn srgb_matches_known_values() {
        let encode = |share| Screen::new().encode(share);
        assert_eq!(encode([0.0, 1.0, 0.214_041]), [0, 255, 127]);
        assert_eq!(encode([2.0, -1.0, 0.003_130_8]), [255, 0, 10]);
        assert_eq!(encode([f32::NAN, f32::INFINITY, f32::MIN]), [0, 255, 0]);
    }

    #[test]
    fn table_matches_curve() {
        let screen = Screen::new();
        for step in 0..=300_000 {
            let share = step as f32 / 300_000.0;
            assert_eq!(screen.encode([share; 3]), [byte_of(share); 3], "{share}");
        }
        for byte in 0..255 {
            let at = f32::from_bits(least_above(byte));
            assert_eq!(screen.encode([at; 3]), [byte + 1; 3]);
            assert_eq!(screen.encode([at.next_down(); 3]), [byte; 3]);
        }
    }

    #[test]
    fn intervals_have_at_most_two_bytes() {
        let screen = Screen::new();
        for (part, entry) in screen.0.iter().enumerate() {
            let first = entry >> PART_BITS;
            let last = DARKEST.to_bits() + ((part as u32 + 1) << PART_BITS) - 1;
            let last = u32::from(byte_of(f32::from_bits(last)));
            assert!(last - first <= 1, "part {part}: {first} to {last}");
        }
    }
}
