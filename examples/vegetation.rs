//! Trees, bushes, grass and stones on an island. The terrain and a seed determine where they grow.
//!
//! Fly through the forest with the camera. Press Space to regrow it with another seed.

use bevy::{
    camera_controller::free_camera::{FreeCamera, FreeCameraPlugin},
    light::CascadeShadowConfigBuilder,
    prelude::*,
};
use lanternfell::prelude::*;

const HAZE: Color = Color::srgb(0.70, 0.80, 0.88);

fn main() -> AppExit {
    App::new()
        .add_plugins((DefaultPlugins.or_headless(), FreeCameraPlugin))
        .add_plugins((TerrainPlugin, VegetationPlugin))
        .insert_resource(ClearColor(HAZE))
        .insert_resource(Wind {
            speed: 6.0,
            ..default()
        })
        .add_systems(Startup, setup)
        .add_systems(Update, change_seed)
        .run()
}

fn setup(mut commands: Commands) {
    let hills = Hills {
        island: true,
        count: 260,
        radius_max: 70.0,
        ..default()
    };
    let recipe = Recipe::new(MapSize::new(513, 513).expect("513x513 is valid"), 12, hills);
    // A path from the beach into the hills, on which nothing grows.
    let points = vec![[-40.0, 210.0], [-10.0, 150.0], [20.0, 90.0], [0.0, 20.0]];
    let vegetation = Vegetation {
        exclusions: vec![Exclusion::Path { points, width: 3.0 }],
        ..default()
    };
    commands.spawn((Terrain::new(recipe), vegetation));
    commands.spawn((
        DirectionalLight {
            illuminance: 9000.0,
            shadow_maps_enabled: true,
            ..default()
        },
        CascadeShadowConfigBuilder {
            maximum_distance: 140.0,
            ..default()
        }
        .build(),
        Transform::from_xyz(-2.0, 2.2, 1.4).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    commands.spawn((
        Camera3d::default(),
        FreeCamera::default(),
        // Grass bends away from this entity.
        GrassPresser::default(),
        AmbientLight {
            brightness: 500.0,
            ..default()
        },
        DistanceFog {
            color: HAZE,
            falloff: FogFalloff::from_visibility_color(1400.0, HAZE),
            ..default()
        },
        Transform::from_xyz(-40.0, 34.0, 190.0).looking_at(Vec3::new(20.0, 14.0, 60.0), Vec3::Y),
    ));
}

fn change_seed(keys: Res<ButtonInput<KeyCode>>, mut forests: Query<&mut Vegetation>) {
    if keys.just_pressed(KeyCode::Space) {
        for mut forest in &mut forests {
            forest.seed += 1;
        }
    }
}
