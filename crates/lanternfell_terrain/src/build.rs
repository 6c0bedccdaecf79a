//! From what a background task made to entities: a few chunks each frame, all shown at once.

use std::vec::IntoIter;

use bevy::{camera::visibility::NoAutoAabb, prelude::*, tasks::AsyncComputeTaskPool};

use crate::{
    Generating, Ground, Terrain, TerrainChunk, TerrainReady, TerrainSystems,
    chunk::ChunkMeshes,
    generation::{Made, Requested, receive_generation},
    land::LandLook,
    terrain::with_terrain,
    water::{GroundImage, WaterSurface},
};

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (build_parts, clear_leaving, clear_orphans)
            .chain()
            .after(receive_generation)
            .in_set(TerrainSystems::Build),
    )
    .add_observer(begin_arrival)
    .add_observer(end_arrival)
    .add_observer(clear_arrival)
    .add_observer(clear_terrain);
}

/// The child of a terrain that holds all its drawn parts.
#[derive(Component)]
pub(crate) struct TerrainParts;

/// On parts whose place others have taken.
#[derive(Component)]
struct Leaving;

/// On a terrain's entity while the parts of its new ground are being built, hidden.
#[derive(Component)]
pub(crate) struct Arrival {
    chunks: IntoIter<ChunkMeshes>,
    /// The new parts, from the first frame of building on.
    parts: Option<Entity>,
    /// What is put in place once all parts are there.
    finish: Option<Finish>,
}

impl Drop for Arrival {
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
    ground: Ground,
    ground_image: Image,
    #[cfg(feature = "rapier")]
    collider: bevy_rapier3d::prelude::Collider,
}

impl Arrival {
    pub(crate) fn new(made: Made) -> Self {
        Self {
            chunks: made.chunks.into_iter(),
            parts: None,
            finish: Some(Finish {
                ground: made.ground,
                ground_image: made.ground_image,
                #[cfg(feature = "rapier")]
                collider: made.collider,
            }),
        }
    }
}

/// Chunks that one frame builds, and chunks that one frame clears away. Each is a handful of
/// meshes for the renderer to take in: 16 stay well below a millisecond.
const CHUNKS_PER_FRAME: usize = 16;

/// Builds on at every arrival; when one is complete, swaps it for the old ground.
pub(crate) fn build_parts(
    mut commands: Commands,
    mut arrivals: Query<(Entity, &mut Arrival), With<Terrain>>,
    old_parts: Query<(Entity, &ChildOf), With<TerrainParts>>,
    mut meshes: Option<ResMut<Assets<Mesh>>>,
    mut images: Option<ResMut<Assets<Image>>>,
) {
    for (terrain, mut arrival) in &mut arrivals {
        let parts = *arrival.parts.get_or_insert_with(|| {
            let hidden = (TerrainParts, Transform::default(), Visibility::Hidden);
            commands.spawn((hidden, ChildOf(terrain))).id()
        });
        for chunk in arrival.chunks.by_ref().take(CHUNKS_PER_FRAME) {
            if let Some(meshes) = &mut meshes {
                spawn_chunk(&mut commands, meshes, terrain, parts, chunk);
            }
        }
        if arrival.chunks.len() > 0 {
            continue;
        }
        arrival.parts = None;
        show(&mut commands, terrain, parts, &old_parts);
        if let Some(finish) = arrival.finish.take() {
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
                .try_insert((Leaving, Visibility::Hidden));
        }
    }
    commands.entity(parts).try_insert(Visibility::Inherited);
}

/// Clears away what is hidden, a little each frame.
fn clear_leaving(
    mut commands: Commands,
    leaving: Query<(Entity, Option<&Children>), With<Leaving>>,
) {
    for (parts, children) in &leaving {
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
fn clear_orphans(
    mut commands: Commands,
    terrains: Query<(), With<Terrain>>,
    parts: Query<(Entity, &ChildOf), Or<(With<TerrainParts>, With<WaterSurface>)>>,
    orphans: Query<
        Entity,
        (
            Or<(
                With<TerrainParts>,
                With<Leaving>,
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
        let image = images.map(|images| GroundImage(images.add(self.ground_image)));
        with_terrain(commands, terrain, |mut terrain| {
            terrain.remove::<(Arrival, Generating)>();
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
fn begin_arrival(add: On<Add, Made>, mut commands: Commands) {
    with_terrain(&mut commands, add.entity, |mut terrain| {
        if let Some(made) = terrain.take::<Made>() {
            terrain.insert(Arrival::new(made));
        }
    });
}

/// Newer work takes the place of the work whose parts are being built.
fn end_arrival(discard: On<Discard, Generating>, mut commands: Commands) {
    if let Ok(mut terrain) = commands.get_entity(discard.entity) {
        terrain.try_remove::<Arrival>();
    }
}

/// Newer work has begun, or the terrain is gone: the hidden parts go too.
fn clear_arrival(discard: On<Discard, Arrival>, arrivals: Query<&Arrival>, mut commands: Commands) {
    let unfinished = arrivals.get(discard.entity).ok().and_then(|a| a.parts);
    if let Some(parts) = unfinished {
        commands.entity(parts).try_despawn();
    }
}

/// The [`Terrain`] was taken from its entity: what it made goes with it.
fn clear_terrain(
    remove: On<Remove, Terrain>,
    parts: Query<(Entity, &ChildOf), Or<(With<TerrainParts>, With<Leaving>)>>,
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
    entity.try_remove::<(Ground, Generating, Arrival, Requested)>();
    entity.try_remove::<(GroundImage, LandLook)>();
    #[cfg(feature = "rapier")]
    entity.try_remove::<bevy_rapier3d::prelude::Collider>();
}
