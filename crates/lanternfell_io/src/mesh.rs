//! Meshes out: the surface over a map as triangles, in three formats.
//!
//! ```text
//! step 1: every cell      step 3: every third, and the last
//!  ┌┬┬┬┬┬┬┬┐               ┌──┬──┬─┐
//!  ├┼┼┼┼┼┼┼┤               │  │  │ │      each square is cut from its south-west to
//!  ├┼┼┼┼┼┼┼┤               │  │  │ │      its north-east corner, as everywhere
//!  └┴┴┴┴┴┴┴┘               └──┴──┴─┘      (see surface.rs)
//! ```
//!
//! Vertices stand where [`Surface::vertex`] puts them. Normals come from the whole map, so
//! that a coarse mesh is shaded like the fine one. The middle of a cell is where its pixel
//! has its middle in a picture of one pixel per cell, as a top view
//! has, so texture coordinates run from half a pixel to half a pixel before 1.
//!
//! Triangles are written row by row, and so is the map looked at, from north to south: one of any size, also
//! a folder of tiles, takes a few rows of memory.

mod glb;
mod obj;
mod stl;
mod vertex_row;

use std::io::Write;

use lanternfell_heightmap::{MapFrame, MapSize, ParamError, Progress, Scale, analysis::HeightRows};
use lanternfell_surface::Axis;

use crate::{ExportError, Format, WriteOptions};
pub use glb::{check_glb, write_glb};
pub use obj::write_obj;
pub use stl::write_stl;
use vertex_row::VertexRow;

/// Writes the surface over rows of heights as a mesh: OBJ, STL or GLB. It is what [`write()`](super::write())
/// writes of a map of these heights, and needs no such map: of a GLB the rows are looked at four times, of
/// the others twice.
///
/// # Errors
/// [`ExportError::Param`] when the frame or an option is out of its range, [`ExportError::NotSquare`] when
/// the cells are not, [`ExportError::TooLarge`] when the file would be longer than its format can say,
/// [`ExportError::TooHigh`], [`ExportError::Write`], [`ExportError::Cancelled`];
/// [`ExportError::NotMesh`] for another format.
pub fn write_mesh(
    (map, frame): (&dyn HeightRows, &MapFrame),
    format: Format,
    options: &WriteOptions<'_>,
    mut out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    frame.validate()?;
    check_square((frame, map.size()), format)?;
    let land = (map, frame.scale(map.size()));
    write_land(land, format, options, &mut out, progress)
}

/// The same of cells that are square.
pub(super) fn write_land(
    land: Land<'_>,
    format: Format,
    options: &WriteOptions<'_>,
    out: &mut dyn Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    match format {
        Format::Obj => obj::write(land, options.step, out, progress),
        Format::Stl => stl::write(land, options.print, out, progress),
        Format::Glb => glb::write(land, options.step, options.texture, out, progress),
        Format::Png | Format::Raw | Format::Pgm | Format::Tiff | Format::Exr | Format::Ascii => {
            Err(ExportError::NotMesh(format))
        }
    }
}

/// Heights, and what they and their cells stand for.
pub(super) type Land<'a> = (&'a dyn HeightRows, Scale);

/// No coordinate is larger, in metres: with the smallest spacing, slopes can still be
/// squared as `f32`.
const MOST_METRES: f64 = 1e9;

/// The smallest spacing, in metres.
const LEAST_SPACING: f32 = 1e-6;

/// The cells that become vertices: every so many-th column and row, and the last.
struct MeshGrid<'a> {
    map: &'a dyn HeightRows,
    scale: Scale,
    x: Axis,
    z: Axis,
    columns: Vec<usize>,
    rows: Vec<usize>,
}

impl<'a> MeshGrid<'a> {
    fn new((map, scale): Land<'a>, step: u32) -> Result<Self, ParamError> {
        scale.validate()?;
        let spacing = ParamError::shortest(scale.spacing);
        let least = ParamError::shortest(LEAST_SPACING);
        ParamError::check(
            scale.spacing >= LEAST_SPACING,
            "mesh",
            "spacing",
            spacing,
            format_args!("at least {least}"),
        )?;
        ParamError::check(step >= 1, "mesh", "step", step.into(), "at least 1")?;
        let size = map.size();
        Ok(Self {
            map,
            scale,
            x: Axis::new(size.width(), scale.spacing),
            z: Axis::new(size.height(), scale.spacing),
            columns: every(size.width(), step).collect(),
            rows: every(size.height(), step).collect(),
        })
    }

    fn vertices(&self) -> u64 {
        self.columns.len() as u64 * self.rows.len() as u64
    }

    /// Triangles of the surface.
    fn triangles(&self) -> u64 {
        2 * (self.columns.len() as u64 - 1) * (self.rows.len() as u64 - 1)
    }

    /// An error when the land is so high or deep that its coordinates were no numbers.
    fn check_metres(&self, progress: &Progress) -> Result<(), ExportError> {
        let (low, high) = extremes(self.map, progress)?;
        let relief = f64::from(self.scale.relief);
        let metres = relief * f64::from(low.abs().max(high.abs()));
        check_high(metres, MOST_METRES, "metres")
    }

    /// The texture coordinates of a cell, from the north-west corner of the picture.
    fn texture(&self, column: usize, row: usize) -> [f32; 2] {
        let size = self.map.size();
        [
            (column as f32 + 0.5) / size.width() as f32,
            (row as f32 + 0.5) / size.height() as f32,
        ]
    }

    /// The corners of the triangles between row `row` of the vertices and the next: indices
    /// of vertices, counted from the north-west, counter-clockwise seen from above.
    fn squares(&self, row: usize) -> impl Iterator<Item = [u32; 6]> {
        let columns = self.columns.len() as u32;
        let first = row as u32 * columns;
        (first..first + columns - 1).map(move |nw| {
            let (ne, sw, se) = (nw + 1, nw + columns, nw + columns + 1);
            [nw, sw, ne, sw, se, ne]
        })
    }
}

/// Every so many-th of so many cells, and the last.
fn every(cells: usize, step: u32) -> impl Iterator<Item = usize> {
    (0..cells - 1).step_by(step as usize).chain([cells - 1])
}

/// The lowest and the highest height.
fn extremes(map: &dyn HeightRows, progress: &Progress) -> Result<(f32, f32), ExportError> {
    let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
    for row in 0..map.size().height() {
        progress.check()?;
        map.show(row, &mut |heights| {
            for &z in heights {
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

/// An error when the cells are not square.
pub(super) fn check_square(
    (frame, size): (&MapFrame, MapSize),
    format: Format,
) -> Result<(), ExportError> {
    let Some((width, height)) = frame.place.square_cells(size) else {
        return Ok(());
    };
    let [east, south] = frame.place.spacing(size.height());
    Err(ExportError::NotSquare {
        format,
        east,
        south,
        width,
        height,
    })
}
