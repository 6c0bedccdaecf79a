//! Guides for eroding a part of a world on its own.
//!
//! Problem: rivers come from far away, and valleys can be as large as the world. A part that is generated on its own
//! does not contain them.
//!
//! Idea: erode a small coarse map of the whole world once. Then erode each part on its own at full resolution, guided
//! by the changes of the coarse map:
//!
//! ```text
//!   the world at 1/16:  before ---> after          a part:  terrain + change, then
//!                            change  |                      the finer valleys in it
//!                                    '-------------------->
//! ```
//!
//! Cost: that of eroding a map of about a million cells, for worlds of any size.

use super::{glacial::IceGuide, stream_power::RiverGuide};
use crate::Heightmap;

/// The coarse map of a world, before and after one erosion step.
pub(crate) struct Change {
    /// The number of world cells along the side of a coarse cell: a power of two, at least 2.
    pub(crate) ratio: usize,
    pub(crate) before: Heightmap,
    pub(crate) after: Heightmap,
}

impl Change {
    /// The change of the height of a coarse cell.
    pub(crate) fn of(&self, x: usize, y: usize) -> f64 {
        f64::from(self.after.get(x, y)) - f64::from(self.before.get(x, y))
    }
}

/// The guide of an erosion that depends on the whole world.
pub(crate) enum Guide {
    /// For hydraulic erosion by droplets.
    Change(Change),
    /// For glacial erosion.
    Ice(Box<IceGuide>),
    /// For stream power erosion.
    Rivers(Box<RiverGuide>),
}
