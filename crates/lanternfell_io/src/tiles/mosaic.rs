//! A part of a world put together from parts that come in any order.
//!
//! Problem: the tiles of a window arrive as they are read, some reach beyond it, and where they overlap
//! the same cells come twice.
//!
//! Idea: each is copied where it belongs at once, and can be dropped. A cell that nothing was copied to
//! is NaN, which no height is: so the one pass that looks for it at the end needs no list of what has
//! come.
//!
//! Cost: the window's heights, copied once for each tile that has them.

use std::ops::Range;

use thiserror::Error;

use lanternfell_heightmap::{Heightmap, MapSize, Window};

/// A window of a world that is being put together.
#[derive(Debug, Clone)]
pub struct TileMosaic {
    window: Window,
    heights: Vec<f32>,
}

/// Why a window was not put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum MosaicError {
    /// The memory can not hold it.
    #[error("a window of {}x{} cells is too large for the memory", size.width(), size.height())]
    TooLarge {
        /// The size of the window.
        size: MapSize,
    },
    /// A part has not as many cells as it is said to have.
    #[error(
        "a part of {}x{} cells can not be a map of {}x{}",
        expected.width(), expected.height(), found.width(), found.height()
    )]
    Size {
        /// The size of the part of the world.
        expected: MapSize,
        /// The size of its map.
        found: MapSize,
    },
    /// No part had this cell.
    #[error("the cell in column {column}, row {row} of the world is in none of the tiles")]
    Missing {
        /// The cell's column in the world.
        column: usize,
        /// The cell's row in the world.
        row: usize,
    },
}

impl TileMosaic {
    /// A window of which nothing is there yet. It may be wider or higher than a map, as a few rows of a
    /// world are.
    ///
    /// # Errors
    /// When there is no memory for it: four bytes for each cell.
    pub fn new(window: Window) -> Result<Self, MosaicError> {
        let size = window.size();
        let mut heights = Vec::new();
        let room = heights.try_reserve_exact(size.cells());
        room.map_err(|_| MosaicError::TooLarge { size })?;
        heights.resize(size.cells(), f32::NAN);
        Ok(Self { window, heights })
    }

    /// Copies what the window has of a part of the world: of a tile, or of some rows of one.
    ///
    /// # Errors
    /// When the map is not of the part's size.
    pub fn add(&mut self, part: Window, map: &Heightmap) -> Result<(), MosaicError> {
        let (expected, found) = (part.size(), map.size());
        if expected != found {
            return Err(MosaicError::Size { expected, found });
        }
        let window = self.window;
        let columns = both(part.columns(), window.columns());
        if columns.is_empty() {
            return Ok(());
        }
        let width = window.size().width();
        for y in both(part.rows(), window.rows()) {
            let from = &map.row(y - part.y())[columns.start - part.x()..][..columns.len()];
            let start = (y - window.y()) * width + columns.start - window.x();
            self.heights[start..][..columns.len()].copy_from_slice(from);
        }
        Ok(())
    }

    /// The window's map.
    ///
    /// # Errors
    /// Names the first cell that no part had.
    pub fn finish(self) -> Result<Heightmap, MosaicError> {
        let Self { window, heights } = self;
        let size = window.size();
        if let Some(cell) = heights.iter().position(|z| z.is_nan()) {
            return Err(MosaicError::Missing {
                column: window.x() + cell % size.width(),
                row: window.y() + cell / size.width(),
            });
        }
        let map = Heightmap::from_heights(size, heights);
        Ok(map.expect("as many as the window has cells, and all from maps"))
    }
}

/// What two ranges share.
fn both(a: Range<usize>, b: Range<usize>) -> Range<usize> {
    a.start.max(b.start)..a.end.min(b.end)
}
