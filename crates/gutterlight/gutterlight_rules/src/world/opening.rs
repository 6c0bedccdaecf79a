//! How far the scripted opening has come.

use serde::{Deserialize, Serialize};

/// How far the opening has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Opening {
    pub(crate) stage: Stage,
    /// Ticks spent in it.
    pub(crate) ticks: u16,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Stage {
    #[default]
    Walking,
    Guttering,
    Dark,
    Silent,
    /// The noise was far off.
    Far,
    /// It was nearer.
    Near,
    /// A light goes by at the corridor's end.
    Glow,
}

impl Opening {
    /// Whether the torch can not be lit.
    pub(crate) fn wets_wick(self) -> bool {
        !matches!(self.stage, Stage::Walking | Stage::Guttering)
    }

    /// Whether nothing can be heard at all.
    pub(crate) fn is_silent(self) -> bool {
        self.stage == Stage::Silent
    }
}
