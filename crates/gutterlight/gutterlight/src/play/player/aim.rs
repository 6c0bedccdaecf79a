//! Aiming: why the cursor is active, and what is thrown.

use bevy::prelude::*;
use gutterlight_rules::{Action, Direction, FixtureKind, Tile, Tool, View};

use crate::play::input::control::Control;

/// The purpose of the keyboard cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    Look,
    Throw(Missile),
}

/// An item to throw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missile {
    Slot(u8),
    Torch,
}

impl Missile {
    /// The action of throwing it at a cell. At the thief's own cell, oil is poured into the torch and water over the
    /// cloth.
    pub fn at(self, view: View<'_>, at: IVec2) -> Action {
        match self {
            Self::Slot(slot) if at == view.thief().at && is_poured(view, slot) => {
                Action::Use { slot }
            }
            Self::Slot(slot) => Action::Throw { slot, at },
            Self::Torch => Action::ThrowTorch { at },
        }
    }

    /// The tool. `None` for the torch or an empty slot.
    pub fn tool(self, view: View<'_>) -> Option<Tool> {
        let Self::Slot(slot) = self else {
            return None;
        };
        let stack = view.thief().tools.get(usize::from(slot)).copied().flatten();
        stack.map(|stack| stack.tool)
    }

    /// The control that aimed it. Pressing it again throws.
    pub const fn control(self) -> Control {
        match self {
            Self::Slot(slot) => Control::Slot(slot),
            Self::Torch => Control::ThrowTorch,
        }
    }
}

/// The target cell of a pointed cell. A sconce is drawn on a wall but belongs to the cell in front of it.
pub fn meant(view: View<'_>, at: IVec2) -> IVec2 {
    hung_on(view, at).unwrap_or(at)
}

/// The cell of the sconce that hangs on a wall, if the player knows of one.
pub fn hung_on(view: View<'_>, wall: IVec2) -> Option<IVec2> {
    let is_wall = |at: IVec2| {
        let tile = view.memory(at).map(|memory| memory.tile);
        matches!(tile, Some(Tile::Rock | Tile::Wall | Tile::Shutter { .. }))
    };
    if !is_wall(wall) {
        return None;
    }
    // The order in which sconces are drawn: on the first of these sides that is a wall.
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
    let neighbors = sides.iter().map(|side| wall - side.step());
    neighbors.into_iter().find(hangs_here)
}

/// Whether a slot has oil or water, which can be thrown or be poured by aiming at the thief.
pub fn is_poured(view: View<'_>, slot: u8) -> bool {
    let tool = Missile::Slot(slot).tool(view);
    matches!(tool, Some(Tool::OilFlask | Tool::WaterVial))
}
