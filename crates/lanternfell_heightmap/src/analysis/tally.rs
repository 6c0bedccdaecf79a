//! Counts cells by a property, on every core.
//!
//! Counts are integers, so the order in which threads add them does not matter.

use std::sync::{Mutex, PoisonError};

use super::{height_rows::HeightRows, in_order};
use crate::{Canceled, Progress};

/// The number of rows that are counted together before they are added to the total.
const BAND: usize = 16;

/// Counts the cells with each of `bins` values of `bin`. Cells for which it returns `None` are not counted.
pub(super) fn tally(
    map: &(impl HeightRows + ?Sized),
    bins: usize,
    progress: &Progress,
    bin: impl Fn(f32) -> Option<usize> + Sync + Send,
) -> Result<Vec<u64>, Canceled> {
    let total = Mutex::new(vec![0_u64; bins]);
    let height = map.size().height();
    in_order(height.div_ceil(BAND), progress, |band| {
        let mut counts = vec![0_u32; bins];
        for y in band * BAND..((band + 1) * BAND).min(height) {
            map.show(y, &mut |row| {
                for bin in row.iter().filter_map(|&z| bin(z)) {
                    counts[bin] += 1;
                }
            });
        }
        let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
        for (total, count) in total.iter_mut().zip(counts) {
            *total += u64::from(count);
        }
    })?;
    Ok(total.into_inner().unwrap_or_else(PoisonError::into_inner))
}
