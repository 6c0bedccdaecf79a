//! TIFF in: the directory's claims are checked, then strips or tiles are decoded one by one.

use std::io::Cursor;

use tiff::{
    ColorType,
    decoder::{ChunkType, Decoder, Limits},
    tags::{PlanarConfiguration, SampleFormat, Tag},
};

use super::super::{ImportError, check_claim, fill_gaps, finite};
use super::directory;
use crate::{Heightmap, MapSize};

type Bytes<'a> = Decoder<Cursor<&'a [u8]>>;

/// The size of a TIFF. Its directory may stand anywhere, and many programs write it at the
/// end: so this takes the whole file.
///
/// # Errors
/// As [`read_tiff`], for what it finds in the directory.
pub fn tiff_size(bytes: &[u8]) -> Result<MapSize, ImportError> {
    directory::size(bytes)
}

/// Reads a heightmap from a TIFF: its first picture.
///
/// | numbers | heights |
/// |---|---|
/// | unsigned, 8 or 16 bits | black is height 0, white height 1 |
/// | signed, 8, 16 or 32 bits | the numbers themselves: metres, in most elevation models |
/// | `f32`, `f64` | the numbers themselves |
///
/// Of several samples per pixel the first counts; colors are taken only when every pixel
/// is gray. Cells with GDAL's number for "no data" get `fill`.
///
/// # Errors
/// [`ImportError::Malformed`] when the bytes are no TIFF, cut off, or of a kind that is
/// not read; [`ImportError::Size`] when a map can not be that large or small (found out
/// before memory is taken), [`ImportError::Colored`] for a picture in colors,
/// [`ImportError::Gap`] when a cell has no height and `fill` is `None`, and
/// [`ImportError::NotFinite`] when a height is NaN or infinite.
pub fn read_tiff(bytes: &[u8], fill: Option<f32>) -> Result<Heightmap, ImportError> {
    // The decoder multiplies what the directory claims, and may overflow: so look first.
    let size = directory::size(bytes)?;
    let mut limits = Limits::default();
    limits.intermediate_buffer_size = bytes.len();
    let decoder = Decoder::new(Cursor::new(bytes)).map_err(damaged)?;
    let mut decoder = decoder.with_limits(limits);
    let pixels = Pixels::of(&mut decoder)?;
    let mut heights = pixels.heights(&mut decoder, size, bytes.len())?;
    if let Some(gap) = no_data(&mut decoder) {
        fill_gaps(&mut heights, size, pixels.number.height(gap), fill)?;
    }
    finite(size, heights)
}

/// The number that stands for "no height", as GDAL notes it: as text.
fn no_data(decoder: &mut Bytes<'_>) -> Option<f64> {
    let text = decoder.get_tag_ascii_string(Tag::GdalNodata).ok()?;
    text.trim_matches([' ', '\0']).parse().ok()
}

/// What a pixel is.
struct Pixels {
    number: Number,
    /// Numbers per pixel, the height first.
    samples: usize,
    /// The first three are red, green and blue.
    colored: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number {
    U8,
    U16,
    I8,
    I16,
    I32,
    F32,
    F64,
}

impl Pixels {
    fn of(decoder: &mut Bytes<'_>) -> Result<Self, ImportError> {
        let kind = decoder.colortype().map_err(damaged)?;
        let (samples, colored) = match kind {
            ColorType::Gray(_) => (1, false),
            ColorType::Multiband { num_samples, .. } => (usize::from(num_samples), false),
            ColorType::RGB(_) => (3, true),
            ColorType::RGBA(_) => (4, true),
            _ => return Err(not_read(format_args!("{kind:?}"))),
        };
        let planes = decoder.find_tag_unsigned(Tag::PlanarConfiguration);
        let planes: Option<u16> = planes.map_err(damaged)?;
        if samples > 1 && planes == Some(PlanarConfiguration::Planar.to_u16()) {
            return Err(not_read("several planes"));
        }
        let number = Number::of(decoder, kind.bit_depth())?;
        Ok(Self {
            number,
            samples,
            colored,
        })
    }

    /// The heights of all strips or tiles.
    fn heights(
        &self,
        decoder: &mut Bytes<'_>,
        size: MapSize,
        found: usize,
    ) -> Result<Vec<f32>, ImportError> {
        // A strip's claim may be far too long, and is read as the rows that are left.
        let (wide, tall) = decoder.chunk_dimensions();
        let tall = match decoder.get_chunk_type() {
            ChunkType::Strip => tall.min(size.height() as u32),
            ChunkType::Tile => tall,
        };
        // The file may have more samples per pixel than count.
        let stored: Option<u16> = decoder
            .find_tag_unsigned(Tag::SamplesPerPixel)
            .map_err(damaged)?;
        let bytes = self.number.bytes() * self.samples.max(usize::from(stored.unwrap_or(1)));
        let chunk = u64::from(wide) * u64::from(tall);
        let most = chunk.max(size.cells() as u64);
        check_claim(most.saturating_mul(bytes as u64), found)?;

        let (wide, tall) = (wide as usize, tall as usize);
        let across = size.width().div_ceil(wide);
        let mut heights = vec![0.0; size.cells()];
        let mut buffer = Vec::new();
        for index in 0..across * size.height().div_ceil(tall) {
            let (column, row) = (index % across * wide, index / across * tall);
            let layout = decoder.image_chunk_buffer_layout(index as u32);
            buffer.resize(layout.map_err(damaged)?.len, 0);
            decoder
                .read_chunk_bytes(index as u32, &mut buffer)
                .map_err(damaged)?;
            let columns = wide.min(size.width() - column);
            let rows = buffer.chunks_exact(columns * self.samples * self.number.bytes());
            for (y, pixels) in (row..size.height()).zip(rows.take(tall)) {
                let heights = &mut heights[y * size.width() + column..][..columns];
                if let Some(x) = self.number.fill_row(heights, pixels, self) {
                    let column = column + x;
                    return Err(ImportError::Colored { column, row: y });
                }
            }
        }
        Ok(heights)
    }

    /// Makes heights of a row of pixels; returns the first pixel that is not gray.
    fn row<const N: usize>(
        &self,
        heights: &mut [f32],
        pixels: &[u8],
        number: impl Fn([u8; N]) -> f32,
    ) -> Option<usize> {
        let pixels = pixels.as_chunks().0.chunks_exact(self.samples);
        for (x, (height, pixel)) in heights.iter_mut().zip(pixels).enumerate() {
            if self.colored && (pixel[0] != pixel[1] || pixel[0] != pixel[2]) {
                return Some(x);
            }
            *height = number(pixel[0]);
        }
        None
    }
}

impl Number {
    fn of(decoder: &mut Bytes<'_>, bits: u8) -> Result<Self, ImportError> {
        let formats = decoder.find_tag_unsigned_vec(Tag::SampleFormat);
        let formats: Vec<u16> = formats.map_err(damaged)?.unwrap_or_default();
        let unsigned = SampleFormat::Uint.to_u16();
        let format = formats.first().copied().unwrap_or(unsigned);
        let format = SampleFormat::from_u16_exhaustive(format);
        Ok(match (format, bits) {
            (SampleFormat::Uint, 8) => Self::U8,
            (SampleFormat::Uint, 16) => Self::U16,
            (SampleFormat::Int, 8) => Self::I8,
            (SampleFormat::Int, 16) => Self::I16,
            (SampleFormat::Int, 32) => Self::I32,
            (SampleFormat::IEEEFP, 32) => Self::F32,
            (SampleFormat::IEEEFP, 64) => Self::F64,
            _ => return Err(not_read(format_args!("{format:?} of {bits} bits"))),
        })
    }

    fn bytes(self) -> usize {
        match self {
            Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 => 2,
            Self::I32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// The height that the number stands for.
    fn height(self, number: f64) -> f32 {
        match self {
            Self::U8 => number as f32 / 255.0,
            Self::U16 => number as f32 / 65_535.0,
            Self::I8 | Self::I16 | Self::I32 | Self::F32 | Self::F64 => number as f32,
        }
    }

    /// As [`Pixels::row`], for numbers of this kind.
    fn fill_row(self, heights: &mut [f32], bytes: &[u8], pixels: &Pixels) -> Option<usize> {
        let height = |number: f64| self.height(number);
        match self {
            Self::U8 => pixels.row(heights, bytes, |v| height(u8::from_ne_bytes(v).into())),
            Self::U16 => pixels.row(heights, bytes, |v| height(u16::from_ne_bytes(v).into())),
            Self::I8 => pixels.row(heights, bytes, |v| height(i8::from_ne_bytes(v).into())),
            Self::I16 => pixels.row(heights, bytes, |v| height(i16::from_ne_bytes(v).into())),
            Self::I32 => pixels.row(heights, bytes, |v| height(i32::from_ne_bytes(v).into())),
            // Not by way of f64, which may change the bits of a NaN.
            Self::F32 => pixels.row(heights, bytes, f32::from_ne_bytes),
            Self::F64 => pixels.row(heights, bytes, |v| height(f64::from_ne_bytes(v))),
        }
    }
}

fn not_read(what: impl std::fmt::Display) -> ImportError {
    ImportError::malformed(format_args!("a TIFF of this kind is not read: {what}"))
}

fn damaged(error: tiff::TiffError) -> ImportError {
    if let tiff::TiffError::UnsupportedError(what) = &error {
        return not_read(what);
    }
    ImportError::malformed(format_args!("the TIFF is damaged: {error}"))
}
