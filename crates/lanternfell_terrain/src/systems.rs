//! The system sets of the plugin.

use bevy::prelude::*;

/// The system sets of [`TerrainPlugin`](crate::TerrainPlugin). They run in [`Update`], in this order.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TerrainSystems {
    /// Detects changed terrains, and starts or replaces their background work.
    Generate,
    /// Applies the results of the background work: patches, [`TerrainSurface`](crate::TerrainSurface), collider and
    /// events. Then checks the cameras, and starts to build other patches.
    Build,
    /// Shows the finished regions of an [`EndlessTerrain`](crate::EndlessTerrain) instead of the previous ones, and
    /// copies the components of the endless terrain to its regions.
    Swap,
    /// Applies changes of colors, materials and water.
    Present,
}
