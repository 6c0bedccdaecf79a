//! The cells of a map in digital lines along the wind.
//!
//! ```text
//!   wind ->            the wind from the west-north-west: a line goes one
//!   1 1 1 2 2 2        row down after every third cell, and so does each
//!   2 2 2 3 3 3        other, so that every cell lies on one line. The
//!   3 3 3 1 1 1        lines that leave at the bottom go on at the top.
//! ```
//!
//! A line has as many cells as the map is long in the direction nearer to the wind; along it the
//! other coordinate grows by the wind's slope, rounded down.

use crate::MapSize;

/// Which cell lies where on which line.
pub(super) struct Lines {
    /// Cells of a line.
    pub(super) length: usize,
    /// How many lines there are.
    count: usize,
    /// How far it is from one cell of a line to the next, in cells.
    pub(super) step: f64,
    /// How far a line has come across after so many cells, from 0 to `count`.
    across: Vec<usize>,
    /// Whether lines go along columns, from north to south or back, and not along rows.
    along_columns: bool,
    /// Whether they go against the map's own order.
    backwards: bool,
}

impl Lines {
    /// The lines along a wind that comes from there, in degrees clockwise from north.
    pub(super) fn new(size: MapSize, from: f64) -> Self {
        let angle = from.to_radians();
        // Where it blows: the y axis points south.
        let (east, south) = (-libm::sin(angle), libm::cos(angle));
        let along_columns = south.abs() > east.abs();
        let (length, count, main, other) = if along_columns {
            (size.height(), size.width(), south, east)
        } else {
            (size.width(), size.height(), east, south)
        };
        let slope = other / main.abs();
        // Within a millionth of a whole number it is one: sine and cosine are off by less.
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

    /// Column and row of the cell so far along a line.
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

    /// The number of the cell in column `x` and row `y`: lines one after the other.
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

    /// How far across the map a line is after so many cells.
    fn across(&self, line: usize, along: usize) -> usize {
        let across = line + self.across[along];
        if across < self.count {
            across
        } else {
            across - self.count
        }
    }

    /// Whether the line has just come onto the map there: at its beginning, and where it goes on at
    /// the other side.
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
    fn every_cell_lies_on_one_line() {
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
    fn lines_go_where_the_wind_blows() {
        let size = MapSize::new(100, 60).unwrap();
        // From the west to the east, and so on clockwise: columns and rows to go.
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
    fn a_slanting_wind_is_met_on_the_average() {
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
