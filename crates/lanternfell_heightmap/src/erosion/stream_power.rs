//! Mountains and valleys by rivers: uplift against the stream power law.
//!
//! Problem: noise has hills and hollows, but no valleys. Real mountains are ordered by
//! their rivers: branches meet at every scale, each valley leads down to the next, and the
//! crests are what the valleys leave between them.
//!
//! Idea: rock rises and rivers cut, at every point at once:
//!
//! ```text
//!   dh/dt = U - K A^m S^n + D laplace h      uplift, rivers, hillslopes
//!
//!     /\    ground lifted        river: long profile
//!    /  \/\                     `.
//!   /  .-' `\   <- cut where      `.__
//!  /.-'      \     much water          `--..____
//!               runs steeply                     `````---- sea
//! ```
//!
//! `A` is the catchment of a point and `S` its slope; m is 1/2 and n is 1. With these, and
//! only these, neither lengths nor heights need a unit: a map has the same valleys at any
//! resolution and scale.
//!
//! The map that is given is both the ground to begin with and the rock that rises: the
//! uplift is `U = (given - h) / time`, so ground is pushed up the more, the further the
//! rivers have cut below what was given. Crests stay near the given heights; soil that creeps
//! down may raise a hollow a little, but nothing leaves the map's range. The sea is where
//! it was, and land stays land. In balance
//! `h = given - 16 strength^2 sqrt(A) S`, where no soil creeps: deep, concave valleys where much
//! water comes together. Half the strength cuts a
//! quarter as much, so that the lower half of the range is for gentle valleys.
//!
//! Steps, from the coarsest map (see `stream_power/pyramid.rs`) to the finest, some dozens of
//! times each (`stream_power/landscape.rs`): find each cell's receiver; smooth the hillslopes
//! (`stream_power/hillslope.rs`); sum up the catchments; cut, from the mouths upwards, all of
//! a long step of time at once. What the coarse maps have found are the large valleys; the
//! fine ones add branches. Receivers are chosen with a little luck, from the seed, or else
//! rivers would run along the eight directions of the grid.
//!
//! Cost: O(n). Memory: about 7 times the map.
//!
//! Sources: Braun and Willett, *A very efficient O(n), implicit and parallel method to
//! solve the stream power equation governing fluvial incision and landscape evolution*,
//! 2013; Cordonnier et al., *Large scale terrain generation from tectonic uplift and
//! fluvial erosion*, 2016; for what it should look like, Schott et al., *Large-scale
//! terrain authoring through interactive erosion simulation*, 2023. The luck is Fairfield
//! and Leymarie's, *Drainage networks from grid digital elevation models*, 1991.

mod hillslope;
mod landscape;
mod part;
mod pyramid;

pub(crate) use self::part::RiverGuide;
use self::{
    landscape::{Landscape, Law},
    pyramid::Level,
};
use crate::{
    Cancelled, FilterContext, GenerateError, Heightmap, ParamError, Parameters, Progress,
    SeededRng, parameter::parameters, rows,
};

parameters! {
    /// Carves the valleys of rivers into a map, and leaves its mountains between them.
    ///
    /// Rivers run to the sea, if there is one. On land that reaches the border they leave the
    /// map at the lowest places along it.
    ///
    /// # The rules
    /// With heights `h` as shares of the given map's range, and `given` the heights that were given:
    ///
    /// ```text
    ///   dh/dt = (given - h) / t  -  16 strength^2 sqrt(A) S / t  +  D laplace h
    ///           uplift              rivers                          hillslopes
    /// ```
    ///
    /// In one step, of `p = t / 10`:
    ///
    /// 1. Each cell's receiver is the neighbor to which it falls most steeply, where luck from the
    ///    seed counts each slope as 30 to 170 % of what it is.
    /// 2. Hillslopes: `(1 - D d2/dx2) (1 - D d2/dy2) h' = h`, solved exactly, with
    ///    `D = 0.1 (hillslope x cells of the shorter side)^2`.
    /// 3. Catchments `A` are summed downstream, in cells.
    /// 4. Rivers and uplift, from the mouths upwards: with `g = 0.1 x 16 strength^2 sqrt(A) / d` for a
    ///    receiver at the distance `d`,
    ///    `h' = (h + 0.1 given + g h'_receiver) / (1 + 0.1 + g)`; never below the receiver.
    ///
    /// It begins on a coarse map, takes 128 steps there, half as many on each finer one, and 8 at least. The
    /// sea and the outlets at the border stay as they are. Lengths are cells: squares, whatever the
    /// context's scale.
    ///
    /// Sources: Braun and Willett, *A very efficient O(n), implicit and parallel method to solve the
    /// stream power equation*, 2013; Cordonnier et al., *Large scale terrain generation from tectonic
    /// uplift and fluvial erosion*, 2016; Fairfield and Leymarie, *Drainage networks from grid digital
    /// elevation models*, 1991, for the luck; Thomas, 1949, and Peaceman and Rachford, 1955, for 2.
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
    /// assert_eq!(map.share_above(0.04), land); // the coast is where it was
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Copy)]
    pub struct StreamPowerErosion: "stream power erosion" {
        /// How much rivers cut: 0 is not at all; at 1 little is left of the map's own shape. In balance
        /// a river lies `16 strength^2 sqrt(A) S` below the given ground, where `A` cells drain to it
        /// and it falls by `S` from cell to cell.
        pub strength: f64 = 0.5, in 0.0..=1.0;
        /// How long the slopes are that no stream cuts, from crest to valley: less gives finer and
        /// sharper valleys.
        pub hillslope: f64 = 0.004, in 0.0..=0.1, unit "times the map's shorter side", slider 0.0..=0.02;
        /// The height of the sea, below which nothing changes; with none rivers leave over the border
        /// alone.
        ///
        /// The filter knows no other sea: a recipe's own [`sea_level`](crate::Recipe::sea_level) is
        /// not taken for it, so an island's recipe gives its level here as well.
        pub sea_level: Option<f32> = None, limit "that is finite", slider 0.0..=1.0;
    }
}

/// How much stronger than uplift the rivers are at full strength, as `strength` says.
const FULL_STRENGTH: f64 = 16.0;

/// Passes at the coarsest level: then the ground is in balance. Each finer one, which has
/// less to change and four times as many cells, has half as many.
const MOST_PASSES: usize = 128;

/// Passes at the finest levels: fewer, and new branches would not reach the crests.
const LEAST_PASSES: usize = 8;

impl StreamPowerErosion {
    /// Checks every parameter against its range.
    ///
    /// # Errors
    /// Names the first parameter that is out of its range.
    pub fn validate(&self) -> Result<(), ParamError> {
        self.check_bounds()?;
        let level = self.sea_level.unwrap_or(0.0);
        let value = ParamError::shortest(level);
        ParamError::check(level.is_finite(), Self::OWNER, "sea_level", value, "finite")
    }

    /// Erodes the map. Of the context only the seed matters. The map's lowest and highest heights are
    /// never exceeded; cells at or below
    /// the sea level stay as they are, and those above it stay above.
    ///
    /// # Errors
    /// When a parameter is out of its range, or the work was cancelled; the map is as it
    /// was.
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

    /// Between heights and shares of this range; `None` when rivers have nothing to do on such a map.
    fn unit(&self, (low, high): (f32, f32)) -> Option<Unit> {
        let dry = self.sea_level.is_none_or(|sea| sea < high);
        let idle = self.strength == 0.0 || low == high || !dry;
        (!idle).then(|| Unit::new(low, high))
    }

    /// The sea's level as a share of the range. Nothing is below 0, so without a sea nothing is at or
    /// below -1.
    fn sea(&self, unit: &Unit) -> f32 {
        self.sea_level.map_or(-1.0, |sea| unit.share(sea))
    }

    /// Makes the landscape's heights those of the map's land.
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
        // The last few rows are not worth a map half done: no more looks at `progress`.
        progress.step(1, 1)?;
        let uncancelled = Progress::default();
        rows::for_each_row(map.heights_mut(), width, &uncancelled, |y, row| {
            for (z, &height) in row.iter_mut().zip(&heights[y * width..]) {
                if *z > shore {
                    *z = unit.height(height).clamp(bottom, unit.highest);
                }
            }
        })?;
        Ok(())
    }

    /// The law of a level whose shorter side, that of the world, has so many cells.
    fn law(&self, shorter_side: usize, sea: f32, origin: (usize, usize), luck: u32) -> Law {
        Law::new(
            FULL_STRENGTH * self.strength * self.strength,
            self.hillslope * shorter_side as f64,
            sea,
            (luck, origin),
        )
    }

    /// From the coarsest level to the finest, with luck of its own for each, so that a map
    /// of more cells has one level more and the same large valleys. Returns the finest one.
    fn evolve(
        &self,
        mut pyramid: Vec<Level>,
        sea: f32,
        rng: &mut SeededRng,
        progress: &Progress,
    ) -> Result<Landscape, Cancelled> {
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

/// How often the ground is changed at a level, the coarsest being the first.
fn passes(level: usize) -> usize {
    (MOST_PASSES >> level.min(8)).max(LEAST_PASSES)
}

/// What this many passes over a level take, up to a factor.
fn work(level: &Level, passes: usize) -> f32 {
    (level.size.cells() * passes) as f32
}

/// Between heights and shares of the map's range.
#[derive(Debug, Clone, Copy)]
struct Unit {
    lowest: f32,
    highest: f32,
    low: f64,
    span: f64,
}

impl Unit {
    /// `high` must be above `low`.
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
