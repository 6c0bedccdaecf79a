//! A terrain that is a window of a larger whole, and what it has of that.

use bevy::{
    math::{DVec2, I64Vec2},
    prelude::*,
};

use crate::{cells::CellArea, ground::Terrain};

/// On a [`Terrain`](crate::Terrain) that is a window of an [`EndlessTerrain`](crate::EndlessTerrain), and its child. It comes and goes
/// with the viewers: what else it should have (collision groups, render layers) an observer of
/// `Add` of this component gives it; colors, detail, water and material are those of the whole.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub struct TerrainWindow {
    /// The entity of the [`EndlessTerrain`](crate::EndlessTerrain).
    pub terrain: Entity,
    /// The column and row of the plane that its north-west cell is.
    pub north_west: I64Vec2,
    /// The column and row of its south-east cell.
    pub south_east: I64Vec2,
}

impl TerrainWindow {
    pub(crate) fn area(&self) -> CellArea {
        CellArea {
            min: self.north_west,
            max: self.south_east,
        }
    }
}

/// On the entity of a whole that has [`TerrainWindow`]s, beside what tells of which kind it is.
#[derive(Component, Debug, Default, Clone, Copy)]
pub(crate) struct Windowed;

/// On a window's entity: where on the plane its middle lies, in metres, so that what shaders strew over land and
/// sea stays where it is when another window takes the place of this one.
#[derive(Component, Debug, Default, Clone, Copy, PartialEq)]
pub(crate) struct PlanePlace {
    /// Modulo [`TURN`](Self::TURN), for shaders.
    pub(crate) turned: Vec2,
    /// From cell (0, 0).
    pub(crate) middle: DVec2,
}

impl PlanePlace {
    /// After so many metres places begin at 0 again: `f32` gets coarse, and shaders draw centimetres.
    pub(crate) const TURN: f64 = 65_536.0;

    pub(crate) fn of(area: &CellArea, spacing: f32) -> Self {
        let metres = area.middle() * f64::from(spacing);
        Self {
            turned: metres.rem_euclid(DVec2::splat(Self::TURN)).as_vec2(),
            middle: metres,
        }
    }
}

/// Gives windows what the whole has of a component, and takes away what it has no more.
pub(crate) fn share<C: Component + Clone + PartialEq>(
    mut commands: Commands,
    wholes: Query<Option<&C>, With<Windowed>>,
    windows: Query<(Entity, &TerrainWindow, Option<&C>), With<Terrain>>,
) {
    for (entity, window, own) in &windows {
        match (wholes.get(window.terrain), own) {
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
