//! The kinds of plants and stones, one row each: everything that differs from kind to kind is in [`Species`].
//!
//! To add a kind, write its program in a module of its own (or reuse [`crowned`], [`tuft`] or [`rock`] with other
//! measures), and add a row to the end of the list. The position of a row is part of the kind's random numbers: moving
//! one changes every plant after it.

use super::{
    Level, PlantMesh, Purpose, Solid, bush, crowned, driftwood, habit::Habit, palm, pine, rock,
    rock::Cut, tuft, tuft::Tuft,
};
use crate::hash::{Draws, Key};

/// What is drawn of a plant beyond its middle level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FarLevel {
    /// A picture of its near mesh, as large as its [`Frame`](super::Frame): trees and bushes.
    Impostor,
    /// A mesh of a few triangles: stones.
    Mesh,
    /// Nothing: it is too small to be seen from there, as grass is.
    None,
}

/// What a kind is.
pub(super) struct Species {
    name: &'static str,
    far: FarLevel,
    /// Its mesh by seed and level; at [`Level::Far`] not called for kinds with an impostor.
    pub(super) grow: fn(u64, Level) -> PlantMesh,
    /// What bodies meet, by seed; `None` for what one walks through.
    pub(super) solid: Option<fn(u64) -> Solid>,
}

/// Declares [`PlantKind`] from one row per kind, so that the enum, [`PlantKind::ALL`] and the species cannot disagree.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $species:expr;)*) => {
        /// A kind of plant or stone.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
        #[cfg_attr(feature = "bevy_reflect", reflect(Clone, Debug, Hash, PartialEq))]
        pub enum PlantKind {
            $($(#[$doc])* $kind,)*
        }

        impl PlantKind {
            /// All kinds.
            pub const ALL: [Self; [$(stringify!($kind)),*].len()] = [$(Self::$kind),*];

            pub(super) const fn species(self) -> &'static Species {
                match self {
                    $(Self::$kind => const { &$species },)*
                }
            }
        }
    };
}

kinds! {
    /// A conifer of about 12 m.
    Pine = Species {
        name: "pine",
        far: FarLevel::Impostor,
        grow: pine::grow,
        solid: Some(pine::solid),
    };
    /// A broad tree of about 9 m.
    Broadleaf = Species {
        name: "broadleaf",
        far: FarLevel::Impostor,
        grow: |seed, level| crowned::grow(PlantKind::Broadleaf, &Habit::BROADLEAF, seed, level),
        solid: Some(|seed| crowned::solid(PlantKind::Broadleaf, &Habit::BROADLEAF, seed)),
    };
    /// A palm of about 8 m.
    Palm = Species {
        name: "palm",
        far: FarLevel::Impostor,
        grow: palm::grow,
        solid: Some(palm::solid),
    };
    /// A slender white tree of about 10 m.
    Birch = Species {
        name: "birch",
        far: FarLevel::Impostor,
        grow: |seed, level| crowned::grow(PlantKind::Birch, &Habit::BIRCH, seed, level),
        solid: Some(|seed| crowned::solid(PlantKind::Birch, &Habit::BIRCH, seed)),
    };
    /// A bare, dead tree of about 6 m.
    Dead = Species {
        name: "dead",
        far: FarLevel::Impostor,
        grow: |seed, level| crowned::grow(PlantKind::Dead, &Habit::DEAD, seed, level),
        solid: Some(|seed| crowned::solid(PlantKind::Dead, &Habit::DEAD, seed)),
    };
    /// A bush of about 1.2 m.
    Bush = Species {
        name: "bush",
        far: FarLevel::Impostor,
        grow: bush::grow,
        solid: None,
    };
    /// A fern of about 0.6 m.
    Fern = Species {
        name: "fern",
        far: FarLevel::None,
        grow: tuft::grow_fern,
        solid: None,
    };
    /// Flowers of about 0.4 m.
    Flower = Species {
        name: "flower",
        far: FarLevel::None,
        grow: |seed, level| tuft::grow(PlantKind::Flower, &Tuft::FLOWER, seed, level),
        solid: None,
    };
    /// A tuft of grass of about 0.5 m.
    Grass = Species {
        name: "grass",
        far: FarLevel::None,
        grow: |seed, level| tuft::grow(PlantKind::Grass, &Tuft::GRASS, seed, level),
        solid: None,
    };
    /// A rounded stone of about 1 m.
    Boulder = Species {
        name: "boulder",
        far: FarLevel::Mesh,
        grow: |seed, level| rock::grow(PlantKind::Boulder, &Cut::BOULDER, seed, level),
        solid: Some(|seed| rock::solid(PlantKind::Boulder, &Cut::BOULDER, seed)),
    };
    /// A flat stone of about 1.6 m.
    Slab = Species {
        name: "slab",
        far: FarLevel::Mesh,
        grow: |seed, level| rock::grow(PlantKind::Slab, &Cut::SLAB, seed, level),
        solid: Some(|seed| rock::solid(PlantKind::Slab, &Cut::SLAB, seed)),
    };
    /// A standing stone of about 2 m.
    Spire = Species {
        name: "spire",
        far: FarLevel::Mesh,
        grow: |seed, level| rock::grow(PlantKind::Spire, &Cut::SPIRE, seed, level),
        solid: Some(|seed| rock::solid(PlantKind::Spire, &Cut::SPIRE, seed)),
    };
    /// A bleached log of about 2.5 m.
    Driftwood = Species {
        name: "driftwood",
        far: FarLevel::Mesh,
        grow: driftwood::grow,
        solid: Some(driftwood::solid),
    };
}

impl PlantKind {
    /// Its name, in lower case.
    pub const fn name(self) -> &'static str {
        self.species().name
    }

    /// What is drawn of it beyond its middle level.
    pub const fn far_level(self) -> FarLevel {
        self.species().far
    }

    /// The individual's random numbers, for one of several purposes.
    pub(super) fn draws(self, seed: u64, purpose: Purpose) -> Draws {
        Key::new(seed, self as u64).with(purpose as u64).stream()
    }
}
