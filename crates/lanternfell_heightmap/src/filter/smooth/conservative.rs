//! Cuts off what stands out from all of its neighbours.
//!
//! Problem: single wrong cells, as measured maps have; a blur smears them.
//!
//! Idea: a height may be anything from the lowest to the highest of its eight neighbours,
//! and what is outside becomes the nearer of the two. A slope, a crest and a cliff stay as
//! they are: each of their cells has a higher and a lower neighbour.
//!
//! ```text
//!     |
//!     |           becomes
//!   --'--  5           --.--
//! ```
//!
//! Cost: 16 comparisons per cell, in vectors along the rows, and one map of memory.
//!
//! Source: conservative smoothing, e.g. Fisher, Perkins, Walker and Wolfart, *Hypermedia
//! Image Processing Reference*, 1996. THREE.Terrain's looks at the diagonals alone.

use fearless_simd::{Level, dispatch};

use crate::{
    Cancelled, Heightmap, Progress,
    filter::{higher, lower, remake},
};

/// Clamps each height to the range of its neighbours, made `slack` times as wide.
pub(super) fn apply(map: &mut Heightmap, slack: f32, progress: &Progress) -> Result<(), Cancelled> {
    let width = map.width();
    let level = Level::new();
    let scratch = || [vec![0.0; width], vec![0.0; width]];
    remake(map, 1, progress, scratch, |[low, high], map, y, row| {
        // The other neighbour takes the place of one beyond the border.
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
    let last = row.len() - 1;
    // Of the column's cells above and below, then with the columns to both sides.
    for x in 0..=last {
        low[x] = lower(up[x], down[x]);
        high[x] = higher(up[x], down[x]);
    }
    let clamp = |west: usize, x: usize, east: usize| {
        let side_low = lower(lower(low[west], here[west]), lower(low[east], here[east]));
        let side_high = higher(
            higher(high[west], here[west]),
            higher(high[east], here[east]),
        );
        let (low, high) = (lower(low[x], side_low), higher(high[x], side_high));
        if slack == 1.0 {
            return higher(lower(here[x], high), low);
        }
        // Halves first: the difference of two heights may be too large for an `f32`.
        let (middle, half) = (0.5 * low + 0.5 * high, slack * (0.5 * high - 0.5 * low));
        higher(lower(here[x], middle + half), middle - half)
    };
    row[0] = clamp(1, 0, 1);
    for (x, z) in row.iter_mut().enumerate().take(last).skip(1) {
        *z = clamp(x - 1, x, x + 1);
    }
    row[last] = clamp(last - 1, last, last - 1);
}
