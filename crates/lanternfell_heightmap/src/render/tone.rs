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
pub(super) fn film(light: Vec3) -> Vec3 {
    let light = light.max(Vec3::ZERO) * 0.8;
    let bent = (light * (light * 2.51 + 0.03)) / (light * (light * 2.43 + 0.59) + 0.14);
    bent.clamp(Vec3::ZERO, Vec3::ONE)
}

/// Shares of the screen's light as sRGB bytes.
pub(super) fn encode(share: Vec3) -> [u8; 3] {
    share.to_array().map(|share| {
        let encoded = if share <= 0.003_130_8 {
            share * 12.92
        } else {
            1.055 * libm::powf(share, 1.0 / 2.4) - 0.055
        };
        libm::roundf(encoded.clamp(0.0, 1.0) * 255.0) as u8
    })
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
        assert_eq!(encode(Vec3::new(0.0, 1.0, 0.214_041)), [0, 255, 127]);
        assert_eq!(encode(Vec3::new(2.0, -1.0, 0.003_130_8)), [255, 0, 10]);
    }
}
