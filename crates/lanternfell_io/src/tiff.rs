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
//! compression or by Deflate, LZW or PackBits; and Zstandard and LERC (see `packed`). Not JPEG, which keeps no
//! heights. A strip or tile is in memory at a time, and of a file on a disk no more; of a long strip that is
//! not packed, 1 MiB (see `split`).
//!
//! Source: Adobe, *TIFF revision 6.0*, 1992; Open Geospatial Consortium, *GeoTIFF
//! Standard 1.1*, 2019.

mod directory;
mod geo_keys;
#[cfg(feature = "lerc")]
mod lerc;
mod lzw;
mod mask;
mod metadata;
mod packed;
mod patched;
mod read;
mod split;
mod write;

use crate::ImportError;
use patched::Patched;

pub(super) use read::decode;
pub use read::{read_tiff, tiff_size};
pub(super) use write::write;

/// Makes the file one that `tiff` can decode, where it can not decode the file itself, from its beginning on.
fn make_decodable(file: &mut Patched<'_>) -> Result<(), ImportError> {
    packed::unpack(file)?;
    // That its strips can not be found is for the decoder to say.
    let _ = lzw::give_room(file);
    split::part(file);
    file.go_to_beginning();
    Ok(())
}

/// The tag of GDAL's notes.
const METADATA: u16 = 42_112;
