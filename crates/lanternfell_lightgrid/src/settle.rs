//! The settled light: where the automaton would come to rest, without the way there.
//!
//! # The problem
//!
//! A torch moved by one cell takes the automaton some seventy to hundreds of steps to
//! settle. Rules that ask "is this cell lit?" after each turn want the end of it now, and a lamp in
//! a small room shall not cost more on a large map than on a small one.
//!
//! # The idea
//!
//! At rest every cell equals its average: a linear system, apart from sources and ambient
//! light, which are lower bounds. Successive over-relaxation solves it in place. Each cell
//! goes past what its neighbors ask for by a factor that suits the decay, and is then put
//! back into its bounds (projected SOR; Cryer 1971). Neighbors must not move at the same
//! time, so a sweep has four phases, each of a quarter of the cells:
//!
//! ```text
//!     0 2 0 2        a cell of phase 0 has only
//!     1 3 1 3        neighbors of phases 1, 2, 3
//!     0 2 0 2
//! ```
//!
//! A hexagon's neighbors are six of those eight, so the same phases do for it. (The two that are none
//! are taken in with them, and stay as they are.)
//!
//! Only cells that pass light are solved for, and only those near which something moves: the
//! [region](region::Region) begins with the cells that are off their averages, and a cell that
//! moves takes its neighbors in. So the cost is that of the cells whose light changes, whatever the
//! size of the map and of its tiles. What is known of a cell (what it does with light) stays from
//! call to call while no wall changes there.
//!
//! Each color is a problem of its own, with a region of its own: large ones are one thread's each, and threads
//! that have none help. Where colors are [shades] of one light, that alone is solved.
//!
//! Walls receive light and pass none on, so they are lit once, at the end.
//!
//! A region of whole tiles would be simpler, but a lamp in a small room would then sweep every tile that the room
//! touches. One region for all colors would sweep each color where only another one changes, and would leave a third
//! thread nothing to do.
//!
//! # How exact
//!
//! A cell that is within the threshold of its average is left alone, and it comes to rest when a
//! sweep moves none. A step brings any two lights together by the factor `1 - decay`: averages, and
//! the larger of two, bring nothing further apart. So when no cell is further than `r` from what a
//! step would make of it, none is further than `r / decay` from the settled light. Here `r` is
//! `tolerance * decay`, a millionth of the average, which is left alone too because rounding would
//! send it to and fro, and another millionth for the rounding of the average itself. Divided by the
//! decay those bound what can be reached, and [`error`] tells. A shade is off by its part of that, by its own
//! rounding and by that of its lamps.
//!
//! # Determinism
//!
//! No two cells of a phase see each other, and which cells belong to the region follows from which
//! have moved: the bits depend neither on the order within a phase nor on threads and tiles. (Cells that were shades
//! may be off their averages by more than is left alone, by some roundings; whether one is looked at, after it was, depends on
//! the tile that it lies in.)

mod block;
mod ground;
mod progress;
mod region;
mod seeds;
mod shades;
mod special;
mod sweep;

use fearless_simd::Level;

use crate::{
    area::Area,
    channel::Channel,
    medium::Medium,
    threads::{in_pool, map_each},
};

use block::SIDE;
use ground::Ground;
use progress::Progress;
pub(crate) use region::Region;
use seeds::Seeds;
pub(crate) use shades::{Alike, Shades};
use shades::{OFF_AVERAGE, SHADE_ROUNDING, Shade};
use sweep::Sweep;

/// How to solve.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Solve {
    /// A cell this near its average is left alone.
    pub(crate) threshold: f32,
    /// How far a cell goes towards, and past, its average: from 1 to below 2.
    pub(crate) relaxation: f32,
    /// After so many sweeps it is left as it is.
    pub(crate) max_sweeps: u32,
}

/// A region with so many blocks awake is worth a thread of its own.
const LARGE: usize = 64;

/// Nearer than this part of its average no cell comes: rounding would send it to and fro.
const ROUNDING: f32 = 8.0 * f32::EPSILON;

/// By this part of itself a cell's average may be off: it goes through at most eighteen roundings,
/// each of half an epsilon (the light's products and sums, six; its weight's, eleven; and theirs).
const AVERAGE_ROUNDING: f32 = 9.0 * f32::EPSILON;

/// How far from the settled light any cell is at most, when it has come to rest with a rule
/// that loses so much in a step; infinite without loss.
pub(crate) fn error(channel: &Channel, decay: f32) -> f32 {
    let shade = if channel.was_shade() {
        OFF_AVERAGE
    } else {
        0.0
    };
    let rounding = (ROUNDING + AVERAGE_ROUNDING + shade) * channel.brightest();
    // In `f64` and then up, so that the bound is one.
    let error = f64::from(channel.threshold() + rounding) / f64::from(decay);
    let shade = f64::from(SHADE_ROUNDING * channel.brightest());
    ((error + shade) * (1.0 + 1e-6)) as f32
}

/// Whether a cell is too far from what is wanted to be left alone.
fn moves(wanted: f32, light: f32, threshold: f32) -> bool {
    (wanted - light).abs() > threshold + ROUNDING * wanted
}

/// Brings all colors to rest, those that are shades of one together; the most sweeps that one took, and whether all
/// came to rest; and in sweeps over how many cells.
pub(crate) fn settle(
    regions: &mut [Region],
    media: &[Medium],
    channels: &mut [Channel],
    shades: Option<Shades>,
    solve: Solve,
) -> (u32, bool, u64) {
    let mut colors = Color::all(regions, media, channels, shades, solve);
    // On this thread while regions are small: they are finished before another thread wakes up.
    for color in &mut colors {
        color.relax(|region| region.awake() < LARGE);
    }
    if colors.iter().any(|color| !color.is_over()) {
        in_pool(|| map_each(&mut colors, usize::MAX, |_, color| color.relax(|_| true)));
    }
    let awake = colors.iter().map(Color::cells);
    let cells = awake.fold(0, usize::max);
    let swept = colors
        .iter()
        .map(|color| color.cells() as u64 * u64::from(color.sweeps));
    let swept = swept.sum();
    map_each(&mut colors, cells, |_, color| color.end());
    let sweeps = colors.iter().map(|color| color.sweeps);
    let at_rest = colors.iter().all(|color| color.at_rest);
    (sweeps.fold(0, u32::max), at_rest, swept)
}

/// A color on its way to rest.
struct Color<'a> {
    region: &'a mut Region,
    medium: &'a Medium,
    channel: &'a mut Channel,
    /// The colors that are parts of its light.
    shades: Vec<Shade<'a>>,
    solve: Solve,
    /// No light is brighter than it has been, and what makes it. (What makes it alone would be a bound of
    /// the settled light too, but cells that a lamp leaves brighter would be off without any change near
    /// them.)
    ceiling: f32,
    /// Where something has changed since the light was settled last, one for each tile.
    areas: Vec<Area>,
    /// The walls that were off at the beginning.
    walls: Vec<(usize, usize)>,
    sweeps: u32,
    at_rest: bool,
    /// By how much a cell moved in the last sweep, at most.
    change: f32,
    progress: Progress,
}

impl<'a> Color<'a> {
    /// Those that are to be solved for.
    fn all(
        regions: &'a mut [Region],
        media: &'a [Medium],
        channels: &'a mut [Channel],
        shades: Option<Shades>,
        solve: Solve,
    ) -> Vec<Self> {
        let mut colors = Vec::new();
        let mut parts = Vec::new();
        for (color, (region, channel)) in regions.iter_mut().zip(channels).enumerate() {
            match shades {
                Some(shades) if color != shades.brightest() => {
                    // It will know nothing of what is written.
                    region.light_changed();
                    parts.push(Shade::begin(channel, shades.part(color), solve.threshold));
                }
                _ => {
                    let medium = &media[color.min(media.len() - 1)];
                    colors.push(Self::begin(region, medium, channel, solve));
                }
            }
        }
        // With shades there is exactly one color to solve for, without them there are no parts.
        if let [color] = &mut *colors {
            color.shades = parts;
        }
        colors
    }

    /// Finds where there is something to do.
    fn begin(
        region: &'a mut Region,
        medium: &'a Medium,
        channel: &'a mut Channel,
        solve: Solve,
    ) -> Self {
        // First, since a smaller threshold adds areas.
        channel.ask_for(solve.threshold);
        let areas = channel.drain_unsettled();
        let ceiling = channel.ceiling();
        let ground = Ground { medium, channel };
        let seeds = Seeds::find(ground, &areas, ceiling, solve.threshold);
        region.begin(ground, &seeds);
        Self {
            at_rest: region.awake() == 0,
            region,
            medium,
            channel,
            shades: Vec::new(),
            solve,
            ceiling,
            areas,
            walls: seeds.walls,
            sweeps: 0,
            change: 0.0,
            progress: Progress::new(solve.relaxation),
        }
    }

    fn is_over(&self) -> bool {
        self.at_rest || self.sweeps >= self.solve.max_sweeps
    }

    /// Sweeps until nothing moves, or while the region is as asked.
    fn relax(&mut self, goes_on: impl Fn(&Region) -> bool) {
        let ground = Ground {
            medium: self.medium,
            channel: self.channel,
        };
        let mut sweep = Sweep {
            level: Level::new(),
            lattice: self.medium.lattice(),
            threshold: self.solve.threshold,
            ceiling: self.ceiling,
            relaxation: 1.0,
        };
        while !self.is_over() && goes_on(self.region) {
            // Without progress, sweeps do not go past averages for a while: rounding errors fade.
            sweep.relaxation = if self.progress.is_lost() {
                1.0
            } else {
                self.solve.relaxation
            };
            self.change = sweep.over(self.region, ground);
            self.progress.end_sweep(self.change);
            // Cells within the threshold do not move, so an end is reached exactly.
            self.at_rest = self.change == 0.0;
            self.sweeps += 1;
        }
    }

    /// In how many cells light may have moved.
    fn cells(&self) -> usize {
        self.region.awake() * SIDE * SIDE
    }

    /// Writes what has come of it, and lights the walls.
    fn end(&mut self) {
        // Not before the last sweep: blocks that wake up on the way are read from the light before.
        self.region.write(self.channel, 1.0);
        let mut walls = core::mem::take(&mut self.walls);
        let size = (self.channel.light().width(), self.channel.light().height());
        walls.extend(self.region.walls(size));
        for &at in &walls {
            self.light_wall(at);
        }
        let cells = self.cells();
        let (region, channel) = (&*self.region, &*self.channel);
        map_each(&mut self.shades, cells, |_, shade| {
            shade.end(region, channel, &walls);
        });
        self.channel.note_residual(&self.areas, self.change);
        for shade in &mut self.shades {
            shade.note_residual(self.change);
        }
        // Sweeps were limited: the next call goes on with the same cells.
        if !self.at_rest {
            self.region.for_each_active(|x, y| {
                self.channel.unsettle(x, y);
                for shade in &mut self.shades {
                    shade.channel.unsettle(x, y);
                }
            });
        }
        self.region.rest();
    }

    /// Gives a cell that passes no light the light that it receives.
    fn light_wall(&mut self, at @ (x, y): (usize, usize)) {
        let ground = Ground {
            medium: self.medium,
            channel: self.channel,
        };
        let wanted = ground.wanted(at, self.ceiling);
        if moves(wanted, ground.light().get(x, y), self.solve.threshold) {
            self.channel.put(x, y, wanted);
        }
    }
}
