//! The actions of menu choices.

use bevy::prelude::*;
use gutterlight_rules::{Action, Burden};

use crate::play::{
    input::control::Control, menu::setting::Setting, screen::Screen, session::Begin,
};

/// The action of a choice.
#[derive(Message, Debug, Clone, Copy, PartialEq, Eq)]
pub enum MenuAction {
    /// Opens another page. `Back` returns from it.
    Go(Screen),
    /// Returns to the previous page.
    Back,
    Begin(Begin),
    /// Changes a setting to the next value (`true`) or the previous one.
    Change(Setting, bool),
    /// Turns a burden on or off.
    Bear(Burden),
    /// Shows the next floor (`true`) or the previous one.
    Turn(bool),
    /// Waits for a new button for this control.
    Bind(Control),
    /// Resets all controls to their default buttons.
    UsualKeys,
    Act(Action),
    /// Returns to the title. The game is already saved.
    Suspend,
    /// Ends the game for good, with a score. Asks for confirmation first.
    GiveUp,
    /// Leaves the keep without the Ember. Asks for confirmation first.
    Leave,
    /// Exports the suspended game to a file.
    TakeAlong,
    /// Imports a file as the suspended game.
    Bring,
    Quit,
}

impl MenuAction {
    /// The same action with this direction, if it has directions.
    pub const fn towards(self, up: bool) -> Option<Self> {
        match self {
            Self::Change(setting, _) => Some(Self::Change(setting, up)),
            Self::Turn(_) => Some(Self::Turn(up)),
            Self::Bear(burden) => Some(Self::Bear(burden)),
            _ => None,
        }
    }
}
