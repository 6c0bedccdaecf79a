//! What a part of a world has to know of all of it, to be eroded alone.
//!
//! Problem: rivers come from afar, and valleys are as large as the world. A part that is made alone
//! knows nothing of them.
//!
//! Idea: erode a coarse map of the whole world, which is small, once; and then each part in the
//! finer steps alone, led by what the coarse map has become:
//!
//! ```text
//!   the world at 1/16:  before ---> after          a part:  land + change, then
//!                            change  |                      the finer valleys in it
//!                                    '-------------------->
//! ```
//!
//! Cost: that of a map of about a million cells, whatever the world.

use super::{glacial::IceGuide, stream_power::RiverGuide};
use crate::Heightmap;

/// The coarse map of a world, before and after a kind of erosion.
pub(crate) struct Change {
    /// The cells of the world along a coarse one: a power of two, and at least 2.
    pub(crate) ratio: usize,
    pub(crate) before: Heightmap,
    pub(crate) after: Heightmap,
}

impl Change {
    /// By how much a coarse cell has changed.
    pub(crate) fn of(&self, x: usize, y: usize) -> f64 {
        f64::from(self.after.get(x, y)) - f64::from(self.before.get(x, y))
    }
}

/// What leads a kind of erosion that the whole world decides.
pub(crate) enum Guide {
    /// Drops.
    Change(Change),
    /// Glaciers.
    Ice(Box<IceGuide>),
    /// Rivers.
    Rivers(Box<RiverGuide>),
}
