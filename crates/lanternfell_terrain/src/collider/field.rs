//! A heightfield of a part of the land, for each physics engine that there is.
//!
//! A heightfield lies centered on its entity and cuts each square from its corner at low x and high z to that at
//! high x and low z, which is how [`Surface`] cuts it too. It wants its heights column by column.
//!
//! A body that slides from one triangle to the next must not trip over the edge between them, as it does where
//! contacts point away from the edge and not from the surface: on flat ground it would hop. So contacts at inner
//! edges are held to the normals of the triangles around (`FIX_INTERNAL_EDGES`).
//!
//! So that they do not fall through either, ground is nowhere exactly flat: [`bent_heights`]. What `parry` loses
//! for a step all the same, `rapier` is given back: `contacts.rs`.
//!
//! Squares that are holes are taken out: at their edges contacts may point anywhere.

#[cfg(any(feature = "avian", feature = "rapier"))]
use bevy::math::USizeVec2;
use bevy::prelude::*;
use lanternfell_surface::Surface;

use crate::{cells::CellArea, ground::drop_elsewhere};

/// The engines that there are in an app. Colliders of `rapier` are made also where its plugin is not: they
/// answer questions of their own.
#[derive(Resource, Debug, Default, Clone, Copy)]
pub(super) struct Engines {
    #[cfg(feature = "avian")]
    avian: bool,
}

impl Engines {
    /// Whether heightfields are made at all.
    pub(super) fn are_any(self) -> bool {
        #[cfg(feature = "avian")]
        let avian = self.avian;
        #[cfg(not(feature = "avian"))]
        let avian = false;
        avian || cfg!(feature = "rapier")
    }
}

/// Looks which engines there are, whatever the order of the plugins.
pub(super) fn find_engines(
    #[cfg(feature = "avian")] mut engines: ResMut<Engines>,
    #[cfg(feature = "avian")] avian: Option<Res<Time<avian3d::prelude::Physics>>>,
) {
    #[cfg(feature = "avian")]
    {
        engines.avian = avian.is_some();
    }
}

/// A part of the land for each engine.
pub(super) struct Colliders {
    #[cfg(feature = "avian")]
    avian: Option<avian3d::prelude::Collider>,
    #[cfg(feature = "rapier")]
    rapier: bevy_rapier3d::prelude::Collider,
}

/// The body that a collider needs for `avian`, where its entity had none.
#[cfg(feature = "avian")]
#[derive(Component)]
struct OwnBody;

impl Colliders {
    /// Of those cells of the surface, two or more along both axes, and their [heights](bent_heights).
    pub(super) fn new(
        surface: &Surface<'_>,
        cells: &CellArea,
        heights: Vec<f32>,
        engines: Engines,
    ) -> Self {
        #[cfg(not(any(feature = "avian", feature = "rapier")))]
        let _ = (surface, cells, heights);
        #[cfg(not(feature = "avian"))]
        let Engines {} = engines;
        Self {
            #[cfg(feature = "avian")]
            avian: engines.avian.then(|| {
                #[cfg(feature = "rapier")]
                let heights = heights.clone();
                for_avian(surface, cells, heights).into()
            }),
            #[cfg(feature = "rapier")]
            rapier: for_rapier(surface, cells, heights).into(),
        }
    }

    /// Puts them in the place of those that the entity has.
    pub(super) fn put_in_place(self, entity: &mut EntityWorldMut) {
        #[cfg(feature = "avian")]
        if let Some(collider) = self.avian {
            use avian3d::prelude::RigidBody;
            if !entity.contains::<RigidBody>() {
                entity.insert((RigidBody::Static, OwnBody));
            }
            crate::ground::replace(entity, collider);
        }
        #[cfg(feature = "rapier")]
        crate::ground::replace(entity, self.rapier);
        #[cfg(not(any(feature = "avian", feature = "rapier")))]
        let _ = entity;
    }

    /// Takes them from an entity.
    pub(super) fn take_from(entity: &mut EntityWorldMut) {
        #[cfg(feature = "avian")]
        {
            drop_elsewhere(entity.take::<avian3d::prelude::Collider>());
            if entity.take::<OwnBody>().is_some() {
                entity.remove::<avian3d::prelude::RigidBody>();
            }
        }
        #[cfg(feature = "rapier")]
        drop_elsewhere(entity.take::<bevy_rapier3d::prelude::Collider>());
        #[cfg(not(any(feature = "avian", feature = "rapier")))]
        drop_elsewhere(entity.id());
    }

    /// From now on nobody meets those that an entity has or will have.
    pub(super) fn disable(entity: &mut EntityCommands) {
        #[cfg(feature = "avian")]
        entity.try_insert(avian3d::prelude::ColliderDisabled);
        #[cfg(feature = "rapier")]
        entity.try_insert(bevy_rapier3d::prelude::ColliderDisabled);
        #[cfg(not(any(feature = "avian", feature = "rapier")))]
        let _ = entity;
    }

    /// From now on they are met.
    pub(super) fn enable(entity: &mut EntityCommands) {
        #[cfg(feature = "avian")]
        entity.try_remove::<avian3d::prelude::ColliderDisabled>();
        #[cfg(feature = "rapier")]
        entity.try_remove::<bevy_rapier3d::prelude::ColliderDisabled>();
        #[cfg(not(any(feature = "avian", feature = "rapier")))]
        let _ = entity;
    }
}

/// The squares between two cells that are holes.
#[cfg(any(feature = "avian", feature = "rapier"))]
fn holes_between(
    surface: &Surface<'_>,
    first: USizeVec2,
    last: USizeVec2,
) -> impl Iterator<Item = USizeVec2> {
    surface.holes().into_iter().flat_map(move |holes| {
        let squares = (first.y..last.y)
            .flat_map(move |row| (first.x..last.x).map(move |column| USizeVec2::new(column, row)));
        squares.filter(|square| holes.is_hole(square.x, square.y))
    })
}

/// The shape for an engine, which has a release of `parry` of its own.
#[cfg(any(feature = "avian", feature = "rapier"))]
macro_rules! heightfield {
    ($name:ident, $engine:ident) => {
        fn $name(
            surface: &Surface<'_>,
            cells: &CellArea,
            heights: Vec<f32>,
        ) -> $engine::parry::shape::SharedShape {
            use $engine::parry::{
                shape::{HeightField, HeightFieldCellStatus, HeightFieldFlags, SharedShape},
                utils::Array2,
            };
            let [first, last] = [cells.min, cells.max].map(|cell| cell.as_usizevec2());
            let count = last - first + 1;
            let scale = surface.scale();
            let extent = (count - 1).as_vec2() * scale.spacing;
            let size = Vec3::new(extent.x, scale.relief, extent.y);
            let heights = Array2::new(count.y, count.x, heights);
            let mut field =
                HeightField::with_flags(heights, size, HeightFieldFlags::FIX_INTERNAL_EDGES);
            for hole in holes_between(surface, first, last) {
                let [column, row] = (hole - first).to_array();
                field.set_cell_status(row, column, HeightFieldCellStatus::CELL_REMOVED);
            }
            SharedShape::new(field)
        }
    };
}

#[cfg(feature = "avian")]
heightfield!(for_avian, avian3d);
#[cfg(feature = "rapier")]
heightfield!(for_rapier, bevy_rapier3d);
