//! The automaton, step by step: every cell at once takes the average over its neighbors.
//!
//! Each tile that has to be visited is read from one buffer and written into the other, a
//! row of neighboring tiles at a time, and then the two change places.
//!
//! The cost is that of the tiles in which light flows; over cells at rest it is nearly
//! nothing. It does not depend on the number of lights.
//!
//! Source: "Light propagation with CA" (2011); see the crate's documentation for the rule.

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
        // No average is above the brightest before it, dimmed.
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
            let (run, ys) = tile_run(self.light, self.tile, *tile_y, &tiles);
            scratch.start(run);
            scratch.rows.start(self.medium, self.light, ys.start, run);
            for (y, next) in ys.zip(next.chunks_mut(self.light.stride())) {
                self.advance_row(y, run, &mut next[run.first..run.end], scratch);
            }
            scratch.greatest(&mut change[tiles], self.tile);
        }
    }

    #[inline(always)]
    fn advance_row(&self, y: usize, run: Run, next: &mut [f32], scratch: &mut Scratch) {
        let cells = (self.medium, self.light, self.constraints);
        let Scratch {
            rows,
            patches,
            changes,
        } = scratch;
        patches.find(cells, (y, run), changes, |x, average| {
            let floor = self.floor.map_or(0.0, |floor| floor.get(x, y));
            let next = visible(average, floor, self.ceiling);
            Some(
                self.constraints
                    .get(x, y)
                    .map_or(next, |constraint| constraint.apply(next)),
            )
        });
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
        patches.apply(next, changes);
    }
}

/// What a run's next light is made of, beside what the rows above and here give.
struct RowStep<'a> {
    below: Emission<'a>,
    gain: &'a [f32],
    light: &'a [f32],
    ceiling: f32,
}

impl RowStep<'_> {
    /// Writes the next light of a row, goes on to the next row, and notes by how much each
    /// column has changed at most.
    #[inline(always)]
    fn advance(
        &self,
        next: &mut [f32],
        rows: &mut Rows,
        changes: &mut [u32],
        floor: impl Fn(usize) -> f32 + Copy,
    ) {
        for_each_kind!(self.below.sides, sides => {
            self.advance_by(sides, next, rows, changes, floor);
        });
        core::mem::swap(&mut rows.above, &mut rows.here);
    }

    /// All of it, but for going on to the next row, where rows give this to each other.
    #[inline(always)]
    fn advance_by(
        &self,
        sides: Sides,
        next: &mut [f32],
        rows: &mut Rows,
        changes: &mut [u32],
        floor: impl Fn(usize) -> f32,
    ) {
        let n = next.len();
        let (row_below, gain) = (self.below.cut(n), &self.gain[..n]);
        let (light, changes) = (&self.light[..n], &mut changes[..n]);
        let Rows { own, above, .. } = rows;
        // The row above is done with: what the row below gives takes its place.
        let (own_row, across_row) = (&mut own[..n], &mut above[..n]);
        for x in 0..n {
            let (own, below) = row_below.at(x, sides);
            let average = (own_row[x] + (across_row[x] + below)) * gain[x];
            (own_row[x], across_row[x]) = (own, below);
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
