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
/// many cells each of them has.
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

/// Calls `work` with the number of each listed block and with its `size` items, on several threads if
/// there are `many`; returns what it returns, in any order.
#[cfg_attr(
    not(feature = "parallel"),
    expect(unused_variables, reason = "one thread does all, be it much or little")
)]
pub(crate) fn map_blocks<T: Send, R: Send>(
    items: &mut [T],
    (size, blocks, many): (usize, &[u32], usize),
    work: impl Fn(usize, &mut [T]) -> R + Sync + Send,
) -> Vec<R> {
    #[cfg(feature = "parallel")]
    if blocks.len() >= many {
        let mut awake = vec![false; items.len() / size];
        for &block in blocks {
            awake[block as usize] = true;
        }
        let items = items.chunks_mut(size).enumerate();
        let items: Vec<_> = items.filter(|(block, _)| awake[*block]).collect();
        let items = items.into_par_iter().with_min_len(many / 4);
        return items.map(|(block, items)| work(block, items)).collect();
    }
    let block = |&block: &u32| {
        let block = block as usize;
        work(block, &mut items[block * size..][..size])
    };
    blocks.iter().map(block).collect()
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
