//! The scale of a map in meters, and the context in which filters run.

use lanternfell_random::SplitMix64;
use serde::{Deserialize, Serialize};

use crate::{MapRegion, MapSize, ParamError};

/// The size of cells and heights in meters.
///
/// Filters and erosion need it to compute slope angles and amounts of water.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(Clone, Debug, PartialEq)
)]
#[serde(deny_unknown_fields)]
pub struct Scale {
    /// Meters from one cell to the next, along both axes. Above 0, at most [`MAX`](Self::MAX).
    pub spacing: f32,
    /// Meters from height 0 to height 1. Above 0, at most [`MAX`](Self::MAX).
    pub relief: f32,
}

impl Scale {
    /// The largest spacing and relief, in meters. Beyond it `f32` is too imprecise.
    pub const MAX: f32 = 100_000.0;

    /// The default relief of a map, as a fraction of its longer side.
    const RELIEF_PER_SIDE: f32 = 0.16;

    /// The default scale of a map of this size: a spacing of 1 m, and a relief of 16 % of the longer side.
    pub fn of_size(size: MapSize) -> Self {
        let longer = size.width().max(size.height());
        Self {
            spacing: 1.0,
            relief: Self::RELIEF_PER_SIDE * longer as f32,
        }
    }

    /// Checks that both numbers are above 0 and at most [`MAX`](Self::MAX).
    ///
    /// # Errors
    /// Names the number that is out of range.
    pub fn validate(self) -> Result<(), ParamError> {
        for (name, value) in [("spacing", self.spacing), ("relief", self.relief)] {
            let fine = value > 0.0 && value <= Self::MAX;
            let words = format_args!("above 0 and at most {}", Self::MAX);
            ParamError::check(fine, "scale", name, ParamError::shortest(value), words)?;
        }
        Ok(())
    }

    /// The relief divided by the spacing: a gradient in heights per cell, times this, is the tangent of the slope
    /// angle.
    pub fn steepness(self) -> f32 {
        self.relief / self.spacing
    }
}

/// The scale, seed and position of a map, which filters need in addition to its heights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FilterContext {
    /// The size of cells and heights in meters.
    pub scale: Scale,
    /// The seed of the filter's random numbers.
    pub seed: u64,
    /// The region of the world that the map covers. Default: all of it.
    pub region: MapRegion,
    /// The size of the world in cells.
    pub world: MapSize,
    /// The column and row on the endless noise plane at which the world begins. Default: (0, 0).
    pub origin: (i64, i64),
}

impl FilterContext {
    /// The context of a whole map of this size at the default scale.
    pub fn new(size: MapSize, seed: u64) -> Self {
        Self {
            scale: Scale::of_size(size),
            seed,
            region: MapRegion::whole(size),
            world: size,
            origin: (0, 0),
        }
    }

    /// The column and row on the endless noise plane at which the map begins.
    pub(crate) fn place(&self) -> (i64, i64) {
        let (x, y) = self.origin;
        (x + self.region.x() as i64, y + self.region.y() as i64)
    }

    /// The same context with the seed of the `n`-th filter; 0 keeps the seed.
    pub(crate) fn nth(self, n: usize) -> Self {
        Self {
            seed: spread(self.seed, n as u64),
            ..self
        }
    }
}

/// Derives a seed from `seed` and `salt`; salt 0 returns `seed` itself.
///
/// The mixing function of [`SplitMix64`] decorrelates the results, so that neighboring seeds share no derived seeds.
pub(crate) fn spread(seed: u64, salt: u64) -> u64 {
    if salt == 0 {
        return seed;
    }
    SplitMix64::mix(seed ^ SplitMix64::GAMMA.wrapping_mul(salt))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn validate_rejects_scales_out_of_range() {
        let good = Scale::of_size(MapSize::default());
        assert!(good.validate().is_ok());
        assert_eq!(good.steepness(), 40.96);
        for bad in [0.0, -1.0, f32::NAN, f32::INFINITY, 100_001.0] {
            let error = Scale {
                relief: bad,
                ..good
            }
            .validate()
            .unwrap_err();
            assert_eq!((error.owner, error.name), ("scale", "relief"), "{bad}");
            let error = Scale {
                spacing: bad,
                ..good
            }
            .validate()
            .unwrap_err();
            assert!(
                error.to_string().contains("above 0 and at most 100000"),
                "{error}"
            );
        }
    }
}
