//! Cuts off heights that are outside the range of their neighbors.
//!
//! Problem: measured maps contain single wrong cells, which a blur would only smear.
//!
//! Idea: clamp each height to the range of its eight neighbors. Slopes, ridges and cliffs do not
//! change, because each of their cells has a higher and a lower neighbor.
//!
//! ```text
//!     |
//!     |           becomes
//!   --'--  5           --.--
//! ```
//!
//! Cost: 16 comparisons per cell, with SIMD along the rows, and one additional map in memory.
//!
//! Source: conservative smoothing, e.g. Fisher, Perkins, Walker and Wolfart, *Hypermedia Image
//! Processing Reference*, 1996. The version in THREE.Terrain compares only the diagonal neighbors.

use fearless_simd::{Level, dispatch};

use crate::{
    Canceled, Heightmap, Progress,
    filter::remake,
    range::{higher, lower},
};

/// Clamps each height to the range of its neighbors, scaled by `slack`.
pub(super) fn apply(map: &mut Heightmap, slack: f32, progress: &Progress) -> Result<(), Canceled> {
    let width = map.width();
    let level = Level::new();
    let scratch = || [vec![0.0; width], vec![0.0; width]];
    remake(map, 1, progress, scratch, |[low, high], map, y, row| {
        // A row beyond the border is replaced by the row on the other side of the cell.
        let up = map.row(if y == 0 { 1 } else { y - 1 });
        let down = map.row(if y + 1 == map.height() { y - 1 } else { y + 1 });
        dispatch!(level, _simd => clamp_row([up, map.row(y), down], slack, low, high, row));
    })
}

#[inline(always)]
fn clamp_row(
    [up, here, down]: [&[f32]; 3],
    slack: f32,
    low: &mut [f32],
    high: &mut [f32],
    row: &mut [f32],
) {
    // The minimum and maximum of the cells above and below, for each column.
    for (((low, high), &up), &down) in low.iter_mut().zip(high.iter_mut()).zip(up).zip(down) {
        (*low, *high) = (lower(up, down), higher(up, down));
    }
    // Combines three columns. The middle cell itself is not among its neighbors.
    let clamp = |low: &[f32], high: &[f32], here: &[f32]| {
        let sides = (lower(here[0], here[2]), higher(here[0], here[2]));
        let low = lower(lower(lower(low[0], low[1]), low[2]), sides.0);
        let high = higher(higher(higher(high[0], high[1]), high[2]), sides.1);
        if slack == 1.0 {
            return higher(lower(here[1], high), low);
        }
        // Halve first: the difference of two heights can overflow an `f32`.
        let (middle, half) = (0.5 * low + 0.5 * high, slack * (0.5 * high - 0.5 * low));
        higher(lower(here[1], middle + half), middle - half)
    };
    let last = row.len() - 1;
    for (x, other) in [(0, 1), (last, last - 1)] {
        let three = |cells: &[f32]| [cells[other], cells[x], cells[other]];
        row[x] = clamp(&three(low), &three(high), &three(here));
    }
    let threes = low.windows(3).zip(high.windows(3)).zip(here.windows(3));
    for (z, ((low, high), here)) in row[1..].iter_mut().zip(threes) {
        *z = clamp(low, high, here);
    }
}
