//! Fog: nobody sees farther than some cells, thief and guards alike; and guards, who know it, listen
//! the more.

use crate::{Twist, World};

/// As far as anybody sees on this floor who would see so far, in cells.
pub(crate) fn sight(world: &World, cells: u32) -> u32 {
    match world.floor().twist {
        Some(Twist::Fog) => cells.min(world.rules.twists.fog_sight),
        _ => cells,
    }
}

/// How sharp guards' ears are on this floor, percent, that are so sharp elsewhere.
pub(crate) fn hearing(world: &World, percent: u32) -> u32 {
    match world.floor().twist {
        Some(Twist::Fog) => percent * world.rules.twists.fog_hearing / 100,
        _ => percent,
    }
}
