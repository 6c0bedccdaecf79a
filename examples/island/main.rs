//! An island, or any other terrain, to fly over and walk on, with a panel to tune it.
//!
//! ```text
//! cargo run --release --example island
//! cargo run --release --example island -- --preset volcano
//! cargo run --release --example island -- --help
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `ground` | the chosen terrain and its settings; builds the `Terrain` |
//! | `design` | settings with which each generator makes a good island |
//! | `folder`, `drop` | the files offered in the panel; files dropped on the window |
//! | `resize` | changes the number of cells and keeps the shape of the terrain |
//! | `save`, `snapshot` | saves the recipe; saves a screenshot |
//! | `panel` | the panel, with its `chooser` and `parameters` |
//! | `shield` | keeps mouse and keyboard input of the panel away from the camera |
//! | `extent` | the size of the terrain, which camera, sky and fog depend on |
//! | `view` | where the camera starts |
//! | `cover` | ground layers: snow line, beaches, rock |
//! | `pedestal` | sides and a plain for terrain without a coast |
//! | `plants` | vegetation |
//! | `quality` | quality levels, fixed or chosen by frame time |
//! | `address` | in a browser: a link to the current island |
//! | `sky` | view distance of fog, shadows and sea |
//! | `fly`, `walk`, `swim` | movement; Tab switches between flying and walking |
//! | `dig` | a spade and platforms |
//! | `touch`, `touch_buttons` | touch gestures, and on-screen buttons for missing keys |
//! | `args`, `help` | the command line; the line of keys at the bottom |

mod address;
mod args;
mod cover;
mod design;
mod dig;
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
            dig::plugin,
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
    /// Flies with Bevy's free camera.
    #[default]
    Fly,
    /// Walks or swims, with gravity.
    Walk,
}

/// Marks the camera. There is only one.
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
