//! What a choice on a page can be.

use bevy::prelude::*;
use lanternfell_stealth::Action;

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
    /// Waits for a button for this control.
    Bind(Control),
    /// All controls have their usual buttons again.
    UsualKeys,
    Act(Action),
    /// To the title. The game lies on disk already.
    Suspend,
    /// Ends the game for good, with a score; asks once more before.
    GiveUp,
    /// The suspended game becomes a file.
    TakeAlong,
    /// A file becomes the suspended game.
    Bring,
    Quit,
}
