//! The game on screen.
//!
//! All rules are in `gutterlight_rules`, all pictures and sounds in `gutterlight_assets`; here
//! they meet the player.
//!
//! ```text
//!   input -> player -> game (the rules) -> scene, hud, sound
//!     |                  ^
//!     +----> menu -> lifecycle -> session -> files
//! ```
//!
//! - `game` holds the world and takes actions to it; `lifecycle` begins and ends games, and
//!   `session` is whose it is and keeps it.
//! - `input` makes controls from keys and gamepads; `player` makes actions from controls and
//!   clicks, or lets a bot or a replay play.
//! - `scene` draws the keep and the light that flows in it; `hud` says how things stand.
//! - `browser` is the page around it all, if there is one.
//! - `screen` is which page is shown, and `menu` is all the pages; `options` is what is set.
//! - `words` has every sentence.

pub(crate) mod args;
mod browser;
mod frame_times;
mod game;
mod hud;
mod input;
mod lifecycle;
mod menu;
mod options;
mod paper;
mod place;
mod player;
mod scene;
mod screen;
mod session;
mod sound;
mod words;

use std::process::{ExitCode, Termination};

use bevy::{
    ecs::schedule::{ScheduleLabel, SingleThreadedExecutor},
    prelude::*,
    window::WindowResizeConstraints,
};
use lanternfell_headless::window;
use lanternfell_torchlight::TorchlightPlugin;

use crate::failure::Failure;
use args::PlayArgs;

/// Plays until the player has enough.
pub(crate) fn run(args: PlayArgs) -> Result<ExitCode, Failure> {
    let (mut keeper, mut options) = args.keeper();
    let start = match args.link() {
        Some(link) => link.follow(&mut keeper, &mut options),
        None => args.start()?,
    };
    let mut app = App::new();
    if args.frame_times {
        app.add_plugins(frame_times::plugin);
    }
    app.add_plugins((
        args.headless.plugins(
            DefaultPlugins
                .set(WindowPlugin {
                    primary_window: Some(Window {
                        resize_constraints: least_size(),
                        ..window(words::NAME)
                    }),
                    ..default()
                })
                .set(ImagePlugin::default_nearest()),
        ),
        TorchlightPlugin::default(),
    ))
    .add_plugins((
        browser::plugin,
        game::plugin,
        hud::plugin,
        input::plugin,
        menu::plugin,
        options::plugin,
        player::plugin,
        scene::plugin,
        screen::plugin,
        lifecycle::plugin,
        session::plugin,
        sound::plugin,
    ))
    .insert_state(start.screen)
    .insert_resource(ClearColor(Color::BLACK))
    .insert_resource(hud::shown::HudShown(!args.bare))
    .insert_resource(start.game)
    .insert_resource(start.pilot)
    .insert_resource(start.session)
    .insert_resource(start.menu)
    .insert_resource(args.keys.unwrap_or_default())
    .insert_resource(keeper)
    .insert_resource(options);
    stay_on_one_thread(&mut app);
    Ok(app.run().report())
}

/// In a smaller window words would overlap. A page is as large as it is.
fn least_size() -> WindowResizeConstraints {
    let (min_width, min_height) = match lanternfell_headless::web_page::is_there() {
        true => (1.0, 1.0),
        false => (640.0, 360.0),
    };
    WindowResizeConstraints {
        min_width,
        min_height,
        ..default()
    }
}

/// Runs the systems of a frame one after the other. They are small: handing them to threads
/// took longer than their work (1.3 ms a frame instead of 0.7 on two cores).
fn stay_on_one_thread(app: &mut App) {
    for schedule in [
        First.intern(),
        PreUpdate.intern(),
        StateTransition.intern(),
        Update.intern(),
        FixedPostUpdate.intern(),
        PostUpdate.intern(),
        Last.intern(),
    ] {
        app.edit_schedule(schedule, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        });
    }
}
