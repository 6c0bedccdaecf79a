//! Regions: terrains that are parts of an endless terrain.
//!
//! Private code calls the endless terrain the whole.

use bevy::{
    math::{DVec2, I64Vec2},
    prelude::*,
};

use crate::{cells::CellArea, ground::Terrain};

/// A region of an [`EndlessTerrain`](crate::EndlessTerrain), on a child entity that is an ordinary
/// [`Terrain`](crate::Terrain).
///
/// Regions are spawned and despawned as the viewers move. Layers, detail, water, material and `RenderLayers` come
/// from the endless terrain. To add other components, such as collision groups, observe `Add` of this component.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub struct TerrainRegion {
    /// The entity of the [`EndlessTerrain`](crate::EndlessTerrain).
    pub terrain: Entity,
    /// The column and row of the northwest cell, in the cells of the endless terrain.
    pub north_west: I64Vec2,
    /// The column and row of the southeast cell.
    pub south_east: I64Vec2,
}

impl TerrainRegion {
    pub(crate) fn area(&self) -> CellArea {
        CellArea {
            min: self.north_west,
            max: self.south_east,
        }
    }
}

/// On the entity of an endless terrain, whose children are regions.
#[derive(Component, Debug, Default, Clone, Copy)]
pub(crate) struct Regioned;

/// The position of a region's center in the endless terrain, in meters. Shaders use it so that their noise does not
/// move when another region replaces this one.
#[derive(Component, Debug, Default, Clone, Copy, PartialEq)]
pub(crate) struct PlanePlace {
    /// Modulo [`TURN`](Self::TURN), for shaders.
    pub(crate) turned: Vec2,
}

impl PlanePlace {
    /// The period in meters after which positions start at 0 again. It keeps them precise enough for `f32` in shaders,
    /// which draw details of centimeters.
    pub(crate) const TURN: f64 = 65_536.0;

    pub(crate) fn of(area: &CellArea, spacing: f32) -> Self {
        let meters = area.middle() * f64::from(spacing);
        Self {
            turned: meters.rem_euclid(DVec2::splat(Self::TURN)).as_vec2(),
        }
    }
}

/// Copies a component from the endless terrain to its regions, and removes it when the endless terrain no longer has
/// it.
pub(crate) fn share<C: Component + Clone + PartialEq>(
    mut commands: Commands,
    wholes: Query<Option<&C>, With<Regioned>>,
    regions: Query<(Entity, &TerrainRegion, Option<&C>), With<Terrain>>,
) {
    for (entity, region, own) in &regions {
        match (wholes.get(region.terrain), own) {
            (Ok(Some(shared)), own) if own != Some(shared) => {
                commands.entity(entity).try_insert(shared.clone());
            }
            (Ok(None), Some(_)) => {
                commands.entity(entity).try_remove::<C>();
            }
            _ => {}
        }
    }
}
