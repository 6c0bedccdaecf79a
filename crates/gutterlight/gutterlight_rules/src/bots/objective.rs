//! The objective of a bot, and the path to it.

use glam::IVec2;

/// What a bot wants to do at its goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    /// Explore unknown cells.
    Explore,
    /// Pick up an item.
    Take,
    /// Climb stairs.
    Climb,
    /// Put out a lamp.
    Douse,
}

/// A goal and the path to it.
#[derive(Debug, Clone)]
pub(super) struct Objective {
    pub aim: Aim,
    pub goal: IVec2,
    /// The cells of the path, with the next one last.
    pub way: Vec<IVec2>,
}
