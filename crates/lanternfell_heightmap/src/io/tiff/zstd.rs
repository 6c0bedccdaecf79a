//! Strips and tiles that are packed by Zstandard, as GDAL writes them.
//!
//! `tiff` unpacks them by a library in C, which is no way into a browser. So a copy of the file is
//! made in which they are not packed: what `ruzstd` unpacks stands behind the file, and the
//! directory says so.
//!
//! ```text
//! directory: packed by Zstandard          directory: not packed
//!   strips at 1000, 1400     ->             strips at 2000, 67536, of 65536 bytes
//! ```
//!
//! Memory: the heights in the file's numbers once more. What a strip may come to is known before,
//! so that none takes more, and all together no more than some thousand times the file.
//!
//! Source: RFC 8878; `libtiff`, `COMPRESSION_ZSTD`.

use ruzstd::decoding::FrameDecoder;

use super::{
    super::{ImportError, check_claim},
    directory::{List, Reader},
};

const COMPRESSION: u16 = 259;
const ZSTD: u64 = 50_000;
const NONE: u64 = 1;

/// Where strips and tiles stand, and how long they are.
const LISTS: [(u16, u16); 2] = [(273, 279), (324, 325)];

/// What tells how large they are.
const WIDTH: u16 = 256;
const HEIGHT: u16 = 257;
const BITS: u16 = 258;
const SAMPLES: u16 = 277;
const ROWS_PER_STRIP: u16 = 278;
const PLANES: u16 = 284;
const TILE_WIDTH: u16 = 322;
const TILE_HEIGHT: u16 = 323;

/// A copy of the file whose strips or tiles are not packed, if they are by Zstandard.
pub(super) fn unpacked(bytes: &[u8]) -> Result<Option<Vec<u8>>, ImportError> {
    let Some(reader) = Reader::of(bytes) else {
        return Ok(None);
    };
    let Some(start) = reader.first_directory() else {
        return Ok(None);
    };
    let compression = reader.list(start, COMPRESSION);
    let packed = compression.filter(|list| reader.item(list, 0) == Some(ZSTD));
    let Some(compression) = packed else {
        return Ok(None);
    };
    let mut copy = bytes.to_vec();
    reader.write_item(&mut copy, &compression, 0, NONE);
    for tags in LISTS {
        unpack(&reader, start, tags, &mut copy)?;
    }
    Ok(Some(copy))
}

/// Unpacks all that these two tags list, if the directory has them.
fn unpack(
    reader: &Reader<'_>,
    start: u64,
    (places, lengths): (u16, u16),
    copy: &mut Vec<u8>,
) -> Result<(), ImportError> {
    let lists = (reader.list(start, places), reader.list(start, lengths));
    let (Some(from), Some(long)) = lists else {
        return Ok(());
    };
    let most = longest(reader, start).ok_or_else(|| damaged("its directory is not whole"))?;
    let count = from.count.min(long.count);
    let found = copy.len();
    check_claim(most.saturating_mul(count), found)?;
    let mut buffer = vec![0; usize::try_from(most).unwrap_or(usize::MAX)];
    let mut unpacked = Vec::new();
    for index in 0..count {
        let packed = strip(reader, (&from, &long), index, &copy[..found])
            .ok_or_else(|| damaged("a strip lies beyond its end"))?;
        // GDAL leaves out what has no data.
        let length = if packed.is_empty() {
            0
        } else {
            FrameDecoder::new()
                .decode_all(packed, &mut buffer)
                .map_err(damaged)?
        };
        unpacked.push((copy.len() as u64, length as u64));
        copy.extend(&buffer[..length]);
    }
    let (from, long): (Vec<u64>, Vec<u64>) = unpacked.into_iter().unzip();
    for (tag, numbers) in [(places, from), (lengths, long)] {
        let written = reader.write_list(copy, start, tag, &numbers);
        written.ok_or_else(|| damaged("it is longer than it can say, unpacked"))?;
    }
    Ok(())
}

fn strip<'a>(
    reader: &Reader<'_>,
    (from, long): (&List, &List),
    index: u64,
    bytes: &'a [u8],
) -> Option<&'a [u8]> {
    let from = usize::try_from(reader.item(from, index)?).ok()?;
    let long = usize::try_from(reader.item(long, index)?).ok()?;
    bytes.get(from..from.checked_add(long)?)
}

/// The bytes of a whole strip or tile.
fn longest(reader: &Reader<'_>, start: u64) -> Option<u64> {
    let number = |tag| reader.item(&reader.list(start, tag)?, 0);
    let (width, height) = (number(WIDTH)?, number(HEIGHT)?);
    let (wide, tall) = match (number(TILE_WIDTH), number(TILE_HEIGHT)) {
        (Some(wide), Some(tall)) => (wide, tall),
        _ => (width, number(ROWS_PER_STRIP).unwrap_or(height).min(height)),
    };
    let together = number(PLANES).unwrap_or(1) == 1;
    let samples = if together {
        number(SAMPLES).unwrap_or(1)
    } else {
        1
    };
    let bits = wide
        .checked_mul(samples)?
        .checked_mul(number(BITS).unwrap_or(1))?;
    bits.div_ceil(8).checked_mul(tall)
}

fn damaged(what: impl std::fmt::Display) -> ImportError {
    ImportError::malformed(format_args!("the TIFF is damaged: {what}"))
}

#[cfg(test)]
mod tests {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;
    use crate::{
        ElevationModel, Heightmap, MapSize, Progress,
        io::{Format, WriteOptions, read_tiff, write},
    };

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

    /// The same file with its strips packed.
    fn packed(bytes: &[u8]) -> Vec<u8> {
        let reader = Reader::of(bytes).unwrap();
        let start = reader.first_directory().unwrap();
        let mut copy = bytes.to_vec();
        let compression = reader.list(start, COMPRESSION).unwrap();
        reader.write_item(&mut copy, &compression, 0, ZSTD);
        let (places, lengths) = LISTS[0];
        let lists = [places, lengths].map(|tag| reader.list(start, tag).unwrap());
        let mut strips = Vec::new();
        for index in 0..lists[0].count {
            let strip = strip(&reader, (&lists[0], &lists[1]), index, bytes).unwrap();
            let strip = compress_to_vec(strip, CompressionLevel::Fastest);
            strips.push((copy.len() as u64, strip.len() as u64));
            copy.extend(strip);
        }
        let (from, long): (Vec<u64>, Vec<u64>) = strips.into_iter().unzip();
        reader.write_list(&mut copy, start, places, &from).unwrap();
        reader.write_list(&mut copy, start, lengths, &long).unwrap();
        copy
    }

    #[test]
    fn one_strip_and_many_come_back() {
        for (width, height) in [(7, 5), (200, 150), (1000, 70)] {
            let map = map(width, height);
            let plain = plain(&map);
            let packed = packed(&plain);
            assert!(unpacked(&plain).unwrap().is_none());
            assert!(unpacked(&packed).unwrap().is_some());
            let metres = read_tiff(&plain, None).unwrap();
            assert_eq!(read_tiff(&packed, None), Ok(metres), "{width} x {height}");
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

    /// A strip that comes to more than its rows is not unpacked further.
    #[test]
    fn a_strip_holds_no_more_than_its_rows() {
        let plain = plain(&map(60, 40));
        let mut packed = packed(&plain);
        let reader = Reader::of(&plain).unwrap();
        let start = reader.first_directory().unwrap();
        let bomb = compress_to_vec(&vec![0; 1 << 22][..], CompressionLevel::Fastest);
        let place = packed.len() as u64;
        packed.extend(&bomb);
        let count = reader.list(start, LISTS[0].0).unwrap().count as usize;
        reader
            .write_list(&mut packed, start, LISTS[0].0, &vec![place; count])
            .unwrap();
        let long = vec![bomb.len() as u64; count];
        reader
            .write_list(&mut packed, start, LISTS[0].1, &long)
            .unwrap();
        let said = read_tiff(&packed, None).unwrap_err().to_string();
        assert!(said.contains("damaged"), "{said}");
    }
}
