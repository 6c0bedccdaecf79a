//! Reads and writes every format by its name, for programs whose users choose by file extension.

use std::io::Write;

use crate::{
    ExportError, Format, ImportError, ReadOptions, WriteOptions, numbers::Rows, written::Written,
};
use lanternfell_heightmap::{Elevation, ElevationModel, MapFrame, MapSize, Progress};

/// Writes a map in a format, whole: its heights, and what is known about them as far as the
/// format has a place for it.
///
/// | | heights | unit | no data | place | coordinate system | [sea and cover](lanternfell_heightmap::Scenery) |
/// |---|---|---|---|---|---|---|
/// | TIFF | metres, or whole numbers with scale and offset | yes | yes | yes | yes | yes |
/// | OpenEXR | metres | yes | yes | yes | yes | yes |
/// | PNG | from 0 to 1, with relief and offset | yes | yes | yes | yes | yes |
/// | ESRI ASCII grid | metres | | yes | yes | | |
/// | PGM, RAW | from 0 to 1; `f32` as they are | | | | | |
///
/// TIFF says it as GDAL does, sea and cover as metadata of the whole file; PNG and OpenEXR carry the JSON of a sidecar, if there is anything
/// more than defaults to tell; beside the others a sidecar can stand.
///
/// Returns what the numbers in the file stand for, whole ones as parts of the largest.
///
/// # Errors
/// [`ExportError::Height`] when whole numbers can not hold a height and must not be
/// [stretched](WriteOptions::stretch), [`ExportError::Param`] when the map's frame or an option is
/// out of its range, [`ExportError::NotSquare`] for a mesh of cells that are not,
/// [`ExportError::Write`], [`ExportError::Cancelled`]; of the meshes as their own function's; [`ExportError::LeftOut`] when it is not [built in](Format::is_built_in).
pub fn write(
    model: &ElevationModel,
    format: Format,
    options: &WriteOptions<'_>,
    mut out: impl Write,
    progress: &Progress,
) -> Result<Elevation, ExportError> {
    let write = format.codec().write.ok_or(ExportError::LeftOut(format))?;
    model.frame.validate()?;
    let (rows, elevation) = Rows::of(model, format, options, &progress.span(0.0, 0.05))?;
    let frame = MapFrame {
        elevation,
        ..model.frame
    };
    let written = Written {
        #[cfg(any(feature = "exr", feature = "png"))]
        model,
        #[cfg(feature = "mesh-files")]
        format,
        rows,
        frame,
    };
    write(&written, options, &mut out, &progress.span(0.05, 1.0))?;
    Ok(elevation)
}

/// Reads a map from bytes of a format, with all that they tell about it.
///
/// What a file does not tell is a default: [`MapFrame::elevation_is_said`] and
/// [`MapFrame::place_is_said`]. Numbers beyond 0 to 1 without a unit are metres.
///
/// # Errors
/// As the format's own function: `read_png`, [`read_raw`](super::read_raw), ...;
/// [`ImportError::NoSize`] when `options` have no size for RAW, [`ImportError::NotRead`] for a
/// mesh, and [`ImportError::LeftOut`] when it is not [built in](Format::is_built_in).
pub fn read(
    bytes: &[u8],
    format: Format,
    options: &ReadOptions,
) -> Result<ElevationModel, ImportError> {
    let read = format.codec().read.ok_or_else(|| unread(format))?;
    let model = read(bytes, options)?;
    model.frame.validate_on(model.size())?;
    Ok(model)
}

/// The size of the map in a file, from its first [`HEADER`](super::HEADER) bytes (all of a TIFF): so
/// whoever reads a file finds out how long it may be at all before it is read.
///
/// # Errors
/// As the format's own function: `png_size`, [`pgm_size`](super::pgm_size), ...;
/// [`ImportError::NoSize`] for RAW, [`ImportError::NotRead`] for a mesh, and
/// [`ImportError::LeftOut`] when it is not [built in](Format::is_built_in).
pub fn size(header: &[u8], format: Format) -> Result<MapSize, ImportError> {
    let size = format.codec().size.ok_or_else(|| unread(format))?;
    size(header)
}

/// The most bytes that the file of a map of that size can need in any format: 64 for each cell, which
/// is twice what the longest number takes as text, and some for comments and profiles. Whoever reads
/// what may be anything need not read further.
pub fn longest(size: MapSize) -> u64 {
    64 * size.cells() as u64 + (16 << 20)
}

/// Why a format is not read.
fn unread(format: Format) -> ImportError {
    if format.is_read() {
        ImportError::LeftOut(format)
    } else {
        ImportError::NotRead(format)
    }
}
