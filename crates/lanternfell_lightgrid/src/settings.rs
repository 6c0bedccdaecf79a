//! How light behaves on a grid.

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
use serde::{Deserialize, Serialize};

use crate::{
    error::{LightError, check_range},
    neighborhood::Neighborhood,
    reach::{OpenGround, decay_for_radius, radius_for_decay},
};

/// How light behaves on a whole grid.
#[derive(Debug, Default, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(Clone, Debug, Default, Deserialize, PartialEq, Serialize)
)]
#[serde(default, deny_unknown_fields)]
pub struct LightSettings {
    /// Which cells light flows between.
    pub neighborhood: Neighborhood,
    /// How fast light fades, and so how far it reaches.
    pub falloff: Falloff,
    /// The share of the light that goes in straight lines and casts crisp shadows, from 0
    /// to 1; the rest flows round corners. On open ground both are equally bright along the axes,
    /// up to 256 cells, where straight light ends; straight light is as bright in all other
    /// directions, what flows nearly: it differs most diagonally beside the source, by up to 0.065
    /// of its strength with four neighbors (0.259 for 0.312 at a radius of 6), 0.03 with eight, 0.032
    /// with the isotropic ones; where the source stands between cells by 0.065 with all. On hexagons
    /// it differs by up to 0.022 everywhere. A source in a wall has none; a darkness and a
    /// region's ambient light are the same in both, but in straight light they stay in their
    /// own cells. 0 by default.
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
    /// By this radius: on open ground a light of strength 1 falls to [`RIM`](crate::RIM),
    /// hardly above black, at so many cells. From 1 to 1000; 12 by default.
    Radius(f32),
    /// By the share of the light that is lost in each step, from 0 to 1. Without any loss
    /// light fills every closed room evenly and stays when its source has gone; but where it
    /// is spread so thin that a cell has less than 1/65536, which counts as none, it is lost:
    /// a flash on open ground goes out at its rim, and after some thousands of steps wholly.
    Decay(f32),
}

impl Default for Falloff {
    fn default() -> Self {
        Self::Radius(12.0)
    }
}

impl Falloff {
    /// The share of the light that is lost in each step, from 0 to 1.
    pub fn decay(&self, neighborhood: Neighborhood) -> f32 {
        match *self {
            Self::Radius(radius) => decay_for_radius(neighborhood, radius.clamp(1.0, 1000.0)),
            Self::Decay(decay) => decay.clamp(0.0, 1.0),
        }
    }

    /// How far a light of strength 1 reaches over open ground, in cells; infinite without
    /// loss.
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

/// What follows from the settings and takes a while to find.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule {
    /// What is left of the light after a step, from 0 to 1.
    pub(crate) keep: f32,
    /// The light beside a light on open ground, along an axis and a diagonal.
    pub(crate) beside: (f32, f32),
}

impl Rule {
    pub(crate) fn new(settings: &LightSettings) -> Self {
        let decay = settings.falloff.decay(settings.neighborhood);
        Self {
            keep: 1.0 - decay,
            beside: OpenGround::new(settings.neighborhood, decay).beside(),
        }
    }

    /// The share of the light that is lost in each step.
    pub(crate) fn decay(&self) -> f32 {
        1.0 - self.keep
    }
}
