//! Fault formation: a random line lifts one side of the map, again and again.
//!
//! Problem: mountains without any noise function, from the simplest rule there is.
//!
//! Idea: draw a line across the flat map and raise everything on its right by one
//! step. After one line there is a cliff; after a thousand there are ranges, valleys
//! and plains, because the steps add up like a random walk:
//!
//! ```text
//!   1 line          2 lines         3 lines                  1000 lines
//!       ____             __             _
//!   ____|           __  |  |         __| |                  /\_/\    _
//!                     |_|  |_       |_   |_              __/     \__/ \_
//! ```
//!
//! Steps: draw the lines; sum what each gives to each cell, in whole numbers; stretch
//! the sums to 0..1. The sums come row by row from the places where they change (the
//! modules `steps` and `bands`), not cell by cell and line by line.
//!
//! A cell is raised iff `(x - x1)(y2 - y1) - (y - y1)(x2 - x1) > 0`: strictly, a cell
//! on the line is not. With displacement 1 the mean of all sums is about `N/2` and
//! their range about 2 to 2.5 times `sqrt(N)` for N lines.
//!
//! Cost: O(N H + W H) for steps, and the bands' cells on top for ramps; scratch of a
//! few rows per thread. Erosion costs four passes over the map each time.
//!
//! Sources: Shankel, *Fault Formation*, Game Programming Gems, 2000; *Simple procedural
//! heightmap generation*, 2011.

mod bands;
mod erosion;
mod line;
mod steps;

use self::{
    bands::{Bands, Ramp},
    steps::Steps,
};
use crate::{
    Cancelled, GenerateError, Heightmap, MapSize, ParamError, Parameters, Progress, SeededRng,
    evaluate::{Parts, Stretched, evaluate},
    parameter::{self, choices, parameters},
    rows,
    sums::{self, Normalization, Summed},
    window::Window,
};

pub use self::line::FaultLine;

parameters! {
    /// Heights by fault lines.
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
        /// How many lines.
        pub lines: u32 = 1000, in 1..=1_000_000, slider 1..=5000 log;
        /// How the ground rises across a line.
        pub profile: Profile = Profile::Step;
        /// The width of the rise, across the line, for the linear and the cosine profile; 0 is a
        /// step.
        pub width: f64 = 16.0, in 0.0..=32_768.0, unit "cells", slider 1.0..=400.0;
        /// How much the first line lifts.
        ///
        /// The lines between the first and the last lift by linearly interpolated amounts. The map
        /// is stretched to 0..1 in the end, so only the ratio of the two counts: by the same factor
        /// both change no height by more than rounding, 1e-6 (2e-5 with erosion).
        pub displacement_first: f64 = 1.0, zero_or 0.000_001..=1000.0, slider 0.0..=1.0;
        /// How much the last line lifts.
        pub displacement_last: f64 = 1.0, zero_or 0.000_001..=1000.0, slider 0.0..=1.0;
        /// How the lines are strewn.
        pub distribution: LineDistribution = LineDistribution::TwoPoints;
        group erosion: FaultErosion = "Smooths the map while it grows; none by default.";
    }
}

choices! {
    /// How the ground rises across a fault line.
    pub enum Profile {
        /// At once: cliffs.
        Step = "step",
        /// Straight over [`Faults::width`] cells, the line in their middle.
        Linear = "linear",
        /// Like half a cosine wave over [`Faults::width`] cells: no edges.
        Cosine = "cosine",
    }
    default Step
}

choices! {
    /// How fault lines are strewn over the map.
    pub enum LineDistribution {
        /// Through two points of the map, both uniform. More lines cross the center than the
        /// border: it is about twice as rough there.
        TwoPoints = "two-points",
        /// A uniform angle, and a uniform distance from the map's center: every part of the map is
        /// equally rough. About every tenth line of a square map misses it.
        AngleDistance = "angle-distance",
    }
    default TwoPoints
}

parameters! {
    /// Shankel's erosion: after every so many lines, heights are dragged after their
    /// neighbors, in four sweeps (rows east, rows west, columns south, columns north).
    pub struct FaultErosion: "faults", "erosion_" {
        /// Erode after this many lines, and again. Lines after the last full number stay sharp.
        pub every: u32 = 50, in 1..=4_294_967_295_u32, unit "lines", slider 1..=500;
        /// How much of the neighbor's height a cell takes over, `k` in
        /// `v[j] = k v[j-1] + (1 - k) v[j]`; 0 is nothing.
        pub strength: f64 = 0.3, in 0.0..=0.99;
    }
}

/// The part of the work after which an eroded map only needs stretching.
const LIFTED: f32 = 0.95;

impl Faults {
    /// The most lines.
    pub const MAX_LINES: u32 = parameter::most(Self::PARAMETERS, "lines") as u32;

    /// What a displacement of 1 is in [`sum`](Self::sum).
    ///
    /// So fine that even a displacement of a millionth is a whole number of units, near
    /// enough; and a million lines of the greatest displacement fit 62 bits.
    pub const ONE: i64 = 1 << 32;

    /// Checks every parameter against its range; the size plays no part.
    ///
    /// # Errors
    /// Names the first parameter outside its range, and the range.
    pub fn validate(&self, _size: MapSize) -> Result<(), ParamError> {
        self.check_bounds()
    }

    /// Draws the lines of a seed.
    ///
    /// The stream's purpose is `faults`. In order, for each line, with two points: x and
    /// y of the first, x and y of the second, each a whole number of 1/256 cells from
    /// the first cell to the last, both ends included; all four again when the points
    /// are the same. With angle and distance: the angle of the line's normal in
    /// `[0, 2 pi)`, its distance from the center in `[-r, r)`, `r` being half the
    /// diagonal.
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

    /// Sums the displacements of these lines: the heights before they are stretched to
    /// 0..1, row by row, in units of 1/[`ONE`](Self::ONE). Exact, in any order of lines
    /// of the same displacement. Takes twice the memory of a map, and erodes nothing.
    ///
    /// `lines` in [`Faults`] plays no part; the displacement falls over those given.
    ///
    /// # Errors
    /// When a parameter is outside its range, there are more than
    /// [`MAX_LINES`](Self::MAX_LINES) lines, or the work was cancelled.
    pub fn sum(
        &self,
        size: MapSize,
        lines: &[FaultLine],
        progress: &Progress,
    ) -> Result<Vec<i64>, GenerateError> {
        let uplift = self.uplift(&self.lifts(size, lines, Self::ONE as f64)?);
        Ok(sums::exact(&uplift, size, progress)?)
    }

    /// The evaluation: lifts the map along these lines, erodes it if asked to, and stretches it to
    /// 0..1.
    ///
    /// `lines` in [`Faults`] plays no part; the displacement falls over those given.
    /// Without lines, or where none crosses the map, it is flat and all 0.
    ///
    /// # Errors
    /// As [`sum`](Self::sum).
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

    /// Makes the map of this seed: validates, draws and evaluates.
    ///
    /// # Errors
    /// When a parameter is outside its range, or the work was cancelled.
    pub fn generate(
        &self,
        size: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate(size)?;
        self.evaluate(size, &self.draw(size, seed), progress)
    }

    /// How low and high these lines lift the whole of a map, in the memory of a few rows.
    pub(crate) fn normalization(
        &self,
        size: MapSize,
        lines: &[FaultLine],
        progress: &Progress,
    ) -> Result<Normalization, GenerateError> {
        let uplift = self.uplift(&self.lifts(size, lines, self.unit())?);
        Ok(Normalization::measure(&uplift, size, progress)?)
    }

    /// The part of [`evaluate`](Self::evaluate)'s map, uneroded, that lies in the window, by the
    /// normalization of the whole.
    pub(crate) fn lift_in(
        &self,
        window: Window,
        normalization: &Normalization,
        lines: &[FaultLine],
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        let mut lifts = self.lifts(window.size(), lines, self.unit())?;
        for (line, _) in &mut lifts {
            *line = line.moved(window.x(), window.y());
        }
        let size = window.size();
        let uplift = self.uplift(&lifts);
        Ok(normalization.heights(&uplift, size, progress)?)
    }

    /// What a displacement of 1 is in sums that will be stretched: [`ONE`](Self::ONE), and so
    /// many times twice that the larger of the displacements is as fine as one of 1.
    fn unit(&self) -> f64 {
        let largest = self.displacement_first.max(self.displacement_last);
        let mut unit = Self::ONE as f64;
        while largest > 0.0 && largest * unit < Self::ONE as f64 {
            unit *= 2.0;
        }
        unit
    }

    /// Every line with its displacement, a whole number, where 1 is `unit`; checked.
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

    /// What these lines do, ready for any row.
    fn uplift(&self, lifts: &[Lift]) -> Uplift {
        let ramp = match self.profile {
            Profile::Linear if self.width > 0.0 => Ramp::Linear,
            Profile::Cosine if self.width > 0.0 => Ramp::Cosine,
            _ => return Uplift::Steps(Steps::new(lifts)),
        };
        Uplift::Bands(Bands::new(lifts, self.width, ramp))
    }

    /// Adds the lines block by block to a map of `f32`, and erodes it after each.
    fn lift_and_erode(
        &self,
        size: MapSize,
        lifts: &[Lift],
        erosion: &FaultErosion,
        progress: &Progress,
    ) -> Result<Heightmap, Cancelled> {
        let every = erosion.every as usize;
        let blocks = lifts.len().div_ceil(every);
        let mut map = Heightmap::flat(size);
        let lifting = progress.span(0.0, LIFTED);
        for (index, block) in lifts.chunks(every).enumerate() {
            // Lines after the last full number stay sharp: a filter of strength 0.
            let full = block.len() == every;
            let strength = if full { erosion.strength as f32 } else { 0.0 };
            // The filter leaves a constant as it is. So about what a block gives the
            // mean cell is taken off: small numbers keep more of their bits.
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

/// A line and its displacement, a whole number of units.
type Lift = (FaultLine, i64);

/// What many lines do to any row.
enum Uplift {
    Steps(Steps),
    Bands(Bands),
}

impl Summed for Uplift {
    /// A change may lie one past the row.
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
    Some(_) => Parts::Whole("the erosion of faults sweeps over the whole map"),
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
        window: Window,
        world: MapSize,
        seed: u64,
        normalization: &Normalization,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.lift_in(window, normalization, &self.draw(world, seed), progress)
    }
}
