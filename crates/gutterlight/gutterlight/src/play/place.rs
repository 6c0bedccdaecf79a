//! Where cells are in the world: a cell is sixteen units, the floor's middle is at zero, and
//! rows go down, because y goes up.

use bevy::prelude::*;

/// World units, and pixels of the pictures, along the side of a cell.
pub const CELL: f32 = gutterlight_assets::art::CELL as f32;

/// Heights of what is drawn. The light lies at 100: what is below is seen in it.
pub const GROUND: f32 = 0.0;
pub const FIGURES: f32 = 10.0;
pub const FLAMES: f32 = 110.0;
pub const DARK: f32 = 115.0;
pub const OUTLINES: f32 = 120.0;
pub const SIGNS: f32 = 130.0;

/// The middle of a place given in cells, of a floor of this size.
pub fn of(cell: Vec2, size: IVec2) -> Vec2 {
    let middle = (size.as_vec2() - 1.0) / 2.0;
    (cell - middle) * Vec2::new(CELL, -CELL)
}

/// The cell that a place in the world is in.
pub fn cell_at(place: Vec2, size: IVec2) -> IVec2 {
    let middle = (size.as_vec2() - 1.0) / 2.0;
    (place * Vec2::new(1.0, -1.0) / CELL + middle)
        .round()
        .as_ivec2()
}
