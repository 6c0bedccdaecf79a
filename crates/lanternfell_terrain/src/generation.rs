//! The background task: from a [`Terrain`] to everything that it is built of.

use bevy::{
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use lanternfell_heightmap::Progress;
use lanternfell_surface::detail::DetailTree;

use crate::{
    background::{self, GroundWork, pause},
    collider::{Colliders, Engines, TerrainCollider},
    cover::{CoverKey, make_cover},
    endless::CellArea,
    ground::{GroundInput, Unmade},
    sea::{HeightTexels, InlandMeshes},
    source::TerrainMap,
    surface::TerrainSurface,
    swap::Finish,
    systems::TerrainSystems,
    terrain::{TerrainError, TerrainFailed, with_terrain},
};

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, receive_generation.in_set(TerrainSystems::Build));
}

/// On a [`Terrain`](crate::Terrain)'s entity while its new ground is being made.
#[derive(Component, Debug)]
pub struct Generating {
    progress: Progress,
    /// Whether files are on their way that it is made of.
    awaits_files: bool,
    /// Not there yet while files are awaited; gone once the task has answered and the first patches
    /// are being made.
    task: Option<Task<Result<GeneratedTerrain, Unmade>>>,
}

impl Generating {
    /// How much of the background work is done, from 0 to 1; 0 while files are loaded.
    pub fn fraction(&self) -> f32 {
        self.progress.fraction()
    }

    /// Of a terrain whose map is being made elsewhere.
    pub(crate) fn of(progress: Progress) -> Self {
        Self {
            progress,
            awaits_files: false,
            task: None,
        }
    }

    /// Of a terrain whose files are not there yet.
    pub(crate) fn awaiting() -> Self {
        let mut generating = Self::of(Progress::default());
        generating.awaits_files = true;
        generating
    }

    /// Whether there is work for the threads, here or elsewhere.
    pub(crate) fn is_at_work(&self) -> bool {
        !self.awaits_files
    }

    /// Starts the work; `known` is the map when only the scale has changed.
    pub(crate) fn start(input: GroundInput, known: Option<TerrainMap>, wanted: Wanted) -> Self {
        let progress = Progress::default();
        let handle = progress.clone();
        let task = AsyncComputeTaskPool::get()
            .spawn(async move { GeneratedTerrain::new(input, known, wanted, &handle).await });
        let mut generating = Self::of(progress);
        generating.task = Some(task);
        generating
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

/// What is made besides the ground.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    /// Whether anybody draws it.
    pub(crate) is_drawn: bool,
    /// What covers it; none where nobody asks.
    pub(crate) cover: Option<CoverKey>,
    pub(crate) collider: TerrainCollider,
    pub(crate) engines: Engines,
}

/// Everything that one background task makes. On the terrain's entity until it is taken up.
#[derive(Component)]
pub(crate) struct GeneratedTerrain {
    /// What the first cut of the land is chosen by; none where nobody draws.
    tree: Option<DetailTree>,
    finish: Option<Finish>,
}

impl GeneratedTerrain {
    async fn new(
        input: GroundInput,
        known: Option<TerrainMap>,
        wanted: Wanted,
        progress: &Progress,
    ) -> Result<Self, Unmade> {
        let Wanted {
            is_drawn,
            cover,
            collider,
            engines,
        } = wanted;
        let work = GroundWork {
            input: input.clone(),
            known,
            is_drawn,
            most_in_heightfield: match engines.are_any() {
                true => collider.most_cells(),
                false => 0,
            },
        };
        let made = background::make(work, progress).await?;
        let scale = input.scale(&made.map)?;
        let ground = TerrainSurface::new(input, made.map, scale, made.pyramid);
        pause().await;
        let colliders = made.bent.map(|heights| {
            let whole = CellArea::of_map(ground.map().size());
            Colliders::new(&ground.surface(), &whole, heights, engines)
        });
        let (height_image, inland) = match is_drawn {
            true => (
                Some(HeightTexels::of(&ground).await),
                InlandMeshes::of(&ground).await,
            ),
            false => (None, None),
        };
        let cover = match cover {
            Some(key) => Some(make_cover(&ground, key, None, is_drawn, &Progress::default()).await),
            None => None,
        };
        Ok(Self {
            tree: made.tree,
            finish: Some(Finish {
                colliders,
                height_image,
                inland,
                cover,
                ground,
            }),
        })
    }

    /// What was made, once.
    pub(crate) fn take(&mut self) -> Option<(Option<DetailTree>, Finish)> {
        Some((self.tree.take(), self.finish.take()?))
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
            Err(Unmade::Cancelled) => {}
            Err(Unmade::Failed(error)) => {
                with_terrain(&mut commands, entity, |mut terrain| {
                    terrain.remove::<Generating>();
                });
                fail(&mut commands, entity, error);
            }
        }
    }
}

/// Says that a terrain was not made.
pub(crate) fn fail(commands: &mut Commands, entity: Entity, error: TerrainError) {
    warn!("a terrain was not made: {error}");
    with_terrain(commands, entity, |mut terrain| {
        terrain.trigger(|entity| TerrainFailed { entity, error });
    });
}
