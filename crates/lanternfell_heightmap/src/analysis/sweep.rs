//! Parallel lines through a map in any direction. An algorithm that walks along them visits every cell from one side to
//! the other, and what it has found on a line is available at all following samples.
//!
//! ```text
//!  along        line k-1   line k        A line takes one step along, from row to row
//!    |     o   o   /  o   /  o           (or from column to column), and a fraction of
//!    |     o   o  /   o  /   o           a cell across. Its heights are interpolated
//!    v     o   o /    o /    o           between two cells, so it never jumps from one
//!              ´      ´                  cell to the next.
//! ```
//!
//! Lines are one cell apart across, so every cell is between two of them. There are at most as many samples as cells,
//! plus one for each step along.

use core::ops::Range;

use crate::MapSize;

/// Parallel lines that cover the whole map.
///
/// *Along* is the axis that the lines follow more closely, with `length` cells. *Across* is the other axis, with
/// `breadth` cells. At step `i` along, line `k` is `part[i]` of a cell after the cell `k - shift[i]` across. That cell
/// may be -1, just outside the map.
#[derive(Debug, Clone)]
pub struct SweepLines {
    /// Whether the lines follow columns instead of rows.
    pub down: bool,
    /// The number of cells along.
    pub length: usize,
    /// The number of cells across.
    pub breadth: usize,
    /// The number of lines.
    pub count: usize,
    /// For each step along, the offset of the lines across, in cells.
    pub shift: Vec<i32>,
    /// For each step along, the position of the lines between two cells across, from 0 to 1.
    pub part: Vec<f32>,
    /// The distance between the samples of a line, in cells.
    pub sample_distance: f64,
}

impl SweepLines {
    /// Creates the lines in the direction `angle`, from east to south, in radians.
    pub fn new(size: MapSize, angle: f64) -> Self {
        let (east, south) = (libm::cos(angle), libm::sin(angle));
        let down = south.abs() > east.abs();
        let (length, breadth, slant) = if down {
            (size.height(), size.width(), east / south)
        } else {
            (size.width(), size.height(), south / east)
        };
        // Relative to the center, so that a mirrored map has mirrored lines.
        let across = |i: usize| slant * (i as f64 - 0.5 * (length - 1) as f64);
        let floor = |i| libm::floor(across(i));
        let ends = [floor(0) as i32, floor(length - 1) as i32];
        let (least, most) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        Self {
            down,
            length,
            breadth,
            count: breadth + 1 + (most - least) as usize,
            shift: (0..length).map(|i| 1 + most - floor(i) as i32).collect(),
            part: (0..length).map(|i| (across(i) - floor(i)) as f32).collect(),
            sample_distance: libm::sqrt(1.0 + slant * slant),
        }
    }

    /// The steps at which line `k` is on the map, or less than a cell outside it.
    pub fn steps(&self, k: usize) -> Range<usize> {
        let on_map = |&shift: &i32| (-1..self.breadth as i32).contains(&(k as i32 - shift));
        // The shifts are monotone, so the steps on the map are contiguous.
        let rising = self.shift[0] <= self.shift[self.length - 1];
        let before = |&shift: &i32| {
            let cell = k as i32 - shift;
            if rising {
                cell >= self.breadth as i32
            } else {
                cell < -1
            }
        };
        let start = self.shift.partition_point(before);
        let count = self.shift[start..].partition_point(on_map);
        start..start + count
    }
}

#[cfg(test)]
mod tests {
    use core::f64::consts::TAU;

    use super::*;

    #[test]
    fn every_cell_is_between_two_samples() {
        for (width, height) in [(2, 2), (2, 9), (9, 2), (7, 5), (40, 41)] {
            let size = MapSize::new(width, height).unwrap();
            for pair in 0..32 {
                let lines = SweepLines::new(size, (f64::from(pair) + 0.5) * TAU / 64.0);
                let steps: Vec<_> = (0..lines.count).map(|k| lines.steps(k)).collect();
                assert!(
                    lines.part.iter().all(|part| (0.0..=1.0).contains(part)),
                    "{width}x{height}, direction {pair}"
                );
                let mut total = 0;
                for i in 0..lines.length {
                    for cell in 0..lines.breadth {
                        let after = (cell as i32 + lines.shift[i]) as usize;
                        assert!(
                            steps[after].contains(&i) && steps[after - 1].contains(&i),
                            "{width}x{height}, direction {pair}, {i}, {cell}"
                        );
                    }
                    total += lines.breadth + 1;
                }
                assert_eq!(
                    steps.iter().map(Range::len).sum::<usize>(),
                    total,
                    "{width}x{height}, direction {pair}"
                );
            }
        }
    }
}
