//! The lessons of the opening.

use bevy::prelude::*;

/// The key that skips the lessons, unless it is bound to a control.
pub const SKIP: KeyCode = KeyCode::Backspace;

/// The lessons, in order.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Lesson {
    Walk,
    /// The torch goes out by itself.
    Dark,
    LightTorch,
    SnuffTorch,
    Sneak,
    Look,
    Explore,
    #[default]
    Done,
}
