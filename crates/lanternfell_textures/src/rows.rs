//! Processes squares row by row on every core. This is the only file that uses the thread pool.
//!
//! Each row is computed independently, from data that does not change. So the result does not
//! depend on the number of threads or the order of the rows.

#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// Calls `work(y, row)` for each row of `width` items.
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

/// Returns a square of the values of `item(x, y)`.
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
