//! Axial coordinates of hexagons, in which the steps to neighbors are the same in every row.
//!
//! The module [`hexagonal`](crate::hexagonal) describes the layout of cells.

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

/// The axial coordinates of a cell: y is its row, and x is constant along lines to the south-east.
pub(crate) fn axial_of(cell: IVec2) -> I64Vec2 {
    let IVec2 { x, y } = cell;
    I64Vec2::new(i64::from(x) - i64::from(y >> 1), y.into())
}

/// The cell with these axial coordinates. Coordinates beyond `i32` wrap to a cell far away.
pub(crate) fn cell_of(axial: I64Vec2) -> IVec2 {
    I64Vec2::new(axial.x + (axial.y >> 1), axial.y).as_ivec2()
}
