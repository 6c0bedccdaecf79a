//! What can go wrong with what belongs to a surface.

use thiserror::Error;

use lanternfell_heightmap::MapSize;

/// What belongs to a map of another size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "the {what} is of a map of {}x{} cells, but the map has {}x{}",
    found.width(), found.height(), expected.width(), expected.height()
)]
pub struct SizeMismatch {
    /// What it is: `hole mask` or `height pyramid`.
    pub what: &'static str,
    /// The size of the map that it is of.
    pub found: MapSize,
    /// The size of the map that it should be of.
    pub expected: MapSize,
}

impl SizeMismatch {
    /// `Ok` when both are the same.
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

/// Why numbers are not those of a [`HeightPyramid`](super::HeightPyramid) or of a
/// [`DetailTree`](crate::detail::DetailTree).
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum NumbersError {
    /// They are more or fewer than it has.
    #[error(
        "a {what} of a map of {}x{} cells has not {found} numbers",
        size.width(), size.height()
    )]
    Count {
        /// What they should be of: `height pyramid` or `detail tree`.
        what: &'static str,
        /// The size of the map that it is of.
        size: MapSize,
        /// How many they are.
        found: usize,
    },
    /// One of them can not be where it is.
    #[error("number {index} of a {what} is {found}, which can not be")]
    Value {
        /// What they should be of.
        what: &'static str,
        /// Which one.
        index: usize,
        /// What it is.
        found: f32,
    },
}
