//! Terrain is made in the background: the picture waits for it, and is not taken without it.

use bevy::prelude::*;
use lanternfell_files::usage::say_wrong;
use lanternfell_terrain::{DrawnDetail, Generating, LayerTextures, Terrain, TerrainFailed};

use crate::systems::PictureSystems;

pub(crate) fn plugin(app: &mut App) {
    let complete = not(any_with_component::<Generating>);
    let textured =
        |textures: Option<Res<LayerTextures>>| textures.is_none_or(|all| all.are_ready());
    let complete = complete.and_then(textured).and_then(is_refined);
    app.configure_sets(Last, PictureSystems.run_if(complete))
        .add_observer(give_up);
}

/// Whether all land is drawn as fine as the cameras need it where they are now.
fn is_refined(terrains: Query<Option<&DrawnDetail>, With<Terrain>>) -> bool {
    let mut drawn = terrains.iter();
    drawn.all(|drawn| drawn.is_some_and(|drawn| !drawn.refining))
}

/// A picture without its land would pass for a good one.
fn give_up(failed: On<TerrainFailed>, mut exit: MessageWriter<AppExit>) {
    say_wrong(&failed.error.to_string());
    exit.write(AppExit::error());
}
