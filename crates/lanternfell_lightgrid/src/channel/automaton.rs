//! The automaton, step by step: every cell at once takes the average over its neighbors.
//!
//! Each tile that has to be visited is read from one buffer and written into the other, a
//! row of neighboring tiles at a time, and then the buffers are swapped.
//!
//! Tiles that are not visited are not copied: both buffers must be equal there, so that the swap
//! leaves them as they are. [`Activity`](crate::activity::Activity) visits a tile once more after its
//! last change, which makes them so. Only where another light was put in (`back_is_old`) is all of it
//! copied.
//!
//! The cost is that of the tiles in which light flows; cells at rest cost almost nothing. It does not
//! depend on the number of lights.
//!
//! Source: "Light propagation with CA" (2011); see the crate's documentation for the rule.

use core::ops::Range;

use fearless_simd::{Level, dispatch};

use super::{
    band::{Band, Scratch, stretches, tile_run},
    state::{Channel, DARK, limit},
};
use crate::{
    kernel::{Emission, Rows},
    medium::Medium,
    neighborhood::{Sides, for_each_kind},
    plane::{Plane, Run},
    source::SourceConstraint,
    sparse::Sparse,
    threads::for_each_awake,
};

impl Channel {
    /// Whether the next step would change nothing.
    pub(crate) fn rests(&self) -> bool {
        !self.tiles.anything_since(self.step_quiet_since)
    }

    /// One step.
    pub(crate) fn step(&mut self, medium: &Medium) {
        if core::mem::take(&mut self.back_is_old) {
            self.back.clone_from(&self.light);
        }
        self.tiles.tick();
        // No average is above the brightest before it, dimmed. So the ceiling follows when lamps go out.
        self.ceiling = self.brightest.max(self.ceiling * medium.keep());
        self.plan();
        self.pass(medium);
        self.note_changes();
        core::mem::swap(&mut self.light, &mut self.back);
        if !self.tiles.anything_since(self.tiles.now()) {
            self.step_quiet_since = self.tiles.now();
        }
    }

    /// Finds the tiles that have to be visited.
    fn plan(&mut self) {
        for band in &mut self.bands {
            self.tiles.visits(band.tile_y, &mut band.visit);
        }
    }

    /// Writes the next light into the other buffer, each row of tiles on its own.
    fn pass(&mut self, medium: &Medium) {
        let now = Now {
            medium,
            light: &self.light,
            constraints: &self.constraints,
            floor: self.floor.as_ref(),
            ceiling: self.ceiling,
            tile: self.tile,
        };
        let rows = self.back.bands_mut(self.tile);
        for_each_awake(rows, &mut self.bands, Band::is_awake, |next, band| {
            dispatch!(Level::new(), _simd => now.advance(next, band));
        });
    }
}

/// What the next light is made of.
struct Now<'a> {
    medium: &'a Medium,
    light: &'a Plane,
    constraints: &'a Sparse<SourceConstraint>,
    floor: Option<&'a Plane>,
    ceiling: f32,
    tile: usize,
}

impl Now<'_> {
    /// Inlined with all that it calls, so that it is compiled once for each vector width.
    #[inline(always)]
    fn advance(&self, next: &mut [f32], band: &mut Band) {
        let Band {
            tile_y,
            visit,
            scratch,
            change,
        } = band;
        for tiles in stretches(visit) {
            // A stretch of tiles is one run of cells, so that rows are long and sums are shared.
            let (run, ys) = tile_run(self.light, self.tile, *tile_y, &tiles);
            scratch.start(run);
            scratch.rows.start(self.medium, self.light, ys.start, run);
            let stride = self.light.stride();
            // Only a band with an odd number of rows, by its tiles' side or the grid's end, has a rest.
            let mut pairs = next[..ys.len() * stride].chunks_exact_mut(2 * stride);
            let mut y = ys.start;
            for pair in &mut pairs {
                let (upper, lower) = pair.split_at_mut(stride);
                let pair = [upper, lower].map(|row| &mut row[run.first..run.end]);
                self.advance_pair(y, run, pair, scratch);
                y += 2;
            }
            if let Some(row) = pairs.into_remainder().get_mut(run.first..run.end) {
                self.advance_last(y, run, row, scratch);
            }
            scratch.greatest(&mut change[tiles], self.tile);
        }
    }

    /// Writes the next light of two rows.
    #[inline(always)]
    fn advance_pair(&self, y: usize, run: Run, next: [&mut [f32]; 2], scratch: &mut Scratch) {
        // Before the loop, while `changes` are still those of the rows above.
        self.find_patches(y..y + 2, run, scratch);
        let Scratch {
            rows,
            patches,
            changes,
        } = scratch;
        let [upper, lower] = next;
        let before = pair_of(self.light, y, run);
        let step = PairStep {
            // Rows of emissions are counted from the ring around the grid, so `y + 2` is the lower row.
            below: [
                Emission::new(self.medium, self.light, y + 2, run),
                Emission::new(self.medium, self.light, y + 3, run),
            ],
            gain: pair_of(self.medium.gain(), y, run),
            light: before[0],
            ceiling: self.ceiling,
        };
        let next = [&mut *upper, &mut *lower];
        // Two copies of the loop: nearly all maps have no ambient light, and read nothing for it.
        match self.floor {
            None => step.advance(next, rows, changes, |_| [0.0; 2]),
            Some(floor) => {
                let [upper, lower] = pair_of(floor, y, run);
                let (upper, lower) = (&upper[..run.len()], &lower[..run.len()]);
                step.advance(next, rows, changes, |x| [upper[x], lower[x]]);
            }
        }
        patches.apply(&mut [upper, lower], &before, changes);
    }

    /// Writes the next light of a row that is left over, the last of its band.
    #[inline(always)]
    fn advance_last(&self, y: usize, run: Run, next: &mut [f32], scratch: &mut Scratch) {
        self.find_patches(y..y + 1, run, scratch);
        let Scratch {
            rows,
            patches,
            changes,
        } = scratch;
        let step = RowStep {
            below: Emission::new(self.medium, self.light, y + 2, run),
            gain: self.medium.gain().row(y, run.first, run.end),
            light: self.light.row(y, run.first, run.end),
            ceiling: self.ceiling,
        };
        match self.floor {
            None => step.advance(next, rows, changes, |_| 0.0),
            Some(floor) => {
                let floor = &floor.row(y, run.first, run.end)[..run.len()];
                step.advance(next, rows, changes, |x| floor[x]);
            }
        }
        patches.apply(&mut [next], &[step.light], changes);
    }

    /// Finds what the loops will get wrong in these rows.
    #[inline(always)]
    fn find_patches(&self, ys: Range<usize>, run: Run, scratch: &mut Scratch) {
        let Scratch {
            patches, changes, ..
        } = scratch;
        patches.clear();
        for (row, y) in ys.enumerate() {
            let cells = (self.medium, self.light, self.constraints);
            patches.find(cells, (row, y, run), changes, |x, average| {
                let floor = self.floor.map_or(0.0, |floor| floor.get(x, y));
                let next = visible(average, floor, self.ceiling);
                let constraint = self.constraints.get(x, y);
                constraint.map_or(next, |constraint| constraint.apply(next))
            });
        }
    }
}

/// The run's cells of a row and that below.
#[inline(always)]
fn pair_of(plane: &Plane, y: usize, run: Run) -> [&[f32]; 2] {
    [
        plane.row(y, run.first, run.end),
        plane.row(y + 1, run.first, run.end),
    ]
}

/// What the next light of a run in two rows is made of, beside what the row above and the upper of them give.
struct PairStep<'a> {
    /// What the lower of them gives, and the row below both.
    below: [Emission<'a>; 2],
    gain: [&'a [f32]; 2],
    /// Of the upper.
    light: &'a [f32],
    ceiling: f32,
}

impl PairStep<'_> {
    /// Writes the next light of both rows, goes on to the row below, and notes by how much each column has changed at
    /// most. That the rows come in pairs spares half of what they give to each other from being written and read again.
    #[inline(always)]
    fn advance(
        &self,
        next: [&mut [f32]; 2],
        rows: &mut Rows,
        changes: &mut [u32],
        floor: impl Fn(usize) -> [f32; 2] + Copy,
    ) {
        let [upper, lower] = next;
        for_each_kind!(self.below[0].sides, sides => {
            self.advance_by(sides, upper, lower, rows, changes, floor);
        });
    }

    /// The same, where the lower of the rows gives this to those beside it. Each slice is an argument by itself: so the
    /// compiler knows that none lies over another.
    #[inline(always)]
    fn advance_by(
        &self,
        sides: Sides,
        upper: &mut [f32],
        lower: &mut [f32],
        Rows { own, above, here }: &mut Rows,
        changes: &mut [u32],
        floor: impl Fn(usize) -> [f32; 2],
    ) {
        // All slices have the same length, so the loop has no bounds checks and becomes vector code.
        let n = upper.len();
        let lower = &mut lower[..n];
        let (row_lower, row_below) = (self.below[0].cut(n), self.below[1].cut(n));
        let (gain_upper, gain_lower) = (&self.gain[0][..n], &self.gain[1][..n]);
        let (light, changes) = (&self.light[..n], &mut changes[..n]);
        let (own, above, here) = (&mut own[..n], &mut above[..n], &mut here[..n]);
        for x in 0..n {
            let (own_lower, across_lower) = row_lower.at(x, sides);
            let (own_below, across_below) = row_below.at(x, sides.of_next_row());
            let average_upper = (own[x] + (above[x] + across_lower)) * gain_upper[x];
            let average_lower = (own_lower + (here[x] + across_below)) * gain_lower[x];
            // The next pair's upper row is the one below, and above it is the lower row.
            (own[x], above[x], here[x]) = (own_below, across_lower, across_below);
            let [floor_upper, floor_lower] = floor(x);
            upper[x] = visible(average_upper, floor_upper, self.ceiling);
            lower[x] = visible(average_lower, floor_lower, self.ceiling);
            // The bits of numbers that are not negative have the same order: see `Scratch`.
            let change_upper = (upper[x] - light[x]).abs().to_bits();
            let change_lower = (lower[x] - row_lower.light(x)).abs().to_bits();
            changes[x] = changes[x].max(change_upper.max(change_lower));
        }
    }
}

/// What the next light of a run is made of, beside what the rows above and here give.
struct RowStep<'a> {
    below: Emission<'a>,
    gain: &'a [f32],
    light: &'a [f32],
    ceiling: f32,
}

impl RowStep<'_> {
    /// Writes the next light of a row, and notes by how much each column has changed at most. What rows give to each
    /// other is not kept: this is the last of its band. There are few such rows, one for each row of tiles with an odd
    /// side, so that the loop is not compiled for each kind of sides.
    #[inline(always)]
    fn advance(
        &self,
        next: &mut [f32],
        rows: &Rows,
        changes: &mut [u32],
        floor: impl Fn(usize) -> f32 + Copy,
    ) {
        let n = next.len();
        let (row_below, gain) = (self.below.cut(n), &self.gain[..n]);
        let (light, changes) = (&self.light[..n], &mut changes[..n]);
        let (own, above) = (&rows.own[..n], &rows.above[..n]);
        for x in 0..n {
            let (_, below) = row_below.at(x, row_below.sides);
            let average = (own[x] + (above[x] + below)) * gain[x];
            next[x] = visible(average, floor(x), self.ceiling);
            changes[x] = changes[x].max((next[x] - light[x]).abs().to_bits());
        }
    }
}

/// No light below [`DARK`], none below the ambient light, none above the ceiling.
#[inline(always)]
fn visible(light: f32, floor: f32, ceiling: f32) -> f32 {
    limit(if light < DARK { 0.0 } else { light }, floor, ceiling)
}
