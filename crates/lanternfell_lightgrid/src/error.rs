//! What can be wrong with what a grid is given.

use glam::{IVec2, UVec2};
use thiserror::Error;

use crate::limits::{MAX_CELLS, MAX_SIDE};

/// Why a grid can not take what it was given. The grid is then as it was before.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum LightError {
    /// No cells, or more than fit.
    #[error(
        "the grid is {width} x {height} cells, but must have at least one, at most {} \
         a side and {} in all",
        MAX_SIDE,
        MAX_CELLS
    )]
    Size {
        /// Cells from west to east.
        width: u32,
        /// Cells from north to south.
        height: u32,
    },
    /// As many values as cells were expected.
    #[error("{found} {what} were given for a grid of {expected} cells")]
    Length {
        /// What was counted.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there must be.
        expected: usize,
    },
    /// A number is not finite, or is outside of what is allowed.
    #[error("{what} is {value}, but must be from {least} to {most}")]
    Range {
        /// The field's name.
        what: &'static str,
        /// What it is.
        value: f32,
        /// The least that is allowed.
        least: f32,
        /// The most that is allowed.
        most: f32,
    },
    /// There is no such cell.
    #[error("cell ({}, {}) is outside of the grid of {width} x {height} cells", cell.x, cell.y)]
    Outside {
        /// The cell.
        cell: IVec2,
        /// Cells from west to east.
        width: u32,
        /// Cells from north to south.
        height: u32,
    },
    /// The land is not as large as the grid.
    #[error("a relief of {width} x {height} cells was given to a grid of others")]
    ReliefSize {
        /// The land's cells from west to east.
        width: u32,
        /// Its cells from north to south.
        height: u32,
    },
    /// Land is made of squares.
    #[error("a grid of hexagons has no relief")]
    HexagonalRelief,
    /// Finer cells are squares.
    #[error("a grid of hexagons has no finer light")]
    HexagonalDetail,
    /// There is no such source.
    #[error("source {index} is not one of the grid's {count} sources, which are counted from 0")]
    NoSource {
        /// Its place among the sources.
        index: usize,
        /// How many there are.
        count: usize,
    },
}

/// An error that names the field unless `value` lies between `least` and `most`.
pub(crate) fn check_range(
    what: &'static str,
    value: f32,
    least: f32,
    most: f32,
) -> Result<(), LightError> {
    // NaN lies in no range.
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

/// Fails unless a grid can have this many cells from west to east and from north to south.
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
