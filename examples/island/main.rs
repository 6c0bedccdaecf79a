//! An island, or any other ground, to fly over and walk on, tuned while it is looked at.
//!
//! ```text
//! cargo run --release --example island
//! cargo run --release --example island -- --preset volcano
//! cargo run --release --example island -- --help
//! ```
//!
//! - `ground` is what the land is made of, chosen and tuned: an island by a generator, which `design`
//!   makes look good, a preset or a file. `folder` has the files that are offered, and `drop` takes what
//!   is dragged onto the window. `resize` makes the same land of other cells, `save` keeps its recipe.
//! - `panel` is the panel, with its `chooser` and its `parameters`; `shield` keeps the panel's mouse and
//!   keys from the camera.
//! - `extent` is how large the ground is, by which the camera's place (`view`) and the sky go, and
//!   `cover` what grows on it; `pedestal` is what land stands on that does not end in the sea.
//! - `plants` are what stands on it, and `quality` is how much is drawn of everything.
//! - `address` is the link to what is seen, where there is a page.
//! - `sky` is how far fog and shadows reach, and the sea's extent.
//! - `fly` and `walk` are the two ways to move; Tab changes between them; who walks into the deep swims (`swim`). `touch` and `touch_buttons` are
//!   for those who have fingers, and no keys.
//! - `snapshot` saves a picture at F12; `help` is the line at the bottom.

mod address;
mod args;
mod cover;
mod design;
mod drop;
mod extent;
mod fly;
mod folder;
mod ground;
mod help;
mod panel;
mod pedestal;
mod plants;
mod quality;
mod resize;
mod save;
mod shield;
mod sky;
mod snapshot;
mod swim;
mod touch;
mod touch_buttons;
mod view;
mod walk;

use bevy::{
    camera::Hdr, camera_controller::free_camera::FreeCameraPlugin,
    core_pipeline::tonemapping::Tonemapping, post_process::bloom::Bloom, prelude::*,
};
use bevy_egui::EguiPlugin;
use bevy_rapier3d::prelude::{NoUserData, RapierPhysicsPlugin};
use lanternfell::{headless::window, prelude::*};

use crate::{args::IslandArgs, extent::Extent};

fn main() -> AppExit {
    let args = IslandArgs::from_env();
    App::new()
        .add_plugins((
            args.headless.plugins(
                DefaultPlugins
                    .set(WindowPlugin {
                        primary_window: Some(window("Lanternfell: island")),
                        ..default()
                    })
                    .set(ground::asset_plugin()),
            ),
            EguiPlugin::default(),
            FreeCameraPlugin,
            RapierPhysicsPlugin::<NoUserData>::default(),
            TerrainPlugin,
            VegetationPlugin,
        ))
        .add_plugins((
            address::plugin,
            cover::plugin,
            drop::plugin,
            fly::plugin,
            folder::plugin,
            ground::plugin,
            help::plugin,
            panel::plugin,
            pedestal::plugin,
            shield::plugin,
            sky::plugin,
            snapshot::plugin,
        ))
        .add_plugins((
            plants::plugin,
            quality::plugin,
            touch::plugin,
            touch_buttons::plugin,
            view::plugin,
            walk::plugin,
        ))
        .insert_resource(args.ground())
        .insert_resource(args.folder())
        .insert_resource(args.time_of_day())
        .insert_resource(args.weather())
        .insert_resource(args.plants())
        .insert_resource(args.quality())
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
            ..default()
        }),
        fly::controller(Extent::default()),
        sky::fog(Extent::default()),
        Transform::default(),
    ));
}
