//! What can be asked for by pressing something.

use gutterlight_rules::Direction;

/// One thing that can be asked for. Those that say "while held" change what others do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// A step, or the cursor, that way.
    Way(Direction),
    /// While held, steps are runs.
    Run,
    /// While held, steps are sneaked, and slots are put down.
    Sneak,
    /// While held, a way is only peeked.
    Peek,
    Wait,
    Torch,
    Lamp,
    Door,
    Take,
    /// Uses or throws what is in a slot; learns one of three things.
    Slot(u8),
    Shove,
    DropTorch,
    ThrowTorch,
    Ember,
    /// Takes what lies here, or the stairs; says yes to a cursor.
    Here,
    Explore,
    Look,
    /// While held, shows where guards would see.
    Cones,
    Map,
    Log,
    Help,
    Pause,
}

impl Control {
    /// All of them, in the order in which they are listed.
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

    /// Its name in the file of settings.
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
    fn every_control_has_a_name_of_its_own() {
        let names: BTreeSet<_> = Control::ALL.map(Control::name).into();
        assert_eq!(names.len(), Control::ALL.len());
    }
}
