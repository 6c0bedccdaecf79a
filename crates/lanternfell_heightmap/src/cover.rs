//! What grows on the land: nothing that heights tell, but what pictures must know.

use serde::{Deserialize, Serialize};

/// What covers the land.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cover {
    /// Beaches, meadows, forest, rock, snow.
    #[default]
    Temperate,
    /// Sand and gravel, and red layered rock where it is steeper than sand can lie.
    Desert,
}

impl Cover {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Temperate, Self::Desert];

    /// What it is called in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Temperate => "temperate",
            Self::Desert => "desert",
        }
    }

    /// The cover of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|cover| cover.name() == name)
    }
}
