//! The points of [`Worley`] noise: one in each square of a lattice, from a hash.

use core::array;

use lanternfell_random::SplitMix64;

use super::{LANES, Worley};
use crate::period;

/// The distance in squares, from a cell's square, within which points are considered.
const REACH: i64 = 2;

/// The number of squares along each side of the neighborhood.
const SIDE: usize = 2 * REACH as usize + 1;

/// The number of points in the neighborhood.
pub(super) const NEAR: usize = SIDE * SIDE;

/// All points of a map.
pub(super) struct Lattice {
    drawn: u64,
    /// The side of a square in cells, and its inverse.
    side: f64,
    inverse: f64,
    jitter: f32,
    /// The number of squares after which the points repeat.
    squares: Option<i64>,
}

impl Lattice {
    /// The lattice of a drawn word. The parameters must be valid.
    pub(super) fn new(worley: &Worley, drawn: u64) -> Self {
        let period = worley.period.map(f64::from);
        let squares = period.map(|period| period::waves(period, worley.scale) as i64);
        let side = period.map_or(worley.scale, |period| period::fitted(period, worley.scale));
        Self {
            drawn,
            side,
            inverse: 1.0 / side,
            jitter: worley.jitter as f32,
            squares,
        }
    }

    /// The side of a square in cells.
    pub(super) fn side(&self) -> f64 {
        self.side
    }

    /// The point of a square, relative to its north-west corner, as fractions of its side.
    pub(super) fn point(&self, column: i64, row: i64) -> [f32; 2] {
        let wrapped = |at: i64| self.squares.map_or(at, |squares| at.rem_euclid(squares));
        let step = |word: u64, at: i64| {
            let at = (wrapped(at) as u64).wrapping_mul(SplitMix64::GAMMA);
            SplitMix64::mix(word.wrapping_add(at))
        };
        let hash = step(step(self.drawn, column), row);
        [hash >> 40, (hash >> 16) & 0xFF_FFFF].map(|bits| {
            // 24 bits, so the conversion is exact and the result is below 1.
            let share = bits as f32 / (1 << 24) as f32;
            0.5 + self.jitter * (share - 0.5)
        })
    }

    /// The square of a cell's column or row, and the position within it as a fraction of its side.
    fn place(&self, at: i64) -> (i64, f32) {
        let place = at as f64 * self.inverse;
        let square = place.floor();
        (square as i64, (place - square) as f32)
    }
}

/// The points around those cells of a row that are in one square.
pub(super) struct Near<'a> {
    lattice: &'a Lattice,
    /// The row of squares that contains the cells.
    row: i64,
    /// The position of the cells within that row, as a fraction of its height.
    offset: f32,
    /// The column of the square whose neighborhood the points are.
    column: Option<i64>,
    /// Column by column: x relative to the western side of the point's own square, y relative to the row of cells.
    points: [[f32; 2]; NEAR],
}

impl<'a> Near<'a> {
    /// Creates the neighborhood for the cells of row `y`, without points yet.
    pub(super) fn new(lattice: &'a Lattice, y: i64) -> Self {
        let (row, offset) = lattice.place(y);
        Self {
            lattice,
            row,
            offset,
            column: None,
            points: [[0.0; 2]; NEAR],
        }
    }

    /// Moves to the square of the cell in column `x`. Returns the number of cells from there on that are in the same
    /// square.
    pub(super) fn go_to(&mut self, x: i64) -> usize {
        let (column, _) = self.lattice.place(x);
        if self.column.replace(column) == Some(column - 1) {
            // Only the easternmost column of points is new.
            self.points.copy_within(SIDE.., 0);
            self.find(SIDE - 1, column);
        } else {
            (0..SIDE).for_each(|place| self.find(place, column));
        }
        let end = ((column + 1) as f64 * self.lattice.side).ceil() as i64;
        // Because of rounding, the first cell of the next square may be one more or less.
        let beyond = |x: &i64| self.lattice.place(*x).0 > column;
        let end = ((end - 1).max(x + 1)..).find(beyond);
        end.map_or(1, |end| (end - x) as usize)
    }

    /// Computes the points in one column of the neighborhood of `column`.
    fn find(&mut self, place: usize, column: i64) {
        let across = place as i64 - REACH;
        let points = &mut self.points[place * SIDE..][..SIDE];
        for (down, point) in (-REACH..).zip(points) {
            let [x, y] = self.lattice.point(column + across, self.row + down);
            *point = [x, (down as f32 + y) - self.offset];
        }
    }

    /// The points: x relative to the western side of the central square, y relative to the row of cells.
    pub(super) fn points(&self) -> [[f32; 2]; NEAR] {
        array::from_fn(|k| {
            let [x, y] = self.points[k];
            [(k / SIDE) as f32 - REACH as f32 + x, y]
        })
    }

    /// The positions within the square of the cells from column `x` on.
    pub(super) fn offsets(&self, x: i64) -> [f32; LANES] {
        let column = self.column.unwrap_or(0) as f64;
        array::from_fn(|k| ((x + k as i64) as f64 * self.lattice.inverse - column) as f32)
    }
}
