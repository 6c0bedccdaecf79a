//! Thermal erosion: loose ground that is too steep slides down.
//!
//! Problem: cliffs and spikes that no heap of stones could hold.
//!
//! Idea: frost breaks rock into scree, and scree lies at its angle of repose at the most,
//! the talus. Where a cell rises above a neighbor by more than that angle allows, a share
//! of the excess slides over to it:
//!
//! ```text
//!      |#                     |
//!      |##                    |#.
//!      |###       slides      |###.       until no slope is
//!      |###       ----->      |####.      above the angle
//!      |###                   |#####..
//! ```
//!
//! Steps: heights as whole grains; then passes, in each of which all eight neighbors of all
//! cells are looked at and the grains slide at once; the grains that each cell won or lost
//! are added to its height.
//!
//! Between two neighbors it is `rate x weight x excess`, rounded to whole grains, but at least
//! one. What one loses the other wins, so not a grain is lost. The weights, 1/5 along the axes and
//! 1/20 along the diagonals, make up 1 around a cell and spread a heap evenly in all directions.
//! With a sum of at most 1 a cell keeps its order with every neighbor that it would keep
//! standing alone: the steepest slope never gets steeper, whatever the rate (but for the
//! rounding to grains), and no height leaves the map's range. Over the border nothing slides.
//!
//! It comes to an end: a flow `f` over a difference `d` is less than its weight `w` times `d`, so
//! all of them together change the sum of the heights' squares by less than the sum of
//! `-2 d f + 2 f f / w`, which is below 0, and squares of whole numbers can not sink for ever.
//! What then is left above the angle would slide, so there is none.
//!
//! Grains are a 2^24th of the range of heights or up to two, and whole numbers in `f32`: sums of
//! them are exact and in any order the same, and a pass is plain arithmetic on rows. A cell where
//! no grain moved keeps its height to the last bit. At an angle so flat that it would be less,
//! differences of 8 grains hold, and of 32 along diagonals.
//!
//! Cost: about 1 ns for each cell of a pass on one core with wide vectors; blocks of cells at
//! rest are skipped, and the passes end when nothing moves. Two maps beside the map.
//!
//! Source: Musgrave, Kolb and Mace, *The Synthesis and Rendering of Eroded Fractal Terrains*,
//! SIGGRAPH 1989, for the idea. There one neighbor after the other is served, so that the
//! order matters.

mod slide;

use self::slide::{Row, Rule};
use super::grains::Grains;
use crate::{
    Cancelled, FilterContext, GenerateError, Heightmap, ParamError, Parameters, Progress,
    parameter::parameters, rows,
};

parameters! {
    /// Thermal erosion: ground steeper than its angle of repose slides down.
    ///
    /// # The rules
    /// In one pass, between each cell and each of its eight neighbors at once, with `z` and `z'` the heights
    /// before the pass and `d` the distance, 1 or the root of 2 cells:
    ///
    /// ```text
    ///   limit = tan(angle) d spacing / relief
    ///   flow  = rate w max(0, |z - z'| - limit)      from the higher to the lower
    /// ```
    ///
    /// where `w` is 1/5 along the axes and 1/20 along the diagonals. A flow that is not 0 is rounded to
    /// whole grains, at least one; the range of heights has from 2^23 to 2^24 of them. The limit is at
    /// least 8 grains along the axes, and 32 along the diagonals. Over the border nothing slides. It
    /// ends after `passes`, or when nothing slides any more.
    ///
    /// Source: Musgrave, Kolb and Mace, *The Synthesis and Rendering of Eroded Fractal Terrains*,
    /// SIGGRAPH 1989, who serve one neighbor after the other.
    ///
    /// ```
    /// use lanternfell_heightmap::{FilterContext, Heightmap, MapSize, Progress, Scale, erosion::ThermalErosion};
    ///
    /// let mut heights = vec![0.0; 81];
    /// heights[40] = 1.0; // a spike in the middle
    /// let size = MapSize::new(9, 9)?;
    /// let mut map = Heightmap::from_heights(size, heights).expect("81 finite heights");
    /// let scale = Scale { spacing: 1.0, relief: 2.0 };
    /// let context = FilterContext { scale, ..FilterContext::new(size, 0) };
    /// ThermalErosion::default().erode(&mut map, &context, &Progress::default())?;
    /// assert!(map.get(4, 4) < 0.5 && map.get(5, 5) > 0.01); // is a heap
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Copy)]
    pub struct ThermalErosion: "thermal erosion" {
        /// The steepest slope that holds. The default is gravel.
        pub angle: f64 = 33.0, in 0.0..=89.0, unit "degrees";
        /// The most passes. In each ground slides by one cell at most. With enough of them, the more
        /// the lower the rate, the work ends when nothing moves: then no slope is above the angle by
        /// more than four millionths of the map's range of heights from cell to cell.
        pub passes: u32 = 50, in 0..=100_000, slider 0..=1000;
        /// The share of the excess that slides in a pass.
        pub rate: f64 = 1.0, in 0.0..=1.0;
    }
}

impl ThermalErosion {
    /// Checks every parameter against its range.
    ///
    /// # Errors
    /// Names the first parameter outside its range, and the range.
    pub fn validate(&self) -> Result<(), ParamError> {
        self.check_bounds()
    }

    /// Lets the map's ground slide. The context's seed plays no part.
    ///
    /// # Errors
    /// When a parameter is out of its range or the work was cancelled; the map is as it was.
    pub fn erode(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        self.erode_within(map, map.range(), context, progress)
    }

    /// Lets the ground of a part of a map slide, whose lowest and highest heights are `range`. As
    /// ground slides by one cell in a pass, what lies further from the part's border than there are
    /// passes gets the bits that it has on the whole map.
    ///
    /// # Errors
    /// As [`erode`](Self::erode).
    pub(crate) fn erode_within(
        &self,
        map: &mut Heightmap,
        range: (f32, f32),
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        self.validate()?;
        context.scale.validate()?;
        let Some(grains) = Grains::between(range).filter(|_| self.rate > 0.0) else {
            return Ok(progress.step(1, 1)?);
        };
        let tangent = libm::tan(self.angle.to_radians());
        let cell = f64::from(context.scale.spacing) / f64::from(context.scale.relief);
        let rule = Rule::new(tangent * cell / grains.size(), self.rate);
        let heap = heap(&grains, map, &progress.span(0.0, 0.02))?;
        let heap = slide::run(heap, &rule, self.passes, &progress.span(0.02, 0.98))?;
        grains.put_back(|y| heap[y].cells(), map);
        // What is done is done, even if it was cancelled just now.
        progress.step(1, 1).ok();
        Ok(())
    }
}

/// The map in grains.
fn heap(grains: &Grains, map: &Heightmap, progress: &Progress) -> Result<Vec<Row>, Cancelled> {
    let mut heap = vec![Row::default(); map.height()];
    rows::for_each_row(&mut heap, 1, progress, |y, row| {
        row[0] = Row::new(map.row(y).iter().map(|&height| grains.count(height)));
    })?;
    Ok(heap)
}
