//! Work on several cores: the only file that knows the thread pool.
//!
//! Colors never mix, and each row of tiles is computed alone from what does not change
//! meanwhile; so the bits do not depend on how many threads there are or which does what.

#[cfg(feature = "parallel")]
use rayon::prelude::*;

use core::slice::ChunksMut;

/// Grids of fewer cells are done before another thread has woken up.
#[cfg(feature = "parallel")]
const WORTH_IT: usize = 128 * 128;

/// Calls `work` with every item and its place, and returns what it returns; `cells` is how
/// many cells each of them has, at most.
#[cfg_attr(
    not(feature = "parallel"),
    expect(unused_variables, reason = "one thread does all, be it much or little")
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

/// Blocks, each of `size` items, some of which are awake.
pub(crate) struct Blocks<'a, T> {
    pub(crate) items: &'a mut [T],
    pub(crate) size: usize,
    /// The numbers of those that are awake, in any order.
    pub(crate) awake: &'a [u32],
}

/// With this many awake several threads are worth it.
#[cfg(feature = "parallel")]
const MANY_BLOCKS: usize = 128;

/// So many of all blocks in a row are one thread's, at least and at most.
#[cfg(feature = "parallel")]
const RUN: [usize; 2] = [32, 128];

impl<T: Send> Blocks<'_, T> {
    /// Calls `work` with the number of each block that is awake, and its items, and with what to gather in; what
    /// several threads have gathered is `join`ed, in any order.
    #[cfg_attr(
        not(feature = "parallel"),
        expect(unused_variables, reason = "one thread does all, be it much or little")
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

/// Does `work` on a thread of the pool, where it hands parts of it over faster than from outside.
pub(crate) fn in_pool<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    #[cfg(feature = "parallel")]
    return rayon::scope(|_| work());
    #[cfg(not(feature = "parallel"))]
    work()
}

/// Calls `work` for every row of tiles that is awake, with the cells in it.
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
