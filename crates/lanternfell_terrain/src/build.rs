//! From what a background task made to entities: a few chunks each frame, all shown at once.

use std::vec::IntoIter;

use bevy::{camera::visibility::NoAutoAabb, platform::time::Instant, prelude::*};

use crate::{
    Generating, Ground, Terrain, TerrainChunk, TerrainReady, TerrainSystems,
    chunk::ChunkMeshes,
    generation::{Made, Requested},
    land::LandLook,
    water::GroundImage,
};

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, build_parts.in_set(TerrainSystems::Build))
        .add_observer(clear_terrain)
        .add_observer(clear_arrival);
}

/// The child of a terrain that holds all its drawn parts.
#[derive(Component)]
pub(crate) struct TerrainParts;

/// On a terrain's entity while the parts of its new ground are being built, hidden.
#[derive(Component)]
pub(crate) struct Arrival {
    chunks: IntoIter<ChunkMeshes>,
    /// The new parts, from the first frame of building on.
    parts: Option<Entity>,
    /// What is put in place once all parts are there.
    finish: Option<Finish>,
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

/// How long one frame may go on spawning chunks, in microseconds. The budget of a whole
/// regeneration is two milliseconds of any frame.
const FRAME_MICROS: u128 = 800;

/// Builds on at every arrival; when one is complete, swaps it for the old ground.
pub(crate) fn build_parts(
    mut commands: Commands,
    mut arrivals: Query<(Entity, &mut Arrival), With<Terrain>>,
    old_parts: Query<(Entity, &ChildOf), With<TerrainParts>>,
    mut meshes: Option<ResMut<Assets<Mesh>>>,
    mut images: Option<ResMut<Assets<Image>>>,
) {
    let start = Instant::now();
    for (terrain, mut arrival) in &mut arrivals {
        let parts = *arrival.parts.get_or_insert_with(|| {
            let hidden = (TerrainParts, Transform::default(), Visibility::Hidden);
            commands.spawn((hidden, ChildOf(terrain))).id()
        });
        while start.elapsed().as_micros() < FRAME_MICROS {
            let Some(chunk) = arrival.chunks.next() else {
                arrival.parts = None;
                show(&mut commands, terrain, parts, &old_parts);
                if let Some(finish) = arrival.finish.take() {
                    finish.put_in_place(commands.entity(terrain), images.as_deref_mut());
                }
                break;
            };
            if let Some(meshes) = &mut meshes {
                spawn_chunk(&mut commands, meshes, terrain, parts, chunk);
            }
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

/// Shows the new parts and drops the old ones.
fn show(
    commands: &mut Commands,
    terrain: Entity,
    parts: Entity,
    old_parts: &Query<(Entity, &ChildOf), With<TerrainParts>>,
) {
    for (old, child_of) in old_parts {
        if child_of.parent() == terrain && old != parts {
            commands.entity(old).despawn();
        }
    }
    commands.entity(parts).insert(Visibility::Inherited);
}

impl Finish {
    fn put_in_place(self, mut terrain: EntityCommands, images: Option<&mut Assets<Image>>) {
        terrain.remove::<(Arrival, Generating)>();
        if let Some(images) = images {
            terrain.insert(GroundImage(images.add(self.ground_image)));
        }
        #[cfg(feature = "rapier")]
        terrain.insert(self.collider);
        terrain.insert(self.ground);
        terrain.trigger(|entity| TerrainReady { entity });
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
    parts: Query<(Entity, &ChildOf), With<TerrainParts>>,
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
