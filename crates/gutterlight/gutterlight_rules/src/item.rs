//! Items, and the tools that fit into the thief's slots.

use glam::IVec2;
use serde::{Deserialize, Serialize};

/// A tool, which fits into one of the thief's slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Tool {
    /// Used: adds fuel to the torch. Thrown: breaks and covers the floor with oil, which fire
    /// ignites.
    OilFlask,
    /// Thrown: puts out the flames where it breaks. Used: wets the cloth, so that it lasts longer.
    WaterVial,
    /// Thrown: fills a room with smoke.
    SmokeBomb,
    /// Thrown: makes a noise where it lands.
    Pebbles,
    /// Thrown: puts the first guard in its way to sleep.
    SleepingDart,
    /// Opens a lock without the key, with some noise. Used up.
    Picklock,
    /// Worn: the wearer looks one band darker and cannot run.
    DarkCloak,
    /// Used: the thief hears much farther for a while.
    EarTrumpet,
    /// Restores health and nerve.
    Salve,
    /// Teleports the thief to the darkest known cell in reach.
    BlinkScroll,
}

impl Tool {
    /// All tools, in declaration order.
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

    /// Whether the tool can be thrown.
    pub const fn is_thrown(self) -> bool {
        matches!(
            self,
            Self::OilFlask | Self::WaterVial | Self::SmokeBomb | Self::Pebbles | Self::SleepingDart
        )
    }

    /// The name in English, as a noun without an article.
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

/// A stack of one kind of tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stack {
    /// The kind of tool.
    pub tool: Tool,
    /// The number of tools; at least 1.
    pub count: u8,
}

/// A hand torch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Torch {
    /// Whether it is lit.
    pub lit: bool,
    /// The remaining fuel, in beats.
    pub fuel: u16,
}

/// An item that lies on the floor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Item {
    /// A stack of tools.
    Tool(Stack),
    /// A torch. If the thief already holds a torch, picking this one up adds its fuel to it.
    Torch(Torch),
    /// A key that opens every lock of its floor.
    Key,
    /// Treasure of this value.
    Treasure(u16),
    /// Cloth that wraps the Ember for this many beats.
    Cloth(u16),
    /// The Ember, the goal of the game.
    Ember,
    /// A prisoner, who is freed when picked up.
    Prisoner,
}

impl Item {
    /// Whether picking the item up is always possible and useful: treasure, keys and cloth. Torches
    /// and tools may not fit, and the Ember wakes the keep.
    pub const fn is_loot(self) -> bool {
        matches!(self, Self::Treasure(_) | Self::Key | Self::Cloth(_))
    }

    /// The name in English, as a noun with its article.
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

/// An item in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placed {
    /// The cell.
    pub at: IVec2,
    /// The item.
    pub item: Item,
}
