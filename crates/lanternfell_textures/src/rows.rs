//! Row by row over a square, on every core: the only file that knows the thread pool.
//!
//! Each row is computed alone from what does not change meanwhile, so the bits do not depend on how
//! many threads there are or which of them takes which row.

#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// Calls `work(y, row)` for every row of `width` items.
pub(crate) fn for_each<T: Send>(
    items: &mut [T],
    width: usize,
    work: impl Fn(usize, &mut [T]) + Sync + Send,
) {
    #[cfg(feature = "parallel")]
    let rows = items.par_chunks_mut(width);
    #[cfg(not(feature = "parallel"))]
    let rows = items.chunks_mut(width);
    rows.enumerate().for_each(|(y, row)| work(y, row));
}

/// A square of what `item(x, y)` gives.
pub(crate) fn square<T: Send + Clone + Default>(
    size: usize,
    item: impl Fn(usize, usize) -> T + Sync + Send,
) -> Vec<T> {
    let mut items = vec![T::default(); size * size];
    for_each(&mut items, size, |y, row| {
        for (x, place) in row.iter_mut().enumerate() {
            *place = item(x, y);
        }
    });
    items
}
