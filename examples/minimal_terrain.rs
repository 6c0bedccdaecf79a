//! The shortest complete app: an island in the sea, and a camera to fly around it.

use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraPlugin};
use bevy::prelude::*;
use lanternfell::prelude::*;

fn main() -> AppExit {
    App::new()
        .add_plugins((DefaultPlugins.or_headless(), FreeCameraPlugin))
        .add_plugins(TerrainPlugin)
        .insert_resource(ClearColor(Color::srgb(0.66, 0.78, 0.88)))
        .add_systems(Startup, setup)
        .run()
}

fn setup(mut commands: Commands) {
    let hills = Hills {
        island: true,
        ..default()
    };
    commands.spawn(Terrain::new(Recipe::new(MapSize::default(), 7, hills)));
    commands.spawn((
        DirectionalLight::default(),
        Transform::from_xyz(2.0, 3.0, 1.0).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    commands.spawn((
        Camera3d::default(),
        FreeCamera::default(),
        Transform::from_xyz(-120.0, 70.0, 160.0).looking_at(Vec3::Y * 5.0, Vec3::Y),
    ));
}
