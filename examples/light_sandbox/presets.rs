//! Maps to start with.

mod cathedral;
mod cave;
mod house;
mod maze;

use crate::drawing::Drawing;

/// A map to start with.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Preset {
    /// A few rooms that show how light behaves.
    #[default]
    House,
    /// All cells are wall.
    Solid,
    Maze,
    Cave,
    Cathedral,
}

impl Preset {
    pub const ALL: [Self; 5] = [
        Self::House,
        Self::Solid,
        Self::Maze,
        Self::Cave,
        Self::Cathedral,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::House => "house",
            Self::Solid => "solid",
            Self::Maze => "maze",
            Self::Cave => "cave",
            Self::Cathedral => "cathedral",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.name() == name)
    }

    /// Draws the map. Only the maze and the cave depend on the seed.
    pub fn draw(self, seed: u32) -> Drawing {
        match self {
            Self::House => house::draw(),
            Self::Solid => Drawing::solid(Drawing::SIZE),
            Self::Maze => maze::draw(seed),
            Self::Cave => cave::draw(seed),
            Self::Cathedral => cathedral::draw(),
        }
    }
}

/// A random number generator (PCG; O'Neill 2014) with the same results on every machine.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u32) -> Self {
        Self(u64::from(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, end: u32) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let mixed = ((self.0 >> 18) ^ self.0) >> 27;
        (mixed as u32).rotate_right((self.0 >> 59) as u32) % end.max(1)
    }
}
