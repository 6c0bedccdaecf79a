//! What a bot is after, and the way there.

use glam::IVec2;

/// What someone is after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    /// To see more.
    Explore,
    /// To take what lies there.
    Take,
    /// To climb the stairs.
    Climb,
    /// To put out a lamp.
    Douse,
}

/// Where to go, and how.
#[derive(Debug, Clone)]
pub(super) struct Objective {
    pub aim: Aim,
    pub goal: IVec2,
    /// The cells to step on, the next one last.
    pub way: Vec<IVec2>,
}
