//! Assembles a region of a world from tiles that arrive in any order.
//!
//! Problem: tiles arrive one by one, some extend beyond the region, and overlapping tiles contain the same cells.
//!
//! Idea: each tile is copied to its position at once and can then be dropped. Cells without a tile stay NaN, which is
//! not a valid height. One pass at the end finds them, so no list of tiles is needed.
//!
//! Cost: one copy of the region's heights for each tile that contains them.

use std::ops::Range;

use thiserror::Error;

use lanternfell_heightmap::{Heightmap, MapRegion, MapSize};

/// A region of a world that is being assembled.
#[derive(Debug, Clone)]
pub struct TileMosaic {
    region: MapRegion,
    heights: Vec<f32>,
}

/// The error of assembling a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MosaicError {
    /// There is not enough memory.
    #[error("not enough memory for a region of {}x{} cells", size.width(), size.height())]
    TooLarge {
        /// The size of the region.
        size: MapSize,
    },
    /// The map of a part does not have the size of the part.
    #[error(
        "the part has {}x{} cells, but its map has {}x{}",
        expected.width(), expected.height(), found.width(), found.height()
    )]
    Size {
        /// The size of the part.
        expected: MapSize,
        /// The size of its map.
        found: MapSize,
    },
    /// No part contains this cell.
    #[error("the cell in column {column}, row {row} of the world is not in any tile")]
    Missing {
        /// The cell's column in the world.
        column: usize,
        /// The cell's row in the world.
        row: usize,
    },
}

impl TileMosaic {
    /// Creates an empty region. It may have more columns or rows than a map, for instance for a few rows of a world.
    ///
    /// # Errors
    /// When there is not enough memory. A region needs four bytes per cell.
    pub fn new(region: MapRegion) -> Result<Self, MosaicError> {
        let size = region.size();
        let mut heights = Vec::new();
        let room = heights.try_reserve_exact(size.cells());
        room.map_err(|_| MosaicError::TooLarge { size })?;
        heights.resize(size.cells(), f32::NAN);
        Ok(Self { region, heights })
    }

    /// Copies a part of the world into the region: a tile, or some rows of one. Cells outside of the region are
    /// ignored.
    ///
    /// # Errors
    /// When the map does not have the size of the part.
    pub fn add(&mut self, part: MapRegion, map: &Heightmap) -> Result<(), MosaicError> {
        let (expected, found) = (part.size(), map.size());
        if expected != found {
            return Err(MosaicError::Size { expected, found });
        }
        let region = self.region;
        let columns = both(part.columns(), region.columns());
        if columns.is_empty() {
            return Ok(());
        }
        let width = region.size().width();
        for y in both(part.rows(), region.rows()) {
            let from = &map.row(y - part.y())[columns.start - part.x()..][..columns.len()];
            let start = (y - region.y()) * width + columns.start - region.x();
            self.heights[start..][..columns.len()].copy_from_slice(from);
        }
        Ok(())
    }

    /// Returns the map of the region.
    ///
    /// # Errors
    /// Returns the first cell that no part contains.
    pub fn finish(self) -> Result<Heightmap, MosaicError> {
        let Self { region, heights } = self;
        let size = region.size();
        if let Some(cell) = heights.iter().position(|z| z.is_nan()) {
            return Err(MosaicError::Missing {
                column: region.x() + cell % size.width(),
                row: region.y() + cell / size.width(),
            });
        }
        let map = Heightmap::from_heights(size, heights);
        Ok(map.expect("one finite height per cell"))
    }
}

/// Returns the intersection of two ranges.
fn both(a: Range<usize>, b: Range<usize>) -> Range<usize> {
    a.start.max(b.start)..a.end.min(b.end)
}
