//! Axial coordinates of hexagons, in which the steps to neighbors do not depend on the row.
//!
//! [`hexagonal`](crate::hexagonal) describes the layout of cells that they are converted from.

use glam::{I64Vec2, IVec2};

/// The six steps to neighbors in axial coordinates, clockwise from east.
pub(crate) const AXES: [I64Vec2; 6] = [
    I64Vec2::new(1, 0),
    I64Vec2::new(0, 1),
    I64Vec2::new(-1, 1),
    I64Vec2::new(-1, 0),
    I64Vec2::new(0, -1),
    I64Vec2::new(1, -1),
];

/// A cell's axial coordinates: y is its row, and x is the same for all cells on a line to the
/// south-east.
pub(crate) fn axial_of(cell: IVec2) -> I64Vec2 {
    let IVec2 { x, y } = cell;
    I64Vec2::new(i64::from(x) - i64::from(y >> 1), y.into())
}

/// The cell of axial coordinates. Coordinates beyond `i32` become a cell far away.
pub(crate) fn cell_of(axial: I64Vec2) -> IVec2 {
    I64Vec2::new(axial.x + (axial.y >> 1), axial.y).as_ivec2()
}
