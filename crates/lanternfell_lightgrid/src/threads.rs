//! Work on several cores: the only file that knows the thread pool.
//!
//! Colors never mix, and each row of tiles is computed alone from what does not change
//! meanwhile; so the bits do not depend on how many threads there are or which does what.

#[cfg(feature = "parallel")]
use rayon::prelude::*;

use core::slice::ChunksMut;

use crate::{
    channel::{Band, Channel},
    medium::Medium,
};

/// Grids of fewer cells are done before another thread has woken up.
#[cfg(feature = "parallel")]
const WORTH_IT: usize = 128 * 128;

/// Calls `work` for every channel with its medium, and returns what it returns.
pub(crate) fn for_each_channel<T: Send>(
    channels: &mut [Channel],
    media: &[Medium],
    work: impl Fn(&mut Channel, &Medium) -> T + Sync + Send,
) -> Vec<T> {
    let medium = |color: usize| &media[color.min(media.len() - 1)];
    #[cfg(feature = "parallel")]
    if channels.len() > 1 && channels[0].cells() >= WORTH_IT {
        let channels = channels.par_iter_mut().enumerate();
        return channels
            .map(|(color, channel)| work(channel, medium(color)))
            .collect();
    }
    let channels = channels.iter_mut().enumerate();
    channels
        .map(|(color, channel)| work(channel, medium(color)))
        .collect()
}

/// Calls `work` for every row of tiles with the cells in it.
pub(crate) fn for_each_band(
    rows: ChunksMut<'_, f32>,
    bands: &mut [Band],
    work: impl Fn(&mut [f32], &mut Band) + Sync + Send,
) {
    let both = rows.zip(bands);
    #[cfg(feature = "parallel")]
    {
        let mut awake: Vec<_> = both.filter(|(_, band)| band.is_awake()).collect();
        if awake.len() > 2 {
            awake
                .par_iter_mut()
                .for_each(|(rows, band)| work(rows, band));
        } else {
            for (rows, band) in awake {
                work(rows, band);
            }
        }
    }
    #[cfg(not(feature = "parallel"))]
    both.for_each(|(rows, band)| work(rows, band));
}
