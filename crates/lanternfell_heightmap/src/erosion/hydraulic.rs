//! Hydraulic erosion by droplets: rain, one drop at a time.
//!
//! Problem: noise has no valleys that lead anywhere. Real land was shaped by water, which
//! gathers, digs where it is fast and leaves what it carries where it is slow.
//!
//! Idea: let drops fall anywhere and run downhill. A droplet that falls steeply, fast and
//! with much water can carry more than it does, and takes ground up; one that slows down,
//! dries up or runs into a hollow lays it down. Each changes the ground for the next, so
//! that gullies deepen and join:
//!
//! ```text
//!        o  digs           fall in a step  x  speed  x  water  =  what it can carry
//!     \   \_
//!      \    \_  o carries
//!       '.    '-._  o lays: fans, flat floors
//!         '-.______'------
//! ```
//!
//! Steps of a droplet, one cell each: turn downhill, by inertia a little where it went
//! before; compare the ground there with that here; take a share of what it could carry
//! more, or lay a share of what is too much, and uphill all that it needs to fill the hollow
//! it is in; gain or lose speed by the fall; lose water. It ends after its lifetime, on flat
//! ground and at the map's border.
//!
//! Two bounds keep the ground sane, and are not in the sources: nothing is taken from below
//! the ground where the droplet goes next, and nothing laid above the ground where it is.
//! So there are no spikes, no pit is dug deeper, and no height leaves the map's range.
//!
//! Slopes are tangents: the context's scale says how steep a map is. A large map is eroded at
//! a coarser size first, so that it has valleys as large as a small one (the module
//! `coarse`).
//!
//! What is taken is laid again or still carried in the end: by a droplet that leaves the
//! map, or whose life ends, as mud on its way to the sea. So the map loses a little, and
//! never gains.
//!
//! Cost: for each step of a droplet on one core with vectors of eight numbers about 10 ns at
//! radius 1, 20 at radius 2, 30 at radius 4. Beside the map two thirds of one for coarser
//! maps, a thirty-second for the list of the regions' rows, and one region per thread: 256
//! KiB by default, at most 4 MiB. With [`Traces`] two maps more.
//!
//! The same bits with any number of threads: `droplets/regions.rs` says why.
//!
//! Source: Beyer, *Implementation of a method for hydraulic erosion*, TU München, 2015;
//! Lague, *Hydraulic Erosion*, 2019. The latter's droplets speed up uphill, by a slip of a
//! sign; these do not.

mod brush;
mod coarse;
mod lanes;
mod region_heights;
mod regions;
mod traces;

use fearless_simd::{Level, dispatch};

use self::{brush::Brush, lanes::Rules, regions::ErosionRegion};
use crate::{
    FilterContext, GenerateError, Heightmap, ParamError, Parameters, Progress, SeededRng,
    parameter::{self, parameters},
    rows,
};

pub use self::traces::Traces;

parameters! {
    /// Hydraulic erosion by droplets of rain.
    ///
    /// ```
    /// use lanternfell_heightmap::{FilterContext, Hills, MapSize, Progress, Recipe, erosion::HydraulicErosion};
    ///
    /// let size = MapSize::new(128, 128)?;
    /// let mut map = Recipe::new(size, 7, Hills::default()).generate(&Progress::default())?;
    /// let rain = HydraulicErosion { density: 0.25, ..HydraulicErosion::default() };
    /// let traces = rain.erode_traced(&mut map, &FilterContext::new(size, 7), &Progress::default())?;
    /// assert_eq!(traces.worn.size(), size);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Copy)]
    pub struct HydraulicErosion: "hydraulic erosion" {
        /// How many droplets start on each cell, on average.
        pub density: f64 = 0.5, in 0.0..=64.0, slider 0.0..=4.0;
        /// The most steps of a droplet, of one cell each. The default is the longest that needs no
        /// more than a small region for each thread.
        pub lifetime: u32 = 55, in 1..=247, unit "cells";
        /// How much a droplet keeps its direction instead of turning downhill.
        pub inertia: f64 = 0.3, in 0.0..=0.99;
        /// How much a droplet can carry: this times its fall in a step, its speed and its water.
        pub capacity: f64 = 4.0, in 0.0..=100.0, slider 0.0..=20.0;
        /// The least slope that counts for what it can carry, a tangent. It lets water on almost
        /// flat ground carry something.
        pub min_slope: f64 = 0.02, in 0.0..=1.0, slider 0.0..=0.2;
        /// The share of what it could carry more that a droplet takes up in a step.
        pub erosion: f64 = 0.3, in 0.0..=1.0;
        /// The share of what is too much for it that it lays down in a step.
        pub deposition: f64 = 0.3, in 0.0..=1.0;
        /// The share of its water that a droplet loses in a step.
        pub evaporation: f64 = 0.02, in 0.0..=1.0, slider 0.0..=0.2;
        /// How fast a droplet gets: what its squared speed, at first 1, gains for each cell's width
        /// that it falls.
        pub gravity: f64 = 0.1, in 0.0..=100.0, slider 0.0..=1.0;
        /// How far around a droplet it takes ground. At 1 that is the four cells around it; more
        /// makes wider, smoother gullies.
        pub radius: f64 = 2.0, in 1.0..=8.0, unit "cells";
        /// A map whose longer side has more cells than this is eroded at half its size first, and
        /// that one the same way. So large maps get large valleys, and then fine gullies in them.
        pub coarsest: u32 = 512, in 64..=16_384, unit "cells", slider 64..=4096 log;
    }
}

/// The regions are made for it.
const _: () = assert!(HydraulicErosion::MAX_LIFETIME == regions::LONGEST);

/// Heights are reckoned in units in which the largest is from 1 to 2, and a steepness
/// beyond this, or below its inverse, is as good as vertical, or flat.
const STEEPEST: f64 = (1_u64 << 40) as f64;

/// Rounds for each droplet per cell: every droplet of a phase runs in a region over which
/// only so many others have run since the regions were elsewhere.
const ROUNDS: f64 = 8.0;

/// Streams of a seed lie so many words apart. A region has less than half as many droplets.
const STREAM: u64 = 1 << 26;

/// More than there are regions in any phase.
const REGIONS: u64 = 1 << 15;

impl HydraulicErosion {
    /// The most steps of a droplet.
    pub const MAX_LIFETIME: u32 = parameter::most(Self::PARAMETERS, "lifetime") as u32;

    /// Checks every parameter against its range.
    ///
    /// # Errors
    /// Names the first parameter outside its range, and the range.
    pub fn validate(&self) -> Result<(), ParamError> {
        self.check_bounds()
    }

    /// Erodes the map. The droplets come from the context's seed.
    ///
    /// # Errors
    /// When a parameter is out of its range, and the map is as it was; or when the work was
    /// cancelled, and some of the droplets have run.
    pub fn erode(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        self.validate()?;
        context.scale.validate()?;
        if self.radius <= 1.0 {
            self.rain::<2>(map, context, progress)
        } else if self.radius <= 2.0 {
            self.rain::<4>(map, context, progress)
        } else if self.radius <= 4.0 {
            self.rain::<8>(map, context, progress)
        } else {
            self.rain::<16>(map, context, progress)
        }
    }

    /// Erodes the map and says where ground was taken and where it was laid.
    ///
    /// # Errors
    /// As [`erode`](Self::erode).
    pub fn erode_traced(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<Traces, GenerateError> {
        let before = map.clone();
        self.erode(map, context, &progress.span(0.0, 0.95))?;
        Ok(Traces::between(before, map, &progress.span(0.95, 1.0))?)
    }

    /// On the map's half first, when it is large.
    fn rain<const WIDTH: usize>(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let longer = map.width().max(map.height());
        let before = if longer > self.coarsest as usize {
            coarse::halve(map, &progress.span(0.0, 0.01))?
        } else {
            None
        };
        let Some(before) = before else {
            return self.rain_on::<WIDTH>(map, context, progress);
        };
        let (mut after, mut wider) = (before.clone(), *context);
        wider.scale.spacing *= 2.0;
        self.rain::<WIDTH>(&mut after, &wider, &progress.span(0.01, 0.25))?;
        coarse::follow(map, &before, &after, &progress.span(0.25, 0.26))?;
        drop((before, after));
        self.rain_on::<WIDTH>(map, context, &progress.span(0.26, 1.0))
    }

    /// With a brush of `WIDTH` cells, twice the radius or more.
    fn rain_on<const WIDTH: usize>(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let unit = unit_of(map);
        let storm = Storm::<WIDTH> {
            rules: self.rules(context, unit),
            brush: Brush::new(self.radius),
            shift: regions::shift_for(self.lifetime),
            unit,
            seed: context.seed,
        };
        let rounds = (self.density * ROUNDS).ceil() as u64;
        let middle = (1_u64 << (storm.shift - 1)) as f64;
        let share = self.density * middle * middle / rounds.max(1) as f64;
        let mut rng = SeededRng::new(context.seed, b"regions ");
        progress.step(0, 1)?;
        for round in 0..rounds {
            let side = 1 << storm.shift;
            let corner = (rng.below(side) as usize, rng.below(side) as usize);
            for quarter in 0..4 {
                let phase = 4 * round + quarter;
                let half = side as usize / 2;
                let corner = (
                    corner.0 + half * (quarter as usize & 1),
                    corner.1 + half * (quarter as usize >> 1),
                );
                let progress = progress.part(phase as usize, 4 * rounds as usize);
                storm.fall(map, phase, corner, share, &progress)?;
            }
        }
        Ok(progress.step(1, 1)?)
    }

    /// The rules of a step on heights that are divided by `unit`.
    fn rules(&self, context: &FilterContext, unit: f32) -> Rules {
        let exact = f64::from(context.scale.relief) / f64::from(context.scale.spacing);
        let steepness = (exact * f64::from(unit)).clamp(1.0 / STEEPEST, STEEPEST);
        Rules {
            lifetime: self.lifetime,
            inertia: self.inertia as f32,
            turn: ((1.0 - self.inertia) * steepness) as f32,
            capacity: self.capacity as f32,
            least_fall: (self.min_slope / steepness) as f32,
            erosion: self.erosion as f32,
            deposition: self.deposition as f32,
            kept: (1.0 - self.evaporation) as f32,
            gravity: (self.gravity * steepness) as f32,
        }
    }
}

/// The power of two that the largest height is one to two times as large as: dividing by it
/// is exact, and then no product of heights is too large for an `f32`.
fn unit_of(map: &Heightmap) -> f32 {
    let (low, high) = map.range();
    let largest = low.abs().max(high.abs()).max(f32::MIN_POSITIVE);
    f32::from_bits(largest.to_bits() & f32::INFINITY.to_bits())
}

/// All that droplets share.
struct Storm<const WIDTH: usize> {
    rules: Rules,
    brush: Brush<WIDTH>,
    /// A region's side is 2 to this power.
    shift: u32,
    unit: f32,
    seed: u64,
}

impl<const WIDTH: usize> Storm<WIDTH> {
    /// One phase: lets droplets run in all regions of a grid, `share` in each on average.
    fn fall(
        &self,
        map: &mut Heightmap,
        phase: u64,
        corner: (usize, usize),
        share: f64,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let mut regions = regions::cut(map, self.shift, corner);
        let scratch = || vec![0.0; 1 << (2 * self.shift)];
        let work = |cells: &mut Vec<f32>, number: usize, region: &mut [ErosionRegion<'_>]| {
            let mut rng = SeededRng::new(self.seed, b"droplets");
            rng.seek((phase * REGIONS + number as u64) * STREAM);
            for region in region {
                self.fall_on(region, cells, &mut rng, share, progress);
            }
        };
        Ok(rows::for_each_row_with(
            &mut regions,
            1,
            progress,
            scratch,
            work,
        )?)
    }

    fn fall_on(
        &self,
        region: &mut ErosionRegion<'_>,
        cells: &mut [f32],
        rng: &mut SeededRng,
        share: f64,
        progress: &Progress,
    ) {
        let mut ground = region.fetch(cells, self.shift, self.unit);
        // A share of 2.3 is two droplets, and a third in three regions of ten.
        let count = (share + rng.unit()) as usize;
        let bounds = ground.bounds();
        let starts = (0..count)
            .take_while(|k| k % 1024 != 0 || !progress.is_cancelled())
            .map(|_| regions::start(rng, self.shift))
            .filter(|&(x, y)| bounds.hold(x, y));
        dispatch!(Level::new(), _simd => lanes::run(&mut ground, &self.rules, &self.brush, starts));
        region.put_back(&ground, self.unit);
    }
}
