//! Time of day and weather over an island.
//!
//! | key | action |
//! |---|---|
//! | T | start or stop the clock |
//! | Q, E | turn the clock back, forward |
//! | Space | next weather |
//! | F | keep the torch lit by day, or light it at night only |

use bevy::{
    camera_controller::free_camera::{FreeCamera, FreeCameraPlugin},
    light::CascadeShadowConfigBuilder,
    prelude::*,
};
use lanternfell::prelude::*;

fn main() -> AppExit {
    App::new()
        .add_plugins((DefaultPlugins.or_headless(), FreeCameraPlugin))
        .add_plugins((TerrainPlugin, SkyPlugin, OutdoorsPlugin))
        .add_systems(Startup, setup)
        .add_systems(Update, (turn_the_clock, change_weather, light_torch))
        .run()
}

fn setup(mut commands: Commands) {
    let hills = Hills {
        island: true,
        count: 260,
        radius_max: 70.0,
        ..default()
    };
    let size = MapSize::new(513, 513).expect("513x513 is a valid map size");
    commands.spawn((
        Terrain::new(Recipe::new(size, 12, hills)),
        WindWaves::default(),
    ));
    // The default cascades are too short for the shadows of hills and clouds.
    let shadows = CascadeShadowConfigBuilder {
        maximum_distance: 700.0,
        ..default()
    };
    commands.spawn((CelestialLight, shadows.build()));
    commands.spawn((
        Camera3d::default(),
        FreeCamera::default(),
        SkyFog::default(),
        HandTorch::default(),
        Transform::from_xyz(-40.0, 22.0, 190.0).looking_at(Vec3::new(20.0, 24.0, 60.0), Vec3::Y),
    ));
}

fn turn_the_clock(keys: Res<ButtonInput<KeyCode>>, time: Res<Time>, mut day: ResMut<TimeOfDay>) {
    if keys.just_pressed(KeyCode::KeyT) {
        day.is_running = !day.is_running;
    }
    for (key, hours) in [(KeyCode::KeyQ, -2.0), (KeyCode::KeyE, 2.0)] {
        if keys.pressed(key) {
            day.hour += hours * time.delta_secs();
        }
    }
}

fn change_weather(
    keys: Res<ButtonInput<KeyCode>>,
    mut weather: ResMut<Weather>,
    mut next: Local<usize>,
) {
    if keys.just_pressed(KeyCode::Space) {
        let (name, preset) = Weather::PRESETS[*next % Weather::PRESETS.len()];
        info!("{name}");
        *weather = preset;
        *next += 1;
    }
}

fn light_torch(keys: Res<ButtonInput<KeyCode>>, mut torches: Query<&mut HandTorch>) {
    for mut torch in &mut torches {
        if keys.just_pressed(KeyCode::KeyF) {
            torch.mode = match torch.mode {
                TorchMode::On => TorchMode::AtNight,
                TorchMode::AtNight | TorchMode::Off => TorchMode::On,
            };
        }
    }
}
