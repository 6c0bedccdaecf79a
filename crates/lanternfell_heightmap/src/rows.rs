//! Parallel loops over the rows of a map. This is the only module that uses the thread pool.
//!
//! Each row is computed independently from shared inputs, so the result does not depend on the number of threads or on
//! which thread takes which row.

use std::sync::atomic::{AtomicUsize, Ordering};

#[cfg(feature = "parallel")]
use rayon::prelude::*;

use crate::{Canceled, Progress};

/// Calls `work(y, row)` for every row of `width` cells.
///
/// Without the feature `parallel` it runs on the calling thread.
///
/// # Errors
/// If the work is canceled. Some rows are not visited then.
pub fn for_each_row<T: Send>(
    cells: &mut [T],
    width: usize,
    progress: &Progress,
    work: impl Fn(usize, &mut [T]) + Sync + Send,
) -> Result<(), Canceled> {
    for_each_row_with(cells, width, progress, || (), |(), y, row| work(y, row))
}

/// Like [`for_each_row`], with a scratch value. Each run of rows that a thread takes gets a new scratch value, which is
/// reused within the run. With many threads such runs are short.
///
/// A `width` of several rows passes them to `work` as one band. The last band may have fewer rows.
pub fn for_each_row_with<T: Send, S>(
    cells: &mut [T],
    width: usize,
    progress: &Progress,
    scratch: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, usize, &mut [T]) + Sync + Send,
) -> Result<(), Canceled> {
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

/// The number of cells to pass to a thread at once if the work per cell is light: whole rows of `width` cells, at least
/// 16,384 cells in total. Use it as the `width` of [`for_each_row_with`].
pub fn band(width: usize) -> usize {
    const CELLS: usize = 1 << 14;
    width * CELLS.div_ceil(width)
}

/// The number of rows of a strip of a map, for work in which one thread handles what crosses the seams between strips.
/// The strips are few, but there are some for each thread.
pub(crate) fn strip(width: usize, height: usize) -> usize {
    const LEAST_ROWS: usize = 64;
    const MOST_CELLS: usize = 1 << 22;
    let rows = height.div_ceil(4 * threads().max(2));
    rows.min(MOST_CELLS / width).max(LEAST_ROWS)
}

/// The number of threads. It may affect the speed of a computation, but must not affect its result.
pub fn threads() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

/// Runs `work` on a thread of the pool. Use it for many short passes: waking the pool from outside for each pass takes
/// as long as a pass over a small map.
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
    fn canceled_pass_visits_no_rows() {
        let mut cells = vec![0_u32; 12];
        let progress = Progress::default();
        progress.cancel();
        let result = for_each_row(&mut cells, 4, &progress, |_, row| row.fill(1));
        assert_eq!(result, Err(Canceled));
        assert_eq!(cells, vec![0; 12]);
    }
}
