//! RAW: heights as plain numbers, row after row, without a header.

use std::io::Write;

use crate::{
    ElevationSource, ExportError, ImportError, ImportedMap, RawFormat, ReadOptions, Sample,
    cells::Decoded,
    file_metadata::{FileMetadata, StoredFrame},
    finite,
    numbers::Rows,
    stream,
};
#[cfg(any(feature = "exr", feature = "png", feature = "sidecar"))]
use lanternfell_heightmap::MapFrame;
use lanternfell_heightmap::{Elevation, Heightmap, MapSize, Progress};

/// Writes `map` as plain numbers.
///
/// # Errors
/// [`ExportError::Height`] when `format` is `u8` or `u16` and a height is outside 0 to 1. [`ExportError::Meters`] when
/// `format` is `i16` and a height exceeds it.
pub fn write_raw(map: &Heightmap, format: RawFormat, out: impl Write) -> Result<(), ExportError> {
    write_raw_with(map, format, out, &Progress::default())
}

/// Writes `map` as plain numbers, row by row, with progress and cancellation.
///
/// # Errors
/// The errors of [`write_raw`], and [`ExportError::Canceled`]. After an error the output is incomplete.
pub fn write_raw_with(
    map: &Heightmap,
    format: RawFormat,
    out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    write(&Rows::plain(map), format, out, progress)
}

/// Writes the numbers of all rows.
pub(super) fn write(
    rows: &Rows<'_>,
    format: RawFormat,
    mut out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    rows.check_sample(format.sample, progress)?;
    let mut numbers = Vec::new();
    stream(rows.height(), &mut out, progress, |y, bytes| {
        format.push_row(rows.row(y, &mut numbers), bytes);
    })
}

/// Reads a map of `size` from plain numbers. `u8` and `u16` become heights from 0 to 1, and `i16` are meters.
///
/// # Errors
/// [`ImportError::Length`] when the number of bytes does not match the size and the format, [`ImportError::NotFinite`]
/// when an `f32` is NaN or infinite.
pub fn read_raw(bytes: &[u8], size: MapSize, format: RawFormat) -> Result<Heightmap, ImportError> {
    check_length(bytes, size, format)?;
    let mut heights = Vec::with_capacity(size.cells());
    format.read_row(bytes, &mut heights);
    finite(size, heights)
}

/// Reads a map of the size and number format in the options.
pub(super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<ImportedMap, ImportError> {
    let metadata = metadata(options.raw.sample);
    read_as(bytes, StoredFrame::Parts(metadata), options)
}

/// Returns what the kind of number says about the heights.
fn metadata(sample: Sample) -> FileMetadata {
    let is_meters = sample == Sample::I16;
    FileMetadata {
        elevation: is_meters.then_some(Elevation::METERS),
        source: is_meters.then_some(ElevationSource::NumberType),
        ..FileMetadata::default()
    }
}

/// Reads a map like [`read`], with the frame of its sidecar.
#[cfg(any(feature = "exr", feature = "png", feature = "sidecar"))]
pub(super) fn read_with_frame(
    bytes: &[u8],
    frame: MapFrame,
    options: &ReadOptions,
) -> Result<ImportedMap, ImportError> {
    read_as(bytes, StoredFrame::Whole(frame), options)
}

fn read_as(
    bytes: &[u8],
    frame: StoredFrame,
    options: &ReadOptions,
) -> Result<ImportedMap, ImportError> {
    let size = options.size.ok_or(ImportError::NoSize)?;
    check_length(bytes, size, options.raw)?;
    let mut numbers = Vec::with_capacity(size.cells());
    options.raw.read_numbers(bytes, &mut numbers);
    let decoded = Decoded {
        size,
        frame,
        gap: None,
        largest: options.raw.sample.largest(),
    };
    decoded.map(numbers, options)
}

fn check_length(bytes: &[u8], size: MapSize, format: RawFormat) -> Result<(), ImportError> {
    let (expected, found) = (format.bytes(size), bytes.len() as u64);
    if expected == found {
        return Ok(());
    }
    Err(ImportError::Length { expected, found })
}
