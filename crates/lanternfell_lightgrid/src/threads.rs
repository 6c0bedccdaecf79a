//! Parallel loops. This is the only module that uses the thread pool.
//!
//! The results do not depend on the number of threads or on the distribution of the work: colors
//! never mix, and each row of tiles is computed separately from data that does not change in the
//! meantime.

#[cfg(feature = "parallel")]
use rayon::prelude::*;

use core::slice::ChunksMut;

/// Grids with fewer cells are done before another thread has woken up.
#[cfg(feature = "parallel")]
const WORTH_IT: usize = 128 * 128;

/// Calls `work` with the index and value of every item, and returns the results. `cells` is the
/// maximum number of cells per item.
#[cfg_attr(
    not(feature = "parallel"),
    expect(unused_variables, reason = "only needed for several threads")
)]
pub(crate) fn map_each<T: Send, R: Send>(
    items: &mut [T],
    cells: usize,
    work: impl Fn(usize, &mut T) -> R + Sync + Send,
) -> Vec<R> {
    #[cfg(feature = "parallel")]
    if items.len() > 1 && cells >= WORTH_IT {
        let items = items.par_iter_mut().enumerate();
        return items.map(|(n, item)| work(n, item)).collect();
    }
    let items = items.iter_mut().enumerate();
    items.map(|(n, item)| work(n, item)).collect()
}

/// Blocks of `size` items each, some of which are awake.
pub(crate) struct Blocks<'a, T> {
    pub(crate) items: &'a mut [T],
    pub(crate) size: usize,
    /// The indices of the blocks that are awake, in any order.
    pub(crate) awake: &'a [u32],
}

/// The number of awake blocks from which several threads are worthwhile.
#[cfg(feature = "parallel")]
const MANY_BLOCKS: usize = 128;

/// The minimum and maximum number of consecutive blocks per thread.
#[cfg(feature = "parallel")]
const RUN: [usize; 2] = [32, 128];

impl<T: Send> Blocks<'_, T> {
    /// Calls `work` with the index and the items of each awake block, and an accumulator. The
    /// accumulators of several threads are combined with `join`, in any order.
    #[cfg_attr(
        not(feature = "parallel"),
        expect(unused_variables, reason = "only needed for several threads")
    )]
    pub(crate) fn gather<R: Default + Send>(
        self,
        is_awake: impl Fn(usize) -> bool + Sync,
        work: impl Fn(usize, &mut [T], &mut R) + Sync,
        join: impl Fn(R, R) -> R + Sync + Send,
    ) -> R {
        let size = self.size;
        #[cfg(feature = "parallel")]
        if self.awake.len() >= MANY_BLOCKS {
            let blocks = self.items.len() / size;
            let share = blocks.div_ceil(rayon::current_num_threads());
            let length = share.clamp(RUN[0], RUN[1]);
            let over_run = |mut all: R, (run, items): (usize, &mut [T])| {
                for (n, items) in items.chunks_mut(size).enumerate() {
                    let block = run * length + n;
                    if is_awake(block) {
                        work(block, items, &mut all);
                    }
                }
                all
            };
            let runs = self.items.par_chunks_mut(size * length).enumerate();
            return runs.fold(R::default, over_run).reduce(R::default, join);
        }
        let mut all = R::default();
        for &block in self.awake {
            let block = block as usize;
            work(block, &mut self.items[block * size..][..size], &mut all);
        }
        all
    }
}

/// Runs `work` on a thread of the pool, from where it can distribute work faster than from outside.
pub(crate) fn in_pool<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    #[cfg(feature = "parallel")]
    return rayon::scope(|_| work());
    #[cfg(not(feature = "parallel"))]
    work()
}

/// Calls `work` for every awake row of tiles, with its cells.
pub(crate) fn for_each_awake<T: Send>(
    rows: ChunksMut<'_, f32>,
    bands: &mut [T],
    is_awake: impl Fn(&T) -> bool,
    work: impl Fn(&mut [f32], &mut T) + Sync + Send,
) {
    let both = rows.zip(bands);
    let mut awake: Vec<_> = both.filter(|(_, band)| is_awake(band)).collect();
    #[cfg(feature = "parallel")]
    if awake.len() > 2 {
        let awake = awake.par_iter_mut();
        return awake.for_each(|(rows, band)| work(rows, band));
    }
    for (rows, band) in &mut awake {
        work(rows, band);
    }
}
