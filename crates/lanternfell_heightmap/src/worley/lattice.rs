//! The points of [`Worley`] noise: one in each square of a lattice, by a hash.

use core::array;

use lanternfell_random::SplitMix64;

use super::{LANES, Worley};
use crate::period;

/// How far around a cell's square its points are looked for, in squares.
const REACH: i64 = 2;

/// So many squares there are along each side of those around.
const SIDE: usize = 2 * REACH as usize + 1;

/// So many points there are in them.
pub(super) const NEAR: usize = SIDE * SIDE;

/// All points of a map.
pub(super) struct Lattice {
    drawn: u64,
    /// Of a square, in cells, and its inverse.
    side: f64,
    inverse: f64,
    jitter: f32,
    /// After how many squares the points repeat themselves.
    squares: Option<i64>,
}

impl Lattice {
    /// That of the word that was drawn; the parameters must be valid.
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

    /// The side of a square, in cells.
    pub(super) fn side(&self) -> f64 {
        self.side
    }

    /// The point of a square, in shares of its side from its north-west corner.
    pub(super) fn point(&self, column: i64, row: i64) -> [f32; 2] {
        let wrapped = |at: i64| self.squares.map_or(at, |squares| at.rem_euclid(squares));
        let step = |word: u64, at: i64| {
            let at = (wrapped(at) as u64).wrapping_mul(SplitMix64::GAMMA);
            SplitMix64::mix(word.wrapping_add(at))
        };
        let hash = step(step(self.drawn, column), row);
        [hash >> 40, (hash >> 16) & 0xFF_FFFF].map(|bits| {
            // 24 bits: exact, and below 1.
            let share = bits as f32 / (1 << 24) as f32;
            0.5 + self.jitter * (share - 0.5)
        })
    }

    /// The square that a cell's column or row lies in, and where in it, in its sides.
    fn place(&self, at: i64) -> (i64, f32) {
        let place = at as f64 * self.inverse;
        let square = place.floor();
        (square as i64, (place - square) as f32)
    }
}

/// The points around the cells of one row that lie in one square.
pub(super) struct Near<'a> {
    lattice: &'a Lattice,
    /// The row of the squares in which the cells lie.
    row: i64,
    /// Where in that row they lie, in its height.
    offset: f32,
    /// The column of the square that the points are around.
    column: Option<i64>,
    /// Column by column: x from its own square's western side, y from the row of cells.
    points: [[f32; 2]; NEAR],
}

impl<'a> Near<'a> {
    /// For the cells of row `y`.
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

    /// Finds the points around the cell in column `x`; returns how many cells from there on lie
    /// in the same square.
    pub(super) fn go_to(&mut self, x: i64) -> usize {
        let (column, _) = self.lattice.place(x);
        if self.column.replace(column) == Some(column - 1) {
            // All but the easternmost are known.
            self.points.copy_within(SIDE.., 0);
            self.find(SIDE - 1, column);
        } else {
            (0..SIDE).for_each(|place| self.find(place, column));
        }
        let end = ((column + 1) as f64 * self.lattice.side).ceil() as i64;
        // By rounding the first cell beyond may be one more or less.
        let beyond = |x: &i64| self.lattice.place(*x).0 > column;
        let end = ((end - 1).max(x + 1)..).find(beyond);
        end.map_or(1, |end| (end - x) as usize)
    }

    /// Finds the points in one column of those around that column.
    fn find(&mut self, place: usize, column: i64) {
        let across = place as i64 - REACH;
        let points = &mut self.points[place * SIDE..][..SIDE];
        for (down, point) in (-REACH..).zip(points) {
            let [x, y] = self.lattice.point(column + across, self.row + down);
            *point = [x, (down as f32 + y) - self.offset];
        }
    }

    /// The points: x from the western side of the square that they are around, y from the row.
    pub(super) fn points(&self) -> [[f32; 2]; NEAR] {
        array::from_fn(|k| {
            let [x, y] = self.points[k];
            [(k / SIDE) as f32 - REACH as f32 + x, y]
        })
    }

    /// Where in the square the cells from column `x` on lie.
    pub(super) fn offsets(&self, x: i64) -> [f32; LANES] {
        let column = self.column.unwrap_or(0) as f64;
        array::from_fn(|k| ((x + k as i64) as f64 * self.lattice.inverse - column) as f32)
    }
}
