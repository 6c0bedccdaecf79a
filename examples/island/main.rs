//! An island to fly over and walk on, tuned while it is looked at.
//!
//! ```text
//! cargo run --release --example island
//! cargo run --release --example island -- --help
//! ```
//!
//! - `design` is what the panel tunes: it becomes a recipe, and the recipe a terrain.
//! - `sky` is the time of day: sun, moon, clouds, fog and the light that the water mirrors.
//! - `fly` and `walk` are the two ways to move; Tab changes between them.
//! - `panel` is the panel; `shield` keeps the panel's mouse and keys from the camera.
//! - `snapshot` saves a picture at F12; `help` is the line at the bottom.

mod args;
mod design;
mod fly;
mod help;
mod panel;
mod shield;
mod sky;
mod snapshot;
mod view;
mod walk;

use bevy::{
    camera::Hdr, camera_controller::free_camera::FreeCameraPlugin,
    core_pipeline::tonemapping::Tonemapping, post_process::bloom::Bloom, prelude::*,
};
use bevy_egui::EguiPlugin;
use bevy_rapier3d::prelude::{NoUserData, RapierPhysicsPlugin};
use lanternfell::prelude::*;

use crate::args::IslandArgs;

fn main() -> AppExit {
    let args = IslandArgs::from_env();
    App::new()
        .add_plugins((
            args.headless.plugins(DefaultPlugins.set(WindowPlugin {
                primary_window: Some(Window {
                    title: "Lanternfell: island".into(),
                    ..default()
                }),
                ..default()
            })),
            EguiPlugin::default(),
            FreeCameraPlugin,
            RapierPhysicsPlugin::<NoUserData>::default(),
            TerrainPlugin,
        ))
        .add_plugins((
            design::plugin,
            fly::plugin,
            help::plugin,
            panel::plugin,
            shield::plugin,
            sky::plugin,
            snapshot::plugin,
            view::plugin,
            walk::plugin,
        ))
        .insert_resource(args.design())
        .insert_resource(args.time_of_day())
        .insert_resource(panel::PanelShown(!args.bare))
        .insert_resource(help::HelpShown(!args.bare))
        .insert_resource(args.view)
        .init_state::<Motion>()
        .add_systems(Startup, spawn_camera)
        .run()
}

/// How the player moves.
#[derive(States, Debug, Default, Clone, Copy, PartialEq, Eq, Hash)]
enum Motion {
    /// Freely through the air, with Bevy's own camera.
    #[default]
    Fly,
    /// On the ground, with gravity.
    Walk,
}

/// The one camera.
#[derive(Component)]
struct Eye;

fn spawn_camera(mut commands: Commands) {
    commands.spawn((
        Eye,
        Camera3d::default(),
        IsDefaultUiCamera,
        Hdr,
        Tonemapping::AcesFitted,
        Bloom::NATURAL,
        Msaa::Sample4,
        Projection::from(PerspectiveProjection {
            fov: 60_f32.to_radians(),
            // As far as the sky's dome; only what lies beyond is culled.
            far: sky::DOME_RADIUS * 1.5,
            ..default()
        }),
        fly::controller(),
        sky::fog(),
        Transform::default(),
    ));
}
