//! Hills as parabolas along the rows: six additions per hill and row.
//!
//! Problem: a hill of radius 300 covers 280,000 cells, and there may be thousands of hills.
//!
//! Idea: along a row, a hill is a parabola over an interval. The third difference of a parabola is 0. That of a piece
//! of a parabola is also 0, except at three cells where the piece begins and three cells after its end. Record those
//! for all hills, and take three nested running sums along the row:
//!
//! ```text
//!   heights            . . . 5 8 9 8 5 . . .
//!   first difference   . . . 5 3 1 -1 -3 -5 . .
//!   second             . . . 5 -2 -2 -2 -2 -2 5 .
//!   third (recorded)   . . . 5 -7 0 0 0 0 7 -5      <- all other cells are untouched
//! ```
//!
//! Steps: sort the hills once, so that each row finds the hills that reach it. Per row, compute the interval of each
//! hill from an integer square root, make six additions, and take the running sums. The sums are 64-bit integers, which
//! wrap, so the result is exact even if intermediate sums overflow: no rounding accumulates, and the sum is 0 where
//! there is no hill. The intervals and differences are computed in `f64` for many hills at once, which the compiler
//! vectorizes. All of them are integers below 2^46, for which `f64` is exact.
//!
//! Cost: O(N log N + N r + W H) for N hills of radius r. Scratch: one row per thread.

use core::ops::Range;

use fearless_simd::{Level, dispatch};

use super::Hill;
use crate::{Progress, sums::Summed};

const CELL: f64 = Hill::CELL as f64;

/// The second difference of every hill, from cell to cell.
const CURVE: f64 = -2.0 * CELL * CELL;

/// The number of hills that are processed at once, including padding. It is small enough that the padding after the
/// last near hill is cheap.
const BATCH: usize = 16;

/// Adding this to an integer from -2^51 to 2^51 leaves the integer in the lowest bits.
const WHOLE: f64 = 1.5 * (1_u64 << 52) as f64;

/// Many hills, ready to be summed in any row.
pub(super) struct Parabolas {
    /// Sorted by radius class, then from north to south. In units of 1/256 cell, followed by a batch of zeros.
    x: Vec<f64>,
    y: Vec<f64>,
    /// The squared radii.
    squares: Vec<f64>,
    classes: Vec<Class>,
}

/// Hills whose radii differ by a factor below 2. Of the hills that are near enough to a row for the largest radius,
/// most actually reach it.
struct Class {
    hills: Range<usize>,
    radius_max: i32,
}

/// One end of the parabolas of a batch: the columns, and the three differences to record there.
struct Turns {
    columns: [u32; BATCH],
    thirds: [[i64; BATCH]; 3],
}

/// The binary logarithm of the radius, rounded down.
fn octave(hill: &Hill) -> u32 {
    hill.radius().unsigned_abs().checked_ilog2().unwrap_or(0)
}

impl Summed for Parabolas {
    /// Three cells longer than the row.
    fn scratch(&self, width: usize) -> Vec<i64> {
        vec![0; width + 3]
    }

    fn fill(&self, turns: &mut [i64], y: usize, sums: &mut [i64], progress: &Progress) {
        dispatch!(Level::new(), _simd => self.fill_here(turns, y, sums, progress));
    }
}

impl Parabolas {
    pub(super) fn new(hills: &[Hill]) -> Self {
        let mut hills = hills.to_vec();
        // Hills with equal keys may swap places, because their sum is the same.
        hills.sort_unstable_by_key(|hill| (octave(hill), hill.y()));
        let mut classes: Vec<Class> = Vec::new();
        for of_one_class in hills.chunk_by(|a, b| octave(a) == octave(b)) {
            let start = classes.last().map_or(0, |class| class.hills.end);
            classes.push(Class {
                hills: start..start + of_one_class.len(),
                radius_max: of_one_class.iter().map(Hill::radius).max().unwrap_or(0),
            });
        }
        let all = |of: fn(&Hill) -> i32| {
            let numbers = hills.iter().map(move |hill| f64::from(of(hill)));
            numbers.chain([0.0; BATCH])
        };
        Self {
            x: all(Hill::x).collect(),
            y: all(Hill::y).collect(),
            squares: all(Hill::radius).map(|radius| radius * radius).collect(),
            classes,
        }
    }

    /// Inlined with all its callees, so that it is compiled once for each vector width.
    #[inline(always)]
    fn fill_here(&self, turns: &mut [i64], y: usize, sums: &mut [i64], progress: &Progress) {
        turns.fill(0);
        let y = y as f64 * CELL;
        for class in &self.classes {
            let near = self.near(class, y);
            for first in near.clone().step_by(BATCH) {
                if progress.is_canceled() {
                    return;
                }
                self.note(first..near.end, y, turns);
            }
        }
        let (mut height, mut slope, mut curve) = (0_i64, 0_i64, 0_i64);
        for (sum, turn) in sums.iter_mut().zip(turns) {
            curve = curve.wrapping_add(*turn);
            slope = slope.wrapping_add(curve);
            height = height.wrapping_add(slope);
            *sum = height;
        }
    }

    /// The hills of a class that are near enough to the row at `y`.
    #[inline(always)]
    fn near(&self, class: &Class, y: f64) -> Range<usize> {
        let (all, reach) = (&self.y[class.hills.clone()], f64::from(class.radius_max));
        let start = class.hills.start + all.partition_point(|&at| at <= y - reach);
        let end = class.hills.start + all.partition_point(|&at| at < y + reach);
        start..end
    }

    /// Records where the parabolas of the first batch of `near` begin and end in the row at `y`.
    #[inline(always)]
    fn note(&self, near: Range<usize>, y: f64, turns: &mut [i64]) {
        let of_batch = |all: &[f64]| all[near.start..].first_chunk().copied();
        let batch = of_batch(&self.x)
            .zip(of_batch(&self.y))
            .zip(of_batch(&self.squares));
        let ((x, at), squares): (([f64; BATCH], [f64; BATCH]), [f64; BATCH]) =
            batch.expect("a batch of zeros follows the last hill");
        let number = near.len().min(BATCH);
        // One past the last cell, where sums are not read.
        let beyond = (turns.len() - 3) as f64;
        let (mut starts, mut ends) = (Turns::none(), Turns::none());
        for k in 0..BATCH {
            let dy = y - at[k];
            let square = squares[k] - dy * dy;
            let peak = if square > 0.0 { square } else { 0.0 };
            // The square is below 2^42, so the rounded-down `f64` root is the integer root.
            let reach = peak.sqrt().floor();
            let start = ((x[k] - reach) / CELL).ceil();
            let start = if start > 0.0 { start } else { 0.0 };
            let end = ((x[k] + reach) / CELL).floor() + 1.0;
            let end = if end < beyond { end } else { beyond };
            // A hill that does not reach the row begins and ends at the same column, so its changes cancel out.
            let reaches = square > 0.0 && start < end;
            let (start, end) = if reaches {
                (start, end)
            } else {
                (beyond, beyond)
            };
            starts.set(k, start, x[k], peak);
            ends.set(k, end, x[k], peak);
        }
        for k in 0..number {
            let column = starts.columns[k] as usize;
            for (turn, thirds) in turns[column..column + 3].iter_mut().zip(&starts.thirds) {
                *turn = turn.wrapping_add(thirds[k]);
            }
            let column = ends.columns[k] as usize;
            for (turn, thirds) in turns[column..column + 3].iter_mut().zip(&ends.thirds) {
                *turn = turn.wrapping_sub(thirds[k]);
            }
        }
    }
}

impl Turns {
    #[inline(always)]
    fn none() -> Self {
        Self {
            columns: [0; BATCH],
            thirds: [[0; BATCH]; 3],
        }
    }

    /// Sets the third differences of parabola `k` of the batch at `column`.
    #[inline(always)]
    fn set(&mut self, k: usize, column: f64, x: f64, peak: f64) {
        let offset = column * CELL - x;
        let height = peak - offset * offset;
        let slope = -CELL * (2.0 * offset + CELL);
        self.columns[k] = (column + WHOLE).to_bits() as u32;
        self.thirds[0][k] = whole(height);
        self.thirds[1][k] = whole(slope - 2.0 * height);
        self.thirds[2][k] = whole(CURVE - slope + height);
    }
}

/// Converts an integer-valued `f64`. Faster than a cast, which few CPUs can vectorize.
#[inline(always)]
fn whole(value: f64) -> i64 {
    (value + WHOLE).to_bits().wrapping_sub(WHOLE.to_bits()) as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Hills;

    #[test]
    fn hill_matches_its_formula() {
        let hill = Hill::from_cells(5.0, 0.0, 3.0).unwrap();
        let parabolas = Parabolas::new(&[hill]);
        let (mut turns, mut sums) = ([1; 14], [1; 11]);
        parabolas.fill(&mut turns, 0, &mut sums, &Progress::default());
        assert_eq!(
            sums.map(|sum| sum / Hills::ONE),
            [0, 0, 0, 5, 8, 9, 8, 5, 0, 0, 0]
        );
        parabolas.fill(&mut turns, 3, &mut sums, &Progress::default());
        assert_eq!(sums, [0; 11]);
    }

    /// The root decides which cells a hill covers. A root that is too large would make a height negative.
    #[test]
    fn f64_root_is_the_integer_root() {
        let largest = (Hill::MAX_RADIUS * CELL) as i64;
        for root in [1, 2, 3, 255, 256, 1 << 20, largest - 1, largest] {
            for square in [root * root, root * root + 1, (root + 1) * (root + 1) - 1] {
                assert_eq!((square as f64).sqrt() as i64, root, "of {square}");
            }
        }
    }

    #[test]
    fn classes_contain_each_hill_once() {
        let radii = [0, 1, 2, 3, 4, 5, 700, 701, 1000];
        let hills: Vec<Hill> = radii.iter().map(|&r| Hill::new(0, 9, r).unwrap()).collect();
        let parabolas = Parabolas::new(&hills);
        let numbers: Vec<usize> = parabolas.classes.iter().map(|c| c.hills.len()).collect();
        assert_eq!(numbers, [2, 2, 2, 3]);
        let largest: Vec<i32> = parabolas.classes.iter().map(|c| c.radius_max).collect();
        assert_eq!(largest, [1, 3, 5, 1000]);
    }

    #[test]
    fn fill_stops_when_canceled() {
        let hill = Hill::from_cells(5.0, 3.0, 4.0).unwrap();
        let (mut turns, mut sums) = ([9; 13], [9; 10]);
        let progress = Progress::default();
        progress.cancel();
        Parabolas::new(&[hill]).fill(&mut turns, 3, &mut sums, &progress);
        assert_eq!(turns, [0; 13]);
    }
}
