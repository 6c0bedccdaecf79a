//! What can be wrong with a floor.

use glam::IVec2;
use thiserror::Error;

use crate::FixtureKind;

/// What is wrong with a floor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Flaw {
    /// What is remembered and smelt has another size than the floor.
    #[error("the planes of the floor have different sizes")]
    Sizes,
    /// One could walk out.
    #[error("the border is open at {0}")]
    Border(IVec2),
    /// There are no such stairs, or no Ember; or one that should not be.
    #[error("{0} should be where it is not, or is where it should not be")]
    Goal(&'static str),
    /// Something can not be reached.
    #[error("{0} at {1} can not be reached")]
    Unreachable(&'static str, IVec2),
    /// The stairs are too near to each other.
    #[error("it is {steps} steps from the stairs to the goal, but must be {least}")]
    Near {
        /// Along the way.
        steps: u32,
        /// What is asked for.
        least: u32,
    },
    /// There is but one way.
    #[error("every way leads over {0}")]
    OneWay(IVec2),
    /// A door is locked, and there is no key that can be reached.
    #[error("there is no key to the locked door at {0}")]
    NoKey(IVec2),
    /// A lamp where none can be.
    #[error("{0:?} at {1} hangs wrong")]
    Lamp(FixtureKind, IVec2),
    /// There are more lamps than can be told apart.
    #[error("there are {0} lamps")]
    Lamps(usize),
    /// An item where none can be, or two in one cell.
    #[error("what lies at {0} can not lie there")]
    Item(IVec2),
    /// A guard where none can be, or two in one cell.
    #[error("the guard at {0} can not stand there")]
    Guard(IVec2),
    /// A guard is too near to the stairs.
    #[error("the guard at {0} is too near to the stairs")]
    GuardNear(IVec2),
    /// A guard sees the stairs.
    #[error("the guard at {0} has the stairs in sight")]
    GuardSees(IVec2),
    /// No way is dark enough.
    #[error("of the darkest way {share} percent are lit")]
    NoDarkWay {
        /// Lit cells, percent.
        share: u32,
    },
    /// There is too little to burn.
    #[error("there is fuel for {fuel} beats, but {needed} are needed")]
    Fuel {
        /// What there is.
        fuel: u32,
        /// What there must be.
        needed: u32,
    },
}
