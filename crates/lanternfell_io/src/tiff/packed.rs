//! Strips and tiles compressed with Zstandard or LERC, as GDAL writes them.
//!
//! The `tiff` crate needs a C library for Zstandard, which does not work in browsers, and does not support LERC. It
//! therefore gets a view of the file in which nothing is compressed. The strips that `ruzstd` and `lerc` decompress
//! follow the end of the file, and the directory points to them.
//!
//! ```text
//! directory: compressed with Zstandard    directory: uncompressed
//!   strips at 1000, 1400     ->             strips at 2000, 67536, of 65536 bytes
//! ```
//!
//! Memory: one strip, or three for LERC. The maximum size of a strip is known in advance and enforced. All strips
//! together must pass the check of `blocks`.
//!
//! Source: RFC 8878; `libtiff`, `COMPRESSION_ZSTD` and `COMPRESSION_LERC`.

use std::io::{Error, Result as IoResult};

use ruzstd::{
    decoding::{
        BlockDecodingStrategy, FrameDecoder,
        errors::{FrameDecoderError, ReadFrameHeaderError},
    },
    io::Read,
};

#[cfg(feature = "lerc")]
use super::lerc::Lerc;
use super::{
    super::ImportError,
    blocks::{Blocks, LISTS},
    patched::{PackedStrips, Patched},
    read::is_damaged,
};

const COMPRESSION: u16 = 259;
#[cfg(feature = "lerc")]
const PREDICTOR: u16 = 317;

/// Compression methods.
const NONE: u64 = 1;
#[cfg(feature = "lerc")]
const LERC: u64 = 34_887;
const ZSTD: u64 = 50_000;

/// The compression method of strips.
pub(super) enum Packing {
    Zstandard,
    #[cfg(feature = "lerc")]
    Lerc(Lerc),
}

impl Packing {
    /// Decompresses a strip of at most `most` bytes.
    pub(super) fn unpack(&self, packed: &[u8], most: u64, bytes: &mut Vec<u8>) -> IoResult<()> {
        match self {
            Self::Zstandard => {
                bytes.resize(most as usize, 0);
                let length = FrameDecoder::new().decode_all(packed, bytes);
                bytes.truncate(length.map_err(|error| Error::other(format!("{error}")))?);
                Ok(())
            }
            #[cfg(feature = "lerc")]
            Self::Lerc(lerc) => lerc.unpack(packed, bytes),
        }
    }

    /// Returns whether a strip decompresses to at least `needed` and at most `most` bytes, without memory for them.
    pub(super) fn holds(&self, packed: &[u8], needed: u64, most: u64) -> bool {
        match self {
            Self::Zstandard => {
                let length = unpack_zstandard(packed, most, &mut |_| ());
                length.is_ok_and(|length| length >= needed)
            }
            #[cfg(feature = "lerc")]
            Self::Lerc(lerc) => lerc.holds(packed, needed),
        }
    }
}

/// The maximum number of bytes that [`unpack_zstandard`] keeps in memory. Each level below 22 of the compressor refers
/// back to at most this many bytes.
const MOST_KEPT: u64 = 1 << 26;

/// Decompresses Zstandard in pieces, to at most `most` bytes. Returns their number.
pub(super) fn unpack_zstandard(
    mut packed: &[u8],
    most: u64,
    put: &mut dyn FnMut(&[u8]),
) -> IoResult<u64> {
    const STEP: u64 = 1 << 20;
    let failed = |error: FrameDecoderError| Error::other(error.to_string());
    let too_long = || Error::other("it is too long when decompressed");
    let mut decoder = FrameDecoder::new();
    let mut piece = vec![0; 1 << 16];
    let mut length = 0;
    while !packed.is_empty() {
        match decoder.init(&mut packed) {
            Ok(()) => {}
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => {
                let rest = packed.get(length as usize..);
                packed = rest.ok_or_else(|| failed(FrameDecoderError::FailedToSkipFrame))?;
                continue;
            }
            Err(error) => return Err(failed(error)),
        }
        // The decoder keeps what later blocks may refer to. Each step but the last decompresses at least `STEP` bytes.
        let (start, mut unpacked) = (length, 0);
        while !decoder.is_finished() {
            let step = BlockDecodingStrategy::UptoBytes(STEP as usize);
            decoder.decode_blocks(&mut packed, step).map_err(failed)?;
            unpacked += STEP;
            loop {
                let count = decoder.read(&mut piece);
                let count = count.map_err(FrameDecoderError::FailedToDrainDecodebuffer);
                let count = count.map_err(failed)?;
                put(&piece[..count]);
                length += count as u64;
                if length > most {
                    return Err(too_long());
                }
                if count == 0 {
                    break;
                }
            }
            let kept = (start + unpacked).saturating_sub(length);
            if !decoder.is_finished() && (kept > MOST_KEPT || start + unpacked > most) {
                return Err(too_long());
            }
        }
    }
    Ok(length)
}

/// Returns the compression of the first directory if it is one of these methods.
pub(super) fn packing(file: &mut Patched<'_>) -> Result<Option<Packing>, ImportError> {
    let start = file.first_directory();
    let method = start.and_then(|start| {
        let compression = file.list(start, COMPRESSION)?;
        Some((start, file.first_item(&compression)?))
    });
    Ok(match method {
        Some((_, ZSTD)) => Some(Packing::Zstandard),
        #[cfg(feature = "lerc")]
        Some((start, LERC)) => Some(Packing::Lerc(lerc(file, start)?)),
        _ => None,
    })
}

/// Makes the strips or tiles of the first directory appear uncompressed.
pub(super) fn unpack(
    file: &mut Patched<'_>,
    packing: Packing,
    blocks: &Blocks,
) -> Result<(), ImportError> {
    let incomplete = || is_damaged("its directory is incomplete");
    let start = file.first_directory().ok_or_else(incomplete)?;
    let compression = file.list(start, COMPRESSION).ok_or_else(incomplete)?;
    let is_listed = |file: &mut Patched<'_>, (from, long)| {
        file.list(start, from).is_some() && file.list(start, long).is_some()
    };
    let mut listed = LISTS.into_iter().filter(|&tags| is_listed(file, tags));
    let (tags, other) = (listed.next().ok_or_else(incomplete)?, listed.next());
    if other.is_some() || blocks.at.is_empty() {
        return Err(incomplete());
    }
    follow_with(file, start, tags, packing, blocks)?;
    file.write_item(&compression, 0, NONE);
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

/// Appends all strips or tiles that these two tags list, decompressed.
fn follow_with(
    file: &mut Patched<'_>,
    start: u64,
    (places, lengths): (u16, u16),
    packing: Packing,
    blocks: &Blocks,
) -> Result<(), ImportError> {
    let most = blocks.each;
    let strips = &blocks.at;
    blocks.check_claim(most.saturating_mul(strips.len() as u64))?;
    let is_there = |&(from, long): &(u64, u64)| {
        let end = from.checked_add(long);
        end.is_some_and(|end| end <= file.length())
    };
    if !strips.iter().all(is_there) {
        return Err(is_damaged("a strip is outside of the file"));
    }
    let unpacked = |&(_, long): &(u64, u64)| if long == 0 { 0 } else { most };
    let lengthy: Vec<u64> = strips.iter().map(unpacked).collect();
    let too_long = || is_damaged("it is too long when decompressed");
    file.write_list(start, lengths, &lengthy)
        .ok_or_else(too_long)?;
    // The list of offsets is appended too, unless it has a single value, which is stored in its tag. The strips start
    // after it, so its length must be known before it is written.
    let word = if file.big { 8 } else { 4 };
    let list = if strips.len() == 1 {
        0
    } else {
        word * strips.len() as u64
    };
    let first = file.end() + list;
    let at: Vec<u64> = (0..strips.len() as u64)
        // All strips get the same room, so that a read finds its strip by division.
        .map(|number| first.saturating_add(number.saturating_mul(most)))
        .collect();
    file.write_list(start, places, &at).ok_or_else(too_long)?;
    file.follow_with(PackedStrips::new(strips.clone(), most, packing));
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;
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
