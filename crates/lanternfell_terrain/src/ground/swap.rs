//! What takes the old ground's place when the new one is complete: all of it in one frame.

use bevy::{ecs::component::Mutable, prelude::*, tasks::AsyncComputeTaskPool};

use super::{
    generation::{GeneratedTerrain, Generating},
    request::{Awaiting, Requested},
    surface::TerrainSurface,
    terrain::{Terrain, TerrainReady},
};
use crate::{
    collider::Colliders,
    cover::{CoverTextures, GroundCover, MadeCover, MakingCover},
    detail::DrawnDetail,
    land::LandMaterialHandle,
    patches::{LandPatches, PendingCut},
    reveal::Veiled,
    sea::{HeightImage, HeightTexels, InlandMeshes},
};

pub(crate) fn plugin(app: &mut App) {
    app.add_observer(remove_ground);
}

/// What is asked, stood on and told, beside what is drawn.
pub(crate) struct Finish {
    pub(crate) ground: TerrainSurface,
    /// None where nobody draws.
    pub(crate) height_image: Option<HeightTexels>,
    /// None where nobody draws, or there are no rivers and lakes.
    pub(crate) inland: Option<InlandMeshes>,
    /// None where nobody asks.
    pub(crate) cover: Option<MadeCover>,
    /// None where there is none for the whole of it.
    pub(crate) colliders: Option<Colliders>,
}

impl Finish {
    pub(crate) fn put_in_place(self, terrain: &mut EntityWorldMut) {
        terrain.remove::<Generating>();
        if let Some(image) = self.height_image.and_then(HeightTexels::into_image) {
            terrain.insert(HeightImage(image));
        }
        terrain.remove::<InlandMeshes>();
        if let Some(inland) = self.inland {
            terrain.insert(inland);
        }
        if let Some(cover) = self.cover {
            put_cover_in_place(terrain, cover);
        }
        match self.colliders {
            Some(colliders) => colliders.put_in_place(terrain),
            None => Colliders::take_from(terrain),
        }
        replace(terrain, self.ground);
        terrain.trigger(|entity| TerrainReady { entity });
    }
}

/// The old cover would lie nowhere right. Where the layers can not lie as they should there is none: the next try,
/// which follows at once, says why.
fn put_cover_in_place(terrain: &mut EntityWorldMut, cover: MadeCover) {
    terrain.remove::<(GroundCover, CoverTextures, MakingCover)>();
    let Ok((cover, images)) = cover else {
        return;
    };
    terrain.insert(cover);
    let Some(images) = images else { return };
    let add = |world: &mut World| {
        let mut assets = world.get_resource_mut::<Assets<Image>>()?;
        images.add_to(&mut assets, None)
    };
    if let Some(textures) = terrain.world_scope(add) {
        terrain.insert(textures);
    }
}

/// On a terrain that waits for others to be complete, with which it will take the place of old ground: until
/// then nobody sees, asks or meets it.
#[derive(Component)]
pub(crate) struct Upcoming;

/// What a terrain has that nobody sees, asks or meets yet.
pub(crate) fn hidden() -> impl Bundle {
    (Upcoming, Visibility::Hidden, Colliders::disabled())
}

/// From now on it is there for everybody.
pub(crate) fn show(commands: &mut Commands, terrain: Entity) {
    let mut terrain = commands.entity(terrain);
    terrain.try_insert(Visibility::Inherited);
    terrain.try_remove::<Upcoming>();
    Colliders::enable(&mut terrain);
}

/// Takes from a terrain that is about to go all that is large: it is not drawn, asked or collided with any
/// more, and work on it ends. Its chunks are left, to be cleared away one after the other.
pub(crate) fn retire(terrain: &mut EntityWorldMut) {
    terrain.insert(Visibility::Hidden);
    terrain.remove::<(DrawnDetail, Generating)>();
    drop_elsewhere(terrain.take::<GeneratedTerrain>());
    drop_elsewhere(terrain.take::<TerrainSurface>());
    drop_elsewhere(terrain.take::<GroundCover>());
    drop_elsewhere(terrain.take::<(LandPatches, PendingCut)>());
    Colliders::take_from(terrain);
}

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

/// The [`Terrain`] was taken from its entity: what it put there goes with it.
fn remove_ground(remove: On<Remove, Terrain>, mut commands: Commands) {
    let Ok(mut entity) = commands.get_entity(remove.entity) else {
        return;
    };
    entity.try_remove::<(TerrainSurface, DrawnDetail, Generating)>();
    entity.try_remove::<(Requested, Awaiting)>();
    entity.try_remove::<(HeightImage, InlandMeshes, LandMaterialHandle, Veiled)>();
    entity.try_remove::<(GroundCover, CoverTextures, MakingCover)>();
    entity.queue_silenced(|mut terrain: EntityWorldMut| Colliders::take_from(&mut terrain));
}
