//! What goes, and when: chunks that others have replaced, and those whose terrain is gone.

use bevy::prelude::*;

use crate::{
    ground::{Generating, Terrain},
    land::{
        chunk::TerrainChunk,
        patches::{PendingCut, Retired},
    },
};

/// Chunks that one frame clears away: each gives memory back.
const DESPAWNS_PER_FRAME: usize = 64;

/// Clears away what others have replaced, a little each frame.
pub(super) fn despawn_retired(mut commands: Commands, retired: Query<Entity, With<Retired>>) {
    for chunk in retired.iter().take(DESPAWNS_PER_FRAME) {
        commands.entity(chunk).try_despawn();
    }
}

/// Clears away chunks whose terrain was taken away by a command of the frame in which they were
/// spawned: they were too late to go with it.
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

/// Newer work takes the place of ground whose first cut is being made.
pub(super) fn cancel_swap(
    discard: On<Discard, Generating>,
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

/// A cut was given up: the hidden chunks go too.
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

/// The [`Terrain`] was taken from its entity: its chunks go with it.
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
