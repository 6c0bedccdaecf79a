//! The system sets of the plugin.

use bevy::{asset::AssetEventSystems, prelude::*};

/// The system sets of [`TerrainPlugin`](crate::TerrainPlugin). They run in [`PostUpdate`], in this order, before
/// [`TransformSystems::Propagate`] and [`AssetEventSystems`]. With the feature `rapier`, they also run before
/// `bevy_rapier3d::plugin::PhysicsSet::SyncBackend`.
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

pub(crate) fn plugin(app: &mut App) {
    let sets = (
        TerrainSystems::Generate,
        TerrainSystems::Build,
        TerrainSystems::Swap,
        TerrainSystems::Present,
    );
    let sets = sets
        .chain()
        .before(TransformSystems::Propagate)
        .before(AssetEventSystems);
    #[cfg(feature = "rapier")]
    let sets = sets.before(bevy_rapier3d::plugin::PhysicsSet::SyncBackend);
    app.configure_sets(PostUpdate, sets);
}
