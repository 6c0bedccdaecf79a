//! Reads and writes heightmaps in image, grid and mesh formats.
//!
//! [`read`] and [`write()`] work with any [`Format`] that the table below lists as read or written. [`read`] returns
//! and [`write()`] takes an [`ElevationModel`](lanternfell_heightmap::ElevationModel): the heights together with their
//! unit, georeference and no-data value. Some formats also have their own functions for bare heights, such as
//! [`read_raw`] and [`write_pgm`].
//!
//! [`import`] reads like [`read`], and returns the reason why numbers are meters or from 0 to 1. Add the metadata of
//! files next to the map, such as `.prj` and `.tfw`, with [`AuxiliaryFile`].
//!
//! The crate opens no files. It reads from byte slices and writes to any [`std::io::Write`], so it also works in
//! browsers and with archives. [`import_file`], [`read_metadata`] and [`unpack`] read from an open file instead.
//!
//! # Formats
//!
//! | format | read | written | stores | round-trip error |
//! |---|---|---|---|---|
//! | PNG, PGM, TIFF, 16-bit gray | yes | yes | `round(65535 z)` | at most 1/131070 of the range |
//! | PNG, PGM, TIFF, 8-bit gray | yes | yes | `round(255 z)` | at most 1/510 of the range |
//! | RAW `u16`, `u8` | yes | yes | the same numbers, without a header | the same |
//! | TIFF, OpenEXR `f32` | yes | yes | meters, or the map's own heights | `f32` rounding when heights are converted to meters |
//! | ESRI ASCII grid | yes | yes | meters, as text | the same |
//! | RAW `f32` | yes | yes | the map's own heights | none |
//! | RAW `i16` | yes | yes | whole meters | at most half a meter |
//! | PNG, Terrarium and Mapbox RGB ([`PngEncoding`]) | yes | yes | meters as colors | at most 1/512 m and 1/20 m |
//! | XYZ | yes | yes | the coordinates and meters of each cell, as text | `f32` rounding when heights are converted to meters |
//! | SRTM (`.hgt`) | yes | | whole meters; the file name is the georeference | |
//! | ESRI BIL and float grid | yes | | meters; [`BilHeader`] reads them with their header file | |
//! | OBJ, GLB | | yes | the surface in meters, y up | |
//! | STL | | yes | a printable solid in millimeters, z up | |
//!
//! `z` is a height from 0 to 1. TIFFs with integers of 32 bits, `f16`, `f64`, or signed integers of other sizes than 16
//! bits can be read, but not written. [`ReadOptions`] select a band of a TIFF, and a part and channel of an OpenEXR
//! image. Cells of a TIFF with an alpha of 0 have no height.
//!
//! PNG, TIFF, LERC in TIFF, OpenEXR, the meshes and the sidecar each need a cargo feature. All features are on by
//! default.
//!
//! By default, XYZ, SRTM, ESRI grids, `i16` and encoded PNGs are read as meters. The georeference of an SRTM file is
//! its [name](Format::georeference_from_file_name).
//!
//! RAW stores rows from north to south, each from west to east, and nothing else. To read a RAW file you need its size
//! and its [`RawFormat`], or its sidecar.
//!
//! Integers store heights from 0 to 1, except `i16` and encoded PNGs. Writing a height outside this range returns an
//! error that names the cell. To bring a map into range, call
//! [`Heightmap::normalize`](lanternfell_heightmap::Heightmap::normalize) or set [`WriteOptions::stretch`].
//! [`WriteOptions::range`] sets the range in meters. Floating-point formats accept any range.
//!
//! # Example
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
//! assert_eq!(again.heights.range(), (0.0, 400.0)); // meters
//! assert_eq!(again.frame.place, map.frame.place);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Large maps
//!
//! [`tiles`] reads any region of a world that is stored as a folder of tiles, and only the tiles that it needs.
//! [`unpack`] converts a file to plain numbers on disk, for maps that do not fit into memory.
//!
//! # Projections
//!
//! [`Reprojection`] resamples a map to square cells in meters, in UTM or in a local projection around the center of the
//! map.
//!
//! # Memory and untrusted input
//!
//! Writers produce one row at a time and need memory for a few rows in addition to the map. OpenEXR is the exception:
//! it keeps the whole compressed file in memory until it is complete.
//!
//! Readers do not trust their input, and check sizes before they allocate. A file of n bytes may declare up to 4096 n
//! bytes of samples, which is more than most compressions reach. If a file declares more, for instance a flat map with
//! Zstandard, the reader checks its strips first.

pub mod tiles;

mod ascii;
mod auxiliary_files;
mod bil;
mod cells;
mod codec;
mod error;
#[cfg(feature = "exr")]
mod exr;
mod file_metadata;
mod format;
mod gaps;
mod gdal;
mod gdal_system;
mod hgt;
mod meaning;
#[cfg(feature = "mesh-files")]
mod mesh;
mod metadata;
mod numbers;
mod options;
mod pgm;
#[cfg(feature = "png")]
mod png;
mod projection;
mod raw;
mod read_write;
mod reproject;
mod rows;
mod sample;
#[cfg(any(feature = "exr", feature = "png", feature = "sidecar"))]
mod sidecar;
#[cfg(feature = "tiff")]
mod tiff;
mod unpack;
mod world_file;
mod written;
mod xyz;

pub use ascii::{AsciiHeader, ascii_header, read_ascii};
pub use auxiliary_files::{AuxiliaryFile, sidecar_name};
pub use bil::BilHeader;
pub use error::{ExportError, ImportError};
#[cfg(feature = "exr")]
pub use exr::{exr_size, read_exr, write_exr};
pub use file_metadata::fill_gaps;
pub use format::{Format, HEADER, Numbers};
pub use gdal::{gdal_projection, gdal_sidecar};
pub use gdal_system::read_gdal_sidecar;
pub use meaning::{ElevationSource, ImportedMap, Meaning};
#[cfg(feature = "mesh-files")]
pub use mesh::{
    MeshTile, check_glb, obj_material, write_glb, write_mesh, write_mesh_tile, write_obj, write_stl,
};
pub use metadata::read_metadata;
pub use options::{
    Fill, HeightRange, PngDepth, PngEncoding, ReadHeights, ReadOptions, StlPrint, WriteOptions,
    WrittenHeights,
};
pub use pgm::{pgm_size, read_pgm, write_pgm};
#[cfg(feature = "png")]
pub use png::{PNG_HEADER, PngRows, png_size, read_png, write_image, write_png, write_png_with};
pub use projection::read_projection;
pub use raw::{read_raw, write_raw, write_raw_with};
pub use read_write::{
    import, import_file, largest_part, max_file_size, max_size, read, size, write,
};
pub use reproject::{Extent, Plane, Reprojection, ReprojectionError};
pub use sample::{ByteOrder, RawFormat, Sample};
#[cfg(any(feature = "exr", feature = "png", feature = "sidecar"))]
pub use sidecar::Sidecar;
#[cfg(feature = "tiff")]
pub use tiff::{read_tiff, tiff_size};
pub use unpack::{UnpackError, UnpackedMap, unpack};
pub use world_file::read_world_file;

#[cfg(any(feature = "exr", feature = "png", feature = "tiff"))]
use rows::check_claim;
use rows::{finite, stream};

/// Compiles the code in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
