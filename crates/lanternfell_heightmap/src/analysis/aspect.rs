//! Aspect: the direction that each cell faces, in which water would run off.
//!
//! Source: Horn 1981, as in `gdaldem aspect`, which uses -9999 for flat cells.

use super::{
    gradient::{Gradient, finite},
    map_by_rows,
};
use crate::{GenerateError, GroundScale, Heightmap, Progress, Scale};

/// The direction that each cell faces, downhill, in degrees clockwise from north: 0 is north, 90 east, 180 south and
/// 270 west. Always less than 360.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Aspect;

impl Aspect {
    /// The aspect of level cells.
    pub const FLAT: f32 = -1.0;

    /// Computes the aspect of every cell of `map`, or [`FLAT`](Self::FLAT). Cells count as squares, so the result does
    /// not depend on the scale.
    ///
    /// # Errors
    /// If the work is canceled.
    pub fn of(self, map: &Heightmap, progress: &Progress) -> Result<Heightmap, GenerateError> {
        self.on(map, UNSCALED, progress)
    }

    /// Computes the aspect for cells of any width and height.
    ///
    /// # Errors
    /// If the scale is out of range, or the work is canceled.
    pub fn on(
        self,
        map: &Heightmap,
        scale: impl Into<GroundScale>,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        let scale = scale.into();
        scale.validate()?;
        let gradient = || Gradient::new(map.width(), UNSCALED.into());
        let aspects = map_by_rows(map.size(), progress, gradient, |gradient, y, row| {
            gradient.load(map, y);
            // Only the ratio of width and height matters. It is 1 for squares.
            let [across, down] = scale.spacing(y);
            let flat = finite(across / down);
            for (aspect, (east, south)) in row.iter_mut().zip(gradient.cells()) {
                *aspect = facing(east, south * flat);
            }
        })?;
        Ok(aspects)
    }
}

/// Heights and cells of one meter.
const UNSCALED: Scale = Scale {
    spacing: 1.0,
    relief: 1.0,
};

/// The downhill direction of a slope with these rises to the east and to the south.
fn facing(east: f32, south: f32) -> f32 {
    if east == 0.0 && south == 0.0 {
        return Aspect::FLAT;
    }
    // Downhill is -east and, towards north, +south. Clockwise from north swaps the two.
    let degrees = libm::atan2f(-east, south).to_degrees();
    if degrees >= 0.0 {
        return degrees;
    }
    // Slightly west of north may round to 360.
    let turned = degrees + 360.0;
    if turned < 360.0 { turned } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_face_downhill() {
        let directions = [
            ((0.0, 1.0), 0.0),
            ((-1.0, 0.0), 90.0),
            ((0.0, -1.0), 180.0),
            ((1.0, 0.0), 270.0),
            ((-1.0, 1.0), 45.0),
            ((1.0, 1.0), 315.0),
            ((1e-30, 1.0), 0.0),
            ((-0.0, 0.0), Aspect::FLAT),
        ];
        for ((east, south), degrees) in directions {
            assert_eq!(facing(east, south), degrees, "{east}, {south}");
        }
    }
}
