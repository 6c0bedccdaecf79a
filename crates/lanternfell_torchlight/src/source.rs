//! What gives light, and what takes it.

use bevy::prelude::*;
use lanternfell_lightgrid::{FineLamp, Source};
use serde::{Deserialize, Serialize};

use crate::color::{self, linear};

/// Gives light from where it stands; its transform says where, or a
/// [`LightCell`](crate::LightCell).
///
/// How far light reaches is a matter of the map
/// ([`LightSettings`](lanternfell_lightgrid::LightSettings)), and of the strength: a
/// stronger lamp is seen from further away.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct LightSource {
    /// The color of the light; the warm white of a flame by default. Alpha plays no part. By [`serde`] it is linear red,
    /// green, blue and alpha, and comes back as [`Color::LinearRgba`].
    #[serde(with = "color")]
    pub color: Color,
    /// How bright it is; 1 by default, which shows things as they are painted. Negative
    /// strength is darkness: it takes light away around it.
    ///
    /// Strength times color is brought into -64 to 64, and what is no number is 0.
    pub strength: f32,
    /// How large the flame is: its radius in cells, a quarter by default. It matters where a map has a
    /// [`LightDetail`](crate::LightDetail), and there to the screen alone: the larger, the softer are the shadows. Brought
    /// into 0 to 1.
    pub radius: f32,
}

impl Default for LightSource {
    fn default() -> Self {
        Self {
            color: Color::srgb(1.0, 0.86, 0.66),
            strength: 1.0,
            radius: Self::RADIUS,
        }
    }
}

impl LightSource {
    const RADIUS: f32 = 0.25;

    /// A light of this color, of strength 1.
    pub fn new(color: impl Into<Color>) -> Self {
        Self {
            color: color.into(),
            ..Self::default()
        }
    }

    /// So large, in cells.
    #[must_use]
    pub const fn with_radius(mut self, radius: f32) -> Self {
        self.radius = radius;
        self
    }

    /// With this strength.
    #[must_use]
    pub const fn with_strength(mut self, strength: f32) -> Self {
        self.strength = strength;
        self
    }

    /// Its radius, within what a screen's light takes.
    pub(crate) fn sane_radius(&self) -> f32 {
        if self.radius.is_nan() {
            return 0.0;
        }
        self.radius.clamp(0.0, FineLamp::MAX_RADIUS)
    }

    /// Its light, linear, at this part of its strength, within what a grid takes.
    pub(crate) fn light(&self, part: f32) -> Vec3 {
        let light = linear(self.color) * self.strength * part;
        Vec3::select(light.is_nan_mask(), Vec3::ZERO, light).clamp(
            Vec3::splat(-Source::MAX_LIGHT),
            Vec3::splat(Source::MAX_LIGHT),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absurd_lights_are_brought_into_range() {
        let light = |color, strength| LightSource::new(color).with_strength(strength).light(1.0);
        assert_eq!(light(Color::WHITE, f32::INFINITY), Vec3::splat(64.0));
        assert_eq!(light(Color::WHITE, f32::NEG_INFINITY), Vec3::splat(-64.0));
        assert_eq!(light(Color::BLACK, f32::INFINITY), Vec3::ZERO);
        assert_eq!(light(Color::WHITE, f32::NAN), Vec3::ZERO);
        let odd = Color::linear_rgb(f32::NAN, 1e30, 0.25);
        assert_eq!(light(odd, 1.0), Vec3::new(0.0, 64.0, 0.25));
    }
}
