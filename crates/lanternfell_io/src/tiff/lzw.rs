//! A few bytes more for each strip or tile that is packed by LZW.
//!
//! Problem: the decoder below `tiff` (weezl 0.1.12) reads ahead, and of some strips says "no lzw end
//! code found" when the end code lies in the last bytes that it was given. GDAL's files have such
//! strips now and then.
//!
//! Idea: each strip is said to be a few bytes longer than it is. Nothing that
//! follows the end code is decoded, so that it does not matter what stands there. A strip that
//! goes beyond the end of the file is left alone: it is cut off, and must be found out.

use super::{directory::List, patched::Patched};

const COMPRESSION: u16 = 259;
const LZW: u64 = 5;

/// Where strips and tiles stand, and how long they are.
const LISTS: [(u16, u16); 2] = [(273, 279), (324, 325)];

/// What the decoder reads ahead at the most.
const ROOM: u64 = 8;

/// Gives the strips of the file room, if they are packed by LZW.
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
