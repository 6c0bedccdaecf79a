//! Heights that are sums of whole numbers: exact in any order, rounded once at the end.
//!
//! Problem: floating-point addition is not associative. A fast path that adds in another order,
//! or on several threads, would change the bits. Integer addition has no such problem, but a
//! second map of 64-bit sums would take twice the memory of the heights.
//!
//! Idea: rows are summed in 64-bit integers in a scratch row, and then rounded to `f32` *relative
//! to the sum of one cell of the map*. No cell differs from that cell by more than the range of
//! the map. An offset common to all cells therefore costs no precision:
//!
//! ```text
//!   row of i64   --- minus origin, to f32 --->   row of the map   --- stretch --->   0..1
//!                         |  lowest, highest                            ^
//!                         +---------------------------------------------+
//! ```
//!
//! Steps: sum row 0 to get the origin; sum and store every row, and note the extremes; stretch.

use fearless_simd::{Level, dispatch};
use serde::{Deserialize, Serialize};

use crate::{
    Canceled, Heightmap, MapSize, Progress,
    range::{self, Range},
    rows,
};

/// The fraction of the work after which the sums are known and only stretching remains.
const SUMMED: f32 = 0.9;

/// A source of exact sums, row by row.
pub(crate) trait Summed: Sync {
    /// The scratch memory of [`fill`](Self::fill) for a map of this width. Every thread has its
    /// own.
    fn scratch(&self, width: usize) -> Vec<i64>;

    /// Overwrites `sums` with row `y`. If the work is canceled, it may stop early and leave any values.
    fn fill(&self, scratch: &mut [i64], y: usize, sums: &mut [i64], progress: &Progress);
}

/// Returns the sums of all cells, row by row.
pub(crate) fn exact(
    summed: &impl Summed,
    size: MapSize,
    progress: &Progress,
) -> Result<Vec<i64>, Canceled> {
    let width = size.width();
    let mut sums = vec![0; size.cells()];
    rows::for_each_row_with(
        &mut sums,
        width,
        progress,
        || summed.scratch(width),
        |scratch, y, row| summed.fill(scratch, y, row, progress),
    )?;
    Ok(sums)
}

/// Returns the sums stretched to heights from 0 to 1, or 0 everywhere if they are all equal.
///
/// The difference of any two sums of the map must fit an `i64`.
pub(crate) fn normalized(
    summed: &impl Summed,
    size: MapSize,
    progress: &Progress,
) -> Result<Heightmap, Canceled> {
    let width = size.width();
    // The origin must be known before the first row is rounded. It costs one extra row.
    let origin = origin(summed, width, progress)?;
    let mut map = Heightmap::flat(size);
    let range = Range::default();
    rows::for_each_row_with(
        map.heights_mut(),
        width,
        &progress.span(0.0, SUMMED),
        || (summed.scratch(width), vec![0; width]),
        |(scratch, sums), y, row| {
            summed.fill(scratch, y, sums, progress);
            // `range` is noted after rounding, so that the extremes are exactly the values that
            // are stretched.
            relative(sums, origin, row);
            range.note(row);
        },
    )?;
    let extremes = range.extremes();
    rows::for_each_row(
        map.heights_mut(),
        width,
        &progress.span(SUMMED, 1.0),
        |_, row| {
            range::stretch(row, extremes);
        },
    )?;
    Ok(map)
}

/// The origin of a whole map's sums, and the extremes relative to it. With these, any part of the map can be stretched
/// exactly like the whole.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Normalization {
    origin: i64,
    low: f32,
    high: f32,
}

impl Normalization {
    /// Whether it can belong to a map: the extremes must be integers in ascending order.
    pub(crate) fn is_proper(&self) -> bool {
        let whole = |sum: f32| sum.is_finite() && sum.fract() == 0.0;
        whole(self.low) && whole(self.high) && self.low <= self.high
    }

    /// Measures a map without storing it. The memory is a few rows.
    pub(crate) fn measure(
        summed: &impl Summed,
        size: MapSize,
        progress: &Progress,
    ) -> Result<Self, Canceled> {
        let width = size.width();
        let origin = origin(summed, width, progress)?;
        let range = Range::default();
        rows::for_each_row_with(
            // Zero-sized elements: only the row index matters, and no map is allocated.
            &mut vec![(); size.height()],
            1,
            progress,
            || (summed.scratch(width), vec![0; width], vec![0.0; width]),
            |(scratch, sums, row), y, _| {
                summed.fill(scratch, y, sums, progress);
                relative(sums, origin, row);
                range.note(row);
            },
        )?;
        let (low, high) = range.extremes();
        Ok(Self { origin, low, high })
    }

    /// The heights of a part of the map that was measured.
    pub(crate) fn heights(
        &self,
        summed: &impl Summed,
        size: MapSize,
        progress: &Progress,
    ) -> Result<Heightmap, Canceled> {
        let width = size.width();
        let mut map = Heightmap::flat(size);
        rows::for_each_row_with(
            map.heights_mut(),
            width,
            progress,
            || (summed.scratch(width), vec![0; width]),
            |(scratch, sums), y, row| {
                summed.fill(scratch, y, sums, progress);
                // The same two roundings as in `normalized`, in the same order, so a part has the bits of the whole.
                relative(sums, self.origin, row);
                range::stretch(row, (self.low, self.high));
            },
        )?;
        Ok(map)
    }
}

/// The lowest sum of row 0.
fn origin(summed: &impl Summed, width: usize, progress: &Progress) -> Result<i64, Canceled> {
    progress.check()?;
    let mut first = vec![0; width];
    summed.fill(&mut summed.scratch(width), 0, &mut first, progress);
    progress.check()?;
    Ok(first.into_iter().min().unwrap_or(0))
}

/// Subtracts the origin and rounds. The incomplete sums of canceled work may wrap.
fn relative(sums: &[i64], origin: i64, row: &mut [f32]) {
    dispatch!(Level::new(), _simd => round(sums, origin, row));
}

/// Inlined into `dispatch!`, so that it is compiled for each vector width. The bits are the same.
#[inline(always)]
fn round(sums: &[i64], origin: i64, row: &mut [f32]) {
    for (height, &sum) in row.iter_mut().zip(sums) {
        // Subtract first, then round once. Rounding each operand would lose the low bits of large
        // sums.
        *height = sum.wrapping_sub(origin) as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sums of the cells from `(x, y)` on, as a function of the position.
    struct SummedCells<F>(F, usize, usize);

    impl<F: Fn(usize, usize) -> i64 + Sync> Summed for SummedCells<F> {
        fn scratch(&self, _width: usize) -> Vec<i64> {
            Vec::new()
        }

        fn fill(&self, _scratch: &mut [i64], y: usize, sums: &mut [i64], _progress: &Progress) {
            for (x, sum) in sums.iter_mut().enumerate() {
                *sum = (self.0)(x + self.1, y + self.2);
            }
        }
    }

    fn heights(sums: &[i64]) -> Heightmap {
        let size = MapSize::new(sums.len() as u64 / 2, 2).unwrap();
        let cells = SummedCells(|x, y| sums[y * sums.len() / 2 + x], 0, 0);
        let exact = exact(&cells, size, &Progress::default()).unwrap();
        assert_eq!(exact, sums);
        normalized(&cells, size, &Progress::default()).unwrap()
    }

    #[test]
    fn the_extremes_become_exactly_zero_and_one() {
        assert_eq!(heights(&[3, 5, 4, 7]).heights(), [0.0, 0.5, 0.25, 1.0]);
        assert_eq!(heights(&[9; 4]).heights(), [0.0; 4]);
        let third = heights(&[0, 1, 2, 3, 3, 0]);
        assert_eq!(third.range(), (0.0, 1.0));
    }

    #[test]
    fn common_offset_costs_no_bits() {
        const COMMON: i64 = 1 << 61;
        let map = heights(&[COMMON + 1, COMMON + 2, COMMON + 3, COMMON + 5]);
        assert_eq!(map.heights(), [0.0, 0.25, 0.5, 1.0]);
    }

    #[test]
    fn parts_have_the_heights_of_the_whole() {
        let size = MapSize::new(40, 30).unwrap();
        let sum = |x: usize, y: usize| ((x * 7919 + y * 104_729) % 1009) as i64 - (1 << 40);
        let progress = Progress::default();
        let whole = normalized(&SummedCells(sum, 0, 0), size, &progress).unwrap();
        let normalization =
            Normalization::measure(&SummedCells(sum, 0, 0), size, &progress).unwrap();
        let part = MapSize::new(7, 9).unwrap();
        let part = normalization.heights(&SummedCells(sum, 33, 21), part, &progress);
        let part = part.unwrap();
        for y in 0..9 {
            assert_eq!(part.row(y), &whole.row(y + 21)[33..], "row {y}");
        }
    }

    #[test]
    fn canceled_work_returns_at_once() {
        let size = MapSize::new(4, 4).unwrap();
        let progress = Progress::default();
        progress.cancel();
        let never = SummedCells(|_, _| panic!("started"), 0, 0);
        assert_eq!(normalized(&never, size, &progress), Err(Canceled));
    }
}
