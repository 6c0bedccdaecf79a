//! Components that identify the parts of the panel.

use bevy::prelude::*;
use gutterlight_assets::art::{Icon, Picture};
use gutterlight_rules::Item;

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

impl Part {
    /// The parts that have a picture next to them, from left to right.
    pub const PICTURED: [Self; 6] = [
        Self::Health,
        Self::Nerve,
        Self::Breath,
        Self::Fuel,
        Self::Purse,
        Self::Cloth,
    ];

    /// The picture next to a value.
    pub fn picture(self) -> Option<Picture> {
        Some(match self {
            Self::Health => Picture::of_icon(Icon::Heart),
            Self::Nerve => Picture::of_icon(Icon::Nerve),
            Self::Breath => Picture::of_icon(Icon::Breath),
            Self::Fuel => Picture::of_icon(Icon::Fuel),
            Self::Purse => Picture::of_icon(Icon::Purse),
            Self::Cloth => Picture::of_item(Item::Cloth(1), 0),
            _ => return None,
        })
    }
}

/// A bar that shows a value.
#[derive(Component, Clone, Copy)]
pub struct Bar(pub Part);

/// A node with a tooltip.
#[derive(Component, Clone, Copy)]
#[require(Interaction)]
pub struct Tip(pub Part);
