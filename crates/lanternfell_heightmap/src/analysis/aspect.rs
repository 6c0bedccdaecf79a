//! Which way each cell faces: the direction in which water would run off it.
//!
//! Source: Horn 1981, as `gdaldem aspect`, which calls flat ground -9999.

use super::{
    gradient::{Gradient, finite},
    map_by_rows,
};
use crate::{GenerateError, GroundScale, Heightmap, Progress, Scale};

/// Which way each cell faces, downhill, in degrees clockwise from north: 0 north, 90 east,
/// 180 south, 270 west; below 360.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Aspect;

impl Aspect {
    /// The aspect of ground without a slope.
    pub const FLAT: f32 = -1.0;

    /// The aspect of every cell of `map`, or [`FLAT`](Self::FLAT), in square cells: then it does
    /// not depend on the scale.
    ///
    /// # Errors
    /// When the work was cancelled.
    pub fn of(self, map: &Heightmap, progress: &Progress) -> Result<Heightmap, GenerateError> {
        self.on(map, UNSCALED, progress)
    }

    /// The same in cells of any width and height.
    ///
    /// # Errors
    /// When the scale is out of its range, or the work was cancelled.
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
            // Of the widths only their ratio matters, which is 1 of squares.
            let [across, down] = scale.spacing(y);
            let flat = finite(across / down);
            for (aspect, (east, south)) in row.iter_mut().zip(gradient.cells()) {
                *aspect = facing(east, south * flat);
            }
        })?;
        Ok(aspects)
    }
}

/// Heights and cells of one metre.
const UNSCALED: Scale = Scale {
    spacing: 1.0,
    relief: 1.0,
};

/// The direction downhill of a slope that rises so much to the east and to the south.
fn facing(east: f32, south: f32) -> f32 {
    if east == 0.0 && south == 0.0 {
        return Aspect::FLAT;
    }
    // Downhill is -east and, to the north, +south; clockwise from north swaps the two.
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
    fn slopes_face_the_way_water_runs() {
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
