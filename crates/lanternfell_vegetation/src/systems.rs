//! The order of the plugin's systems.

use bevy::prelude::*;

/// The plugin's steps, in the order in which they run in [`Update`], after
/// [`TerrainSystems::Present`](lanternfell_terrain::TerrainSystems::Present).
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VegetationSystems {
    /// Sees which ground and rules changed.
    Sow,
    /// Follows cameras and bodies: begins in the background what they need, puts away what nobody does, takes in a
    /// little of what was made, and tells how much there is in [`DrawnVegetation`](crate::DrawnVegetation).
    Grow,
}
