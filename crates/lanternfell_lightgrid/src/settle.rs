//! The settled light: the state in which the automaton would come to rest, computed directly.
//!
//! # The problem
//!
//! When a torch moves by one cell, the automaton takes some seventy to several hundred steps to
//! settle. Rules that ask "is this cell lit?" after each turn need the final state immediately. A
//! lamp in a small room must not cost more on a large map than on a small one.
//!
//! # The idea
//!
//! At rest every cell equals its average. This is a linear system, except that sources and ambient
//! light are lower bounds. Successive over-relaxation solves it in place: each cell moves past its
//! average by a factor that suits the decay, and is then clamped to its bounds (projected SOR;
//! Cryer 1971). Neighbors must not move at the same time, so a sweep has four phases, each with a
//! quarter of the cells:
//!
//! ```text
//!     0 2 0 2        the neighbors of a cell of phase 0
//!     1 3 1 3        are of phases 1, 2 and 3
//!     0 2 0 2
//! ```
//!
//! The neighbors of a hexagon are six of those eight, so the same phases work for hexagons. (The
//! other two cells are added to the region together with the neighbors, and remain unchanged.)
//!
//! Only cells that pass light on are solved for, and only those near which light changes. The
//! [region](region::Region) starts with the cells that differ from their averages, and a cell that
//! moves adds its neighbors. The cost therefore depends on the number of cells whose light changes,
//! not on the size of the map or of the tiles. The known properties of cells are kept from call to
//! call, until a wall changes there.
//!
//! Each color is a separate problem with its own region. Large regions get one thread each, and
//! idle threads help them. If the colors are [shades] of one light, only that light is solved.
//!
//! Walls receive light but pass none on, so they are lit once at the end.
//!
//! A region of whole tiles would be simpler, but a lamp in a small room would then sweep all tiles
//! that the room touches. One region for all colors would sweep each color where only another one
//! changes, and could not use a third thread.
//!
//! # Accuracy
//!
//! A cell within the threshold of its average is left alone, and the light is at rest when a sweep
//! moves no cell. A step multiplies the difference between any two lights by at most `1 - decay`,
//! because averages and maxima never increase differences. So if no cell differs by more than `r`
//! from its result of a step, no cell differs by more than `r / decay` from the settled light.
//!
//! Here `r` has three parts: the threshold `tolerance * decay`, a millionth of the average, which
//! is left alone because rounding would make the cell oscillate, and another millionth for the
//! rounding of the average itself. Divided by the decay, the last two limit the accuracy; [`error`]
//! computes the bound. For a shade, the error is multiplied by its proportion, plus its own
//! rounding and that of its lamps.
//!
//! # Determinism
//!
//! Cells of one phase do not read each other, and the region depends only on which cells have
//! moved. The results therefore do not depend on the order within a phase, on threads or on tiles.
//! One exception: cells that were shades may differ from their averages by a few roundings more
//! than the threshold. Whether such a cell is examined later depends on the tile that it is in.

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

/// Parameters of the solver.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Solve {
    /// A cell this close to its average is left alone.
    pub(crate) threshold: f32,
    /// How far a cell moves towards, and past, its average: from 1 to below 2.
    pub(crate) relaxation: f32,
    /// The maximum number of sweeps.
    pub(crate) max_sweeps: u32,
}

/// A region with this many awake blocks is worth its own thread.
const LARGE: usize = 64;

/// Cells closer to their average than this fraction of it are left alone, because rounding would
/// make them oscillate.
const ROUNDING: f32 = 8.0 * f32::EPSILON;

/// The maximum relative rounding error of an average. It consists of at most eighteen roundings of
/// half an epsilon: six in the products and sums of light, eleven in the denominator, and one in
/// their product.
const AVERAGE_ROUNDING: f32 = 9.0 * f32::EPSILON;

/// The maximum distance of any cell from the settled light, after the channel has come to rest.
/// Infinite without decay.
pub(crate) fn error(channel: &Channel, decay: f32) -> f32 {
    let shade = if channel.was_shade() {
        OFF_AVERAGE
    } else {
        0.0
    };
    let rounding = (ROUNDING + AVERAGE_ROUNDING + shade) * channel.brightest();
    // Computed in `f64` and rounded up, so that it is an upper bound.
    let error = f64::from(channel.threshold() + rounding) / f64::from(decay);
    let shade = f64::from(SHADE_ROUNDING * channel.brightest());
    ((error + shade) * (1.0 + 1e-6)) as f32
}

/// Whether a cell is too far from its wanted light to be left alone.
fn moves(wanted: f32, light: f32, threshold: f32) -> bool {
    (wanted - light).abs() > threshold + ROUNDING * wanted
}

/// Brings all colors to rest, those that are shades together. Returns the maximum number of sweeps
/// of a color, whether all came to rest, and the number of cells in all sweeps.
pub(crate) fn settle(
    regions: &mut [Region],
    media: &[Medium],
    channels: &mut [Channel],
    shades: Option<Shades>,
    solve: Solve,
) -> (u32, bool, u64) {
    let mut colors = Color::all(regions, media, channels, shades, solve);
    // Small regions run on this thread: they are finished before another thread wakes up.
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

/// The state of the solver for one color.
struct Color<'a> {
    region: &'a mut Region,
    medium: &'a Medium,
    channel: &'a mut Channel,
    /// The colors that are multiples of this light.
    shades: Vec<Shade<'a>>,
    solve: Solve,
    /// An upper bound on all light: the maximum of the light so far and of what lamps demand. The
    /// demands alone would also bound the settled light. But cells that a lamp left brighter would
    /// then be out of bounds without any change near them.
    ceiling: f32,
    /// The areas that have changed since the light was settled last, one for each tile.
    areas: Vec<Area>,
    /// The walls that differed from their averages at the beginning.
    walls: Vec<(usize, usize)>,
    sweeps: u32,
    at_rest: bool,
    /// The largest change of a cell in the last sweep.
    change: f32,
    progress: Progress,
}

impl<'a> Color<'a> {
    /// The colors that must be solved.
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
                    // Its region does not see what is written to the channel.
                    region.light_changed();
                    parts.push(Shade::begin(channel, shades.part(color), solve.threshold));
                }
                _ => {
                    let medium = &media[color.min(media.len() - 1)];
                    colors.push(Self::begin(region, medium, channel, solve));
                }
            }
        }
        // With shades there is exactly one color to solve. Without shades there are no parts.
        if let [color] = &mut *colors {
            color.shades = parts;
        }
        colors
    }

    /// Finds the cells to solve.
    fn begin(
        region: &'a mut Region,
        medium: &'a Medium,
        channel: &'a mut Channel,
        solve: Solve,
    ) -> Self {
        // First, because a smaller threshold adds areas.
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

    /// Sweeps until no cell moves, while `goes_on` is true for the region.
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
            // Without progress, some sweeps do not go past the averages, so that rounding errors
            // fade.
            sweep.relaxation = if self.progress.is_lost() {
                1.0
            } else {
                self.solve.relaxation
            };
            self.change = sweep.over(self.region, ground);
            self.progress.end_sweep(self.change);
            // Cells within the threshold do not move, so the change becomes exactly 0.
            self.at_rest = self.change == 0.0;
            self.sweeps += 1;
        }
    }

    /// The number of cells whose light may have changed.
    fn cells(&self) -> usize {
        self.region.awake() * SIDE * SIDE
    }

    /// Writes the results, and lights the walls.
    fn end(&mut self) {
        // Not before the last sweep, because blocks that wake up on the way read the light from
        // before.
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
        // The number of sweeps was limited: the next call continues with the same cells.
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

    /// Updates the light that a wall receives.
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
