//! What bodies meet: heightfields for the physics engines that equal the drawn surface.
//!
//! A land of common size has one, on the terrain's own entity. A large one has some around the bodies that there
//! are, since nobody else needs them: [`TerrainCollider`].

#[cfg(feature = "rapier")]
mod contacts;
mod field;
mod near;

use bevy::prelude::*;
pub(crate) use field::{Colliders, Engines, bent_heights};
pub use near::{MovingBodies, TerrainColliderWindow};

use crate::{ground::TerrainSurface, systems::TerrainSystems, window::share};

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
    pub(crate) fn most_cells(self) -> usize {
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
        .init_resource::<Engines>()
        .add_systems(PreUpdate, field::find_engines)
        .add_systems(
            Update,
            (
                share::<TerrainCollider>.in_set(TerrainSystems::Swap),
                // A window of endless ground that has just come has land around bodies in the same frame.
                (near::follow_bodies, near::despawn_orphans)
                    .chain()
                    .after(TerrainSystems::Swap)
                    .before(TerrainSystems::Present),
            ),
        );
}
