//! Shadowcasting in one quadrant: rows from near to far, in sectors that walls divide.
//!
//! ```text
//!   row 3   \ . . . # . . . /     A sector is the space between two rays. A wall ends one
//!   row 2     \ . . | . . /       sector at its left side and starts another one at its
//!   row 1       \ . . . /         right side.
//!   origin          @
//! ```
//!
//! Column `c` (-d to d) of row `d` (1, 2, ...) is the segment from c - 1/2 to c + 1/2 of a line at
//! distance d from the origin. Each ray goes through the border between two cells of some row, so
//! its slope is the fraction (2c - 1) / 2d. Its column and remainder are updated from row to row as
//! in Bresenham's line algorithm: exactly, and without divisions.
//!
//! On hexagons there are six sextants, each between the directions to two neighbors. Column `c` (0
//! to d) of row `d` is the cell that is reached by `d - c` steps to the first neighbor and `c`
//! steps to the second. Its segment of the line through the centers of the row is one cell long.
//! Shifting rows along themselves keeps lines straight, so a sextant can be scanned as the right
//! half of a quadrant.
//!
//! The list of waiting sectors is bounded: dividing a sector takes the full width of a wall, which
//! is 1/d of the two units of slope of a quadrant. So there are at most 2 · radius divisions.

/// The ray on one side of a sector.
///
/// On the row of the sector it is at `column - 1/2 + rest / run`. Its slope is `lean + rise / run`.
/// `rest` and `rise` are at least 0 and less than `run`. So `column` is the first column that has
/// more than its border to the right of the ray. Rays on the right side of sectors are stored
/// mirrored, so the same is true for both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Ray {
    column: i32,
    rest: i32,
    lean: i32,
    rise: i32,
    run: i32,
}

impl Ray {
    /// The border of a quadrant, which is a diagonal, on row 1.
    const DIAGONAL: Self = Self {
        column: -1,
        rest: 1,
        lean: -1,
        rise: 0,
        run: 2,
    };

    /// The left border of a sextant, which is its axis, on row 1.
    const AXIS: Self = Self {
        column: 0,
        lean: 0,
        ..Self::DIAGONAL
    };

    /// The ray through the left border of a cell, on the row of the cell.
    #[inline]
    fn left_of(column: i32, row: i32) -> Self {
        let (rise, run) = (2 * column - 1, 2 * row);
        let lean = if rise < 0 { -1 } else { 0 };
        Self {
            column,
            rest: 0,
            lean,
            rise: rise - lean * run,
            run,
        }
    }

    /// The ray through the right border of a cell, on the row of the cell. Mirrored.
    #[inline]
    fn right_of(column: i32, row: i32) -> Self {
        Self::left_of(-column, row)
    }

    /// The same ray on the next row, where it is at most one column further to the side.
    #[inline]
    fn next_row(self) -> Self {
        let rest = self.rest + self.rise;
        let carry = i32::from(rest >= self.run);
        Self {
            column: self.column + self.lean + carry,
            rest: rest - carry * self.run,
            ..self
        }
    }

    /// Whether the center of the column of the ray is in the sector or on its border.
    #[inline]
    fn includes_center(self) -> bool {
        2 * self.rest <= self.run
    }
}

/// The visible space between two rays, from a row on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sector {
    row: i32,
    left: Ray,
    right: Ray,
}

/// The limits of rows and columns.
#[derive(Debug, Clone, Copy)]
pub(super) enum Bounds<'a> {
    /// The limits of a quadrant.
    Quadrant {
        /// The last row.
        rows: i32,
        /// The last columns on the left and on the right, both as a distance.
        left: i32,
        right: i32,
        /// Half the width of the disc in each row, from the row of the origin.
        disc: &'a [i32],
    },
    /// The limits of a sextant: the first column of the disc in each row, from the row of the
    /// origin. The same number of cells is outside of the disc at the end of the row.
    Sextant { disc: &'a [i32] },
}

impl Bounds<'_> {
    /// The ray on the left side.
    fn left_side(self) -> Ray {
        match self {
            Self::Quadrant { .. } => Ray::DIAGONAL,
            Self::Sextant { .. } => Ray::AXIS,
        }
    }

    /// The last row.
    fn rows(self) -> i32 {
        match self {
            Self::Quadrant { rows, .. } => rows,
            Self::Sextant { disc } => disc.len() as i32 - 1,
        }
    }

    /// The first and the last column of a row.
    #[inline]
    fn columns(self, row: i32) -> (i32, i32) {
        match self {
            Self::Quadrant {
                left, right, disc, ..
            } => {
                let reach = disc[row as usize];
                (-left.min(reach), right.min(reach))
            }
            Self::Sextant { disc } => {
                let first = disc[row as usize];
                (first, row - first)
            }
        }
    }
}

/// Scans a quadrant or sextant. Calls `is_opaque(row, column)` to test cells, and
/// `see(row, first, last)` with the visible columns.
///
/// `sectors` is working memory for the waiting sectors. It is empty before and after.
pub(super) fn scan(
    sectors: &mut Vec<Sector>,
    bounds: Bounds<'_>,
    is_opaque: impl Fn(i32, i32) -> bool,
    mut see: impl FnMut(i32, i32, i32),
) {
    sectors.push(Sector {
        row: 1,
        left: bounds.left_side(),
        right: Ray::DIAGONAL,
    });
    let rows = bounds.rows();
    // Depth first: a sector is followed to its end, and the pieces that were cut off wait on the
    // list.
    while let Some(mut sector) = sectors.pop() {
        while sector.row <= rows {
            let Sector { row, left, right } = sector;
            let (leftmost, rightmost) = bounds.columns(row);
            let (first, last) = (left.column.max(leftmost), (-right.column).min(rightmost));
            if first > last {
                break;
            }
            let row_is_opaque = |column| is_opaque(row, column);
            let (first_is_open, rest) = cut(sectors, sector, first, last, row_is_opaque);
            // A wall is visible if a ray meets any part of it, an open cell only if its center is
            // in the sector.
            let left_is_hidden = first_is_open & !left.includes_center();
            let right_is_hidden = rest.is_some() & !right.includes_center();
            let first = (left.column + i32::from(left_is_hidden)).max(leftmost);
            let last = (-right.column - i32::from(right_is_hidden)).min(rightmost);
            if first <= last {
                see(row, first, last);
            }
            let Some(left) = rest else { break };
            sector = Sector {
                row: row + 1,
                left: left.next_row(),
                right: right.next_row(),
            };
        }
    }
}

/// Divides a sector at the walls of its row, and puts the pieces on the list, except for the
/// rightmost one if it ends at the right side of the sector.
///
/// Returns whether the first cell is open, and, if the last cell is open, the left ray of the piece
/// that includes it.
#[inline]
fn cut(
    sectors: &mut Vec<Sector>,
    Sector { row, mut left, .. }: Sector,
    first: i32,
    last: i32,
    is_opaque: impl Fn(i32) -> bool,
) -> (bool, Option<Ray>) {
    let first_is_opaque = is_opaque(first);
    let mut before_is_opaque = first_is_opaque;
    let mut start = first + 1;
    while start <= last {
        let count = (last - start + 1).min(64);
        // The lowest bit is the leftmost cell.
        let walls = (start..start + count).rev().fold(0_u64, |walls, column| {
            walls << 1 | u64::from(is_opaque(column))
        });
        // Bits where a wall or an opening begins: where a cell differs from the one to its left.
        let mut changes = walls ^ (walls << 1 | u64::from(before_is_opaque));
        changes &= u64::MAX >> (64 - count);
        while changes != 0 {
            let column = start + changes.trailing_zeros() as i32;
            // The lowest bit of `changes` decides whether it is a wall that begins there.
            if walls & changes & changes.wrapping_neg() == 0 {
                left = Ray::left_of(column, row);
            } else {
                let right = Ray::right_of(column - 1, row).next_row();
                sectors.push(Sector {
                    row: row + 1,
                    left: left.next_row(),
                    right,
                });
            }
            changes &= changes - 1;
        }
        // Rows longer than a word continue with the last cell of this one.
        before_is_opaque = walls >> (count - 1) == 1;
        start += count;
    }
    (!first_is_opaque, (!before_is_opaque).then_some(left))
}
