//! Reads TIFF files: checks the directory, then decodes strips or tiles one by one.

use std::io::{Cursor, ErrorKind};

use half::f16;
use tiff::{
    ColorType, TiffError, TiffUnsupportedError,
    decoder::{Decoder, Limits},
    tags::{CompressionMethod, SampleFormat, Tag},
};

use super::{
    super::{
        ElevationSource, Fill, ImportError, ReadOptions,
        cells::{self, Cells, Decoded, Source},
        error::read_words,
        file_metadata::{FileMetadata, StoredFrame},
    },
    alpha,
    bands::{self, Alpha, Selected},
    blocks::Blocks,
    decoded, directory,
    geo_keys::{self, Place},
    mask,
    metadata::Metadata,
    patched::Patched,
};
use lanternfell_heightmap::{Elevation, ElevationModel, LengthUnit, MapSize};

pub(super) type Bytes<'a> = Decoder<Patched<'a>>;

/// Returns the size of a TIFF. It needs the whole file, because many programs write the directory at the end.
///
/// # Errors
/// The errors of [`read_tiff`] that concern the directory.
pub fn tiff_size(bytes: &[u8]) -> Result<MapSize, ImportError> {
    let mut file = Cursor::new(bytes);
    let (_, size) = directory::open(&mut file)?;
    Ok(size)
}

/// Reads a map from the first image of a TIFF.
///
/// | number format | heights |
/// |---|---|
/// | unsigned, 8 or 16 bits | black is height 0, white is height 1; GDAL's scale and offset convert to meters |
/// | the same, with a unit, a georeference or a no-data value, and without a scale | the numbers themselves, in meters or the unit |
/// | unsigned, 32 bits; signed, 8, 16 or 32 bits | the numbers themselves, in meters |
/// | `f32`, `f64` | the numbers themselves, see [`ElevationSource`] |
///
/// The file must have a single band, not counting an alpha band; [`read`](crate::read) can select one of several. Color
/// images are accepted only if every pixel is gray. The first row of the map is the northernmost, even if it is the
/// last in the file.
///
/// `fill` defines how to fill no-data cells: cells with GDAL's no-data value, cells that the file's mask excludes or
/// whose alpha is 0, and NaN. The cells of strips and tiles that a sparse file leaves out have the no-data value, or 0
/// if the file defines none.
///
/// # Errors
/// - [`ImportError::Malformed`] when the bytes are not a TIFF, are truncated, or use an unsupported variant (for
///   instance a rotated grid or an unknown unit).
/// - [`ImportError::Size`] when the size is not one that a map can have. It is checked before memory is allocated.
/// - [`ImportError::Param`] when a number in the metadata is outside its range.
/// - [`ImportError::Several`] when the file has several bands.
/// - [`ImportError::Colored`] when a pixel is not gray.
/// - [`ImportError::Gap`] when a cell has no height and `fill` is `None`.
/// - [`ImportError::NotFinite`] when a height is NaN or infinite, and `fill` is `None`.
pub fn read_tiff(bytes: &[u8], fill: Option<Fill>) -> Result<ElevationModel, ImportError> {
    let options = ReadOptions {
        fill,
        ..ReadOptions::default()
    };
    Ok(cells::in_memory(bytes, decode, &options)?.model)
}

/// Decodes the heights, strip by strip or tile by tile, and the metadata.
pub(crate) fn decode(
    file: &mut dyn Source,
    options: &ReadOptions,
    cells: &mut dyn Cells,
) -> Result<Decoded, ImportError> {
    // The decoder multiplies numbers from the directory, which may overflow, so check them first.
    let (mut view, size) = directory::open(file)?;
    let selected = bands::select(&mut view, options.band)?;
    let (mut decoder, blocks) = decoder(view)?;
    let pixels = Pixels::of(&mut decoder, &selected)?;
    let place = geo_keys::place(&mut decoder, size)?;
    let metadata = metadata(&mut decoder, selected.band)?;
    let (file_metadata, largest) =
        pixels.file_metadata(&place, &metadata, no_data(&mut decoder))?;
    let is_south_up = place.is_south_up;
    let order = RowOrder { size, is_south_up };
    let mut gap = file_metadata.no_data.map(|number| number as f32);
    if !cells.wants_heights() {
        let frame = StoredFrame::Parts(file_metadata);
        return Ok(Decoded {
            size,
            frame,
            gap,
            largest,
        });
    }
    pixels.put_heights(&mut decoder, &blocks, order, (gap, cells))?;
    drop(decoder);
    if let Some(alpha) = selected.alpha {
        let marker = *gap.get_or_insert(f32::NAN);
        if let Alpha::Plane(band) = alpha {
            alpha::apply(file, band, order, marker, cells)?;
        }
    }
    if mask::apply(file, order, gap.unwrap_or(f32::NAN), cells)? {
        gap.get_or_insert(f32::NAN);
    }
    Ok(Decoded {
        size,
        frame: StoredFrame::Parts(file_metadata),
        gap,
        largest,
    })
}

/// Returns a decoder of the first image, and its strips or tiles.
pub(super) fn decoder(mut view: Patched<'_>) -> Result<(Bytes<'_>, Blocks), ImportError> {
    let blocks = super::make_decodable(&mut view)?;
    let mut limits = Limits::default();
    limits.intermediate_buffer_size = usize::try_from(view.longest_strip()).unwrap_or(usize::MAX);
    let decoder = Decoder::new(view).map_err(damaged)?;
    Ok((decoder.with_limits(limits), blocks))
}

/// Maps rows of the file to rows of the map.
#[derive(Clone, Copy)]
pub(super) struct RowOrder {
    pub(super) size: MapSize,
    /// The first row is the southernmost.
    is_south_up: bool,
}

impl RowOrder {
    /// Returns the cell of the map at this column and row of the file.
    pub(super) fn cell(self, column: usize, row: usize) -> usize {
        let row = if self.is_south_up {
            self.size.height() - 1 - row
        } else {
            row
        };
        row * self.size.width() + column
    }
}

/// Reads GDAL's metadata of a band, counted from 0.
fn metadata(decoder: &mut Bytes<'_>, band: usize) -> Result<Metadata, ImportError> {
    let text = decoder.get_tag_ascii_string(Tag::Unknown(super::METADATA));
    Metadata::parse(&text.unwrap_or_default(), band)
}

/// Returns the no-data value, which GDAL stores as text.
fn no_data(decoder: &mut Bytes<'_>) -> Option<f64> {
    let text = decoder.get_tag_ascii_string(Tag::GdalNodata).ok()?;
    text.trim_matches([' ', '\0']).parse().ok()
}

/// The pixel format.
pub(super) struct Pixels {
    number: Number,
    /// Numbers per pixel.
    samples: usize,
    /// The number that is the height.
    sample: usize,
    /// The number that is 0 where there is no height.
    alpha: Option<usize>,
    /// The first three are red, green and blue.
    colored: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    U8,
    U16,
    U32,
    I8,
    I16,
    I32,
    F16,
    F32,
    F64,
}

impl Pixels {
    pub(super) fn of(decoder: &mut Bytes<'_>, selected: &Selected) -> Result<Self, ImportError> {
        let kind = decoder.colortype().map_err(damaged)?;
        let (samples, is_gray) = match kind {
            ColorType::Gray(_) => (1, true),
            ColorType::Multiband { num_samples, .. } => (usize::from(num_samples), true),
            ColorType::RGB(_) => (3, false),
            ColorType::RGBA(_) => (4, false),
            _ => return Err(not_read(color_words(kind))),
        };
        let alpha = match selected.alpha {
            Some(Alpha::Sample(sample)) => Some(sample),
            Some(Alpha::Plane(_)) | None => None,
        };
        let number = Number::of(decoder, kind.bit_depth())?;
        // The directory was patched for these, unless it has a tag twice.
        let is_patched = is_gray && (samples >= 3 || !selected.colored);
        if !is_patched || selected.sample.max(alpha.unwrap_or(0)) >= samples {
            return Err(is_damaged("its directory is contradictory"));
        }
        Ok(Self {
            number,
            samples,
            sample: selected.sample,
            alpha,
            colored: selected.colored,
        })
    }

    /// Returns the size of a pixel in bits.
    fn bits(&self) -> usize {
        8 * self.samples * self.number.bytes()
    }

    /// Returns the metadata of the heights, and the largest number if the heights may be fractions of it.
    fn file_metadata(
        &self,
        place: &Place,
        metadata: &Metadata,
        no_data: Option<f64>,
    ) -> Result<(FileMetadata, Option<f32>), ImportError> {
        let unit = match &metadata.unit {
            Some(name) => Some(LengthUnit::from_name(name).ok_or_else(|| {
                let name: String = name.chars().take(20).collect();
                not_read(format_args!("heights in the unknown unit `{name}`"))
            })?),
            None => place.unit,
        };
        let is_scaled = metadata.scale.is_some() || metadata.offset.is_some();
        let largest = self.number.most().filter(|_| is_scaled || unit.is_none());
        let meters = unit.unwrap_or_default().meters();
        let elevation = Elevation {
            offset: metadata.offset.unwrap_or(0.0) * meters,
            relief: metadata.scale.unwrap_or(1.0) * largest.unwrap_or(1.0) * meters,
        };
        elevation.validate()?;
        let source = match self.number {
            _ if is_scaled => Some(ElevationSource::Scale),
            _ if unit.is_some() => Some(ElevationSource::Unit),
            Number::U8 | Number::U16 | Number::F16 | Number::F32 | Number::F64 => None,
            Number::U32 | Number::I8 | Number::I16 | Number::I32 => {
                Some(ElevationSource::NumberType)
            }
        };
        let file_metadata = FileMetadata {
            elevation: source.map(|_| elevation),
            source,
            unit,
            no_data,
            place: place.place,
            scenery: metadata.scenery,
            are_values: metadata.are_values,
        };
        Ok((file_metadata, largest.map(|largest| largest as f32)))
    }

    /// Puts the heights of all strips or tiles into the cells. Cells without a height become the gap.
    fn put_heights(
        &self,
        decoder: &mut Bytes<'_>,
        blocks: &Blocks,
        order: RowOrder,
        (gap, cells): (Option<f32>, &mut dyn Cells),
    ) -> Result<(), ImportError> {
        let image = (order.size, self.bits());
        decoded::check_claim(decoder, blocks, image)?;
        cells.begin(order.size, None)?;
        // The cells of missing strips are transparent, if there is alpha in the same strips.
        let missing = gap.or(self.alpha.map(|_| f32::NAN));
        let missing = missing.unwrap_or(0.0);
        let transparent = gap.unwrap_or(f32::NAN);
        decoded::rows(decoder, blocks, image, &mut |cut| {
            let mut colored = None;
            let first = order.cell(cut.column, cut.row);
            cells.put(first, cut.count, &mut |heights| match cut.bytes {
                Some(pixels) => colored = self.fill_row(heights, pixels, transparent),
                None => heights.fill(missing),
            })?;
            match colored {
                Some(x) => Err(ImportError::Colored {
                    column: cut.column + x,
                    row: cut.row,
                }),
                None => Ok(()),
            }
        })
    }

    /// Changes all cells whose number is 0 to the gap, for an image that is alpha.
    pub(super) fn cut_transparent(
        &self,
        decoder: &mut Bytes<'_>,
        blocks: &Blocks,
        order: RowOrder,
        (gap, cells): (f32, &mut dyn Cells),
    ) -> Result<(), ImportError> {
        let image = (order.size, self.bits());
        decoded::check_claim(decoder, blocks, image)?;
        let mut alpha = Vec::new();
        decoded::rows(decoder, blocks, image, &mut |cut| {
            alpha.clear();
            alpha.resize(cut.count, 0.0);
            if let Some(pixels) = cut.bytes {
                self.fill_row(&mut alpha, pixels, gap);
            }
            let first = order.cell(cut.column, cut.row);
            cells.change(first, cut.count, &mut |heights| {
                for (height, &alpha) in heights.iter_mut().zip(&alpha) {
                    *height = if alpha == 0.0 { gap } else { *height };
                }
            })
        })
    }

    /// Calls [`row`](Self::row) for the number format.
    fn fill_row(&self, heights: &mut [f32], bytes: &[u8], gap: f32) -> Option<usize> {
        match self.number {
            Number::U8 => self.row((heights, gap), bytes, |v| u8::from_ne_bytes(v).into()),
            Number::U16 => self.row((heights, gap), bytes, |v| u16::from_ne_bytes(v).into()),
            Number::U32 => self.row((heights, gap), bytes, |v| u32::from_ne_bytes(v) as f32),
            Number::I8 => self.row((heights, gap), bytes, |v| i8::from_ne_bytes(v).into()),
            Number::I16 => self.row((heights, gap), bytes, |v| i16::from_ne_bytes(v).into()),
            Number::I32 => self.row((heights, gap), bytes, |v| i32::from_ne_bytes(v) as f32),
            Number::F16 => self.row((heights, gap), bytes, |v| f16::from_ne_bytes(v).to_f32()),
            // Not via f64, which may change the bits of a NaN.
            Number::F32 => self.row((heights, gap), bytes, f32::from_ne_bytes),
            Number::F64 => self.row((heights, gap), bytes, |v| f64::from_ne_bytes(v) as f32),
        }
    }

    /// Converts a row of pixels to heights, transparent pixels to the gap. Returns the first pixel that is not gray.
    fn row<const N: usize>(
        &self,
        (heights, gap): (&mut [f32], f32),
        pixels: &[u8],
        number: impl Fn([u8; N]) -> f32,
    ) -> Option<usize> {
        let pixels = pixels.as_chunks().0.chunks_exact(self.samples);
        for (x, (height, pixel)) in heights.iter_mut().zip(pixels).enumerate() {
            if self.alpha.is_some_and(|alpha| number(pixel[alpha]) == 0.0) {
                *height = gap;
                continue;
            }
            if self.colored && (pixel[0] != pixel[1] || pixel[0] != pixel[2]) {
                return Some(x);
            }
            *height = number(pixel[self.sample]);
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
        let number = Self::of_format(format, bits);
        number.ok_or_else(|| {
            let format = match SampleFormat::from_u16_exhaustive(format) {
                SampleFormat::Uint => "unsigned integers".to_owned(),
                SampleFormat::Int => "signed integers".to_owned(),
                SampleFormat::IEEEFP => "floating-point numbers".to_owned(),
                other => format!("the number format {}", other.to_u16()),
            };
            not_read(format_args!(
                "{format} of {bits} bits; integers may have 8, 16 or 32 bits, and floating-point numbers 16, 32 or 64"
            ))
        })
    }

    /// Returns the number format for a sample format and bit depth of the directory.
    pub(super) fn of_format(format: u16, bits: u8) -> Option<Self> {
        Some(match (SampleFormat::from_u16_exhaustive(format), bits) {
            (SampleFormat::Uint, 8) => Self::U8,
            (SampleFormat::Uint, 16) => Self::U16,
            (SampleFormat::Uint, 32) => Self::U32,
            (SampleFormat::Int, 8) => Self::I8,
            (SampleFormat::Int, 16) => Self::I16,
            (SampleFormat::Int, 32) => Self::I32,
            (SampleFormat::IEEEFP, 16) => Self::F16,
            (SampleFormat::IEEEFP, 32) => Self::F32,
            (SampleFormat::IEEEFP, 64) => Self::F64,
            _ => return None,
        })
    }

    fn bytes(self) -> usize {
        match self {
            Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 | Self::F16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// Returns the largest number of formats whose numbers may be fractions of it.
    fn most(self) -> Option<f64> {
        match self {
            Self::U8 => Some(255.0),
            Self::U16 => Some(65_535.0),
            Self::U32 | Self::I8 | Self::I16 | Self::I32 | Self::F16 | Self::F32 | Self::F64 => {
                None
            }
        }
    }
}

pub(super) fn not_read(what: impl std::fmt::Display) -> ImportError {
    ImportError::malformed(format_args!("this kind of TIFF is not supported: {what}"))
}

/// Describes the colors of pixels that are not heights.
fn color_words(kind: ColorType) -> &'static str {
    match kind {
        ColorType::Palette(_) => "a color palette; a heightmap is gray",
        ColorType::GrayA(_) => "gray with transparency; write the heights alone",
        _ => "colors that are not RGB; a heightmap is gray",
    }
}

/// The compression methods that this module reads, for errors.
const READ: &str = if cfg!(feature = "lerc") {
    "Deflate, LZW, PackBits, Zstandard and LERC are supported"
} else {
    "Deflate, LZW, PackBits and Zstandard are supported"
};

pub(super) fn is_damaged(what: impl std::fmt::Display) -> ImportError {
    ImportError::malformed(format_args!("the TIFF is damaged: {what}"))
}

/// Returns the name of a compression method, including those of GDAL that the `tiff` crate does not know.
fn name_of(packing: CompressionMethod) -> String {
    match packing.to_u16() {
        2 => "Huffman".to_owned(),
        3 => "CCITT fax 3".to_owned(),
        4 => "CCITT fax 4".to_owned(),
        6 | 7 => "JPEG".to_owned(),
        34_712 => "JPEG 2000".to_owned(),
        34_887 => "LERC".to_owned(),
        34_925 => "LZMA".to_owned(),
        50_001 => "WebP".to_owned(),
        50_002 => "JPEG XL".to_owned(),
        other => format!("the unknown method {other}"),
    }
}

pub(super) fn damaged(error: TiffError) -> ImportError {
    match &error {
        TiffError::UnsupportedError(TiffUnsupportedError::UnsupportedCompressionMethod(
            packing,
        )) => not_read(format_args!(
            "compression with {}; {READ}",
            name_of(*packing)
        )),
        TiffError::UnsupportedError(
            TiffUnsupportedError::UnknownInterpretation
            | TiffUnsupportedError::UnsupportedInterpretation(_)
            | TiffUnsupportedError::InterpretationWithBits(..),
        ) => not_read("colors that are not RGB; a heightmap is gray"),
        TiffError::UnsupportedError(what) => not_read(what),
        TiffError::IoError(what) if what.kind() == ErrorKind::Unsupported => not_read(what),
        TiffError::IoError(what) => is_damaged(read_words(what)),
        TiffError::LimitsExceeded => is_damaged("a strip, tile or list is longer than the file"),
        _ => is_damaged(error),
    }
}
