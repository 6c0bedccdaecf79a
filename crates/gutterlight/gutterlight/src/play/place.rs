//! The mapping between cells and world positions. A cell is 16 units wide, the center of the floor
//! is at the origin, and rows go downward because world y points up.

use bevy::prelude::*;

/// The size of a cell in world units, and in pixels of the sprites.
pub const CELL: f32 = gutterlight_assets::art::CELL as f32;

/// The z values of layers. The light is at 100: layers below it are lit by it.
pub const GROUND: f32 = 0.0;
pub const FIGURES: f32 = 10.0;
pub const FLAMES: f32 = 110.0;
pub const DARK: f32 = 115.0;
pub const OUTLINES: f32 = 120.0;
pub const SIGNS: f32 = 130.0;

/// The world position of a position in cells, on a floor of this size.
pub fn of(cell: Vec2, size: IVec2) -> Vec2 {
    let middle = (size.as_vec2() - 1.0) / 2.0;
    (cell - middle) * Vec2::new(CELL, -CELL)
}

/// The cell at a world position.
pub fn cell_at(place: Vec2, size: IVec2) -> IVec2 {
    let middle = (size.as_vec2() - 1.0) / 2.0;
    (place * Vec2::new(1.0, -1.0) / CELL + middle)
        .round()
        .as_ivec2()
}
