//! TIFF and GeoTIFF: gray in integers or `f32`.
//!
//! ```text
//! "II" 42 ─▶ directory: width, height, bits, offsets of the strips, ...
//!            ├─ strip 0   some rows
//!            ├─ strip 1   some rows
//!            └─ ...
//! ```
//!
//! The writer produces the simplest kind: little-endian, uncompressed, in strips of about 64 KiB. The whole directory
//! is then known before the first height and can come first, so the rows can be streamed to any output, also to a pipe.
//! (The encoder of the `tiff` crate needs to seek.)
//!
//! The reader supports what the `tiff` crate decodes: strips and tiles, both byte orders, BigTIFF, uncompressed or with
//! Deflate, LZW or PackBits. In addition it supports Zstandard and LERC (see `packed`). It does not support JPEG, which
//! is too lossy for heights. It selects one of several bands (see `bands`), and fills what a sparse file leaves out
//! (see `blocks`). It keeps one strip or tile in memory, and no more of a file on disk. Large strips and tiles are read
//! in pieces of 1 MiB (see `split` and `stream`), except with LERC.
//!
//! Source: Adobe, *TIFF revision 6.0*, 1992; Open Geospatial Consortium, *GeoTIFF Standard 1.1*, 2019.

mod alpha;
mod bands;
mod blocks;
mod decoded;
mod directory;
mod geo_keys;
#[cfg(feature = "lerc")]
mod lerc;
mod mask;
mod metadata;
mod packed;
mod patched;
mod read;
mod split;
mod stream;
mod write;

use crate::{ImportError, cells::Source};
use blocks::Blocks;
use patched::Patched;

pub(super) use read::decode;
pub use read::{read_tiff, tiff_size};
pub(super) use write::write;

/// Patches the file so that the `tiff` crate can decode its first image. Returns the strips or tiles of the image.
fn make_decodable(file: &mut Patched<'_>) -> Result<Blocks, ImportError> {
    let packing = packed::packing(file)?;
    let mut blocks = Blocks::of(file, packing.as_ref());
    if let Some(packing) = packing {
        packed::unpack(file, packing, &mut blocks)?;
    } else if packed::is_plain(file) == Some(true) {
        // If it fails, the decoder reports why.
        let _ = split::part(file, &mut blocks);
    }
    file.go_to(0);
    Ok(blocks)
}

/// Returns the size in bytes of the largest piece of a strip or tile that is decompressed at once, or `None` if the file
/// is damaged.
pub(super) fn largest_part(file: &mut dyn Source) -> Option<u64> {
    let (mut view, _) = directory::open(file).ok()?;
    let can_divide = match packed::packing(&mut view).ok()? {
        Some(packing) => packing.is_stream(),
        None => packed::is_plain(&mut view)?,
    };
    Some(split::Division::of(&mut view, can_divide)?.bytes())
}

/// The tag of GDAL's metadata.
const METADATA: u16 = 42_112;
