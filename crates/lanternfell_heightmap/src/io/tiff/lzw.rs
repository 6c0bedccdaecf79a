//! A few bytes more for each strip or tile that is packed by LZW.
//!
//! Problem: the decoder below `tiff` (weezl 0.1.12) reads ahead, and of some strips says "no lzw end
//! code found" when the end code lies in the last bytes that it was given. GDAL's files have such
//! strips now and then.
//!
//! Idea: in a copy of the file each strip is said to be a few bytes longer than it is. Nothing that
//! follows the end code is decoded, so that it does not matter what stands there. A strip that
//! goes beyond the end of the file is left alone: it is cut off, and must be found out.

use super::directory::{List, Reader};

const COMPRESSION: u16 = 259;
const LZW: u64 = 5;

/// Where strips and tiles stand, and how long they are.
const LISTS: [(u16, u16); 2] = [(273, 279), (324, 325)];

/// What the decoder reads ahead at the most.
const ROOM: u64 = 8;

/// A copy of the file whose strips have room, if they are packed by LZW.
pub(super) fn with_room(bytes: &[u8]) -> Option<Vec<u8>> {
    let reader = Reader::of(bytes)?;
    let start = reader.first_directory()?;
    let (_, compression) = reader.short_or_long(start, COMPRESSION)?;
    if compression != LZW {
        return None;
    }
    let mut copy = bytes.to_vec();
    copy.resize(bytes.len() + ROOM as usize, 0);
    for (places, lengths) in LISTS {
        if let (Some(places), Some(lengths)) =
            (reader.list(start, places), reader.list(start, lengths))
        {
            lengthen(&reader, &places, &lengths, &mut copy);
        }
    }
    Some(copy)
}

fn lengthen(reader: &Reader<'_>, places: &List, lengths: &List, copy: &mut [u8]) {
    let whole = copy.len() as u64 - ROOM;
    for index in 0..places.count.min(lengths.count) {
        let (Some(place), Some(length)) = (reader.item(places, index), reader.item(lengths, index))
        else {
            return;
        };
        let is_there = place.checked_add(length).is_some_and(|end| end <= whole);
        let longest = u64::MAX >> (64 - 8 * lengths.each);
        if is_there && length <= longest - ROOM {
            reader.write_item(copy, lengths, index, length + ROOM);
        }
    }
}
