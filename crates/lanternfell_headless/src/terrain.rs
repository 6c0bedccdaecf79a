//! Terrain is made in the background: the picture waits for it, and is not taken without it.

use bevy::prelude::*;
use lanternfell_terrain::{Generating, TerrainFailed};

use crate::{eprint_line, picture::PictureSystems};

pub(crate) fn plugin(app: &mut App) {
    let complete = not(any_with_component::<Generating>);
    app.configure_sets(Last, PictureSystems.run_if(complete))
        .add_observer(give_up);
}

/// A picture without its land would pass for a good one.
fn give_up(failed: On<TerrainFailed>, mut exit: MessageWriter<AppExit>) {
    eprint_line(&format!("error: {}", failed.error));
    exit.write(AppExit::error());
}
