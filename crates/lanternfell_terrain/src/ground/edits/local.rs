//! Strokes in meters, and the cells of a log: of a map, of an endless plane, and of its regions.

use bevy::{
    math::{DVec2, I64Vec2},
    prelude::*,
};
use lanternfell_edits::{Brush, Channel, Stroke, StrokeError};

use super::{EditWork, PlaneTiles, StrokeTiles};
use crate::{cells::CellArea, ground::surface::TerrainSurface};

impl TerrainSurface {
    /// Returns a stroke for [`TerrainEdits`](crate::TerrainEdits), at full strength. `radius` and `points` are in meters;
    /// `points` are along x and z in the terrain's local space.
    ///
    /// # Errors
    /// If a number is out of its range, or not finite.
    pub fn local_stroke(
        &self,
        brush: Brush,
        radius: f32,
        points: impl IntoIterator<Item = Vec2>,
    ) -> Result<Stroke, StrokeError> {
        let spacing = self.surface().scale().spacing;
        let corner = self.surface().half_extent().as_dvec2() / f64::from(spacing);
        local_stroke(brush, radius, points, spacing, |at| corner + at)
    }
}

/// Returns a stroke for a terrain with this distance between cells. `to_cells` converts a position in cells from the
/// origin of its local space to the cells of the log.
pub(super) fn local_stroke(
    brush: Brush,
    radius: f32,
    points: impl IntoIterator<Item = Vec2>,
    spacing: f32,
    to_cells: impl Fn(DVec2) -> DVec2,
) -> Result<Stroke, StrokeError> {
    let spacing = f64::from(spacing);
    // A hole is at the center of a square between four cells.
    let square = match brush.channel() {
        Channel::Holes => 0.5,
        _ => 0.0,
    };
    // The units of strokes are 1/256 of a cell.
    let units = |cells: f64| match cells.is_finite() {
        true => (cells * 256.0).round() as i64,
        false => i64::MAX,
    };
    let points = points.into_iter().map(|point| {
        let cell = to_cells(point.as_dvec2() / spacing) - square;
        [units(cell.x), units(cell.y)]
    });
    let radius = (f64::from(radius) / spacing * 256.0).round() as u32;
    let stroke = Stroke::along(brush, radius, points);
    stroke.validate()?;
    Ok(stroke)
}

/// On an endless terrain whose source is known: how its local space is related to the cells of its log.
#[derive(Component, Debug, Clone, Copy, PartialEq)]
pub(crate) struct EditablePlane {
    /// The distance between two cells in meters.
    pub(crate) spacing: f32,
    /// The cell at the origin of the local space.
    pub(crate) origin: I64Vec2,
}

/// On a region of an endless terrain, which cannot be edited by itself.
#[derive(Component, Debug, Clone, Copy)]
pub(crate) struct PartOf(pub(crate) Entity);

/// The edits of a region of an endless terrain, whose first cell is that of the region. On the region's entity.
#[derive(Component, Clone)]
pub(crate) struct RegionEdits(StrokeTiles);

impl RegionEdits {
    /// The edits in an area whose first column and row are multiples of the side of a tile.
    pub(crate) fn of(plane: &PlaneTiles, area: &CellArea) -> Self {
        Self(plane.within(area))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether both have the same tiles.
    pub(crate) fn are(&self, other: &Self) -> bool {
        self.0.are(&other.0)
    }

    pub(in crate::ground) fn work(&self) -> EditWork {
        EditWork::Tiles(self.0.clone())
    }
}
