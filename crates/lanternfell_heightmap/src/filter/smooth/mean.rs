//! The exact mean of a square around each cell, at the same cost for every radius.
//!
//! Problem: a square of radius 100 has 40,401 cells. Running sums need two additions per cell, but
//! floating-point numbers that are added and subtracted again leave rounding errors, which depend
//! on where the sum began.
//!
//! Idea: use integer sums. Each height is rounded to a multiple of a unit, which is a power of two
//! of about 2^-30 of the largest height. All sums are exact, so the result does not depend on the
//! order of the additions.
//!
//! ```text
//!        leaves          columns: one sum of 2 r + 1 rows per column;
//!    . . . . . . .                one row enters below, one leaves above
//!    . +-------+ .       row:     the sum of 2 r + 1 column sums;
//!    . |   x   | .                one column enters in the east, one leaves in the west
//!    . +-------+ .
//!        enters
//! ```
//!
//! Limits: heights above 1/64 of the largest are represented exactly. Smaller heights lose digits
//! below 2^-30 of the largest (2^-28 at the largest radius), which is invisible in a mean with the
//! large heights around them. No sum exceeds 2^51, so all sums are exact as `f64` too.
//!
//! Cost: two additions per cell for the column and two for the row; one additional map in memory.
//! Each band of rows sums its first square from scratch. A band has at most an eighth of the map's
//! rows.
//!
//! Source: running sums are folklore; integer sums as in [`sums`](crate::sums).

use fearless_simd::{Level, dispatch};

use super::{row_near, widen};
use crate::{
    Canceled, Heightmap, Progress,
    filter::remake,
    range::{higher, lower},
};

/// 1.5 * 2^52. An `f64` of this size is an integer, and its low bits are the low bits of that
/// integer.
const WHOLE: f64 = 6_755_399_441_055_744.0;

/// The conversion between heights and integers.
#[derive(Debug, Clone, Copy)]
struct Units {
    /// The number of units in a height of 1, a power of two.
    per_height: f64,
    /// Converts the sum of a square into its mean.
    per_sum: f64,
    /// The map's lowest and highest heights.
    range: (f32, f32),
}

impl Units {
    fn new(range: (f32, f32), radius: usize) -> Self {
        let largest = f64::from(range.0.abs().max(range.1.abs()));
        let count = ((2 * radius + 1) * (2 * radius + 1)) as u64;
        let bits = (51 - (count.ilog2() + 1) as i32).min(30);
        let (_, exponent) = libm::frexp(largest);
        let per_height = libm::ldexp(1.0, bits - exponent);
        Self {
            per_height,
            per_sum: 1.0 / per_height / count as f64,
            range,
        }
    }

    #[inline(always)]
    fn of(&self, z: f32) -> i64 {
        let number = f64::from(z) * self.per_height + WHOLE;
        number.to_bits() as i64 - WHOLE.to_bits() as i64
    }

    #[inline(always)]
    fn mean(&self, sum: i64) -> f32 {
        let sum = f64::from_bits((sum + WHOLE.to_bits() as i64) as u64) - WHOLE;
        let (low, high) = self.range;
        lower(higher((sum * self.per_sum) as f32, low), high)
    }
}

/// Replaces each height by the mean of the square around it. `range` is the range of the whole map.
pub(super) fn apply(
    map: &mut Heightmap,
    radius: usize,
    range: (f32, f32),
    progress: &Progress,
) -> Result<(), Canceled> {
    let (width, height) = (map.width(), map.height());
    if range.0 == range.1 {
        return progress.step(1, 1);
    }
    let units = Units::new(range, radius);
    let level = Level::new();
    let band = (2 * radius + 1).clamp(height.div_ceil(16), height.div_ceil(8));
    let scratch = || (vec![0; width], Vec::new());
    remake(
        map,
        band,
        progress,
        scratch,
        |(sums, wide), map, first, rows| {
            begin(map, first, radius, units, sums);
            for (y, row) in (first..).zip(rows.chunks_mut(width)) {
                if progress.is_canceled() {
                    return;
                }
                if y > first {
                    let enters = row_near(map, y, radius as isize);
                    let leaves = row_near(map, y, -1 - radius as isize);
                    dispatch!(level, _simd => advance(sums, enters, leaves, units));
                }
                widen(sums, radius, wide);
                dispatch!(level, _simd => means(wide, units, row));
            }
        },
    )
}

/// Computes the column sums of the squares around row `y`.
fn begin(map: &Heightmap, y: usize, radius: usize, units: Units, sums: &mut [i64]) {
    let last = map.height() - 1;
    let (top, bottom) = (y.saturating_sub(radius), (y + radius).min(last));
    sums.fill(0);
    for near in top..=bottom {
        // The outermost rows also count for the rows beyond them.
        let above = if near == 0 {
            radius.saturating_sub(y)
        } else {
            0
        };
        let below = if near == last {
            (y + radius) - last.min(y + radius)
        } else {
            0
        };
        let times = (1 + above + below) as i64;
        for (sum, &z) in sums.iter_mut().zip(map.row(near)) {
            *sum += times * units.of(z);
        }
    }
}

/// Moves the column sums one row to the south.
#[inline(always)]
fn advance(sums: &mut [i64], enters: &[f32], leaves: &[f32], units: Units) {
    for (sum, (&enters, &leaves)) in sums.iter_mut().zip(enters.iter().zip(leaves)) {
        *sum += units.of(enters) - units.of(leaves);
    }
}

/// Writes the means of a row. `wide` are the column sums, extended at both ends.
#[inline(always)]
fn means(wide: &mut [i64], units: Units, row: &mut [f32]) {
    let span = wide.len() - row.len();
    let mut sum: i64 = wide[..span].iter().sum();
    // In place: the sum is stored in the column that has just left the square.
    for x in 0..row.len() {
        sum += wide[x + span];
        let leaves = wide[x];
        wide[x] = sum;
        sum -= leaves;
    }
    for (z, &sum) in row.iter_mut().zip(wide.iter()) {
        *z = units.mean(sum);
    }
}
