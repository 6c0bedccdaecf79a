//! Session state: whose game it is, requests for games, and the result. `keeper` saves it.
//!
//! Nothing here starts or ends a game. `lifecycle` does.

pub mod keeper;

use std::path::PathBuf;

use bevy::prelude::*;

use crate::{home::LogLine, play::hud::lesson::Lesson};

/// A request to start a game.
#[derive(Message, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begin {
    /// A new game in this keep, or in a random one.
    New(Option<u64>),
    /// The keep of the finished game, with the same difficulty.
    Same,
    /// The daily keep.
    Daily,
    /// The replay with this number.
    Watch(u8),
    /// The suspended game.
    Continue,
    /// The next keep, for a bot.
    Next,
    /// The title, with a bot playing behind it.
    Title,
}

/// A game has started. Systems reset state of the previous game.
#[derive(Message, Debug, Clone, Copy)]
pub struct Began;

/// The state of the current game apart from the world.
#[derive(Resource, Debug, Default)]
pub struct Session {
    /// Whether it is the player's own game, which is saved and scored.
    pub own: bool,
    /// The lesson that is due at its beginning.
    pub lesson: Lesson,
    /// Whether a bot plays it behind the title.
    pub behind_title: bool,
    /// The number of the replay being shown.
    pub watched: Option<u8>,
    /// The message log from before the game was suspended.
    pub log: Vec<LogLine>,
    /// The result, after the end.
    pub end: Option<End>,
}

impl Session {
    /// A bot's game behind the title.
    pub fn behind_title() -> Self {
        Self {
            behind_title: true,
            ..default()
        }
    }
}

/// The result of a finished game.
#[derive(Debug, Clone)]
pub struct End {
    /// Seconds since the end.
    pub since: f32,
    /// Its index in the best games.
    pub place: Option<usize>,
    /// The path of its text file.
    pub page: Option<PathBuf>,
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Session>()
        .add_message::<Begin>()
        .add_message::<Began>()
        .add_plugins(keeper::plugin);
}
