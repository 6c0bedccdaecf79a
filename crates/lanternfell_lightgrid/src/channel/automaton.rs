//! The automaton: in each step, every cell takes the average over its neighbors at the same time.
//!
//! A step reads each tile that must be visited from one buffer and writes it into the other, a row
//! of consecutive tiles at a time. Then the buffers are swapped.
//!
//! Tiles that are not visited are not copied. The swap leaves them unchanged because both buffers
//! are equal there: [`Activity`](crate::activity::Activity) visits a tile once more after its last
//! change, which makes them equal. Only when the light was replaced from outside (`back_is_old`),
//! the whole buffer is copied.
//!
//! The cost is that of the tiles in which light flows. Cells at rest cost almost nothing, and the
//! number of lights does not matter.
//!
//! Source: "Light propagation with CA" (2011). The crate documentation describes the rule.

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

    /// Performs one step.
    pub(crate) fn step(&mut self, medium: &Medium) {
        if core::mem::take(&mut self.back_is_old) {
            self.back.clone_from(&self.light);
        }
        self.tiles.tick();
        // No average exceeds the previous maximum times `keep`, so the ceiling falls after lamps
        // have gone out.
        self.ceiling = self.brightest.max(self.ceiling * medium.keep());
        self.plan();
        self.pass(medium);
        self.note_changes();
        core::mem::swap(&mut self.light, &mut self.back);
        if !self.tiles.anything_since(self.tiles.now()) {
            self.step_quiet_since = self.tiles.now();
        }
    }

    /// Finds the tiles that must be visited.
    fn plan(&mut self) {
        for band in &mut self.bands {
            self.tiles.visits(band.tile_y, &mut band.visit);
        }
    }

    /// Writes the next light into the other buffer, each row of tiles separately.
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

/// The present state, from which the next light is computed.
struct Now<'a> {
    medium: &'a Medium,
    light: &'a Plane,
    constraints: &'a Sparse<SourceConstraint>,
    floor: Option<&'a Plane>,
    ceiling: f32,
    tile: usize,
}

impl Now<'_> {
    /// Inlined with all its callees, so that it is compiled once for each vector width.
    #[inline(always)]
    fn advance(&self, next: &mut [f32], band: &mut Band) {
        let Band {
            tile_y,
            visit,
            scratch,
            change,
        } = band;
        for tiles in stretches(visit) {
            // A stretch of tiles is processed as one run of cells, so rows are long and share their
            // sums.
            let (run, ys) = tile_run(self.light, self.tile, *tile_y, &tiles);
            scratch.start(run);
            scratch.rows.start(self.medium, self.light, ys.start, run);
            let stride = self.light.stride();
            // One row remains if a band has an odd number of rows, because of the tile size or the
            // end of the grid.
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
            // Rows of emissions are counted from the ring around the grid, so `y + 2` is the lower
            // row.
            below: [
                Emission::new(self.medium, self.light, y + 2, run),
                Emission::new(self.medium, self.light, y + 3, run),
            ],
            gain: pair_of(self.medium.gain(), y, run),
            light: before[0],
            ceiling: self.ceiling,
        };
        let next = [&mut *upper, &mut *lower];
        // Two copies of the loop: most maps have no ambient light, and then need not read it.
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

    /// Writes the next light of the remaining row at the end of a band.
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

    /// Finds the cells of these rows that the loops will get wrong.
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

/// The cells of a run in a row and the row below.
#[inline(always)]
fn pair_of(plane: &Plane, y: usize, run: Run) -> [&[f32]; 2] {
    [
        plane.row(y, run.first, run.end),
        plane.row(y + 1, run.first, run.end),
    ]
}

/// The input for the next light of two rows, in addition to the contributions of the upper row and
/// the one above.
struct PairStep<'a> {
    /// The contributions of the lower row, and of the row below both.
    below: [Emission<'a>; 2],
    gain: [&'a [f32]; 2],
    /// The light of the upper row.
    light: &'a [f32],
    ceiling: f32,
}

impl PairStep<'_> {
    /// Writes the next light of both rows, records the largest change of each column, and advances
    /// `rows` to the row below. Processing rows in pairs avoids storing and reloading half of their
    /// contributions.
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

    /// The same for fixed sides of the lower row. Each slice is a separate argument, so the
    /// compiler knows that they do not overlap.
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
        // All slices have the same length, so the loop has no bounds checks and is vectorized.
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
            // The upper row of the next pair is the one below, and the row above it is the lower
            // row.
            (own[x], above[x], here[x]) = (own_below, across_lower, across_below);
            let [floor_upper, floor_lower] = floor(x);
            upper[x] = visible(average_upper, floor_upper, self.ceiling);
            lower[x] = visible(average_lower, floor_lower, self.ceiling);
            // The bits of floats that are not negative have the same order; see `Scratch`.
            let change_upper = (upper[x] - light[x]).abs().to_bits();
            let change_lower = (lower[x] - row_lower.light(x)).abs().to_bits();
            changes[x] = changes[x].max(change_upper.max(change_lower));
        }
    }
}

/// The input for the next light of one row, in addition to the contributions of this row and the
/// one above.
struct RowStep<'a> {
    below: Emission<'a>,
    gain: &'a [f32],
    light: &'a [f32],
    ceiling: f32,
}

impl RowStep<'_> {
    /// Writes the next light of a row, and records the largest change of each column. The
    /// contributions of the row are not kept, because it is the last one of its band. There is at
    /// most one such row for each row of tiles, so the loop is not compiled separately for each
    /// kind of sides.
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

/// Sets light below [`DARK`] to zero, and limits it to the range from the ambient light to the
/// ceiling.
#[inline(always)]
fn visible(light: f32, floor: f32, ceiling: f32) -> f32 {
    limit(if light < DARK { 0.0 } else { light }, floor, ceiling)
}
