//! The Strahler order of each river cell.
//!
//! ```text
//!    1   1             A source has order 1. Where two streams of the same
//!     \ /  1           order meet, the order increases by one. Otherwise the
//!      2  /            highest order continues.
//!       \/
//!       2
//! ```
//!
//! Steps: count the donors of each river cell that are rivers too. From each source, walk down as long as cells are
//! complete, as in [`Flow::downstream`](super::flow::Flow::downstream). All cells downstream of a river are rivers, so
//! the rest of the map is only scanned.
//!
//! Cost: two scans of the areas, and one pass down the rivers. Memory: 2 bytes per cell.
//!
//! Source: Strahler, *Quantitative analysis of watershed geomorphology*, 1957.

use super::{Drainage, flood::CELLS_PER_STEP, flow::DONE, grid::OUTLET};
use crate::{Canceled, Progress};

/// The Strahler order of each river cell; 0 elsewhere, and at outlets. `least` is the smallest area of a river.
pub(super) fn strahler(
    drainage: &Drainage,
    areas: &[u32],
    least: u32,
    progress: &Progress,
) -> Result<Vec<u8>, Canceled> {
    let flow = &drainage.flow;
    let mut waiting = vec![0_u8; areas.len()];
    scan(areas, least, &progress.span(0.0, 0.4), |cell| {
        if let Some(receiver) = flow.receiver(cell) {
            waiting[receiver] += 1;
        }
    })?;
    // Until a cell is visited: twice the highest order that flowed in so far, plus 1 if it flowed in twice.
    let mut orders = vec![0_u8; areas.len()];
    scan(areas, least, &progress.span(0.4, 1.0), |source| {
        let mut cell = source;
        while waiting[cell] == 0
            && let Some(receiver) = flow.receiver(cell)
        {
            let seen = orders[cell];
            let order = (seen / 2 + seen % 2).max(1);
            orders[cell] = order;
            waiting[cell] = DONE;
            // The second can only be true for areas that are not those of this drainage.
            if flow.directions[receiver] == OUTLET || areas[receiver] < least {
                break;
            }
            let before = orders[receiver];
            orders[receiver] = match 2 * order {
                twice if twice > before => twice,
                twice if twice == before => twice + 1,
                _ => before,
            };
            waiting[receiver] -= 1;
            cell = receiver;
        }
    })?;
    Ok(orders)
}

/// Calls `each` with every cell whose area is at least this, in cell order.
fn scan(
    areas: &[u32],
    least: u32,
    progress: &Progress,
    mut each: impl FnMut(usize),
) -> Result<(), Canceled> {
    let firsts = (0..).step_by(CELLS_PER_STEP);
    for (first, some) in firsts.zip(areas.chunks(CELLS_PER_STEP)) {
        progress.step(first, areas.len())?;
        let cells = (first..).zip(some);
        for (cell, _) in cells.filter(|&(_, &area)| area >= least) {
            each(cell);
        }
    }
    progress.step(1, 1)
}
