//! Which patches of land are drawn: chosen for the cameras, made in the background, shown all at once.
//!
//! ```text
//! cameras ──> cut ── what is missing ──> background task ──> meshes, hidden ──> all shown, in one frame
//!             (which patches)                                2 MiB a frame      what they replace goes
//! ```
//!
//! Patches fit together only as a whole cut, so what is drawn changes only from one whole cut to another. New
//! ground comes in by the same way: its first cut takes the place of the old ground's last one, once the texture
//! of heights for its sea is there too.
//!
//! At no moment do the meshes of a terrain take more than [its memory](TerrainDetail::memory): what is shown,
//! what will take its place, and what had it and is cleared away a little each frame.

mod build;
mod choose;
mod remove;

use std::{collections::HashMap, sync::Arc, vec};

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
    systems::TerrainSystems,
};

pub(crate) fn plugin(app: &mut App) {
    app.register_type::<TerrainDetail>()
        .register_type::<DrawnDetail>()
        .register_type::<TerrainChunk>();
    require_on_terrain::<TerrainDetail>(app);
    ends_with_terrain::<DrawnDetail>(app);
    ends_with_terrain::<LandPatches>(app);
    ends_with_terrain::<PendingCut>(app);
    app.add_systems(
        Update,
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

/// What triangles are made of.
pub(crate) struct Ground {
    pub(crate) surface: TerrainSurface,
    pub(crate) tree: DetailTree,
}

impl Ground {
    fn scale(&self) -> Scale {
        self.surface.surface().scale()
    }
}

/// What a cut was chosen for: another choice would be the same.
#[derive(Clone, PartialEq)]
struct Occasion {
    viewers: Vec<Viewer>,
    detail: TerrainDetail,
}

/// On a terrain's entity: what is drawn.
#[derive(Component)]
pub(crate) struct LandPatches {
    ground: Arc<Ground>,
    cut: Cut,
    /// None when there was not the memory for the cut that was wanted: it is still to come.
    occasion: Option<Occasion>,
    shown: HashMap<Patch, Shown>,
    /// Whether their vertices have them.
    tangents: bool,
}

/// A patch that is an entity.
#[derive(Clone, Copy)]
struct Shown {
    chunk: Entity,
    triangles: usize,
    bytes: usize,
}

/// On a terrain's entity while a cut is being made that will take the place of the one shown.
#[derive(Component)]
pub(crate) struct PendingCut {
    ground: Arc<Ground>,
    cut: Cut,
    occasion: Option<Occasion>,
    progress: Progress,
    /// Gone once it has answered.
    task: Option<Task<Vec<PatchMesh>>>,
    made: vec::IntoIter<PatchMesh>,
    fresh: HashMap<Patch, Shown>,
    tangents: bool,
    /// What is put in place with it when this is the first cut of new ground.
    new_ground: Option<NewGround>,
    /// Whether nothing that is shown goes on being shown.
    is_anew: bool,
}

impl PendingCut {
    /// Begins to make those patches of a cut that are not shown; all, if nothing can stay.
    fn new(
        ground: Arc<Ground>,
        cut: Cut,
        occasion: Option<Occasion>,
        shown: Option<&LandPatches>,
        tangents: bool,
    ) -> Self {
        let is_shown = |patch| shown.is_some_and(|shown| shown.shown.contains_key(patch));
        let missing = cut.patches.iter().filter(|patch| !is_shown(patch));
        let missing: Vec<Patch> = missing.copied().collect();
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
            is_anew: shown.is_none(),
            tangents,
        }
    }
}

impl Drop for PendingCut {
    /// Newer work has begun. What was made for nothing may be large.
    fn drop(&mut self) {
        self.progress.cancel();
        let made = std::mem::take(&mut self.made);
        drop_elsewhere((made, self.new_ground.take(), self.ground.clone()));
    }
}

/// On chunks whose place others have taken: so many bytes are still to be given back.
#[derive(Component)]
pub(crate) struct Retired {
    bytes: usize,
}
