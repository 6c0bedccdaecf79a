//! Maps of hexagons: how their cells are counted, where they lie, and what is asked of them without a
//! grid.
//!
//! A [`LightGrid`](crate::LightGrid) whose settings say
//! [`Neighborhood::Hexagonal`](crate::Neighborhood::Hexagonal) has hexagons for cells, pointed to the
//! north and south. They are stored as squares are, row by row, with the odd rows (1, 3, ...) half a
//! cell further east; Red Blob Games calls this layout "odd-r":
//!
//! ```text
//!    (0,0) (1,0) (2,0) (3,0)        From a cell of an even row the neighbors are at
//!       (0,1) (1,1) (2,1) (3,1)        (-1,-1) (0,-1) (-1,0) (1,0) (-1,1) (0,1),
//!    (0,2) (1,2) (2,2) (3,2)        from one of an odd row at
//!       (0,3) (1,3) (2,3) (3,3)        (0,-1) (1,-1) (-1,0) (1,0) (0,1) (1,1).
//! ```
//!
//! **Flat-topped hexagons**, in columns of which the odd ones lie half a cell further south ("odd-q"),
//! are the same with the two axes swapped: let x be the row and y the column of a cell, in all that is
//! given and asked, and everything here holds. Where even rows or columns are the shifted ones, put one of
//! [`Cell::WALL`](crate::Cell::WALL) before the first: that is as if there were none.
//!
//! **Places between cells**, as a light's, are given in cells too: whole numbers are middles of cells,
//! and between two rows the shift of the one goes over evenly into that of the other.
//! [`from_plane`] and [`to_plane`] convert from and to a plane in which neighbors are 1 apart.
//!
//! **The line** from the middle of one cell to that of another crosses rows of cells, one with each
//! step: of the three directions of rows, those of the direction of which it crosses most. In each row
//! it is nearest to one cell, through which it then passes, or runs exactly between two. [`line()`]
//! and [`line_of_sight`] are about these cells, and so is [`FieldOfView::look_hexagonal`]: one symmetric
//! rule, as for squares.
//!
//! **The radius** of light and views is a true distance in the plane, so that both are round: a cell
//! that is `n` steps away along an axis is `n` away, other cells as many steps away are nearer.
//! [`distance`] counts steps.
//!
//! Source: Amit Patel, "Hexagonal Grids", <https://www.redblobgames.com/grids/hexagons/>.
//!
//! [`FieldOfView::look_hexagonal`]: crate::FieldOfView::look_hexagonal

use glam::{IVec2, Vec2};

use crate::{axial::axial_of, line::Crossings};

/// From one row of hexagons to the next, where neighbors are 1 apart: half the square root of three.
pub const ROW_HEIGHT: f32 = 0.866_025_4;

/// The steps from a cell to its neighbors, clockwise from the north-east.
///
/// ```
/// use lanternfell_lightgrid::{IVec2, hexagonal};
///
/// let cell = IVec2::new(4, 3);
/// assert_eq!(cell + hexagonal::steps(cell)[0], IVec2::new(5, 2));
/// assert!(hexagonal::steps(cell).iter().all(|&step| hexagonal::distance(cell, cell + step) == 1));
/// ```
pub fn steps(cell: IVec2) -> [IVec2; 6] {
    // How much further east the columns of the rows beside it are.
    let east = cell.y & 1;
    [
        (east, -1),
        (1, 0),
        (east, 1),
        (east - 1, 1),
        (-1, 0),
        (east - 1, -1),
    ]
    .map(IVec2::from)
}

/// How many steps it is from one cell to another, from neighbor to neighbor; no more than
/// `u32::MAX`.
pub fn distance(from: IVec2, to: IVec2) -> u32 {
    let way = axial_of(to) - axial_of(from);
    let steps = way.x.abs().max(way.y.abs()).max((way.x + way.y).abs());
    u32::try_from(steps).unwrap_or(u32::MAX)
}

/// How far east a place is of where a square would be: half a cell in odd rows.
fn shift(y: f32) -> f32 {
    let past_even = y.rem_euclid(2.0);
    0.5 * past_even.min(2.0 - past_even)
}

/// Where a place that is given in cells lies in the plane, where neighbors are 1 apart and rows
/// [`ROW_HEIGHT`]: the middle of cell (0, 0) at (0, 0), that of (0, 1) at (0.5, `ROW_HEIGHT`).
pub fn to_plane(at: Vec2) -> Vec2 {
    Vec2::new(at.x + shift(at.y), at.y * ROW_HEIGHT)
}

/// In cells, as [`Source::at`](crate::Source::at) wants it, where a place of the plane lies: the
/// reverse of [`to_plane`].
///
/// ```
/// use lanternfell_lightgrid::{IVec2, Vec2, hexagonal};
///
/// let cursor = Vec2::new(7.4, 2.7);
/// assert_eq!(hexagonal::cell_at(hexagonal::from_plane(cursor)), IVec2::new(7, 3));
/// ```
pub fn from_plane(place: Vec2) -> Vec2 {
    let y = place.y / ROW_HEIGHT;
    Vec2::new(place.x - shift(y), y)
}

/// The cell whose middle is nearest to a place that is given in cells; of those just as near the
/// southern or eastern one.
pub fn cell_at(at: Vec2) -> IVec2 {
    let (corner, shares) = shares(at);
    let nearest = shares.into_iter().reduce(|nearest, other| {
        let is_nearer = other.1 >= nearest.1;
        if is_nearer { other } else { nearest }
    });
    let (step, _) = nearest.unwrap_or_default();
    corner.saturating_add(IVec2::from(step))
}

/// A cell, and the steps from it to the four cells around a place, with their shares of it. One has
/// none: the place lies in the triangle between the middles of the other three, which are all
/// neighbors, and their shares are those of the triangle (barycentric coordinates).
pub(crate) fn shares(at: Vec2) -> (IVec2, [((i32, i32), f32); 4]) {
    let corner = at.floor();
    let part = at - corner;
    let Vec2 { x, y } = part;
    let corner = corner.as_ivec2();
    let is_even = corner.y & 1 == 0;
    let [north_west, north_east, south_west, south_east] = match (is_even, x + y <= 1.0, y <= x) {
        (true, true, _) => [1.0 - x - y, x, y, 0.0],
        (true, false, _) => [0.0, 1.0 - y, 1.0 - x, x + y - 1.0],
        (false, _, true) => [1.0 - x, x - y, 0.0, y],
        (false, _, false) => [1.0 - y, 0.0, y - x, x],
    };
    let shares = [
        ((0, 0), north_west),
        ((1, 0), north_east),
        ((0, 1), south_west),
        ((1, 1), south_east),
    ];
    (corner, shares)
}

/// How many rows further than its own the cells up to this far away go: as many as fit, at most.
pub(crate) fn rows_within(radius: u32) -> u32 {
    let within = squared_radius(radius);
    let mut rows = radius;
    // In each row the nearest cell is in the middle or half a cell off.
    while squared_distance(u64::from(rows + 1), u64::from(rows + 1).div_ceil(2)) <= within {
        rows += 1;
    }
    rows
}

/// The square of the distance to a cell that is `row` rows away, `column` cells along that row from
/// the axis.
pub(crate) fn squared_distance(row: u64, column: u64) -> u64 {
    row * row - row * column + column * column
}

/// The greatest of these squares within a radius: those of distances less than a half more.
pub(crate) fn squared_radius(radius: u32) -> u64 {
    let radius = u64::from(radius);
    radius * radius + radius
}

/// The cells along the straight line between two cells' middles, both ends included.
///
/// One for each step of their [`distance`], the one nearest to the line; each is a neighbor of the one
/// before. Where the line passes exactly between two cells the northern or western one is taken: so
/// it is the same cells in both directions, in reverse order. Nothing is said about walls:
/// [`line_of_sight`] tells whether a line is free.
pub fn line(from: IVec2, to: IVec2) -> impl Iterator<Item = IVec2> {
    Crossings::hexagonal(from, to).nearest()
}

/// Whether the straight line between two cells' middles is free.
///
/// As [`line_of_sight`](crate::line_of_sight()) on squares: only cells between the two are asked about,
/// the answer is the same in both directions, and for open cells the same as that of
/// [`FieldOfView::look_hexagonal`](crate::FieldOfView::look_hexagonal) with a radius that is large
/// enough. Where the line passes exactly between two cells it slides along a wall on one side of it,
/// but does not squeeze through between walls on both.
pub fn line_of_sight(from: IVec2, to: IVec2, is_opaque: impl Fn(IVec2) -> bool) -> bool {
    !Crossings::hexagonal(from, to).stopped_by(is_opaque)
}
