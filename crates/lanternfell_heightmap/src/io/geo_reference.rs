//! Where a map lies on the ground: what a GeoTIFF and an ASCII grid say beside the heights.
//!
//! ```text
//!            cell
//!           |---|
//!           +---+---+---+
//!           |   |   |   |      north up
//!           +---+---+---+
//!   corner  X---+---+---+ --> east
//! ```
//!
//! Kept as it is read, so that a map goes through without getting lost; nothing is
//! projected. Of a coordinate system its number in EPSG's register is kept, which is how
//! nearly all files tell it; one that is spelt out is not.

use serde::{Deserialize, Serialize};

use crate::ParamError;

/// The place of a map on the ground.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GeoReference {
    /// The south-west corner of the south-west cell, to the east and to the north, in the
    /// units of the coordinate system: metres, mostly.
    pub corner: [f64; 2],
    /// From cell to cell, in the same units; above 0.
    pub cell: f64,
    /// The coordinate system, if it is known.
    pub system: Option<CoordinateSystem>,
}

/// A coordinate system by its number in EPSG's register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum CoordinateSystem {
    /// Flat, in metres or feet, as 32633 (UTM zone 33N).
    Projected(u16),
    /// Longitude and latitude in degrees, as 4326 (WGS 84).
    Geographic(u16),
}

/// Metres in a degree of latitude, on average.
const DEGREE: f64 = 111_195.0;

impl GeoReference {
    /// A map at the origin of no coordinate system, with cells so wide.
    pub fn at_origin(cell: f64) -> Self {
        Self::at([0.0; 2], cell)
    }

    /// A map with that corner in no coordinate system, with cells so wide.
    pub fn at(corner: [f64; 2], cell: f64) -> Self {
        Self {
            corner,
            cell,
            system: None,
        }
    }

    /// Metres from cell to cell: [`cell`](Self::cell), or of degrees what they are along a
    /// meridian. Feet count as metres.
    pub fn spacing(&self) -> f64 {
        match self.system {
            Some(CoordinateSystem::Geographic(_)) => self.cell * DEGREE,
            Some(CoordinateSystem::Projected(_)) | None => self.cell,
        }
    }

    /// Checks that the numbers are some.
    ///
    /// # Errors
    /// Names the first number that is out of its range.
    pub fn validate(&self) -> Result<(), ParamError> {
        let cell = self.cell.is_finite() && self.cell > 0.0;
        ParamError::check(cell, "geo reference", "cell", self.cell, "above 0")?;
        for part in self.corner {
            ParamError::check(part.is_finite(), "geo reference", "corner", part, "finite")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_are_metres_along_a_meridian() {
        let second = GeoReference {
            system: Some(CoordinateSystem::Geographic(4326)),
            ..GeoReference::at_origin(1.0 / 3600.0)
        };
        assert!((second.spacing() - 30.9).abs() < 0.05);
        assert_eq!(GeoReference::at_origin(2.5).spacing(), 2.5);
    }

    #[test]
    fn a_place_without_width_is_refused() {
        for cell in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(GeoReference::at_origin(cell).validate().is_err(), "{cell}");
        }
        let nowhere = GeoReference::at([0.0, f64::NAN], 1.0);
        assert!(nowhere.validate().is_err());
    }
}
