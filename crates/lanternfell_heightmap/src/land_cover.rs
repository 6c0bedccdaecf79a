//! Land cover, which heights do not contain but rendering needs.

use serde::{Deserialize, Serialize};

/// What covers the terrain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LandCover {
    /// Beaches, meadows, forest, rock, snow.
    #[default]
    Temperate,
    /// Sand and gravel, and red layered rock on slopes too steep for sand.
    Desert,
}

impl LandCover {
    /// All land covers.
    pub const ALL: [Self; 2] = [Self::Temperate, Self::Desert];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Temperate => "temperate",
            Self::Desert => "desert",
        }
    }

    /// The land cover called `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|cover| cover.name() == name)
    }
}
