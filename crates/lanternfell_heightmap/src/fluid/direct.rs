//! A few passes, cell by cell.
//!
//! Problem: one pass replaces every inner cell by a weighted sum of itself, of what it
//! was the pass before, and of its four neighbours. Pass after pass over a large map, the
//! processor waits for memory most of the time.
//!
//! Idea: the surface of the pass before is read only at the cell that is written, so two
//! surfaces suffice and take turns. A row needs no more than the rows beside it one pass
//! ago, so several passes can follow each other down the map, each a row behind the last,
//! and all they touch stays in cache. Bands of rows do so at the same time, and leave out
//! what would need their neighbours; a second phase fills that in.
//!
//! ```text
//!   pass 4      /\      /\          A: first phase, within the bands,
//!   pass 3     /  \ B  /  \            ever fewer rows
//!   pass 2    /  A \  / A  \        B: second phase, over the seams,
//!   pass 1   /      \/      \          ever more rows
//!           | band  | band   |
//! ```
//!
//! Steps: as many passes at once as cache holds rows for; per row, five slices of one
//! length, which the compiler turns into vectors. Every cell goes through the same
//! operations whatever the order, so the bits do not depend on bands or threads.
//!
//! Cost: 9 flops per cell and pass, twice the map. In `f32` the height of the whole
//! surface drifts by 1.2e-8 of itself per pass, which normalising removes.
//!
//! Source: Wonnacott, *Using time skewing to eliminate idle time due to memory bandwidth
//! and network limitations*, 2000; the two phases as in split tiling.

use fearless_simd::{Level, dispatch};

use super::Weights;
use crate::{
    Cancelled, Heightmap, Progress,
    rows::{for_each_band_pair, in_pool},
};

/// What the rows of all passes at once should take at most, in bytes of both surfaces.
const CACHE: usize = 512 << 10;

/// So many passes at once are worth it even where a cache is small...
const FEWEST: usize = 4;
/// ... and more gain nothing.
const MOST: usize = 32;

/// A band has so many rows, or more where the passes need them: small enough for a few
/// threads to share a small map.
const BAND_ROWS: usize = 64;

/// The surface after `passes`; its ring is 0.
pub(super) fn run(
    weights: Weights,
    passes: u32,
    surface: Heightmap,
    progress: &Progress,
) -> Result<Heightmap, Cancelled> {
    let mut now = surface;
    let mut before = now.clone();
    let (passes, at_once) = (passes as usize, passes_at_once(now.width()));
    in_pool(|| {
        for first in (0..passes).step_by(at_once) {
            let count = at_once.min(passes - first);
            let part = |done| done as f32 / passes as f32;
            let progress = progress.span(part(first), part(first + count));
            advance(weights, &mut now, &mut before, count, &progress)?;
            if count % 2 == 1 {
                core::mem::swap(&mut now, &mut before);
            }
        }
        Ok(now)
    })
}

fn passes_at_once(width: usize) -> usize {
    let rows = CACHE / (2 * width * size_of::<f32>());
    rows.saturating_sub(2).clamp(FEWEST, MOST)
}

/// So many passes over the whole map: the surface after them is in `now` when their number
/// is even, in `before` when it is odd; the one before that in the other.
fn advance(
    weights: Weights,
    now: &mut Heightmap,
    before: &mut Heightmap,
    passes: usize,
    progress: &Progress,
) -> Result<(), Cancelled> {
    let (width, height) = (now.width(), now.height());
    // Even, for seams lie in the middle of the second phase's bands.
    let band_rows = BAND_ROWS.max(2 * (passes + 1));
    let (now, before) = (now.heights_mut(), before.heights_mut());
    let cells = band_rows * width;
    let within = |band: usize, now: &mut [f32], before: &mut [f32]| {
        let first = band * band_rows;
        let rows = now.len() / width;
        let (top, bottom) = (first == 0, first + rows == height);
        let range = |pass: usize| {
            let start = if top { 1 } else { pass };
            let end = rows.saturating_sub(if bottom { 1 } else { pass });
            (start, end)
        };
        let surfaces = Surfaces { now, before, width };
        dispatch!(Level::new(), _simd => surfaces.pass(weights, passes, range, progress))
    };
    for_each_band_pair(now, before, cells, &progress.span(0.0, 0.5), within)?;
    let seam = band_rows / 2;
    let over_seams = |_: usize, now: &mut [f32], before: &mut [f32]| {
        let rows = now.len() / width;
        // A last band that ends before its seam has none; one that ends at the map's has a ring.
        let last = if rows < band_rows {
            rows.saturating_sub(1)
        } else {
            rows
        };
        let range = |pass: usize| (seam - pass, last.min(seam + pass));
        if rows <= seam {
            return Ok(());
        }
        let surfaces = Surfaces { now, before, width };
        dispatch!(Level::new(), _simd => surfaces.pass(weights, passes, range, progress))
    };
    let skipped = (seam * width).min(now.len());
    let (now, before) = (&mut now[skipped..], &mut before[skipped..]);
    for_each_band_pair(now, before, cells, &progress.span(0.5, 1.0), over_seams)
}

/// A band of both surfaces.
struct Surfaces<'a> {
    now: &'a mut [f32],
    before: &'a mut [f32],
    width: usize,
}

impl Surfaces<'_> {
    /// Several passes, each a row behind the one before it: pass 1, 2 and so on, each over
    /// the rows from the first to before the second number of `range`.
    ///
    /// Inlined with all that it calls, so that it is compiled once for each vector width;
    /// without fused operations, so that all widths give the same bits.
    #[inline(always)]
    fn pass(
        mut self,
        weights: Weights,
        passes: usize,
        range: impl Fn(usize) -> (usize, usize),
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        let rows = self.now.len() / self.width;
        for front in 0..rows + passes {
            progress.check()?;
            for pass in 1..=passes.min(front + 1) {
                let y = front + 1 - pass;
                let (start, end) = range(pass);
                if (start..end).contains(&y) {
                    self.pass_row(weights, pass, y);
                }
            }
        }
        Ok(())
    }

    /// Row `y` of a pass: the odd ones overwrite `before`, the even ones `now`.
    #[inline(always)]
    fn pass_row(&mut self, weights: Weights, pass: usize, y: usize) {
        let (read, write) = if pass % 2 == 1 {
            (&*self.now, &mut *self.before)
        } else {
            (&*self.before, &mut *self.now)
        };
        let row = |y: usize| &read[y * self.width..][..self.width];
        let z = &mut write[y * self.width..][..self.width];
        step_row(weights, [row(y - 1), row(y), row(y + 1)], z);
    }
}

#[inline(always)]
fn step_row(weights: Weights, [north, here, south]: [&[f32]; 3], z: &mut [f32]) {
    let inner = z.len() - 2;
    let (own, before, neighbour) = (
        weights.own as f32,
        weights.before as f32,
        weights.neighbour as f32,
    );
    let (west, centre, east) = (&here[..inner], &here[1..=inner], &here[2..]);
    let (north, south) = (&north[1..=inner], &south[1..=inner]);
    let z = &mut z[1..=inner];
    for x in 0..inner {
        let around = (west[x] + east[x]) + (north[x] + south[x]);
        z[x] = own * centre[x] + before * z[x] + neighbour * around;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fluid, MapSize};

    /// One pass after the other over the whole map.
    fn pass_by_pass(weights: Weights, passes: u32, start: &Heightmap) -> Heightmap {
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
        let heights = (3..70).chain([96, 97, 127, 128, 129, 160, 161, 193, 200]);
        for (height, passes) in heights.zip([1, 2, 3, 7, 31, 32, 33, 64, 65, 100].iter().cycle()) {
            let size = MapSize::new(3 + height % 7, height).unwrap();
            let fluid = Fluid {
                passes: *passes,
                ..Fluid::default()
            };
            let start = fluid.draw(size, height);
            let weights = fluid.weights();
            let expected = pass_by_pass(weights, *passes, &start);
            let found = run(weights, *passes, start, &Progress::default()).unwrap();
            assert_eq!(found, expected, "{size:?}, {passes} passes");
        }
    }

    #[test]
    fn wide_maps_go_through_fewer_passes_at_once() {
        assert_eq!(passes_at_once(3), MOST);
        assert_eq!(passes_at_once(1024), MOST);
        assert_eq!(passes_at_once(8192), 6);
        assert_eq!(passes_at_once(16_384), FEWEST);
    }
}
