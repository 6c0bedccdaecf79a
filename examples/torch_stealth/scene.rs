//! What is seen of the keep: its floor, who walks there, the light, and signs over it.

pub mod camera;
pub mod figures;
pub mod ground;
pub mod light;
pub mod rings;
pub mod sheet;

use bevy::prelude::*;

pub fn plugin(app: &mut App) {
    app.add_plugins((
        camera::plugin,
        figures::plugin,
        ground::plugin,
        light::plugin,
        rings::plugin,
        sheet::plugin,
    ));
}
