//! What is to be learnt in the opening.

use bevy::prelude::*;

/// The key that puts it away, unless it is bound to something else.
pub const SKIP: KeyCode = KeyCode::Backspace;

/// What is to be learnt, in this order.
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
