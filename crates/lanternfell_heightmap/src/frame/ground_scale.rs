//! How wide the cells of a map are, row by row.

use super::GeoReference;
use crate::{ParamError, Scale};

/// From heights and cells to metres, for what is measured of a cell and its neighbors: along both
/// axes, and on a map of degrees or in Web Mercator for each row by its latitude.
///
/// A [`Scale`] is one too: cells of one width everywhere.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroundScale {
    /// The same in cells that are square and all alike.
    scale: Scale,
    /// Where the map lies that has so many rows.
    place: Option<(GeoReference, usize)>,
}

impl From<Scale> for GroundScale {
    fn from(scale: Scale) -> Self {
        let place = None;
        Self { scale, place }
    }
}

impl GroundScale {
    /// Of a map of so many rows at that place.
    pub(super) fn on(scale: Scale, place: GeoReference, rows: usize) -> Self {
        let place = Some((place, rows));
        Self { scale, place }
    }

    /// Metres from height 0 to height 1.
    pub fn relief(&self) -> f32 {
        self.scale.relief
    }

    /// Metres from cell to cell in that row, to the east and to the south.
    pub fn spacing(&self, row: usize) -> [f64; 2] {
        match self.place {
            Some((place, rows)) => place.spacing_in(rows as f64 - 0.5 - row as f64),
            None => [self.scale.spacing.into(); 2],
        }
    }

    /// Checks that all is above 0, and at most what [`Scale`] allows.
    ///
    /// # Errors
    /// Names what is not.
    pub fn validate(&self) -> Result<(), ParamError> {
        self.scale.validate()
    }
}
