//! Number formats in files: the number of bits and the byte order.

use lanternfell_heightmap::MapSize;
use serde::{Deserialize, Serialize};

/// The number format of a RAW file.
///
/// The default, little-endian `u16`, is what terrain tools call `.r16`. [`RawFormat::R32`] is their `.r32`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RawFormat {
    /// The kind of number.
    pub sample: Sample,
    /// The byte order of a number. [`Sample::U8`] ignores it.
    pub order: ByteOrder,
}

/// The type of a stored height.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sample {
    /// One byte: `round(255 z)`.
    U8,
    /// Two bytes: `round(65535 z)`. The default.
    #[default]
    U16,
    /// Two bytes with a sign: whole meters.
    I16,
    /// Four bytes: the height itself as `f32`.
    F32,
}

/// The byte order of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ByteOrder {
    /// Least significant byte first, as on most CPUs. The default.
    #[default]
    Little,
    /// Most significant byte first, as in network protocols and some older file formats.
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

    /// Returns the number format of the file extension `r16` or `r32`, in upper or lower case. Returns `None` for
    /// others, also for `raw`, which does not determine it.
    pub fn from_extension(extension: &str) -> Option<Self> {
        if extension.eq_ignore_ascii_case("r16") {
            return Some(Self::R16);
        }
        extension.eq_ignore_ascii_case("r32").then_some(Self::R32)
    }

    /// Returns the size in bytes of a RAW file of a map.
    pub fn bytes(self, size: MapSize) -> u64 {
        size.cells() as u64 * self.sample.bytes() as u64
    }

    /// Appends a row of heights as numbers. `u8` and `u16` require heights from 0 to 1, and `i16` meters.
    pub(super) fn push_row(self, row: &[f32], bytes: &mut Vec<u8>) {
        let word = |z| whole_number(z, 65_535.0);
        match (self.sample, self.order) {
            (Sample::U8, _) => push(row, bytes, |z| [whole_number(z, 255.0) as u8]),
            (Sample::U16, ByteOrder::Little) => push(row, bytes, |z| word(z).to_le_bytes()),
            (Sample::U16, ByteOrder::Big) => push(row, bytes, |z| word(z).to_be_bytes()),
            (Sample::I16, ByteOrder::Little) => push(row, bytes, |z| meters(z).to_le_bytes()),
            (Sample::I16, ByteOrder::Big) => push(row, bytes, |z| meters(z).to_be_bytes()),
            (Sample::F32, ByteOrder::Little) => push(row, bytes, f32::to_le_bytes),
            (Sample::F32, ByteOrder::Big) => push(row, bytes, f32::to_be_bytes),
        }
    }

    /// Appends a row of numbers, without converting integers to heights from 0 to 1.
    pub(super) fn read_numbers(self, bytes: &[u8], numbers: &mut Vec<f32>) {
        match (self.sample, self.order) {
            (Sample::U8, _) => pull(bytes, numbers, |[v]| f32::from(v)),
            (Sample::U16, ByteOrder::Little) => {
                pull(bytes, numbers, |v| u16::from_le_bytes(v).into());
            }
            (Sample::U16, ByteOrder::Big) => {
                pull(bytes, numbers, |v| u16::from_be_bytes(v).into());
            }
            (Sample::I16 | Sample::F32, _) => self.read_row(bytes, numbers),
        }
    }

    /// Appends the heights of a row of numbers. `u8` and `u16` become heights from 0 to 1, and `i16` are meters.
    pub(super) fn read_row(self, bytes: &[u8], heights: &mut Vec<f32>) {
        match (self.sample, self.order) {
            (Sample::U8, _) => pull(bytes, heights, |[v]| f32::from(v) / 255.0),
            (Sample::U16, ByteOrder::Little) => {
                pull(bytes, heights, |v| gray(u16::from_le_bytes(v)));
            }
            (Sample::U16, ByteOrder::Big) => pull(bytes, heights, |v| gray(u16::from_be_bytes(v))),
            (Sample::I16, ByteOrder::Little) => {
                pull(bytes, heights, |v| f32::from(i16::from_le_bytes(v)));
            }
            (Sample::I16, ByteOrder::Big) => {
                pull(bytes, heights, |v| f32::from(i16::from_be_bytes(v)));
            }
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
    /// Returns the size of one number in bytes.
    pub fn bytes(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U16 | Self::I16 => 2,
            Self::F32 => 4,
        }
    }

    /// Returns whether numbers are fractions of the largest one, for heights from 0 to 1.
    pub fn is_fraction(self) -> bool {
        matches!(self, Self::U8 | Self::U16)
    }

    /// Returns the number that represents height 1.
    pub fn one(self) -> f64 {
        match self {
            Self::U8 => 255.0,
            Self::U16 => 65_535.0,
            Self::I16 | Self::F32 => 1.0,
        }
    }

    /// Returns the integer of a height of 1.
    pub(super) fn largest(self) -> Option<f32> {
        self.is_fraction().then(|| self.one() as f32)
    }
}

/// Returns the nearest whole number of meters, away from zero if there are two.
fn meters(height: f32) -> i16 {
    height.round() as i16
}

/// Returns `round(most * height)` for a height from 0 to 1.
fn whole_number(height: f32, most: f64) -> u16 {
    // Exact: the product of a 24-bit and a 16-bit number plus one half fits into an f64.
    (f64::from(height) * most + 0.5) as u16
}

fn pull<const N: usize>(bytes: &[u8], heights: &mut Vec<f32>, number: impl Fn([u8; N]) -> f32) {
    heights.extend(bytes.as_chunks().0.iter().map(|&chunk| number(chunk)));
}

fn gray(value: u16) -> f32 {
    f32::from(value) / 65_535.0
}
