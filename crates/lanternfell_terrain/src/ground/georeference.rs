//! Converts between the terrain's local space and eastings, northings and elevations.
//!
//! ```text
//!   terrain, f32           cells, f64              the map's coordinate system, f64
//!   (x, y, z)     <──>   (column, row), height   <──>   easting, northing, elevation
//! ```
//!
//! The conversion goes through cell coordinates, which both sides use. A position that equals a cell's position is
//! snapped to the cell, so the rounding of `f32` does not show at cells.

use bevy::prelude::*;

use super::surface::TerrainSurface;

/// A position in the coordinate system of a terrain's map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GeoPosition {
    /// The easting in the units of the coordinate system, usually meters. Degrees of longitude if the system is
    /// geographic.
    pub easting: f64,
    /// The northing. Degrees of latitude if the system is geographic.
    pub northing: f64,
    /// The elevation in meters above the map's zero, which is usually sea level.
    pub elevation: f64,
}

impl TerrainSurface {
    /// Returns the elevation of y = 0, in meters above the map's zero, which is usually sea level.
    ///
    /// It is 0 for a recipe. For a map whose heights were normalized, it is the elevation of the lowest point.
    pub fn datum(&self) -> f64 {
        self.frame().elevation.offset
    }

    /// Converts a point from the terrain's local space to the coordinate system of the map.
    ///
    /// The point may be outside of the terrain. If the map has no georeference, the origin is the southwest corner of
    /// the map. The result is exact at cells.
    pub fn geo_position(&self, local: Vec3) -> GeoPosition {
        let surface = self.surface();
        let size = surface.map().size();
        let spacing = f64::from(surface.scale().spacing);
        let cell = [
            nearby_cell(local.x, size.width(), spacing, |cell| {
                surface.vertex(cell, 0).x
            }),
            nearby_cell(local.z, size.height(), spacing, |cell| {
                surface.vertex(0, cell).z
            }),
        ];
        let [easting, northing] = self.frame().place.position(cell, size.height());
        let height = f64::from(local.y) / f64::from(surface.scale().relief);
        let elevation = self.frame().elevation;
        GeoPosition {
            easting,
            northing,
            elevation: elevation.offset + elevation.relief * height,
        }
    }

    /// Converts a position in the map's coordinate system to the terrain's local space. This is the inverse of
    /// [`geo_position`](Self::geo_position).
    pub fn local_position(&self, position: GeoPosition) -> Vec3 {
        let surface = self.surface();
        let size = surface.map().size();
        let at = [position.easting, position.northing];
        let [column, row] = self.frame().place.cell_at(at, size.height());
        let along = |cell: f64, cells: usize| {
            let (nearest, middle) = (cell.round(), 0.5 * (cells - 1) as f64);
            let is_cell = (cell - nearest).abs() < NEAR;
            let cell = if is_cell { nearest } else { cell };
            ((cell - middle) * f64::from(surface.scale().spacing)) as f32
        };
        let elevation = self.frame().elevation;
        let height = (position.elevation - elevation.offset) / elevation.relief;
        Vec3::new(
            along(column, size.width()),
            (height * f64::from(surface.scale().relief)) as f32,
            along(row, size.height()),
        )
    }
}

/// Positions closer to a cell than this, in cells, are snapped to it. It is larger than the rounding errors of `f64`
/// positions far from their origin, and smaller than those of `f32` points.
const NEAR: f64 = 1e-6;

/// Returns the fractional column or row at a position along an axis with `cells` cells. The result is an integer
/// exactly where a cell has this position.
fn nearby_cell(at: f32, cells: usize, spacing: f64, place: impl Fn(usize) -> f32) -> f64 {
    let cell = f64::from(at) / spacing + 0.5 * (cells - 1) as f64;
    let nearest = cell.round();
    let is_cell = nearest >= 0.0 && nearest < cells as f64 && place(nearest as usize) == at;
    if is_cell { nearest } else { cell }
}
