//! Strahler's order of each stretch of a river.
//!
//! ```text
//!    1   1             A source is 1; where two of an order meet, one
//!     \ /  1           higher; else the highest stays.
//!      2  /
//!       \/
//!       2
//! ```
//!
//! Cost: one pass downstream, and a byte per cell. Source: Strahler, *Quantitative analysis of
//! watershed geomorphology*, 1957.

use super::{Drainage, flood::CELLS_PER_STEP, grid::OUTLET};
use crate::{Cancelled, Progress};

/// Strahler's order of each cell of a river; 0 elsewhere, and at outlets.
pub(super) fn strahler(
    drainage: &Drainage,
    areas: &[u32],
    least: u32,
    progress: &Progress,
) -> Result<Vec<u8>, Cancelled> {
    // Twice the highest order that came in, and 1 more when it came twice.
    let mut seen = vec![0_u8; areas.len()];
    drainage.flow.downstream(progress, |cell, receiver| {
        let order = if areas[cell] >= least {
            (seen[cell] / 2 + seen[cell] % 2).max(1)
        } else {
            0
        };
        seen[cell] = order;
        let before = seen[receiver];
        if order > before / 2 {
            seen[receiver] = 2 * order;
        } else if order > 0 && order == before / 2 {
            seen[receiver] = 2 * order + 1;
        }
    })?;
    let chunks = seen.chunks_mut(CELLS_PER_STEP);
    for (orders, directions) in chunks.zip(drainage.flow.directions.chunks(CELLS_PER_STEP)) {
        progress.check()?;
        for (order, &direction) in orders.iter_mut().zip(directions) {
            if direction == OUTLET {
                *order = 0;
            }
        }
    }
    Ok(seen)
}
