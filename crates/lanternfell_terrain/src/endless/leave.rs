//! Removes regions that have been replaced: hidden at once, then despawned over several frames.

use bevy::prelude::*;

use super::{EndlessTerrain, region::RegionMap};
use crate::{
    ground::{Retire, drop_elsewhere},
    land::chunk::TerrainChunk,
    region::TerrainRegion,
};

/// Marks a region that is being despawned.
#[derive(Component)]
pub(super) struct Leaving;

/// The number of chunks that are despawned per frame. Each frees GPU memory.
const DESPAWNS_PER_FRAME: usize = 64;

/// Hides a region and starts despawning it.
pub(super) fn leave(commands: &mut Commands, region: Entity) {
    if let Ok(mut region) = commands.get_entity(region) {
        region.queue_silenced(|mut region: EntityWorldMut| {
            region.remove::<TerrainRegion>();
            region.insert((Leaving, Visibility::Hidden));
            region.trigger(|entity| Retire { entity });
        });
    }
}

/// Despawns the remains of regions.
pub(super) fn clear_away(
    mut commands: Commands,
    leaving: Query<(Entity, Option<&Children>), With<Leaving>>,
    chunks: Query<(), With<TerrainChunk>>,
    regions: Query<(Entity, &TerrainRegion)>,
    wholes: Query<(), With<EndlessTerrain>>,
) {
    // Regions whose endless terrain was despawned in the same frame in which they were spawned.
    for (entity, region) in &regions {
        if !wholes.contains(region.terrain) {
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

/// Despawns the region, and drops its map on another thread.
fn despawn(mut region: EntityWorldMut) {
    let map = region.take::<RegionMap>();
    region.despawn();
    drop_elsewhere(map);
}
