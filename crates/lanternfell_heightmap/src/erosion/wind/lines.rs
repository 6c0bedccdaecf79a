//! Digital lines of cells along the wind.
//!
//! ```text
//!   wind ->            Wind from the west-north-west: each line moves one
//!   1 1 1 2 2 2        row down after every third cell, so every cell is
//!   2 2 2 3 3 3        on exactly one line. Lines that leave at the bottom
//!   3 3 3 1 1 1        continue at the top.
//! ```
//!
//! A line has one cell for each column (or row) along the axis that is closer to the wind. The other coordinate is the
//! distance along the line times the slope of the wind, rounded down.

use crate::MapSize;

/// The mapping between cells and positions on lines.
pub(super) struct Lines {
    /// The number of cells of a line.
    pub(super) length: usize,
    /// The number of lines.
    count: usize,
    /// The distance between neighboring cells of a line, in cells.
    pub(super) step: f64,
    /// The offset across the map after each cell of a line, from 0 to `count - 1`.
    across: Vec<usize>,
    /// Whether lines follow columns instead of rows.
    along_columns: bool,
    /// Whether lines run against the order of the map.
    backwards: bool,
}

impl Lines {
    /// The lines of a wind from this direction, in degrees clockwise from north.
    pub(super) fn new(size: MapSize, from: f64) -> Self {
        let angle = from.to_radians();
        // The direction in which it blows; the y axis points south.
        let (east, south) = (-libm::sin(angle), libm::cos(angle));
        let along_columns = south.abs() > east.abs();
        let (length, count, main, other) = if along_columns {
            (size.height(), size.width(), south, east)
        } else {
            (size.width(), size.height(), east, south)
        };
        let slope = other / main.abs();
        // The offset absorbs errors of sine and cosine, which are smaller than a millionth.
        let shift = |along: usize| libm::floor(along as f64 * slope + 1e-6) as i64;
        let across = (0..length).map(|along| shift(along).rem_euclid(count as i64) as usize);
        Self {
            length,
            count,
            step: libm::sqrt(1.0 + slope * slope),
            across: across.collect(),
            along_columns,
            backwards: main < 0.0,
        }
    }

    /// The column and row of a cell of a line.
    pub(super) fn cell(&self, line: usize, along: usize) -> (usize, usize) {
        let across = line + self.across[along];
        let across = if across < self.count {
            across
        } else {
            across - self.count
        };
        let along = self.flipped(along);
        if self.along_columns {
            (across, along)
        } else {
            (along, across)
        }
    }

    /// The index of the cell in column `x` and row `y`, with lines stored one after the other.
    pub(super) fn place(&self, x: usize, y: usize) -> usize {
        let (along, across) = if self.along_columns { (y, x) } else { (x, y) };
        let along = self.flipped(along);
        let shift = self.across[along];
        let line = if across >= shift {
            across - shift
        } else {
            across + self.count - shift
        };
        line * self.length + along
    }

    /// The position of a line across the map at a cell.
    fn across(&self, line: usize, along: usize) -> usize {
        let across = line + self.across[along];
        if across < self.count {
            across
        } else {
            across - self.count
        }
    }

    /// Whether the line has just entered the map at this cell: at its start, or because it continues from the other
    /// side.
    pub(super) fn enters(&self, line: usize, along: usize) -> bool {
        let Some(before) = along.checked_sub(1) else {
            return true;
        };
        self.across(line, along).abs_diff(self.across(line, before)) > 1
    }

    fn flipped(&self, along: usize) -> usize {
        if self.backwards {
            self.length - 1 - along
        } else {
            along
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_is_on_one_line() {
        for (width, height) in [(2, 2), (7, 4), (5, 12), (30, 30)] {
            let size = MapSize::new(width, height).unwrap();
            for from in (-360..=360).step_by(15) {
                let lines = Lines::new(size, f64::from(from));
                let mut seen = vec![false; size.cells()];
                for number in 0..size.cells() {
                    let (x, y) = lines.cell(number / lines.length, number % lines.length);
                    assert_eq!(lines.place(x, y), number, "{from} degrees, {size:?}");
                    assert!(
                        !seen[y * size.width() + x],
                        "{from} degrees, {size:?}: {x}, {y} twice"
                    );
                    seen[y * size.width() + x] = true;
                }
            }
        }
    }

    #[test]
    fn lines_follow_wind() {
        let size = MapSize::new(100, 60).unwrap();
        // Winds clockwise from west, with the steps in columns and rows.
        let winds = [
            (270.0, (1, 0)),
            (315.0, (1, 1)),
            (0.0, (0, 1)),
            (45.0, (-1, 1)),
            (90.0, (-1, 0)),
            (135.0, (-1, -1)),
            (180.0, (0, -1)),
            (225.0, (1, -1)),
        ];
        for (from, (dx, dy)) in winds {
            let lines = Lines::new(size, from);
            let steps = (0..lines.length - 1).filter(|&along| !lines.enters(20, along + 1));
            for along in steps {
                let (x, y) = lines.cell(20, along);
                let to = lines.cell(20, along + 1);
                let expected = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                assert_eq!(to, expected, "from {from} degrees");
            }
        }
    }

    #[test]
    fn lines_follow_slanted_wind_on_average() {
        let size = MapSize::new(400, 400).unwrap();
        let lines = Lines::new(size, 280.0);
        let (start, end) = (lines.cell(10, 0), lines.cell(10, 300));
        let (east, south) = (end.0 as f64 - start.0 as f64, end.1 as f64 - start.1 as f64);
        assert!(
            (south / east - 10.0_f64.to_radians().tan()).abs() < 0.01,
            "{east} {south}"
        );
        assert!((lines.step - 1.0 / 10.0_f64.to_radians().cos()).abs() < 1e-9);
    }
}
