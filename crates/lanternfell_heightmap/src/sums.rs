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
/// `fill(scratch, y, sums)` overwrites `sums` with row `y`. No two sums of the map may
/// be further apart than an `i64` can tell.
pub(crate) fn normalised<S>(
    size: MapSize,
    progress: &Progress,
    scratch: impl Fn() -> S + Sync + Send,
    fill: impl Fn(&mut S, usize, &mut [i64]) + Sync + Send,
) -> Result<Heightmap, Cancelled> {
    progress.check()?;
    let width = size.width();
    let mut first = vec![0; width];
    fill(&mut scratch(), 0, &mut first);
    progress.check()?;
    let origin = first.into_iter().min().unwrap_or(0);

    let mut map = Heightmap::flat(size);
    let range = Range::default();
    rows::for_each_row_with(
        map.heights_mut(),
        width,
        &progress.span(0.0, SUMMED),
        || (scratch(), vec![0; width]),
        |(scratch, sums), y, row| {
            fill(scratch, y, sums);
            dispatch!(Level::new(), _simd => round(sums, origin, row));
            range.note(row);
        },
    )?;

    let (low, high) = range.extremes();
    stretch(&mut map, low, high, &progress.span(SUMMED, 1.0))?;
    Ok(map)
}

/// Maps `low` to 0 and `high` to 1.
fn stretch(map: &mut Heightmap, low: f32, high: f32, progress: &Progress) -> Result<(), Cancelled> {
    let low = f64::from(low);
    let span = f64::from(high) - low;
    // The product of a number and its reciprocal is 1 to 53 bits, thus 1 as an `f32`.
    let scale = if span > 0.0 { 1.0 / span } else { 0.0 };
    let width = map.width();
    rows::for_each_row(map.heights_mut(), width, progress, |_, row| {
        dispatch!(Level::new(), _simd => stretch_row(row, low, scale));
    })
}

// Inlined, so that they are compiled once for each vector width; the bits are the same.

#[inline(always)]
fn round(sums: &[i64], origin: i64, row: &mut [f32]) {
    for (height, &sum) in row.iter_mut().zip(sums) {
        *height = (sum - origin) as f32;
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
    fn cancelled_work_returns_at_once() {
        let size = MapSize::new(4, 4).unwrap();
        let progress = Progress::default();
        progress.cancel();
        let never = |(): &mut (), _: usize, _: &mut [i64]| panic!("started");
        assert_eq!(normalised(size, &progress, || (), never), Err(Cancelled));
    }
}
