//! Heightmaps with their meaning in the world: meters, cell size and georeference.
//!
//! Problem: a [`Heightmap`] is a grid of numbers. It does not store whether 0.5 means 150 m or half a meter, or where
//! on earth the cells are. If each operation had to pass that information along separately, one of them would lose it.
//!
//! Idea: an [`ElevationModel`] holds both. Its operations keep the [`MapFrame`] correct:
//!
//! ```text
//!   meters = offset + relief * height         place: corner, cell, coordinate system
//!
//!   normalize   heights change; offset and relief change with them; meters and sea level stay
//!   crop        the corner moves
//!   resample    cells get wider or narrower along each axis; the extent stays
//!   filters     the terrain changes, at the scale of the frame
//! ```
//!
//! `lanternfell_io` reads and writes elevation models as a whole, so a program does not have to keep the frame of a map
//! separately.

use crate::{
    Canceled, Filter, FilterContext, GenerateError, GroundScale, Heightmap, MapFrame, MapRegion,
    MapSize, ParamError, Progress, Scale, erosion::SedimentBudget, filter::Resampling,
};

/// A heightmap together with its meaning in the world.
///
/// ```
/// use lanternfell_heightmap::{Elevation, ElevationModel, Heightmap, MapFrame, MapSize};
///
/// let size = MapSize::new(2, 2)?;
/// let heights = Heightmap::from_heights(size, vec![-442.0, 0.0, 18.5, 1301.0]).unwrap();
/// let frame = MapFrame { elevation: Elevation::METERS, ..MapFrame::of_size(size) };
/// let mut dem = ElevationModel { heights, frame };
/// dem.normalize(&Default::default())?;
/// assert_eq!(dem.heights.range(), (0.0, 1.0));
/// assert_eq!(dem.range(), (-442.0, 1301.0)); // meters
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ElevationModel {
    /// The heights, in the map's own unit.
    pub heights: Heightmap,
    /// What the heights and cells mean in the world.
    pub frame: MapFrame,
}

impl MapFrame {
    /// Combines heights with this frame. If larger numbers mean lower terrain, as in depth charts, the signs of both
    /// the heights and the relief are flipped.
    pub fn of(self, heights: Heightmap) -> ElevationModel {
        if self.elevation.relief >= 0.0 {
            let frame = self;
            return ElevationModel { heights, frame };
        }
        let size = heights.size();
        let negated = heights.into_heights().into_iter().map(|z| -z).collect();
        let heights =
            Heightmap::from_heights(size, negated).expect("negating keeps heights finite");
        let frame = self.upward();
        ElevationModel { heights, frame }
    }
}

impl ElevationModel {
    /// Combines heights with the default frame of their size, for maps without further information.
    pub fn of_heights(heights: Heightmap) -> Self {
        let frame = MapFrame::of_size(heights.size());
        Self { heights, frame }
    }

    /// The width and height in cells.
    pub fn size(&self) -> MapSize {
        self.heights.size()
    }

    /// The size of cells and heights in meters, for filters and measurements.
    pub fn scale(&self) -> Scale {
        self.frame.scale(self.size())
    }

    /// The size of cells row by row and along both axes, for measurements of cells and their neighbors.
    pub fn ground_scale(&self) -> GroundScale {
        self.frame.ground_scale(self.size())
    }

    /// The lowest and the highest elevation in meters.
    pub fn range(&self) -> (f64, f64) {
        let (low, high) = self.heights.range();
        let (a, b) = (
            self.frame.elevation.meters(low),
            self.frame.elevation.meters(high),
        );
        (a.min(b), a.max(b))
    }

    /// Stretches the heights to fill 0 to 1. The elevations in meters do not change.
    ///
    /// # Errors
    /// If the work is canceled.
    pub fn normalize(&mut self, progress: &Progress) -> Result<(), Canceled> {
        let extremes = self.heights.range_with(&progress.span(0.0, 0.4))?;
        self.heights.stretch(extremes, &progress.span(0.4, 1.0))?;
        self.frame.elevation = self.frame.elevation.stretched(extremes);
        Ok(())
    }

    /// The part of the map within `region`.
    ///
    /// # Errors
    /// If the region is not within the map.
    pub fn cropped(&self, region: MapRegion) -> Result<Self, ParamError> {
        let heights = self
            .heights
            .cropped((region.x(), region.y()), region.size())?;
        let frame = self.frame.part(self.size(), region);
        Ok(Self { heights, frame })
    }

    /// The same terrain with another number of cells. The centers of the outermost cells stay where they are.
    ///
    /// # Errors
    /// If the work is canceled.
    pub fn resampled(
        &self,
        size: MapSize,
        resampling: Resampling,
        progress: &Progress,
    ) -> Result<Self, Canceled> {
        let heights = self.heights.resampled(size, resampling, progress)?;
        let place = self.frame.place.resized(self.size(), size);
        Ok(Self {
            heights,
            frame: MapFrame {
                place,
                ..self.frame
            },
        })
    }

    /// Applies filters in order, like [`Filter::apply_all`], at the map's own scale.
    ///
    /// [`Filter::Normalize`] and [`Filter::Stretch`] keep the elevations in meters, because the frame changes with the
    /// heights. [`Filter::Stretch`] also cuts off the heights outside its percentiles.
    ///
    /// Returns the total sediment budget of all [`Filter::HydraulicErosion`]s, in cubic meters.
    ///
    /// # Errors
    /// As for [`Filter::apply`].
    pub fn apply(
        &mut self,
        filters: &[Filter],
        seed: u64,
        progress: &Progress,
    ) -> Result<SedimentBudget, GenerateError> {
        let mut budget = SedimentBudget::default();
        let total: f32 = filters.iter().map(Filter::work).sum();
        let mut done = 0.0;
        for (place, filter) in filters.iter().enumerate() {
            let start = done;
            done += filter.work();
            let progress = progress.span(start / total, done / total);
            let context = FilterContext {
                scale: self.scale(),
                ..FilterContext::new(self.size(), seed)
            };
            let stretched = filter.stretches(&self.heights, &progress.span(0.0, 0.3))?;
            let progress = progress.span(0.3, 1.0);
            if let Filter::HydraulicErosion(rain) = filter {
                let moved = rain.erode(&mut self.heights, &context.nth(place), &progress)?;
                budget.add(moved.in_cubic_meters(&self.frame, self.size()));
                continue;
            }
            filter.apply(&mut self.heights, &context.nth(place), &progress)?;
            if let Some(extremes) = stretched {
                self.frame.elevation = self.frame.elevation.stretched(extremes);
            }
        }
        progress.step(1, 1)?;
        Ok(budget)
    }
}
