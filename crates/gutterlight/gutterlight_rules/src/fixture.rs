//! Lights that belong to the keep.

use glam::IVec2;
use serde::{Deserialize, Serialize};

/// What kind of light it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum FixtureKind {
    /// A torch in a bracket on a wall.
    Sconce,
    /// A bowl of coals; it stands in the way.
    Brazier,
    /// Teal; it can not be put out.
    Fungus,
    /// The violet crystal of a shrine; it can not be put out.
    Crystal,
    /// A shaft of moonlight; where there is a shutter beside it, it can be closed.
    Moonlight,
}

impl FixtureKind {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Sconce,
        Self::Brazier,
        Self::Fungus,
        Self::Crystal,
        Self::Moonlight,
    ];

    /// Whether it is a flame, which can be doused and lit again.
    pub const fn is_flame(self) -> bool {
        matches!(self, Self::Sconce | Self::Brazier)
    }

    /// Whether nobody can stand in its cell.
    pub const fn is_solid(self) -> bool {
        matches!(self, Self::Brazier)
    }

    /// As a noun with its article.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sconce => "a sconce",
            Self::Brazier => "a brazier",
            Self::Fungus => "glowing fungus",
            Self::Crystal => "a shrine crystal",
            Self::Moonlight => "a shaft of moonlight",
        }
    }
}

/// A light that belongs to the keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fixture {
    /// What kind of light.
    pub kind: FixtureKind,
    /// The cell that it stands in, or shines into: never one in which light can not be.
    pub at: IVec2,
    /// Whether it gives light now. Guards expect that flames do.
    pub burning: bool,
    /// Whether it is kept for an alarm, and else expected to be dark.
    pub spare: bool,
}
