//! Flaws: the reasons why a floor fails its proof.

use glam::IVec2;
use thiserror::Error;

use crate::FixtureKind;

/// A reason why a floor is not playable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Flaw {
    /// The scent or memory grid has another size than the floor.
    #[error("the planes of the floor have different sizes")]
    Sizes,
    /// The border has a passable cell.
    #[error("the border is open at {0}")]
    Border(IVec2),
    /// Stairs or the Ember are missing, or are where they should not be.
    #[error("{0}: missing or in a wrong place")]
    Goal(&'static str),
    /// Something cannot be reached.
    #[error("{0} at {1} cannot be reached")]
    Unreachable(&'static str, IVec2),
    /// The stairs are too close to each other.
    #[error(
        "the path from the stairs to the goal has {steps} steps, but must have at least {least}"
    )]
    Near {
        /// The length of the shortest path.
        steps: u32,
        /// The minimum.
        least: u32,
    },
    /// A single cell separates the stairs, so there is no second path.
    #[error("every path to the goal leads over {0}")]
    OneWay(IVec2),
    /// There is no reachable key to a locked door.
    #[error("there is no key to the locked door at {0}")]
    NoKey(IVec2),
    /// A lamp is in a wrong place.
    #[error("{0:?} at {1} is in a wrong place")]
    Lamp(FixtureKind, IVec2),
    /// There are more lamps than guards can index.
    #[error("there are {0} lamps, which are too many")]
    Lamps(usize),
    /// An item is in a wrong place, or two are in one cell.
    #[error("the item at {0} is in a wrong place")]
    Item(IVec2),
    /// A guard is in a wrong place, or two are in one cell.
    #[error("the guard at {0} is in a wrong place")]
    Guard(IVec2),
    /// A guard is too close to the stairs.
    #[error("the guard at {0} is too close to the stairs")]
    GuardNear(IVec2),
    /// A guard sees the stairs.
    #[error("the guard at {0} sees the stairs")]
    GuardSees(IVec2),
    /// No path is dark enough.
    #[error("{share} percent of the darkest path are lit")]
    NoDarkWay {
        /// The percentage of lit cells.
        share: u32,
    },
    /// There is too little fuel.
    #[error("there is fuel for {fuel} beats, but {needed} are needed")]
    Fuel {
        /// The available fuel, in beats.
        fuel: u32,
        /// The required fuel, in beats.
        needed: u32,
    },
}
