//! Settings that apply to a whole grid.

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
use serde::{Deserialize, Serialize};

use crate::{
    error::{LightError, check_range},
    neighborhood::Neighborhood,
    reach::{OpenGround, decay_for_radius, radius_for_decay},
};

/// Settings that apply to a whole grid: which cells exchange light, how far it reaches, and how
/// much of it travels in straight lines.
#[derive(Debug, Default, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(Clone, Debug, Default, Deserialize, PartialEq, Serialize)
)]
#[serde(default, deny_unknown_fields)]
pub struct LightSettings {
    /// The cells that exchange light. Default: [`Neighborhood::Isotropic`].
    pub neighborhood: Neighborhood,
    /// How fast light fades, which determines how far it reaches. Default: a radius of 12 cells.
    pub falloff: Falloff,
    /// The share of light that travels in straight lines and casts crisp shadows, from 0 to 1. The
    /// rest flows around corners. Default: 0.
    ///
    /// On open ground both kinds are equally bright along the axes, up to 256 cells, where straight
    /// light ends. In other directions straight light stays the same, and flowing light differs
    /// from it slightly. The largest differences, in units of the source strength:
    ///
    /// | Neighborhood | Difference | Where |
    /// |---|---|---|
    /// | four | 0.065 | diagonally next to the source (0.259 instead of 0.312 at a radius of 6) |
    /// | eight | 0.03 | diagonally next to the source |
    /// | isotropic | 0.032 | diagonally next to the source |
    /// | four, eight, isotropic; source between cells | 0.065 | near the source |
    /// | hexagonal | 0.022 | |
    ///
    /// A source inside a wall has no straight light. Negative light and the ambient light of
    /// regions affect straight light too, but only in their own cells.
    pub direct: f32,
}

/// How fast light fades.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(Clone, Debug, Default, Deserialize, PartialEq, Serialize)
)]
pub enum Falloff {
    /// The radius in cells at which a light of strength 1 on open ground falls to
    /// [`RADIUS_CUTOFF`](crate::RADIUS_CUTOFF), which is barely visible. From 1 to 1000. Default:
    /// 12.
    ///
    /// All sources of a grid share it. A stronger source reaches farther, a weaker one less far.
    Radius(f32),
    /// The share of the light that is lost in each step, from 0 to 1.
    ///
    /// With 0, light fills every closed room evenly and remains when its source is gone. Steps
    /// still set cells below 1/65536 to zero: a flash on open ground spreads until its rim falls
    /// below that, and after some thousands of steps it is gone.
    Decay(f32),
}

impl Default for Falloff {
    fn default() -> Self {
        Self::Radius(12.0)
    }
}

impl Falloff {
    /// The share of the light that is lost in each step, from 0 to 1. Values out of range are
    /// clamped.
    pub fn decay(&self, neighborhood: Neighborhood) -> f32 {
        match *self {
            Self::Radius(radius) => decay_for_radius(neighborhood, radius.clamp(1.0, 1000.0)),
            Self::Decay(decay) => decay.clamp(0.0, 1.0),
        }
    }

    /// The distance in cells at which a light of strength 1 on open ground falls to
    /// [`RADIUS_CUTOFF`](crate::RADIUS_CUTOFF). Infinite without decay. Values out of range are
    /// clamped.
    pub fn radius(&self, neighborhood: Neighborhood) -> f32 {
        match *self {
            Self::Radius(radius) => radius.clamp(1.0, 1000.0),
            Self::Decay(decay) => radius_for_decay(neighborhood, decay.clamp(0.0, 1.0)),
        }
    }
}

impl LightSettings {
    pub(crate) fn validate(&self) -> Result<(), LightError> {
        check_range("direct", self.direct, 0.0, 1.0)?;
        match self.falloff {
            Falloff::Radius(radius) => check_range("radius", radius, 1.0, 1000.0),
            Falloff::Decay(decay) => check_range("decay", decay, 0.0, 1.0),
        }
    }
}

/// Values derived from the settings, which are slow to compute.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule {
    /// The share of the light that remains after a step, from 0 to 1.
    pub(crate) keep: f32,
    /// The light next to a lamp of strength 1 on open ground, along an axis and along a diagonal.
    pub(crate) adjacent_light: (f32, f32),
}

impl Rule {
    pub(crate) fn new(settings: &LightSettings) -> Self {
        let decay = settings.falloff.decay(settings.neighborhood);
        Self {
            keep: 1.0 - decay,
            adjacent_light: OpenGround::new(settings.neighborhood, decay).adjacent_light(),
        }
    }

    /// The share of the light that is lost in each step.
    pub(crate) fn decay(&self) -> f32 {
        1.0 - self.keep
    }
}
