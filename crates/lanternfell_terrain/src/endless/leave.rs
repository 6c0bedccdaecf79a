//! Windows whose place others have taken: gone at once for everybody, cleared away a little each frame.

use bevy::prelude::*;

use super::{EndlessTerrain, window::WindowMap};
use crate::{
    ground::{Retire, drop_elsewhere},
    land::chunk::TerrainChunk,
    window::TerrainWindow,
};

/// On a window that is being cleared away.
#[derive(Component)]
pub(super) struct Leaving;

/// Chunks that one frame despawns: each gives memory back.
const DESPAWNS_PER_FRAME: usize = 64;

/// From now on nobody sees the window.
pub(super) fn leave(commands: &mut Commands, window: Entity) {
    if let Ok(mut window) = commands.get_entity(window) {
        window.queue_silenced(|mut window: EntityWorldMut| {
            window.remove::<TerrainWindow>();
            window.insert((Leaving, Visibility::Hidden));
            window.trigger(|entity| Retire { entity });
        });
    }
}

/// Clears away what is left of windows.
pub(super) fn clear_away(
    mut commands: Commands,
    leaving: Query<(Entity, Option<&Children>), With<Leaving>>,
    chunks: Query<(), With<TerrainChunk>>,
    windows: Query<(Entity, &TerrainWindow)>,
    wholes: Query<(), With<EndlessTerrain>>,
) {
    // Those of a whole that was taken away in the frame in which they were spawned.
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

/// The map outlives its entity a little, to be dropped where that takes nobody's time.
fn despawn(mut window: EntityWorldMut) {
    let map = window.take::<WindowMap>();
    window.despawn();
    drop_elsewhere(map);
}
