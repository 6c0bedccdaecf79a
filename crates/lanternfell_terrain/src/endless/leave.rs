//! Removes windows that have been replaced: hidden at once, then despawned over several frames.

use bevy::prelude::*;

use super::{EndlessTerrain, window::WindowMap};
use crate::{
    ground::{Retire, drop_elsewhere},
    land::chunk::TerrainChunk,
    window::TerrainRegion,
};

/// Marks a window that is being despawned.
#[derive(Component)]
pub(super) struct Leaving;

/// The number of chunks that are despawned per frame. Each frees GPU memory.
const DESPAWNS_PER_FRAME: usize = 64;

/// Hides a window and starts despawning it.
pub(super) fn leave(commands: &mut Commands, window: Entity) {
    if let Ok(mut window) = commands.get_entity(window) {
        window.queue_silenced(|mut window: EntityWorldMut| {
            window.remove::<TerrainRegion>();
            window.insert((Leaving, Visibility::Hidden));
            window.trigger(|entity| Retire { entity });
        });
    }
}

/// Despawns the remains of windows.
pub(super) fn clear_away(
    mut commands: Commands,
    leaving: Query<(Entity, Option<&Children>), With<Leaving>>,
    chunks: Query<(), With<TerrainChunk>>,
    windows: Query<(Entity, &TerrainRegion)>,
    wholes: Query<(), With<EndlessTerrain>>,
) {
    // Windows whose endless terrain was despawned in the same frame in which they were spawned.
    for (entity, window) in &windows {
        if !wholes.contains(window.terrain) {
            leave(&mut commands, entity);
        }
    }
    for (entity, children) in &leaving {
        let children = children.into_iter().flat_map(Children::iter);
        let mut left = children.filter(|&child| chunks.contains(child)).peekable();
        if left.peek().is_none() {
            commands.entity(entity).queue_silenced(despawn);
        }
        for chunk in left.take(DESPAWNS_PER_FRAME) {
            commands.entity(chunk).try_despawn();
        }
    }
}

/// Despawns the window, and drops its map on another thread.
fn despawn(mut window: EntityWorldMut) {
    let map = window.take::<WindowMap>();
    window.despawn();
    drop_elsewhere(map);
}
