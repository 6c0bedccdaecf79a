//! The scene by `lanternfell_torchlight`, as its README shows it: a grid over all of the map, and finer cells on screen.
//!
//! Light falls to 1/64 at the reach that everybody has, for it is a matter of the map's falloff and of the lamp's strength.

use bevy::prelude::*;
use lanternfell_torchlight::prelude::*;

use crate::{
    map::Map,
    scene::{CELL, DARKNESS, FLAME, Lamp, WARM},
};

/// By these two a lamp is as bright as its neighbors' in the middle, and falls to 1/64 at 12 cells.
const FALLOFF: f32 = 10.0;
const STRENGTH: f32 = 1.86;

pub fn plugin(app: &mut App) {
    app.add_plugins(TorchlightPlugin::default())
        .add_systems(Startup, (lay_map, light_lamps));
}

fn lay_map(map: Res<Map>, mut commands: Commands) -> Result {
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
    let map = LightMap::new(grid).with_cell_size(CELL);
    commands.spawn((map, LightDetail::default(), display));
    Ok(())
}

fn light_lamps(lamps: Query<Entity, With<Lamp>>, mut commands: Commands) {
    for lamp in &lamps {
        let source = LightSource::new(WARM).with_strength(STRENGTH);
        commands.entity(lamp).insert(source.with_radius(FLAME));
    }
}

/// How old the light is that is shown, in seconds of the game; none without a map.
pub fn age(world: &mut World) -> Option<f32> {
    let mut maps = world.query::<&LightMap>();
    let map = maps.single(world).ok()?;
    Some(map.age().as_secs_f32())
}
