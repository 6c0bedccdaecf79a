//! The scene with `bevy_firefly`: a rectangle for each block of walls, and soft shadows by the size of a lamp's core.

use bevy::prelude::*;
use bevy_firefly::prelude::*;

use crate::{
    map::Map,
    scene::{CELL, DARKNESS, FLAME, Lamp, OCCLUDER_Z, REACH, WARM, lie, within_reach},
};

/// Chosen to match our falloff approximately.
const INTENSITY: f32 = 0.95;
const FALLOFF: f32 = 18.0;

pub fn plugin(app: &mut App) {
    app.add_plugins(FireflyPlugin)
        .add_systems(Startup, (set_camera, block_light, light_lamps));
}

/// Walls are above their occluders, so that they are lit themselves.
fn set_camera(cameras: Query<Entity, With<Camera2d>>, mut commands: Commands) {
    for camera in &cameras {
        commands.entity(camera).insert(FireflyConfig {
            ambient_brightness: DARKNESS,
            soft_shadows: true,
            z_sorting: true,
            ..default()
        });
    }
}

fn block_light(map: Res<Map>, mut commands: Commands) {
    for block in map.blocks() {
        let (middle, size) = lie(&map, block);
        let at = Transform::from_translation(middle.extend(OCCLUDER_Z));
        commands.spawn((Occluder2d::rectangle(size.x, size.y), at));
    }
}

fn light_lamps(lamps: Query<Entity, With<Lamp>>, mut commands: Commands) {
    for lamp in &lamps {
        let light = PointLight2d {
            color: WARM,
            intensity: INTENSITY,
            radius: REACH * CELL,
            falloff: Falloff::InverseSquare { intensity: FALLOFF },
            core: LightCore::from_radius_boost(FLAME * CELL, 0.0),
            ..default()
        };
        commands.entity(lamp).insert((light, within_reach()));
    }
}
