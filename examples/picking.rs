//! Pick points on a terrain: a ring follows the pointer, and a click plants a tree.

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
        .add_plugins((FreeCameraPlugin, TerrainPlugin))
        .insert_resource(ClearColor(Color::srgb(0.66, 0.78, 0.88)))
        .add_systems(Startup, setup)
        .add_observer(plant_first)
        .run()
}

/// Marks the point under the pointer.
#[derive(Component)]
struct Ring;

#[derive(Resource)]
struct Tree {
    trunk: Handle<Mesh>,
    crown: Handle<Mesh>,
    bark: Handle<StandardMaterial>,
    leaves: Handle<StandardMaterial>,
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
        .spawn(Terrain::new(Recipe::new(MapSize::default(), 21, hills)))
        .observe(move_ring)
        .observe(plant);
    commands.insert_resource(Tree {
        trunk: meshes.add(Cylinder::new(0.25, 2.0)),
        crown: meshes.add(Cone::new(1.6, 4.6)),
        bark: materials.add(Color::srgb(0.30, 0.20, 0.13)),
        leaves: materials.add(Color::srgb(0.10, 0.26, 0.12)),
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
        DirectionalLight::default(),
        Transform::from_xyz(2.0, 3.0, 1.0).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    commands.spawn((
        Camera3d::default(),
        FreeCamera::default(),
        Transform::from_xyz(-70.0, 50.0, 100.0).looking_at(Vec3::Y * 8.0, Vec3::Y),
    ));
    commands.spawn((
        Text::new("click on the terrain to plant a tree"),
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

fn plant(click: On<Pointer<Click>>, mut commands: Commands, tree: Res<Tree>) {
    if let Some(point) = click.hit.position {
        spawn_tree(&mut commands, &tree, point);
    }
}

fn spawn_tree(commands: &mut Commands, tree: &Tree, at: Vec3) {
    commands.spawn((
        Mesh3d(tree.trunk.clone()),
        MeshMaterial3d(tree.bark.clone()),
        // The trunk starts 20 cm below the surface, so that there is no gap on slopes.
        Transform::from_translation(at + 0.8 * Vec3::Y),
        children![(
            Mesh3d(tree.crown.clone()),
            MeshMaterial3d(tree.leaves.clone()),
            Transform::from_xyz(0.0, 2.8, 0.0),
        )],
    ));
}

/// Plants the first trees: casts rays down, and keeps the hits on dry and level terrain.
fn plant_first(
    ready: On<TerrainReady>,
    terrains: TerrainQuery,
    mut commands: Commands,
    tree: Res<Tree>,
) {
    for number in 0..900 {
        let turn = number as f32 * 2.399_963;
        let way = 4.0 * (number as f32).sqrt();
        let above = Vec3::new(way * turn.cos(), 500.0, way * turn.sin());
        let Some(hit) = terrains.cast_ray(Ray3d::new(above, Dir3::NEG_Y), 1000.0) else {
            continue;
        };
        let is_dry = terrains.water_depth(hit.point) == Some(0.0);
        if hit.terrain == ready.entity && is_dry && hit.point.y > 3.0 && hit.normal.y > 0.93 {
            spawn_tree(&mut commands, &tree, hit.point);
        }
    }
}
