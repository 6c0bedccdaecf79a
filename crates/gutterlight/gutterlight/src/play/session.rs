//! Whose game it is, how one is asked for, and what is left of it; `keeper` writes it down.
//!
//! Nothing here begins or ends a game: `lifecycle` does, which knows who plays and what was said.

pub mod keeper;

use std::path::PathBuf;

use bevy::prelude::*;

use crate::home::LogLine;

/// How a game begins.
#[derive(Message, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begin {
    /// In this keep, or in any.
    New(Option<u64>),
    /// In the keep of the game that has ended, and as hard.
    Same,
    /// In the keep that everybody plays today.
    Daily,
    /// As one went that has ended: it is shown, and not played.
    Watch(u8),
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
    /// Which of the kept games is shown.
    pub watched: Option<u8>,
    /// What was said in it before it was suspended.
    pub log: Vec<LogLine>,
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
    pub since: f32,
    /// Its place among the best, from 0.
    pub place: Option<usize>,
    /// Where its page lies.
    pub page: Option<PathBuf>,
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Session>()
        .add_message::<Begin>()
        .add_message::<Began>()
        .add_plugins(keeper::plugin);
}
