//! From light to the three bytes of a pixel: a filmic curve, then sRGB.
//!
//! Light has no upper end; a picture has. The curve keeps the dark and middle tones
//! nearly as they are and bends the bright ones softly towards white.
//!
//! Source of the curve: Narkowicz, *ACES Filmic Tone Mapping Curve*, 2016.

use glam::Vec3;

/// Light (linear, any brightness) as the shares of the screen's light, from 0 to 1.
///
/// Applied to every sample before they are averaged: averaged first, one glint would
/// outshine all the other samples of its pixel and leave a jagged edge.
#[inline(always)]
pub(super) fn film(light: Vec3) -> Vec3 {
    let light = light.max(Vec3::ZERO) * 0.8;
    let bent = (light * (light * 2.51 + 0.03)) / (light * (light * 2.43 + 0.59) + 0.14);
    bent.clamp(Vec3::ZERO, Vec3::ONE)
}

/// Shares of the screen's light as sRGB bytes, by one small table.
///
/// Of positive numbers, those with higher bits are higher; so the bits but for the last are the
/// number of a part of the light. Parts of dark light are narrower than those of bright, as those
/// are that become the same byte, and at most one other byte begins in each.
///
/// ```text
///  bits of a share:    part | place within it
///  its part's entry:   byte at its beginning | WITHIN - place where the next byte begins
/// ```
///
/// The sum of place and entry carries into the byte just where the next one has begun.
pub(super) struct Screen([u32; PARTS]);

/// Darker light is black.
const DARKEST: f32 = 1.0 / 8192.0;

/// 128 parts for each halving of the light: of the brightest, a share of 1 / 256, in which the
/// curve rises by less than half a byte. Darker, it is less steep in bytes per part.
const PART_BITS: u32 = f32::MANTISSA_DIGITS - 1 - 7;

/// Places within a part.
const WITHIN: u32 = 1 << PART_BITS;

/// 13 halvings have 1664 parts; a power of two, so that no number of one is out of range.
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

    /// Three shares, from 0 to 1; those beyond become the nearer end.
    pub(super) fn encode(&self, share: [f32; 3]) -> [u8; 3] {
        share.map(|share| self.byte(share))
    }

    /// The byte of a share. Without branches, for loops that the compiler makes vectors of.
    #[inline(always)]
    #[expect(clippy::manual_clamp, reason = "`clamp` keeps what is no number")]
    pub(super) fn byte(&self, share: f32) -> u8 {
        // What is no number is black, too.
        let share = share.max(DARKEST).min(1.0);
        let bits = share.to_bits() - DARKEST.to_bits();
        let entry = self.0[(bits >> PART_BITS) as usize % PARTS];
        ((entry + bits % WITHIN) >> PART_BITS) as u8
    }
}

/// The bits of the least share that becomes a higher byte; beyond all shares after the last.
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

/// The byte of a share, by the definition.
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
    fn brighter_light_is_never_darker_and_never_leaves_the_screen() {
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
    fn srgb_has_its_known_values() {
        let encode = |share| Screen::new().encode(share);
        assert_eq!(encode([0.0, 1.0, 0.214_041]), [0, 255, 127]);
        assert_eq!(encode([2.0, -1.0, 0.003_130_8]), [255, 0, 10]);
        assert_eq!(encode([f32::NAN, f32::INFINITY, f32::MIN]), [0, 255, 0]);
    }

    #[test]
    fn the_table_is_the_curve() {
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
    fn no_part_of_the_light_has_more_than_two_bytes() {
        let screen = Screen::new();
        for (part, entry) in screen.0.iter().enumerate() {
            let first = entry >> PART_BITS;
            let last = DARKEST.to_bits() + ((part as u32 + 1) << PART_BITS) - 1;
            let last = u32::from(byte_of(f32::from_bits(last)));
            assert!(last - first <= 1, "part {part}: {first} to {last}");
        }
    }
}
