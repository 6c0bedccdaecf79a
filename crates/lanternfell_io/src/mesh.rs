//! Writes the surface of a map as a triangle mesh, in three formats.
//!
//! ```text
//! step 1: every cell      step 3: every third, and the last
//!  ┌┬┬┬┬┬┬┬┐               ┌──┬──┬─┐
//!  ├┼┼┼┼┼┼┼┤               │  │  │ │      each square is split from its southwest to
//!  ├┼┼┼┼┼┼┼┤               │  │  │ │      its northeast corner, as in all of our meshes
//!  └┴┴┴┴┴┴┴┘               └──┴──┴─┘      (see surface.rs)
//! ```
//!
//! Vertices are at the positions of [`Surface::vertex`]. Normals are computed from the full map, so that a coarse mesh
//! is shaded like a fine one. A texture has one pixel per cell, whose center is the vertex. Texture coordinates
//! therefore range from half a pixel to half a pixel before 1.
//!
//! Holes are squares without triangles. Their vertices stay, so that the number of a vertex follows from its cell.
//!
//! The map is read row by row from north to south, and the triangles are written in the same order. A map of any size,
//! also a folder of tiles, needs memory for a few rows.

mod glb;
mod holes;
mod obj;
mod stl;
mod tile;
mod vertex_row;

use std::io::Write;

use lanternfell_heightmap::{
    HoleMask, MapFrame, MapRegion, MapSize, ParamError, Progress, Scale, analysis::HeightRows,
};
use lanternfell_surface::Axis;

use crate::{ExportError, Format, WriteOptions};
pub use glb::{check_glb, write_glb};
pub use obj::{obj_material, write_obj};
pub use stl::write_stl;
pub use tile::{MeshTile, write_mesh_tile};
use vertex_row::VertexRow;

/// Writes rows of heights as a mesh: OBJ, STL or GLB.
///
/// The result is that of [`write()`](super::write()), but the heights do not have to be in memory. `map` is read four
/// times for GLB, and twice for the other formats.
///
/// # Errors
/// - [`ExportError::Param`] when the frame or an option is outside its range.
/// - [`ExportError::NotSquare`] when the cells are not square, for STL.
/// - [`ExportError::TooLarge`] when the file would exceed the largest size of its format.
/// - [`ExportError::TooHigh`] when a height exceeds the largest coordinate of a mesh.
/// - [`ExportError::NotMesh`] for another format.
/// - [`ExportError::Write`] and [`ExportError::Canceled`].
pub fn write_mesh(
    (map, frame): (&dyn HeightRows, &MapFrame),
    format: Format,
    options: &WriteOptions<'_>,
    mut out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    frame.validate()?;
    let land = Land::of(map, (frame, map.size()), format)?;
    write_land(land, format, options, &mut out, progress)
}

/// Like [`write_mesh`], for a valid frame.
pub(super) fn write_land(
    land: Land<'_>,
    format: Format,
    options: &WriteOptions<'_>,
    out: &mut dyn Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    match format {
        Format::Obj => {
            let grid = MeshGrid::new(land, options.step)?.with_holes(options.holes)?;
            obj::write(&grid, None, out, progress)
        }
        Format::Stl => stl::write(land, options.print, out, progress),
        Format::Glb => {
            let grid = MeshGrid::new(land, options.step)?.with_holes(options.holes)?;
            glb::write(&grid, options.texture, out, progress)
        }
        // All other formats store rows of heights.
        _ => Err(ExportError::NotMesh(format)),
    }
}

/// Heights, and the size and relief of their cells.
#[derive(Clone, Copy)]
pub(super) struct Land<'a> {
    map: &'a dyn HeightRows,
    /// The spacing is that of columns.
    scale: Scale,
    /// Meters from row to row.
    down: f32,
}

impl<'a> Land<'a> {
    /// Creates it for square cells.
    fn square(map: &'a dyn HeightRows, scale: Scale) -> Self {
        let down = scale.spacing;
        Self { map, scale, down }
    }

    /// Creates it for the cells of a frame, which is that of a map of this size. Cells that are nearly square become
    /// squares of the same area. Returns an error if the format needs square cells and these are not.
    pub(super) fn of(
        map: &'a dyn HeightRows,
        (frame, size): (&MapFrame, MapSize),
        format: Format,
    ) -> Result<Self, ExportError> {
        let square = Self::square(map, frame.scale(size));
        let Some((width, height)) = frame.place.square_cells(size) else {
            return Ok(square);
        };
        let [east, south] = frame.place.spacing(size.height());
        if format == Format::Stl {
            return Err(ExportError::NotSquare {
                format,
                east,
                south,
                width,
                height,
            });
        }
        let [spacing, down] = [east, south].map(|meters| meters as f32);
        let scale = Scale {
            spacing,
            ..square.scale
        };
        Ok(Self { map, scale, down })
    }
}

/// The largest coordinate in meters. With the smallest spacing, slopes can still be squared in `f32`.
const MOST_METERS: f64 = 1e9;

/// The smallest spacing in meters.
const LEAST_SPACING: f32 = 1e-6;

/// The cells that become vertices: every `step`-th column and row, and the last.
struct MeshGrid<'a> {
    map: &'a dyn HeightRows,
    /// The cells of `map` that are covered by the mesh. Columns and rows of the grid are counted from its corner.
    region: MapRegion,
    /// Which part of a texture the mesh shows.
    texture: TextureExtent,
    /// The spacing is that of columns.
    scale: Scale,
    /// Meters from row to row.
    down: f32,
    x: Axis,
    z: Axis,
    columns: Vec<usize>,
    rows: Vec<usize>,
    /// The holes of `map`.
    holes: Option<&'a HoleMask>,
    /// The number of squares of the grid that are holes.
    missing: u64,
}

/// The texture coordinates of the outermost vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextureExtent {
    /// The centers of the outermost pixels, of a texture with one pixel per cell.
    PixelCenters,
    /// 0 and 1.
    Corners,
}

impl<'a> MeshGrid<'a> {
    fn new(land: Land<'a>, step: u32) -> Result<Self, ParamError> {
        let whole = MapRegion::whole(land.map.size());
        Self::of_region(land, whole, step)
    }

    /// The grid of a region of the map.
    fn of_region(
        Land { map, scale, down }: Land<'a>,
        region: MapRegion,
        step: u32,
    ) -> Result<Self, ParamError> {
        let least = ParamError::shortest(LEAST_SPACING);
        for spacing in [scale.spacing, down] {
            Scale { spacing, ..scale }.validate()?;
            ParamError::check(
                spacing >= LEAST_SPACING,
                "mesh",
                "spacing",
                ParamError::shortest(spacing),
                format_args!("at least {least}"),
            )?;
        }
        ParamError::check(step >= 1, "mesh", "step", step.into(), "at least 1")?;
        let size = region.size();
        Ok(Self {
            map,
            region,
            texture: TextureExtent::PixelCenters,
            scale,
            down,
            x: Axis::new(size.width(), scale.spacing),
            z: Axis::new(size.height(), down),
            columns: every(size.width(), step).collect(),
            rows: every(size.height(), step).collect(),
            holes: None,
            missing: 0,
        })
    }

    /// Returns the size of the region.
    fn size(&self) -> MapSize {
        self.region.size()
    }

    fn vertices(&self) -> u64 {
        self.columns.len() as u64 * self.rows.len() as u64
    }

    /// Returns the number of triangles of the surface.
    fn triangles(&self) -> u64 {
        2 * (self.columns.len() as u64 - 1) * (self.rows.len() as u64 - 1) - 2 * self.missing
    }

    /// Returns an error if a height exceeds the largest coordinate.
    fn check_meters(&self, progress: &Progress) -> Result<(), ExportError> {
        let (low, high) = extremes(self, progress)?;
        let relief = f64::from(self.scale.relief);
        let meters = relief * f64::from(low.abs().max(high.abs()));
        check_high(meters, MOST_METERS, "meters")
    }

    /// Returns the texture coordinates of a cell, from the northwest corner of the texture.
    fn texture(&self, column: usize, row: usize) -> [f32; 2] {
        let size = self.size();
        let along = |index: usize, cells: usize| match self.texture {
            TextureExtent::PixelCenters => (index as f32 + 0.5) / cells as f32,
            TextureExtent::Corners => index as f32 / (cells - 1) as f32,
        };
        [along(column, size.width()), along(row, size.height())]
    }

    /// Returns the triangles between a row of vertices and the next: vertex indices, numbered row by row from the
    /// northwest, counter-clockwise seen from above.
    fn squares(&self, row: usize) -> impl Iterator<Item = [u32; 6]> {
        let columns = self.columns.len();
        let solid = (0..columns - 1).filter(move |&column| !self.is_hole(column, row));
        solid.map(move |column| {
            let (nw, columns) = ((row * columns + column) as u32, columns as u32);
            let (ne, sw, se) = (nw + 1, nw + columns, nw + columns + 1);
            [nw, sw, ne, sw, se, ne]
        })
    }
}

/// Returns every `step`-th of `cells` indices, and the last.
fn every(cells: usize, step: u32) -> impl Iterator<Item = usize> {
    (0..cells - 1).step_by(step as usize).chain([cells - 1])
}

/// Returns the minimum and maximum height of the region.
fn extremes(grid: &MeshGrid<'_>, progress: &Progress) -> Result<(f32, f32), ExportError> {
    let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
    for row in grid.region.rows() {
        progress.check()?;
        grid.map.show(row, &mut |heights| {
            for &z in &heights[grid.region.columns()] {
                (low, high) = (low.min(z), high.max(z));
            }
        });
    }
    Ok((low, high))
}

fn check_high(found: f64, most: f64, unit: &'static str) -> Result<(), ExportError> {
    if found > most {
        return Err(ExportError::TooHigh { found, most, unit });
    }
    Ok(())
}
