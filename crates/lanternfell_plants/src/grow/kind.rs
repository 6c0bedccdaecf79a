//! The kinds of plants and stones, one row per kind. Everything that differs between kinds is in [`Species`].
//!
//! To add a kind, write its program in a new module (or reuse [`crowned`], [`tuft`] or [`rock`] with other parameters),
//! and append a row to the list. The index of a row seeds the kind's random numbers: moving a row changes every plant
//! after it.

use super::{
    Level, PlantMesh, Purpose, Solid, bush, crowned, driftwood, habit::Habit, palm, pine, rock,
    rock::Cut, tuft, tuft::Tuft,
};
use crate::hash::{Draws, Key};

/// What is drawn beyond the middle level of detail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FarLevel {
    /// An image of the near mesh, with the size of its [`Frame`](super::Frame): trees and bushes.
    Impostor,
    /// A mesh of a few triangles: stones.
    Mesh,
    /// Nothing: plants such as grass, which are too small to be visible from there.
    None,
}

/// The definition of a kind.
pub(super) struct Species {
    name: &'static str,
    far: FarLevel,
    /// Grows the mesh for a seed and level. Not called with [`Level::Far`] for kinds with an impostor.
    pub(super) grow: fn(u64, Level) -> PlantMesh,
    /// The collision shape for a seed. `None`: no collision.
    pub(super) solid: Option<fn(u64) -> Solid>,
}

/// Declares [`PlantKind`] from one row per kind, so that the enum, [`PlantKind::ALL`] and the species always match.
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
    /// A conifer, about 12 m tall.
    Pine = Species {
        name: "pine",
        far: FarLevel::Impostor,
        grow: pine::grow,
        solid: Some(pine::solid),
    };
    /// A broadleaf tree, about 9 m tall.
    Broadleaf = Species {
        name: "broadleaf",
        far: FarLevel::Impostor,
        grow: |seed, level| crowned::grow(PlantKind::Broadleaf, &Habit::BROADLEAF, seed, level),
        solid: Some(|seed| crowned::solid(PlantKind::Broadleaf, &Habit::BROADLEAF, seed)),
    };
    /// A palm, about 8 m tall.
    Palm = Species {
        name: "palm",
        far: FarLevel::Impostor,
        grow: palm::grow,
        solid: Some(palm::solid),
    };
    /// A slender white tree, about 10 m tall.
    Birch = Species {
        name: "birch",
        far: FarLevel::Impostor,
        grow: |seed, level| crowned::grow(PlantKind::Birch, &Habit::BIRCH, seed, level),
        solid: Some(|seed| crowned::solid(PlantKind::Birch, &Habit::BIRCH, seed)),
    };
    /// A bare, dead tree, about 6 m tall.
    Dead = Species {
        name: "dead",
        far: FarLevel::Impostor,
        grow: |seed, level| crowned::grow(PlantKind::Dead, &Habit::DEAD, seed, level),
        solid: Some(|seed| crowned::solid(PlantKind::Dead, &Habit::DEAD, seed)),
    };
    /// A bush, about 1.2 m tall.
    Bush = Species {
        name: "bush",
        far: FarLevel::Impostor,
        grow: bush::grow,
        solid: None,
    };
    /// A fern, about 0.6 m tall.
    Fern = Species {
        name: "fern",
        far: FarLevel::None,
        grow: tuft::grow_fern,
        solid: None,
    };
    /// Flowers, about 0.4 m tall.
    Flower = Species {
        name: "flower",
        far: FarLevel::None,
        grow: |seed, level| tuft::grow(PlantKind::Flower, &Tuft::FLOWER, seed, level),
        solid: None,
    };
    /// A tuft of grass, about 0.5 m tall.
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
    /// A bleached log, about 2.5 m long.
    Driftwood = Species {
        name: "driftwood",
        far: FarLevel::Mesh,
        grow: driftwood::grow,
        solid: Some(driftwood::solid),
    };
}

impl PlantKind {
    /// The name in lower case.
    pub const fn name(self) -> &'static str {
        self.species().name
    }

    /// What is drawn beyond the middle level of detail.
    pub const fn far_level(self) -> FarLevel {
        self.species().far
    }

    /// The random numbers of an individual for one purpose.
    pub(super) fn draws(self, seed: u64, purpose: Purpose) -> Draws {
        Key::new(seed, self as u64).with(purpose as u64).stream()
    }
}
