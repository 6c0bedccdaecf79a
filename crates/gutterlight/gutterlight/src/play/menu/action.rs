//! What a choice on a page can be.

use bevy::prelude::*;
use gutterlight_rules::{Action, Burden};

use crate::play::{
    input::control::Control, menu::setting::Setting, screen::Screen, session::Begin,
};

/// What a choice does.
#[derive(Message, Debug, Clone, Copy, PartialEq, Eq)]
pub enum MenuAction {
    /// Turns to another page, from which one comes back.
    Go(Screen),
    /// Back to where one came from.
    Back,
    Begin(Begin),
    /// Sets the next value, or the one before.
    Change(Setting, bool),
    /// Takes a burden on, or puts it down.
    Bear(Burden),
    /// Shows the next floor, or the one before.
    Turn(bool),
    /// Waits for a button for this control.
    Bind(Control),
    /// All controls have their usual buttons again.
    UsualKeys,
    Act(Action),
    /// To the title. The game lies on disk already.
    Suspend,
    /// Ends the game for good, with a score; asks once more before.
    GiveUp,
    /// Leaves the keep without the Ember; asks once more before.
    Leave,
    /// The suspended game becomes a file.
    TakeAlong,
    /// A file becomes the suspended game.
    Bring,
    Quit,
}

impl MenuAction {
    /// The same to the next or to the one before, if it has two ways.
    pub const fn towards(self, up: bool) -> Option<Self> {
        match self {
            Self::Change(setting, _) => Some(Self::Change(setting, up)),
            Self::Turn(_) => Some(Self::Turn(up)),
            Self::Bear(burden) => Some(Self::Bear(burden)),
            _ => None,
        }
    }
}
