//! Carve and build walls, place lamps, and watch how the light flows. The cursor is a torch.
//!
//! ```text
//! cargo run --release --example light_sandbox
//! cargo run --release --example light_sandbox -- --help
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `drawing` | the cells and lamps of a map |
//! | `presets` | maps to start with |
//! | `files` | saving and loading, as RON and PNG |
//! | `board` | creates the light map and the lamps of a drawing |
//! | `tiles` | the tile map below the light |
//! | `torch` | the torch at the cursor |
//! | `brush`, `touch` | input by mouse and keyboard, and by touch |
//! | `panel`, `cost`, `help` | the panel, the measured times in it, and the line of keys |
//! | `args` | the command line |
//! | `address` | in a browser: a link to the current drawing |

mod address;
mod args;
mod board;
mod brush;
mod cost;
mod drawing;
mod files;
mod help;
mod panel;
mod presets;
mod tiles;
mod torch;
mod touch;

use bevy::prelude::*;
use bevy_egui::EguiPlugin;
use lanternfell::{headless::window, prelude::*};

use crate::args::SandboxArgs;

fn main() -> AppExit {
    let args = SandboxArgs::from_env();
    let drawing = args.drawing();
    App::new()
        .add_plugins((
            args.headless.plugins(DefaultPlugins.set(WindowPlugin {
                primary_window: Some(window("Lanternfell: light sandbox")),
                ..default()
            })),
            EguiPlugin::default(),
            TorchlightPlugin::default(),
        ))
        .add_plugins((
            address::plugin,
            board::plugin,
            brush::plugin,
            cost::plugin,
            help::plugin,
            panel::plugin,
            tiles::plugin,
            torch::plugin,
            touch::plugin,
        ))
        .insert_resource(ClearColor(Color::BLACK))
        .insert_resource(args.torch(&drawing))
        .insert_resource(drawing)
        .insert_resource(args.begun())
        .insert_resource(args.rules())
        .insert_resource(args.walls())
        .insert_resource(panel::PanelShown(!args.bare))
        .insert_resource(help::HelpShown(!args.bare))
        .insert_resource(torch::OutAfter(args.out_after))
        .add_systems(Startup, |mut commands: Commands| {
            commands.spawn((Camera2d, IsDefaultUiCamera));
        })
        .run()
}
