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

/// Shares of the screen's light as sRGB bytes, by a table.
pub(super) struct Screen {
    /// The byte at the beginning of each of so many equal parts of the light. They are so
    /// narrow that at most one other byte begins in each.
    first: Vec<u8>,
    /// The least share that becomes each byte; the one after the last is never reached.
    least: [f32; 257],
}

/// The steepest part of the curve rises 255 * 12.92 bytes per light: less than one per part.
const PARTS: usize = 4096;

impl Screen {
    pub(super) fn new() -> Self {
        let mut least = [0.0_f32; 257];
        least[256] = f32::NAN;
        for (byte, least) in least[..256].iter_mut().enumerate() {
            // Of positive numbers, those with higher bits are higher.
            let (mut below, mut from) = (0, 1.0_f32.to_bits());
            while below < from {
                let middle = (below + from) / 2;
                if usize::from(byte_of(f32::from_bits(middle))) < byte {
                    below = middle + 1;
                } else {
                    from = middle;
                }
            }
            *least = f32::from_bits(from);
        }
        let first = (0..=PARTS).map(|part| byte_of(part as f32 / PARTS as f32));
        Self {
            first: first.collect(),
            least,
        }
    }

    /// Three shares, from 0 to 1; those beyond become the nearer end.
    pub(super) fn encode(&self, share: [f32; 3]) -> [u8; 3] {
        share.map(|share| {
            // Casts saturate, and make 0 of what is no number.
            let part = ((share * PARTS as f32) as usize).min(PARTS);
            let byte = self.first[part];
            byte + u8::from(share >= self.least[usize::from(byte) + 1])
        })
    }
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
        for byte in 1..256 {
            let (at, below) = (screen.least[byte], screen.least[byte].next_down());
            assert_eq!(screen.encode([at; 3]), [byte as u8; 3]);
            assert_eq!(screen.encode([below; 3]), [byte as u8 - 1; 3]);
        }
    }
}
