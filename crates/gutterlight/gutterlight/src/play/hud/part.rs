//! Components that identify the parts of the panel.

use bevy::prelude::*;

/// A part of the panel that changes.
#[derive(Component, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Gem,
    Band,
    /// The distance from which the thief is seen.
    Reach,
    /// The distance to which the next step is heard.
    Loud,
    /// One of the floor's bells, from 0.
    Bell(u8),
    /// How many guards see or chase the thief.
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

/// A bar that shows a value.
#[derive(Component, Clone, Copy)]
pub struct Bar(pub Part);

/// A node with a tooltip.
#[derive(Component, Clone, Copy)]
#[require(Interaction)]
pub struct Tip(pub Part);
