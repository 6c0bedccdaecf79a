//! Why a cell is pointed at, and what can be thrown there.

use bevy::prelude::*;
use lanternfell_stealth::Action;

use crate::play::input::control::Control;

/// Why a cell is pointed at by keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    Look,
    Throw(Missile),
}

/// What can be thrown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missile {
    Slot(u8),
    Torch,
}

impl Missile {
    /// To throw it there.
    pub fn at(self, at: IVec2) -> Action {
        match self {
            Self::Slot(slot) => Action::Throw { slot, at },
            Self::Torch => Action::ThrowTorch { at },
        }
    }

    /// What else throws it, once it is aimed: the control that took it in hand.
    pub const fn control(self) -> Control {
        match self {
            Self::Slot(slot) => Control::Slot(slot),
            Self::Torch => Control::ThrowTorch,
        }
    }
}
