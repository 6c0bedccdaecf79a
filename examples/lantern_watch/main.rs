//! A stealth game on a terrain: at night, a guard with a lantern searches an island for you.
//!
//! The guard sees you only in the light. Hills, trunks and rocks cast shadows, so stay in them. Press W and S to walk,
//! A and D to turn, and F to light your own torch.

mod figure;
mod guard;
#[cfg(test)]
mod tests;
mod walker;

use bevy::prelude::*;
use lanternfell::{headless::ScreenshotSystems, heightmap::Scale, prelude::*};

use guard::Guard;
use walker::Walker;

/// Side of the island in meters, and of the light grid in cells: one cell per square meter.
const SIDE: u32 = 256;

fn main() -> AppExit {
    App::new()
        .add_plugins(DefaultPlugins.or_headless())
        .add_plugins((TerrainPlugins, TorchlightPlugin::default()))
        // New moon, an hour before midnight.
        .insert_resource(TimeOfDay {
            hour: 23.0,
            day: 94.0,
            ..default()
        })
        .add_systems(Startup, (spawn_island, spawn_caption))
        .add_observer(guard::take_post)
        .add_observer(walker::come_ashore)
        .add_systems(
            Update,
            (
                walker::walk,
                walker::light_torch,
                guard::watch,
                walker::follow,
                caption,
                figure::show_light,
            )
                .chain(),
        )
        .configure_sets(Last, ScreenshotSystems.run_if(is_lit))
        .run()
}

/// Exposure of the displayed light, twice the default.
const EXPOSURE: f32 = 2.0;

/// Spawns the terrain with its vegetation, and the light map.
fn spawn_island(mut commands: Commands) -> Result {
    let hills = Hills {
        island: true,
        count: 150,
        radius_max: 42.0,
        ..default()
    };
    let size = MapSize::new(257, 257)?;
    let scale = Scale {
        spacing: 1.0,
        relief: 30.0,
    };
    let forest = Vegetation {
        distance: 260.0,
        detail: 0.6,
        ..default()
    };
    let island = Terrain::new(Recipe::new(size, 5, hills)).with_scale(scale);
    let island = commands.spawn((island, forest)).id();

    let settings = LightSettings {
        // Only direct light, which hills block.
        direct: 1.0,
        falloff: Falloff::Radius(24.0),
        ..default()
    };
    let map = TorchlightMap::new(LightGrid::new(SIDE, SIDE, settings)?).with_plane(LightPlane::Xz);
    // A higher exposure looks as if the eyes had adapted to the dark.
    let display = LightDisplay {
        exposure: EXPOSURE,
        ..default()
    };
    commands.spawn((map, LightFlow::SETTLED, display, TerrainTorchlight(island)));
    Ok(())
}

/// The caption at the top: the guard's state, the player's light, and the keys.
#[derive(Component)]
struct Caption;

fn spawn_caption(mut commands: Commands) {
    let place = Node {
        position_type: PositionType::Absolute,
        left: px(12),
        top: px(10),
        ..default()
    };
    commands.spawn((
        Caption,
        Text::default(),
        TextFont::from_font_size(16.0),
        TextColor(Color::srgb(0.92, 0.86, 0.74)),
        place,
    ));
}

fn caption(
    guards: Query<&Guard>,
    walkers: Query<&LightLevel, With<Walker>>,
    mut captions: Query<&mut Text, With<Caption>>,
) {
    let (Ok(guard), Ok(level)) = (guards.single(), walkers.single()) else {
        return;
    };
    let lit = match level.luminance {
        light if light >= guard::SEEN_FROM => "you are in the light",
        0.01.. => "you are in half-light",
        _ => "you are in the dark",
    };
    let line = format!(
        "{}; {lit}\nW S walk, A D turn, F lights your torch",
        guard.says()
    );
    for mut text in &mut captions {
        if text.0 != line {
            text.0.clone_from(&line);
        }
    }
}

/// Delays a screenshot until the lantern's light has been computed.
fn is_lit(guards: Query<&LightLevel, With<Guard>>) -> bool {
    !guards.is_empty() && guards.iter().all(|level| level.luminance > 0.1)
}
