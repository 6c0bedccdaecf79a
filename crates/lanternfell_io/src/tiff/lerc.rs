//! Strips and tiles compressed with LERC, Esri's format for heights. It stores small blocks of integers with a bounded
//! error per height. GDAL may have compressed the result once more, with Deflate or Zstandard.
//!
//! ```text
//! strip: (Deflate or Zstandard:) "Lerc2 " | version, checksum, width, height, kind | mask | blocks
//! ```
//!
//! Each strip contains its own size, which is checked against the directory before memory is allocated. Cells that the
//! mask excludes become NaN. Integers have no NaN, so a mask is an error there, unless it is the alpha band of bytes.
//!
//! In big-endian files, GDAL 3.6 compresses byte-swapped numbers, which destroys them if an error is allowed. Other
//! writers need not do so. The two cases cannot be distinguished, so such files are rejected.
//!
//! Memory: the compressed strip, the strip without the outer compression, and its numbers twice.
//!
//! Source: Esri, *Limited Error Raster Compression*; `libtiff`, `tif_lerc.c`.

use std::io::{Error, ErrorKind, Read, Result};

use flate2::read::ZlibDecoder;
use lerc::{DataType, Sample, checksum::fletcher32, decode_info, decode_into};

use super::{
    directory::Shape, packed::unpack_pieces, patched::Patched, read::Number, stream::Method,
};

/// The tag with the LERC version and the outer compression.
const PARAMETERS: u16 = 50_674;
const FORMAT: u16 = 339;
const BITS: u16 = 258;

/// The compression of the strips or tiles of a file.
pub(super) struct Lerc {
    shape: Shape,
    number: Number,
    around: Around,
}

enum Around {
    Nothing,
    Deflate,
    Zstandard,
}

impl Lerc {
    /// Reads the parameters from the directory at `start`. Returns `None` if its number format or its outer compression
    /// is not supported.
    pub(super) fn of(file: &mut Patched<'_>, start: u64, shape: Shape) -> Option<Self> {
        let mut first = |tag| {
            let list = file.list(start, tag)?;
            file.first_item(&list)
        };
        let unsigned = 1;
        let format = first(FORMAT).unwrap_or(unsigned);
        let bits = u8::try_from(first(BITS)?).ok()?;
        let number = Number::of_format(u16::try_from(format).ok()?, bits)?;
        data_type(number)?;
        let parameters = file.list(start, PARAMETERS);
        let parameters = parameters.and_then(|list| file.items(&list));
        let around = match parameters.as_deref() {
            None | Some([] | [_] | [_, 0, ..]) => Around::Nothing,
            Some([_, 1, ..]) => Around::Deflate,
            Some([_, 2, ..]) => Around::Zstandard,
            Some(_) => return None,
        };
        Some(Self {
            shape,
            number,
            around,
        })
    }

    /// Decompresses a strip or tile into little-endian bytes.
    pub(super) fn unpack(&self, packed: &[u8], bytes: &mut Vec<u8>) -> Result<()> {
        let unwrapped = self.unwrap(packed)?;
        let blob = unwrapped.as_deref().unwrap_or(packed);
        bytes.clear();
        match self.number {
            Number::U8 => self.numbers(blob, None, u8::to_le_bytes, bytes),
            Number::U16 => self.numbers(blob, None, u16::to_le_bytes, bytes),
            Number::U32 => self.numbers(blob, None, u32::to_le_bytes, bytes),
            Number::I8 => self.numbers(blob, None, i8::to_le_bytes, bytes),
            Number::I16 => self.numbers(blob, None, i16::to_le_bytes, bytes),
            Number::I32 => self.numbers(blob, None, i32::to_le_bytes, bytes),
            Number::F16 => Err(Error::other("LERC has no numbers of this kind")),
            Number::F32 => self.numbers(blob, Some(f32::NAN), f32::to_le_bytes, bytes),
            Number::F64 => self.numbers(blob, Some(f64::NAN), f64::to_le_bytes, bytes),
        }
    }

    /// Returns whether a strip has the cells that the directory declares, `needed` bytes of them. It is not
    /// decompressed, because flat terrain takes about 100 bytes, independent of the size of the strip. The checksum
    /// shows that its header is not damaged. Versions without a checksum may declare less.
    pub(super) fn holds(&self, packed: &[u8], needed: u64) -> bool {
        const TIGHTEST: u64 = 64 * 4096;
        let Ok(unwrapped) = self.unwrap(packed) else {
            return false;
        };
        let blob = unwrapped.as_deref().unwrap_or(packed);
        let Ok(info) = decode_info(blob) else {
            return false;
        };
        let [width, height, depth] = [info.width, info.height, info.depth].map(u64::from);
        let row = self.shape.row().unwrap_or(u64::MAX);
        let is_like_declared = width == self.shape.wide
            && (depth == self.shape.samples || self.alpha_is_mask(depth))
            && height.saturating_mul(row) >= needed
            && Some(info.data_type) == data_type(self.number);
        if info.version < 3 || !blob.starts_with(b"Lerc2 ") {
            return is_like_declared && needed / TIGHTEST <= blob.len() as u64;
        }
        let content = blob.get(14..info.blob_size as usize);
        let sum = content.map(|content| fletcher32(content).to_le_bytes());
        is_like_declared && sum.as_ref().map(|sum| &sum[..]) == blob.get(10..14)
    }

    /// Removes the outer compression. Returns `None` if the block has none.
    fn unwrap(&self, packed: &[u8]) -> Result<Option<Vec<u8>>> {
        // LERC stores incompressible numbers uncompressed, after a header and a mask. A valid stream is never longer
        // than this limit, which stops a damaged stream from expanding without bound.
        let plain = self.shape.bytes().unwrap_or(0);
        let most = plain + plain / 4 + 4096;
        let mut blob = Vec::new();
        match self.around {
            Around::Nothing => return Ok(None),
            Around::Deflate => {
                // Read one byte more than allowed, to detect a longer stream.
                let mut inside = ZlibDecoder::new(packed).take(most + 1);
                inside.read_to_end(&mut blob)?;
            }
            Around::Zstandard => {
                let mut put = |piece: &[u8]| blob.extend_from_slice(piece);
                unpack_pieces(Method::Zstandard, packed, most, &mut put)?;
            }
        }
        if blob.len() as u64 > most {
            return Err(Error::other("a LERC strip is longer than its numbers"));
        }
        Ok(Some(blob))
    }

    /// Decompresses numbers of one type.
    fn numbers<T: Sample, const N: usize>(
        &self,
        blob: &[u8],
        gap: Option<T>,
        to_bytes: impl Fn(T) -> [u8; N],
        bytes: &mut Vec<u8>,
    ) -> Result<()> {
        let damaged = |error| Error::other(format!("a LERC strip: {error}"));
        let info = decode_info(blob).map_err(damaged)?;
        let Shape {
            wide,
            tall,
            samples,
            ..
        } = self.shape;
        let [width, height, depth] = [info.width, info.height, info.depth].map(u64::from);
        let alpha_is_mask = self.alpha_is_mask(depth);
        // The last strip of a map may be shorter. The product below cannot overflow or exceed the
        // memory that the directory was checked for.
        let fits = width == wide && (1..=tall).contains(&height);
        if !fits || depth != samples && !alpha_is_mask || info.bands != 1 {
            let line = format!(
                "a LERC strip has {width} x {height} cells of {depth} numbers, expected {wide} x {tall} of {samples}"
            );
            return Err(Error::other(line));
        }
        let mut numbers = vec![T::default(); (width * height * depth) as usize];
        let result = decode_into(blob, &mut numbers).map_err(damaged)?;
        let mask = result.valid_masks.first();
        // The mask has one bit per cell, which covers all samples of the cell.
        let cells = numbers.chunks_exact_mut(depth as usize).enumerate();
        let is_valid = |cell| mask.is_none_or(|mask| mask.is_valid(cell));
        if alpha_is_mask {
            for (cell, numbers) in cells {
                let alpha = T::from_f64(if is_valid(cell) { 255.0 } else { 0.0 });
                bytes.extend(numbers.iter().copied().chain([alpha]).flat_map(&to_bytes));
            }
            return Ok(());
        }
        if mask.is_some_and(|mask| !mask.is_all_valid()) {
            let Some(gap) = gap else {
                let line = "no-data cells in integers with LERC compression";
                return Err(Error::new(ErrorKind::Unsupported, line));
            };
            for (_, numbers) in cells.filter(|(cell, _)| !is_valid(*cell)) {
                numbers.fill(gap);
            }
        }
        bytes.extend(numbers.into_iter().flat_map(to_bytes));
        Ok(())
    }

    /// Returns whether a strip of this many numbers per cell stores alpha as its mask. `libtiff` does so for bytes that
    /// are all 0 or 255.
    fn alpha_is_mask(&self, depth: u64) -> bool {
        depth + 1 == self.shape.samples && self.number == Number::U8
    }
}

/// Returns the name of a number format, or `None` if LERC does not have it.
fn data_type(number: Number) -> Option<DataType> {
    Some(match number {
        Number::U8 => DataType::Byte,
        Number::U16 => DataType::UShort,
        Number::U32 => DataType::UInt,
        Number::I8 => DataType::Char,
        Number::I16 => DataType::Short,
        Number::I32 => DataType::Int,
        Number::F16 => return None,
        Number::F32 => DataType::Float,
        Number::F64 => DataType::Double,
    })
}
