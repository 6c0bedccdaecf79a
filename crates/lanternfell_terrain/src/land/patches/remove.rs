//! Despawns chunks that have been replaced, and chunks whose terrain is gone.

use bevy::prelude::*;

use crate::{
    ground::{Terrain, TerrainProgress},
    land::{
        chunk::TerrainChunk,
        patches::{PendingCut, Retired},
    },
};

/// The number of chunks that are despawned per frame. Each frees GPU memory.
const DESPAWNS_PER_FRAME: usize = 64;

/// Despawns replaced chunks, a limited number per frame.
pub(super) fn despawn_retired(mut commands: Commands, retired: Query<Entity, With<Retired>>) {
    for chunk in retired.iter().take(DESPAWNS_PER_FRAME) {
        commands.entity(chunk).try_despawn();
    }
}

/// Despawns chunks whose terrain was despawned by a command in the same frame in which they were spawned. They were not
/// yet children of the terrain when it was despawned.
pub(super) fn despawn_orphans(
    mut commands: Commands,
    terrains: Query<(), With<Terrain>>,
    chunks: Query<(Entity, &TerrainChunk)>,
) {
    for (entity, chunk) in &chunks {
        if !terrains.contains(chunk.terrain) {
            commands.entity(entity).try_despawn();
        }
    }
}

/// Cancels the first cut of new terrain when newer work replaces it.
pub(super) fn cancel_swap(
    discard: On<Discard, TerrainProgress>,
    pending: Query<&PendingCut>,
    mut commands: Commands,
) {
    let swaps = pending
        .get(discard.entity)
        .is_ok_and(|pending| pending.new_ground.is_some());
    if swaps && let Ok(mut terrain) = commands.get_entity(discard.entity) {
        terrain.try_remove::<PendingCut>();
    }
}

/// Despawns the hidden chunks of a cut that was canceled.
pub(super) fn despawn_unfinished(
    discard: On<Discard, PendingCut>,
    pending: Query<&PendingCut>,
    mut commands: Commands,
) {
    let fresh = pending
        .get(discard.entity)
        .into_iter()
        .flat_map(|pending| pending.fresh.values());
    for chunk in fresh {
        commands.entity(chunk.chunk).try_despawn();
    }
}

/// Despawns the chunks of an entity when its [`Terrain`] component is removed.
pub(super) fn despawn_chunks(
    remove: On<Remove, Terrain>,
    chunks: Query<(Entity, &TerrainChunk)>,
    mut commands: Commands,
) {
    for (entity, chunk) in &chunks {
        if chunk.terrain == remove.entity {
            commands.entity(entity).try_despawn();
        }
    }
}
