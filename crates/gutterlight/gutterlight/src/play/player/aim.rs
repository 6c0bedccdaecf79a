//! Why a cell is pointed at, and what can be thrown there.

use bevy::prelude::*;
use gutterlight_rules::{Action, Direction, FixtureKind, Tile, Tool, View};

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

    /// The tool that it is; none if it is the torch, or nothing.
    pub fn tool(self, view: View<'_>) -> Option<Tool> {
        let Self::Slot(slot) = self else {
            return None;
        };
        let stack = view.thief().tools.get(usize::from(slot)).copied().flatten();
        stack.map(|stack| stack.tool)
    }

    /// What else throws it, once it is aimed: the control that took it in hand.
    pub const fn control(self) -> Control {
        match self {
            Self::Slot(slot) => Control::Slot(slot),
            Self::Torch => Control::ThrowTorch,
        }
    }
}

/// The cell that is meant by pointing at one: a sconce hangs on a wall, and belongs to the cell before
/// it.
pub fn meant(view: View<'_>, at: IVec2) -> IVec2 {
    hung_on(view, at).unwrap_or(at)
}

/// The cell of the sconce that hangs on a wall, if one is known to.
pub fn hung_on(view: View<'_>, wall: IVec2) -> Option<IVec2> {
    let is_wall = |at: IVec2| {
        let tile = view.memory(at).map(|memory| memory.tile);
        matches!(tile, Some(Tile::Rock | Tile::Wall | Tile::Shutter { .. }))
    };
    if !is_wall(wall) {
        return None;
    }
    // As it is drawn: on the first wall in this order.
    let sides = [
        Direction::North,
        Direction::East,
        Direction::West,
        Direction::South,
    ];
    let hangs_here = |lamp: &IVec2| {
        let fixture = view.memory(*lamp).and_then(|memory| memory.fixture);
        let side = sides.iter().find(|side| is_wall(*lamp + side.step()));
        matches!(fixture, Some((FixtureKind::Sconce, _)))
            && side.is_some_and(|side| *lamp + side.step() == wall)
    };
    let beside = sides.iter().map(|side| wall - side.step());
    beside.into_iter().find(hangs_here)
}

/// Whether oil or water is in a slot: it is aimed, at others, or at the torch in the hand or the cloth.
pub fn is_poured(view: View<'_>, slot: u8) -> bool {
    let tool = Missile::Slot(slot).tool(view);
    matches!(tool, Some(Tool::OilFlask | Tool::WaterVial))
}
