//! The functions for all formats, for programs that choose the format at run time, for instance by file extension.

use std::io::{BufRead, Seek, Write};

use crate::{
    ExportError, Format, ImportError, ImportedMap, ReadOptions, WriteOptions,
    cells::{from_source, unread as not_readable},
    numbers::Rows,
    written::Written,
};
use lanternfell_heightmap::{Elevation, ElevationModel, MapFrame, MapSize, Progress};

/// Writes a map: its heights, and the metadata that the format can store.
///
/// | | heights | unit | no data | georeference | coordinate system | [sea and cover](lanternfell_heightmap::Scenery) |
/// |---|---|---|---|---|---|---|
/// | TIFF | meters, or integers with scale and offset | yes | yes | yes | yes | yes |
/// | OpenEXR | meters | yes | yes | yes | yes | yes |
/// | PNG | from 0 to 1, with relief and offset; meters if [encoded](crate::PngEncoding) as colors | yes | yes | yes | yes | yes |
/// | ESRI ASCII grid | meters | | yes | yes | | |
/// | XYZ | meters | | | yes | | |
/// | PGM, RAW | from 0 to 1; `i16` meters, `f32` unchanged | | | | | |
///
/// TIFF stores metadata the way GDAL does, with sea and cover as metadata of the whole file. PNG and OpenEXR embed the
/// JSON of a sidecar if the map has any metadata. For the other formats you can write a sidecar file.
///
/// Returns the [`Elevation`] that converts the numbers in the file to meters, with integers as fractions of the largest
/// integer. Pass it to `Sidecar::of` and [`gdal_sidecar`](super::gdal_sidecar).
///
/// # Errors
/// - [`ExportError::Height`] when a height is outside 0 to 1 in an integer format, unless [`WriteOptions::stretch`] is
///   set.
/// - [`ExportError::Range`] when a height is outside [`WriteOptions::range`], unless heights are clamped to it.
/// - [`ExportError::Meters`] when `i16` or the encoding of a PNG cannot hold a height in meters.
/// - [`ExportError::Param`] when the map's frame or an option is outside its range.
/// - [`ExportError::NotSquare`] for an STL of cells that are not square. Mesh formats also return the errors of their
///   own functions.
/// - [`ExportError::NotWritten`] when the format can only be read.
/// - [`ExportError::LeftOut`] when the format is not [built in](Format::is_built_in).
/// - [`ExportError::Write`] and [`ExportError::Canceled`].
pub fn write(
    model: &ElevationModel,
    format: Format,
    options: &WriteOptions<'_>,
    mut out: impl Write,
    progress: &Progress,
) -> Result<Elevation, ExportError> {
    let write = format.codec().write.ok_or(if format.is_written() {
        ExportError::LeftOut(format)
    } else {
        ExportError::NotWritten(format)
    })?;
    model.frame.validate()?;
    let (rows, elevation) = Rows::of(model, format, options, &progress.span(0.0, 0.05))?;
    let is_in_range = options
        .range
        .is_some_and(|range| range.elevation() == elevation);
    let frame = MapFrame {
        elevation,
        // The caller provided the range, so the file should contain it.
        elevation_is_explicit: model.frame.elevation_is_explicit || is_in_range,
        ..model.frame
    };
    let written = Written {
        #[cfg(any(feature = "exr", feature = "png"))]
        model,
        #[cfg(feature = "mesh-files")]
        format,
        rows,
        frame,
        keeps_no_data: options.keep_no_data,
    };
    write(&written, options, &mut out, &progress.span(0.05, 1.0))?;
    Ok(elevation)
}

/// Reads a map and its metadata from the bytes of a file.
///
/// Metadata that the file does not contain gets its default, and [`MapFrame::elevation_is_explicit`] and
/// [`MapFrame::place_is_explicit`] are `false`. [`ElevationSource`](super::ElevationSource) lists the reasons why
/// numbers without a unit are meters.
///
/// # Errors
/// See [`import`].
pub fn read(
    bytes: &[u8],
    format: Format,
    options: &ReadOptions,
) -> Result<ElevationModel, ImportError> {
    Ok(import(bytes, format, options)?.model)
}

/// Reads a map like [`read`], and also returns how the meaning of its numbers was determined.
///
/// [`AuxiliaryFile::apply`](super::AuxiliaryFile::apply) adds the metadata of files next to the map to the result.
///
/// # Errors
/// The errors of the format's own function (`read_png`, [`read_raw`](super::read_raw), ...), and
/// - [`ImportError::Param`] with [`ReadHeights::Unit`](super::ReadHeights::Unit) when a number is outside 0 to 1,
/// - [`ImportError::NoSize`] for RAW when `options` have no size,
/// - [`ImportError::NoHeader`] for ESRI BIL and float grids, which [`BilHeader`](super::BilHeader) reads,
/// - [`ImportError::NotRead`] for a mesh format,
/// - [`ImportError::LeftOut`] when the format is not [built in](Format::is_built_in).
pub fn import(
    bytes: &[u8],
    format: Format,
    options: &ReadOptions,
) -> Result<ImportedMap, ImportError> {
    let read = format.codec().read.ok_or_else(|| unread(format))?;
    let map = read(bytes, options)?;
    map.model.frame.validate_on(map.model.size())?;
    Ok(map)
}

/// Reads a map like [`import`] from an open file.
///
/// The bytes of the formats of [`unpack`](super::unpack) are not all in memory at once. Other files are loaded whole.
///
/// # Errors
/// The errors of [`import`], and an error when the file cannot be read.
pub fn import_file(
    mut file: impl BufRead + Seek,
    format: Format,
    options: &ReadOptions,
) -> Result<ImportedMap, ImportError> {
    file.rewind().map_err(not_readable)?;
    let codec = format.codec();
    let Some(decode) = codec.decode else {
        let mut bytes = Vec::new();
        if codec.read.is_some() {
            file.read_to_end(&mut bytes).map_err(not_readable)?;
        }
        return import(&bytes, format, options);
    };
    let map = from_source(&mut file, decode, options)?;
    map.model.frame.validate_on(map.model.size())?;
    Ok(map)
}

/// Returns the size of the map in a file, from its first [`HEADER`](super::HEADER) bytes, or from the whole file if the
/// format [needs it](Format::needs_whole_file).
///
/// Use it to check the size of a map before you read the whole file.
///
/// # Errors
/// The errors of the format's own function (`png_size`, [`pgm_size`](super::pgm_size), ...), and
/// - [`ImportError::NoSize`] for RAW,
/// - [`ImportError::NoHeader`] for ESRI BIL and float grids, which [`BilHeader`](super::BilHeader) reads,
/// - [`ImportError::NotRead`] for a mesh format,
/// - [`ImportError::LeftOut`] when the format is not [built in](Format::is_built_in).
pub fn size(header: &[u8], format: Format) -> Result<MapSize, ImportError> {
    let size = format.codec().size.ok_or_else(|| unread(format))?;
    size(header)
}

/// Returns the size of the largest map that a file can contain, from its first [`HEADER`](super::HEADER) bytes. Pass it
/// to [`max_file_size`] to limit the bytes to read.
///
/// It is the size of the map, or [`MapSize::MAX_SIDE`] along both axes if the size can be
/// [anywhere in the file](Format::needs_whole_file) or the file can contain [several maps](Format::has_several_maps).
///
/// # Errors
/// Those of [`size`].
pub fn max_size(header: &[u8], format: Format) -> Result<MapSize, ImportError> {
    let is_built_in = format.codec().size.is_some();
    if is_built_in && (format.needs_whole_file() || format.has_several_maps()) {
        let side = MapSize::MAX_SIDE.into();
        return Ok(MapSize::new(side, side)?);
    }
    size(header, format)
}

/// Returns the size in bytes of the largest part of a file that is decompressed in one piece, such as a tile of a TIFF
/// with LERC. Returns 0 for formats whose parts are small, and for damaged files.
///
/// Reading the file needs this much memory in addition to the heights. A small file may have a single tile of a
/// gigabyte.
pub fn largest_part(mut file: impl BufRead + Seek, format: Format) -> u64 {
    let largest = format.codec().largest_part;
    largest.and_then(|largest| largest(&mut file)).unwrap_or(0)
}

/// Returns the maximum length in bytes of a file that holds a map of this size, in any format.
///
/// It allows 64 bytes per cell (twice the longest number as text), and 16 MiB for comments and color profiles. Reject
/// longer files from untrusted sources.
pub fn max_file_size(size: MapSize) -> u64 {
    64 * size.cells() as u64 + (16 << 20)
}

/// Returns why a format cannot be read.
fn unread(format: Format) -> ImportError {
    if format.is_read() {
        ImportError::LeftOut(format)
    } else {
        ImportError::NotRead(format)
    }
}
