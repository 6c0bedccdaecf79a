//! The drawing order of the UI.
//!
//! Bevy draws root nodes with equal [`GlobalZIndex`] in the order of its tables, which changes when a node gains or
//! loses a component. Every root node therefore has a separate layer.

use bevy::prelude::*;

use crate::play::hud::InPlay;

/// The root nodes, from the lowest to the topmost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    Minimap,
    Barks,
    Panel,
    Bar,
    Hint,
    Journal,
    Captions,
    Lesson,
    Watching,
    Fingers,
    Pointer,
    Tip,
    Menu,
}

impl Layer {
    /// The index for Bevy.
    pub const fn index(self) -> GlobalZIndex {
        GlobalZIndex(self as i32)
    }

    /// Marks a root node of the game's UI.
    pub const fn in_play(self) -> (InPlay, GlobalZIndex) {
        (InPlay(()), self.index())
    }
}
