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
//! Cost: one pass downstream, and one byte per cell.
//!
//! Source: Strahler, *Quantitative analysis of watershed geomorphology*, 1957.

use super::{Drainage, grid::OUTLET};
use crate::{Canceled, Progress, rows};

/// The Strahler order of each river cell; 0 elsewhere, and at outlets.
pub(super) fn strahler(
    drainage: &Drainage,
    areas: &[u32],
    least: u32,
    progress: &Progress,
) -> Result<Vec<u8>, Canceled> {
    let order = |cell: usize, seen: u8| match areas[cell] >= least {
        true => (seen / 2 + seen % 2).max(1),
        false => 0,
    };
    // Twice the highest order that flowed in so far, plus 1 if it flowed in twice.
    let mut seen = vec![0_u8; areas.len()];
    let strip_rows = drainage.flow.grid.strip_rows();
    let gathering = progress.span(0.0, 0.95);
    let pour = |cell, donor, before: u8| match order(cell, donor) {
        order if order > before / 2 => 2 * order,
        order if order > 0 && order == before / 2 => 2 * order + 1,
        _ => before,
    };
    drainage
        .flow
        .gather(&mut seen, strip_rows, &gathering, pour)?;
    let width = drainage.flow.grid.width;
    rows::for_each_row(&mut seen, width, &progress.span(0.95, 1.0), |y, row| {
        for (cell, seen) in (y * width..).zip(row) {
            let outlet = drainage.flow.directions[cell] == OUTLET;
            *seen = if outlet { 0 } else { order(cell, *seen) };
        }
    })?;
    Ok(seen)
}
