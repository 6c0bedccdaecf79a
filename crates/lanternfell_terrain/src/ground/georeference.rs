//! From the terrain's own frame to eastings, northings and metres above the sea, and back.
//!
//! ```text
//!   terrain, f32           cells, f64              the map's coordinate system, f64
//!   (x, y, z)     <──>   (column, row), height   <──>   easting, northing, elevation
//! ```
//!
//! In between stand the cells, in which both are told. A place that is a cell's own is snapped to
//! it: what `f32` rounds away between cells is not seen at them.

use bevy::prelude::*;

use super::surface::TerrainSurface;

/// A place in the coordinate system of a terrain's map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GeoPosition {
    /// To the east, in the units of the map's coordinate system: metres mostly; degrees of longitude
    /// if the system is geographic.
    pub easting: f64,
    /// To the north; degrees of latitude if the system is geographic.
    pub northing: f64,
    /// Metres above the map's zero, which is the sea mostly.
    pub elevation: f64,
}

impl TerrainSurface {
    /// The metres above the map's zero (the sea, mostly) of y = 0: 0 of a recipe, of a map that was
    /// stretched its lowest ground.
    pub fn datum(&self) -> f64 {
        self.frame().elevation.offset
    }

    /// Where a point of the terrain's own frame lies in the coordinate system of its map, also beyond
    /// the border; of a map without one, from its south-west corner on. Exact at cells.
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

    /// The point of the terrain's own frame at that place, the way back from [`geo_position`](Self::geo_position).
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

/// So near to a cell, in cells, it is meant: `f64` rounds away more of a place far from its origin, and
/// `f32` of a point.
const NEAR: f64 = 1e-6;

/// The column, or the row, at a place along its axis, of which there are so many; that of a cell
/// exactly where the cell stands there.
fn nearby_cell(at: f32, cells: usize, spacing: f64, place: impl Fn(usize) -> f32) -> f64 {
    let cell = f64::from(at) / spacing + 0.5 * (cells - 1) as f64;
    let nearest = cell.round();
    let is_cell = nearest >= 0.0 && nearest < cells as f64 && place(nearest as usize) == at;
    if is_cell { nearest } else { cell }
}
