//! Heightmaps as bytes: pictures, grids of numbers and meshes, out and in.
//!
//! No files here: what is written goes into any [`Write`], what is read
//! comes as a slice of bytes, so that a browser and an archive can use it too.
//!
//! | format | in | out | holds | lost on the way out and in |
//! |---|---|---|---|---|
//! | PNG, PGM, TIFF, 16 bit gray | yes | yes | `round(65535 z)` | at most 1/131070 of the range |
//! | PNG, PGM, TIFF, 8 bit gray | yes | yes | `round(255 z)` | at most 1/510 |
//! | RAW `u16`, `u8` | yes | yes | the same numbers, without a header | the same |
//! | TIFF, OpenEXR `f32` | yes | yes | metres, or the heights | of heights that are no metres the rounding of `f32` |
//! | ESRI ASCII grid | yes | yes | metres, as text | the same |
//! | RAW `f32` | yes | yes | the heights | nothing |
//! | OBJ, GLB | | yes | the surface in metres, y up | |
//! | STL | | yes | a solid to be printed, in millimetres, z up | |
//!
//! [`Format`] names them all, with one [`write()`] and one [`read`], which take and give an
//! [`ElevationModel`](crate::ElevationModel): the heights and all that is known about them. Some
//! formats have functions of their own too, for bare heights. PNG, TIFF, OpenEXR, the meshes and the sidecar of RAW each need a feature
//! of this crate, all of which are on by default. RAW is rows from north to south, each from west to east, and no more:
//! whoever reads it must know the size and the [`RawFormat`], or keep a sidecar
//! beside it.
//!
//! Whole numbers hold heights from 0 to 1. A height outside is an error that names its
//! cell, not silently clamped: a map cut off at its peaks is found out too late.
//! [`Heightmap::normalize`](crate::Heightmap::normalize) helps. Numbers with a fraction
//! are the heights themselves, whatever their range.
//!
//! A map too large for one file is a folder of [`tiles`], of which as much is read as is asked for.
//!
//! What is written is made row by row and takes a few rows of memory beside the map;
//! OpenEXR alone keeps the compressed file until it is whole.
//!
//! [`read`] makes a map of a file's bytes. [`unpack`] makes a file of plain numbers of a file, for maps that the
//! memory should not hold.
//!
//! What is read is not trusted: sizes are checked before memory is taken, and no more is
//! taken than so many bytes can hold when they are packed as tightly as the format allows.
//!
//! ```
//! use lanternfell_heightmap::{ElevationModel, Hills, MapFrame, MapSize, Recipe, Scale, io};
//!
//! let recipe = Recipe::new(MapSize::new(100, 90)?, 7, Hills::default());
//! let heights = recipe.generate(&Default::default())?; // from 0 to 1
//! let frame = MapFrame::of_scale(Scale { spacing: 30.0, relief: 400.0 }, true);
//! let map = ElevationModel { heights, frame };
//! let format = io::Format::from_extension("asc").expect("a format of this crate");
//! let mut file = Vec::new();
//! io::write(&map, format, &io::WriteOptions::default(), &mut file, &Default::default())?;
//! assert_eq!(io::Format::sniff(&file), Some(io::Format::Ascii));
//! let again = io::read(&file, format, &io::ReadOptions::default())?;
//! assert_eq!(again.heights.range(), (0.0, 400.0)); // metres
//! assert_eq!(again.frame.place, map.frame.place);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod tiles;

mod ascii;
mod beside;
mod cells;
mod codec;
#[cfg(feature = "exr")]
mod exr;
mod format;
mod gaps;
mod gdal;
mod gdal_system;
#[cfg(feature = "mesh-files")]
mod mesh;
mod numbers;
mod options;
mod pgm;
#[cfg(feature = "png")]
mod png;
mod projection;
mod raw;
#[cfg(any(feature = "exr", feature = "png", feature = "sidecar"))]
mod sidecar;
#[cfg(feature = "tiff")]
mod tiff;
mod told;
mod unpack;
mod world_file;

use std::io::Write;

use thiserror::Error;

use crate::{Cancelled, Heightmap, MapSize, ParamError, Progress, SizeError};

pub use ascii::{AsciiHeader, ascii_header, read_ascii};
pub use beside::{Beside, sidecar_name};
#[cfg(feature = "exr")]
pub use exr::{exr_size, read_exr, write_exr};
pub use format::{Format, HEADER, Numbers, longest, read, size, write};
pub use gdal::{gdal_projection, gdal_sidecar};
pub use gdal_system::read_gdal_sidecar;
#[cfg(feature = "mesh-files")]
pub use mesh::{check_glb, write_glb, write_mesh, write_obj, write_stl};
pub use options::{Fill, PngDepth, ReadOptions, StlPrint, WriteOptions, WrittenHeights};
pub use pgm::{pgm_size, read_pgm, write_pgm};
#[cfg(feature = "png")]
pub use png::{PNG_HEADER, PngRows, png_size, read_png, write_picture, write_png, write_png_with};
pub use projection::read_projection;
pub use raw::{ByteOrder, RawFormat, Sample, read_raw, write_raw, write_raw_with};
#[cfg(any(feature = "exr", feature = "png", feature = "sidecar"))]
pub use sidecar::Sidecar;
#[cfg(feature = "tiff")]
pub use tiff::{read_tiff, tiff_size};
pub use unpack::{UnpackError, unpack};
pub use world_file::read_world_file;

/// Why a map was not written.
#[derive(Debug, Error)]
pub enum ExportError {
    /// Whole numbers can not hold a height outside 0 to 1.
    #[error(
        "the height in column {column}, row {row} is {height}, but whole numbers hold \
         heights from 0 to 1: normalize the map, or write f32"
    )]
    Height {
        /// The cell's column, from 0 in the west.
        column: usize,
        /// The cell's row, from 0 in the north.
        row: usize,
        /// Its height.
        height: f32,
    },
    /// A setting is outside its range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// A mesh can not be that high: its coordinates would be no numbers.
    #[error("the map is {found:e} {unit} high, but a mesh at most {most:e}: normalize the map")]
    TooHigh {
        /// How high, or deep, it is.
        found: f64,
        /// How much would have been written.
        most: f64,
        /// What that is counted in, for instance `metres`.
        unit: &'static str,
    },
    /// A mesh has square cells, all alike.
    #[error(
        "{format} has square cells, and these are {east:.3} m by {south:.3} m: resize the map to \
         {width}x{height} first"
    )]
    NotSquare {
        /// The format.
        format: Format,
        /// Metres from cell to cell to the east, in the middle of the map.
        east: f64,
        /// Metres from cell to cell to the south.
        south: f64,
        /// The width of the same ground in square cells.
        width: u64,
        /// The height of the same ground in square cells.
        height: u64,
    },
    /// The file would be larger than its format allows.
    #[error("{format} of {bytes} bytes can not be: at most {most}; write fewer cells by a step")]
    TooLarge {
        /// The format.
        format: Format,
        /// The bytes that the file would have.
        bytes: u64,
        /// The bytes that such a file can have.
        most: u64,
    },
    /// It is no format of meshes.
    #[error("{0} is no mesh")]
    NotMesh(Format),
    /// The format needs a feature that this build does not have.
    #[error("{0} is left out of this build")]
    LeftOut(Format),
    /// The bytes could not be written.
    #[error(transparent)]
    Write(#[from] std::io::Error),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Why bytes are not a heightmap.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ImportError {
    /// The file's size is not one that a map can have.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// There are more or fewer bytes than a map of that size and format has.
    #[error("{found} bytes are not a map of that size and format: it has {expected} bytes")]
    Length {
        /// The number of bytes that the size and the format ask for.
        expected: u64,
        /// The number of bytes that there are.
        found: u64,
    },
    /// A height is NaN or infinite.
    #[error("the height in column {column}, row {row} is {height}, not a finite number")]
    NotFinite {
        /// The cell's column, from 0 in the west.
        column: usize,
        /// The cell's row, from 0 in the north.
        row: usize,
        /// What is there instead of a height.
        height: f32,
    },
    /// A cell has no height, and it was not said what to fill it with.
    #[error("the cell in column {column}, row {row} has no height: say what to fill gaps with")]
    Gap {
        /// The cell's column, from 0 in the west.
        column: usize,
        /// The cell's row, from 0 in the north.
        row: usize,
    },
    /// The bytes are not of that format, damaged, or a kind of it that is not read.
    #[error("{0}")]
    Malformed(String),
    /// A pixel is not gray, so the picture is no heightmap.
    #[error("the pixel in column {column}, row {row} is not gray: a heightmap has no colors")]
    Colored {
        /// The pixel's column, from 0 at the left.
        column: usize,
        /// The pixel's row, from 0 at the top.
        row: usize,
    },
    /// A number beside the heights is outside its range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// RAW says no size, and none was given.
    #[error("RAW has no header: say the size of the map")]
    NoSize,
    /// Maps are not read from this format.
    #[error("{0} is written, not read")]
    NotRead(Format),
    /// The format needs a feature that this build does not have.
    #[error("{0} is left out of this build")]
    LeftOut(Format),
}

impl ImportError {
    /// `what` is wrong with the bytes, in one line: some decoders' messages have several.
    fn malformed(what: impl std::fmt::Display) -> Self {
        let what = what.to_string();
        let words: Vec<&str> = what.split_whitespace().collect();
        Self::Malformed(words.join(" "))
    }
}

/// `round(most * height)` of a height from 0 to 1.
fn whole_number(height: f32, most: f64) -> u16 {
    // Exact: a 24-bit number times a 16-bit one, and a half, fit into an f64.
    (f64::from(height) * most + 0.5) as u16
}

/// Writes what `fill(y, bytes)` appends for each of so many rows.
fn stream(
    rows: usize,
    out: &mut impl Write,
    progress: &Progress,
    mut fill: impl FnMut(usize, &mut Vec<u8>),
) -> Result<(), ExportError> {
    let mut bytes = Vec::new();
    for y in 0..rows {
        progress.step(y, rows)?;
        bytes.clear();
        fill(y, &mut bytes);
        out.write_all(&bytes)?;
    }
    Ok(progress.step(1, 1)?)
}

/// A map of heights that were read, unless one of them is no number.
fn finite(size: MapSize, heights: Vec<f32>) -> Result<Heightmap, ImportError> {
    if let Some(cell) = heights.iter().position(|height| !height.is_finite()) {
        return Err(ImportError::NotFinite {
            column: cell % size.width(),
            row: cell / size.width(),
            height: heights[cell],
        });
    }
    Ok(Heightmap::from_heights(size, heights).expect("as many as cells, and all are finite"))
}

/// An error when a file of `found` bytes claims to unpack to `claimed`, and that can not be.
///
/// Deflate packs at most 1032 bytes into one, LZW 2559 (strings of 3838 bytes in codes of
/// 12 bits). So memory is never taken for more than some thousand times what was sent.
#[cfg(any(feature = "exr", feature = "png", feature = "tiff"))]
fn check_claim(claimed: u64, found: usize) -> Result<(), ImportError> {
    const TIGHTEST: u64 = 4096;
    if claimed / TIGHTEST > found as u64 {
        return Err(ImportError::Malformed(format!(
            "{found} bytes can not hold the {claimed} bytes of heights that they claim: the file \
             is cut off or damaged"
        )));
    }
    Ok(())
}
