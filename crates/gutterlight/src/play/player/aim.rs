//! Why a cell is pointed at, and what can be thrown there.

use bevy::prelude::*;
use lanternfell_stealth::{Action, Tool, View};

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
    /// To throw it there. At one's own feet oil is poured into the torch, and water over the cloth.
    pub fn at(self, view: View<'_>, at: IVec2) -> Action {
        match self {
            Self::Slot(slot) if at == view.thief().at && is_poured(view, slot) => {
                Action::Use { slot }
            }
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

/// Whether oil or water is in a slot: it is aimed, at others, or at the torch in the hand or the cloth.
pub fn is_poured(view: View<'_>, slot: u8) -> bool {
    let stack = view.thief().tools.get(usize::from(slot)).copied().flatten();
    stack.is_some_and(|stack| matches!(stack.tool, Tool::OilFlask | Tool::WaterVial))
}
