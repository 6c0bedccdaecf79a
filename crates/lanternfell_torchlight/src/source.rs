//! Lamps, and sources of darkness.

use bevy::prelude::*;
use lanternfell_lightgrid::{HighResLamp, Source};
use serde::{Deserialize, Serialize};

use crate::{
    color::{self, linear},
    installed::warn_without_plugin,
};

/// Emits light from the position of its transform, or of a [`LightCell`](crate::LightCell).
///
/// Parents count: a light source that is a child of the player moves with the player.
///
/// How far the light reaches depends on the [`LightSettings`](lanternfell_lightgrid::LightSettings) of the map and on
/// the strength.
///
/// A hidden source ([`Visibility::Hidden`]) still emits light, unlike Bevy's own lights. The rules of a game read
/// this light, so it must not depend on what is drawn: a lamp whose sprite is hidden in the fog of war still lights the
/// corridor, also on a server without a renderer. To switch a lamp off, set its [`strength`](Self::strength) to 0.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[serde(default, deny_unknown_fields)]
#[component(on_add = warn_without_plugin)]
pub struct LightSource {
    /// The color of the light. Alpha is ignored. Default: the warm white of a flame.
    ///
    /// With [`serde`], it is stored as linear red, green, blue and alpha, and loaded as [`Color::LinearRgba`].
    #[serde(with = "color")]
    pub color: Color,
    /// The brightness of the light. At 1, things look as they are painted. A negative strength removes light. Default:
    /// 1.
    ///
    /// The product of strength and color is clamped to -64 to 64, and NaN is replaced by 0.
    pub strength: f32,
    /// The radius of the flame in cells, clamped to 0 to 1. Default: 0.25.
    ///
    /// It only affects the screen, and only on maps with [`SoftShadows`](crate::SoftShadows): a larger flame casts
    /// softer shadows.
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

    /// A light of this color, with strength 1.
    pub fn new(color: impl Into<Color>) -> Self {
        Self {
            color: color.into(),
            ..Self::default()
        }
    }

    /// Sets the radius of the flame, in cells.
    #[must_use]
    pub const fn with_radius(mut self, radius: f32) -> Self {
        self.radius = radius;
        self
    }

    /// Sets the strength.
    #[must_use]
    pub const fn with_strength(mut self, strength: f32) -> Self {
        self.strength = strength;
        self
    }

    /// The radius, clamped to the range that [`HighResLamp`] accepts.
    pub(crate) fn sane_radius(&self) -> f32 {
        if self.radius.is_nan() {
            return 0.0;
        }
        self.radius.clamp(0.0, HighResLamp::MAX_RADIUS)
    }

    /// The linear light at the fraction `part` of the strength, clamped to the range that the grid accepts.
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
    fn clamps_invalid_light() {
        let light = |color, strength| LightSource::new(color).with_strength(strength).light(1.0);
        assert_eq!(light(Color::WHITE, f32::INFINITY), Vec3::splat(64.0));
        assert_eq!(light(Color::WHITE, f32::NEG_INFINITY), Vec3::splat(-64.0));
        assert_eq!(light(Color::BLACK, f32::INFINITY), Vec3::ZERO);
        assert_eq!(light(Color::WHITE, f32::NAN), Vec3::ZERO);
        let odd = Color::linear_rgb(f32::NAN, 1e30, 0.25);
        assert_eq!(light(odd, 1.0), Vec3::new(0.0, 64.0, 0.25));
    }
}
