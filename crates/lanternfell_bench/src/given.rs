//! What everybody in a race is given.

use crate::{heights::Heights, map::Map};

/// A map of cells or of heights.
#[derive(Debug, Clone, Copy)]
pub enum Given<'a> {
    /// Floors, walls and doors.
    Cells(&'a Map),
    /// Heights.
    Heights(&'a Heights),
}

impl<'a> From<&'a Map> for Given<'a> {
    fn from(map: &'a Map) -> Self {
        Self::Cells(map)
    }
}

impl<'a> From<&'a Heights> for Given<'a> {
    fn from(ground: &'a Heights) -> Self {
        Self::Heights(ground)
    }
}
