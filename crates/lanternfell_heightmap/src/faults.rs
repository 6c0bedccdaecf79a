//! Fault formation: random lines, each of which raises one side of the map.
//!
//! Problem: mountains without a noise function, from the simplest possible rule.
//!
//! Idea: draw a line across the flat map and raise everything on one side by one step. One line makes a cliff. A
//! thousand lines make ranges, valleys and plains, because the steps add up like a random walk:
//!
//! ```text
//!   1 line          2 lines         3 lines                  1000 lines
//!       ____             __             _
//!   ____|           __  |  |         __| |                  /\_/\    _
//!                     |_|  |_       |_   |_              __/     \__/ \_
//! ```
//!
//! Steps: draw the lines; sum the contributions of all lines to each cell, in integers; stretch the sums to 0..1. The
//! sums are computed row by row from the points where they change (modules `steps` and `bands`), not cell by cell and
//! line by line.
//!
//! A cell is raised if and only if `(x - x1)(y2 - y1) - (y - y1)(x2 - x1) > 0`. A cell on the line is not raised. With
//! a displacement of 1 and N lines, the mean of all sums is about `N/2`, and their range about 2 to 2.5 times
//! `sqrt(N)`.
//!
//! Cost: O(N H + W H) for steps; ramps add the cells of their bands. The scratch memory is a few rows per thread. Each
//! erosion costs four passes over the map.
//!
//! Sources: Shankel, *Fault Formation*, Game Programming Gems, 2000; *Simple procedural heightmap generation*, 2011.

mod bands;
mod erosion;
mod line;
mod steps;

use self::{
    bands::{Bands, Ramp},
    steps::Steps,
};
use crate::{
    Canceled, GenerateError, Heightmap, MapSize, ParamError, Parameters, Progress, SeededRng,
    evaluate::{Parts, Stretched, evaluate},
    map_region::MapRegion,
    parameter::{self, choices, parameters},
    rows,
    sums::{self, Normalization, Summed},
};

pub use self::line::FaultLine;

parameters! {
    /// Terrain from fault lines.
    ///
    /// ```
    /// use lanternfell_heightmap::{Faults, MapSize, Profile, Progress};
    ///
    /// let faults = Faults { lines: 300, profile: Profile::Cosine, ..Faults::default() };
    /// let map = faults.generate(MapSize::new(64, 48)?, 7, &Progress::default())?;
    /// assert_eq!(map.range(), (0.0, 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub struct Faults: "faults" {
        /// The number of lines.
        pub lines: u32 = 1000, in 1..=1_000_000, slider 1..=5000 log;
        /// The shape of the rise across a line.
        pub profile: Profile = Profile::Step;
        /// The width of the rise across a line, for the linear and cosine profiles; 0 is a step.
        pub width: f64 = 16.0, in 0.0..=32_768.0, unit "cells", slider 1.0..=400.0;
        /// The height by which the first line raises the terrain.
        ///
        /// It changes linearly from the first to the last line. The map is stretched to 0..1 at the end, so only the
        /// ratio of the two displacements matters. If both are multiplied by the same factor, heights change by
        /// rounding only: 1e-6, or 2e-5 with erosion.
        pub displacement_first: f64 = 1.0, zero_or 0.000_001..=1000.0, slider 0.0..=1.0;
        /// The height by which the last line raises the terrain.
        pub displacement_last: f64 = 1.0, zero_or 0.000_001..=1000.0, slider 0.0..=1.0;
        /// How the lines are placed.
        pub distribution: LineDistribution = LineDistribution::TwoPoints;
        group erosion: FaultErosion = "Erosion between lines. `None` (the default) is no erosion.";
    }
}

choices! {
    /// The shape of the rise across a fault line.
    pub enum Profile {
        /// A vertical step, which makes cliffs.
        Step = "step",
        /// A straight ramp over [`Faults::width`] cells, centered on the line.
        Linear = "linear",
        /// Half a cosine wave over [`Faults::width`] cells, which has no edges.
        Cosine = "cosine",
    }
    default Step
}

choices! {
    /// How fault lines are placed on the map.
    pub enum LineDistribution {
        /// Through two uniformly distributed points of the map. More lines cross the center than the border, so the
        /// center is about twice as rough.
        TwoPoints = "two-points",
        /// With a uniform angle and a uniform distance from the map's center. Every part of the map is equally rough.
        /// About every tenth line misses a square map.
        AngleDistance = "angle-distance",
    }
    default TwoPoints
}

parameters! {
    /// Shankel's erosion: after a number of lines, four sweeps (rows east, rows west, columns south, columns north)
    /// pull each height towards its neighbor.
    pub struct FaultErosion: "faults", "erosion_" {
        /// The number of lines between two erosions. Lines after the last complete group are not eroded.
        pub every: u32 = 50, in 1..=4_294_967_295_u32, unit "lines", slider 1..=500;
        /// How much of the neighbor's height a cell takes on: `k` in `v[j] = k v[j-1] + (1 - k) v[j]`; 0 is no erosion.
        pub strength: f64 = 0.3, in 0.0..=0.99;
    }
}

/// The fraction of the work after which an eroded map only needs stretching.
const LIFTED: f32 = 0.95;

impl Faults {
    /// The largest number of lines.
    pub const MAX_LINES: u32 = parameter::most(Self::PARAMETERS, "lines") as u32;

    /// The value of a displacement of 1 in [`sum`](Self::sum).
    ///
    /// It is so fine that even a displacement of a millionth is represented with a small relative error. A million
    /// lines of the largest displacement fit in 62 bits.
    pub const ONE: i64 = 1 << 32;

    /// Checks every parameter against its range, which does not depend on the size.
    ///
    /// # Errors
    /// Names the first parameter that is out of range.
    pub fn validate(&self, _size: MapSize) -> Result<(), ParamError> {
        self.check_bounds()
    }

    /// Draws the lines of a seed.
    ///
    /// The purpose of the random stream is `faults`. With [`TwoPoints`](LineDistribution::TwoPoints), each line draws
    /// the x and y of its first point, then of its second. Each is a multiple of 1/256 cell from the first cell to the
    /// last, both included. All four are drawn again if the points are equal. With
    /// [`AngleDistance`](LineDistribution::AngleDistance), each line draws the angle of its normal in `[0, 2 pi)`, then
    /// its distance from the center in `[-r, r)`, where `r` is half the diagonal.
    ///
    /// At most [`MAX_LINES`](Self::MAX_LINES) lines are drawn.
    pub fn draw(&self, size: MapSize, seed: u64) -> Vec<FaultLine> {
        let mut rng = SeededRng::new(seed, b"faults  ");
        let count = self.lines.min(Self::MAX_LINES);
        let draw_line = match self.distribution {
            LineDistribution::TwoPoints => FaultLine::draw_through_two_points,
            LineDistribution::AngleDistance => FaultLine::draw_at_an_angle,
        };
        (0..count).map(|_| draw_line(&mut rng, size)).collect()
    }

    /// Returns the sums of the displacements of these lines, row by row, in units of 1/[`ONE`](Self::ONE). These are
    /// the heights before they are stretched to 0..1 and without erosion.
    ///
    /// The sums are exact, so the order of lines with equal displacement does not matter. `self.lines` is ignored; the
    /// displacement is interpolated over the given lines. Memory: twice that of a map.
    ///
    /// # Errors
    /// If a parameter is out of range, there are more than [`MAX_LINES`](Self::MAX_LINES) lines, or the work is
    /// canceled.
    pub fn sum(
        &self,
        size: MapSize,
        lines: &[FaultLine],
        progress: &Progress,
    ) -> Result<Vec<i64>, GenerateError> {
        let uplift = self.uplift(&self.lifts(size, lines, Self::ONE as f64)?);
        Ok(sums::exact(&uplift, size, progress)?)
    }

    /// The evaluation: raises the map along these lines, erodes it if [`erosion`](Self::erosion) is set, and stretches
    /// it to 0..1.
    ///
    /// `self.lines` is ignored; the displacement is interpolated over the given lines. If no line crosses the map, the
    /// map is 0 everywhere.
    ///
    /// # Errors
    /// As for [`sum`](Self::sum).
    pub fn evaluate(
        &self,
        size: MapSize,
        lines: &[FaultLine],
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        if let Some(erosion) = &self.erosion {
            let lifts = self.lifts(size, lines, self.unit())?;
            return Ok(self.lift_and_erode(size, &lifts, erosion, progress)?);
        }
        let uplift = self.uplift(&self.lifts(size, lines, self.unit())?);
        Ok(sums::normalized(&uplift, size, progress)?)
    }

    /// Generates the map of this seed: validates, draws and evaluates.
    ///
    /// # Errors
    /// If a parameter is out of range, or the work is canceled.
    pub fn generate(
        &self,
        size: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate(size)?;
        self.evaluate(size, &self.draw(size, seed), progress)
    }

    /// Measures the range of the sums on the whole map, in the memory of a few rows.
    pub(crate) fn normalization(
        &self,
        size: MapSize,
        lines: &[FaultLine],
        progress: &Progress,
    ) -> Result<Normalization, GenerateError> {
        let uplift = self.uplift(&self.lifts(size, lines, self.unit())?);
        Ok(Normalization::measure(&uplift, size, progress)?)
    }

    /// The part of [`evaluate`](Self::evaluate)'s map within `region`, without erosion, stretched with the
    /// normalization of the whole map.
    pub(crate) fn lift_in(
        &self,
        region: MapRegion,
        normalization: &Normalization,
        lines: &[FaultLine],
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        let mut lifts = self.lifts(region.size(), lines, self.unit())?;
        for (line, _) in &mut lifts {
            *line = line.moved(region.x(), region.y());
        }
        let size = region.size();
        let uplift = self.uplift(&lifts);
        Ok(normalization.heights(&uplift, size, progress)?)
    }

    /// The value of a displacement of 1 in sums that will be stretched. It is [`ONE`](Self::ONE), doubled until the
    /// larger of the two displacements is as precise as a displacement of 1.
    fn unit(&self) -> f64 {
        let largest = self.displacement_first.max(self.displacement_last);
        let mut unit = Self::ONE as f64;
        while largest > 0.0 && largest * unit < Self::ONE as f64 {
            unit *= 2.0;
        }
        unit
    }

    /// Pairs each line with its displacement in units of 1/`unit`. Checks the parameters and the number of lines.
    fn lifts(
        &self,
        size: MapSize,
        lines: &[FaultLine],
        unit: f64,
    ) -> Result<Vec<Lift>, ParamError> {
        self.validate(size)?;
        let (number, max) = (lines.len(), Self::MAX_LINES as usize);
        let allowed = format_args!("at most {max}");
        ParamError::check(number <= max, Self::OWNER, "lines", number as f64, allowed)?;
        let (first, last) = (self.displacement_first, self.displacement_last);
        let displacement = |index| {
            let part = index as f64 / (number - 1).max(1) as f64;
            ((first + (last - first) * part) * unit).round() as i64
        };
        let lift = |(index, line): (usize, &FaultLine)| (*line, displacement(index));
        Ok(lines.iter().enumerate().map(lift).collect())
    }

    /// The contributions of these lines, ready to be summed in any row.
    fn uplift(&self, lifts: &[Lift]) -> Uplift {
        let ramp = match self.profile {
            Profile::Linear if self.width > 0.0 => Ramp::Linear,
            Profile::Cosine if self.width > 0.0 => Ramp::Cosine,
            _ => return Uplift::Steps(Steps::new(lifts)),
        };
        Uplift::Bands(Bands::new(lifts, self.width, ramp))
    }

    /// Adds the lines group by group to a map of `f32`, and erodes it after each group.
    fn lift_and_erode(
        &self,
        size: MapSize,
        lifts: &[Lift],
        erosion: &FaultErosion,
        progress: &Progress,
    ) -> Result<Heightmap, Canceled> {
        let every = erosion.every as usize;
        let blocks = lifts.len().div_ceil(every);
        let mut map = Heightmap::flat(size);
        let lifting = progress.span(0.0, LIFTED);
        for (index, block) in lifts.chunks(every).enumerate() {
            // The lines after the last complete group are not eroded: a strength of 0 changes nothing.
            let full = block.len() == every;
            let strength = if full { erosion.strength as f32 } else { 0.0 };
            // The filter preserves constants. So subtract about the mean contribution of the group, because smaller
            // numbers keep more of their bits.
            let middle = block
                .iter()
                .map(|(_, displacement)| displacement)
                .sum::<i64>()
                / 2;
            let uplift = self.uplift(block);
            let progress = lifting.part(index, blocks);
            rows::for_each_row_with(
                map.heights_mut(),
                size.width(),
                &progress.span(0.0, 0.6),
                || (uplift.scratch(size.width()), vec![0; size.width()]),
                |(changes, sums), y, row| {
                    uplift.fill(changes, y, sums, &progress);
                    for (height, &sum) in row.iter_mut().zip(sums.iter()) {
                        *height += (sum - middle) as f32 / Self::ONE as f32;
                    }
                    erosion::sweep_row(row, strength);
                },
            )?;
            erosion::sweep_columns(&mut map, strength, &progress.span(0.6, 1.0))?;
        }
        map.normalize_with(&progress.span(LIFTED, 1.0))?;
        Ok(map)
    }
}

/// A line and its displacement in integer units.
type Lift = (FaultLine, i64);

/// The contributions of many lines to any row.
enum Uplift {
    Steps(Steps),
    Bands(Bands),
}

impl Summed for Uplift {
    /// A change may be one cell past the end of the row.
    fn scratch(&self, width: usize) -> Vec<i64> {
        vec![0; width + 1]
    }

    fn fill(&self, changes: &mut [i64], y: usize, sums: &mut [i64], progress: &Progress) {
        match self {
            Self::Steps(steps) => steps.fill(changes, y, sums, progress),
            Self::Bands(bands) => bands.fill(changes, y, sums, progress),
        }
    }
}

evaluate!(Faults, 0.4, self => match self.erosion {
    None => Parts::Stretched(self),
    Some(_) => Parts::Whole("fault erosion sweeps over the whole map"),
});

impl Stretched for Faults {
    fn prepass(
        &self,
        world: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Normalization, GenerateError> {
        self.normalization(world, &self.draw(world, seed), progress)
    }

    fn part(
        &self,
        region: MapRegion,
        world: MapSize,
        seed: u64,
        normalization: &Normalization,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.lift_in(region, normalization, &self.draw(world, seed), progress)
    }
}
