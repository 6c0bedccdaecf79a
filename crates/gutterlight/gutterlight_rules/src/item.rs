//! What lies about and can be taken.

use glam::IVec2;
use serde::{Deserialize, Serialize};

/// What fits into one of the thief's slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Tool {
    /// Poured into the torch, it is fuel; thrown, it breaks, and fire sets it alight.
    OilFlask,
    /// Thrown, it puts out the flames where it breaks; poured over cloth, it keeps that from burning.
    WaterVial,
    /// Thrown, it fills a room with smoke.
    SmokeBomb,
    /// Thrown, one makes a noise where it falls.
    Pebbles,
    /// Thrown, it puts a guard to sleep.
    SleepingDart,
    /// Opens locks, without the key, and with some noise.
    Picklock,
    /// Worn, its wearer is one band darker and can not run.
    DarkCloak,
    /// For a while every sound of the floor is heard.
    EarTrumpet,
    /// Heals.
    Salve,
    /// Takes its reader to the darkest place in reach, at once.
    BlinkScroll,
}

impl Tool {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::OilFlask,
        Self::WaterVial,
        Self::SmokeBomb,
        Self::Pebbles,
        Self::SleepingDart,
        Self::Picklock,
        Self::DarkCloak,
        Self::EarTrumpet,
        Self::Salve,
        Self::BlinkScroll,
    ];

    /// Whether it is for throwing.
    pub const fn is_thrown(self) -> bool {
        matches!(
            self,
            Self::OilFlask | Self::WaterVial | Self::SmokeBomb | Self::Pebbles | Self::SleepingDart
        )
    }

    /// As a noun without its article.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OilFlask => "oil flask",
            Self::WaterVial => "water vial",
            Self::SmokeBomb => "smoke bomb",
            Self::Pebbles => "pebbles",
            Self::SleepingDart => "sleeping dart",
            Self::Picklock => "picklock",
            Self::DarkCloak => "dark cloak",
            Self::EarTrumpet => "ear trumpet",
            Self::Salve => "salve",
            Self::BlinkScroll => "blink scroll",
        }
    }
}

/// A number of the same tool; never 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stack {
    /// Which tool.
    pub tool: Tool,
    /// How many, or how many uses.
    pub count: u8,
}

/// A hand torch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Torch {
    /// Whether it burns.
    pub lit: bool,
    /// For how many more beats it can.
    pub fuel: u16,
}

/// Something that lies on the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Item {
    /// For a slot.
    Tool(Stack),
    /// A torch; taken while one is in the hand, it becomes fuel for that one.
    Torch(Torch),
    /// Opens every lock of its floor.
    Key,
    /// Worth so much.
    Treasure(u16),
    /// Wraps the Ember for so many beats.
    Cloth(u16),
    /// What the thief came for.
    Ember,
    /// Someone who is locked up; taken, he is free.
    Prisoner,
}

impl Item {
    /// Whether it is taken without a thought: treasure, keys and cloth, which always fit.
    /// Torches and tools may not, and the Ember wakes the keep.
    pub const fn is_loot(self) -> bool {
        matches!(self, Self::Treasure(_) | Self::Key | Self::Cloth(_))
    }

    /// As a noun with its article.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tool(Stack { tool, .. }) => match tool {
                Tool::OilFlask => "an oil flask",
                Tool::WaterVial => "a water vial",
                Tool::SmokeBomb => "a smoke bomb",
                Tool::Pebbles => "a handful of pebbles",
                Tool::SleepingDart => "a sleeping dart",
                Tool::Picklock => "a picklock",
                Tool::DarkCloak => "a dark cloak",
                Tool::EarTrumpet => "an ear trumpet",
                Tool::Salve => "a salve",
                Tool::BlinkScroll => "a blink scroll",
            },
            Self::Torch(Torch { lit: true, .. }) => "a burning torch",
            Self::Torch(Torch { lit: false, .. }) => "a torch",
            Self::Key => "a key",
            Self::Treasure(_) => "treasure",
            Self::Cloth(_) => "a roll of wet cloth",
            Self::Ember => "the Ember",
            Self::Prisoner => "a prisoner",
        }
    }
}

/// Something that lies in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placed {
    /// Where.
    pub at: IVec2,
    /// What.
    pub item: Item,
}
