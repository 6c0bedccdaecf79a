//! Terrain is made in the background: the picture waits for it, and is not taken without it.

use bevy::prelude::*;
use lanternfell_terrain::{Generating, TerrainFailed};
use lanternfell_usage::say_wrong;

use crate::picture::PictureSystems;

pub(crate) fn plugin(app: &mut App) {
    let complete = not(any_with_component::<Generating>);
    app.configure_sets(Last, PictureSystems.run_if(complete))
        .add_observer(give_up);
}

/// A picture without its land would pass for a good one.
fn give_up(failed: On<TerrainFailed>, mut exit: MessageWriter<AppExit>) {
    say_wrong(&failed.error.to_string());
    exit.write(AppExit::error());
}
