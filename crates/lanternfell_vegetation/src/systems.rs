//! The system sets of the plugin.

use bevy::prelude::*;

/// System sets of the plugin, in the order in which they run in [`Update`], after
/// [`TerrainSystems::Present`](lanternfell_terrain::TerrainSystems::Present).
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VegetationSystems {
    /// Detects changed terrains and rules.
    Sow,
    /// Follows cameras and bodies: starts background tasks, despawns what is out of range, takes over a limited amount
    /// of finished work, and updates [`DrawnVegetation`](crate::DrawnVegetation).
    Grow,
}
