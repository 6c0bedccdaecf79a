//! Cells by index, and their eight neighbors.
//!
//! ```text
//!   5  6  7        directions, clockwise from the east;
//!   4  .  0        the flow of a cell is one byte
//!   3  2  1
//! ```

use core::ops::Range;

use crate::{MapSize, rows};

/// The direction of an outlet in [`Flow`](super::Flow).
pub(crate) const OUTLET: u8 = 8;

/// The steps along x and y for each direction.
pub(crate) const STEPS: [(isize, isize); 8] = [
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
];

/// The distance to the neighbor in each direction, in cells.
pub(crate) const DISTANCES: [f32; 8] = {
    const DIAGONAL: f32 = core::f32::consts::SQRT_2;
    [1.0, DIAGONAL, 1.0, DIAGONAL, 1.0, DIAGONAL, 1.0, DIAGONAL]
};

/// The opposite direction.
pub(crate) fn opposite(direction: u8) -> u8 {
    (direction + 4) % 8
}

/// The cells of a map, row by row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// The offset to add to an index for each direction.
    offsets: [isize; 8],
}

impl Grid {
    pub(crate) fn new(size: MapSize) -> Self {
        let width = size.width();
        Self {
            width,
            height: size.height(),
            offsets: STEPS.map(|(x, y)| y * width as isize + x),
        }
    }

    pub(crate) fn cells(&self) -> usize {
        self.width * self.height
    }

    /// The number of rows of a [strip](rows::strip).
    pub(crate) fn strip_rows(&self) -> usize {
        rows::strip(self.width, self.height)
    }

    /// The column and row of a cell.
    pub(crate) fn place(&self, cell: usize) -> (usize, usize) {
        // A map has at most 2^28 cells, and 32-bit division takes half the time.
        let (cell, width) = (cell as u32, self.width as u32);
        ((cell % width) as usize, (cell / width) as usize)
    }

    /// The neighbor in this direction, which must be on the map.
    pub(crate) fn step(&self, cell: usize, direction: u8) -> usize {
        cell.wrapping_add_signed(self.offsets[usize::from(direction & 7)])
    }

    pub(crate) fn border_at(&self, x: usize, y: usize) -> bool {
        x == 0 || y == 0 || x + 1 == self.width || y + 1 == self.height
    }

    /// The columns of row `y` whose cells have all eight neighbors.
    pub(crate) fn inside(&self, y: usize) -> Range<usize> {
        if y == 0 || y + 1 == self.height {
            return 0..0;
        }
        1..self.width - 1
    }

    /// The values of the neighbors in this direction, for every cell of row `y` except the first and the last. The row
    /// must not be on the border.
    pub(crate) fn row_neighbors<'a, T>(&self, values: &'a [T], y: usize, direction: u8) -> &'a [T] {
        let first = self.step(y * self.width + 1, direction);
        &values[first..first + self.width - 2]
    }

    /// Calls `each(direction, neighbor)` for every neighbor on the map, in the order of directions.
    #[inline]
    pub(crate) fn around(&self, cell: usize, each: impl FnMut(u8, usize)) {
        let (x, y) = self.place(cell);
        self.around_at(x, y, each);
    }

    /// The same as [`around`](Self::around), for a known column and row.
    #[inline]
    pub(crate) fn around_at(&self, x: usize, y: usize, mut each: impl FnMut(u8, usize)) {
        let cell = y * self.width + x;
        let inside = !self.border_at(x, y);
        for (direction, (dx, dy)) in (0..).zip(STEPS) {
            let on_map = inside
                || (x.wrapping_add_signed(dx) < self.width
                    && y.wrapping_add_signed(dy) < self.height);
            if on_map {
                each(direction, self.step(cell, direction));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_are_those_on_the_map() {
        let grid = Grid::new(MapSize::new(4, 3).unwrap());
        let around = |cell| {
            let mut found = Vec::new();
            grid.around(cell, |direction, neighbor| {
                assert_eq!(grid.step(neighbor, opposite(direction)), cell);
                found.push(neighbor);
            });
            found
        };
        assert_eq!(around(5), [6, 10, 9, 8, 4, 0, 1, 2]);
        assert_eq!(around(0), [1, 5, 4]);
        assert_eq!(around(11), [10, 6, 7]);
        let inner = (0..12).filter(|&cell| {
            let (x, y) = grid.place(cell);
            !grid.border_at(x, y)
        });
        assert_eq!(inner.collect::<Vec<_>>(), [5, 6]);
    }
}
