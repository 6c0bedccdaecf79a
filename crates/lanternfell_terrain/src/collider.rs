//! Colliders for physics engines: heightfields that match the rendered surface.
//!
//! A terrain of common size has one collider, on its own entity. A large terrain has several around the moving bodies:
//! see [`TerrainCollider`].

#[cfg(feature = "rapier")]
mod contacts;
mod field;
mod near;
mod park;
#[cfg(feature = "avian")]
mod wake;

use bevy::{prelude::*, tasks::BoxedFuture};
use field::{Colliders, Engines};
use lanternfell_tasks::pause;
pub use near::{MovingBodies, TerrainColliderRegion};

use crate::{
    cells::CellArea,
    ground::{
        FreshSurface, MadePart, Part, Retire, Terrain, TerrainProgress, TerrainSurface, Upcoming,
        Wanted, add_part, ask_again, await_files, removed_with_terrain, require_on_terrain,
        take_up_changes, with_terrain, work::bent_heights,
    },
    systems::TerrainSystems,
};

/// Selects the part of a terrain that has colliders, with the feature `rapier` or `avian`.
///
/// Each [`Terrain`] gets this component by default. For a terrain without colliders, remove it. As with
/// [`Water`](crate::Water), inserting the `Terrain` again brings it back.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_terrain::{TerrainCollider, prelude::*};
///
/// fn spawn(mut commands: Commands) {
///     // Distant mountains that no body reaches.
///     commands.spawn(Terrain::default()).remove::<TerrainCollider>();
/// }
/// # bevy::ecs::system::assert_is_system(spawn);
/// ```
#[derive(Component, Reflect, Debug, Default, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
pub enum TerrainCollider {
    /// [`Whole`](Self::Whole) for maps of up to 4096 x 4096 cells, otherwise [`AroundBodies`](Self::AroundBodies) with
    /// 32 cells.
    #[default]
    Automatic,
    /// The whole terrain, as one collider on its entity, from the frame on in which the terrain is complete. Cost: five
    /// bytes per cell, in addition to the map.
    Whole,
    /// At least this many meters around each body that is not static, along both axes, as colliders on children of the
    /// terrain ([`TerrainColliderRegion`]). Clamped to 2 to 4096 cells.
    ///
    /// Bodies that are near each other share a collider, so they never cross a border between two. Ray and shape casts
    /// of the physics engine only hit the terrain inside these colliders. [`TerrainQuery`](crate::TerrainQuery) works
    /// everywhere.
    AroundBodies(f32),
}

/// The maximum number of cells of a map that has a single collider by default.
const MOST_CELLS: usize = 4096 * 4096;
/// The default distance around bodies, in cells.
const SQUARES: f32 = 32.0;

impl TerrainCollider {
    /// The maximum number of cells of a map that gets a single collider.
    fn most_cells(self) -> usize {
        match self {
            Self::Automatic => MOST_CELLS,
            Self::Whole => usize::MAX,
            Self::AroundBodies(_) => 0,
        }
    }

    /// The distance around bodies in cells, or `None` if the colliders do not follow bodies.
    fn around_bodies(self, ground: &TerrainSurface) -> Option<f32> {
        match self {
            Self::Automatic => (ground.map().size().cells() > MOST_CELLS).then_some(SQUARES),
            Self::AroundBodies(meters) => Some(meters / ground.surface().scale().spacing),
            Self::Whole => None,
        }
    }
}

pub(crate) fn plugin(app: &mut App) {
    #[cfg(feature = "rapier")]
    app.add_observer(contacts::keep_contacts);
    #[cfg(feature = "avian")]
    app.add_plugins(wake::plugin);
    app.register_type::<TerrainCollider>()
        .register_type::<TerrainColliderRegion>()
        .init_resource::<Engines>();
    require_on_terrain::<TerrainCollider>(app);
    app.add_systems(PreUpdate, field::find_engines)
        .add_systems(
            PostUpdate,
            (
                take_up_colliders
                    .after(take_up_changes)
                    .before(await_files)
                    .in_set(TerrainSystems::Generate),
                // After regions of an endless terrain are swapped, so that a new one has colliders around bodies in the
                // same frame.
                (near::follow_bodies, near::despawn_orphans)
                    .chain()
                    .after(TerrainSystems::Swap)
                    .before(TerrainSystems::Present),
                park::follow_transforms
                    .in_set(TerrainSystems::Present)
                    // Other systems of the set write transforms of water.
                    .ambiguous_with_all(),
            ),
        )
        .add_observer(|upcoming: On<Add, Upcoming>, mut commands: Commands| {
            Colliders::disable(&mut commands.entity(upcoming.entity));
        })
        .add_observer(|shown: On<Remove, Upcoming>, mut commands: Commands| {
            Colliders::enable(&mut commands.entity(shown.entity));
        })
        .add_observer(|remove: On<Remove, Terrain>, mut commands: Commands| {
            take_from(&mut commands, remove.entity);
        })
        .add_observer(|retire: On<Retire>, mut commands: Commands| {
            take_from(&mut commands, retire.entity);
        });
    removed_with_terrain::<AskedCollider>(app);
    add_part(app, ColliderPart::begin);
}

fn take_from(commands: &mut Commands, terrain: Entity) {
    if let Ok(mut terrain) = commands.get_entity(terrain) {
        terrain.queue_silenced(|mut terrain: EntityWorldMut| Colliders::take_from(&mut terrain));
    }
}

/// The [`TerrainCollider`] that the terrain was last requested with. On the terrain's entity.
#[derive(Component)]
struct AskedCollider(Option<TerrainCollider>);

type Asked = (
    Entity,
    Option<&'static TerrainCollider>,
    Option<&'static mut AskedCollider>,
    Option<&'static TerrainSurface>,
    Has<TerrainProgress>,
);

type AskedAgain = (
    With<Terrain>,
    Or<(Changed<TerrainCollider>, Changed<Terrain>)>,
);

/// The maximum number of cells of a map that gets a single collider.
fn most_cells(collider: Option<TerrainCollider>) -> usize {
    collider.map_or(0, TerrainCollider::most_cells)
}

/// Regenerates the terrain from the same map if it needs a whole collider or no longer needs it, because this collider
/// is built together with the terrain. Colliders around bodies need no request.
fn take_up_colliders(
    mut commands: Commands,
    changed: Query<Entity, AskedAgain>,
    mut removed: RemovedComponents<TerrainCollider>,
    mut terrains: Query<Asked, With<Terrain>>,
) {
    for entity in changed.iter().chain(removed.read()) {
        let Ok((entity, collider, asked, ground, is_generating)) = terrains.get_mut(entity) else {
            continue;
        };
        let collider = collider.copied();
        let Some(mut asked) = asked else {
            with_terrain(&mut commands, entity, move |mut terrain| {
                terrain.insert(AskedCollider(collider));
            });
            continue;
        };
        let before = std::mem::replace(&mut asked.0, collider);
        if before == collider {
            continue;
        }
        // Terrain in progress may have another size, so only for complete terrain it is known that nothing changes.
        let is_whole = |collider: Option<TerrainCollider>| {
            ground.map(|ground| ground.map().size().cells() <= most_cells(collider))
        };
        if is_generating || is_whole(before) != is_whole(collider) {
            ask_again(&mut commands, entity);
        }
    }
}

/// Builds the collider for all of new terrain.
struct ColliderPart {
    engines: Engines,
    /// Maps with at most this many cells get one.
    most_cells: usize,
    /// The current collider.
    before: Colliders,
}

impl ColliderPart {
    /// Requests the heights of a heightfield if the terrain gets a single collider. The part is also created if it gets
    /// none, because it then removes the collider of the old terrain.
    fn begin(world: &World, terrain: EntityRef, wanted: &mut Wanted) -> Option<Box<dyn Part>> {
        let engines = *world.resource::<Engines>();
        if engines.are_any() {
            let collider = terrain.get::<TerrainCollider>().copied();
            wanted.most_in_heightfield = most_cells(collider);
        }
        Some(Box::new(Self {
            engines,
            most_cells: wanted.most_in_heightfield,
            before: Colliders::of(terrain),
        }))
    }
}

impl Part for ColliderPart {
    fn make<'a>(
        self: Box<Self>,
        ground: &'a mut FreshSurface,
    ) -> BoxedFuture<'a, Box<dyn MadePart>> {
        Box::pin(async move {
            let (surface, heights) = (&ground.surface, ground.heightfield.take());
            let whole = CellArea::of_map(surface.map().size());
            let new = |heights| Colliders::new(&surface.surface(), &whole, heights, self.engines);
            let colliders = match &ground.change {
                None => heights.map(new),
                Some(_) if surface.map().size().cells() > self.most_cells => None,
                Some(change) => {
                    let updated = self.before.update(&surface.surface(), change, self.engines);
                    pause().await;
                    Some(updated.unwrap_or_else(|| new(bent_heights(surface.map(), &whole))))
                }
            };
            let made: Box<dyn MadePart> = Box::new(colliders);
            made
        })
    }
}

impl MadePart for Option<Colliders> {
    fn put_in_place(self: Box<Self>, terrain: &mut EntityWorldMut) {
        match *self {
            Some(colliders) => colliders.put_in_place(terrain),
            None => Colliders::take_from(terrain),
        }
    }
}
