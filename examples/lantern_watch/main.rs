//! A guard with a lantern looks for you, by night, on an island with hills and trees: whom its light does not fall on he
//! does not see.
//!
//! W and S walk, A and D turn, F lights your own torch. Hills, trunks and rocks throw shadows: stay in them.

mod figure;
mod guard;
#[cfg(test)]
mod tests;
mod walker;

use bevy::prelude::*;
use lanternfell::{headless::PictureSystems, prelude::*};

use guard::Guard;
use walker::Walker;

/// Metres along a side of the island, and cells of the light: one for each square metre.
const SIDE: u32 = 256;

fn main() -> AppExit {
    App::new()
        .add_plugins(DefaultPlugins.or_headless())
        .add_plugins((TerrainPlugin, VegetationPlugin, SkyPlugin, OutdoorsPlugin))
        .add_plugins((TorchlightPlugin::default(), LightOverLandPlugin))
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
        .configure_sets(Last, PictureSystems.run_if(is_lit))
        .run()
}

/// How much brighter than usual light is shown.
const EXPOSURE: f32 = 2.0;

/// The island, what grows on it, and the light over it.
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
        // All in straight lines: so hills hide it.
        direct: 1.0,
        falloff: Falloff::Radius(24.0),
        ..default()
    };
    let map = LightMap::new(LightGrid::new(SIDE, SIDE, settings)?).with_plane(LightPlane::Xz);
    // As to eyes that are used to the dark.
    let display = LightDisplay {
        exposure: EXPOSURE,
        ..default()
    };
    commands.spawn((map, LightFlow::SETTLED, display, LightOverLand(island)));
    Ok(())
}

/// The line that tells what there is to know.
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
        light if light >= guard::SEEN_FROM => "you stand in the light",
        0.01.. => "you are a shadow in the twilight",
        _ => "the dark hides you",
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

/// A picture without the lantern's light would pass for a good one.
fn is_lit(guards: Query<&LightLevel, With<Guard>>) -> bool {
    !guards.is_empty() && guards.iter().all(|level| level.luminance > 0.1)
}
