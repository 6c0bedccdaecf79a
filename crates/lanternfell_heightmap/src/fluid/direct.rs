//! Runs a few passes cell by cell, with time skewing.
//!
//! Problem: one pass replaces every inner cell by a weighted sum of itself, its value one pass
//! earlier, and its four neighbors. When one pass after the other sweeps a large map, the CPU
//! mostly waits for memory.
//!
//! Idea: a row only needs its neighboring rows from one pass earlier. All passes can therefore
//! follow each other down the map, each one row behind the previous. The rows between the first
//! and the last pass are kept in small buffers that stay in cache. The map is read once ahead of
//! the passes and written once behind them. Two buffers alternate, and a third holds the change
//! of the last pass over each row.
//!
//! ```text
//!   map     as it was   |  rows in passing              |  map, done
//!   row   y+1    ------>|  pass 1  pass 2  ...  pass K  |------>  row y-K
//! ```
//!
//! Bands of rows run in parallel. Each band also processes some rows of its neighbors as they
//! were before the sweep. These rows are drawn again, or copied beforehand.
//!
//! Steps: one sweep does all passes if its rows fit in cache and the bands are high enough. Then
//! only the result is ever written. Otherwise there are several sweeps. Each row is five slices
//! of equal length, which the compiler vectorizes. Every cell goes through the same operations in
//! any order, so the bits depend on neither bands nor threads.
//!
//! Cost: 9 flops per cell and pass. Memory of one sweep: the map, and copies of at most half of
//! it unless the start is drawn on demand. Several sweeps need a second map for the changes
//! between them, and copies of at most a sixth of each map. Each thread needs three rows per
//! simultaneous pass.
//!
//! Source: Wonnacott, *Using time skewing to eliminate idle time due to memory bandwidth
//! and network limitations*, 2000.

mod passing;
mod seams;
mod source;

use core::{
    ops::Range,
    sync::atomic::{AtomicUsize, Ordering},
};

use fearless_simd::{Level, dispatch};

use self::{
    passing::Passing,
    seams::Seams,
    source::{RowBand, Source},
};
use super::{
    Settled, Weights,
    start::{Drawn, Start},
};
use crate::{
    Canceled, Heightmap, MapSize, Progress, range,
    rows::{for_each_row_with, threads},
};

/// The target size of the buffers of all simultaneous passes, in bytes.
const CACHE: usize = 3 << 19;

/// With several sweeps, the smallest number of simultaneous passes. It is worthwhile even if the cache or the bands are
/// too small for it.
const FEWEST: usize = 4;
/// With several sweeps, the largest number of simultaneous passes. More do not gain anything.
const MOST: usize = 32;

/// Maps with fewer cells are not split among threads.
const SHARED: usize = 1 << 16;

/// The smallest number of rows of a band per simultaneous pass, if one sweep does all passes. The additional work for
/// rows of neighboring bands is then at most a quarter, which is cheaper than a second sweep with its second map.
const ROWS_PER_PASS: usize = 4;
/// The same with several sweeps: the additional work is at most a twelfth.
const ROWS_PER_PASS_OF_MANY: usize = 12;

/// Runs `passes` on a start. The ring stays 0.
pub(super) fn run(
    weights: Weights,
    passes: u32,
    start: Start,
    progress: &Progress,
) -> Result<Settled, Canceled> {
    let (size, threads, passes) = (start.size(), threads(), passes as usize);
    let (at_once, rows_per_pass) = passes_at_once(passes, size, threads);
    let plan = PassPlan {
        weights,
        passes,
        at_once,
    };
    let band_rows = |count| size.height().div_ceil(threads).max(rows_per_pass * count);
    plan.run(start, band_rows, progress)
}

/// Returns the number of passes per sweep, and the number of rows of a band per pass.
///
/// One sweep does all passes if the cache holds their rows and, for maps that are split, each thread gets a band.
/// Otherwise a sweep does as many passes as these limits allow, from [`FEWEST`] to [`MOST`].
fn passes_at_once(passes: usize, size: MapSize, threads: usize) -> (usize, usize) {
    // Three buffers: even passes, odd passes, and changes.
    let cached = CACHE / (3 * size.width() * size_of::<f32>());
    let cached = cached.saturating_sub(passing::MORE_ROWS);
    let most = |rows_per_pass| match size.cells() {
        ..SHARED => cached,
        _ if threads == 1 => cached,
        _ => cached.min(size.height() / (rows_per_pass * threads)),
    };
    if passes <= most(ROWS_PER_PASS) {
        return (passes, ROWS_PER_PASS);
    }
    let several = most(ROWS_PER_PASS_OF_MANY).clamp(FEWEST, MOST);
    (several, ROWS_PER_PASS_OF_MANY)
}

/// All passes, grouped into sweeps of `at_once` passes.
struct PassPlan {
    weights: Weights,
    passes: usize,
    at_once: usize,
}

impl PassPlan {
    /// Runs the passes in sweeps over bands. `band_rows(count)` returns the number of rows of a band for `count`
    /// simultaneous passes, which must be at least `count`.
    fn run(
        &self,
        start: Start,
        band_rows: impl Fn(usize) -> usize,
        progress: &Progress,
    ) -> Result<Settled, Canceled> {
        let (mut surface, drawn) = match start {
            Start::Drawn(drawn) if self.passes > 0 => (Heightmap::flat(drawn.size), Some(drawn)),
            start => (start.into_map(progress)?, None),
        };
        let extremes = match self.passes {
            0 => surface.range_with(progress)?,
            _ => self.sweep(&mut surface, drawn, band_rows, progress)?,
        };
        Ok(Settled {
            surface,
            extremes,
            gain: 1.0,
        })
    }

    /// Runs all sweeps and returns the lowest and the highest height.
    fn sweep(
        &self,
        now: &mut Heightmap,
        drawn: Option<Drawn>,
        band_rows: impl Fn(usize) -> usize,
        progress: &Progress,
    ) -> Result<(f32, f32), Canceled> {
        let range = range::Range::default();
        // The recurrence needs the change of the last pass too, so it must survive from one sweep
        // to the next.
        let mut change = (self.passes > self.at_once).then(|| Heightmap::flat(now.size()));
        for first in (0..self.passes).step_by(self.at_once) {
            let count = self.at_once.min(self.passes - first);
            let sweep = Sweep {
                weights: self.weights,
                passes: count,
                width: now.width(),
                height: now.height(),
                band_rows: band_rows(count),
                rows_done: AtomicUsize::new(0),
                result: (first + count == self.passes).then_some(&range),
            };
            let part = |done| done as f32 / self.passes as f32;
            let progress = progress.span(part(first), part(first + count));
            let copying = progress.span(0.0, 0.05);
            let seams = |map: &Heightmap| Seams::copy(map, sweep.band_rows, count, &copying);
            let source = match (drawn, &change) {
                (Some(drawn), _) if first == 0 => Source::Drawn(drawn),
                (_, Some(change)) if first > 0 => Source::Moving(seams(now)?, seams(change)?),
                _ => Source::AtRest(seams(now)?),
            };
            sweep.run(&source, now, change.as_mut(), &progress.span(0.05, 1.0))?;
        }
        Ok(range.extremes())
    }
}

/// One sweep: several passes over the whole map.
struct Sweep<'a> {
    weights: Weights,
    passes: usize,
    width: usize,
    height: usize,
    band_rows: usize,
    rows_done: AtomicUsize,
    /// Collects the extremes. Only in the last sweep, where the changes are no longer needed.
    result: Option<&'a range::Range>,
}

impl Sweep<'_> {
    fn run(
        &self,
        source: &Source,
        now: &mut Heightmap,
        change: Option<&mut Heightmap>,
        progress: &Progress,
    ) -> Result<(), Canceled> {
        let cells = self.band_rows * self.width;
        let mut changes = change.map(|map| map.heights_mut().chunks_mut(cells));
        let bands = now.heights_mut().chunks_mut(cells).enumerate();
        let mut bands: Vec<RowBand<'_>> = bands
            .map(|(index, now)| {
                let first = index * self.band_rows;
                RowBand {
                    rows: first..first + now.len() / self.width,
                    now,
                    change: changes.as_mut().and_then(Iterator::next),
                }
            })
            .collect();
        let scratch = || Passing::new(self.passes, self.width);
        let work = |passing: &mut Passing, _, band: &mut [RowBand<'_>]| {
            for band in band {
                dispatch!(Level::new(), _simd => self.pass(band, source, passing, progress));
            }
        };
        for_each_row_with(&mut bands, 1, progress, scratch, work)
    }

    /// Runs all passes over one band, each one row behind the previous pass. Stops early when canceled.
    ///
    /// Inlined with all its callees, so that it is compiled once for each vector width. It uses no fused operations, so
    /// that all widths give the same bits.
    #[inline(always)]
    fn pass(
        &self,
        band: &mut RowBand<'_>,
        source: &Source,
        passing: &mut Passing,
        progress: &Progress,
    ) {
        let Range { start: first, end } = band.rows;
        // Each pass needs one more row on either side, so `passes` rows beyond the band suffice.
        let needed = first.saturating_sub(self.passes)..(end + self.passes).min(self.height);
        for front in needed.start..end + self.passes {
            let done = self.rows_done.load(Ordering::Relaxed);
            if progress.step(done, self.height).is_err() {
                return;
            }
            let mut slot = passing.slot(front);
            if needed.contains(&front) {
                // A band reads its rows before it writes them back: `put` trails the front by
                // `passes` rows.
                source.give(front, band, passing.enter(slot));
            }
            // Ascending: pass `p` on row `front - p` reads row `front - p + 1` after pass
            // `p - 1`, which has just run. It overwrites its row of pass `p - 2`, whose last
            // reader was that same step.
            for pass in 1..=self.passes {
                slot = passing.before(slot);
                let Some(y) = front.checked_sub(pass) else {
                    break;
                };
                // The rows that later passes of this band still depend on. Row 0 and the last row
                // are ring and stay 0.
                let reach = self.passes - pass;
                let top = first.saturating_sub(reach).max(1);
                let bottom = (end + reach).min(self.height - 1);
                if (top..bottom).contains(&y) {
                    passing.pass_row(self.weights, pass, slot);
                }
            }
            if let Some(y) = front.checked_sub(self.passes)
                && band.rows.contains(&y)
            {
                self.put(band, y - first, passing, slot);
            }
        }
    }

    /// Writes a row of the band after all passes.
    fn put(&self, band: &mut RowBand<'_>, y: usize, passing: &Passing, slot: usize) {
        let cells = y * self.width..(y + 1) * self.width;
        let row = passing.row(self.passes, slot);
        band.now[cells.clone()].copy_from_slice(row);
        self.rows_done.fetch_add(1, Ordering::Relaxed);
        if let Some(range) = self.result {
            range.note(row);
        } else if let Some(change) = &mut band.change {
            change[cells].copy_from_slice(passing.change(slot));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{passing::step_row, *};
    use crate::{Fluid, MapSize};

    /// Runs one pass after the other over the whole map.
    fn pass_by_pass(weights: Weights, passes: usize, start: &Heightmap) -> Heightmap {
        let (mut now, mut next) = (start.clone(), start.clone());
        let mut change = Heightmap::flat(start.size());
        let width = start.width();
        for _ in 0..passes {
            for y in 1..start.height() - 1 {
                let rows = [now.row(y - 1), now.row(y), now.row(y + 1)];
                let cells = y * width..(y + 1) * width;
                let change = &mut change.heights_mut()[cells.clone()];
                step_row(weights, rows, change, &mut next.heights_mut()[cells]);
            }
            core::mem::swap(&mut now, &mut next);
        }
        now
    }

    /// The plans have seams in many places: bands that are cut off by the end of the map, and no seams at all.
    #[test]
    fn simultaneous_passes_match_sequential_passes() {
        let plans = [
            (1, 1),
            (2, 2),
            (3, 2),
            (7, 7),
            (10, 4),
            (12, 4),
            (31, 32),
            (64, 32),
        ];
        for (height, (passes, at_once)) in (3..130).zip(plans.into_iter().cycle()) {
            let size = MapSize::new(3 + 5 * height % 38, height).unwrap();
            let (fluid, seed) = (Fluid::default(), height);
            let start = fluid.draw(size, seed);
            let plan = PassPlan {
                weights: fluid.weights(),
                passes,
                at_once,
            };
            let expected = pass_by_pass(plan.weights, passes, &start);
            let starts = [Start::Drawn(fluid.drawn(size, seed)), Start::Map(start)];
            for (start, more) in starts
                .iter()
                .flat_map(|start| [0, 1, 5, 40].map(|more| (start, more)))
            {
                let rows = |count| count + more;
                let found = plan.run(start.clone(), rows, &Progress::default()).unwrap();
                assert_eq!(
                    found.surface, expected,
                    "{start:?}, {passes} passes, {more}"
                );
                assert_eq!(
                    found.extremes,
                    expected.range(),
                    "{start:?}, {passes} passes, {more}"
                );
            }
        }
    }

    #[test]
    fn passes_per_sweep_depend_on_map_and_threads() {
        let at_once = |passes, width, height, threads| {
            let size = MapSize::new(width, height).unwrap();
            passes_at_once(passes, size, threads)
        };
        assert_eq!(at_once(100, 1024, 1024, 2), (100, 4), "one sweep");
        assert_eq!(at_once(126, 1024, 1024, 1), (126, 4), "what cache holds");
        assert_eq!(at_once(127, 1024, 1024, 1), (MOST, 12));
        assert_eq!(at_once(14, 8192, 8192, 2), (14, 4));
        assert_eq!(at_once(15, 8192, 8192, 2), (14, 12));
        assert_eq!(at_once(20, 16_384, 16_384, 2), (6, 12));
        assert_eq!(at_once(32, 1024, 1024, 8), (32, 4), "a band for each");
        assert_eq!(at_once(33, 1024, 1024, 8), (10, 12));
        assert_eq!(at_once(33, 1024, 1024, 64), (FEWEST, 12));
        assert_eq!(
            at_once(180, 200, 200, 64),
            (180, 4),
            "not worth being shared"
        );
        assert_eq!(at_once(0, 16_384, 2, 1), (0, 4));
    }
}
