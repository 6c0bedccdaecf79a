//! The order of the plugin's systems.

use bevy::prelude::*;

/// The plugin's steps, in the order in which they run in [`Update`].
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TerrainSystems {
    /// Sees which terrains changed, and starts or replaces their background work.
    Generate,
    /// Takes in what the background work made: parts, [`TerrainSurface`](crate::TerrainSurface), collider, events.
    Build,
    /// Follows the camera and the looks: levels of detail, colors, water.
    Present,
}
