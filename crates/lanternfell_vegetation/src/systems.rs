//! The system sets of the plugin.

use bevy::{asset::AssetEventSystems, prelude::*};
use lanternfell_terrain::TerrainSystems;

/// System sets of the plugin. They run in [`PostUpdate`] in this order, after [`TerrainSystems::Present`] and before
/// [`TransformSystems::Propagate`] and [`AssetEventSystems`]. With the feature `rapier`, they also run before
/// `bevy_rapier3d::plugin::PhysicsSet::SyncBackend`.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VegetationSystems {
    /// Detects changed terrains and rules.
    Scatter,
    /// Follows cameras and bodies: starts background tasks, despawns what is out of range, spawns a limited amount of
    /// finished work, and updates [`DrawnVegetation`](crate::DrawnVegetation).
    Grow,
}

pub(crate) fn plugin(app: &mut App) {
    let sets = (VegetationSystems::Scatter, VegetationSystems::Grow)
        .chain()
        .after(TerrainSystems::Present)
        .before(TransformSystems::Propagate)
        .before(AssetEventSystems);
    #[cfg(feature = "rapier")]
    let sets = sets.before(bevy_rapier3d::plugin::PhysicsSet::SyncBackend);
    app.configure_sets(PostUpdate, sets);
}
