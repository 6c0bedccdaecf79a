//! Where things stand: by cell or by transform, in one map or in every map there.

use bevy::{
    ecs::{system::SystemParam, template::FromTemplate},
    prelude::*,
};
use serde::{Deserialize, Serialize};

use crate::{frame::Frame, map::LightMap};

/// Says in cells where a source, a blocker or a reader stands, in place of its transform.
///
/// Whole numbers are middles of cells, and between them light moves smoothly. It holds in
/// every map that is large enough, unless [`InLightMap`] names one.
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
    /// In the middle of a cell.
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

/// Says that a source, a blocker or a reader stands in the map of this entity and in no
/// other. Without it things stand in every map in whose area they are.
#[derive(Component, Reflect, FromTemplate, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub struct InLightMap(#[entities] pub Entity);

/// What says where an entity stands.
pub(crate) type PositionData = (
    Entity,
    Option<&'static LightCell>,
    Option<&'static InLightMap>,
);

/// Where something stands, for each map to find it.
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

/// Positions in the world as they are now, before transforms are propagated.
#[derive(SystemParam)]
pub(crate) struct Positions<'w, 's> {
    transforms: Query<'w, 's, &'static Transform>,
    parents: Query<'w, 's, &'static ChildOf>,
}

impl Positions<'_, '_> {
    /// The entity's transform in the world. Ancestors without one do not move it.
    pub(crate) fn global(&self, entity: Entity) -> Option<GlobalTransform> {
        let own = GlobalTransform::from(*self.transforms.get(entity).ok()?);
        let above = self
            .transforms
            .iter_many(self.parents.iter_ancestors(entity));
        Some(above.fold(own, |below, transform| *transform * below))
    }

    /// Where an entity stands, if anywhere.
    pub(crate) fn of(
        &self,
        (entity, cell, map): (Entity, Option<&LightCell>, Option<&InLightMap>),
    ) -> Option<LightPosition> {
        let coordinates = match cell {
            Some(cell) => Coordinates::Cell(cell.0),
            None => Coordinates::World(self.global(entity)?.translation()),
        };
        let map = map.map(|map| map.0);
        Some(LightPosition { map, coordinates })
    }

    /// The frames of all maps, in the order of their entities.
    pub(crate) fn frames<'a>(
        &self,
        maps: impl Iterator<Item = (Entity, &'a LightMap)>,
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
    /// Where it is in a map, in cells; none when it stands in another.
    pub(crate) fn in_map(&self, map: Entity, frame: &Frame) -> Option<Vec2> {
        if self.map.is_some_and(|own| own != map) {
            return None;
        }
        Some(match self.coordinates {
            Coordinates::Cell(at) => at,
            Coordinates::World(position) => frame.cell_at(position),
        })
    }

    /// How high it is over a map's plane, in cells; none of what stands in a cell, which says nothing of that.
    pub(crate) fn height_over(&self, frame: &Frame) -> Option<f32> {
        match self.coordinates {
            Coordinates::Cell(_) => None,
            Coordinates::World(position) => Some(frame.height_at(position)),
        }
    }
}
