//! Parts that other modules build from a new surface, and that are shown with it in the same frame.
//!
//! Colliders, the sea's height texture and the terrain cover all depend on the surface, and none of them may lag behind
//! it. So they are built in the same background task, and inserted by the same command as the surface. This module does
//! not know them. Each of them registers a function with [`add_part`]:
//!
//! ```text
//!   main thread      BeginPart: reads the terrain's entity ──> Part
//!   background                                                 make: from the finished surface ──> MadePart
//!   main thread      upload: some bytes per frame, then put_in_place for all parts in one command  <──┘
//! ```

use bevy::{prelude::*, tasks::BoxedFuture};

use super::{change::SurfaceChange, surface::TerrainSurface};
use crate::upload::FrameUploads;

/// What the background task computes in addition to the map. Parts can request more.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    /// Whether there is a renderer.
    pub(crate) is_drawn: bool,
    /// Maps with at most this many cells get the heights of a heightfield collider.
    pub(crate) most_in_heightfield: usize,
}

/// A new surface, with the data that was computed for parts.
pub(crate) struct FreshSurface {
    pub(crate) surface: TerrainSurface,
    /// The heights of a heightfield collider, if a part requested them. That part takes them.
    pub(crate) heightfield: Option<Vec<f32>>,
    /// How the surface differs from the one that the terrain had when its parts were started. `None` if that one
    /// cannot be updated.
    pub(crate) change: Option<SurfaceChange>,
}

/// Starts a part for a new surface of a terrain. Returns `None` if the part is not needed.
pub(crate) type BeginPart = fn(&World, EntityRef, &mut Wanted) -> Option<Box<dyn Part>>;

/// A part that has not been built yet.
pub(crate) trait Part: Send {
    /// Builds the part, in the background task.
    fn make<'a>(
        self: Box<Self>,
        ground: &'a mut FreshSurface,
    ) -> BoxedFuture<'a, Box<dyn MadePart>>;
}

/// A part that has been built.
pub(crate) trait MadePart: Send + Sync {
    /// Uploads textures within this frame's budget. Returns whether all of them are uploaded.
    fn upload(&mut self, _uploads: &mut FrameUploads) -> bool {
        true
    }

    /// Replaces the part of the old surface.
    fn put_in_place(self: Box<Self>, terrain: &mut EntityWorldMut);
}

/// In the order in which the plugins were added.
#[derive(Resource, Default)]
struct Parts(Vec<BeginPart>);

/// Registers a part that is built for every new surface.
pub(crate) fn add_part(app: &mut App, begin: BeginPart) {
    app.world_mut()
        .get_resource_or_init::<Parts>()
        .0
        .push(begin);
}

/// Starts all parts of a terrain's new surface.
pub(super) fn begin_parts(
    world: &World,
    terrain: Entity,
    is_drawn: bool,
) -> (Wanted, Vec<Box<dyn Part>>) {
    let mut wanted = Wanted {
        is_drawn,
        most_in_heightfield: 0,
    };
    let begin = |begin: &BeginPart| begin(world, world.entity(terrain), &mut wanted);
    let parts = world.get_resource::<Parts>();
    let parts = parts.map_or_else(Vec::new, |parts| parts.0.iter().filter_map(begin).collect());
    (wanted, parts)
}
