//! Positions of entities: by cell or by transform, in one map or in all.

use bevy::{
    ecs::{system::SystemParam, template::FromTemplate},
    prelude::*,
};
use serde::{Deserialize, Serialize};

use crate::{frame::Frame, map::TorchlightMap};

/// The position of a source, blocker, reader or shadow caster in cells, instead of its transform.
///
/// Integers are the centers of cells. Positions between them are allowed, and light changes smoothly. The position
/// applies to all maps that are large enough, unless [`InTorchlightMap`] names one.
#[derive(
    Component,
    Reflect,
    Debug,
    Default,
    Clone,
    Copy,
    PartialEq,
    Deref,
    DerefMut,
    Serialize,
    Deserialize,
)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct LightCell(pub Vec2);

impl LightCell {
    /// The center of a cell.
    pub const fn new(x: i32, y: i32) -> Self {
        Self(Vec2::new(x as f32, y as f32))
    }
}

impl From<IVec2> for LightCell {
    fn from(cell: IVec2) -> Self {
        Self(cell.as_vec2())
    }
}

impl From<Vec2> for LightCell {
    fn from(at: Vec2) -> Self {
        Self(at)
    }
}

/// Restricts a source, blocker, reader or shadow caster to the map of this entity. Without it, an entity is in every
/// map that contains its position.
#[derive(Component, Reflect, FromTemplate, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub struct InTorchlightMap(#[entities] pub Entity);

/// The components that determine the position of an entity.
pub(crate) type PositionData = (
    Entity,
    Option<&'static LightCell>,
    Option<&'static InTorchlightMap>,
);

/// The position of an entity, from which each map computes its own coordinates.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LightPosition {
    map: Option<Entity>,
    coordinates: Coordinates,
}

#[derive(Debug, Clone, Copy)]
enum Coordinates {
    Cell(Vec2),
    World(Vec3),
}

/// World positions as they are now, without waiting for transform propagation.
#[derive(SystemParam)]
pub(crate) struct Positions<'w, 's> {
    transforms: Query<'w, 's, &'static Transform>,
    parents: Query<'w, 's, &'static ChildOf>,
}

impl Positions<'_, '_> {
    /// The entity's transform in the world. Ancestors without a transform are ignored.
    pub(crate) fn global(&self, entity: Entity) -> Option<GlobalTransform> {
        let own = GlobalTransform::from(*self.transforms.get(entity).ok()?);
        let above = self
            .transforms
            .iter_many(self.parents.iter_ancestors(entity));
        Some(above.fold(own, |below, transform| *transform * below))
    }

    /// The position of an entity, or `None` if it has none.
    pub(crate) fn of(
        &self,
        (entity, cell, map): (Entity, Option<&LightCell>, Option<&InTorchlightMap>),
    ) -> Option<LightPosition> {
        let coordinates = match cell {
            Some(cell) => Coordinates::Cell(cell.0),
            None => Coordinates::World(self.global(entity)?.translation()),
        };
        let map = map.map(|map| map.0);
        Some(LightPosition { map, coordinates })
    }

    /// The frames of all maps, sorted by entity.
    pub(crate) fn frames<'a>(
        &self,
        maps: impl Iterator<Item = (Entity, &'a TorchlightMap)>,
        frames: &mut Vec<(Entity, Frame)>,
    ) {
        frames.clear();
        frames.extend(maps.filter_map(|(entity, map)| {
            let frame = map.frame(&self.global(entity)?);
            Some((entity, frame))
        }));
        frames.sort_unstable_by_key(|(entity, _)| entity.index_u32());
    }
}

impl LightPosition {
    /// The position in cells of this map, or `None` if the entity is restricted to another map.
    pub(crate) fn in_map(&self, map: Entity, frame: &Frame) -> Option<Vec2> {
        if self.map.is_some_and(|own| own != map) {
            return None;
        }
        Some(match self.coordinates {
            Coordinates::Cell(at) => at,
            Coordinates::World(position) => frame.cell_at(position),
        })
    }

    /// The height above the map's plane, in cells. `None` for positions in cells, which have no height.
    pub(crate) fn height_over(&self, frame: &Frame) -> Option<f32> {
        match self.coordinates {
            Coordinates::Cell(_) => None,
            Coordinates::World(position) => Some(frame.height_at(position)),
        }
    }
}
