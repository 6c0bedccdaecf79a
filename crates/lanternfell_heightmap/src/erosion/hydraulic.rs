//! Hydraulic erosion by droplets: rain, simulated one drop at a time.
//!
//! Problem: noise has no connected valleys. Real terrain is shaped by water, which gathers, erodes where it is fast and
//! deposits its sediment where it is slow.
//!
//! Idea: let droplets fall at random points and run downhill. A droplet with a steep descent, high speed and much water
//! can carry more sediment than it does, so it erodes. A droplet that slows down, dries up or runs into a hollow
//! deposits. Each droplet changes the terrain for the next one, so gullies deepen and merge:
//!
//! ```text
//!        o  erodes         descent per step  x  speed  x  water  =  sediment capacity
//!     \   \_
//!      \    \_  o carries
//!       '.    '-._  o deposits: fans, flat floors
//!         '-.______'------
//! ```
//!
//! Steps of a droplet, each one cell long:
//!
//! 1. Turn downhill; inertia keeps some of the previous direction.
//! 2. Compare the height ahead with the current height.
//! 3. Erode a fraction of the free capacity, or deposit a fraction of the excess. When moving uphill, deposit as much
//!    as is needed to fill the hollow behind.
//! 4. Change the speed by the descent, and lose water.
//!
//! The droplet ends after its lifetime, on flat terrain, and at the border of the map.
//!
//! Two limits, which are not in the sources, keep the result stable. A droplet never erodes below the height ahead of
//! it, and never deposits above the higher of that height and its own. So droplets leave no spikes, and no height
//! leaves the range of the map. Not even the lowest pit becomes deeper.
//!
//! Slopes are tangents, so the steepness of a map depends on the scale of the context. A large map is first eroded at a
//! coarser resolution, so that its valleys are as large, relative to the map, as those of a small one (module
//! `coarse`). At the coarser resolution, hollows smaller than a coarse cell sink with their surroundings.
//!
//! All material that is taken is deposited again or carried over the border of the map, without rounding errors:
//! heights are whole numbers of grains. A grain is 1 to 2 times 2^-24 of the height range. The load of a droplet that
//! ends on the map is handed to the rivers, which deposit it in hollows on their way to the border (module `mud`).
//! [`SedimentBudget`] reports the amounts.
//!
//! Cost: on one core with vectors of eight numbers, a step of a droplet takes about 15 ns at radius 1, 20 ns at radius
//! 2 and 30 ns at radius 4. Grains and mud take about 15 ns per cell. Memory, in addition to the map: one map of
//! grains, one more for coarser maps and mud, 1/32 of a map for the list of region rows, and one region per thread (256
//! KiB by default, at most 4 MiB). [`Traces`] need two maps more.
//!
//! The result has the same bits with any number of threads (see `hydraulic/regions.rs`).
//!
//! Sources: Beyer, *Implementation of a method for hydraulic erosion*, TU München, 2015; Lague, *Hydraulic
//! Erosion*, 2019. Lague's droplets accelerate uphill because of a sign error, which is fixed here.

mod axis;
mod brush;
mod coarse;
mod ground;
mod lanes;
mod mud;
mod part;
mod region_heights;
mod regions;
mod traces;

use fearless_simd::{Level, dispatch};

use self::{
    brush::Brush,
    coarse::Halves,
    ground::Ground,
    lanes::Rules,
    mud::Mud,
    regions::{ErosionRegion, Place},
};
use super::{
    grains::{self, Grains},
    sediment::SedimentBudget,
};
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
    /// assert_eq!(traces.eroded.size(), size);
    /// let budget = traces.budget;
    /// let kept = budget.eroded - budget.deposited - budget.exported;
    /// assert!(kept.abs() < 1e-9 * budget.eroded); // no material is lost
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Algorithm
    /// `z` is the height, interpolated bilinearly between the four cells around a point, and `g` is its gradient, both
    /// in heights and cells. `s = relief / spacing`, so `s g` is a tangent. A droplet starts at a random point with no
    /// direction, no load, speed `v = 1` and water `w = 1`. One step:
    ///
    /// 1. Direction: `d = inertia d - (1 - inertia) s g`, normalized; the droplet ends if this is 0. It moves one cell:
    ///    `q = p + d`. If `q` is outside the map, the droplet and its load leave the map.
    /// 2. Descent: `f = z(p) - z(q)`. Capacity: `c = capacity max(f, min_slope / s) v w`, limited to 2^21 grains, which
    ///    is 1/8 to 1/4 of the map's height range.
    /// 3. If `f >= 0` and the load `l < c`, the droplet takes `min(erosion (c - l), f)` from the cells whose centers
    ///    are closer to `p` than the radius `r`, with weights of `r - distance`, and lowers none below `z(q)`. At a
    ///    radius of 1 it takes from the four cells around `p` with their bilinear weights. Otherwise it deposits
    ///    `deposition (l - c)`, or, if `f < 0`, as much of `-f` as it carries. It deposits on the four cells around `p`
    ///    with their bilinear weights, and raises none above the higher of `z(p)` and `z(q)`.
    /// 4. `v^2 = max(0, v^2 + gravity s f)`, `w = (1 - evaporation) w`.
    ///
    /// All amounts are whole grains; the height range has 2^23 to 2^24 of them. The load that remains after the
    /// lifetime follows the drainage of the map. It settles in hollows until three quarters of their depth are filled,
    /// and the rest leaves over the border.
    ///
    /// Droplets fall in `ceil(8 density)` rounds of four phases. Each phase divides the map into square regions whose
    /// side is a power of two from 128 to 1024 and at least `4 (lifetime + 9)`. Droplets start in the middle half of
    /// each region, so the four phases together cover the map. In a region, sixteen droplets advance together: all of
    /// them sample the heights, then they change the heights one after the other. A map larger than `coarsest` is first
    /// eroded at half its size, and these changes are applied to it.
    ///
    /// Sources: Beyer, *Implementation of a method for hydraulic erosion*, TU München, 2015; Lague, *Hydraulic
    /// Erosion*, 2019. The limits in 3, the mud and the order of droplets are not from these sources.
    #[derive(Copy)]
    pub struct HydraulicErosion: "hydraulic erosion" {
        /// The average number of droplets that start on each cell.
        pub density: f64 = 0.5, in 0.0..=64.0, slider 0.0..=4.0;
        /// The maximum number of steps of a droplet, one cell each. The default is the longest lifetime that needs only
        /// 256 KiB per thread.
        pub lifetime: u32 = 55, in 1..=247, unit "cells";
        /// How much a droplet keeps its direction instead of turning downhill.
        pub inertia: f64 = 0.3, in 0.0..=0.99;
        /// The sediment capacity of a droplet, as a multiple of descent per step x speed x water. It never exceeds a
        /// quarter of the map's height range.
        pub capacity: f64 = 4.0, in 0.0..=100.0, slider 0.0..=20.0;
        /// The smallest slope (a tangent) that counts for the capacity, so that droplets carry sediment on almost flat
        /// terrain.
        pub min_slope: f64 = 0.02, in 0.0..=1.0, slider 0.0..=0.2;
        /// The fraction of its free capacity that a droplet takes up per step.
        pub erosion: f64 = 0.3, in 0.0..=1.0;
        /// The fraction of its excess load that a droplet deposits per step.
        pub deposition: f64 = 0.3, in 0.0..=1.0;
        /// The fraction of its water that a droplet loses per step.
        pub evaporation: f64 = 0.02, in 0.0..=1.0, slider 0.0..=0.2;
        /// How fast droplets accelerate: the gain in squared speed, initially 1, per cell width of descent.
        pub gravity: f64 = 0.1, in 0.0..=100.0, slider 0.0..=1.0;
        /// The distance up to which a droplet erodes. 1 means the four cells around it; larger values make wider,
        /// smoother gullies.
        pub radius: f64 = 2.0, in 1.0..=8.0, unit "cells";
        /// A map whose longer side has more cells than this is first eroded at half its size, recursively. This gives
        /// large maps large valleys with fine gullies in them.
        pub coarsest: u32 = 512, in 64..=16_384, unit "cells", slider 64..=4096 log;
    }
}

/// The size of the regions is chosen for this lifetime.
const _: () = assert!(HydraulicErosion::MAX_LIFETIME == regions::LONGEST);

/// The largest slope between neighboring cells over the full height range. Steeper maps behave as vertical ones. The
/// inverse is the smallest slope, and flatter maps behave as flat ones.
const STEEPEST: f64 = (1_u64 << 40) as f64;

/// Rounds per droplet per cell. More rounds mean that fewer droplets run in a region before the region grid moves.
const ROUNDS: f64 = 8.0;

/// The distance between the random streams of two regions, in words. A region has fewer than half as many droplets.
const STREAM: u64 = 1 << 26;

/// Upper limits for the number of regions per phase: of a normal map, and of a larger world.
const REGIONS: u64 = 1 << 15;
const WORLDS_REGIONS: u64 = 1 << 21;

impl HydraulicErosion {
    /// The largest number of steps of a droplet.
    pub const MAX_LIFETIME: u32 = parameter::most(Self::PARAMETERS, "lifetime") as u32;

    /// Checks every parameter against its range.
    ///
    /// # Errors
    /// Names the first parameter that is out of range, and its range.
    pub fn validate(&self) -> Result<(), ParamError> {
        self.check_bounds()
    }

    /// Erodes the map with droplets from the context's seed, and returns the sediment budget.
    ///
    /// # Errors
    /// If a parameter or the scale is out of range, or the work is canceled. The map is then unchanged.
    pub fn erode(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<SedimentBudget, GenerateError> {
        self.validate()?;
        context.scale.validate()?;
        let Some(grains) = Grains::of(map) else {
            progress.step(1, 1)?;
            return Ok(SedimentBudget::default());
        };
        let mut ground = Ground {
            size: map.size(),
            cells: grains.count_all(map, &progress.span(0.0, 0.01))?,
        };
        let steepness = steepness(&grains, context);
        let rain = match self.brushes() {
            Brushes::Two => Self::rain::<2>,
            Brushes::Four => Self::rain::<4>,
            Brushes::Eight => Self::rain::<8>,
            Brushes::Sixteen => Self::rain::<16>,
        };
        let under_way = progress.span(0.01, 0.99);
        let budget = rain(self, &mut ground, steepness, context.seed, &under_way)?;
        grains.put_back(|y| ground.row(y), map);
        // The map is complete, so a late cancellation is ignored.
        progress.step(1, 1).ok();
        Ok(budget.times(grains.size()))
    }

    /// The narrowest brush that covers the radius on both sides.
    fn brushes(&self) -> Brushes {
        if self.radius <= 1.0 {
            Brushes::Two
        } else if self.radius <= 2.0 {
            Brushes::Four
        } else if self.radius <= 4.0 {
            Brushes::Eight
        } else {
            Brushes::Sixteen
        }
    }

    /// Erodes the map, and returns where material was taken and deposited.
    ///
    /// # Errors
    /// As for [`erode`](Self::erode). If the work is canceled after the erosion, while the traces are computed, the map
    /// is already eroded.
    pub fn erode_traced(
        &self,
        map: &mut Heightmap,
        context: &FilterContext,
        progress: &Progress,
    ) -> Result<Traces, GenerateError> {
        let before = map.clone();
        let budget = self.erode(map, context, &progress.span(0.0, 0.95))?;
        let (eroded, deposited) = traces::between(before, map, &progress.span(0.95, 1.0))?;
        Ok(Traces {
            eroded,
            deposited,
            budget,
        })
    }

    /// Erodes a large map at half its size first. `steepness` is the tangent of a slope of one grain per cell. The
    /// budget is in grains.
    fn rain<const WIDTH: usize>(
        &self,
        ground: &mut Ground,
        steepness: f64,
        seed: u64,
        progress: &Progress,
    ) -> Result<SedimentBudget, GenerateError> {
        let longer = ground.size.width().max(ground.size.height());
        let is_large = longer > self.coarsest as usize;
        let Some(halves) = Halves::of(ground.size).filter(|_| is_large) else {
            let place = Place::whole(ground.size);
            return self.rain_on::<WIDTH>(ground, place, steepness, seed, progress);
        };
        let before = halves.halve(ground, &progress.span(0.0, 0.01))?;
        let (mut after, gentler) = (before.clone(), steepness / halves.ratio());
        let budget = self.rain::<WIDTH>(&mut after, gentler, seed, &progress.span(0.01, 0.25))?;
        halves.follow(ground, &before, &after, &progress.span(0.25, 0.26))?;
        drop((before, after));
        let mut budget = budget.times(halves.area());
        let (place, progress) = (Place::whole(ground.size), progress.span(0.26, 1.0));
        budget.add(self.rain_on::<WIDTH>(ground, place, steepness, seed, &progress)?);
        Ok(budget)
    }

    /// Erodes at this resolution only. `WIDTH` is the width of the brush in cells, at least twice the radius.
    fn rain_on<const WIDTH: usize>(
        &self,
        ground: &mut Ground,
        place: Place,
        steepness: f64,
        seed: u64,
        progress: &Progress,
    ) -> Result<SedimentBudget, GenerateError> {
        let mut storm = Storm::<WIDTH> {
            place,
            rules: self.rules(steepness),
            brush: Brush::new(self.radius),
            shift: regions::shift_for(self.lifetime),
            seed,
            mud: Mud::none(ground.size),
            budget: SedimentBudget::default(),
        };
        let rounds = (self.density * ROUNDS).ceil() as u64;
        let middle = (1_u64 << (storm.shift - 1)) as f64;
        let share = self.density * middle * middle / rounds.max(1) as f64;
        let mut rng = SeededRng::new(seed, b"regions ");
        progress.step(0, 1)?;
        let falling = progress.span(0.0, 0.95);
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
                let falling = falling.part(phase as usize, 4 * rounds as usize);
                storm.fall(ground, phase, corner, share, &falling)?;
            }
        }
        storm.end(ground, &progress.span(0.95, 1.0))
    }

    /// The rules of a step for heights in grains.
    fn rules(&self, steepness: f64) -> Rules {
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

/// The width of the erosion brush in cells. The code is compiled separately for each width.
#[derive(Debug, Clone, Copy)]
enum Brushes {
    Two,
    Four,
    Eight,
    Sixteen,
}

/// The tangent of a slope of one grain per cell.
fn steepness(grains: &Grains, context: &FilterContext) -> f64 {
    let exact = f64::from(context.scale.relief) / f64::from(context.scale.spacing);
    let whole = exact * grains.size() * grains::MOST;
    whole.clamp(1.0 / STEEPEST, STEEPEST) / grains::MOST
}

/// The rain on one map.
struct Storm<const WIDTH: usize> {
    place: Place,
    rules: Rules,
    brush: Brush<WIDTH>,
    /// The side of a region is 2 to this power.
    shift: u32,
    seed: u64,
    /// The loads of droplets that have ended.
    mud: Mud,
    /// In grains.
    budget: SedimentBudget,
}

impl<const WIDTH: usize> Storm<WIDTH> {
    /// Runs one phase: droplets in all regions of a grid, `share` droplets per region on average.
    fn fall(
        &mut self,
        ground: &mut Ground,
        phase: u64,
        corner: (usize, usize),
        share: f64,
        progress: &Progress,
    ) -> Result<(), GenerateError> {
        let mut regions = regions::cut(ground, self.place, self.shift, corner);
        let streams = self.streams();
        let scratch = || vec![0.0; 1 << (2 * self.shift)];
        let work = |cells: &mut Vec<f32>, _, region: &mut [ErosionRegion<'_>]| {
            for region in region {
                let mut rng = SeededRng::new(self.seed, b"droplets");
                rng.seek((phase * streams + region.number) * STREAM);
                self.fall_on(region, cells, &mut rng, share, progress);
            }
        };
        rows::for_each_row_with(&mut regions, 1, progress, scratch, work)?;
        for region in &regions {
            self.budget.add(SedimentBudget {
                eroded: region.ledger.eroded,
                deposited: region.ledger.deposited,
                exported: region.ledger.exported,
            });
            for &(cell, load) in &region.ledger.ends {
                self.mud.add(region.place(cell, self.shift), load);
            }
        }
        Ok(())
    }

    /// The number of random streams per phase.
    fn streams(&self) -> u64 {
        let (width, height) = self.place.world;
        let regions = ((width >> self.shift) as u64 + 2) * ((height >> self.shift) as u64 + 2);
        if regions > REGIONS {
            WORLDS_REGIONS
        } else {
            REGIONS
        }
    }

    fn fall_on(
        &self,
        region: &mut ErosionRegion<'_>,
        cells: &mut [f32],
        rng: &mut SeededRng,
        share: f64,
        progress: &Progress,
    ) {
        let mut ground = region.fetch(cells, self.shift);
        // A share of 2.3 means two droplets, and a third one in 30 % of the regions.
        let count = (share + rng.unit()) as usize;
        let bounds = ground.bounds();
        let starts = (0..count)
            .take_while(|k| k % 1024 != 0 || !progress.is_canceled())
            .map(|_| regions::start(rng, self.shift))
            .filter(|&(x, y)| bounds.hold(x, y));
        let (rules, brush, ledger) = (&self.rules, &self.brush, &mut region.ledger);
        dispatch!(Level::new(), _simd => lanes::run(&mut ground, rules, brush, starts, ledger));
        region.put_back(&ground);
    }

    /// Lets rivers carry off the mud that the droplets have left.
    fn end(
        self,
        ground: &mut Ground,
        progress: &Progress,
    ) -> Result<SedimentBudget, GenerateError> {
        let settled = self.mud.settle(ground, progress)?;
        let mut budget = self.budget;
        budget.add(SedimentBudget {
            eroded: 0.0,
            deposited: settled.deposited as f64,
            exported: settled.exported as f64,
        });
        progress.step(1, 1)?;
        Ok(budget)
    }
}
