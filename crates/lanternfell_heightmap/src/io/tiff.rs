//! TIFF: gray in whole numbers or `f32`, out and in, also as GeoTIFF.
//!
//! ```text
//! "II" 42 ─▶ directory: width, height, bits, where the strips are, ...
//!            ├─ strip 0   some rows
//!            ├─ strip 1   some rows
//!            └─ ...
//! ```
//!
//! Written is the plainest kind: little-endian, not compressed, in strips of about 64 KiB.
//! So the directory is known before the first height, can stand in front, and the rows
//! stream out to anything, a pipe too. (`tiff`'s own encoder has to go back.)
//!
//! Read is what `tiff` decodes: strips and tiles, either byte order, BigTIFF, without
//! compression or by Deflate, LZW or PackBits; and Zstandard (see `zstd`). Not LERC, which no crate
//! in Rust alone decodes, nor JPEG, which keeps no heights.
//!
//! Source: Adobe, *TIFF revision 6.0*, 1992; Open Geospatial Consortium, *GeoTIFF
//! Standard 1.1*, 2019.

mod directory;
mod geo_keys;
mod lzw;
mod mask;
mod metadata;
mod read;
mod write;
mod zstd;

use super::ImportError;

pub use read::{read_tiff, tiff_size};
pub(super) use write::write;

/// A copy of the file that `tiff` can decode, where it can not decode the file itself.
fn decodable(bytes: &[u8]) -> Result<Option<Vec<u8>>, ImportError> {
    match zstd::unpacked(bytes)? {
        Some(copy) => Ok(Some(copy)),
        None => Ok(lzw::with_room(bytes)),
    }
}

/// The tag of GDAL's notes.
const METADATA: u16 = 42_112;
