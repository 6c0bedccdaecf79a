//! Removal of terrains, and terrains that are not visible yet.
//!
//! A terrain is removed in one of two ways:
//!
//! - Its [`Terrain`] is removed or its entity is despawned. Everything that was created for it is removed at once.
//! - It [retires](Retire), because another terrain has replaced it. Its chunks are despawned over the next frames. All
//!   other large components are removed at once and dropped on another thread.
//!
//! This module does not know which components other modules insert on a terrain's entity. Each module registers its own
//! components where it inserts them, with [`ends_with_terrain`] or [`removed_with_terrain`].

use bevy::{ecs::component::Mutable, prelude::*, tasks::AsyncComputeTaskPool};

use super::terrain::Terrain;

/// Triggered on a terrain that will be despawned over several frames. From now on it is not rendered, not queried and
/// has no collider, and its background work stops. Observers run before the command that triggers this returns.
#[derive(EntityEvent)]
pub(crate) struct Retire {
    pub(crate) entity: Entity,
}

/// Registers a component that is removed when a terrain is removed or retires, and dropped on another thread. Use it
/// for large components, and for those that keep a task running.
pub(crate) fn ends_with_terrain<C: Component>(app: &mut App) {
    app.add_observer(|remove: On<Remove, Terrain>, mut commands: Commands| {
        take::<C>(&mut commands, remove.entity);
    })
    .add_observer(|retire: On<Retire>, mut commands: Commands| {
        take::<C>(&mut commands, retire.entity);
    });
}

/// Registers components that are removed with [`Terrain`] but stay on a terrain that retires. Use it for small
/// components, and for those that would be inserted again as long as there is a [`Terrain`].
pub(crate) fn removed_with_terrain<B: Bundle>(app: &mut App) {
    app.add_observer(|remove: On<Remove, Terrain>, mut commands: Commands| {
        if let Ok(mut terrain) = commands.get_entity(remove.entity) {
            terrain.try_remove::<B>();
        }
    });
}

fn take<C: Component>(commands: &mut Commands, terrain: Entity) {
    if let Ok(mut terrain) = commands.get_entity(terrain) {
        terrain.queue_silenced(|mut terrain: EntityWorldMut| {
            if let Some(large) = terrain.take::<C>() {
                drop_elsewhere(large);
            }
        });
    }
}

/// On a terrain that will replace an old one, but waits until others are complete too. Until then it is not rendered,
/// not queried and has no collider.
#[derive(Component)]
pub(crate) struct Upcoming;

/// Replaces a component. The old value is dropped on another thread.
pub(crate) fn replace<C: Component<Mutability = Mutable>>(terrain: &mut EntityWorldMut, new: C) {
    match terrain.get_mut::<C>() {
        Some(mut old) => drop_elsewhere(std::mem::replace(&mut *old, new)),
        None => {
            terrain.insert(new);
        }
    }
}

/// Drops a large value on another thread, because freeing it takes a while.
pub(crate) fn drop_elsewhere<T: Send + 'static>(large: T) {
    if let Some(pool) = AsyncComputeTaskPool::try_get() {
        pool.spawn(async move { drop(large) }).detach();
    }
}
