//! Draws the keep: terrain, figures, light, and signs.

pub mod afterglow;
pub mod barks;
pub mod camera;
pub mod cones;
pub mod figures;
mod gloom;
pub mod ground;
pub mod light;
pub mod particles;
pub mod rings;
pub mod shake;
pub mod sheet;
mod veil;

use bevy::prelude::*;

pub fn plugin(app: &mut App) {
    app.add_plugins((
        barks::plugin,
        camera::plugin,
        cones::plugin,
        figures::plugin,
        ground::plugin,
        light::plugin,
        particles::plugin,
        rings::plugin,
        shake::plugin,
        sheet::plugin,
    ));
}
