//! Gutterlight: down five floors of a drowned keep for the Ember, and up again, unseen.
//!
//! ```text
//! cargo run --release --example torch_stealth
//! cargo run --release --example torch_stealth -- --help
//! ```
//!
//! All rules are in `lanternfell_stealth`, all pictures in `lanternfell_gutterlight`; here
//! they meet the player.
//!
//! - `game` holds the world and takes actions to it; `keys` makes actions from keys, and
//!   `mouse` and `travel` from clicks, `pilot` those of a bot or a replay.
//! - `sheet` is all pictures as one texture; `ground` draws the floor with it, and `figures`
//!   who walks there; `light` lets the light of lamps and torches flow over both.
//! - `rings` draws sounds; `camera` follows; `panel` and `hud`, `page` and `journal` say how
//!   things stand, what must be answered and what happened, in the words of `words`.

mod args;
mod game;
mod hud;
mod options;
mod place;
mod player;
mod scene;
mod screen;
mod words;

use bevy::prelude::*;
use lanternfell::prelude::*;

use crate::args::GameArgs;

fn main() -> AppExit {
    let args = GameArgs::from_env();
    let (game, pilot) = args.game();
    App::new()
        .add_plugins((
            args.headless.plugins(
                DefaultPlugins
                    .set(WindowPlugin {
                        primary_window: Some(Window {
                            title: "Gutterlight".into(),
                            ..default()
                        }),
                        ..default()
                    })
                    .set(ImagePlugin::default_nearest()),
            ),
            TorchlightPlugin::default(),
        ))
        .add_plugins((
            game::plugin,
            hud::plugin,
            options::plugin,
            player::plugin,
            scene::plugin,
            screen::plugin,
        ))
        .insert_resource(ClearColor(Color::BLACK))
        .insert_resource(hud::status::HudShown(!args.bare))
        .insert_resource(game)
        .insert_resource(pilot)
        .run()
}
