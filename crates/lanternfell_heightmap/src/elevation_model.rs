//! A map in the world: heights, and what they and the cells stand for.
//!
//! Problem: a [`Heightmap`] is a grid of numbers. Whether 0.5 is 150 m or half a metre, and where
//! on earth it is, has to be known besides, and gets lost as soon as one operation forgets it.
//!
//! Idea: an [`ElevationModel`] holds both. What is done to it keeps its [`MapFrame`] true:
//!
//! ```text
//!   metres = offset + relief * height         place: corner, cell, coordinate system
//!
//!   normalize   heights change, offset and relief follow: the metres stay, and the sea with them
//!   crop        the corner moves
//!   resample    cells get wider or narrower along each axis, the ground stays
//!   filters     the land changes, at the scale that the frame says
//! ```
//!
//! `lanternfell_io` reads and writes elevation models as a whole, so a program does not have to keep the frame of a
//! map separately.

use crate::{
    Cancelled, Filter, FilterContext, GenerateError, GroundScale, Heightmap, MapFrame, MapSize,
    ParamError, Progress, Scale, Window, erosion::SedimentBudget, filter::Resampling,
};

/// A map in the world.
///
/// ```
/// use lanternfell_heightmap::{Elevation, ElevationModel, Heightmap, MapFrame, MapSize};
///
/// let size = MapSize::new(2, 2)?;
/// let heights = Heightmap::from_heights(size, vec![-442.0, 0.0, 18.5, 1301.0]).unwrap();
/// let frame = MapFrame { elevation: Elevation::METRES, ..MapFrame::of_size(size) };
/// let mut dem = ElevationModel { heights, frame };
/// dem.normalize(&Default::default())?;
/// assert_eq!(dem.heights.range(), (0.0, 1.0));
/// assert_eq!(dem.range(), (-442.0, 1301.0)); // metres
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ElevationModel {
    /// The heights, in the map's own unit.
    pub heights: Heightmap,
    /// What they and the cells stand for.
    pub frame: MapFrame,
}

impl MapFrame {
    /// The map of these heights in this frame. Where higher numbers are lower ground, as in charts
    /// of depths, the signs of both are changed.
    pub fn of(self, heights: Heightmap) -> ElevationModel {
        if self.elevation.relief >= 0.0 {
            let frame = self;
            return ElevationModel { heights, frame };
        }
        let size = heights.size();
        let negated = heights.into_heights().into_iter().map(|z| -z).collect();
        let heights = Heightmap::from_heights(size, negated).expect("as finite as before");
        let frame = self.upward();
        ElevationModel { heights, frame }
    }
}

impl ElevationModel {
    /// Heights of which nothing is known.
    pub fn of_heights(heights: Heightmap) -> Self {
        let frame = MapFrame::of_size(heights.size());
        Self { heights, frame }
    }

    /// The width and height in cells.
    pub fn size(&self) -> MapSize {
        self.heights.size()
    }

    /// From cells and heights to metres, as filters and measures know it.
    pub fn scale(&self) -> Scale {
        self.frame.scale(self.size())
    }

    /// The same row by row and along both axes, as measures of cells and their neighbors know it.
    pub fn ground_scale(&self) -> GroundScale {
        self.frame.ground_scale(self.size())
    }

    /// The lowest and the highest ground, in metres.
    pub fn range(&self) -> (f64, f64) {
        let (low, high) = self.heights.range();
        let (a, b) = (
            self.frame.elevation.metres(low),
            self.frame.elevation.metres(high),
        );
        (a.min(b), a.max(b))
    }

    /// Stretches the heights to fill 0 to 1. The metres stay.
    ///
    /// # Errors
    /// When the work was cancelled.
    pub fn normalize(&mut self, progress: &Progress) -> Result<(), Cancelled> {
        let extremes = self.heights.range_with(&progress.span(0.0, 0.4))?;
        self.heights.stretch(extremes, &progress.span(0.4, 1.0))?;
        self.frame.elevation = self.frame.elevation.stretched(extremes);
        Ok(())
    }

    /// The part in that window.
    ///
    /// # Errors
    /// When it does not lie within the map.
    pub fn cropped(&self, window: Window) -> Result<Self, ParamError> {
        let heights = self
            .heights
            .cropped((window.x(), window.y()), window.size())?;
        let frame = self.frame.part(self.size(), window);
        Ok(Self { heights, frame })
    }

    /// The same land in other cells, whose outermost middles are where they were.
    ///
    /// # Errors
    /// When the work was cancelled.
    pub fn resampled(
        &self,
        size: MapSize,
        resampling: Resampling,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
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

    /// Applies filters one after the other, as [`Filter::apply_all`] does, to the map's own
    /// heights and at its own scale. [`Filter::Normalize`] and [`Filter::Stretch`] keep the
    /// metres: they change what a height of 1 is, and Stretch cuts off.
    ///
    /// Returns what became of the ground that [`Filter::HydraulicErosion`] took, all of them together, in cubic metres.
    ///
    /// # Errors
    /// As [`Filter::apply`].
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
                budget.add(moved.in_cubic_metres(&self.frame, self.size()));
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
