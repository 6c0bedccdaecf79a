//! RAW: the heights as plain numbers, row after row, without a header.

use std::io::Write;

use super::{ExportError, ImportError, whole_numbers};
use crate::{Heightmap, MapSize};

/// How a RAW file keeps its numbers.
///
/// The default, little-endian `u16`, is what terrain tools call `.r16`;
/// [`RawFormat::R32`] is their `.r32`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct RawFormat {
    /// The kind of number.
    pub sample: Sample,
    /// The order of a number's bytes. Of no effect on [`Sample::U8`].
    pub order: ByteOrder,
}

/// A kind of number for a height.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
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

    /// The number of bytes of a map of that size.
    pub fn bytes(self, size: MapSize) -> u64 {
        size.cells() as u64 * self.sample.bytes() as u64
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
pub fn write_raw(
    map: &Heightmap,
    format: RawFormat,
    mut out: impl Write,
) -> Result<(), ExportError> {
    let bytes: Vec<u8> = match (format.sample, format.order) {
        (Sample::U8, _) => whole_numbers(map, 255.0)?
            .iter()
            .map(|&v| v as u8)
            .collect(),
        (Sample::U16, ByteOrder::Little) => flat(&whole_numbers(map, 65_535.0)?, u16::to_le_bytes),
        (Sample::U16, ByteOrder::Big) => flat(&whole_numbers(map, 65_535.0)?, u16::to_be_bytes),
        (Sample::F32, ByteOrder::Little) => flat(map.heights(), f32::to_le_bytes),
        (Sample::F32, ByteOrder::Big) => flat(map.heights(), f32::to_be_bytes),
    };
    Ok(out.write_all(&bytes)?)
}

fn flat<T: Copy, const N: usize>(values: &[T], bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(|&value| bytes(value)).collect()
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
    let heights: Vec<f32> = match (format.sample, format.order) {
        (Sample::U8, _) => bytes.iter().map(|&v| f32::from(v) / 255.0).collect(),
        (Sample::U16, ByteOrder::Little) => numbers(bytes, |v| grey(u16::from_le_bytes(v))),
        (Sample::U16, ByteOrder::Big) => numbers(bytes, |v| grey(u16::from_be_bytes(v))),
        (Sample::F32, ByteOrder::Little) => numbers(bytes, f32::from_le_bytes),
        (Sample::F32, ByteOrder::Big) => numbers(bytes, f32::from_be_bytes),
    };
    if let Some(cell) = heights.iter().position(|height| !height.is_finite()) {
        let (column, row) = (cell % size.width(), cell / size.width());
        return Err(ImportError::NotFinite {
            column,
            row,
            height: heights[cell],
        });
    }
    Ok(Heightmap::from_heights(size, heights).expect("length and values were checked"))
}

fn numbers<const N: usize>(bytes: &[u8], number: impl Fn([u8; N]) -> f32) -> Vec<f32> {
    bytes
        .as_chunks()
        .0
        .iter()
        .map(|&chunk| number(chunk))
        .collect()
}

fn grey(value: u16) -> f32 {
    f32::from(value) / 65_535.0
}
