//! Lets the screenshot wait for terrain, which is built in the background.

use bevy::prelude::*;
use lanternfell_files::usage::print_error;
use lanternfell_terrain::{DrawnDetail, LayerTextures, Terrain, TerrainFailed, TerrainProgress};

use crate::systems::ScreenshotSystems;

pub(crate) fn plugin(app: &mut App) {
    let complete = not(any_with_component::<TerrainProgress>);
    let textured =
        |textures: Option<Res<LayerTextures>>| textures.is_none_or(|all| all.are_ready());
    let complete = complete.and_then(textured).and_then(is_refined);
    app.configure_sets(Last, ScreenshotSystems.run_if(complete))
        .add_observer(give_up);
}

/// Whether the whole terrain is drawn at the level of detail that the cameras need.
fn is_refined(terrains: Query<Option<&DrawnDetail>, With<Terrain>>) -> bool {
    let mut drawn = terrains.iter();
    drawn.all(|drawn| drawn.is_some_and(|drawn| !drawn.refining))
}

/// Exits with an error, because a screenshot without the terrain could be mistaken for a good one.
fn give_up(failed: On<TerrainFailed>, mut exit: MessageWriter<AppExit>) {
    print_error(&failed.error.to_string());
    exit.write(AppExit::error());
}
