//! The largest distance between two levels of triangles, measured over one square of an even level.
//!
//! From one level to the next, each small triangle is halved at the middle of its long side.
//! Between the vertices of both levels, the two surfaces are flat. So their distance is largest at
//! a new vertex, where the finer surface has the height of the cell and the coarser one has the
//! mean height of the ends of the long side:
//!
//! ```text
//!  even level: middles of cells    the next: middles of sides
//!        ●─────○                        ●──x──●
//!        │ ╲   │                        │╲   ╱│
//!        │   x │                        x  ●  x
//!        │     ╲                        │╱   ╲│
//!        ○─────●                        ●──x──●
//! ```
//!
//! At the border, vertices are moved onto the map, so a new vertex may be next to the long side
//! instead of on it. Then the distance may also be largest where a new side crosses the old one.

use lanternfell_heightmap::Heightmap;

use super::lattice::Lattice;

/// The distances in one square of an even level: from that level to the next, and from the next to
/// the one after it.
///
/// For the finest level, also the range of heights.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct SquareStray {
    /// The distance between this level and the next.
    pub(super) even: f32,
    /// The distance between the next level and the one after it, for the four triangles that the
    /// diagonals form: to the north, west, south and east of the square's middle.
    pub(super) odd: [f32; 4],
    pub(super) low: f32,
    pub(super) high: f32,
}

/// Measures square `(column, row)` of an even level. A part of the square must be on the map.
pub(super) fn of_square(
    map: &Heightmap,
    lattice: &Lattice,
    level: u32,
    column: i32,
    row: i32,
) -> SquareStray {
    if level == lattice.finest {
        return of_finest_square(map, lattice, column, row);
    }
    let step = lattice.square_side(level) / lattice.side;
    let mut stray = SquareStray::default();
    let span = |index: i32, first: i32, squares: i32| {
        Span::new((first * lattice.side + index) * step, step, squares)
    };
    for j in 0..lattice.side {
        let Some(south) = span(j, row, lattice.squares.y) else {
            break;
        };
        for i in 0..lattice.side {
            let Some(east) = span(i, column, lattice.squares.x) else {
                break;
            };
            let cell = Cell::new(map, east, south);
            stray.even = stray.even.max(cell.middle_stray((i + j) % 2 == 0));
            stray.add_sides(&cell, lattice.side, i, j);
        }
    }
    stray
}

/// Measures a square of the finest level. Its triangles are those of the surface, which is always
/// split towards the north-east. But if only one half of a square is rendered as a patch, every
/// second square between cells is split the other way.
fn of_finest_square(map: &Heightmap, lattice: &Lattice, column: i32, row: i32) -> SquareStray {
    let range = |first: i32, squares: i32| {
        let low = first * lattice.side;
        low as usize..(low + lattice.side).min(squares) as usize
    };
    let (columns, rows) = (
        range(column, lattice.squares.x),
        range(row, lattice.squares.y),
    );
    let of_row = |row: usize| &map.row(row)[columns.start..=columns.end];
    let mut stray = SquareStray {
        low: f32::INFINITY,
        high: f32::NEG_INFINITY,
        ..SquareStray::default()
    };
    for row in rows.start..=rows.end {
        let north = of_row(row);
        stray.low = north.iter().fold(stray.low, |low, &height| low.min(height));
        stray.high = north
            .iter()
            .fold(stray.high, |high, &height| high.max(height));
        if row < rows.end {
            let (nw, ne) = (north, &north[1..]);
            let (sw, se) = (of_row(row + 1), &of_row(row + 1)[1..]);
            for i in ((row + columns.start) % 2..ne.len()).step_by(2) {
                let bend = ((nw[i] + se[i]) - (ne[i] + sw[i])).abs() / 2.0;
                stray.even = stray.even.max(bend);
            }
        }
    }
    stray
}

impl SquareStray {
    /// Adds the middles of a cell's sides: the north and west sides, and on the square's border all
    /// sides.
    fn add_sides(&mut self, cell: &Cell, side: i32, i: i32, j: i32) {
        // In half cells from the square's middle.
        let (x, y) = (2 * i - side, 2 * j - side);
        let mut add = |x: i32, y: i32, stray: f32| {
            let triangle = match (y.abs() > x.abs(), x < 0, y < 0) {
                (true, _, north) => 2 * usize::from(!north),
                (false, west, _) => 1 + 2 * usize::from(!west),
            };
            self.odd[triangle] = self.odd[triangle].max(stray);
        };
        add(x + 1, y, cell.side_stray(Side::North));
        add(x, y + 1, cell.side_stray(Side::West));
        // Also at the end of the map, because cells outside it are not visited.
        if j + 1 == side || cell.is_last_row {
            add(x + 1, y + 2, cell.side_stray(Side::South));
        }
        if i + 1 == side || cell.is_last_column {
            add(x + 2, y + 1, cell.side_stray(Side::East));
        }
    }
}

/// The ends and the middle of a cell along one axis, moved onto the map.
#[derive(Clone, Copy)]
struct Span {
    low: i32,
    middle: i32,
    high: i32,
    /// The position of the middle, from 0 to 1.
    part: f32,
    is_last: bool,
}

impl Span {
    /// Returns `None` if the cell is outside the map.
    fn new(low: i32, step: i32, squares: i32) -> Option<Self> {
        if low >= squares {
            return None;
        }
        let (middle, high) = ((low + step / 2).min(squares), (low + step).min(squares));
        Some(Self {
            low,
            middle,
            high,
            part: (middle - low) as f32 / (high - low) as f32,
            is_last: high == squares,
        })
    }
}

#[derive(Clone, Copy)]
enum Side {
    North,
    West,
    South,
    East,
}

/// The heights at the corners of a cell, at its middle, and at the middles of its sides.
struct Cell {
    nw: f32,
    ne: f32,
    sw: f32,
    se: f32,
    middle: f32,
    sides: [f32; 4],
    /// The position of the middle, from 0 to 1 from west to east and from north to south.
    x: f32,
    y: f32,
    is_last_column: bool,
    is_last_row: bool,
}

impl Cell {
    fn new(map: &Heightmap, x: Span, y: Span) -> Self {
        let at = |column: i32, row: i32| map.get(column as usize, row as usize);
        Self {
            nw: at(x.low, y.low),
            ne: at(x.high, y.low),
            sw: at(x.low, y.high),
            se: at(x.high, y.high),
            middle: at(x.middle, y.middle),
            sides: [
                at(x.middle, y.low),
                at(x.low, y.middle),
                at(x.middle, y.high),
                at(x.high, y.middle),
            ],
            x: x.part,
            y: y.part,
            is_last_column: x.is_last,
            is_last_row: y.is_last,
        }
    }

    /// Returns the distance between the middle of a side and the straight line between its ends.
    fn side_stray(&self, side: Side) -> f32 {
        let (from, to, part) = match side {
            Side::North => (self.nw, self.ne, self.x),
            Side::West => (self.nw, self.sw, self.y),
            Side::South => (self.sw, self.se, self.x),
            Side::East => (self.ne, self.se, self.y),
        };
        (self.sides[side as usize] - mix(from, to, part)).abs()
    }

    /// Returns the distance between the cell split along one diagonal, and the cell split from its
    /// middle to all four corners. The diagonal starts in the north-west or the north-east.
    fn middle_stray(&self, from_north_west: bool) -> f32 {
        let seen = if from_north_west {
            Diagonal {
                start: self.nw,
                end: self.se,
                above: self.ne,
                below: self.sw,
                x: self.x,
                y: self.y,
            }
        } else {
            // The mirror image, seen from the east.
            Diagonal {
                start: self.ne,
                end: self.sw,
                above: self.nw,
                below: self.se,
                x: 1.0 - self.x,
                y: self.y,
            }
        };
        seen.stray(self.middle)
    }
}

/// A square split from its start `(0, 0)` to its end `(1, 1)`, with a point `(x, y)` in it.
struct Diagonal {
    start: f32,
    end: f32,
    /// The height at `(1, 0)`.
    above: f32,
    /// The height at `(0, 1)`.
    below: f32,
    x: f32,
    y: f32,
}

impl Diagonal {
    fn stray(self, middle: f32) -> f32 {
        if self.x == self.y {
            return (middle - mix(self.start, self.end, self.x)).abs();
        }
        if self.x < self.y {
            // Mirror at the diagonal, so that the point is above it.
            return Diagonal {
                above: self.below,
                below: self.above,
                x: self.y,
                y: self.x,
                ..self
            }
            .stray(middle);
        }
        let flat =
            self.start + (self.above - self.start) * self.x + (self.end - self.above) * self.y;
        // The line from the point to the corner below crosses the diagonal.
        let part = (self.x - self.y) / (1.0 + self.x - self.y);
        let crossing = self.x * (1.0 - part);
        let crossed = mix(middle, self.below, part) - mix(self.start, self.end, crossing);
        (middle - flat).abs().max(crossed.abs())
    }
}

fn mix(from: f32, to: f32, part: f32) -> f32 {
    from + (to - from) * part
}
