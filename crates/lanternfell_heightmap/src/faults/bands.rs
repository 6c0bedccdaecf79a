//! Fault lines as ramps: a band of cells across each line, and a step behind it.
//!
//! Idea: a line's band covers one interval of each row. The cells in it are computed
//! individually. The cells beyond its raised end all get the whole displacement, which is a
//! single change, as for a step:
//!
//! ```text
//!              first   last
//!   . . . . . . /----------\ d d d d d d d
//!               0 .. t .. 1
//!               <- width ->    (across the line)
//! ```
//!
//! A cell's position in the band is `t = 1/2 + distance / width`, clamped to 0..1. The signed distance is computed from
//! the integer of the side test. The profile maps `t` to a fraction of the displacement, which is rounded to the unit
//! of the sums. Each line therefore contributes an integer that depends only on the line and the cell, and the sum is
//! exact in any order.
//!
//! Cost: O(N (H + B) + W H), where B is the number of cells in one band. The interval need not be
//! exact, only wide enough: a cell outside the band computes to exactly 0 or to the whole
//! displacement.

use core::f64::consts::PI;

use super::{Lift, line::FaultLine};
use crate::Progress;

/// Adding this to a number smaller than 2^51 rounds it to the nearest whole number,
/// ties to even, in the lowest bits.
const ROUND: f64 = (3_u64 << 51) as f64;

/// The number of bands between two checks for cancellation.
const BATCH: usize = 256;

/// How a band rises from 0 to its line's displacement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ramp {
    /// A straight ramp.
    Linear,
    /// A ramp that is level at both ends.
    Cosine,
}

/// Many bands, ready to be summed in any row.
pub(super) struct Bands {
    bands: Vec<LineBand>,
    ramp: Ramp,
    /// The sum of the lines that raise the west, for column 0.
    west: i64,
}

struct LineBand {
    line: FaultLine,
    displacement: i64,
    /// The approximate position where the line crosses row 0, in cells, and its movement per row.
    crossing: f64,
    per_row: f64,
    /// How far the band extends from the crossing along the row; infinite for a line along the rows.
    reach: f64,
    /// Converts the integer of the side test to widths of the band.
    scale: f64,
}

impl Bands {
    /// Prepares the lines with their displacements, in bands `width` cells wide.
    pub(super) fn new(lifts: &[Lift], width: f64, ramp: Ramp) -> Self {
        let band = |&(line, displacement): &Lift| LineBand::new(line, displacement, width);
        let bands: Vec<LineBand> = lifts.iter().map(band).collect();
        let raising_the_west = bands.iter().filter(|band| band.raises_the_west());
        let west = raising_the_west.map(|band| band.displacement).sum();
        Self { bands, ramp, west }
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
        changes.fill(0);
        sums.fill(0);
        for (index, band) in self.bands.iter().enumerate() {
            // A million bands as wide as the map take many seconds for one row.
            if index % BATCH == 0 && progress.is_canceled() {
                return;
            }
            let (first, last) = band.interval(y, sums.len());
            // `west` gives the whole displacement to every cell of the row. Take it back from the
            // first cell of the band on; the cells of the band then add their own share.
            if band.raises_the_west() {
                changes[first] -= band.displacement;
            } else {
                changes[last] += band.displacement;
            }
            band.add(self.ramp, y, first, &mut sums[first..last]);
        }
        let mut sum = self.west;
        for (cell, change) in sums.iter_mut().zip(changes) {
            sum += *change;
            *cell += sum;
        }
    }
}

impl LineBand {
    fn new(line: FaultLine, displacement: i64, width: f64) -> Self {
        let cell = f64::from(FaultLine::CELL);
        let [dx, dy] = line.direction().map(|delta| delta as f64);
        let length = (dx * dx + dy * dy).sqrt();
        // Such a line has no crossing. Its reach is infinite, so the interval is the whole row,
        // and the change goes to the slot past the row, which no cell reads.
        let along = dy == 0.0;
        Self {
            line,
            displacement,
            crossing: if along {
                0.0
            } else {
                -line.cross_at(0) as f64 / (cell * dy)
            },
            per_row: if along { 0.0 } else { dx / dy },
            reach: 0.5 * width * length / dy.abs(),
            scale: 1.0 / (cell * length * width),
        }
    }

    fn raises_the_west(&self) -> bool {
        self.line.direction()[1] < 0
    }

    /// The columns that may be in the band, from the first to one past the last. It includes an extra cell on both
    /// sides, so that rounding cannot lose one.
    fn interval(&self, y: usize, width: usize) -> (usize, usize) {
        let crossing = self.crossing + self.per_row * y as f64;
        let inside = |x: f64| x.clamp(0.0, width as f64) as usize;
        (
            inside(crossing - self.reach - 1.0),
            inside(crossing + self.reach + 2.0),
        )
    }

    /// Adds this band to the cells from column `first` of row `y`.
    fn add(&self, ramp: Ramp, y: usize, first: usize, cells: &mut [i64]) {
        match ramp {
            Ramp::Linear => self.add_shares(y, first, cells, linear),
            Ramp::Cosine => self.add_shares(y, first, cells, cosine),
        }
    }

    fn add_shares(&self, y: usize, first: usize, cells: &mut [i64], share: impl Fn(f64) -> f64) {
        let per_cell = (i64::from(FaultLine::CELL) * self.line.direction()[1]) as f64;
        // Whole numbers below 2^50, so these products and sums are exact.
        let at_first = self.line.cross_at(y) as f64 + per_cell * first as f64;
        let displacement = self.displacement as f64;
        for (i, cell) in cells.iter_mut().enumerate() {
            // `i32` converts to `f64` in vector registers, `usize` does not before AVX-512.
            let cross = at_first + per_cell * f64::from(i as i32);
            let part = displacement * share(cross * self.scale);
            // `part` is from 0 to below 2^43, so the sum keeps the exponent of `ROUND`. The
            // difference of the bits is the rounded integer.
            *cell += ((part + ROUND).to_bits() - ROUND.to_bits()) as i64;
        }
    }
}

/// From 0 at `offset` -1/2 to 1 at 1/2, straight.
fn linear(offset: f64) -> f64 {
    0.5 + cut(offset)
}

/// From 0 at `offset` -1/2 to 1 at 1/2, level at both ends: `(1 + sin(pi offset)) / 2`.
fn cosine(offset: f64) -> f64 {
    let offset = cut(offset);
    let square = offset * offset;
    let series = HALF_SINE
        .iter()
        .rev()
        .fold(0.0, |sum, term| sum * square + term);
    // The series is off by 3e-12 at both ends of the band. Cells beyond them must get exactly 0
    // or the whole displacement, like the cells outside the interval.
    if offset < 0.5 {
        if offset > -0.5 {
            0.5 + offset * series
        } else {
            0.0
        }
    } else {
        1.0
    }
}

fn cut(offset: f64) -> f64 {
    let offset = if offset > -0.5 { offset } else { -0.5 };
    if offset < 0.5 { offset } else { 0.5 }
}

/// The Taylor series of `sin(pi x) / (2 x)` in `x^2`. Over a band it is accurate to 1e-11. Unlike
/// a library sine it vectorizes.
const HALF_SINE: [f64; 8] = {
    let mut terms = [0.5 * PI; 8];
    let mut i = 1;
    while i < terms.len() {
        let k = 2 * i;
        terms[i] = -terms[i - 1] * PI * PI / (k * (k + 1)) as f64;
        i += 1;
    }
    terms
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SeededRng;

    const ONE: i64 = 1 << 32;

    /// The contribution of a line to a cell, without intervals or changes.
    fn part(band: &LineBand, ramp: Ramp, x: usize, y: usize) -> i64 {
        let mut cell = [0];
        band.add(ramp, y, x, &mut cell);
        cell[0]
    }

    #[test]
    fn cosine_matches_libm_and_is_exact_at_its_ends() {
        for i in 0..=10_000 {
            let offset = f64::from(i) / 10_000.0 - 0.5;
            let expected = 0.5 * (1.0 - libm::cos(PI * (offset + 0.5)));
            assert!((cosine(offset) - expected).abs() < 1e-11, "at {offset}");
        }
        for (offset, expected) in [(-9.0, 0.0), (-0.5, 0.0), (0.0, 0.5), (0.5, 1.0), (9.0, 1.0)] {
            assert_eq!(cosine(offset), expected, "at {offset}");
            assert_eq!(linear(offset), expected, "at {offset}");
        }
    }

    #[test]
    fn band_rises_from_zero_to_the_whole_displacement() {
        let line = FaultLine::from_cells([10.0, 0.0], [10.0, 7.0]).unwrap();
        let band = LineBand::new(line, 3 * ONE, 8.0);
        for ramp in [Ramp::Linear, Ramp::Cosine] {
            let parts: Vec<i64> = (0..20).map(|x| part(&band, ramp, x, 2)).collect();
            assert_eq!(parts[..=6], [0; 7], "{ramp:?}");
            assert_eq!(parts[10], 3 * ONE / 2, "{ramp:?}");
            assert_eq!(parts[14..], [3 * ONE; 6], "{ramp:?}");
            assert!(parts[6..=14].is_sorted_by(|a, b| a < b), "{parts:?}");
            for i in 0..10 {
                assert_eq!(parts[10 - i] + parts[10 + i], 3 * ONE, "not centered");
            }
        }
    }

    /// Compares rows of many bands (steep and flat, narrow and wide) with the sum of their contributions cell by cell.
    #[test]
    fn rows_match_sums_cell_by_cell() {
        let mut rng = SeededRng::new(3, b"bands   ");
        for round in 0..3_000 {
            let limit = [600, 6_000, 1 << 20][round % 3];
            let mut coordinate = |limit: u64| rng.below(2 * limit + 1) as i32 - limit as i32;
            let start = [coordinate(limit), coordinate(limit)];
            let mut end = [coordinate(limit), coordinate(limit)];
            match round % 5 {
                0 => end[1] = start[1] + coordinate(2),
                1 => end[0] = start[0] + coordinate(2),
                _ => {}
            }
            let Ok(line) = FaultLine::new(start, end) else {
                continue;
            };
            let width = [0.01, 0.7, 4.0, 31.3, 32_768.0][round % 5];
            let ramp = [Ramp::Linear, Ramp::Cosine][round % 2];
            let bands = Bands::new(&[(line, ONE), (line, 7)], width, ramp);
            let (mut changes, mut sums) = ([5; 25], [5; 24]);
            for y in [0, 1, 3, 17, 4_000] {
                bands.fill(&mut changes, y, &mut sums, &Progress::default());
                let cells: [i64; 24] = std::array::from_fn(|x| {
                    bands.bands.iter().map(|band| part(band, ramp, x, y)).sum()
                });
                assert_eq!(sums, cells, "{line:?}, {width} wide, row {y}");
            }
        }
    }

    #[test]
    fn fill_stops_when_canceled() {
        let line = FaultLine::from_cells([1.0, 0.0], [1.0, 7.0]).unwrap();
        let bands = Bands::new(&[(line, ONE)], 8.0, Ramp::Linear);
        let (mut changes, mut sums) = ([5; 25], [5; 24]);
        let progress = Progress::default();
        progress.cancel();
        bands.fill(&mut changes, 3, &mut sums, &progress);
        assert_eq!(sums, [0; 24]);
    }
}
