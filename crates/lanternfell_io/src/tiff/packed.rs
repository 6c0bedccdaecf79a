//! Strips and tiles that are compressed: with Deflate, LZW, PackBits, Zstandard or LERC.
//!
//! The `tiff` crate decompresses a strip or tile in one piece, which may be the whole map. It needs a C library for
//! Zstandard, which does not work in browsers, and does not support LERC. It therefore gets a view of the file in which
//! nothing is compressed. The strips follow the end of the file, divided into pieces of a few rows (see `split`), and the
//! directory points to them. They are decompressed as they are read (see `stream`), except those of LERC.
//!
//! ```text
//! directory: compressed with Deflate      directory: uncompressed
//!   strips at 1000, 1400     ->             pieces at 2000, 2001, 2002, ... of 65536 bytes
//! ```
//!
//! Reading pieces in their order decompresses each strip once. Going back to an earlier piece starts again.
//!
//! Source: RFC 8878; `libtiff`, `COMPRESSION_ZSTD` and `COMPRESSION_LERC`.

use std::io::{Cursor, Read, Result as IoResult};

#[cfg(feature = "lerc")]
use super::lerc::Lerc;
use super::{
    super::{ImportError, cells::Source},
    blocks::Blocks,
    patched::{PackedStrips, Patched},
    read::is_damaged,
    split::Division,
    stream::{Method, Stream},
};

const COMPRESSION: u16 = 259;
#[cfg(feature = "lerc")]
const PREDICTOR: u16 = 317;

/// Compression methods.
const NONE: u64 = 1;
const LZW: u64 = 5;
const DEFLATE: [u64; 2] = [8, 32_946];
const PACK_BITS: u64 = 32_773;
#[cfg(feature = "lerc")]
const LERC: u64 = 34_887;
const ZSTD: u64 = 50_000;

/// The compression method of strips.
pub(super) enum Packing {
    Stream(Method),
    #[cfg(feature = "lerc")]
    Lerc(Lerc),
}

impl Packing {
    /// Returns whether strips are decompressed as they are read.
    pub(super) fn is_stream(&self) -> bool {
        matches!(self, Self::Stream(_))
    }

    /// Returns whether a strip decompresses to at least `needed` and at most `most` bytes, without memory for them.
    pub(super) fn holds(&self, packed: &[u8], needed: u64, most: u64) -> bool {
        match self {
            Self::Stream(method) => {
                let mut length = 0;
                let mut count = |piece: &[u8]| length += piece.len() as u64;
                let end = unpack_pieces(*method, packed, most, &mut count);
                end.is_ok() && length >= needed
            }
            #[cfg(feature = "lerc")]
            Self::Lerc(lerc) => lerc.holds(packed, needed),
        }
    }
}

/// Decompresses a strip of at most `most` bytes in pieces.
pub(super) fn unpack_pieces(
    method: Method,
    packed: &[u8],
    most: u64,
    put: &mut dyn FnMut(&[u8]),
) -> IoResult<()> {
    let mut stream = Stream::new(method, most);
    let mut file = Cursor::new(packed);
    let file: &mut dyn Source = &mut file;
    let mut input = file.take(packed.len() as u64);
    let mut piece = vec![0; 1 << 16];
    loop {
        let count = stream.read(&mut input, &mut piece)?;
        if count == 0 {
            return Ok(());
        }
        put(&piece[..count]);
    }
}

/// Returns the compression of the first directory if it is one of these methods.
pub(super) fn packing(file: &mut Patched<'_>) -> Result<Option<Packing>, ImportError> {
    let start = file.first_directory();
    let method = start.and_then(|start| {
        let compression = file.list(start, COMPRESSION)?;
        Some((start, file.first_item(&compression)?))
    });
    Ok(match method {
        Some((_, LZW)) => Some(Packing::Stream(Method::Lzw)),
        Some((_, method)) if DEFLATE.contains(&method) => Some(Packing::Stream(Method::Deflate)),
        Some((_, PACK_BITS)) => Some(Packing::Stream(Method::PackBits)),
        Some((_, ZSTD)) => Some(Packing::Stream(Method::Zstandard)),
        #[cfg(feature = "lerc")]
        Some((start, LERC)) => Some(Packing::Lerc(lerc(file, start)?)),
        _ => None,
    })
}

/// Returns whether the strips or tiles of the first directory are uncompressed.
pub(super) fn is_plain(file: &mut Patched<'_>) -> Option<bool> {
    let start = file.first_directory()?;
    let compression = file.list(start, COMPRESSION)?;
    Some(file.first_item(&compression)? == NONE)
}

/// Makes the strips or tiles of the first directory appear uncompressed, in pieces that follow the end of the file.
pub(super) fn unpack(
    file: &mut Patched<'_>,
    packing: Packing,
    blocks: &mut Blocks,
) -> Result<(), ImportError> {
    let incomplete = || is_damaged("its directory is incomplete");
    let start = file.first_directory().ok_or_else(incomplete)?;
    let compression = file.list(start, COMPRESSION).ok_or_else(incomplete)?;
    let division = Division::of(file, packing.is_stream()).ok_or_else(incomplete)?;
    // A piece has a single byte of the address space. In a file without 64-bit offsets, all bytes may not fit.
    let first = file.end() + division.length_of_lists(file, division.count());
    let (mut from, mut long) = (Vec::new(), Vec::new());
    for piece in division.list() {
        let (_, length) = blocks.at.get(piece.block).ok_or_else(incomplete)?;
        from.push(first + piece.block as u64 * division.pieces + piece.index);
        long.push(if *length == 0 { 0 } else { piece.bytes });
    }
    let too_long = || is_damaged("its directory has no room for more strips");
    division.write(file, &from, &long).ok_or_else(too_long)?;
    file.write_item(&compression, 0, NONE);
    let strips = (blocks.at.clone(), blocks.each);
    let pieces = (division.pieces, division.bytes());
    file.follow_with(PackedStrips::new(strips, pieces, packing));
    blocks.pieces = division.pieces as usize;
    Ok(())
}

/// Reads the LERC parameters from the directory. LERC uses no predictor, so that tag is reset.
#[cfg(feature = "lerc")]
fn lerc(file: &mut Patched<'_>, start: u64) -> Result<Lerc, ImportError> {
    if let Some(predictor) = file.list(start, PREDICTOR) {
        file.write_item(&predictor, 0, 1);
    }
    let not_read = |what: &str| {
        ImportError::malformed(format_args!("this kind of TIFF is not supported: {what}"))
    };
    if file.big_endian {
        return Err(not_read("big-endian with LERC compression"));
    }
    let shape = file.shape(start);
    let lerc = shape.and_then(|shape| Lerc::of(file, start, shape));
    lerc.ok_or_else(|| not_read("this number format with LERC compression"))
}

#[cfg(test)]
mod tests {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::{super::blocks::LISTS, *};
    use crate::{Format, WriteOptions, read_tiff, write};
    use lanternfell_heightmap::{ElevationModel, Heightmap, MapSize, Progress};

    fn map(width: u64, height: u64) -> Heightmap {
        let size = MapSize::new(width, height).unwrap();
        let height = |k: usize| ((k * k) % 977) as f32 * 0.25;
        Heightmap::from_heights(size, (0..size.cells()).map(height).collect()).unwrap()
    }

    fn plain(map: &Heightmap) -> Vec<u8> {
        let mut bytes = Vec::new();
        let model = ElevationModel::of_heights(map.clone());
        let options = WriteOptions::default();
        write(
            &model,
            Format::Tiff,
            &options,
            &mut bytes,
            &Progress::default(),
        )
        .unwrap();
        bytes
    }

    /// Returns a changed copy of the file.
    fn changed(bytes: &[u8], change: impl FnOnce(&mut Patched<'_>, u64)) -> Vec<u8> {
        let mut file = Cursor::new(bytes);
        let mut view = Patched::of(&mut file).unwrap();
        let start = view.first_directory().unwrap();
        change(&mut view, start);
        let mut copy = vec![0; view.end() as usize];
        view.read_at(0, &mut copy).unwrap();
        copy
    }

    /// Appends bytes and returns their offset.
    fn put(view: &mut Patched<'_>, bytes: &[u8]) -> u64 {
        let at = view.end();
        view.extend(bytes.len());
        view.change(at, bytes);
        at
    }

    /// Returns the same file with compressed strips.
    fn packed(bytes: &[u8]) -> Vec<u8> {
        changed(bytes, |view, start| {
            let compression = view.list(start, COMPRESSION).unwrap();
            view.write_item(&compression, 0, ZSTD);
            let (places, lengths) = LISTS[0];
            let [from, long] = [places, lengths].map(|tag| {
                let list = view.list(start, tag).unwrap();
                view.items(&list).unwrap()
            });
            let strips = from.into_iter().zip(long).map(|(from, long)| {
                let strip = &bytes[from as usize..][..long as usize];
                let strip = compress_to_vec(strip, CompressionLevel::Fastest);
                (put(view, &strip), strip.len() as u64)
            });
            let (from, long): (Vec<u64>, Vec<u64>) = strips.unzip();
            view.write_list(start, places, &from).unwrap();
            view.write_list(start, lengths, &long).unwrap();
        })
    }

    #[test]
    fn reads_one_and_many_strips() {
        for (width, height) in [(7, 5), (200, 150), (1000, 70)] {
            let map = map(width, height);
            let plain = plain(&map);
            let packed = packed(&plain);
            assert_ne!(plain, packed);
            let meters = read_tiff(&plain, None).unwrap();
            assert_eq!(read_tiff(&packed, None), Ok(meters), "{width} x {height}");
        }
    }

    #[test]
    fn damaged_files_are_errors() {
        let packed = packed(&plain(&map(60, 40)));
        for end in (0..packed.len()).step_by(7) {
            let _ = read_tiff(&packed[..end], None);
        }
        let mut wrong = 0;
        for place in (0..packed.len()).step_by(3) {
            for bit in [1, 16, 128] {
                let mut damaged = packed.clone();
                damaged[place] ^= bit;
                wrong += u32::from(read_tiff(&damaged, None).is_err());
            }
        }
        assert!(wrong > 50, "{wrong}");
    }

    /// A strip must not be decompressed beyond the size of its rows.
    #[test]
    fn rejects_strip_longer_than_its_rows() {
        let packed = packed(&plain(&map(60, 40)));
        let bomb = compress_to_vec(&vec![0; 1 << 22][..], CompressionLevel::Fastest);
        let packed = changed(&packed, |view, start| {
            let place = put(view, &bomb);
            let (places, lengths) = LISTS[0];
            let count = view.list(start, places).unwrap().count as usize;
            let long = vec![bomb.len() as u64; count];
            view.write_list(start, places, &vec![place; count]).unwrap();
            view.write_list(start, lengths, &long).unwrap();
        });
        let said = read_tiff(&packed, None).unwrap_err().to_string();
        assert!(said.contains("damaged"), "{said}");
    }
}
