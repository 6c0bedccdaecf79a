//! The controls of the game.

use gutterlight_rules::Direction;

/// A control. Modifiers ("While held") change the effect of other controls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// A step, or a move of the cursor, in a direction.
    Way(Direction),
    /// While held, steps are runs.
    Run,
    /// While held, steps are sneaked, and slots are dropped.
    Sneak,
    /// While held, a direction peeks instead of stepping.
    Peek,
    Wait,
    Torch,
    Lamp,
    Door,
    Take,
    /// Uses or throws the tool in a slot. Also chooses a perk.
    Slot(u8),
    Shove,
    DropTorch,
    ThrowTorch,
    Ember,
    /// Picks up the item here, or takes the stairs. Also confirms the cursor.
    Here,
    Explore,
    Look,
    /// While held, shows what guards see.
    Cones,
    Map,
    Log,
    Help,
    Pause,
}

impl Control {
    /// All controls, in the order of the key bindings page.
    pub const ALL: [Self; 32] = [
        Self::Way(Direction::North),
        Self::Way(Direction::South),
        Self::Way(Direction::West),
        Self::Way(Direction::East),
        Self::Way(Direction::NorthWest),
        Self::Way(Direction::NorthEast),
        Self::Way(Direction::SouthWest),
        Self::Way(Direction::SouthEast),
        Self::Run,
        Self::Sneak,
        Self::Peek,
        Self::Wait,
        Self::Torch,
        Self::Lamp,
        Self::Door,
        Self::Take,
        Self::Here,
        Self::Slot(0),
        Self::Slot(1),
        Self::Slot(2),
        Self::Slot(3),
        Self::Shove,
        Self::DropTorch,
        Self::ThrowTorch,
        Self::Ember,
        Self::Explore,
        Self::Look,
        Self::Cones,
        Self::Map,
        Self::Log,
        Self::Help,
        Self::Pause,
    ];

    /// The name in the settings file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Way(Direction::North) => "north",
            Self::Way(Direction::South) => "south",
            Self::Way(Direction::West) => "west",
            Self::Way(Direction::East) => "east",
            Self::Way(Direction::NorthWest) => "north-west",
            Self::Way(Direction::NorthEast) => "north-east",
            Self::Way(Direction::SouthWest) => "south-west",
            Self::Way(Direction::SouthEast) => "south-east",
            Self::Run => "run",
            Self::Sneak => "sneak",
            Self::Peek => "peek",
            Self::Wait => "wait",
            Self::Torch => "torch",
            Self::Lamp => "lamp",
            Self::Door => "door",
            Self::Take => "take",
            Self::Slot(0) => "slot-1",
            Self::Slot(1) => "slot-2",
            Self::Slot(2) => "slot-3",
            Self::Slot(_) => "slot-4",
            Self::Shove => "shove",
            Self::DropTorch => "drop-torch",
            Self::ThrowTorch => "throw-torch",
            Self::Ember => "ember",
            Self::Here => "here",
            Self::Explore => "explore",
            Self::Look => "look",
            Self::Cones => "cones",
            Self::Map => "map",
            Self::Log => "log",
            Self::Help => "help",
            Self::Pause => "pause",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn control_names_are_unique() {
        let names: BTreeSet<_> = Control::ALL.map(Control::name).into();
        assert_eq!(names.len(), Control::ALL.len());
    }
}
