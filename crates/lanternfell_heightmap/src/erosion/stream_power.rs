//! Stream power erosion: mountains and river valleys from uplift and incision.
//!
//! Problem: noise has hills and hollows, but no valleys. Real mountains are organized by their rivers. Branches meet at
//! every scale, each valley leads down to the next, and the ridges are what remains between the valleys.
//!
//! Idea: rock rises and rivers incise, at every point at the same time:
//!
//! ```text
//!   dh/dt = U - K A^m S^n + D laplace h      uplift, rivers, hillslopes
//!
//!     /\    uplifted rock        river: long profile
//!    /  \/\                     `.
//!   /  .-' `\   <- incision       `.__
//!  /.-'      \     where much         `--..____
//!                  water is steep               `````---- sea
//! ```
//!
//! `A` is the catchment of a point and `S` its slope; m is 1/2 and n is 1. With exactly these exponents the result does
//! not depend on the units of lengths and heights, so a map gets the same valleys at any resolution and scale.
//!
//! The given map is both the initial terrain and the target of the uplift: the uplift is `U = (given - h) / time`. It
//! is stronger where rivers have cut further below the given height. Ridges stay near the given heights. Soil creep may
//! raise hollows slightly, but no height leaves the range of the map. The coastline does not move. In equilibrium, and
//! without soil creep, `h = given - 16 strength^2 sqrt(A) S`: valleys are deep and concave where the catchment is
//! large. Half the strength cuts a quarter as deep, so the lower half of the range is for gentle valleys.
//!
//! Steps: start on the coarsest resolution (`stream_power/pyramid.rs`) and continue on ever finer ones. Repeat at each
//! resolution, 8 to 128 times (`stream_power/landscape.rs`):
//!
//! 1. Find the receiver of each cell.
//! 2. Smooth the hillslopes (`stream_power/hillslope.rs`).
//! 3. Sum up the catchments.
//! 4. Incise from the outlets upstream, with one long implicit time step.
//!
//! The coarse resolutions find the large valleys, and the fine ones add branches. Receivers are chosen with a random
//! factor from the seed. Without it, rivers would follow the eight directions of the grid.
//!
//! Cost: O(n). Memory: about 7 times the map.
//!
//! Sources: Braun and Willett, *A very efficient O(n), implicit and parallel method to solve the stream power equation
//! governing fluvial incision and landscape evolution*, 2013; Cordonnier et al., *Large scale terrain generation from
//! tectonic uplift and fluvial erosion*, 2016. The target look is that of Schott et al., *Large-scale terrain authoring
//! through interactive erosion simulation*, 2023. The random factor is from Fairfield and Leymarie, *Drainage networks
//! from grid digital elevation models*, 1991.

mod hillslope;
mod landscape;
mod part;
mod pyramid;
mod ring;

pub(crate) use self::part::RiverGuide;
use self::{
    landscape::{Landscape, Law},
    pyramid::Level,
};
use crate::{
    Canceled, FilterContext, GenerateError, Heightmap, ParamError, Parameters, Progress, SeededRng,
    parameter::parameters, rows,
};

parameters! {
    /// Carves river valleys into a map and leaves mountains between them.
    ///
    /// Rivers flow to the sea if [`sea_level`](Self::sea_level) is set. Where land reaches the border of the map,
    /// rivers leave at the lowest cells along the border.
    ///
    /// ```
    /// use lanternfell_heightmap::{FilterContext, Hills, MapSize, Progress, erosion::StreamPowerErosion};
    ///
    /// let size = MapSize::new(96, 96)?;
    /// let progress = Progress::default();
    /// let hills = Hills { island: true, ..Hills::default() };
    /// let mut map = hills.generate(size, 7, &progress)?;
    /// let fluvial = StreamPowerErosion { sea_level: Some(0.04), ..StreamPowerErosion::default() };
    /// let land = map.share_above(0.04);
    /// fluvial.erode(&mut map, &FilterContext::new(size, 7), &progress)?;
    /// assert_eq!(map.share_above(0.04), land); // the coastline has not moved
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Algorithm
    /// Heights `h` are fractions of the range of the given map, and `given` are its heights:
    ///
    /// ```text
    ///   dh/dt = (given - h) / t  -  16 strength^2 sqrt(A) S / t  +  D laplace h
    ///           uplift              rivers                          hillslopes
    /// ```
    ///
    /// One time step has the length `p = t / 10`:
    ///
    /// 1. The receiver of a cell is the neighbor with the steepest descent. A random factor from the seed scales each
    ///    slope to 30 to 170 % for this comparison.
    /// 2. Hillslopes: `(1 - D d2/dx2) (1 - D d2/dy2) h' = h`, solved exactly, with
    ///    `D = 0.1 (hillslope x cells of the shorter side)^2`.
    /// 3. Catchments `A`, in cells, are summed downstream.
    /// 4. Rivers and uplift, from the outlets upstream: with `g = 0.1 x 16 strength^2 sqrt(A) / d` for a receiver at
    ///    the distance `d`, `h' = (h + 0.1 given + g h'_receiver) / (1 + 0.1 + g)`, but never below the receiver.
    ///
    /// The coarsest resolution takes 128 steps. Each finer one takes half as many, but at least 8. The sea and the
    /// outlets on the border do not change. Lengths are in cells, which count as squares; the scale of the context is
    /// not used.
    ///
    /// Sources: Braun and Willett, *A very efficient O(n), implicit and parallel method to solve the stream power
    /// equation*, 2013; Cordonnier et al., *Large scale terrain generation from tectonic uplift and fluvial erosion*,
    /// 2016; Fairfield and Leymarie, *Drainage networks from grid digital elevation models*, 1991, for the random
    /// factor; Thomas, 1949, and Peaceman and Rachford, 1955, for 2.
    #[derive(Copy)]
    pub struct StreamPowerErosion: "stream power erosion" {
        /// How deep rivers cut: 0 is not at all; at 1 little of the original shape remains. In equilibrium a river is
        /// `16 strength^2 sqrt(A) S` below the given terrain, for a catchment of `A` cells and a descent of `S` per
        /// cell.
        pub strength: f64 = 0.5, in 0.0..=1.0;
        /// The length of hillslopes from ridge to valley; smaller values give finer and sharper valleys.
        pub hillslope: f64 = 0.004, in 0.0..=0.1, unit "times the map's shorter side", slider 0.0..=0.02;
        /// The height of the sea, below which nothing changes; without it, rivers leave only over the border.
        ///
        /// The [`sea_level`](crate::Recipe::sea_level) of a recipe is not used here. Set both for an island.
        pub sea_level: Option<f32> = None, limit "finite", slider 0.0..=1.0;
    }
}

/// The ratio of river erosion to uplift at full strength (see `strength`).
const FULL_STRENGTH: f64 = 16.0;

/// Time steps at the coarsest level, after which the terrain is in equilibrium. Each finer level takes half as many,
/// because it has less to change and four times as many cells.
const MOST_PASSES: usize = 128;

/// Time steps at the finest levels. With fewer, new branches would not reach the ridges.
const LEAST_PASSES: usize = 8;

impl StreamPowerErosion {
    /// Checks every parameter against its range.
    ///
    /// # Errors
    /// Names the first parameter that is out of range.
    pub fn validate(&self) -> Result<(), ParamError> {
        self.check_bounds()?;
        let level = self.sea_level.unwrap_or(0.0);
        let value = ParamError::shortest(level);
        ParamError::check(level.is_finite(), Self::OWNER, "sea_level", value, "finite")
    }

    /// Erodes the map. Only the seed of the context is used.
    ///
    /// Heights stay within the range of the map. Cells at or below the sea level do not change, and those above it stay
    /// above.
    ///
    /// # Errors
    /// If a parameter is out of range, or the work is canceled. The map is then unchanged.
    pub fn erode(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        self.validate()?;
        let range = map.range_with(&progress.span(0.0, 0.01))?;
        let Some(unit) = self.unit(range) else {
            return Ok(progress.step(1, 1)?);
        };
        let start = progress.span(0.01, 0.03);
        let pyramid = Level::pyramid(map, |z| unit.share(z), &start)?;
        let mut rng = SeededRng::new(context.seed, b"fluvial ");
        let sea = self.sea(&unit);
        let land = self.evolve(pyramid, sea, &mut rng, &progress.span(0.03, 1.0))?;
        self.put_back(&land.heights, &unit, map, progress)
    }

    /// The conversion between heights in this range and fractions of it. `None` if the map does not need erosion: it is
    /// flat or below the sea, or the strength is 0.
    fn unit(&self, (low, high): (f32, f32)) -> Option<Unit> {
        let dry = self.sea_level.is_none_or(|sea| sea < high);
        let idle = self.strength == 0.0 || low == high || !dry;
        (!idle).then(|| Unit::new(low, high))
    }

    /// The sea level as a fraction of the range. Fractions are never below 0, so -1 means that there is no sea.
    fn sea(&self, unit: &Unit) -> f32 {
        self.sea_level.map_or(-1.0, |sea| unit.share(sea))
    }

    /// Writes the heights of the landscape to the cells of the map above the sea.
    fn put_back(
        &self,
        heights: &[f32],
        unit: &Unit,
        map: &mut Heightmap,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let width = map.width();
        let shore = self.sea_level.unwrap_or(f32::MIN);
        let bottom = if shore < unit.lowest {
            unit.lowest
        } else {
            shore.next_up()
        };
        // Not canceled from here on: the map must not stay half written.
        progress.step(1, 1)?;
        let uncanceled = Progress::default();
        rows::for_each_row(map.heights_mut(), width, &uncanceled, |y, row| {
            for (z, &height) in row.iter_mut().zip(&heights[y * width..]) {
                if *z > shore {
                    *z = unit.height(height).clamp(bottom, unit.highest);
                }
            }
        })?;
        Ok(())
    }

    /// The law of a level. `shorter_side` is that of the whole world at this level.
    fn law(&self, shorter_side: usize, sea: f32, origin: (usize, usize), luck: u32) -> Law {
        Law::new(
            FULL_STRENGTH * self.strength * self.strength,
            self.hillslope * shorter_side as f64,
            sea,
            (luck, origin),
        )
    }

    /// Evolves all levels from the coarsest to the finest, and returns the finest. Each level has its own random
    /// factors. A map of twice the size has one more level, and the same large valleys.
    fn evolve(
        &self,
        mut pyramid: Vec<Level>,
        sea: f32,
        rng: &mut SeededRng,
        progress: &Progress,
    ) -> Result<Landscape, Canceled> {
        let all: f32 = pyramid
            .iter()
            .rev()
            .enumerate()
            .map(|(level, at)| work(at, passes(level)))
            .sum();
        let mut done = 0.0;
        let mut coarser: Option<Landscape> = None;
        let mut level = 0;
        while let Some(at) = pyramid.pop() {
            let part = work(&at, passes(level)) / all;
            let progress = progress.span(done, done + part);
            let start = progress.span(0.0, 0.1);
            let luck = rng.word() as u32;
            let law = self.law(at.size.shorter_side(), sea, (0, 0), luck);
            let first = coarser.is_none();
            let mut land = match coarser.take() {
                None => Landscape::first(at, &law, rng, &start)?,
                Some(coarse) => Landscape::finer(at, &coarse, &law, &start)?,
            };
            for pass in 0..passes(level) {
                let part = progress.span(0.1, 1.0).part(pass, passes(level));
                land.pass(&law, first, &part)?;
            }
            coarser = Some(land);
            level += 1;
            done += part;
        }
        Ok(coarser.expect("a pyramid has at least one level"))
    }
}

/// The number of time steps at a level; the coarsest is level 0.
fn passes(level: usize) -> usize {
    (MOST_PASSES >> level.min(8)).max(LEAST_PASSES)
}

/// The relative cost of this many time steps at a level.
fn work(level: &Level, passes: usize) -> f32 {
    (level.size.cells() * passes) as f32
}

/// Converts between heights and fractions of the map's range.
#[derive(Debug, Clone, Copy)]
struct Unit {
    lowest: f32,
    highest: f32,
    low: f64,
    span: f64,
}

impl Unit {
    /// Creates the conversion. `high` must be above `low`.
    fn new(low: f32, high: f32) -> Self {
        let (lowest, highest) = (low, high);
        let low = f64::from(low);
        Self {
            lowest,
            highest,
            low,
            span: f64::from(high) - low,
        }
    }

    fn share(&self, z: f32) -> f32 {
        ((f64::from(z) - self.low) / self.span) as f32
    }

    fn height(&self, share: f32) -> f32 {
        (self.low + f64::from(share) * self.span) as f32
    }
}
