//! Writes a tile of a larger map as a separate mesh. The shading has no seams between tiles.
//!
//! ```text
//!    cells of the map         a normal needs the four neighbors of its cell
//!    . . . . . . .
//!    . +-------+ .            the tile, and the row and the column around it that the map has
//!    . |       | .
//!    . +-------+ .
//!    . . . . . . .
//! ```
//!
//! Normals on the edge of a tile depend on cells of its neighbors. With these cells, the normals have the same bits as
//! those of the whole map, and so have those of two tiles on a shared edge.

use std::io::Write;

use lanternfell_heightmap::{
    MapFrame, MapRegion, MapSize, ParamError, Progress, analysis::HeightRows,
};

use super::{Land, MeshGrid, TextureExtent, glb, obj};
use crate::{ExportError, Format, WriteOptions};

/// A tile of a larger map, for [`write_mesh_tile`].
#[derive(Clone, Copy)]
pub struct MeshTile<'a> {
    /// The heights of the tile, and of the cells around it that the larger map has.
    pub map: &'a dyn HeightRows,
    /// The cells of the tile in `map`.
    pub region: MapRegion,
    /// The frame of the larger map.
    pub frame: &'a MapFrame,
    /// The size of the larger map.
    pub size: MapSize,
    /// The file name of the material library of an OBJ: see [`obj_material`](super::obj_material).
    pub material: Option<&'a str>,
}

/// Writes a tile of a larger map as OBJ or GLB, centered at 0.
///
/// Heights and normals on the edges are those of the larger map, so that tiles with a shared row or column of cells
/// match bit for bit. Texture coordinates are from 0 to 1 along each side of the tile. [`WriteOptions::holes`] are those
/// of `map`.
///
/// # Errors
/// Those of [`write_mesh`](super::write_mesh), and [`ExportError::Param`] when the region is outside of the map.
/// [`ExportError::NotMesh`] for formats other than OBJ and GLB.
pub fn write_mesh_tile(
    tile: MeshTile<'_>,
    format: Format,
    options: &WriteOptions<'_>,
    mut out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    let MeshTile {
        map,
        region,
        frame,
        size,
        material,
    } = tile;
    frame.validate()?;
    let part = map.size();
    let inside = |name, end: usize, most: usize| {
        let allowed = format_args!("at most {most}");
        ParamError::check(end <= most, "mesh tile", name, end as f64, allowed)
    };
    inside("end of the columns", region.columns().end, part.width())?;
    inside("end of the rows", region.rows().end, part.height())?;
    let land = Land::of(map, (frame, size), format)?;
    let mut grid = MeshGrid::of_region(land, region, options.step)?.with_holes(options.holes)?;
    grid.texture = TextureExtent::Corners;
    match format {
        Format::Obj => obj::write(&grid, material, &mut out, progress),
        Format::Glb => glb::write(&grid, options.texture, &mut out, progress),
        _ => Err(ExportError::NotMesh(format)),
    }
}
