//! The background task: from a [`Terrain`] to everything that it is built of.

use bevy::{
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use lanternfell_heightmap::{Cancelled, Progress, detail::DetailTree, surface::Surface};

use crate::{
    collider::{Colliders, Engines, TerrainCollider},
    endless::CellArea,
    ground::{GroundInput, Unmade},
    source::TerrainMap,
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
            task: None,
        }
    }

    /// Of a terrain whose files are not there yet.
    pub(crate) fn awaiting() -> Self {
        Self::of(Progress::default())
    }

    /// Starts the work; `known` is the map when only the scale has changed.
    pub(crate) fn start(input: GroundInput, known: Option<TerrainMap>, wanted: Wanted) -> Self {
        let progress = Progress::default();
        let handle = progress.clone();
        let task = AsyncComputeTaskPool::get()
            .spawn(async move { GeneratedTerrain::new(input, known, wanted, &handle) });
        Self {
            progress,
            task: Some(task),
        }
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
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    /// Whether it is drawn.
    pub(crate) drawn: bool,
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

/// The part of the progress that the heightmap takes; measuring and the collider take the rest.
const MAP_SHARE: f32 = 0.8;

impl GeneratedTerrain {
    fn new(
        input: GroundInput,
        known: Option<TerrainMap>,
        wanted: Wanted,
        progress: &Progress,
    ) -> Result<Self, Unmade> {
        let ground = input.make(known, &progress.span(0.0, MAP_SHARE))?;
        let surface = ground.surface();
        let measuring = progress.span(MAP_SHARE, 1.0);
        let tree = match wanted.drawn {
            true => Some(measure(&surface, &measuring)?),
            false => None,
        };
        let size = surface.map().size();
        let finish = Finish {
            colliders: wanted
                .collider
                .is_whole(size)
                .then(|| Colliders::new(&surface, &CellArea::of_map(size), wanted.engines)),
            height_image: wanted.drawn.then(|| crate::sea::height_image(&surface)),
            ground,
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

/// What the drawn land's cuts are chosen by.
fn measure(surface: &Surface<'_>, progress: &Progress) -> Result<DetailTree, Cancelled> {
    let tree = DetailTree::new(surface.map(), progress)?;
    Ok(match surface.holes() {
        None => tree,
        Some(holes) => tree
            .with_holes(holes)
            .expect("the surface has them, so they are of its map"),
    })
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
