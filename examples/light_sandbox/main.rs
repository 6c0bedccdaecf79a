//! Carve and build walls; the cursor is the torch.
//!
//! ```text
//! cargo run --release --example light_sandbox
//! cargo run --release --example light_sandbox -- --help
//! ```
//!
//! The first experiment with light as a cellular automaton was a screen full of wall in
//! which one carved with the mouse, torch in hand. This is that, and more.
//!
//! - `drawing` is what is carved and built; `presets` are drawings to begin with; `files`
//!   saves and loads them.
//! - `board` turns the drawing into a map of light with lamps; `torch` follows the cursor;
//!   `tiles` is what it all looks like in full light.
//! - `address` is the link to what is seen, where there is a page.
//! - `brush` is mouse and keys, `touch` fingers; `panel` the panel; `cost` what the light costs; `help` the
//!   line at the bottom.

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
