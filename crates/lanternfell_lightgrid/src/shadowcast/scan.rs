//! Shadowcasting in one quadrant: rows from near to far, in sectors that walls cut up.
//!
//! ```text
//!   row 3   \ . . . # . . . /     A sector is what lies between two rays. A wall ends
//!   row 2     \ . . | . . /       one at its left side and starts one at its right side.
//!   row 1       \ . . . /
//!   origin          @
//! ```
//!
//! Column `c` (-d to d) of row `d` (1, 2, ...) is the stretch from c - 1/2 to c + 1/2 of a
//! line d away from the origin. Each ray goes through the border between two cells of some
//! row, so its slope is the fraction (2c - 1) / 2d. From row to row its column and what
//! is left over are counted up as in Bresenham's line: exact, and without a division.
//!
//! On hexagons there are six sextants, each between the ways to two neighbors. Column `c` (0 to d) of
//! row `d` is the cell that comes after `d - c` steps to the first and `c` to the second of them. Its
//! stretch of the line through the row's middles is one cell long, and lines stay lines where rows
//! are pushed along themselves: so a sextant is scanned as the right half of a quadrant.
//!
//! How many sectors can wait at once? To cut one in two takes a wall's whole width, which
//! is 1/d of the quadrant's two units of slope. So at most 2 · radius cuts can be made.

/// The ray on one side of a sector.
///
/// On the sector's row it is at `column - 1/2 + rest / run`; its slope is
/// `lean + rise / run`; `rest` and `rise` are at least 0 and less than `run`. So `column`
/// is the first one of which more than a border lies to the ray's right. The rays on the
/// right of sectors are kept mirrored, and then the same holds for both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Ray {
    column: i32,
    rest: i32,
    lean: i32,
    rise: i32,
    run: i32,
}

impl Ray {
    /// The quadrant's own border: the diagonal, on row 1.
    const DIAGONAL: Self = Self {
        column: -1,
        rest: 1,
        lean: -1,
        rise: 0,
        run: 2,
    };

    /// The sextant's own border on the left: its axis, on row 1.
    const AXIS: Self = Self {
        column: 0,
        lean: 0,
        ..Self::DIAGONAL
    };

    /// The ray through the left border of a cell, on the cell's row.
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

    /// The ray through the right border of a cell, on the cell's row; mirrored.
    #[inline]
    fn right_of(column: i32, row: i32) -> Self {
        Self::left_of(-column, row)
    }

    /// The same ray one row further, where it is at most one column further to the side.
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

    /// Whether the center of the ray's own column lies in the sector or on its border.
    #[inline]
    fn includes_center(self) -> bool {
        2 * self.rest <= self.run
    }
}

/// What is open to view between two rays, from a row on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sector {
    row: i32,
    left: Ray,
    right: Ray,
}

/// How far rows and columns go.
#[derive(Debug, Clone, Copy)]
pub(super) enum Bounds<'a> {
    /// Of a quadrant.
    Quadrant {
        /// The last row.
        rows: i32,
        /// The furthest columns on the left and on the right, both as a distance.
        left: i32,
        right: i32,
        /// Half the disc's width on each row from the origin's on.
        disc: &'a [i32],
    },
    /// Of a sextant: the disc's first column on each row from the origin's on. As many cells are
    /// beyond the last.
    Sextant { disc: &'a [i32] },
}

impl Bounds<'_> {
    /// The ray on the left.
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

/// Looks through a quadrant or sextant: asks `is_opaque(row, column)`, and tells `see(row, first, last)`
/// which columns are seen.
///
/// `sectors` is the list of what is still to be looked at, empty before and after.
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
    // Depth first: a sector is followed to its end, and the pieces that were cut off wait on the list.
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
            // A wall is seen if a ray meets any part of it, an open cell by its center.
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

/// Cuts a sector at the walls of its row, and puts the pieces on the list, except the
/// rightmost if it ends at the sector's own right side.
///
/// Says whether the first cell is open, and if the last one is, where the piece that ends
/// with it begins.
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
        // A bit where a wall or an opening begins: where a cell differs from the one to its left.
        let mut changes = walls ^ (walls << 1 | u64::from(before_is_opaque));
        changes &= u64::MAX >> (64 - count);
        while changes != 0 {
            let column = start + changes.trailing_zeros() as i32;
            // The lowest bit of `changes`: whether it is a wall that begins there.
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
        // Rows longer than a word go on with the last cell of this one.
        before_is_opaque = walls >> (count - 1) == 1;
        start += count;
    }
    (!first_is_opaque, (!before_is_opaque).then_some(left))
}
