//! From what a background task made to entities: a few chunks each frame, all shown at once.

use std::vec::IntoIter;

use bevy::{camera::visibility::NoAutoAabb, prelude::*, tasks::AsyncComputeTaskPool};

use crate::{
    chunk::{ChunkMeshes, TerrainChunk},
    generation::{GeneratedTerrain, Generating, receive_generation},
    land::LandMaterialHandle,
    request::{Awaiting, Requested},
    sea::{HeightImage, WaterSurface},
    surface::TerrainSurface,
    systems::TerrainSystems,
    terrain::{Terrain, TerrainReady, with_terrain},
};

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (build_parts, despawn_pending, despawn_orphans)
            .chain()
            .after(receive_generation)
            .in_set(TerrainSystems::Build),
    )
    .add_observer(begin_swap)
    .add_observer(cancel_swap)
    .add_observer(despawn_unfinished)
    .add_observer(remove_terrain_parts);
}

/// The child of a terrain that holds all its drawn parts.
#[derive(Component)]
pub(crate) struct TerrainParts;

/// On parts whose place others have taken.
#[derive(Component)]
struct PendingDespawn;

/// On a terrain's entity while the parts of its new ground are being built, hidden.
#[derive(Component)]
pub(crate) struct PendingSwap {
    chunks: IntoIter<ChunkMeshes>,
    /// The new parts, from the first frame of building on.
    parts: Option<Entity>,
    /// What is put in place once all parts are there.
    finish: Option<Finish>,
}

impl Drop for PendingSwap {
    /// Newer work has begun. Freeing hundreds of meshes takes a while: elsewhere.
    fn drop(&mut self) {
        let chunks = std::mem::take(&mut self.chunks);
        if chunks.len() > 0
            && let Some(pool) = AsyncComputeTaskPool::try_get()
        {
            pool.spawn(async move { drop(chunks) }).detach();
        }
    }
}

struct Finish {
    ground: TerrainSurface,
    height_image: Option<Image>,
    #[cfg(feature = "rapier")]
    collider: bevy_rapier3d::prelude::Collider,
}

impl PendingSwap {
    pub(crate) fn new(made: GeneratedTerrain) -> Self {
        Self {
            chunks: made.chunks.into_iter(),
            parts: None,
            finish: Some(Finish {
                ground: made.ground,
                height_image: made.height_image,
                #[cfg(feature = "rapier")]
                collider: made.collider,
            }),
        }
    }
}

/// Chunks that one frame builds, and chunks that one frame clears away. Each is a handful of
/// meshes for the renderer to take in: 16 stay well below a millisecond.
const CHUNKS_PER_FRAME: usize = 16;

/// Builds on at every swap; when one is complete, swaps it for the old ground.
pub(crate) fn build_parts(
    mut commands: Commands,
    mut swaps: Query<(Entity, &mut PendingSwap), With<Terrain>>,
    old_parts: Query<(Entity, &ChildOf), With<TerrainParts>>,
    mut meshes: Option<ResMut<Assets<Mesh>>>,
    mut images: Option<ResMut<Assets<Image>>>,
) {
    for (terrain, mut swap) in &mut swaps {
        let parts = *swap.parts.get_or_insert_with(|| {
            let hidden = (TerrainParts, Transform::default(), Visibility::Hidden);
            commands.spawn((hidden, ChildOf(terrain))).id()
        });
        for chunk in swap.chunks.by_ref().take(CHUNKS_PER_FRAME) {
            if let Some(meshes) = &mut meshes {
                spawn_chunk(&mut commands, meshes, terrain, parts, chunk);
            }
        }
        if swap.chunks.len() > 0 {
            continue;
        }
        swap.parts = None;
        show(&mut commands, terrain, parts, &old_parts);
        if let Some(finish) = swap.finish.take() {
            finish.put_in_place(&mut commands, terrain, images.as_deref_mut());
        }
    }
}

fn spawn_chunk(
    commands: &mut Commands,
    meshes: &mut Assets<Mesh>,
    terrain: Entity,
    parts: Entity,
    chunk: ChunkMeshes,
) {
    let levels: Vec<Handle<Mesh>> = chunk.levels.into_iter().map(|m| meshes.add(m)).collect();
    let Some(first) = levels.first().cloned() else {
        return;
    };
    commands.spawn((
        TerrainChunk { terrain, levels },
        Mesh3d(first),
        // Given, not computed: the meshes leave the main world for the GPU.
        chunk.bounds,
        NoAutoAabb,
        Transform::default(),
        Visibility::default(),
        ChildOf(parts),
    ));
}

/// Shows the new parts and hides the old ones, which are cleared away from then on.
fn show(
    commands: &mut Commands,
    terrain: Entity,
    parts: Entity,
    old_parts: &Query<(Entity, &ChildOf), With<TerrainParts>>,
) {
    for (old, child_of) in old_parts {
        if child_of.parent() == terrain && old != parts {
            commands
                .entity(old)
                .try_remove::<TerrainParts>()
                .try_insert((PendingDespawn, Visibility::Hidden));
        }
    }
    commands.entity(parts).try_insert(Visibility::Inherited);
}

/// Clears away what is hidden, a little each frame.
fn despawn_pending(
    mut commands: Commands,
    pending: Query<(Entity, Option<&Children>), With<PendingDespawn>>,
) {
    for (parts, children) in &pending {
        let chunks = children.into_iter().flatten();
        let some: Vec<Entity> = chunks.copied().take(CHUNKS_PER_FRAME).collect();
        if some.is_empty() {
            commands.entity(parts).try_despawn();
        }
        for chunk in some {
            commands.entity(chunk).try_despawn();
        }
    }
}

/// Clears away parts whose terrain was taken away by a command of the frame in which they
/// were spawned: they were too late to go with it.
fn despawn_orphans(
    mut commands: Commands,
    terrains: Query<(), With<Terrain>>,
    parts: Query<(Entity, &ChildOf), Or<(With<TerrainParts>, With<WaterSurface>)>>,
    orphans: Query<
        Entity,
        (
            Or<(
                With<TerrainParts>,
                With<PendingDespawn>,
                With<TerrainChunk>,
                With<WaterSurface>,
            )>,
            Without<ChildOf>,
        ),
    >,
) {
    let left = parts
        .iter()
        .filter(|(_, child_of)| !terrains.contains(child_of.parent()))
        .map(|(part, _)| part);
    for part in left.chain(&orphans) {
        commands.entity(part).try_despawn();
    }
}

impl Finish {
    fn put_in_place(
        self,
        commands: &mut Commands,
        terrain: Entity,
        images: Option<&mut Assets<Image>>,
    ) {
        let image = images
            .zip(self.height_image)
            .map(|(images, image)| HeightImage(images.add(image)));
        with_terrain(commands, terrain, |mut terrain| {
            terrain.remove::<(PendingSwap, Generating)>();
            if let Some(image) = image {
                terrain.insert(image);
            }
            #[cfg(feature = "rapier")]
            terrain.insert(self.collider);
            terrain.insert(self.ground);
            terrain.trigger(|entity| TerrainReady { entity });
        });
    }
}

/// What was made begins to be built.
fn begin_swap(add: On<Add, GeneratedTerrain>, mut commands: Commands) {
    with_terrain(&mut commands, add.entity, |mut terrain| {
        if let Some(made) = terrain.take::<GeneratedTerrain>() {
            terrain.insert(PendingSwap::new(made));
        }
    });
}

/// Newer work takes the place of the work whose parts are being built.
fn cancel_swap(discard: On<Discard, Generating>, mut commands: Commands) {
    if let Ok(mut terrain) = commands.get_entity(discard.entity) {
        terrain.try_remove::<PendingSwap>();
    }
}

/// Newer work has begun, or the terrain is gone: the hidden parts go too.
fn despawn_unfinished(
    discard: On<Discard, PendingSwap>,
    swaps: Query<&PendingSwap>,
    mut commands: Commands,
) {
    let unfinished = swaps.get(discard.entity).ok().and_then(|swap| swap.parts);
    if let Some(parts) = unfinished {
        commands.entity(parts).try_despawn();
    }
}

/// The [`Terrain`] was taken from its entity: what it made goes with it.
fn remove_terrain_parts(
    remove: On<Remove, Terrain>,
    parts: Query<(Entity, &ChildOf), Or<(With<TerrainParts>, With<PendingDespawn>)>>,
    mut commands: Commands,
) {
    for (entity, child_of) in &parts {
        if child_of.parent() == remove.entity {
            commands.entity(entity).try_despawn();
        }
    }
    let Ok(mut entity) = commands.get_entity(remove.entity) else {
        return;
    };
    entity.try_remove::<(TerrainSurface, Generating, PendingSwap, Requested, Awaiting)>();
    entity.try_remove::<(HeightImage, LandMaterialHandle)>();
    #[cfg(feature = "rapier")]
    entity.try_remove::<bevy_rapier3d::prelude::Collider>();
}
