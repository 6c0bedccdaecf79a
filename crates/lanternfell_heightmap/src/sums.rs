//! Heights that are sums of whole numbers: exact in any order, rounded once at the end.
//!
//! Problem: a fast path that adds in another order than the obvious one, or on several
//! threads, gives other bits when it adds floating-point numbers. Integers do not care.
//! But a second map of 64-bit sums would take twice the memory of the heights.
//!
//! Idea: rows are summed in 64-bit integers in a scratch row, and only then rounded to
//! `f32`, *relative to the sum of a cell of the map*. No cell is further from that one
//! than the map's highest is from its lowest, so whatever all cells have in common
//! costs no bits:
//!
//! ```text
//!   row of i64   --- minus origin, to f32 --->   row of the map   --- stretch --->   0..1
//!                         |  lowest, highest                            ^
//!                         +---------------------------------------------+
//! ```
//!
//! Steps: sum row 0 for the origin; sum every row, store it, note the extremes; stretch.
//! Cost: one conversion and one multiplication per cell, all rows in parallel. The
//! error is at most 2^-24 of the range before the heights are rounded to `f32`, and
//! equal sums stay equal: all lowest cells become exactly 0.

use fearless_simd::{Level, dispatch};
use serde::{Deserialize, Serialize};

use crate::{Cancelled, Heightmap, MapSize, Progress, range::Range, rows};

/// The part of the work after which the sums are known and only stretching remains.
const SUMMED: f32 = 0.9;

/// The sums themselves, row by row.
///
/// Here and below `fill` may stop early once the work was cancelled, whatever it leaves.
/// `fill(scratch, y, sums)` overwrites `sums` with row `y`.
pub(crate) fn exact<S>(
    size: MapSize,
    progress: &Progress,
    scratch: impl Fn() -> S + Sync + Send,
    fill: impl Fn(&mut S, usize, &mut [i64]) + Sync + Send,
) -> Result<Vec<i64>, Cancelled> {
    let mut sums = vec![0; size.cells()];
    rows::for_each_row_with(&mut sums, size.width(), progress, scratch, fill)?;
    Ok(sums)
}

/// The sums stretched to heights from 0 to 1; all 0 when they are all equal.
///
/// No two sums of the map may be further apart than an `i64` can tell.
pub(crate) fn normalised<S>(
    size: MapSize,
    progress: &Progress,
    scratch: impl Fn() -> S + Sync + Send,
    fill: impl Fn(&mut S, usize, &mut [i64]) + Sync + Send,
) -> Result<Heightmap, Cancelled> {
    let width = size.width();
    let origin = origin(width, progress, &scratch, &fill)?;
    let mut map = Heightmap::flat(size);
    let range = Range::default();
    rows::for_each_row_with(
        map.heights_mut(),
        width,
        &progress.span(0.0, SUMMED),
        || (scratch(), vec![0; width]),
        |(scratch, sums), y, row| {
            fill(scratch, y, sums);
            relative(sums, origin, row);
            range.note(row);
        },
    )?;
    let (low, high) = range.extremes();
    let levels = Levels { origin, low, high };
    rows::for_each_row(
        map.heights_mut(),
        width,
        &progress.span(SUMMED, 1.0),
        |_, row| {
            levels.stretch(row);
        },
    )?;
    Ok(map)
}

/// What a whole map's sums have in common, and the lowest and highest beside that: with it, any
/// part of the map can be stretched as the whole.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Levels {
    origin: i64,
    low: f32,
    high: f32,
}

impl Levels {
    /// Maps the lowest to 0 and the highest to 1.
    fn stretch(&self, row: &mut [f32]) {
        let low = f64::from(self.low);
        let span = f64::from(self.high) - low;
        // The product of a number and its reciprocal is 1 to 53 bits, thus 1 as an `f32`.
        let scale = if span > 0.0 { 1.0 / span } else { 0.0 };
        dispatch!(Level::new(), _simd => stretch_row(row, low, scale));
    }

    /// The levels of a map that is never whole in memory: a few rows are enough.
    pub(crate) fn measure<S>(
        size: MapSize,
        progress: &Progress,
        scratch: impl Fn() -> S + Sync + Send,
        fill: impl Fn(&mut S, usize, &mut [i64]) + Sync + Send,
    ) -> Result<Self, Cancelled> {
        let width = size.width();
        let origin = origin(width, progress, &scratch, &fill)?;
        let range = Range::default();
        rows::for_each_row_with(
            &mut vec![(); size.height()],
            1,
            progress,
            || (scratch(), vec![0; width], vec![0.0; width]),
            |(scratch, sums, row), y, _| {
                fill(scratch, y, sums);
                relative(sums, origin, row);
                range.note(row);
            },
        )?;
        let (low, high) = range.extremes();
        Ok(Self { origin, low, high })
    }

    /// The heights of a part of the map whose levels these are.
    pub(crate) fn heights<S>(
        &self,
        size: MapSize,
        progress: &Progress,
        scratch: impl Fn() -> S + Sync + Send,
        fill: impl Fn(&mut S, usize, &mut [i64]) + Sync + Send,
    ) -> Result<Heightmap, Cancelled> {
        let width = size.width();
        let mut map = Heightmap::flat(size);
        rows::for_each_row_with(
            map.heights_mut(),
            width,
            progress,
            || (scratch(), vec![0; width]),
            |(scratch, sums), y, row| {
                fill(scratch, y, sums);
                relative(sums, self.origin, row);
                self.stretch(row);
            },
        )?;
        Ok(map)
    }
}

/// The lowest sum of row 0.
fn origin<S>(
    width: usize,
    progress: &Progress,
    scratch: impl Fn() -> S,
    fill: impl Fn(&mut S, usize, &mut [i64]),
) -> Result<i64, Cancelled> {
    progress.check()?;
    let mut first = vec![0; width];
    fill(&mut scratch(), 0, &mut first);
    progress.check()?;
    Ok(first.into_iter().min().unwrap_or(0))
}

/// The sums without what they have in common. Cut-off ones, of cancelled work, may wrap.
fn relative(sums: &[i64], origin: i64, row: &mut [f32]) {
    dispatch!(Level::new(), _simd => round(sums, origin, row));
}

// Inlined, so that they are compiled once for each vector width; the bits are the same.

#[inline(always)]
fn round(sums: &[i64], origin: i64, row: &mut [f32]) {
    for (height, &sum) in row.iter_mut().zip(sums) {
        *height = sum.wrapping_sub(origin) as f32;
    }
}

#[inline(always)]
fn stretch_row(row: &mut [f32], low: f64, scale: f64) {
    for height in row {
        *height = ((f64::from(*height) - low) * scale) as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heights(sums: &'static [i64]) -> Heightmap {
        let size = MapSize::new(sums.len() as u64 / 2, 2).unwrap();
        let row = |(): &mut (), y: usize, row: &mut [i64]| {
            row.copy_from_slice(&sums[y * sums.len() / 2..][..sums.len() / 2]);
        };
        let exact = exact(size, &Progress::default(), || (), row).unwrap();
        assert_eq!(exact, sums);
        normalised(size, &Progress::default(), || (), row).unwrap()
    }

    #[test]
    fn the_extremes_become_exactly_zero_and_one() {
        assert_eq!(heights(&[3, 5, 4, 7]).heights(), [0.0, 0.5, 0.25, 1.0]);
        assert_eq!(heights(&[9; 4]).heights(), [0.0; 4]);
        let third = heights(&[0, 1, 2, 3, 3, 0]);
        assert_eq!(third.range(), (0.0, 1.0));
    }

    #[test]
    fn what_all_cells_share_costs_no_bits() {
        const COMMON: i64 = 1 << 61;
        let map = heights(&[COMMON + 1, COMMON + 2, COMMON + 3, COMMON + 5]);
        assert_eq!(map.heights(), [0.0, 0.25, 0.5, 1.0]);
    }

    #[test]
    fn parts_have_the_heights_of_the_whole() {
        let size = MapSize::new(40, 30).unwrap();
        let sum = |x: usize, y: usize| ((x * 7919 + y * 104_729) % 1009) as i64 - (1 << 40);
        let fill = |dx: usize, dy: usize| {
            move |(): &mut (), y: usize, row: &mut [i64]| {
                for (x, cell) in row.iter_mut().enumerate() {
                    *cell = sum(x + dx, y + dy);
                }
            }
        };
        let progress = Progress::default();
        let whole = normalised(size, &progress, || (), fill(0, 0)).unwrap();
        let levels = Levels::measure(size, &progress, || (), fill(0, 0)).unwrap();
        let part = MapSize::new(7, 9).unwrap();
        let part = levels
            .heights(part, &progress, || (), fill(33, 21))
            .unwrap();
        for y in 0..9 {
            assert_eq!(part.row(y), &whole.row(y + 21)[33..]);
        }
    }

    #[test]
    fn cancelled_work_returns_at_once() {
        let size = MapSize::new(4, 4).unwrap();
        let progress = Progress::default();
        progress.cancel();
        let never = |(): &mut (), _: usize, _: &mut [i64]| panic!("started");
        assert_eq!(normalised(size, &progress, || (), never), Err(Cancelled));
    }
}
