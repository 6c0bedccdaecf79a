//! Dig, build and paint on an island, lay roads, and move a house with the terrain below it. Strokes can be undone, and
//! everything else stays movable.
//!
//! ```text
//! cargo run --release --example sculpt
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `brush` | the brushes: each drag of the pointer is a stroke, which can be undone |
//! | `things` | roads, river beds, dams, houses and craters |
//! | `handles` | handles that move them |
//! | `panel` | brushes, new roads and houses, history and files |
//! | `files` | saves, loads and exports |
//! | `first` | the initial strokes, roads and houses |

mod brush;
mod files;
mod first;
mod handles;
mod panel;
mod things;

use bevy::{
    camera_controller::free_camera::{FreeCamera, FreeCameraPlugin},
    prelude::*,
};
use bevy_egui::{EguiPlugin, input::EguiWantsInput};
use bevy_picking::{
    DefaultPickingPlugins,
    events::{Move, Out, Pointer},
};
use lanternfell::prelude::*;

/// All strokes are by one author, who can undo them.
const AUTHOR: u32 = 1;

fn main() -> AppExit {
    App::new()
        .add_plugins((
            DefaultPlugins.or_headless(),
            DefaultPickingPlugins,
            EguiPlugin::default(),
        ))
        .add_plugins((FreeCameraPlugin, TerrainPlugins))
        .add_plugins((
            brush::plugin,
            files::plugin,
            first::plugin,
            handles::plugin,
            panel::plugin,
        ))
        .init_resource::<Pointed>()
        .add_systems(Startup, setup)
        .run()
}

/// The point of the terrain under the pointer. The terrain is at the origin, so this is also a point in its local
/// space.
#[derive(Resource, Default)]
struct Pointed(Option<Vec3>);

/// Whether the pointer is not over the panel.
fn is_over_terrain(panel: Res<EguiWantsInput>) -> bool {
    !panel.wants_any_pointer_input()
}

/// Whether no text field has the focus.
fn has_keys(panel: Res<EguiWantsInput>) -> bool {
    !panel.wants_any_keyboard_input()
}

fn setup(mut commands: Commands) {
    let hills = Hills {
        island: true,
        ..default()
    };
    commands
        .spawn((
            Terrain::new(Recipe::new(MapSize::default(), 21, hills)),
            TerrainEdits::default(),
            Vegetation::default(),
        ))
        .observe(|pointer: On<Pointer<Move>>, mut pointed: ResMut<Pointed>| {
            pointed.0 = pointer.hit.position;
        })
        .observe(|_: On<Pointer<Out>>, mut pointed: ResMut<Pointed>| pointed.0 = None);
    commands.spawn((
        Camera3d::default(),
        FreeCamera {
            mouse_key_cursor_grab: MouseButton::Right,
            // The wheel changes the brush.
            scroll_factor: 0.0,
            ..default()
        },
        SkyFog::default(),
        Transform::from_xyz(-50.0, 25.0, 78.0).looking_at(Vec3::new(-36.0, 9.0, 30.0), Vec3::Y),
    ));
}
