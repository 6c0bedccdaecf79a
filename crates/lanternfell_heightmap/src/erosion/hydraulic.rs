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
//! the ground that the droplet sees ahead, and nothing laid above the higher of that and the
//! ground where it is. So drops leave no spikes, and no height leaves the map's range: not even
//! the lowest pit gets any deeper.
//!
//! Slopes are tangents: the context's scale says how steep a map is. A large map is eroded at
//! a coarser size first, so that it has valleys as large as a small one (the module
//! `coarse`). There a hollow smaller than a coarse cell sinks with the ground around it.
//!
//! All that is taken is put down again or carried out over the map's border, to the last grain:
//! heights are whole numbers of grains, a 2^24th of their range or up to two of those. What a droplet
//! carries when its life ends, or where the ground is flat, goes with the rivers, which leave
//! it in hollows on their way to the border (the module `mud`). [`SedimentBudget`] tells how much
//! that was.
//!
//! Cost: for each step of a droplet on one core with vectors of eight numbers about 15 ns at
//! radius 1, 20 at radius 2, 30 at radius 4; and for grains and mud about 15 ns a cell. Beside the map
//! one of grains, one more for coarser maps and mud, a thirty-second for the list of the
//! regions' rows, and one region per thread: 256 KiB by default, at most 4 MiB. With [`Traces`]
//! two maps more.
//!
//! The same bits with any number of threads: `hydraulic/regions.rs` says why.
//!
//! Source: Beyer, *Implementation of a method for hydraulic erosion*, TU München, 2015;
//! Lague, *Hydraulic Erosion*, 2019. The latter's droplets speed up uphill, by a slip of a
//! sign; these do not.

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
    /// # The rules
    /// `z` is the ground between the four cells around a place, bilinear, and `g` its gradient there,
    /// both in heights and cells; `s = relief / spacing`, so that `s g` is a tangent. A droplet
    /// starts anywhere with no direction, no load, speed `v = 1` and water `w = 1`. In one step:
    ///
    /// 1. Direction: `d = inertia d - (1 - inertia) s g`, brought to length 1; the droplet ends if that
    ///    is 0. It goes one cell: `q = p + d`. If `q` lies outside the map it is gone, and its load with
    ///    it.
    /// 2. Fall: `f = z(p) - z(q)`; what it can carry: `c = capacity max(f, min_slope / s) v w`, at most an
    ///    eighth to a quarter of the map's range of heights.
    /// 3. If `f >= 0` and its load `l < c`, it takes `min(erosion (c - l), f)` from the cells whose middles are
    ///    nearer to `p` than the radius `r`, each in proportion to `r - distance`, none below `z(q)`; at
    ///    a radius of 1, from the four cells around `p` by their bilinear weights. Else it lays
    ///    `deposition (l - c)`, or if `f < 0` as much as `-f` as far as its load goes, on the four cells
    ///    around `p` by their bilinear weights, none above the higher of `z(p)` and `z(q)`.
    /// 4. `v^2 = max(0, v^2 + gravity s f)`, `w = (1 - evaporation) w`.
    ///
    /// All amounts are whole grains, of which the range of heights has from 2^23 to 2^24. After its lifetime
    /// what it carries goes down the valleys by the map's drainage: it settles in hollows until three
    /// quarters of their depth are filled, and what finds no room leaves over the border.
    ///
    /// Droplets fall in `ceil(8 density)` rounds of four phases; in each, over squares of cells (a power of two
    /// from 128 to 1024, at least four times as long as the lifetime and 9), whose middle halves are a
    /// quarter of the map. Sixteen droplets of a square take their steps in turn: all look, then one
    /// after the other changes the ground. A map larger than `coarsest` is eroded at half its size
    /// first, and follows what changed there.
    ///
    /// Sources: Beyer, *Implementation of a method for hydraulic erosion*, TU München, 2015; Lague,
    /// *Hydraulic Erosion*, 2019. What is bounded in 3, the mud and the order are this crate's.
    ///
    /// ```
    /// use lanternfell_heightmap::{FilterContext, Hills, MapSize, Progress, Recipe, erosion::HydraulicErosion};
    ///
    /// let size = MapSize::new(128, 128)?;
    /// let mut map = Recipe::new(size, 7, Hills::default()).generate(&Progress::default())?;
    /// let rain = HydraulicErosion { density: 0.25, ..HydraulicErosion::default() };
    /// let traces = rain.erode_traced(&mut map, &FilterContext::new(size, 7), &Progress::default())?;
    /// assert_eq!(traces.worn.size(), size);
    /// let budget = traces.budget;
    /// let kept = budget.taken - budget.deposited - budget.carried_out;
    /// assert!(kept.abs() < 1e-9 * budget.taken); // none is lost
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
        /// How much a droplet can carry: this times its fall in a step, its speed and its water; never
        /// more than a quarter of the map's range of heights.
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

/// If all heights from cell to cell are as steep as this, that is as good as vertical, or as good as
/// flat if they are as its inverse.
const STEEPEST: f64 = (1_u64 << 40) as f64;

/// Rounds for each droplet per cell: every droplet of a phase runs in a region over which
/// only so many others have run since the regions were elsewhere.
const ROUNDS: f64 = 8.0;

/// Streams of a seed lie so many words apart. A region has less than half as many droplets.
const STREAM: u64 = 1 << 26;

/// More than there are regions in any phase, on a map and in a world that is larger than one.
const REGIONS: u64 = 1 << 15;
const WORLDS_REGIONS: u64 = 1 << 21;

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

    /// Erodes the map. The droplets come from the context's seed. Says what became of the ground
    /// that they took.
    ///
    /// # Errors
    /// When a parameter is out of its range or the work was cancelled; the map is as it was.
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
        // What is done is done, even if it was cancelled just now.
        progress.step(1, 1).ok();
        Ok(budget.times(grains.size()))
    }

    /// The narrowest brush that holds the radius on both sides.
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
        let budget = self.erode(map, context, &progress.span(0.0, 0.95))?;
        let (worn, laid) = traces::between(before, map, &progress.span(0.95, 1.0))?;
        Ok(Traces { worn, laid, budget })
    }

    /// On the map's half first, when it is large. `steepness` is the tangent of a slope of one
    /// grain from cell to cell; the budget is in grains.
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

    /// With a brush of `WIDTH` cells, twice the radius or more.
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

    /// The rules of a step on ground in grains.
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

/// How many cells wide the brush is that droplets take ground with: the code is compiled for each.
#[derive(Debug, Clone, Copy)]
enum Brushes {
    Two,
    Four,
    Eight,
    Sixteen,
}

/// The tangent of a slope of one grain from cell to cell.
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
    /// A region's side is 2 to this power.
    shift: u32,
    seed: u64,
    /// What droplets carried that have ended.
    mud: Mud,
    /// In grains.
    budget: SedimentBudget,
}

impl<const WIDTH: usize> Storm<WIDTH> {
    /// One phase: lets droplets run in all regions of a grid, `share` in each on average.
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
                taken: region.ledger.taken,
                deposited: region.ledger.laid,
                carried_out: region.ledger.carried_out,
            });
            for &(cell, load) in &region.ledger.ends {
                self.mud.add(region.place(cell, self.shift), load);
            }
        }
        Ok(())
    }

    /// How many streams of random numbers a phase has.
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
        // A share of 2.3 is two droplets, and a third in three regions of ten.
        let count = (share + rng.unit()) as usize;
        let bounds = ground.bounds();
        let starts = (0..count)
            .take_while(|k| k % 1024 != 0 || !progress.is_cancelled())
            .map(|_| regions::start(rng, self.shift))
            .filter(|&(x, y)| bounds.hold(x, y));
        let (rules, brush, ledger) = (&self.rules, &self.brush, &mut region.ledger);
        dispatch!(Level::new(), _simd => lanes::run(&mut ground, rules, brush, starts, ledger));
        region.put_back(&ground);
    }

    /// Carries off the mud that the rain has left.
    fn end(
        self,
        ground: &mut Ground,
        progress: &Progress,
    ) -> Result<SedimentBudget, GenerateError> {
        let settled = self.mud.settle(ground, progress)?;
        let mut budget = self.budget;
        budget.add(SedimentBudget {
            taken: 0.0,
            deposited: settled.laid as f64,
            carried_out: settled.carried_out as f64,
        });
        progress.step(1, 1)?;
        Ok(budget)
    }
}
