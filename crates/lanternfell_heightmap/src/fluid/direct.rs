//! A few passes, cell by cell.
//!
//! Problem: one pass replaces every inner cell by a weighted sum of itself, of what it
//! was the pass before, and of its four neighbours. Pass after pass over a large map, the
//! processor waits for memory most of the time.
//!
//! Idea: a row needs no more than the rows beside it one pass ago, so all passes can follow
//! each other down the map, each a row behind the last. What lies between the first and the
//! last of them is in a few rows beside the map, which stay in cache; the map is read once
//! ahead of them and written once behind them. Since the surface of the pass before is read
//! only at the cell that is written, two such sets of rows suffice and take turns.
//!
//! ```text
//!   map     as it was   |  rows in passing              |  map, done
//!   row   y+1    ------>|  pass 1  pass 2  ...  pass K  |------>  row y-K
//! ```
//!
//! Bands of rows do so at the same time. Each goes through some rows of its neighbours too, as
//! they were before, of which copies are made first.
//!
//! Steps: as many passes at once as cache holds rows for; per row, five slices of one
//! length, which the compiler turns into vectors. Every cell goes through the same
//! operations whatever the order, so the bits do not depend on bands or threads.
//!
//! Cost: 9 flops per cell and pass. The map, and where the passes need several sweeps a second one,
//! for then the surface of the pass before is kept between them; copies of at most a sixth of each;
//! and for each thread two rows more for each pass at once. In `f32` the height of the whole surface
//! drifts by 1.2e-8 of itself per pass, which normalising removes.
//!
//! Source: Wonnacott, *Using time skewing to eliminate idle time due to memory bandwidth
//! and network limitations*, 2000.

mod passing;
mod seams;

use fearless_simd::{Level, dispatch};

use self::{passing::Passing, seams::Seams};
use super::{Settled, Weights};
use crate::{
    Cancelled, Heightmap, Progress,
    range::Range,
    rows::{for_each_row_with, threads},
};

/// What the rows of all passes at once should take at most, in bytes.
const CACHE: usize = 1 << 20;

/// So many passes at once are worth it even where a cache is small, or a band...
const FEWEST: usize = 4;
/// ... and more gain nothing.
const MOST: usize = 32;

/// Smaller maps, in cells, are not worth being shared.
const SHARED: usize = 1 << 16;

/// A band has so many rows for each pass at once: what its neighbours' rows cost, in time and as
/// copies, is a twelfth at most of each.
const ROWS_PER_PASS: usize = 12;

/// The surface after `passes`; its ring is 0.
pub(super) fn run(
    weights: Weights,
    passes: u32,
    mut surface: Heightmap,
    progress: &Progress,
) -> Result<Settled, Cancelled> {
    let (width, height) = (surface.width(), surface.height());
    let plan = Plan {
        weights,
        passes: passes as usize,
        at_once: passes_at_once(width, height, threads()),
    };
    let rows = |count| band_rows(height, count, threads());
    let extremes = plan.run(&mut surface, rows, progress)?;
    Ok(Settled {
        surface,
        extremes,
        gain: 1.0,
    })
}

/// As many as cache holds rows for, and as leave a band for each thread, if the map is worth
/// being shared.
fn passes_at_once(width: usize, height: usize, threads: usize) -> usize {
    let rows = CACHE / (2 * width * size_of::<f32>());
    let most = if width * height < SHARED {
        MOST
    } else {
        MOST.min(height / (ROWS_PER_PASS * threads))
    };
    rows.saturating_sub(passing::MORE_ROWS)
        .min(most)
        .max(FEWEST)
}

fn band_rows(height: usize, passes: usize, threads: usize) -> usize {
    height.div_ceil(threads).max(ROWS_PER_PASS * passes)
}

/// All passes, some of them at once.
struct Plan {
    weights: Weights,
    passes: usize,
    at_once: usize,
}

impl Plan {
    /// Goes through the passes in sweeps over bands of so many rows for so many passes at once,
    /// at least as many as there are passes. Returns the lowest and the highest height.
    fn run(
        &self,
        now: &mut Heightmap,
        band_rows: impl Fn(usize) -> usize,
        progress: &Progress,
    ) -> Result<(f32, f32), Cancelled> {
        if self.passes == 0 {
            return Range::of(now, progress);
        }
        let range = Range::default();
        let mut before = (self.passes > self.at_once).then(|| Heightmap::flat(now.size()));
        for first in (0..self.passes).step_by(self.at_once) {
            let count = self.at_once.min(self.passes - first);
            let sweep = Sweep {
                weights: self.weights,
                passes: count,
                width: now.width(),
                height: now.height(),
                band_rows: band_rows(count),
                is_first: first == 0,
                result: (first + count == self.passes).then_some(&range),
            };
            let part = |done| done as f32 / self.passes as f32;
            let progress = progress.span(part(first), part(first + count));
            sweep.run(now, before.as_mut(), &progress)?;
        }
        Ok(range.extremes())
    }
}

/// So many passes over the whole map.
struct Sweep<'a> {
    weights: Weights,
    passes: usize,
    width: usize,
    height: usize,
    band_rows: usize,
    /// Then the surface starts at rest.
    is_first: bool,
    /// What takes in the heights after the last pass; then nobody asks for the surface one
    /// pass before.
    result: Option<&'a Range>,
}

/// Some rows of the map.
struct Band<'a> {
    index: usize,
    now: &'a mut [f32],
    /// The surface one pass before, where there are several sweeps.
    before: Option<&'a mut [f32]>,
}

impl Sweep<'_> {
    fn run(
        &self,
        now: &mut Heightmap,
        before: Option<&mut Heightmap>,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        let copying = progress.span(0.0, 0.05);
        let seams = |map| Seams::copy(map, self.band_rows, self.passes, &copying);
        let now_seams = seams(now)?;
        let before_seams = match &before {
            Some(before) if !self.is_first => Some(seams(before)?),
            _ => None,
        };
        let cells = self.band_rows * self.width;
        let mut befores = before.map(|map| map.heights_mut().chunks_mut(cells));
        let bands = now.heights_mut().chunks_mut(cells).enumerate();
        let mut bands: Vec<Band<'_>> = bands
            .map(|(index, now)| Band {
                index,
                now,
                before: befores.as_mut().and_then(Iterator::next),
            })
            .collect();
        let scratch = || Passing::new(self.passes, self.width);
        let work = |passing: &mut Passing, _, band: &mut [Band<'_>]| {
            for band in band {
                let seams = (&now_seams, before_seams.as_ref());
                dispatch!(Level::new(), _simd => self.pass(band, seams, passing, progress));
            }
        };
        for_each_row_with(&mut bands, 1, &progress.span(0.05, 1.0), scratch, work)
    }

    /// All passes over one band, each a row behind the one before it. Stops early when
    /// cancelled.
    ///
    /// Inlined with all that it calls, so that it is compiled once for each vector width;
    /// without fused operations, so that all widths give the same bits.
    #[inline(always)]
    fn pass(
        &self,
        band: &mut Band<'_>,
        (now, before): (&Seams, Option<&Seams>),
        passing: &mut Passing,
        progress: &Progress,
    ) {
        let first = band.index * self.band_rows;
        let end = first + band.now.len() / self.width;
        let needed = first.saturating_sub(self.passes)..(end + self.passes).min(self.height);
        for front in needed.start..end + self.passes {
            if progress.check().is_err() {
                return;
            }
            let mut slot = passing.slot(front);
            if needed.contains(&front) {
                let now = now.row(front, first..end, band.now);
                let before = match (before, &band.before) {
                    (Some(seams), Some(rows)) => seams.row(front, first..end, rows),
                    _ => now,
                };
                passing.take(slot, now, before);
            }
            for pass in 1..=self.passes {
                slot = passing.before(slot);
                let Some(y) = front.checked_sub(pass) else {
                    break;
                };
                let reach = self.passes - pass;
                let top = first.saturating_sub(reach).max(1);
                let bottom = (end + reach).min(self.height - 1);
                if (top..bottom).contains(&y) {
                    passing.pass_row(self.weights, pass, slot);
                }
            }
            if let Some(y) = front.checked_sub(self.passes)
                && (first..end).contains(&y)
            {
                self.put(band, y - first, passing, slot);
            }
        }
    }

    /// A band's row after all passes.
    fn put(&self, band: &mut Band<'_>, y: usize, passing: &Passing, slot: usize) {
        let cells = y * self.width..(y + 1) * self.width;
        let row = passing.row(self.passes, slot);
        band.now[cells.clone()].copy_from_slice(row);
        if let Some(range) = self.result {
            range.note(row);
        } else if let Some(before) = &mut band.before {
            before[cells].copy_from_slice(passing.row(self.passes - 1, slot));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{passing::step_row, *};
    use crate::{Fluid, MapSize};

    /// One pass after the other over the whole map.
    fn pass_by_pass(weights: Weights, passes: usize, start: &Heightmap) -> Heightmap {
        let (mut now, mut before) = (start.clone(), start.clone());
        let width = start.width();
        for _ in 0..passes {
            for y in 1..start.height() - 1 {
                let z = &mut before.heights_mut()[y * width..][..width];
                step_row(weights, [now.row(y - 1), now.row(y), now.row(y + 1)], z);
            }
            core::mem::swap(&mut now, &mut before);
        }
        now
    }

    /// With seams in all places: bands that are cut off by the map's end, and none at all.
    #[test]
    fn passes_at_once_are_passes_one_after_the_other() {
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
            let fluid = Fluid::default();
            let start = fluid.draw(size, height);
            let plan = Plan {
                weights: fluid.weights(),
                passes,
                at_once,
            };
            let expected = pass_by_pass(plan.weights, passes, &start);
            for more in [0, 1, 5, 40] {
                let mut found = start.clone();
                let range = plan.run(&mut found, |count| count + more, &Progress::default());
                assert_eq!(found, expected, "{size:?}, {passes} passes, {more}");
                assert_eq!(range, Ok(expected.range()));
            }
        }
    }

    #[test]
    fn bands_suit_the_map_and_the_threads() {
        assert_eq!(passes_at_once(3, 10_000, 1), MOST);
        assert_eq!(passes_at_once(1024, 1024, 2), MOST);
        assert_eq!(passes_at_once(8192, 8192, 2), 14, "what cache holds");
        assert_eq!(passes_at_once(16_384, 16_384, 2), 6);
        assert_eq!(passes_at_once(1024, 1024, 8), 10, "a band for each");
        assert_eq!(passes_at_once(1024, 1024, 64), FEWEST);
        assert_eq!(passes_at_once(100_000, 10, 1), FEWEST);
        assert_eq!(passes_at_once(200, 200, 64), MOST, "not worth being shared");
        for (height, threads) in [(3, 1), (10, 7), (1000, 16), (16_384, 3)] {
            for passes in 1..=MOST {
                assert!(band_rows(height, passes, threads) >= ROWS_PER_PASS * passes);
            }
        }
        assert_eq!(band_rows(1024, 32, 1), 1024, "no seam");
        assert_eq!(band_rows(1024, 32, 2), 512);
    }
}
