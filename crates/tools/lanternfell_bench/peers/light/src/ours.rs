//! The scene with `lanternfell_torchlight`, as in its README: a grid over the whole map, and a higher resolution on
//! screen.
//!
//! The falloff of the map and the strength of the lamps are chosen such that light falls to 1/64 at the common reach.

use bevy::prelude::*;
use lanternfell_torchlight::prelude::*;

use crate::{
    map::Map,
    scene::{CELL, DARKNESS, FLAME, Lamp, WARM},
};

/// Chosen such that a lamp is as bright as those of the other crates near its center, and falls to 1/64 at 12 cells.
const FALLOFF: f32 = 10.0;
const STRENGTH: f32 = 1.86;

pub fn plugin(app: &mut App) {
    app.add_plugins(TorchlightPlugin::default())
        .add_systems(Startup, (spawn_map, light_lamps));
}

fn spawn_map(map: Res<Map>, mut commands: Commands) -> Result {
    let settings = LightSettings {
        falloff: Falloff::Radius(FALLOFF),
        ..default()
    };
    let mut grid = LightGrid::new(map.side, map.side, settings)?;
    grid.fill(|cell| match map.is_wall(cell) {
        true => Cell::WALL,
        false => Cell::OPEN,
    })?;
    let display = LightDisplay {
        floor: Color::linear_rgb(DARKNESS, DARKNESS, DARKNESS),
        ..default()
    };
    let map = TorchlightMap::new(grid).with_cell_size(CELL);
    commands.spawn((map, SoftShadows::default(), display));
    Ok(())
}

fn light_lamps(lamps: Query<Entity, With<Lamp>>, mut commands: Commands) {
    for lamp in &lamps {
        let source = LightSource::new(WARM).with_strength(STRENGTH);
        commands.entity(lamp).insert(source.with_radius(FLAME));
    }
}

/// The age of the visible light, in seconds of game time. `None` without a map.
pub fn age(world: &mut World) -> Option<f32> {
    let mut maps = world.query::<&TorchlightStatus>();
    let status = maps.single(world).ok()?;
    Some(status.age().as_secs_f32())
}
