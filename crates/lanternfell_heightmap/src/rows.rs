//! Row by row over a map, on every core: the only file that knows the thread pool.
//!
//! Each row is computed alone from shared inputs, so the bits do not depend on how many
//! threads there are or which of them takes which row.

use std::sync::atomic::{AtomicUsize, Ordering};

#[cfg(feature = "parallel")]
use rayon::prelude::*;

use crate::{Cancelled, Progress};

/// Calls `work(y, row)` for every row of `width` cells; stops early when cancelled.
pub fn for_each_row<T: Send>(
    cells: &mut [T],
    width: usize,
    progress: &Progress,
    work: impl Fn(usize, &mut [T]) + Sync + Send,
) -> Result<(), Cancelled> {
    for_each_row_with(cells, width, progress, || (), |(), y, row| work(y, row))
}

/// Like [`for_each_row`], with a scratch value that is made for each run of rows that a thread
/// takes, and reused within it: few rows where there are many threads.
///
/// A `width` of several rows hands them out as a band; the last may have fewer rows.
pub fn for_each_row_with<T: Send, S>(
    cells: &mut [T],
    width: usize,
    progress: &Progress,
    scratch: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, usize, &mut [T]) + Sync + Send,
) -> Result<(), Cancelled> {
    let total = cells.len().div_ceil(width);
    let done = AtomicUsize::new(0);
    let one = |scratch: &mut S, (y, row): (usize, &mut [T])| {
        progress.check()?;
        work(scratch, y, row);
        progress.step(done.fetch_add(1, Ordering::Relaxed) + 1, total)
    };
    #[cfg(feature = "parallel")]
    let result = cells
        .par_chunks_mut(width)
        .enumerate()
        .try_for_each_init(&scratch, one);
    #[cfg(not(feature = "parallel"))]
    let result = {
        let mut scratch = scratch();
        cells
            .chunks_mut(width)
            .enumerate()
            .try_for_each(|row| one(&mut scratch, row))
    };
    result
}

/// As many cells, of whole rows, as are worth handing to a thread: for work so light that a
/// row of a small map is not.
pub fn band(width: usize) -> usize {
    const CELLS: usize = 1 << 14;
    width * CELLS.div_ceil(width)
}

/// Rows to a strip of a map, for work of which what lies across the seams of strips is left to one thread: few
/// strips, but some for each thread.
pub(crate) fn strip(width: usize, height: usize) -> usize {
    const LEAST_ROWS: usize = 64;
    const MOST_CELLS: usize = 1 << 22;
    let rows = height.div_ceil(4 * threads().max(2));
    rows.min(MOST_CELLS / width).max(LEAST_ROWS)
}

/// How many threads there are. What depends on it may be slower or faster, never different.
pub fn threads() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

/// Runs `work` on a thread of the pool, so that many short passes in it need not each wake
/// the pool from outside, which takes as long as a pass over a small map.
pub(crate) fn in_pool<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    #[cfg(feature = "parallel")]
    return rayon::scope(|_| work());
    #[cfg(not(feature = "parallel"))]
    work()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_visited_once() {
        let mut cells = vec![0_u32; 7 * 5];
        let progress = Progress::default();
        for_each_row(&mut cells, 7, &progress, |y, row| {
            row.iter_mut().for_each(|cell| *cell += y as u32);
        })
        .unwrap();
        let expected: Vec<u32> = (0..5).flat_map(|y| [y; 7]).collect();
        assert_eq!(cells, expected);
        assert_eq!(progress.fraction(), 1.0);
    }

    #[test]
    fn a_cancelled_pass_visits_nothing() {
        let mut cells = vec![0_u32; 12];
        let progress = Progress::default();
        progress.cancel();
        let result = for_each_row(&mut cells, 4, &progress, |_, row| row.fill(1));
        assert_eq!(result, Err(Cancelled));
        assert_eq!(cells, vec![0; 12]);
    }
}
