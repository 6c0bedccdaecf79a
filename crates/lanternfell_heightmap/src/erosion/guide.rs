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

use super::stream_power::RiverGuide;
use crate::{Heightmap, Window};

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

    /// Changes a part of the world as the coarse map has changed, from coarse cell to coarse cell in
    /// straight lines.
    pub(crate) fn follow(&self, map: &mut Heightmap, window: Window) {
        let columns = self.between(window.x(), map.width(), self.after.width());
        let rows = self.between(window.y(), map.height(), self.after.height());
        let width = map.width();
        let mix = |share: f64, a: f64, b: f64| a + share * (b - a);
        for (row, &(y, down)) in map.heights_mut().chunks_exact_mut(width).zip(&rows) {
            let next_y = (y + 1).min(self.after.height() - 1);
            for (z, &(x, across)) in row.iter_mut().zip(&columns) {
                let next_x = (x + 1).min(self.after.width() - 1);
                let north = mix(across, self.of(x, y), self.of(next_x, y));
                let south = mix(across, self.of(x, next_y), self.of(next_x, next_y));
                let changed = f64::from(*z) + mix(down, north, south);
                *z = changed.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32;
            }
        }
    }

    /// For each cell of an axis from `first` on the coarse cell whose middle is the last before its
    /// own, and how far behind that it lies.
    fn between(&self, first: usize, count: usize, coarse: usize) -> Vec<(usize, f64)> {
        let ratio = self.ratio as f64;
        let place = |at: usize| {
            let place = ((at as f64 + 0.5) / ratio - 0.5).max(0.0);
            let cell = (place as usize).min(coarse - 1);
            (cell, place - cell as f64)
        };
        (first..first + count).map(place).collect()
    }
}

/// What leads a kind of erosion that the whole world decides.
pub(crate) enum Guide {
    /// Drops and ice.
    Change(Change),
    /// Rivers.
    Rivers(Box<RiverGuide>),
}
