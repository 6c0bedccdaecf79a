//! Builds the heightfield of a part of a terrain for each physics engine.
//!
//! A heightfield is centered on its entity. It splits each square from the corner at low x and high z to that at high x
//! and low z, which is how [`Surface`] splits it too. Its heights are stored column by column.
//!
//! A body that slides from one triangle to the next must not trip over the edge between them. This happens if contact
//! normals point away from the edge instead of the surface: on flat terrain the body would hop. So the normals at inner
//! edges are limited to those of the adjacent triangles (`FIX_INTERNAL_EDGES`).
//!
//! With this flag bodies can fall through exactly flat terrain, so the heights are bent slightly: see [`bent_heights`].
//! For contacts that `parry` still loses for a step, see `contacts.rs`, which applies to `rapier` only.
//!
//! Squares that are holes are removed. Contact normals at their edges are not limited.
//!
//! [`bent_heights`]: crate::ground::work::bent_heights

#[cfg(any(feature = "avian", feature = "rapier"))]
use bevy::math::USizeVec2;
use bevy::prelude::*;
use lanternfell_surface::Surface;
#[cfg(any(feature = "avian", feature = "rapier"))]
use lanternfell_surface::update_heightfield_columns;

use super::park::Parked;
use crate::{
    cells::CellArea,
    ground::{SurfaceChange, drop_elsewhere},
};

/// The physics engines in use. Colliders for `rapier` are built even without its plugin, because they can be queried on
/// their own.
#[derive(Resource, Debug, Default, Clone, Copy)]
pub(super) struct Engines {
    #[cfg(feature = "avian")]
    avian: bool,
}

impl Engines {
    /// Whether heightfields are built at all.
    pub(super) fn are_any(self) -> bool {
        #[cfg(feature = "avian")]
        let avian = self.avian;
        #[cfg(not(feature = "avian"))]
        let avian = false;
        avian || cfg!(feature = "rapier")
    }
}

/// Detects the physics engines at run time, so that the order of the plugins does not matter.
pub(super) fn find_engines(
    #[cfg(feature = "avian")] mut engines: ResMut<Engines>,
    #[cfg(feature = "avian")] avian: Option<Res<Time<avian3d::prelude::Physics>>>,
) {
    #[cfg(feature = "avian")]
    {
        engines.avian = avian.is_some();
    }
}

/// The collider of a part of a terrain for each engine.
pub(super) struct Colliders {
    #[cfg(feature = "avian")]
    avian: Option<avian3d::prelude::Collider>,
    #[cfg(feature = "rapier")]
    rapier: Option<bevy_rapier3d::prelude::Collider>,
}

/// Marks a terrain on which this module inserted the rigid body that `avian` needs for a collider.
#[cfg(feature = "avian")]
#[derive(Component)]
struct OwnBody;

impl Colliders {
    /// Creates colliders for the given cells, at least two along each axis, with their bent heights.
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
            rapier: Some(for_rapier(surface, cells, heights).into()),
        }
    }

    /// Returns the colliders of an entity. They are shared.
    pub(super) fn of(entity: EntityRef) -> Self {
        #[cfg(not(any(feature = "avian", feature = "rapier")))]
        let _ = entity;
        Self {
            #[cfg(feature = "avian")]
            avian: entity.get().cloned(),
            #[cfg(feature = "rapier")]
            rapier: entity.get().cloned(),
        }
    }

    /// Returns colliders of a whole terrain with these changes. `None` if there is no collider of an engine yet, or if
    /// it is not one of ours.
    pub(super) fn update(
        &self,
        surface: &Surface<'_>,
        change: &SurfaceChange,
        engines: Engines,
    ) -> Option<Self> {
        #[cfg(not(any(feature = "avian", feature = "rapier")))]
        let _ = (surface, change);
        #[cfg(not(feature = "avian"))]
        let Engines {} = engines;
        Some(Self {
            #[cfg(feature = "avian")]
            avian: match (&self.avian, engines.avian) {
                (_, false) => None,
                (None, true) => return None,
                (Some(before), true) => {
                    Some(update_for_avian(before.shape(), surface, change)?.into())
                }
            },
            #[cfg(feature = "rapier")]
            rapier: Some(update_for_rapier(&self.rapier.as_ref()?.raw, surface, change)?.into()),
        })
    }

    /// Inserts the colliders on an entity, or replaces the current ones.
    pub(super) fn put_in_place(self, entity: &mut EntityWorldMut) {
        Parked::take_from(entity);
        #[cfg(feature = "avian")]
        if let Some(collider) = self.avian {
            use avian3d::prelude::RigidBody;
            if !entity.contains::<RigidBody>() {
                entity.insert((RigidBody::Static, OwnBody));
            }
            // Cheap, because the shape is shared.
            if let Some(old) = entity.get::<avian3d::prelude::Collider>().cloned() {
                super::wake::over_changes(entity, &old, &collider);
                drop_elsewhere(old);
            }
            crate::ground::replace(entity, collider);
            if !entity.contains::<super::wake::OwnCollider>() {
                entity.insert(super::wake::OwnCollider::default());
            }
        }
        #[cfg(feature = "rapier")]
        if let Some(collider) = self.rapier {
            crate::ground::replace(entity, collider);
        }
        #[cfg(not(any(feature = "avian", feature = "rapier")))]
        let _ = entity;
    }

    /// Removes the colliders from an entity and returns them.
    pub(super) fn take(entity: &mut EntityWorldMut) -> Self {
        #[cfg(not(any(feature = "avian", feature = "rapier")))]
        let _ = entity;
        Self {
            #[cfg(feature = "avian")]
            avian: entity.take(),
            #[cfg(feature = "rapier")]
            rapier: entity.take(),
        }
    }

    /// Removes the colliders from an entity, and everything that was inserted for them.
    pub(super) fn take_from(entity: &mut EntityWorldMut) {
        Parked::take_from(entity);
        drop_elsewhere(Self::take(entity));
        #[cfg(feature = "avian")]
        {
            entity.remove::<super::wake::OwnCollider>();
            if entity.take::<OwnBody>().is_some() {
                entity.remove::<avian3d::prelude::RigidBody>();
            }
        }
    }

    /// Disables the current and future colliders of an entity.
    pub(super) fn disable(entity: &mut EntityCommands) {
        #[cfg(feature = "avian")]
        entity.try_insert(avian3d::prelude::ColliderDisabled);
        #[cfg(feature = "rapier")]
        entity.try_insert(bevy_rapier3d::prelude::ColliderDisabled);
        #[cfg(not(any(feature = "avian", feature = "rapier")))]
        let _ = entity;
    }

    /// Enables the colliders of an entity.
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

/// The size of the heightfield of this number of cells along both axes.
#[cfg(any(feature = "avian", feature = "rapier"))]
fn size_of(surface: &Surface<'_>, count: USizeVec2) -> Vec3 {
    let scale = surface.scale();
    let extent = (count - 1).as_vec2() * scale.spacing;
    Vec3::new(extent.x, scale.relief, extent.y)
}

/// Builds the shape for one engine. A macro, because each engine depends on its own version of `parry`.
#[cfg(any(feature = "avian", feature = "rapier"))]
macro_rules! heightfield {
    ($name:ident, $update:ident, $engine:ident) => {
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
            let size = size_of(surface, count);
            let heights = Array2::new(count.y, count.x, heights);
            let mut field =
                HeightField::with_flags(heights, size, HeightFieldFlags::FIX_INTERNAL_EDGES);
            for hole in holes_between(surface, first, last) {
                let [column, row] = (hole - first).to_array();
                field.set_cell_status(row, column, HeightFieldCellStatus::CELL_REMOVED);
            }
            SharedShape::new(field)
        }

        /// The shape of a whole terrain with these changes.
        fn $update(
            before: &$engine::parry::shape::SharedShape,
            surface: &Surface<'_>,
            change: &SurfaceChange,
        ) -> Option<$engine::parry::shape::SharedShape> {
            use $engine::parry::{
                shape::{HeightField, HeightFieldCellStatus, SharedShape},
                utils::Array2,
            };
            let (rows, columns) = (surface.map().height(), surface.map().width());
            let before = before.as_heightfield()?;
            if [before.heights().nrows(), before.heights().ncols()] != [rows, columns] {
                return None;
            }
            let mut heights = before.heights().data().to_vec();
            for [columns, rows] in change.ranges() {
                update_heightfield_columns(&mut heights, surface.map(), columns, rows).ok()?;
            }
            // Not the size of `before`: `rapier` has applied the transform's scale to it.
            let size = size_of(surface, USizeVec2::new(columns, rows));
            let heights = Array2::new(rows, columns, heights);
            let mut field = HeightField::with_flags(heights, size, before.flags());
            if change.holes || surface.holes().is_some() {
                field
                    .cells_statuses_mut()
                    .data_mut()
                    .copy_from_slice(before.cells_statuses().data());
            }
            if change.holes {
                for [columns, rows] in change.ranges() {
                    // The squares between the cells.
                    for row in rows.start..rows.end - 1 {
                        for column in columns.start..columns.end - 1 {
                            let is_hole = surface
                                .holes()
                                .is_some_and(|holes| holes.is_hole(column, row));
                            let status = match is_hole {
                                true => HeightFieldCellStatus::CELL_REMOVED,
                                false => HeightFieldCellStatus::empty(),
                            };
                            field.set_cell_status(row, column, status);
                        }
                    }
                }
            }
            Some(SharedShape::new(field))
        }
    };
}

#[cfg(feature = "avian")]
heightfield!(for_avian, update_for_avian, avian3d);
#[cfg(feature = "rapier")]
heightfield!(for_rapier, update_for_rapier, bevy_rapier3d);
