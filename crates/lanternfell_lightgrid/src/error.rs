//! Errors of methods that take cells, sources, settings and other input.

use glam::{IVec2, UVec2};
use thiserror::Error;

use crate::limits::{MAX_CELLS, MAX_SIDE};

/// The error of methods that reject their input. The grid is unchanged.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum LightError {
    /// The grid has no cells, or too many.
    #[error(
        "grid size is {width} x {height} cells, but a grid has 1 to {} cells per side and at \
         most {} in total",
        MAX_SIDE,
        MAX_CELLS
    )]
    Size {
        /// The number of cells from west to east.
        width: u32,
        /// The number of cells from north to south.
        height: u32,
    },
    /// A list does not have one value per cell.
    #[error("{found} {what} were given for a grid of {expected} cells")]
    Length {
        /// What the list contains.
        what: &'static str,
        /// The length of the list.
        found: usize,
        /// The number of cells.
        expected: usize,
    },
    /// A number is out of range or not finite.
    #[error("{what} is {value}, but must be from {least} to {most}")]
    Range {
        /// The name of the field.
        what: &'static str,
        /// Its value.
        value: f32,
        /// The minimum.
        least: f32,
        /// The maximum.
        most: f32,
    },
    /// The cell is outside of the grid.
    #[error("cell ({}, {}) is outside of the grid of {width} x {height} cells", cell.x, cell.y)]
    Outside {
        /// The cell.
        cell: IVec2,
        /// The number of cells from west to east.
        width: u32,
        /// The number of cells from north to south.
        height: u32,
    },
    /// The relief does not have the size of the grid.
    #[error("the relief has {width} x {height} cells, but must have the size of the grid")]
    ReliefSize {
        /// The number of cells of the relief from west to east.
        width: u32,
        /// The number of cells of the relief from north to south.
        height: u32,
    },
    /// A [`Relief`](crate::Relief) requires square cells.
    #[error("hexagonal grids do not support a relief")]
    HexagonalRelief,
    /// [`HighResLight`](crate::HighResLight) requires square cells.
    #[error("hexagonal grids do not support high-resolution light")]
    HexagonalDetail,
    /// There is no source with this index.
    #[error("source index is {index}, but the grid has {count} sources, counted from 0")]
    NoSource {
        /// The index.
        index: usize,
        /// The number of sources.
        count: usize,
    },
}

/// Returns [`LightError::Range`] unless `value` is from `least` to `most`.
pub(crate) fn check_range(
    what: &'static str,
    value: f32,
    least: f32,
    most: f32,
) -> Result<(), LightError> {
    // NaN is in no range.
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(LightError::Range {
        what,
        value,
        least,
        most,
    })
}

/// Returns [`LightError::Size`] unless a grid can have this size.
pub(crate) fn check_size(size: UVec2) -> Result<(), LightError> {
    let UVec2 {
        x: width,
        y: height,
    } = size;
    let sides = 1..=MAX_SIDE;
    let cells = u64::from(width) * u64::from(height);
    if sides.contains(&width) && sides.contains(&height) && cells <= u64::from(MAX_CELLS) {
        return Ok(());
    }
    Err(LightError::Size { width, height })
}
