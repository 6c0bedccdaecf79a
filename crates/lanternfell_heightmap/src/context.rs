//! What a map stands for: how large its cells are, how high its heights, and its seed.

use lanternfell_random::SplitMix64;
use serde::{Deserialize, Serialize};

use crate::{MapSize, ParamError, Window};

/// From cells and heights to metres.
///
/// A slope has an angle, and water an amount, only once it is known how wide a cell is and
/// how high the land.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(Clone, Debug, PartialEq)
)]
#[serde(deny_unknown_fields)]
pub struct Scale {
    /// Metres from one cell to the next, along both axes.
    pub spacing: f32,
    /// Metres from height 0 to height 1.
    pub relief: f32,
}

impl Scale {
    /// The largest number of metres: beyond, `f32` gets too coarse.
    pub const MAX: f32 = 100_000.0;

    /// The default relief of a map, as a part of its longer side.
    const RELIEF_PER_SIDE: f32 = 0.16;

    /// One metre from cell to cell, and as high as a map of its size looks good with: 16 %
    /// of its longer side.
    pub fn of_size(size: MapSize) -> Self {
        let longer = size.width().max(size.height());
        Self {
            spacing: 1.0,
            relief: Self::RELIEF_PER_SIDE * longer as f32,
        }
    }

    /// Checks that both are above 0 and at most [`MAX`](Self::MAX).
    ///
    /// # Errors
    /// Names the one that is not.
    pub fn validate(self) -> Result<(), ParamError> {
        for (name, value) in [("spacing", self.spacing), ("relief", self.relief)] {
            let fine = value > 0.0 && value <= Self::MAX;
            let words = format_args!("above 0 and at most {}", Self::MAX);
            ParamError::check(fine, "scale", name, ParamError::shortest(value), words)?;
        }
        Ok(())
    }

    /// Cells of height: how many cells wide a height of 1 is high. A slope of heights per
    /// cell, times this, is the tangent of its angle.
    pub fn steepness(self) -> f32 {
        self.relief / self.spacing
    }
}

/// What filters know beside the heights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FilterContext {
    /// From cells and heights to metres.
    pub scale: Scale,
    /// What a filter's random numbers come from.
    pub seed: u64,
    /// Which part of the world the map is; all of it by default.
    pub window: Window,
    /// The size of the world.
    pub world: MapSize,
    /// Where on the endless plane of noise the world begins, column and row; (0, 0) by default.
    pub origin: (i64, i64),
}

impl FilterContext {
    /// A map of this size at the default scale, which is all there is.
    pub fn new(size: MapSize, seed: u64) -> Self {
        Self {
            scale: Scale::of_size(size),
            seed,
            window: Window::whole(size),
            world: size,
            origin: (0, 0),
        }
    }

    /// Where on the endless plane of noise the map begins.
    pub(crate) fn place(&self) -> (i64, i64) {
        let (x, y) = self.origin;
        (x + self.window.x() as i64, y + self.window.y() as i64)
    }

    /// The same context with other random numbers: the n-th of many; of 0 it is the same.
    pub(crate) fn nth(self, n: usize) -> Self {
        Self {
            seed: spread(self.seed, n as u64),
            ..self
        }
    }
}

/// One of many seeds: 0 is the seed itself; the others are spread by the mixing
/// function of [`SplitMix64`], so that neighboring seeds share none.
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
    fn metres_are_above_zero_and_finite() {
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
