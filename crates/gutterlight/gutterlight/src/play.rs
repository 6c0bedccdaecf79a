//! The game on screen.
//!
//! The rules are in `gutterlight_rules`, and the art and sounds in `gutterlight_assets`. This
//! module connects them to the player.
//!
//! ```text
//!   input -> player -> game (the rules) -> scene, hud, sound
//!     |                  ^
//!     +----> menu -> lifecycle -> session -> files
//! ```
//!
//! - `game` holds the world and applies actions to it. `lifecycle` starts and ends games. `session`
//!   knows whether the game is the player's own, and saves it.
//! - `input` maps keys and gamepad buttons to controls. `player` turns controls and clicks into
//!   actions, or lets a bot or a replay play.
//! - `scene` draws the keep and its light. `hud` draws the status of the game.
//! - `browser` connects to the web page, if there is one.
//! - `screen` is the current screen, `menu` has all the menu pages, and `options` holds the
//!   settings.
//! - `words` has all texts.

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

/// Runs the game until the player quits.
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

/// Text would overlap in a smaller window. In a browser, the page determines the size.
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

/// Runs the systems of a frame on one thread. They are small, and distributing them over threads
/// takes longer than running them (1.3 ms per frame instead of 0.7 ms on two cores).
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
