//! What grows on the land: nothing that heights tell, but what pictures must know.

/// What covers the land.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Cover {
    /// Beaches, meadows, forest, rock, snow.
    #[default]
    Temperate,
    /// Sand and gravel, and red layered rock where it is steeper than sand can lie.
    Desert,
}
