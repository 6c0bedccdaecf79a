//! The brushes, and how their effect fades toward the border.

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
use serde::{Deserialize, Serialize};

use crate::{cells::Channel, image::StampImage, whole::whole};

/// What a [`Stroke`](crate::Stroke) does. Heights are in millimeters.
///
/// `Raise`, `Lower`, `Noise` and `Stamp` are *additive*: they add amounts that depend on nothing
/// but the stroke, so their order does not matter. Each dab adds its amount. All other brushes move
/// a value toward a target, and all dabs of a stroke together move it at most the whole way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(opaque, Clone, Debug, Deserialize, PartialEq, Serialize)
)]
pub enum Brush {
    /// Raises the terrain.
    Raise {
        /// The amount per dab at full strength, from 0 to [`MAX_MM`](Self::MAX_MM).
        mm: i32,
    },
    /// Lowers the terrain. Undoes a `Raise` of the same amount exactly.
    Lower {
        /// The amount per dab at full strength, from 0 to [`MAX_MM`](Self::MAX_MM).
        mm: i32,
    },
    /// Adds value noise. The pattern is fixed to the plane, so that strokes join.
    Noise {
        /// The seed of the pattern.
        seed: u64,
        /// The distance between two values of the pattern in cells, from 1 to
        /// [`MAX_NOISE_CELLS`](Self::MAX_NOISE_CELLS).
        cells: u32,
        /// The largest amount per dab, up or down, from 0 to [`MAX_MM`](Self::MAX_MM).
        mm: i32,
    },
    /// Adds an image, which is stretched over the square around each point of the stroke. The radius
    /// is half the side of the square. The stroke has no other dabs, and its falloff has no effect.
    Stamp {
        /// The heights.
        image: StampImage,
    },
    /// Moves the terrain toward a height.
    Flatten {
        /// The height. `None`: that of the cell nearest to the first point before the stroke.
        mm: Option<i32>,
    },
    /// Makes a ramp between the heights of the cells nearest to the first and the last point before
    /// the stroke. It is level across the straight line between both points, and beyond them.
    Slope,
    /// Moves the terrain toward the nearest multiple of a height.
    Terrace {
        /// The height of a step, from 1 to [`MAX_MM`](Self::MAX_MM).
        mm: i32,
    },
    /// Moves each height toward the mean of the square around it before the stroke.
    Smooth {
        /// The distance from the center of the square to its sides in cells, from 1 to
        /// [`MAX_REACH`](Self::MAX_REACH).
        reach: u32,
    },
    /// Doubles the difference to the mean of the square around each height before the stroke.
    Sharpen {
        /// As in `Smooth`.
        reach: u32,
    },
    /// Erodes the terrain with droplets of water, which run downhill within the brush. They take up
    /// sediment where it is steep, and drop it where it is level. The erosion of all dabs together is
    /// that of one pass. Repeat the stroke for more.
    Erode {
        /// Selects the cells at which droplets start: a quarter of all. Other seeds in repeated
        /// strokes give smoother results.
        seed: u64,
        /// The longest way of a droplet in cells, from 1 to [`MAX_STEPS`](Self::MAX_STEPS).
        steps: u32,
    },
    /// Copies heights from elsewhere, as they were before the stroke.
    Clone {
        /// The columns and rows from a cell to the one that it copies. At most
        /// [`MAX_OFFSET`](Self::MAX_OFFSET) in each direction.
        offset: [i64; 2],
    },
    /// Makes holes. Strength and falloff have no effect.
    Hole,
    /// Closes holes. Strength and falloff have no effect.
    Unhole,
    /// Paints a ground layer over what is there.
    Paint {
        /// The layer, from 0 to 15.
        layer: u8,
    },
    /// Moves the density of plants toward a value.
    Plants {
        /// The density: 0 for no plants, 255 for those of the terrain's own rules.
        density: u8,
    },
}

impl Brush {
    /// The largest amount in millimeters: 1 km.
    pub const MAX_MM: i32 = 1_000_000;
    /// The largest distance between two values of noise in cells.
    pub const MAX_NOISE_CELLS: u32 = 4096;
    /// The largest reach of `Smooth` and `Sharpen` in cells.
    pub const MAX_REACH: u32 = 16;
    /// The longest way of a droplet of `Erode` in cells.
    pub const MAX_STEPS: u32 = 32;
    /// The largest offset of `Clone` in cells.
    pub const MAX_OFFSET: i64 = 1 << 32;
    /// The number of ground layers.
    pub const LAYERS: u8 = 16;

    /// Returns what the brush changes.
    pub const fn channel(&self) -> Channel {
        match self {
            Self::Hole | Self::Unhole => Channel::Holes,
            Self::Paint { .. } => Channel::Paint,
            Self::Plants { .. } => Channel::Plants,
            _ => Channel::Heights,
        }
    }

    /// Whether the brush adds amounts that depend on nothing but the stroke.
    pub const fn is_additive(&self) -> bool {
        matches!(
            self,
            Self::Raise { .. } | Self::Lower { .. } | Self::Noise { .. } | Self::Stamp { .. }
        )
    }

    /// Whether a cell after a stroke depends on no other cell before it.
    pub(crate) const fn is_local(&self) -> bool {
        !matches!(
            self,
            Self::Flatten { mm: None }
                | Self::Slope
                | Self::Smooth { .. }
                | Self::Sharpen { .. }
                | Self::Erode { .. }
                | Self::Clone { .. }
        )
    }
}

/// How the effect of a brush decreases from its center to its radius.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(opaque, Clone, Debug, Default, Deserialize, PartialEq, Serialize)
)]
pub enum Falloff {
    /// Full effect up to the radius.
    Constant,
    /// Decreases evenly: a cone.
    Linear,
    /// Decreases slowly at the center and at the border (smoothstep).
    #[default]
    Smooth,
    /// A half sphere: steep at the border.
    Dome,
    /// A spike: steep at the center.
    Tip,
}

impl Falloff {
    /// The effect in 1/65536, a whole number. `inward` is 65536 at the center and 0 at the radius.
    #[inline(always)]
    pub(crate) fn effect(self, inward: f64) -> f64 {
        const ONE: f64 = 65_536.0;
        match self {
            Self::Constant => ONE,
            Self::Linear => inward,
            // At most 2^48 before the division.
            Self::Smooth => whole(inward * inward * (3.0 * ONE - 2.0 * inward) / (ONE * ONE)),
            Self::Dome => whole((ONE * ONE - (ONE - inward) * (ONE - inward)).sqrt()),
            Self::Tip => whole(inward * inward / ONE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn falloffs_increase_from_border_to_center() {
        for falloff in [
            Falloff::Linear,
            Falloff::Smooth,
            Falloff::Dome,
            Falloff::Tip,
        ] {
            assert_eq!(falloff.effect(0.0), 0.0, "{falloff:?}");
            assert_eq!(falloff.effect(65_536.0), 65_536.0, "{falloff:?}");
            let effects = (0..=65_536_u32).map(|inward| falloff.effect(inward.into()));
            let effects: Vec<f64> = effects.collect();
            assert!(effects.is_sorted(), "{falloff:?}");
            assert!(effects.iter().all(|effect| effect.fract() == 0.0));
        }
        assert_eq!(Falloff::Smooth.effect(32_768.0), 32_768.0);
        assert_eq!(Falloff::Constant.effect(0.0), 65_536.0);
    }
}
