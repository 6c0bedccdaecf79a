//! Fault lines as steps: one addition per line and row.
//!
//! Problem: a thousand lines over a million cells are a billion side tests.
//!
//! Idea: along a row, a line has one crossing, and all cells on one side of it are raised. So
//! record only the *change* at the crossing, for all lines, and sum along the row once:
//!
//! ```text
//!   line raises the east     . . . . d d d d      change  . . . . +d . . .
//!   line raises the west     d d d d . . . .      change  . . . . -d . . .   and +d for the row
//! ```
//!
//! Steps: once per line, compute the crossing as a linear function of the row. Per row, compute the crossings of all
//! lines (a loop without branches that the compiler vectorizes), add one change for each, and take the running sum.
//!
//! Cost: O(N H + W H) for N lines, instead of O(N W H). Scratch: one row.
//!
//! # Why the crossings are exact
//!
//! With `D = 256 |dy|` and the sign `s` of `dy`, the first cell past the crossing is `floor(m(y) / D) + 1` for an
//! integer `m(y) = s n(y)` (minus 1 if `s < 0`, because the side test is strict), where `n(y) = x1 dy + (256 y - y1)
//! dx`. That cell is the integer nearest to `p(y) = (m(y) + 1/2) / D + 1/2`, and `p(y)` is at least `1/(2 D)` away from
//! any tie. The coordinates of every line are at most 2^23, so `m(0)` and `256 dx y` are below 2^48. Computed in `f64`
//! as `a + b y`, `p(y)` has an error of at most four roundings of 2^-53 of 2^48 / D, which is 1/(8 D). So it is never
//! rounded to the wrong side.

use fearless_simd::{Level, dispatch};

use super::{Lift, line::FaultLine};
use crate::Progress;

/// Lines per batch: their crossings stay in registers and the L1 cache.
const BATCH: usize = 32;

/// Adding 2^52 to a number from 0 to 2^31 rounds it to an integer in the lowest bits.
const ROUND: f64 = (1_u64 << 52) as f64;

/// The movement per row of the crossing of a horizontal line: it jumps across the whole map.
const FAR: f64 = (1 << 20) as f64;

/// Many lines, ready to be summed in any row.
pub(super) struct Steps {
    /// The crossing in row 0, plus an offset so that it rounds to the first cell past it.
    at_row_0: Vec<f64>,
    /// The movement of the crossing from row to row.
    per_row: Vec<f64>,
    /// The change at the crossing, from west to east.
    change: Vec<i64>,
    /// The sum of the lines that raise the west, for column 0.
    west: i64,
}

impl Steps {
    /// Prepares the lines with their displacements.
    pub(super) fn new(lifts: &[Lift]) -> Self {
        let mut steps = Self {
            at_row_0: Vec::new(),
            per_row: Vec::new(),
            change: Vec::new(),
            west: 0,
        };
        for &(line, displacement) in lifts {
            let [_, dy] = line.direction();
            let (at_row_0, per_row) = crossing(line);
            steps.at_row_0.push(at_row_0);
            steps.per_row.push(per_row);
            steps
                .change
                .push(if dy < 0 { -displacement } else { displacement });
            steps.west += if dy < 0 { displacement } else { 0 };
        }
        steps
    }

    /// Overwrites `sums` with row `y`. If the work is canceled, the result is undefined. `changes` is scratch memory,
    /// one element longer than the row.
    pub(super) fn fill(
        &self,
        changes: &mut [i64],
        y: usize,
        sums: &mut [i64],
        progress: &Progress,
    ) {
        dispatch!(Level::new(), _simd => self.fill_here(changes, y, sums, progress));
    }

    /// Inlined with all its callees, so that it is compiled once for each vector width.
    #[inline(always)]
    fn fill_here(&self, changes: &mut [i64], y: usize, sums: &mut [i64], progress: &Progress) {
        self.note_changes(changes, y, progress);
        let mut sum = self.west;
        for (cell, change) in sums.iter_mut().zip(changes) {
            sum += *change;
            *cell = sum;
        }
    }

    #[inline(always)]
    fn note_changes(&self, changes: &mut [i64], y: usize, progress: &Progress) {
        changes.fill(0);
        let (y, width) = (y as f64, (changes.len() - 1) as f64);
        let mut cells = [0_u64; BATCH];
        let batches = self.at_row_0.chunks(BATCH).zip(self.per_row.chunks(BATCH));
        for ((at_row_0, per_row), change) in batches.zip(self.change.chunks(BATCH)) {
            if progress.is_canceled() {
                return;
            }
            for ((cell, a), b) in cells.iter_mut().zip(at_row_0).zip(per_row) {
                let crossing = a + b * y;
                // Selects instead of `clamp`, so that the loop vectorizes. A crossing east of the
                // map is put one past the row, which no cell reads.
                let inside = if crossing > 0.0 { crossing } else { 0.0 };
                let inside = if inside < width { inside } else { width };
                *cell = (inside + ROUND).to_bits();
            }
            // This is a separate loop because two crossings may share a column, so it cannot be vectorized.
            for (cell, change) in cells.iter().zip(change) {
                changes[*cell as u32 as usize] += change;
            }
        }
    }
}

/// The crossing in row 0 and its movement per row, such that the nearest integer is the first cell past it.
fn crossing(line: FaultLine) -> (f64, f64) {
    let [dx, dy] = line.direction();
    if dy == 0 {
        return along_the_rows(line);
    }
    // `m(0)` of the module documentation. Subtracting 1 for lines that raise the west keeps cells
    // on the line unraised.
    let before_row_0 = -line.cross_at(0) * dy.signum() - i64::from(dy < 0);
    let cell = i64::from(FaultLine::CELL) * dy.abs();
    let at_row_0 = (before_row_0 as f64 + 0.5) / cell as f64 + 0.5;
    (at_row_0, dx as f64 / dy as f64)
}

/// The crossing of a line along the rows, which raises whole rows: it is west of the map in raised rows and east of it
/// in the others.
fn along_the_rows(line: FaultLine) -> (f64, f64) {
    let [_, y] = line.start();
    let [dx, _] = line.direction();
    if dx > 0 {
        // Raised where 256 row < y.
        let first_not_raised = (y - 1).div_euclid(FaultLine::CELL) + 1;
        ((0.5 - f64::from(first_not_raised)) * FAR, FAR)
    } else {
        let first_raised = y.div_euclid(FaultLine::CELL) + 1;
        ((f64::from(first_raised) - 0.5) * FAR, -FAR)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SeededRng;

    /// Compares with the side test row by row, where rounding is hardest: lines through cells, nearly along the rows,
    /// nearly along the columns, and far out.
    #[test]
    fn crossings_match_the_side_test() {
        let mut rng = SeededRng::new(1, b"crossing");
        let mut coordinate = |limit: i64, grain: i64| {
            let steps = (2 * limit / grain) as u64 + 1;
            (rng.below(steps) as i64 * grain - limit) as i32
        };
        let reach = i64::from(FaultLine::REACH);
        for round in 0..20_000 {
            let grain = [1, 128, 256][round % 3];
            let limit = [512, 4096, 1 << 22, reach][round % 4];
            let flat = [limit, 1, 2, limit][round % 4];
            let start = [coordinate(limit, grain), coordinate(limit, grain)];
            let mut end = [coordinate(limit, grain), start[1] + coordinate(flat, 1)];
            if round % 7 == 0 {
                end.reverse();
            }
            let Ok(line) = FaultLine::new(start, end) else {
                continue;
            };
            let steps = Steps::new(&[(line, 1)]);
            for y in [0, 1, 5, 16, 100, 9_999, 16_383] {
                check_row(&steps, line, y);
            }
        }
    }

    fn check_row(steps: &Steps, line: FaultLine, y: usize) {
        const WIDTH: usize = 17;
        let mut changes = [1; WIDTH + 1];
        let mut sums = [9; WIDTH];
        steps.fill(&mut changes, y, &mut sums, &Progress::default());
        let raised: [i64; WIDTH] =
            std::array::from_fn(|x| i64::from(line.raises(x as u32, y as u32)));
        assert_eq!(sums, raised, "{line:?} in row {y}");
    }

    /// The crossing near the far end of the longest row, where the fewest bits are left.
    #[test]
    fn crossings_far_to_the_east_are_exact() {
        let mut rng = SeededRng::new(2, b"crossing");
        let reach = FaultLine::REACH;
        for _ in 0..20_000 {
            let mut far = || rng.below(2 * reach as u64 + 1) as i32 - reach;
            let Ok(line) = FaultLine::new([far(), far()], [far(), far()]) else {
                continue;
            };
            let (a, b) = crossing(line);
            for y in [0, 8_191, 16_383_u32] {
                let first_past = (a + b * f64::from(y)).round();
                if (1.0..16_384.0).contains(&first_past) {
                    let past = first_past as u32;
                    assert_ne!(line.raises(past, y), line.raises(past - 1, y), "{line:?}");
                }
            }
        }
    }

    #[test]
    fn note_changes_stops_when_canceled() {
        let line = FaultLine::from_cells([5.0, 0.0], [5.0, 7.0]).unwrap();
        let steps = Steps::new(&[(line, 3)]);
        let mut changes = [5; 25];
        let progress = Progress::default();
        progress.cancel();
        steps.note_changes(&mut changes, 3, &progress);
        assert_eq!(changes, [0; 25]);
    }
}
