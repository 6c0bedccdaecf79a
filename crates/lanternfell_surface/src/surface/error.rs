//! Errors of surfaces and of the data that belongs to them.

use thiserror::Error;

use lanternfell_heightmap::MapSize;

/// A hole mask or height pyramid for a map of another size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "the {what} is for a map of {}x{} cells, but the map has {}x{}",
    found.width(), found.height(), expected.width(), expected.height()
)]
pub struct SizeMismatch {
    /// What has the wrong size: `hole mask` or `height pyramid`.
    pub what: &'static str,
    /// The size of the map that it is for.
    pub found: MapSize,
    /// The size of the actual map.
    pub expected: MapSize,
}

impl SizeMismatch {
    /// Returns `Ok` if both sizes are equal.
    pub(crate) fn check(what: &'static str, found: MapSize, expected: MapSize) -> Result<(), Self> {
        if found == expected {
            return Ok(());
        }
        Err(Self {
            what,
            found,
            expected,
        })
    }
}

/// Invalid numbers for a [`HeightPyramid`](super::HeightPyramid) or a
/// [`DetailTree`](crate::detail::DetailTree).
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum NumbersError {
    /// The count does not match the size of the map.
    #[error(
        "a {what} for a map of {}x{} cells cannot have {found} numbers",
        size.width(), size.height()
    )]
    Count {
        /// What the numbers are for: `height pyramid` or `detail tree`.
        what: &'static str,
        /// The size of the map.
        size: MapSize,
        /// The count that was given.
        found: usize,
    },
    /// A number is invalid at its position.
    #[error("number {index} of the {what} is {found}, which is invalid")]
    Value {
        /// What the numbers are for: `height pyramid` or `detail tree`.
        what: &'static str,
        /// The index of the invalid number.
        index: usize,
        /// Its value.
        found: f32,
    },
}
