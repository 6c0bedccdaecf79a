//! Creatures that walk around lakes and cliffs. Their navigation meshes are built from the rendered triangles.
//!
//! ```text
//! cargo run --release -p lanternfell_terrain --example navigation
//! ```
//!
//! - `bake` passes the triangles of the terrain to `bevy_rerecast`, which builds a mesh for each tile in the
//!   background.
//! - `network` joins the tiles and finds paths over them; `funnel` shortens a path.
//! - `creatures` choose destinations and walk there; `trail` shows their paths.

mod bake;
mod creatures;
mod funnel;
mod network;
mod trail;

use bevy::{
    camera_controller::free_camera::{FreeCamera, FreeCameraPlugin},
    prelude::*,
};
use lanternfell_headless::{OrHeadless, ScreenshotSystems};
use lanternfell_sky::prelude::*;
use lanternfell_terrain::prelude::*;

use crate::{bake::Baking, network::Network};

fn main() -> AppExit {
    App::new()
        .add_plugins((DefaultPlugins.or_headless(), FreeCameraPlugin))
        .add_plugins((TerrainPlugin, SkyPlugin))
        .add_plugins((bake::plugin, creatures::plugin))
        .add_systems(Startup, setup)
        .add_systems(Update, (change_land, say))
        // Screenshots wait until all tiles are baked.
        .configure_sets(
            Last,
            ScreenshotSystems.run_if(|baking: Res<Baking>| baking.left() == 0),
        )
        .run()
}

/// The text that shows the keys and the progress.
#[derive(Component)]
struct Line;

fn setup(mut commands: Commands) -> Result {
    let green = TerrainLayers::temperate(&LayerZones {
        snow_line: 2.0,
        ..default()
    });
    commands.spawn((Terrain::new(land(1)?), green));
    commands.spawn((
        Camera3d::default(),
        FreeCamera::default(),
        SkyFog::default(),
        Transform::from_xyz(-46.0, 38.0, 78.0).looking_at(Vec3::new(0.0, 4.0, 12.0), Vec3::Y),
    ));
    let place = Node {
        margin: UiRect::all(px(12)),
        ..default()
    };
    commands.spawn((Line, Text::default(), TextFont::from_font_size(14.0), place));
    Ok(())
}

/// An island with lakes and cliffs.
fn land(seed: u64) -> Result<Recipe> {
    let recipe = Recipe::from_ron(include_str!("island.ron"))?;
    Ok(Recipe { seed, ..recipe })
}

/// The R key generates another island.
fn change_land(keys: Res<ButtonInput<KeyCode>>, mut terrain: Single<&mut Terrain>) {
    if keys.just_pressed(KeyCode::KeyR)
        && let Some(recipe) = terrain.recipe_mut()
    {
        recipe.seed += 1;
    }
}

fn say(baking: Res<Baking>, network: Res<Network>, mut line: Single<&mut Text, With<Line>>) {
    let tiles = match baking.left() {
        0 => String::new(),
        left => format!("   {left} of {} tiles to bake", left + network.tiles()),
    };
    line.set_if_neq(Text(format!(
        "WASD: fly   right mouse button: look   R: new island{tiles}"
    )));
}
