//! Generating a part of an endless plane, as work for a background task.

#[cfg(any(test, all(target_arch = "wasm32", feature = "web-worker")))]
mod order;

use std::sync::Arc;

use lanternfell_heightmap::{Heightmap, MapSize, Plane, Progress};

use crate::background::Work;
use crate::error::Unmade;

/// A rectangle of cells of a plane.
pub(crate) struct PlaneWork {
    pub(crate) plane: Arc<Plane>,
    /// The north-west cell.
    pub(crate) origin: (i64, i64),
    pub(crate) size: MapSize,
}

impl Work for PlaneWork {
    type Made = Heightmap;

    fn make(&self, progress: &Progress) -> Result<Heightmap, Unmade> {
        Ok(self.plane.part(self.origin, self.size, progress)?)
    }
}
