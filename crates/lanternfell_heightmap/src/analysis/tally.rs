//! Counting cells by some property, on every core.
//!
//! Counts are whole numbers, so the order in which threads add theirs does not matter.

use std::sync::{Mutex, PoisonError};

use super::in_order;
use crate::{Cancelled, Heightmap, Progress};

/// Rows that are counted together, before their counts are added to all others.
const BAND: usize = 16;

/// How many cells have each of `bins` values of `bin`; those of which it is `None` are
/// not counted.
pub(super) fn tally(
    map: &Heightmap,
    bins: usize,
    progress: &Progress,
    bin: impl Fn(f32) -> Option<usize> + Sync + Send,
) -> Result<Vec<u64>, Cancelled> {
    let total = Mutex::new(vec![0_u64; bins]);
    let bands: Vec<&[f32]> = map.heights().chunks(BAND * map.width()).collect();
    in_order(bands.len(), progress, |band| {
        let mut counts = vec![0_u32; bins];
        for bin in bands[band].iter().filter_map(|&z| bin(z)) {
            counts[bin] += 1;
        }
        let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
        for (total, count) in total.iter_mut().zip(counts) {
            *total += u64::from(count);
        }
    })?;
    Ok(total.into_inner().unwrap_or_else(PoisonError::into_inner))
}
