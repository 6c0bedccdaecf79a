//! What other modules make of new ground, to be shown with it in the same frame.
//!
//! Colliders, the height texture of the sea and the ground cover all follow from the ground, and none of them may lag
//! behind it. So they are made in its background task, and put in place by the command that puts the ground in place.
//! The ground does not know them. Each registers a function by [`add_part`]:
//!
//! ```text
//!   main thread      BeginPart: reads the terrain's entity ──> Part
//!   background                                                 make: from the finished surface ──> MadePart
//!   main thread      upload: some bytes each frame, then put_in_place, all parts in one command    <──┘
//! ```

use bevy::{prelude::*, tasks::BoxedFuture};

use super::surface::TerrainSurface;
use crate::upload::FrameUploads;

/// What the background task measures of new ground, besides its map. Parts may ask for more.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    /// Whether there is a renderer.
    pub(crate) is_drawn: bool,
    /// Maps of at most this many cells get the heights of a heightfield.
    pub(crate) most_in_heightfield: usize,
}

/// A surface from the background task, with what was measured for parts.
pub(crate) struct FreshSurface {
    pub(crate) surface: TerrainSurface,
    /// The heights of a heightfield, if a part asked for them. The part takes them.
    pub(crate) heightfield: Option<Vec<f32>>,
}

/// Begins a part of new ground of a terrain; `None` if it is not needed.
pub(crate) type BeginPart = fn(&World, EntityRef, &mut Wanted) -> Option<Box<dyn Part>>;

/// A part that is to be made.
pub(crate) trait Part: Send {
    /// Makes it, in the background.
    fn make<'a>(
        self: Box<Self>,
        ground: &'a mut FreshSurface,
    ) -> BoxedFuture<'a, Box<dyn MadePart>>;
}

/// A part that is made.
pub(crate) trait MadePart: Send + Sync {
    /// Hands textures to the renderer within this frame's budget. Returns whether all of them are handed over.
    fn upload(&mut self, _uploads: &mut FrameUploads) -> bool {
        true
    }

    /// Replaces the old ground's part.
    fn put_in_place(self: Box<Self>, terrain: &mut EntityWorldMut);
}

/// In the order in which plugins were added.
#[derive(Resource, Default)]
struct Parts(Vec<BeginPart>);

/// Has a part made of all new ground.
pub(crate) fn add_part(app: &mut App, begin: BeginPart) {
    app.world_mut()
        .get_resource_or_init::<Parts>()
        .0
        .push(begin);
}

/// Begins all parts of new ground of a terrain.
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
