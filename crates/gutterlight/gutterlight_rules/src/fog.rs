//! Fog: no one sees far, neither the thief nor guards. Guards hear better in return.

use crate::{Twist, World};

/// How far someone sees on this floor whose sight is `cells` elsewhere, in cells.
pub(crate) fn sight(world: &World, cells: u32) -> u32 {
    match world.floor().twist {
        Some(Twist::Fog) => cells.min(world.rules.twists.fog_sight),
        _ => cells,
    }
}

/// The hearing of guards on this floor whose hearing is `percent` elsewhere, in percent.
pub(crate) fn hearing(world: &World, percent: u32) -> u32 {
    match world.floor().twist {
        Some(Twist::Fog) => percent * world.rules.twists.fog_hearing / 100,
        _ => percent,
    }
}
