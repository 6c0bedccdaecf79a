//! The parts of the panel, as marks on its nodes.

use bevy::prelude::*;

/// Parts of the panel that change.
#[derive(Component, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Gem,
    Band,
    /// From how far one would be seen.
    Reach,
    /// How far the next step is heard.
    Loud,
    /// One of the floor's bells, from 0 on.
    Bell(u8),
    /// Who sees the thief, and who is after it.
    Watched,
    Health,
    Nerve,
    Breath,
    Fuel,
    Cloth,
    Purse,
    Slot(usize),
    Place,
    Hint,
}

/// How full a bar is.
#[derive(Component, Clone, Copy)]
pub struct Bar(pub Part);

/// What is told of here.
#[derive(Component, Clone, Copy)]
#[require(Interaction)]
pub struct Tip(pub Part);
