//! A part of an endless plane.

use std::sync::Arc;

use lanternfell_heightmap::{Heightmap, MapSize, Plane, Progress};

use super::Work;
use crate::ground::Unmade;

/// A rectangle of cells.
pub(crate) struct PlaneWork {
    pub(crate) plane: Arc<Plane>,
    /// Its north-west cell.
    pub(crate) origin: (i64, i64),
    pub(crate) size: MapSize,
}

impl Work for PlaneWork {
    type Made = Heightmap;

    fn make(&self, progress: &Progress) -> Result<Heightmap, Unmade> {
        Ok(self.plane.part(self.origin, self.size, progress)?)
    }
}
