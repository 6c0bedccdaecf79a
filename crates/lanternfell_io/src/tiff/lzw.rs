//! Makes strips and tiles with LZW compression a few bytes longer.
//!
//! Problem: the decoder that the `tiff` crate uses (weezl 0.1.12) reads ahead. For some strips it reports "no lzw end
//! code found" when the end code is in the last bytes of its input. GDAL's files contain such strips now and then.
//!
//! Idea: declare each strip a few bytes longer than it is. The decoder ignores everything after the end code, so the
//! content of these bytes does not matter. A strip that extends beyond the end of the file is not changed: it is
//! truncated, and the decoder must report it.

use super::{directory::List, patched::Patched};

const COMPRESSION: u16 = 259;
const LZW: u64 = 5;

/// The tags with offsets and byte counts, of strips and of tiles.
const LISTS: [(u16, u16); 2] = [(273, 279), (324, 325)];

/// The maximum number of bytes that the decoder reads ahead.
const ROOM: u64 = 8;

/// Lengthens the strips of the file if they are compressed with LZW.
pub(super) fn give_room(file: &mut Patched<'_>) -> Option<()> {
    let start = file.first_directory()?;
    let (_, compression) = file.short_or_long(start, COMPRESSION)?;
    if compression != LZW {
        return None;
    }
    file.extend(ROOM as usize);
    for (places, lengths) in LISTS {
        if let (Some(places), Some(lengths)) = (file.list(start, places), file.list(start, lengths))
        {
            lengthen(file, &places, &lengths)?;
        }
    }
    Some(())
}

fn lengthen(file: &mut Patched<'_>, places: &List, lengths: &List) -> Option<()> {
    let longest = u64::MAX >> (64 - 8 * lengths.each);
    let strips = file.items(places)?.into_iter().zip(file.items(lengths)?);
    for (index, (place, length)) in (0..).zip(strips) {
        let end = place.checked_add(length);
        let is_there = end.is_some_and(|end| end <= file.length());
        if is_there && length <= longest - ROOM {
            file.write_item(lengths, index, length + ROOM);
        }
    }
    Some(())
}
