//! Hexagonal grids: their layout, conversions, distances and lines.
//!
//! A [`LightGrid`](crate::LightGrid) with
//! [`Neighborhood::Hexagonal`](crate::Neighborhood::Hexagonal) has pointy-topped hexagons as cells.
//! They are stored row by row like squares, and the odd rows (1, 3, ...) are shifted half a cell to
//! the east. Red Blob Games calls this layout "odd-r":
//!
//! ```text
//!    (0,0) (1,0) (2,0) (3,0)        The neighbors of a cell in an even row are at
//!       (0,1) (1,1) (2,1) (3,1)        (-1,-1) (0,-1) (-1,0) (1,0) (-1,1) (0,1),
//!    (0,2) (1,2) (2,2) (3,2)        those of a cell in an odd row are at
//!       (0,3) (1,3) (2,3) (3,3)        (0,-1) (1,-1) (-1,0) (1,0) (0,1) (1,1).
//! ```
//!
//! **Flat-topped hexagons** in columns, where odd columns are shifted half a cell to the south
//! ("odd-q"), are the same with the axes swapped: use the row of a cell as x and its column as y,
//! in all arguments and results. If the even rows or columns are the shifted ones, insert one row
//! or column of [`Cell::WALL`](crate::Cell::WALL) before the first. It has the same effect as the
//! border of the grid.
//!
//! **Positions** such as that of a source are in cells as well. Whole numbers are cell centers.
//! Between two rows, the shift of one row changes linearly into that of the other. [`to_plane`] and
//! [`from_plane`] convert to and from a plane in which neighbors are 1 apart.
//!
//! **Lines** go from the center of one cell to the center of another. Rows of cells run in three
//! directions. Of these, a line uses the direction in which it crosses the most rows. It crosses
//! one row in each step. In each row it is nearest to one cell, which it passes through, or it runs
//! exactly between two cells. [`line()`], [`line_of_sight`] and
//! [`FieldOfView::compute_hexagonal`] all use these cells, with the same symmetric rule as on squares.
//!
//! **Radii** of light and fields of view are distances in the plane, so both are round. A cell that
//! is `n` steps away along an axis is at distance `n`; other cells that are `n` steps away are
//! nearer. [`distance`] counts steps.
//!
//! Source: Amit Patel, "Hexagonal Grids", <https://www.redblobgames.com/grids/hexagons/>.
//!
//! [`FieldOfView::compute_hexagonal`]: crate::FieldOfView::compute_hexagonal

use glam::{IVec2, Vec2};

use crate::{axial::axial_of, line::Crossings};

/// The distance between two rows of hexagons, where neighbors are 1 apart: half the square root of
/// three.
pub const ROW_HEIGHT: f32 = 0.866_025_4;

/// The steps from a cell to its six neighbors, clockwise from north-east.
///
/// ```
/// use lanternfell_lightgrid::{IVec2, hexagonal};
///
/// let cell = IVec2::new(4, 3);
/// assert_eq!(cell + hexagonal::steps(cell)[0], IVec2::new(5, 2));
/// assert!(hexagonal::steps(cell).iter().all(|&step| hexagonal::distance(cell, cell + step) == 1));
/// ```
pub fn steps(cell: IVec2) -> [IVec2; 6] {
    // How far the columns of the rows above and below are further east.
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

/// The number of steps from one cell to another, from neighbor to neighbor. At most `u32::MAX`.
pub fn distance(from: IVec2, to: IVec2) -> u32 {
    let way = axial_of(to) - axial_of(from);
    let steps = way.x.abs().max(way.y.abs()).max((way.x + way.y).abs());
    u32::try_from(steps).unwrap_or(u32::MAX)
}

/// How far a position is shifted to the east: half a cell in odd rows.
fn shift(y: f32) -> f32 {
    let past_even = y.rem_euclid(2.0);
    0.5 * past_even.min(2.0 - past_even)
}

/// Converts a position in cells to the plane, where neighbors are 1 apart and rows [`ROW_HEIGHT`].
/// The center of cell (0, 0) is at (0, 0), and that of cell (0, 1) at (0.5, `ROW_HEIGHT`).
pub fn to_plane(at: Vec2) -> Vec2 {
    Vec2::new(at.x + shift(at.y), at.y * ROW_HEIGHT)
}

/// Converts a position in the plane to cells, the unit of [`Source::at`](crate::Source::at). The
/// inverse of [`to_plane`].
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

/// The cell whose center is nearest to a position in cells. Of two equally near cells, the southern
/// or eastern one.
pub fn cell_at(at: Vec2) -> IVec2 {
    let (corner, shares) = shares(at);
    let nearest = shares.into_iter().reduce(|nearest, other| {
        let is_nearer = other.1 >= nearest.1;
        if is_nearer { other } else { nearest }
    });
    let (step, _) = nearest.unwrap_or_default();
    corner.saturating_add(IVec2::from(step))
}

/// The cells around a position: a cell, and the steps from it to four cells with their shares of
/// the position. One of the four shares is zero. The position is in the triangle between the
/// centers of the other three cells, which are all neighbors, and the shares are the barycentric
/// coordinates in that triangle.
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

/// The number of rows that a disc with this radius extends above and below its center row.
pub(crate) fn rows_within(radius: u32) -> u32 {
    let within = squared_radius(radius);
    let mut rows = radius;
    // In each row the nearest cell is in the center or half a cell off.
    while squared_distance(u64::from(rows + 1), u64::from(rows + 1).div_ceil(2)) <= within {
        rows += 1;
    }
    rows
}

/// The squared distance of a cell that is `row` rows away and `column` cells along that row from
/// the axis.
pub(crate) fn squared_distance(row: u64, column: u64) -> u64 {
    row * row - row * column + column * column
}

/// The largest squared distance in a disc with this radius: distances below radius + 1/2.
pub(crate) fn squared_radius(radius: u32) -> u64 {
    let radius = u64::from(radius);
    radius * radius + radius
}

/// The cells on the straight line between the centers of two cells, including both ends.
///
/// There is one cell for each step of their [`distance`]: the one nearest to the line. Consecutive
/// cells are neighbors. If the line passes exactly between two cells, the northern or western one
/// is taken. The line in the opposite direction therefore has the same cells in reverse order.
///
/// Walls are ignored; use [`line_of_sight`] to test whether a line is free.
pub fn line(from: IVec2, to: IVec2) -> impl Iterator<Item = IVec2> {
    Crossings::hexagonal(from, to).nearest()
}

/// Whether the straight line between the centers of two cells is free.
///
/// `is_opaque` is only called for cells between the two. The result is the same in both directions.
/// For open cells it is the same as that of
/// [`FieldOfView::compute_hexagonal`](crate::FieldOfView::compute_hexagonal) with a sufficient radius.
/// Where the line passes exactly between two cells, a wall on one side does not block it, but walls
/// on both sides do. The variant for squares is [`line_of_sight`](crate::line_of_sight()).
pub fn line_of_sight(from: IVec2, to: IVec2, is_opaque: impl Fn(IVec2) -> bool) -> bool {
    !Crossings::hexagonal(from, to).stopped_by(is_opaque)
}
