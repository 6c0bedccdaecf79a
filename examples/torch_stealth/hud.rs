//! How things stand, and what happened, in words and bars around the picture.

pub mod journal;
pub mod page;
pub mod panel;
pub mod status;

use bevy::prelude::*;

pub fn plugin(app: &mut App) {
    app.add_plugins((
        journal::plugin,
        page::plugin,
        status::plugin,
    ));
}
