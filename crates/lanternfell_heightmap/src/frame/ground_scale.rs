//! The size of a map's cells row by row.

use super::GeoReference;
use crate::{ParamError, Scale};

/// The size of cells and heights in meters, for measurements of a cell and its neighbors.
///
/// The spacing may differ between the axes. On a map in degrees or in Web Mercator it also depends on the latitude of
/// the row. A [`Scale`] converts into a `GroundScale` with equal square cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroundScale {
    /// The scale if all cells are treated as equal squares.
    scale: Scale,
    /// The location of the map and its number of rows.
    place: Option<(GeoReference, usize)>,
}

impl From<Scale> for GroundScale {
    fn from(scale: Scale) -> Self {
        let place = None;
        Self { scale, place }
    }
}

impl GroundScale {
    /// The scale of a map at `place` with this number of rows.
    pub(super) fn on(scale: Scale, place: GeoReference, rows: usize) -> Self {
        let place = Some((place, rows));
        Self { scale, place }
    }

    /// Meters from height 0 to height 1.
    pub fn relief(&self) -> f32 {
        self.scale.relief
    }

    /// Meters from cell to cell in this row, to the east and to the south.
    pub fn spacing(&self, row: usize) -> [f64; 2] {
        match self.place {
            Some((place, rows)) => place.spacing_in(rows as f64 - 0.5 - row as f64),
            None => [self.scale.spacing.into(); 2],
        }
    }

    /// Checks that all values are above 0 and at most [`Scale::MAX`].
    ///
    /// # Errors
    /// Names the value that is out of range.
    pub fn validate(&self) -> Result<(), ParamError> {
        self.scale.validate()
    }
}
