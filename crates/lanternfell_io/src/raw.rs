//! RAW: the heights as plain numbers, row after row, without a header.

use std::io::Write;

use serde::{Deserialize, Serialize};

use crate::{ExportError, ImportError, finite, numbers::Rows, stream, whole_number};
use lanternfell_heightmap::{Heightmap, MapSize, Progress};

/// How a RAW file keeps its numbers.
///
/// The default, little-endian `u16`, is what terrain tools call `.r16`;
/// [`RawFormat::R32`] is their `.r32`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RawFormat {
    /// The kind of number.
    pub sample: Sample,
    /// The order of a number's bytes. Of no effect on [`Sample::U8`].
    pub order: ByteOrder,
}

/// A kind of number for a height.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sample {
    /// One byte: `round(255 z)`.
    U8,
    /// Two bytes: `round(65535 z)`. The default.
    #[default]
    U16,
    /// Four bytes: the height itself.
    F32,
}

/// Which byte of a number comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ByteOrder {
    /// The least significant, as ordinary processors have it. The default.
    #[default]
    Little,
    /// The most significant, as networks and some old file formats have it.
    Big,
}

impl RawFormat {
    /// Little-endian `u16`, the default.
    pub const R16: Self = Self {
        sample: Sample::U16,
        order: ByteOrder::Little,
    };
    /// Little-endian `f32`.
    pub const R32: Self = Self {
        sample: Sample::F32,
        order: ByteOrder::Little,
    };

    /// How a RAW file that ends so keeps its numbers: `r16` or `r32`, in capitals or not.
    /// `raw` says nothing about it.
    pub fn from_extension(extension: &str) -> Option<Self> {
        if extension.eq_ignore_ascii_case("r16") {
            return Some(Self::R16);
        }
        extension.eq_ignore_ascii_case("r32").then_some(Self::R32)
    }

    /// The number of bytes of a map of that size.
    pub fn bytes(self, size: MapSize) -> u64 {
        size.cells() as u64 * self.sample.bytes() as u64
    }

    /// Appends a row of heights as numbers. For whole ones they must be from 0 to 1.
    pub(super) fn push_row(self, row: &[f32], bytes: &mut Vec<u8>) {
        let word = |z| whole_number(z, 65_535.0);
        match (self.sample, self.order) {
            (Sample::U8, _) => push(row, bytes, |z| [whole_number(z, 255.0) as u8]),
            (Sample::U16, ByteOrder::Little) => push(row, bytes, |z| word(z).to_le_bytes()),
            (Sample::U16, ByteOrder::Big) => push(row, bytes, |z| word(z).to_be_bytes()),
            (Sample::F32, ByteOrder::Little) => push(row, bytes, f32::to_le_bytes),
            (Sample::F32, ByteOrder::Big) => push(row, bytes, f32::to_be_bytes),
        }
    }

    /// Appends the heights that a row of numbers stands for: of whole ones from 0 to 1.
    pub(super) fn read_row(self, bytes: &[u8], heights: &mut Vec<f32>) {
        match (self.sample, self.order) {
            (Sample::U8, _) => pull(bytes, heights, |[v]| f32::from(v) / 255.0),
            (Sample::U16, ByteOrder::Little) => {
                pull(bytes, heights, |v| gray(u16::from_le_bytes(v)));
            }
            (Sample::U16, ByteOrder::Big) => pull(bytes, heights, |v| gray(u16::from_be_bytes(v))),
            (Sample::F32, ByteOrder::Little) => pull(bytes, heights, f32::from_le_bytes),
            (Sample::F32, ByteOrder::Big) => pull(bytes, heights, f32::from_be_bytes),
        }
    }
}

fn push<const N: usize>(row: &[f32], bytes: &mut Vec<u8>, number: impl Fn(f32) -> [u8; N]) {
    let start = bytes.len();
    bytes.resize(start + N * row.len(), 0);
    let places = bytes[start..].as_chunks_mut().0;
    for (place, &height) in places.iter_mut().zip(row) {
        *place = number(height);
    }
}

impl Sample {
    /// The number of bytes of one number.
    pub fn bytes(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U16 => 2,
            Self::F32 => 4,
        }
    }
}

/// Writes `map` as plain numbers.
///
/// # Errors
/// [`ExportError::Height`] when a height is outside 0 to 1 and the numbers are whole.
pub fn write_raw(map: &Heightmap, format: RawFormat, out: impl Write) -> Result<(), ExportError> {
    write_raw_with(map, format, out, &Progress::default())
}

/// [`write_raw`], row by row, so that a huge map's writing can be watched and cancelled.
///
/// # Errors
/// As [`write_raw`], and [`ExportError::Cancelled`]; what was written by then is no whole
/// map.
pub fn write_raw_with(
    map: &Heightmap,
    format: RawFormat,
    out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    write(&Rows::plain(map), format, out, progress)
}

/// Writes numbers.
pub(super) fn write(
    rows: &Rows<'_>,
    format: RawFormat,
    mut out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    if format.sample != Sample::F32 {
        rows.check_whole(progress)?;
    }
    let mut numbers = Vec::new();
    stream(rows.height(), &mut out, progress, |y, bytes| {
        format.push_row(rows.row(y, &mut numbers), bytes);
    })
}

/// Reads a map of `size` from plain numbers. Whole numbers become heights from 0 to 1.
///
/// # Errors
/// [`ImportError::Length`] unless there are exactly as many bytes as the size and the
/// format ask for, [`ImportError::NotFinite`] when an `f32` is NaN or infinite.
pub fn read_raw(bytes: &[u8], size: MapSize, format: RawFormat) -> Result<Heightmap, ImportError> {
    let (expected, found) = (format.bytes(size), bytes.len() as u64);
    if expected != found {
        return Err(ImportError::Length { expected, found });
    }
    let mut heights = Vec::with_capacity(size.cells());
    format.read_row(bytes, &mut heights);
    finite(size, heights)
}

fn pull<const N: usize>(bytes: &[u8], heights: &mut Vec<f32>, number: impl Fn([u8; N]) -> f32) {
    heights.extend(bytes.as_chunks().0.iter().map(|&chunk| number(chunk)));
}

fn gray(value: u16) -> f32 {
    f32::from(value) / 65_535.0
}
