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
//! call to call while no wall changes there. The three colors go side by side, in one vector.
//!
//! Walls receive light and pass none on, so they are lit once, at the end.
//!
//! # How exact
//!
//! A cell that is within the threshold of its average is left alone, and it comes to rest when a
//! sweep moves none. A step brings any two lights together by the factor `1 - decay`: averages, and
//! the larger of two, bring nothing further apart. So when no cell is further than `r` from what a
//! step would make of it, none is further than `r / decay` from the settled light. Here `r` is
//! `tolerance * decay`, a millionth of the average, which is left alone too because rounding would
//! send it to and fro, and another millionth for the rounding of the average itself. Divided by the
//! decay those bound what can be reached, and [`error`] tells.
//!
//! # Determinism
//!
//! No two cells of a phase see each other, and which cells belong to the region follows from which
//! have moved: the bits depend neither on the order within a phase nor on threads and tiles.

mod block;
mod ground;
mod progress;
mod region;
mod seeds;
mod special;
mod sweep;

use glam::Vec4;

use crate::{
    channel::{Channel, limit},
    medium::Medium,
    threads::in_pool,
};

use ground::Ground;
use progress::Progress;
pub(crate) use region::Region;
use seeds::Seeds;
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

/// Nearer than this part of its average no cell comes: rounding would send it to and fro.
const ROUNDING: f32 = 8.0 * f32::EPSILON;

/// By this part of itself a cell's average may be off: it goes through at most eighteen roundings,
/// each of half an epsilon (the light's products and sums, six; its weight's, eleven; and theirs).
const AVERAGE_ROUNDING: f32 = 9.0 * f32::EPSILON;

/// How far from the settled light any cell is at most, when it has come to rest with a rule
/// that loses so much in a step; infinite without loss.
pub(crate) fn error(channel: &Channel, decay: f32) -> f32 {
    let rounding = (ROUNDING + AVERAGE_ROUNDING) * channel.brightest();
    // In `f64` and then up, so that the bound is one.
    let error = f64::from(channel.threshold() + rounding) / f64::from(decay);
    (error * (1.0 + 1e-6)) as f32
}

/// Whether a cell is too far from what is wanted to be left alone.
fn moves(wanted: f32, light: f32, threshold: f32) -> bool {
    (wanted - light).abs() > threshold + ROUNDING * wanted
}

/// Brings all colors to rest; the number of sweeps, and whether they came to rest.
pub(crate) fn settle(
    region: &mut Region,
    media: &[Medium],
    channels: &mut [Channel],
    solve: Solve,
) -> (u32, bool) {
    for channel in channels.iter_mut() {
        channel.ask_for(solve.threshold);
    }
    let ceilings = ceilings(channels);
    let seeds = Seeds::find(media, channels, ceilings, solve.threshold);
    let ground = Ground { media, channels };
    region.begin(&ground, &seeds);
    let way = relax(region, &ground, ceilings, solve);
    let walls = region.end(channels);
    for &(x, y) in seeds.walls.iter().chain(&walls) {
        light_wall(media, channels, (x, y), ceilings, solve.threshold);
    }
    for channel in channels {
        channel.note_residual(&seeds.areas, way.change);
        if !way.at_rest {
            region.for_each_active(|x, y| channel.unsettle(x, y));
        }
    }
    region.rest();
    (way.sweeps, way.at_rest)
}

/// How far sweeps have come.
struct Way {
    sweeps: u32,
    at_rest: bool,
    /// By how much a cell moved in the last sweep, at most.
    change: f32,
    progress: Progress,
}

/// Sweeps until nothing moves: on this thread while the region is small, for it would be done before
/// another has woken up.
fn relax(region: &mut Region, ground: &Ground<'_>, ceilings: Vec4, solve: Solve) -> Way {
    let mut way = Way {
        sweeps: 0,
        at_rest: region.is_empty(),
        change: 0.0,
        progress: Progress::new(solve.relaxation),
    };
    let mut sweep = Sweep {
        lattice: ground.media[0].lattice(),
        threshold: solve.threshold,
        ceiling: ceilings.to_array(),
        relaxation: solve.relaxation,
    };
    let mut go_on = |way: &mut Way, region: &mut Region| {
        sweep.relaxation = if way.progress.is_lost() {
            1.0
        } else {
            solve.relaxation
        };
        way.change = sweep.over(region, ground);
        way.progress.end_sweep(way.change);
        way.at_rest = way.change == 0.0;
        way.sweeps += 1;
    };
    let is_over = |way: &Way| way.at_rest || way.sweeps >= solve.max_sweeps;
    while !is_over(&way) && !region.is_large() {
        go_on(&mut way, region);
    }
    if !is_over(&way) {
        in_pool(|| {
            while !is_over(&way) {
                go_on(&mut way, region);
            }
        });
    }
    way
}

/// No light is brighter than it has been, and what makes it. (What makes it alone would be a bound of
/// the settled light too, but cells that a lamp leaves brighter would be off without any change near
/// them.)
fn ceilings(channels: &[Channel]) -> Vec4 {
    let mut ceilings = Vec4::ZERO;
    for (color, channel) in channels.iter().enumerate() {
        ceilings[color] = channel.ceiling();
    }
    ceilings
}

/// Gives a cell that passes no light the light that it receives.
fn light_wall(
    media: &[Medium],
    channels: &mut [Channel],
    (x, y): (usize, usize),
    ceilings: Vec4,
    threshold: f32,
) {
    for (color, channel) in channels.iter_mut().enumerate() {
        let wanted = wanted(medium_of(media, color), channel, (x, y), ceilings[color]);
        if moves(wanted, channel.light().get(x, y), threshold) {
            channel.put(x, y, wanted);
        }
    }
}

/// What a cell's neighbors, its source and its ambient light ask of it.
fn wanted(medium: &Medium, channel: &Channel, (x, y): (usize, usize), ceiling: f32) -> f32 {
    let average = medium.average(channel.light(), x, y);
    let wanted = limit(average, channel.floor(x, y), ceiling);
    let constraint = channel.constraint(x, y);
    constraint.map_or(wanted, |constraint| constraint.apply(wanted))
}

/// That of the color, or that of all colors.
fn medium_of(media: &[Medium], color: usize) -> &Medium {
    &media[color.min(media.len() - 1)]
}
