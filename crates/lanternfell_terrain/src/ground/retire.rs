//! The end of a terrain, and what is not to be seen yet.
//!
//! A terrain ends in one of two ways. Its [`Terrain`] is removed, or its entity is despawned: then everything that was
//! made for it goes at once. Or it [retires](Retire): another has taken its place, and its chunks are cleared away over
//! the next frames, so everything else that is large goes now, and is dropped on another thread.
//!
//! The ground does not know what other modules insert on a terrain's entity. Each module names its own components,
//! once, where it inserts them: [`ends_with_terrain`] or [`removed_with_terrain`].

use bevy::{ecs::component::Mutable, prelude::*, tasks::AsyncComputeTaskPool};

use super::terrain::Terrain;

/// Triggered on a terrain that is about to be despawned, piece by piece. From now on nobody sees it, queries it or
/// collides with it, and work on it stops. Observers run before the command that triggers this returns.
#[derive(EntityEvent)]
pub(crate) struct Retire {
    pub(crate) entity: Entity,
}

/// Component `C` goes with the terrain, also when that retires, and is dropped on another thread: for what is large,
/// or what keeps a task running.
pub(crate) fn ends_with_terrain<C: Component>(app: &mut App) {
    app.add_observer(|remove: On<Remove, Terrain>, mut commands: Commands| {
        take::<C>(&mut commands, remove.entity);
    })
    .add_observer(|retire: On<Retire>, mut commands: Commands| {
        take::<C>(&mut commands, retire.entity);
    });
}

/// Components `B` are removed with [`Terrain`], and stay on a terrain that retires: for what is small, or what would
/// be inserted again as long as there is a [`Terrain`].
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

/// On a terrain that waits until others are complete too, with which it replaces old ground: until then nobody sees
/// it, queries it or collides with it.
#[derive(Component)]
pub(crate) struct Upcoming;

/// Puts a component in place of another, which is dropped elsewhere.
pub(crate) fn replace<C: Component<Mutability = Mutable>>(terrain: &mut EntityWorldMut, new: C) {
    match terrain.get_mut::<C>() {
        Some(mut old) => drop_elsewhere(std::mem::replace(&mut *old, new)),
        None => {
            terrain.insert(new);
        }
    }
}

/// Drops something large, which takes a while, on another thread.
pub(crate) fn drop_elsewhere<T: Send + 'static>(large: T) {
    if let Some(pool) = AsyncComputeTaskPool::try_get() {
        pool.spawn(async move { drop(large) }).detach();
    }
}
