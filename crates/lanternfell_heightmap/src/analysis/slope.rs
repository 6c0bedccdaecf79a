//! Slope: the length of each cell's gradient, or its angle.
//!
//! Source: Horn 1981, as in `gdaldem slope`.

use serde::{Deserialize, Serialize};

use super::{Statistics, gradient::Gradient, height_rows::HeightRows, map_by_rows};
use crate::{GenerateError, GroundScale, Heightmap, MapSize, Progress};

/// The unit of a slope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum SlopeUnit {
    /// Degrees above the horizontal, from 0 to 90.
    #[default]
    Degrees,
    /// Rise over run: the tangent of the angle, at most 1.5e18.
    RiseOverRun,
}

/// The slope of each cell.
///
/// ```
/// use lanternfell_heightmap::{Heightmap, MapSize, Progress, Scale, analysis::Slope};
///
/// // A rise of 3 meters per cell of 3 meters.
/// let size = MapSize::new(3, 2)?;
/// let map = Heightmap::from_heights(size, vec![0.0, 1.0, 2.0, 0.0, 1.0, 2.0]).unwrap();
/// let scale = Scale { spacing: 3.0, relief: 3.0 };
/// let slope = Slope::default().of(&map, scale, &Progress::default())?;
/// assert!(slope.heights().iter().all(|&degrees| degrees == 45.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Slope {
    /// The unit of the result. Default: degrees.
    pub unit: SlopeUnit,
}

impl Slope {
    /// Computes the slope of every cell of `map`.
    ///
    /// # Errors
    /// If the scale is out of range, or the work is canceled.
    pub fn of(
        &self,
        map: &Heightmap,
        scale: impl Into<GroundScale>,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        let scale = scale.into();
        scale.validate()?;
        let gradient = || Gradient::new(map.width(), scale);
        let slopes = map_by_rows(map.size(), progress, gradient, |gradient, y, row| {
            self.fill(gradient, map, y, row);
        })?;
        Ok(slopes)
    }

    /// Computes statistics of the slopes of all cells without storing them. The slopes of each row are computed five
    /// times.
    ///
    /// # Errors
    /// As for [`of`](Self::of).
    pub fn statistics(
        &self,
        map: &(impl HeightRows + ?Sized),
        scale: impl Into<GroundScale>,
        progress: &Progress,
    ) -> Result<Statistics, GenerateError> {
        let ground = scale.into();
        ground.validate()?;
        let slope = *self;
        Statistics::of(&SlopeRows { slope, map, ground }, progress)
    }

    fn fill(
        &self,
        gradient: &mut Gradient,
        map: &(impl HeightRows + ?Sized),
        y: usize,
        row: &mut [f32],
    ) {
        gradient.load(map, y);
        for (slope, (east, south)) in row.iter_mut().zip(gradient.cells()) {
            *slope = (east * east + south * south).sqrt();
        }
        if self.unit == SlopeUnit::Degrees {
            for slope in row {
                *slope = libm::atanf(*slope).to_degrees();
            }
        }
    }
}

/// The slopes of a map, row by row.
struct SlopeRows<'a, R: ?Sized> {
    slope: Slope,
    map: &'a R,
    ground: GroundScale,
}

impl<R: HeightRows + ?Sized> HeightRows for SlopeRows<'_, R> {
    fn size(&self) -> MapSize {
        self.map.size()
    }

    fn show(&self, y: usize, look: &mut dyn FnMut(&[f32])) {
        let width = self.size().width();
        let mut row = vec![0.0; width];
        let mut gradient = Gradient::new(width, self.ground);
        self.slope.fill(&mut gradient, self.map, y, &mut row);
        look(&row);
    }
}
