//! Hills as parabolas along the rows: six additions per hill and row.
//!
//! Problem: a hill of radius 300 covers 280,000 cells, and there may be thousands.
//!
//! Idea: along a row a hill is a parabola over an interval. The third difference of a
//! parabola is 0; that of a piece of one is 0 too, but for three cells where it begins
//! and three after its end. Note those for all hills, and sum along the row three times
//! at once:
//!
//! ```text
//!   heights            . . . 5 8 9 8 5 . . .
//!   first difference   . . . 5 3 1 -1 -3 -5 . .
//!   second             . . . 5 -2 -2 -2 -2 -2 5 .
//!   third (noted)      . . . 5 -7 0 0 0 0 7 -5      <- all other cells untouched
//! ```
//!
//! Steps: sort the hills once, so that a row finds those that reach it; per row, the
//! interval of each from an integer square root, six additions, and the running sums.
//! All in 64-bit integers, whose wrapping sums are exact whatever happens on the way:
//! no rounding accumulates, and where no hill reaches the sum is 0.
//!
//! Cost: O(N log N + N r + W H) for N hills of radius r. Scratch: one row per thread.

use core::ops::Range;

use super::Hill;
use crate::{MapSize, Progress};

const CELL: i64 = Hill::CELL as i64;

/// The second difference of every hill, from cell to cell.
const CURVE: i64 = -2 * CELL * CELL;

/// After so many hills of a row it is looked up whether the work was cancelled.
const BATCH: usize = 4096;

/// Many hills, ready to be summed in any row.
pub(super) struct Parabolas {
    /// By radius class, then from north to south.
    hills: Vec<Hill>,
    classes: Vec<Class>,
}

/// Hills whose radii differ by a factor below 2: of those near enough to a row for the
/// largest radius, most do reach it.
struct Class {
    hills: Range<usize>,
    radius_max: i32,
}

/// The octave that a radius lies in.
fn octave(hill: &Hill) -> u32 {
    hill.radius().unsigned_abs().checked_ilog2().unwrap_or(0)
}

impl Parabolas {
    pub(super) fn new(hills: &[Hill]) -> Self {
        let mut hills = hills.to_vec();
        // Hills that compare as equal may swap places: their sum is the same.
        hills.sort_unstable_by_key(|hill| (octave(hill), hill.y()));
        let mut classes: Vec<Class> = Vec::new();
        for of_one_class in hills.chunk_by(|a, b| octave(a) == octave(b)) {
            let start = classes.last().map_or(0, |class| class.hills.end);
            classes.push(Class {
                hills: start..start + of_one_class.len(),
                radius_max: of_one_class.iter().map(Hill::radius).max().unwrap_or(0),
            });
        }
        Self { hills, classes }
    }

    /// The scratch of [`fill`](Self::fill): three cells past the end of a row.
    pub(super) fn scratch(size: MapSize) -> Vec<i64> {
        vec![0; size.width() + 3]
    }

    /// Overwrites `sums` with row `y`; with anything once the work was cancelled.
    pub(super) fn fill(&self, turns: &mut [i64], y: usize, sums: &mut [i64], progress: &Progress) {
        turns.fill(0);
        let y = y as i32 * Hill::CELL;
        for class in &self.classes {
            let hills = &self.hills[class.hills.clone()];
            let first = hills.partition_point(|hill| hill.y() <= y - class.radius_max);
            let near = hills[first..].iter();
            let near = near.take_while(|hill| hill.y() < y + class.radius_max);
            for (index, hill) in near.enumerate() {
                if index % BATCH == 0 && progress.is_cancelled() {
                    return;
                }
                add_hill(hill, y, turns);
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
}

/// Notes where the parabola of `hill` along the row at `y` begins and ends.
fn add_hill(hill: &Hill, y: i32, turns: &mut [i64]) {
    let (x, radius, dy) = (
        i64::from(hill.x()),
        i64::from(hill.radius()),
        i64::from(y - hill.y()),
    );
    let peak = radius * radius - dy * dy;
    if peak <= 0 {
        return;
    }
    // Below 2^42, where an f64's root, rounded down, is the integer root.
    let reach = (peak as f64).sqrt() as i64;
    let last_column = turns.len() as i64 - 4;
    let start = (x - reach + CELL - 1).div_euclid(CELL).max(0);
    let end = (x + reach).div_euclid(CELL).min(last_column) + 1;
    if start < end {
        turn(turns, start, x, peak, 1);
        turn(turns, end, x, peak, -1);
    }
}

/// Adds the third difference of a parabola that begins at `column`, or takes it away.
fn turn(turns: &mut [i64], column: i64, x: i64, peak: i64, sign: i64) {
    let offset = column * CELL - x;
    let height = peak - offset * offset;
    let slope = -CELL * (2 * offset + CELL);
    let cells = &mut turns[column as usize..][..3];
    for (cell, third) in cells
        .iter_mut()
        .zip([height, slope - 2 * height, CURVE - slope + height])
    {
        *cell = cell.wrapping_add(sign * third);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_hill_has_the_heights_of_its_formula() {
        let hill = Hill::from_cells(5.0, 0.0, 3.0).unwrap();
        let parabolas = Parabolas::new(&[hill]);
        let (mut turns, mut sums) = ([1; 14], [1; 11]);
        parabolas.fill(&mut turns, 0, &mut sums, &Progress::default());
        assert_eq!(
            sums.map(|sum| sum / CELL / CELL),
            [0, 0, 0, 5, 8, 9, 8, 5, 0, 0, 0]
        );
        parabolas.fill(&mut turns, 3, &mut sums, &Progress::default());
        assert_eq!(sums, [0; 11]);
    }

    /// The root decides which cells a hill covers: one too many would be negative.
    #[test]
    fn the_root_is_the_integer_root() {
        let largest = (Hill::MAX_RADIUS as i64) * CELL;
        for root in [1, 2, 3, 255, 256, 1 << 20, largest - 1, largest] {
            for square in [root * root, root * root + 1, (root + 1) * (root + 1) - 1] {
                assert_eq!((square as f64).sqrt() as i64, root);
            }
        }
    }

    #[test]
    fn classes_hold_each_hill_once() {
        let radii = [0, 1, 2, 3, 4, 5, 700, 701, 1000];
        let hills: Vec<Hill> = radii.iter().map(|&r| Hill::new(0, 9, r).unwrap()).collect();
        let parabolas = Parabolas::new(&hills);
        let numbers: Vec<usize> = parabolas.classes.iter().map(|c| c.hills.len()).collect();
        assert_eq!(numbers, [2, 2, 2, 3]);
        let largest: Vec<i32> = parabolas.classes.iter().map(|c| c.radius_max).collect();
        assert_eq!(largest, [1, 3, 5, 1000]);
    }

    #[test]
    fn a_row_is_left_when_the_work_is_cancelled() {
        let hill = Hill::from_cells(5.0, 3.0, 4.0).unwrap();
        let (mut turns, mut sums) = ([9; 13], [9; 10]);
        let progress = Progress::default();
        progress.cancel();
        Parabolas::new(&[hill]).fill(&mut turns, 3, &mut sums, &progress);
        assert_eq!(turns, [0; 13]);
    }
}
