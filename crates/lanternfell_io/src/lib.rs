//! Reads and writes heightmaps as bytes: images, grids of numbers and meshes.
//!
//! This crate opens no files. It writes into any [`std::io::Write`] and reads from a slice of bytes, so browsers and
//! archives can use it too.
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
//! [`ElevationModel`](lanternfell_heightmap::ElevationModel): the heights and all that is known about them. Some
//! formats have functions of their own too, for bare heights. PNG, TIFF, OpenEXR, the meshes and the sidecar of RAW each need a feature
//! of this crate, all of which are on by default. RAW is rows from north to south, each from west to east, and no more:
//! whoever reads it must know the size and the [`RawFormat`], or keep a sidecar
//! beside it.
//!
//! Whole numbers hold heights from 0 to 1. A height outside is an error that names its
//! cell, not silently clamped: a map cut off at its peaks is found out too late.
//! [`Heightmap::normalize`](lanternfell_heightmap::Heightmap::normalize) helps. Numbers with a fraction
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
//! use lanternfell_heightmap::{ElevationModel, Hills, MapFrame, MapSize, Recipe, Scale};
//! use lanternfell_io as io;
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
mod error;
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
mod read_write;
mod rows;
mod sample;
#[cfg(any(feature = "exr", feature = "png", feature = "sidecar"))]
mod sidecar;
#[cfg(feature = "tiff")]
mod tiff;
mod told;
mod unpack;
mod world_file;
mod written;

pub use ascii::{AsciiHeader, ascii_header, read_ascii};
pub use beside::{Beside, sidecar_name};
pub use error::{ExportError, ImportError};
#[cfg(feature = "exr")]
pub use exr::{exr_size, read_exr, write_exr};
pub use format::{Format, HEADER, Numbers};
pub use gdal::{gdal_projection, gdal_sidecar};
pub use gdal_system::read_gdal_sidecar;
#[cfg(feature = "mesh-files")]
pub use mesh::{check_glb, write_glb, write_mesh, write_obj, write_stl};
pub use options::{Fill, PngDepth, ReadOptions, StlPrint, WriteOptions, WrittenHeights};
pub use pgm::{pgm_size, read_pgm, write_pgm};
#[cfg(feature = "png")]
pub use png::{PNG_HEADER, PngRows, png_size, read_png, write_picture, write_png, write_png_with};
pub use projection::read_projection;
pub use raw::{read_raw, write_raw, write_raw_with};
pub use read_write::{longest, read, size, write};
pub use sample::{ByteOrder, RawFormat, Sample};
#[cfg(any(feature = "exr", feature = "png", feature = "sidecar"))]
pub use sidecar::Sidecar;
#[cfg(feature = "tiff")]
pub use tiff::{read_tiff, tiff_size};
pub use unpack::{UnpackError, unpack};
pub use world_file::read_world_file;

#[cfg(any(feature = "exr", feature = "png", feature = "tiff"))]
use rows::check_claim;
use rows::{finite, stream};

/// The README's code is compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
