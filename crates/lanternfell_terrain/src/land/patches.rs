//! The patches that make up the terrain's mesh: selected for the cameras, built in the background, shown all at once.
//!
//! ```text
//! cameras ──> cut ── missing patches ──> background task ──> hidden meshes ───> all shown in one frame,
//!             (the set of patches)                           2 MiB per frame    replaced ones despawned
//! ```
//!
//! Patches fit together without gaps only as a complete cut, so the rendered set always changes from one complete cut
//! to another. New terrain appears in the same way: its first cut replaces the last cut of the old terrain, as soon as
//! the height texture for its sea has been uploaded too.
//!
//! The meshes of a terrain never take more than [`TerrainDetail::memory`]. This includes the patches that are shown,
//! their replacements, and the replaced patches that are still being despawned, some each frame.

mod build;
mod choose;
mod remove;

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    vec,
};

use bevy::{
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task},
};
use lanternfell_heightmap::{Progress, Scale};
use lanternfell_surface::detail::{Cut, DetailTree, Patch, Viewer};
use lanternfell_tasks::pause;

use crate::{
    ground::{
        NewGround, TerrainSurface, drop_elsewhere, ends_with_terrain, receive_generation,
        require_on_terrain,
    },
    land::{
        chunk::{PatchMesh, TerrainChunk},
        detail::{DrawnDetail, TerrainDetail},
    },
    render_layers::TerrainRenderLayersPlugin,
    systems::TerrainSystems,
};

pub(crate) fn plugin(app: &mut App) {
    app.register_type::<TerrainDetail>()
        .register_type::<DrawnDetail>()
        .register_type::<TerrainChunk>()
        .add_plugins(TerrainRenderLayersPlugin::<TerrainChunk>::default());
    require_on_terrain::<TerrainDetail>(app);
    ends_with_terrain::<DrawnDetail>(app);
    ends_with_terrain::<LandPatches>(app);
    ends_with_terrain::<PendingCut>(app);
    app.add_systems(
        PostUpdate,
        (
            choose::begin_swaps,
            choose::choose_cuts,
            build::build_patches,
            remove::despawn_retired,
            remove::despawn_orphans,
        )
            .chain()
            .after(receive_generation)
            .in_set(TerrainSystems::Build),
    )
    .add_observer(remove::cancel_swap)
    .add_observer(remove::despawn_unfinished)
    .add_observer(remove::despawn_chunks);
}

/// The terrain data that patches are triangulated from.
pub(crate) struct Ground {
    pub(crate) surface: TerrainSurface,
    pub(crate) tree: Arc<DetailTree>,
}

impl Ground {
    fn scale(&self) -> Scale {
        self.surface.surface().scale()
    }
}

/// The inputs that a cut was chosen for. Equal inputs give an equal cut.
#[derive(Clone, PartialEq)]
struct Occasion {
    viewers: Vec<Viewer>,
    detail: TerrainDetail,
}

/// The patches of a terrain that are currently shown. On the terrain's entity.
#[derive(Component)]
pub(crate) struct LandPatches {
    ground: Arc<Ground>,
    cut: Cut,
    /// `None` if the memory did not suffice for the requested cut, which is therefore still to be built.
    occasion: Option<Occasion>,
    shown: HashMap<Patch, Shown>,
    /// Whether the vertices have tangents.
    tangents: bool,
}

/// A patch that has been spawned as an entity.
#[derive(Clone, Copy)]
struct Shown {
    chunk: Entity,
    triangles: usize,
    bytes: usize,
}

/// The next cut of a terrain, while it is being built. On the terrain's entity.
#[derive(Component)]
pub(crate) struct PendingCut {
    ground: Arc<Ground>,
    cut: Cut,
    occasion: Option<Occasion>,
    progress: Progress,
    /// `None` once the task has finished.
    task: Option<Task<Vec<PatchMesh>>>,
    made: vec::IntoIter<PatchMesh>,
    fresh: HashMap<Patch, Shown>,
    tangents: bool,
    /// Put in place together with the cut if this is the first cut of new terrain.
    new_ground: Option<Box<NewGround>>,
    /// The patches of the cut that are shown and stay.
    kept: HashSet<Patch>,
}

impl PendingCut {
    /// Starts building the patches of a cut, except those that are kept.
    fn new(
        ground: Arc<Ground>,
        cut: Cut,
        occasion: Option<Occasion>,
        is_kept: impl Fn(&Patch) -> bool,
        tangents: bool,
    ) -> Self {
        let (kept, missing): (HashSet<Patch>, Vec<Patch>) = {
            let (kept, missing): (Vec<_>, _) = cut.patches.iter().partition(|patch| is_kept(patch));
            (kept.into_iter().collect(), missing)
        };
        let progress = Progress::default();
        let (maker, going_on) = (ground.clone(), progress.clone());
        let task = AsyncComputeTaskPool::get().spawn(async move {
            let surface = maker.surface.surface();
            let mut made = Vec::with_capacity(missing.len());
            for patch in missing {
                pause().await;
                if going_on.check().is_err() {
                    break;
                }
                let triangles = maker.tree.triangulate(&surface, patch);
                made.push(PatchMesh::new(patch, triangles, tangents));
            }
            made
        });
        Self {
            ground,
            cut,
            occasion,
            progress,
            task: Some(task),
            made: Vec::new().into_iter(),
            fresh: HashMap::new(),
            new_ground: None,
            kept,
            tangents,
        }
    }
}

impl Drop for PendingCut {
    /// Cancels the task when newer work replaces it, and drops the finished meshes on another thread: they may be
    /// large.
    fn drop(&mut self) {
        self.progress.cancel();
        let made = std::mem::take(&mut self.made);
        drop_elsewhere((made, self.new_ground.take(), self.ground.clone()));
    }
}

/// Marks a chunk that has been replaced and will be despawned. Its `bytes` still count as used memory.
#[derive(Component)]
pub(crate) struct Retired {
    bytes: usize,
}
