//! The settled light: where the automaton would come to rest, without the way there.
//!
//! # The problem
//!
//! A torch moved by one cell takes the automaton some seventy to hundreds of steps to
//! settle. Rules that ask "is this cell lit?" after each turn want the end of it now.
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
//!     3 1 3 1        neighbors of phases 1, 2, 3
//!     0 2 0 2
//! ```
//!
//! A cell that is within the threshold of its average is left alone, and a tile in whose
//! surroundings nothing moved is not visited. So a settled grid costs nothing, and a lamp
//! that moved costs its own surroundings.
//!
//! # How exact
//!
//! A step brings any two lights together by the factor `1 - decay`: averages, and the larger of
//! two, bring nothing further apart. So when no cell is further than `r` from what a step would
//! make of it, none is further than `r / decay` from the settled light. Here `r` is
//! `tolerance * decay`, a millionth of the average, which is left alone too because rounding would
//! send it to and fro, and another millionth for the rounding of the average itself. Divided by the
//! decay those bound what can be reached, and [`Channel::error`] tells.

use fearless_simd::{Level, dispatch};

use super::{
    band::{Band, Scratch, stretches, tile_run},
    state::{Channel, limit},
};
use crate::{
    kernel::{Emission, Rows},
    medium::Medium,
    plane::Run,
};

/// Column and row parity of the cells of each phase. The first two and the last two are
/// not neighbors along an edge: for four neighbors this is the red-black order.
const PHASES: [(usize, usize); 4] = [(0, 0), (1, 1), (0, 1), (1, 0)];

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

/// One of the four phases of a sweep.
#[derive(Clone, Copy)]
struct Phase<'a> {
    medium: &'a Medium,
    /// Of the columns and of the rows whose cells move.
    column_parity: usize,
    row_parity: usize,
    /// For each column how far its cells go; 0 in those of the other parity.
    relaxations: &'a [f32],
    threshold: f32,
    ceiling: f32,
}

impl Channel {
    /// Whether solving again would change nothing.
    pub(crate) fn is_settled(&self, solve: Solve) -> bool {
        solve.threshold >= self.threshold && !self.tiles.anything_since(self.settle_quiet_since)
    }

    /// How far from the settled light any cell is at most, when it has come to rest with a rule
    /// that loses so much in a step; infinite without loss.
    pub(crate) fn error(&self, decay: f32) -> f32 {
        let rounding = (ROUNDING + AVERAGE_ROUNDING) * self.brightest;
        // In `f64` and then up, so that the bound is one.
        let error = f64::from(self.threshold + rounding) / f64::from(decay);
        (error * (1.0 + 1e-6)) as f32
    }

    /// Solves; the number of sweeps, and whether it came to rest.
    pub(crate) fn settle(&mut self, medium: &Medium, solve: Solve) -> (u32, bool) {
        if self.is_settled(solve) {
            return (0, true);
        }
        if solve.threshold < self.threshold {
            // What was near enough may not be now.
            self.touch_lit();
        }
        self.threshold = solve.threshold;
        let width = self.light.width();
        let relaxations = relaxations_of(width, solve.relaxation);
        let calm = relaxations_of(width, 1.0);
        let ceiling = self.bound(medium);
        let mut sweeps = 0;
        let mut at_rest = false;
        let mut progress = Progress::new(solve.relaxation);
        while !at_rest && sweeps < solve.max_sweeps {
            let relaxations = if progress.is_lost() {
                &calm
            } else {
                &relaxations
            };
            let before = self.tiles.now();
            for (column_parity, row_parity) in PHASES {
                let phase = Phase {
                    medium,
                    column_parity,
                    row_parity,
                    relaxations: &relaxations[column_parity],
                    threshold: solve.threshold,
                    ceiling,
                };
                let change = self.relax(phase);
                progress.note(change);
            }
            progress.end_sweep();
            at_rest = !self.tiles.anything_since(before + 1);
            sweeps += 1;
        }
        if at_rest {
            self.settle_quiet_since = self.tiles.now();
        }
        (sweeps, at_rest)
    }

    /// No settled light is brighter than what makes it; but without any decay light that
    /// was there before can stay.
    fn bound(&self, medium: &Medium) -> f32 {
        if medium.keep() < 1.0 {
            self.brightest
        } else {
            self.ceiling
        }
    }

    /// One phase of a sweep; returns by how much the light of any cell changed.
    fn relax(&mut self, phase: Phase<'_>) -> f32 {
        self.tiles.tick();
        let kind = 2 * phase.row_parity + phase.column_parity;
        let mut bands = core::mem::take(&mut self.bands);
        for band in &mut bands {
            if self.tiles.visits(kind, band.tile_y, &mut band.visit) {
                dispatch!(Level::new(), _simd => self.relax_band(phase, band));
            }
        }
        self.bands = bands;
        self.note_changes()
    }

    /// Inlined with all that it calls, so that it is compiled once for each vector width.
    #[inline(always)]
    fn relax_band(&mut self, phase: Phase<'_>, band: &mut Band) {
        let Band {
            tile_y,
            visit,
            scratch,
            change,
        } = band;
        for tiles in stretches(visit) {
            let (run, ys) = tile_run(&self.light, self.tile, *tile_y, &tiles);
            scratch.start(run);
            let first = ys.start + (ys.start + phase.row_parity) % 2;
            scratch.rows.start(phase.medium, &self.light, first, run);
            for y in (first..ys.end).step_by(2) {
                self.relax_row(phase, y, run, scratch);
            }
            scratch.greatest(&mut change[tiles], self.tile);
        }
    }

    #[inline(always)]
    fn relax_row(&mut self, phase: Phase<'_>, y: usize, run: Run, scratch: &mut Scratch) {
        let medium = phase.medium;
        let cells = (medium, &self.light, &self.constraints);
        let Scratch {
            rows,
            patches,
            changes,
        } = scratch;
        patches.find(cells, (y, run), changes, |x, average| {
            let moves = x % 2 == phase.column_parity;
            moves.then(|| self.relax_alone(phase, x, y, average))
        });
        // The row has not moved since it was above another, but those beside it have.
        rows.go_to(medium, &self.light, y, run);
        let (light, below) = self.light.row_and_below_mut(y, run);
        let relaxation = RowRelaxation {
            below: Emission::of(medium, below, y + 2, run),
            gain: medium.gain().row(y, run.first, run.end),
            transparency: medium.transparency().row(y, run.first, run.end),
            relaxations: &phase.relaxations[run.first..run.end],
        };
        match &self.floor {
            None => relaxation.relax(phase, light, rows, changes, |_| 0.0),
            Some(floor) => {
                let floor = &floor.row(y, run.first, run.end)[..run.len()];
                relaxation.relax(phase, light, rows, changes, |x| floor[x]);
            }
        }
        patches.apply(light, changes);
    }

    /// The next light of a single cell, given its average. Where a source is it takes what
    /// the automaton gives it: going past what a source holds would only be undone.
    fn relax_alone(&self, phase: Phase<'_>, x: usize, y: usize, average: f32) -> f32 {
        let light = self.light.get(x, y);
        let floor = self.floor.as_ref().map_or(0.0, |floor| floor.get(x, y));
        let wanted = limit(average, floor, phase.ceiling);
        let Some(constraint) = self.constraints.get(x, y) else {
            let medium = phase.medium;
            let gain = medium.gain().get(x, y);
            let own = gain * medium.transparency().get(x, y);
            let relaxation = phase.relaxations[x];
            return phase.towards(wanted, light, floor, (own, relaxation));
        };
        let wanted = constraint.apply(wanted);
        if phase.moves(wanted, light) {
            wanted
        } else {
            light
        }
    }
}

/// What a run's next light is made of, beside what the rows above and here give.
struct RowRelaxation<'a> {
    below: Emission<'a>,
    gain: &'a [f32],
    transparency: &'a [f32],
    relaxations: &'a [f32],
}

impl RowRelaxation<'_> {
    /// Moves the light of a row, goes on by two rows, and notes by how much each column has
    /// changed at most.
    #[inline(always)]
    fn relax(
        &self,
        phase: Phase<'_>,
        light: &mut [f32],
        rows: &mut Rows,
        changes: &mut [u32],
        floor: impl Fn(usize) -> f32,
    ) {
        let n = light.len();
        let row_below = self.below.cut(n);
        let (gain, transparency) = (&self.gain[..n], &self.transparency[..n]);
        let (relaxations, changes) = (&self.relaxations[..n], &mut changes[..n]);
        // The row below is that above the next but one.
        let (own, across) = (&rows.own[..n], &mut rows.above[..n]);
        for x in 0..n {
            let (_, below) = row_below.at(x);
            let average = (own[x] + (across[x] + below)) * gain[x];
            across[x] = below;
            let wanted = limit(average, floor(x), phase.ceiling);
            let weight = (gain[x] * transparency[x], relaxations[x]);
            let next = phase.towards(wanted, light[x], floor(x), weight);
            changes[x] = changes[x].max((next - light[x]).abs().to_bits());
            light[x] = next;
        }
    }
}

impl Phase<'_> {
    /// From the light towards, and past, what is wanted, by how far a cell goes. The average
    /// holds a part of the cell's `own` light, by which it falls short.
    #[inline(always)]
    fn towards(&self, wanted: f32, light: f32, floor: f32, (own, relaxation): (f32, f32)) -> f32 {
        let off = wanted - light;
        let others = 1.0 - own;
        let others = if others < LEAST_OTHERS {
            LEAST_OTHERS
        } else {
            others
        };
        let next = limit(light + relaxation * off / others, floor, self.ceiling);
        if relaxation > 0.0 && self.moves(wanted, light) {
            next
        } else {
            light
        }
    }

    /// Whether a cell is too far from what is wanted to be left alone.
    #[inline(always)]
    fn moves(&self, wanted: f32, light: f32) -> bool {
        (wanted - light).abs() > self.threshold + ROUNDING * wanted
    }
}

/// Nearer than this part of its average no cell comes: rounding would send it to and fro.
const ROUNDING: f32 = 8.0 * f32::EPSILON;

/// By this part of itself a cell's average may be off: it goes through at most eighteen roundings,
/// each of half an epsilon (the light's products and sums, six; its weight's, eleven; and theirs).
const AVERAGE_ROUNDING: f32 = 9.0 * f32::EPSILON;

/// Keeps the division from 0/0 in a cell that hears only itself.
const LEAST_OTHERS: f32 = 1.0 / 1024.0;

/// Whether sweeps still bring the light nearer to rest.
///
/// Going past what is wanted makes rounding errors grow: near the end they can keep cells
/// awake for ever. So when there is no progress, a few sweeps do not go past.
struct Progress {
    /// The greatest change in this sweep, and the least of those of the sweeps before.
    change: f32,
    least: f32,
    /// Sweeps since it was halved last, and how many it may take.
    sweeps: u32,
    patience: u32,
}

impl Progress {
    /// Sweeps that do not go past, before the others are tried again.
    const CALM: u32 = 12;

    fn new(relaxation: f32) -> Self {
        // Once the slowest wave is all that is left, each sweep leaves this part of it.
        let left = f64::from(relaxation - 1.0).max(0.5);
        let halving = core::f64::consts::LN_2 / -libm::log(left);
        Self {
            change: 0.0,
            least: f32::INFINITY,
            sweeps: 0,
            patience: 16 + (4.0 * halving) as u32,
        }
    }

    fn note(&mut self, change: f32) {
        self.change = self.change.max(change);
    }

    fn end_sweep(&mut self) {
        self.sweeps += 1;
        if self.change < 0.5 * self.least {
            (self.least, self.sweeps) = (self.change, 0);
        } else if self.sweeps > self.patience + Self::CALM {
            (self.least, self.sweeps) = (f32::INFINITY, 0);
        }
        self.change = 0.0;
    }

    fn is_lost(&self) -> bool {
        self.sweeps > self.patience
    }
}

/// For each parity of columns: how far the cells of each column go.
fn relaxations_of(width: usize, relaxation: f32) -> [Vec<f32>; 2] {
    let of = |parity: usize| {
        let columns = (0..width).map(|x| if x % 2 == parity { relaxation } else { 0.0 });
        columns.collect()
    };
    [of(0), of(1)]
}
