//! The background task: from a [`Terrain`] to everything that it is built of.

use bevy::{
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use lanternfell_heightmap::Progress;
use lanternfell_surface::detail::DetailTree;
use lanternfell_tasks::pause;

use super::{
    input::GroundInput,
    part::{FreshSurface, MadePart, Part, Wanted},
    retire::{ends_with_terrain, replace},
    surface::TerrainSurface,
    terrain::{TerrainFailed, TerrainReady, with_terrain},
    work::GroundWork,
};

use crate::{
    background,
    error::{TerrainError, Unmade},
    map::TerrainMap,
    systems::TerrainSystems,
    upload::FrameUploads,
};

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, receive_generation.in_set(TerrainSystems::Build));
    ends_with_terrain::<Generating>(app);
    ends_with_terrain::<GeneratedTerrain>(app);
    ends_with_terrain::<TerrainSurface>(app);
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
    pub(super) fn start(
        input: GroundInput,
        known: Option<TerrainMap>,
        wanted: Wanted,
        parts: Vec<Box<dyn Part>>,
    ) -> Self {
        let progress = Progress::default();
        let handle = progress.clone();
        let task = AsyncComputeTaskPool::get().spawn(async move {
            GeneratedTerrain::new(input, known, wanted, parts, &handle).await
        });
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

/// Everything that one background task makes. On the terrain's entity until it is taken up.
#[derive(Component)]
pub(crate) struct GeneratedTerrain {
    /// What the first cut of the land is chosen by; `None` without a renderer.
    tree: Option<DetailTree>,
    ground: Option<NewGround>,
}

impl GeneratedTerrain {
    async fn new(
        input: GroundInput,
        known: Option<TerrainMap>,
        wanted: Wanted,
        parts: Vec<Box<dyn Part>>,
        progress: &Progress,
    ) -> Result<Self, Unmade> {
        let work = GroundWork {
            input: input.clone(),
            known,
            is_drawn: wanted.is_drawn,
            most_in_heightfield: wanted.most_in_heightfield,
        };
        let made = background::make(work, progress).await?;
        let scale = input.scale(&made.map)?;
        let surface = TerrainSurface::new(input, made.map, scale, made.pyramid);
        pause().await;
        let fresh = FreshSurface {
            surface,
            heightfield: made.bent,
        };
        Ok(Self {
            tree: made.tree,
            ground: Some(NewGround::make(fresh, parts).await),
        })
    }

    /// What was made, once.
    pub(crate) fn take(&mut self) -> Option<(Option<DetailTree>, NewGround)> {
        Some((self.tree.take(), self.ground.take()?))
    }
}

/// New ground with all of its parts.
pub(crate) struct NewGround {
    pub(crate) surface: TerrainSurface,
    parts: Vec<Box<dyn MadePart>>,
}

impl NewGround {
    /// Makes the parts of a surface one after the other.
    async fn make(mut fresh: FreshSurface, parts: Vec<Box<dyn Part>>) -> Self {
        let mut made = Vec::with_capacity(parts.len());
        for part in parts {
            made.push(part.make(&mut fresh).await);
        }
        Self {
            surface: fresh.surface,
            parts: made,
        }
    }

    /// Hands some of its textures to the renderer. Returns whether all of them are handed over.
    pub(crate) fn upload(&mut self, uploads: &mut FrameUploads) -> bool {
        self.parts.iter_mut().all(|part| part.upload(uploads))
    }

    /// Replaces the old ground. The surface comes last, so that whoever reacts to it finds the parts in place.
    pub(crate) fn put_in_place(self, terrain: &mut EntityWorldMut) {
        terrain.remove::<Generating>();
        for part in self.parts {
            part.put_in_place(terrain);
        }
        replace(terrain, self.surface);
        terrain.trigger(|entity| TerrainReady { entity });
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
