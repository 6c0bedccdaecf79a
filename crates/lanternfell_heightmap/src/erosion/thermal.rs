//! Thermal erosion: loose material that is too steep slides down.
//!
//! Problem: generated terrain has cliffs and spikes that no pile of rocks could hold.
//!
//! Idea: frost breaks rock into scree (talus), which is never steeper than its angle of repose. Where a cell is higher
//! than a neighbor by more than that angle allows, a fraction of the excess slides to the neighbor:
//!
//! ```text
//!      |#                     |
//!      |##                    |#.
//!      |###       slides      |###.       until no slope is
//!      |###       ----->      |####.      above the angle
//!      |###                   |#####..
//! ```
//!
//! Steps: convert heights to whole grains. Then repeat passes in which every cell compares itself with its eight
//! neighbors, and all grains slide at the same time. At the end, add the grains that each cell gained or lost to its
//! height.
//!
//! The flow between two neighbors is `rate x weight x excess`, rounded to whole grains, but at least one grain. One
//! cell loses what the other gains, so no grain is lost. The weights are 1/5 along the axes and 1/20 along the
//! diagonals. Their sum around a cell is 1, and they spread a pile evenly in all directions. Because the sum is at most
//! 1, the steepest slope never becomes steeper at any rate (except for rounding to grains), and no height leaves the
//! range of the map. Nothing slides over the border.
//!
//! The process terminates. A flow `f` over a difference `d` is less than its weight `w` times `d`. All flows together
//! change the sum of the squared heights by less than the sum of `-2 d f + 2 f f / w`, which is negative. A sum of
//! squares of whole numbers cannot decrease forever. When nothing slides, no slope is above the angle.
//!
//! A grain is 1 to 2 times 2^-24 of the height range, and grains are whole numbers in `f32`. Their sums are exact in
//! any order, and a pass is plain arithmetic on rows. A cell where no grain moves keeps its height to the last bit.
//! Differences of up to 8 grains, or 32 along diagonals, are always stable, even at smaller angles.
//!
//! Cost: about 1 ns per cell and pass on one core with wide vectors. Blocks of cells at rest are skipped, and the
//! passes end when nothing moves. Memory: two maps in addition to the map.
//!
//! Source: Musgrave, Kolb and Mace, *The Synthesis and Rendering of Eroded Fractal Terrains*, SIGGRAPH 1989, for the
//! idea. They process one neighbor after the other, so that the order matters.

mod slide;

use self::slide::{Row, Rule};
use super::grains::Grains;
use crate::{
    Canceled, FilterContext, GenerateError, Heightmap, ParamError, Parameters, Progress,
    parameter::parameters, rows,
};

parameters! {
    /// Thermal erosion: terrain steeper than its angle of repose slides down.
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
    /// assert!(map.get(4, 4) < 0.5 && map.get(5, 5) > 0.01); // becomes a pile
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Algorithm
    /// Each pass computes the flows between all cells and their eight neighbors at the same time. `z` and `z'` are the
    /// heights before the pass, and `d` is the distance, 1 or sqrt(2) cells:
    ///
    /// ```text
    ///   limit = tan(angle) d spacing / relief
    ///   flow  = rate w max(0, |z - z'| - limit)      from the higher to the lower cell
    /// ```
    ///
    /// where `w` is 1/5 along the axes and 1/20 along the diagonals. A flow that is not 0 is rounded to whole grains,
    /// at least one; the height range has 2^23 to 2^24 grains. The limit is at least 8 grains along the axes, and 32
    /// along the diagonals. Nothing slides over the border. It ends after `passes`, or when nothing slides any more.
    ///
    /// Source: Musgrave, Kolb and Mace, *The Synthesis and Rendering of Eroded Fractal Terrains*, SIGGRAPH 1989, who
    /// process one neighbor after the other.
    #[derive(Copy)]
    pub struct ThermalErosion: "thermal erosion" {
        /// The steepest stable slope. The default is that of gravel.
        pub angle: f64 = 33.0, in 0.0..=89.0, unit "degrees";
        /// The maximum number of passes, in each of which material slides by one cell at most. The work ends early when
        /// nothing moves. Lower rates need more passes for that. Then no slope between neighboring cells exceeds the
        /// angle by more than four millionths of the map's height range.
        pub passes: u32 = 50, in 0..=100_000, slider 0..=1000;
        /// The fraction of the excess that slides in a pass.
        pub rate: f64 = 1.0, in 0.0..=1.0;
    }
}

impl ThermalErosion {
    /// Checks every parameter against its range.
    ///
    /// # Errors
    /// Names the first parameter that is out of range, and its range.
    pub fn validate(&self) -> Result<(), ParamError> {
        self.check_bounds()
    }

    /// Lets steep terrain slide. The seed of the context is not used.
    ///
    /// # Errors
    /// If a parameter or the scale is out of range, or the work is canceled. The map is then unchanged.
    pub fn erode(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        self.erode_within(map, map.range(), context, progress)
    }

    /// Lets steep terrain slide on a part of a map whose lowest and highest heights are `range`. Material slides by one
    /// cell per pass, so cells further from the border of the part than the number of passes get the same bits as on
    /// the whole map.
    ///
    /// # Errors
    /// As for [`erode`](Self::erode).
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
        // The map is complete, so a late cancellation is ignored.
        progress.step(1, 1).ok();
        Ok(())
    }
}

/// The map in grains.
fn heap(grains: &Grains, map: &Heightmap, progress: &Progress) -> Result<Vec<Row>, Canceled> {
    let mut heap = vec![Row::default(); map.height()];
    rows::for_each_row(&mut heap, 1, progress, |y, row| {
        row[0] = Row::new(map.row(y).iter().map(|&height| grains.count(height)));
    })?;
    Ok(heap)
}
