//! Pick points on a terrain: a ring follows the pointer, and a click plants a flag.

use bevy::{
    camera_controller::free_camera::{FreeCamera, FreeCameraPlugin},
    light::NotShadowCaster,
    prelude::*,
};
use bevy_picking::{
    DefaultPickingPlugins,
    events::{Click, Move, Pointer},
};
use lanternfell::prelude::*;

fn main() -> AppExit {
    App::new()
        .add_plugins((DefaultPlugins.or_headless(), DefaultPickingPlugins))
        // The feature `picking` of `TerrainPlugin` adds the picking backend.
        .add_plugins((FreeCameraPlugin, TerrainPlugins))
        .add_systems(Startup, setup)
        .add_observer(plant_first)
        .run()
}

/// Marks the point under the pointer.
#[derive(Component)]
struct Ring;

#[derive(Resource)]
struct Flag {
    pole: Handle<Mesh>,
    cloth: Handle<Mesh>,
    wood: Handle<StandardMaterial>,
    red: Handle<StandardMaterial>,
}

fn setup(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let hills = Hills {
        island: true,
        ..default()
    };
    commands
        .spawn((
            Terrain::new(Recipe::new(MapSize::default(), 21, hills)),
            Vegetation::default(),
        ))
        .observe(move_ring)
        .observe(plant);
    commands.insert_resource(Flag {
        pole: meshes.add(Cylinder::new(0.15, POLE)),
        cloth: meshes.add(Cuboid::new(4.0, 2.4, 0.1)),
        wood: materials.add(Color::srgb(0.45, 0.33, 0.22)),
        red: materials.add(Color::srgb(0.75, 0.08, 0.06)),
    });
    commands.spawn((
        Ring,
        Mesh3d(meshes.add(Torus::new(1.6, 2.0))),
        MeshMaterial3d(materials.add(StandardMaterial {
            base_color: Color::srgb(1.0, 0.85, 0.25),
            unlit: true,
            ..default()
        })),
        NotShadowCaster,
        Visibility::Hidden,
    ));
    commands.spawn((
        Camera3d::default(),
        FreeCamera::default(),
        SkyFog::default(),
        Transform::from_xyz(-55.0, 40.0, 85.0).looking_at(Vec3::Y * 10.0, Vec3::Y),
    ));
    commands.spawn((
        Text::new("click on the terrain to plant a flag"),
        Node {
            margin: UiRect::all(px(12)),
            ..default()
        },
    ));
}

/// Moves the ring to the point under the pointer, and aligns it with the slope.
fn move_ring(
    pointer: On<Pointer<Move>>,
    mut rings: Query<(&mut Transform, &mut Visibility), With<Ring>>,
) {
    let (Some(point), Some(normal)) = (pointer.hit.position, pointer.hit.normal) else {
        return;
    };
    for (mut transform, mut visibility) in &mut rings {
        *visibility = Visibility::Visible;
        transform.translation = point;
        transform.rotation = Quat::from_rotation_arc(Vec3::Y, normal);
    }
}

fn plant(click: On<Pointer<Click>>, mut commands: Commands, flag: Res<Flag>) {
    if let Some(point) = click.hit.position {
        spawn_flag(&mut commands, &flag, point);
    }
}

/// The length of a pole in meters.
const POLE: f32 = 9.0;

fn spawn_flag(commands: &mut Commands, flag: &Flag, at: Vec3) {
    commands.spawn((
        Mesh3d(flag.pole.clone()),
        MeshMaterial3d(flag.wood.clone()),
        // The pole starts 20 cm below the surface, so that there is no gap on slopes.
        Transform::from_translation(at + (POLE / 2.0 - 0.2) * Vec3::Y),
        children![(
            Mesh3d(flag.cloth.clone()),
            MeshMaterial3d(flag.red.clone()),
            Transform::from_xyz(2.1, POLE / 2.0 - 1.3, 0.0),
        )],
    ));
}

/// Plants the first flags: casts rays down, and keeps the hits on dry and level terrain.
fn plant_first(
    ready: On<TerrainReady>,
    terrains: TerrainQuery,
    mut commands: Commands,
    flag: Res<Flag>,
) {
    for number in 1..9 {
        let turn = number as f32 * 2.399_963;
        let way = 20.0 * (number as f32).sqrt();
        let above = Vec3::new(way * turn.cos(), 500.0, way * turn.sin());
        let Some(hit) = terrains.cast_ray(Ray3d::new(above, Dir3::NEG_Y), 1000.0) else {
            continue;
        };
        let is_dry = terrains.water_depth(hit.point) == Some(0.0);
        if hit.terrain == ready.entity && is_dry && hit.normal.y > 0.8 {
            spawn_flag(&mut commands, &flag, hit.point);
        }
    }
}
