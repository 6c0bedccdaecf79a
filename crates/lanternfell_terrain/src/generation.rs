//! The background task: from a [`Terrain`] to everything that it is built of.

use std::sync::Arc;

use bevy::{
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use lanternfell_heightmap::{
    Heightmap, Progress, RecipeError, Scale, detail::DetailTree, surface::Surface,
};

use crate::{
    surface::TerrainSurface,
    swap::Finish,
    systems::TerrainSystems,
    terrain::{Terrain, TerrainError, TerrainFailed, with_terrain},
};

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            start_generation.in_set(TerrainSystems::Generate),
            receive_generation.in_set(TerrainSystems::Build),
        ),
    );
}

/// On a [`Terrain`]'s entity while its new ground is being made.
#[derive(Component, Debug)]
pub struct Generating {
    progress: Progress,
    /// Gone once the task has answered and the parts are being built.
    task: Option<Task<Result<GeneratedTerrain, RecipeError>>>,
}

impl Generating {
    /// How much of the background work is done, from 0 to 1.
    pub fn fraction(&self) -> f32 {
        self.progress.fraction()
    }
}

impl Drop for Generating {
    /// Replaced by newer work, or its terrain is gone: stop as soon as may be. The task ends
    /// by itself, and frees what it has made where it runs.
    fn drop(&mut self) {
        self.progress.cancel();
        if let Some(task) = self.task.take() {
            task.detach();
        }
    }
}

/// What the last work on this entity was started with, so that a change that changes
/// nothing starts nothing.
#[derive(Component)]
pub(crate) struct Requested(Terrain);

/// Everything that one background task makes. On the terrain's entity until it is taken up.
#[derive(Component)]
pub(crate) struct GeneratedTerrain {
    /// What the first cut of the land is chosen by; none where nobody draws.
    tree: Option<DetailTree>,
    finish: Option<Finish>,
}

/// The part of the progress that the heightmap takes; measuring and the collider take the rest.
const MAP_SHARE: f32 = 0.8;

impl GeneratedTerrain {
    /// Makes all of it, and what is seen only if it is `drawn`; `known` is the map when only the
    /// scale has changed.
    fn new(
        terrain: &Terrain,
        known: Option<Arc<Heightmap>>,
        drawn: bool,
        progress: &Progress,
    ) -> Result<Self, RecipeError> {
        let map = match known {
            Some(map) => map,
            None => Arc::new(terrain.recipe.generate(&progress.span(0.0, MAP_SHARE))?),
        };
        let scale = Scale {
            spacing: terrain.spacing,
            relief: terrain.relief,
        };
        let surface = Surface::new(&map, scale);
        let measuring = progress.span(MAP_SHARE, 1.0);
        let tree = match drawn {
            true => Some(DetailTree::new(&map, &measuring)?),
            false => None,
        };
        let finish = Finish {
            #[cfg(feature = "rapier")]
            collider: crate::collider::heightfield(&surface),
            height_image: drawn.then(|| crate::sea::height_image(&surface)),
            ground: TerrainSurface::new(map, scale, terrain.recipe.clone()),
        };
        Ok(Self {
            tree,
            finish: Some(finish),
        })
    }

    /// What was made, once.
    pub(crate) fn take(&mut self) -> Option<(Option<DetailTree>, Finish)> {
        Some((self.tree.take(), self.finish.take()?))
    }
}

/// Starts the work of every terrain that changed; newer work replaces older.
fn start_generation(
    mut commands: Commands,
    meshes: Option<Res<Assets<Mesh>>>,
    terrains: Query<
        (
            Entity,
            &Terrain,
            Option<&Requested>,
            Option<&TerrainSurface>,
        ),
        Changed<Terrain>,
    >,
) {
    for (entity, terrain, requested, ground) in &terrains {
        if requested.is_some_and(|Requested(before)| before == terrain) {
            continue;
        }
        let requested = Requested(terrain.clone());
        if let Err(error) = terrain.validate() {
            with_terrain(&mut commands, entity, |mut terrain| {
                terrain.insert(requested).remove::<Generating>();
            });
            fail(&mut commands, entity, error);
            continue;
        }
        let known = ground
            .filter(|ground| ground.made_by(&terrain.recipe))
            .map(TerrainSurface::shared_map);
        let drawn = meshes.is_some();
        let progress = Progress::default();
        let (terrain, handle) = (terrain.clone(), progress.clone());
        let task = AsyncComputeTaskPool::get()
            .spawn(async move { GeneratedTerrain::new(&terrain, known, drawn, &handle) });
        let generating = Generating {
            progress,
            task: Some(task),
        };
        with_terrain(&mut commands, entity, |mut terrain| {
            terrain.insert((requested, generating));
        });
    }
}

/// Takes in what finished tasks made.
pub(crate) fn receive_generation(
    mut commands: Commands,
    mut generating: Query<(Entity, &mut Generating)>,
) {
    for (entity, mut generating) in &mut generating {
        let Some(answer) = generating.task.as_mut().and_then(check_ready) else {
            continue;
        };
        generating.task = None;
        match answer {
            Ok(made) => {
                with_terrain(&mut commands, entity, |mut terrain| {
                    terrain.insert(made);
                });
            }
            Err(RecipeError::Cancelled(_)) => {}
            Err(error) => {
                with_terrain(&mut commands, entity, |mut terrain| {
                    terrain.remove::<Generating>();
                });
                fail(&mut commands, entity, error.into());
            }
        }
    }
}

fn fail(commands: &mut Commands, entity: Entity, error: TerrainError) {
    warn!("a terrain was not made: {error}");
    with_terrain(commands, entity, |mut terrain| {
        terrain.trigger(|entity| TerrainFailed { entity, error });
    });
}
