//! The order of the plugin's systems.

use bevy::prelude::*;

/// The plugin's steps, in the order in which they run in [`Update`].
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TerrainSystems {
    /// Sees which terrains changed, and starts or replaces their background work.
    Generate,
    /// Takes in what the background work made: patches, [`TerrainSurface`](crate::TerrainSurface), collider, events;
    /// looks where the cameras are, and begins other patches.
    Build,
    /// Puts other windows of an [`EndlessTerrain`](crate::EndlessTerrain) in the place of those shown, and gives
    /// them what the whole has.
    Swap,
    /// Follows the looks: colors, materials, water.
    Present,
}
