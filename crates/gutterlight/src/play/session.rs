//! From one game to the next: how they begin, are suspended, and end.
//!
//! ```text
//!    title ---- new, continue, daily -----> the player's own game ----> its end: score, morgue
//!      ^                                       |        |
//!      |                                       |        v
//!      +----- suspended: the file stays -------+     after every turn: the file
//! ```
//!
//! The player's game lies on disk as it was after the last turn, so a crash, a power cut and a
//! closed window suspend it. Whoever continues goes on from there; the end deletes it. Games
//! of bots and replays, and those taken over from them, leave nothing.

mod begin;
mod end;
pub mod keeper;

use std::path::PathBuf;

use bevy::prelude::*;

/// How a game begins.
#[derive(Message, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begin {
    /// In this keep, or in any.
    New(Option<u64>),
    /// In the keep of the game that has ended, and as hard.
    Same,
    /// In the keep that everybody plays today.
    Daily,
    /// Where the suspended one was left.
    Continue,
    /// In the keep after this one, for a bot.
    Next,
    /// Not at all: a bot plays behind the title.
    Title,
}

/// A game has begun: what was told of the one before is over.
#[derive(Message, Debug, Clone, Copy)]
pub struct Began;

/// Whose game it is.
#[derive(Resource, Debug, Default)]
pub struct Session {
    /// Whether it is the player's own, and counts.
    pub own: bool,
    /// Whether it began with the opening, in which one learns to play.
    pub opening: bool,
    /// Whether a bot plays it behind the title and its pages.
    pub behind_title: bool,
    /// What became of it.
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

/// What is left of a game.
#[derive(Debug, Clone)]
pub struct End {
    /// Seconds since.
    since: f32,
    /// Its place among the best, from 0.
    pub place: Option<usize>,
    /// Where its page lies.
    pub page: Option<PathBuf>,
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Session>()
        .add_message::<Begin>()
        .add_message::<Began>()
        .add_plugins((begin::plugin, end::plugin, keeper::plugin));
}
