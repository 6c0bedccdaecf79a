//! The lights that are part of the keep.

use glam::IVec2;
use serde::{Deserialize, Serialize};

/// A kind of light fixture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum FixtureKind {
    /// A torch in a bracket on a wall.
    Sconce,
    /// A bowl of coals. Blocks its cell.
    Brazier,
    /// Teal fungus. Cannot be put out.
    Fungus,
    /// The violet crystal of a shrine. Cannot be put out.
    Crystal,
    /// A shaft of moonlight. A shutter next to it can close it.
    Moonlight,
}

impl FixtureKind {
    /// All kinds of fixtures, in declaration order.
    pub const ALL: [Self; 5] = [
        Self::Sconce,
        Self::Brazier,
        Self::Fungus,
        Self::Crystal,
        Self::Moonlight,
    ];

    /// Whether it is a flame, which can be put out and relit.
    pub const fn is_flame(self) -> bool {
        matches!(self, Self::Sconce | Self::Brazier)
    }

    /// Whether it blocks its cell.
    pub const fn is_solid(self) -> bool {
        matches!(self, Self::Brazier)
    }

    /// The name in English, as a noun with its article.
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

/// A light that is part of the keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fixture {
    /// The kind of light.
    pub kind: FixtureKind,
    /// The cell in which it stands, or into which it shines. Never an opaque cell.
    pub at: IVec2,
    /// Whether it gives light now. Guards expect flames to burn.
    pub burning: bool,
    /// Whether it is kept in reserve for an alarm. Guards expect such a lamp to be dark until then.
    pub spare: bool,
}
