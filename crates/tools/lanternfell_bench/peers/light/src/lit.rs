//! The scene with `bevy_lit`: one mesh of all walls blocks light, and shadows are ray marched in screen space.

use bevy::{
    asset::RenderAssetUsages,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};
use bevy_lit::prelude::*;

use crate::{
    map::Map,
    scene::{CELL, DARKNESS, Lamp, REACH, WARM, lie, within_reach},
};

/// Chosen to match our falloff approximately.
const INTENSITY: f32 = 0.95;
const FALLOFF: f32 = 18.0;

pub fn plugin(app: &mut App) {
    app.add_plugins(Lighting2dPlugin)
        .add_systems(Startup, (set_camera, block_light, light_lamps));
}

fn set_camera(cameras: Query<Entity, With<Camera2d>>, mut commands: Commands) {
    let settings = Lighting2dSettings {
        raymarch: RaymarchSettings {
            sharpness: 10.0,
            ..default()
        },
        penetration: PenetrationSettings {
            max: CELL,
            intensity: 1.0,
            falloff: 1.0,
            ..default()
        },
        blur: 4,
        ..default()
    };
    let darkness = AmbientLight2d {
        color: Color::WHITE,
        intensity: DARKNESS,
    };
    for camera in &cameras {
        commands
            .entity(camera)
            .insert((settings.clone(), darkness.clone()));
    }
}

fn block_light(map: Res<Map>, mut meshes: ResMut<Assets<Mesh>>, mut commands: Commands) {
    let mesh = meshes.add(all_walls(&map));
    commands.spawn((Mesh2d(mesh), LightOccluder2d::default()));
}

/// A rectangle for each block.
fn all_walls(map: &Map) -> Mesh {
    let (mut places, mut corners) = (Vec::new(), Vec::new());
    for block in map.blocks() {
        let (middle, size) = lie(map, block);
        let first = places.len() as u32;
        let around = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
        places.extend(around.map(|corner| (middle + size * Vec2::from(corner)).extend(0.0)));
        corners.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
    }
    let textured = vec![Vec2::ZERO; places.len()];
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, vec![Vec3::Z; places.len()])
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, places)
    .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, textured)
    .with_inserted_indices(Indices::U32(corners))
}

fn light_lamps(lamps: Query<Entity, With<Lamp>>, mut commands: Commands) {
    for lamp in &lamps {
        let light = PointLight2d {
            color: WARM,
            intensity: INTENSITY,
            outer_radius: REACH * CELL,
            falloff: FALLOFF,
            ..default()
        };
        commands.entity(lamp).insert((light, within_reach()));
    }
}
