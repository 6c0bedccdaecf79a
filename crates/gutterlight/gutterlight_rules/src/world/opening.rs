//! The progress of the scripted opening.

use serde::{Deserialize, Serialize};

/// The progress of the opening.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Opening {
    pub(crate) stage: Stage,
    /// The ticks spent in this stage.
    pub(crate) ticks: u16,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Stage {
    #[default]
    Walking,
    Guttering,
    Dark,
    Silent,
    /// The noise was far away.
    Far,
    /// The noise was nearer.
    Near,
    /// A light passes the end of the corridor.
    Glow,
}

impl Opening {
    /// Whether the torch cannot be lit.
    pub(crate) fn wets_wick(self) -> bool {
        !matches!(self.stage, Stage::Walking | Stage::Guttering)
    }

    /// Whether nothing can be heard.
    pub(crate) fn is_silent(self) -> bool {
        self.stage == Stage::Silent
    }
}
