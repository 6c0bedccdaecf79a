//! What bodies meet: heightfields for the physics engines that equal the drawn surface.
//!
//! A land of common size has one, on the terrain's own entity. A large one has some around the bodies that there
//! are, since nobody else needs them: [`TerrainCollider`].

#[cfg(feature = "rapier")]
mod contacts;
mod field;
mod near;

use bevy::{prelude::*, tasks::BoxedFuture};
use field::{Colliders, Engines};
pub use near::{MovingBodies, TerrainColliderWindow};

use crate::{
    cells::CellArea,
    ground::{
        FreshSurface, Generating, MadePart, Part, Retire, Terrain, TerrainSurface, Upcoming,
        Wanted, add_part, ask_again, await_files, removed_with_terrain, require_on_terrain,
        take_up_changes, with_terrain,
    },
    systems::TerrainSystems,
};

/// Which part of the land bodies can meet, with the feature `rapier` or `avian`.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_terrain::{TerrainCollider, prelude::*};
///
/// fn spawn(mut commands: Commands) {
///     // Mountains on the horizon, where nobody ever is.
///     commands.spawn((Terrain::default(), TerrainCollider::None));
/// }
/// # bevy::ecs::system::assert_is_system(spawn);
/// ```
#[derive(Component, Reflect, Debug, Default, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub enum TerrainCollider {
    /// [`Whole`](Self::Whole) on maps of up to 4096 x 4096 cells, and [`AroundBodies`](Self::AroundBodies) of 32
    /// squares on larger ones.
    #[default]
    Automatic,
    /// All of it, as a collider on the terrain's own entity, from the moment on in which the ground is there. It
    /// takes five bytes for each cell, besides the map.
    Whole,
    /// So many metres at least around every body that is not fixed, along both axes, as colliders on children of
    /// the terrain: [`TerrainColliderWindow`]. Bodies that are near each other have one together, so none ever
    /// meets a border. Rays and shapes of the physics engine meet the land there alone; those of
    /// [`TerrainQuery`](crate::TerrainQuery) everywhere.
    AroundBodies(f32),
    /// None of it.
    None,
}

/// The most cells of a map that has one collider by default.
const MOST_CELLS: usize = 4096 * 4096;
/// How far around bodies there is land by default, in squares.
const SQUARES: f32 = 32.0;

impl TerrainCollider {
    /// Maps of up to so many cells have one for all of them.
    fn most_cells(self) -> usize {
        match self {
            Self::Automatic => MOST_CELLS,
            Self::Whole => usize::MAX,
            Self::AroundBodies(_) | Self::None => 0,
        }
    }

    /// How far around bodies there is land, in squares; `None` if it is not made around them.
    fn around_bodies(self, ground: &TerrainSurface) -> Option<f32> {
        match self {
            Self::Automatic => (ground.map().size().cells() > MOST_CELLS).then_some(SQUARES),
            Self::AroundBodies(metres) => Some(metres / ground.surface().scale().spacing),
            Self::Whole | Self::None => None,
        }
    }
}

pub(crate) fn plugin(app: &mut App) {
    #[cfg(feature = "rapier")]
    app.add_observer(contacts::keep_contacts);
    app.register_type::<TerrainCollider>()
        .register_type::<TerrainColliderWindow>()
        .init_resource::<Engines>();
    require_on_terrain::<TerrainCollider>(app);
    app.add_systems(PreUpdate, field::find_engines)
        .add_systems(
            Update,
            (
                take_up_colliders
                    .after(take_up_changes)
                    .before(await_files)
                    .in_set(TerrainSystems::Generate),
                // A window of endless ground that has just come has land around bodies in the same frame.
                (near::follow_bodies, near::despawn_orphans)
                    .chain()
                    .after(TerrainSystems::Swap)
                    .before(TerrainSystems::Present),
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

/// On a terrain's entity: the [`TerrainCollider`] that its ground was asked for with.
#[derive(Component)]
struct AskedCollider(TerrainCollider);

type Asked = (
    Entity,
    &'static TerrainCollider,
    Option<&'static mut AskedCollider>,
    Option<&'static TerrainSurface>,
    Has<Generating>,
);

type AskedAgain = (
    With<Terrain>,
    Or<(Changed<TerrainCollider>, Changed<Terrain>)>,
);

/// A whole collider comes with the ground, so ground is made again, of the same map, when it is to have one or to have
/// one no more. Colliders around bodies follow by themselves.
fn take_up_colliders(mut commands: Commands, mut terrains: Query<Asked, AskedAgain>) {
    for (entity, &collider, asked, ground, is_generating) in &mut terrains {
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
        // What is on its way may be of another size: only of what is there it is known that nothing changes.
        let is_whole = |collider: TerrainCollider| {
            ground.map(|ground| ground.map().size().cells() <= collider.most_cells())
        };
        if is_generating || is_whole(before) != is_whole(collider) {
            ask_again(&mut commands, entity);
        }
    }
}

/// The collider of all of new ground.
struct ColliderPart(Engines);

impl ColliderPart {
    /// Asks for the heights of a heightfield where one collider is for all of the ground. It also begins where there
    /// is to be none: then the old ground's goes.
    fn begin(world: &World, terrain: EntityRef, wanted: &mut Wanted) -> Option<Box<dyn Part>> {
        let engines = *world.resource::<Engines>();
        if engines.are_any() {
            let collider = terrain.get::<TerrainCollider>().copied();
            wanted.most_in_heightfield = collider.unwrap_or_default().most_cells();
        }
        Some(Box::new(Self(engines)))
    }
}

impl Part for ColliderPart {
    fn make<'a>(
        self: Box<Self>,
        ground: &'a mut FreshSurface,
    ) -> BoxedFuture<'a, Box<dyn MadePart>> {
        Box::pin(async move {
            let colliders = ground.heightfield.take().map(|heights| {
                let surface = &ground.surface;
                let whole = CellArea::of_map(surface.map().size());
                Colliders::new(&surface.surface(), &whole, heights, self.0)
            });
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
