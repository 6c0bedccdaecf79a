//! What a TIFF's first directory claims, looked at before a decoder believes it.
//!
//! ```text
//! count │ tag kind count value-or-place │ tag kind count value-or-place │ ...
//! ```
//!
//! The size must be one of a map, and every list of values must lie within the file:
//! `tiff` multiplies the one with other numbers, and reserves memory for the other.

use super::super::ImportError;
use crate::MapSize;

/// The bytes of a value of each kind, by the kind's number.
const LENGTHS: [u64; 19] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

const WIDTH: u16 = 256;
const HEIGHT: u16 = 257;

/// The size in the first directory, at whatever place of the file that is.
pub(super) fn size(bytes: &[u8]) -> Result<MapSize, ImportError> {
    let reader = Reader::of(bytes).ok_or_else(|| malformed("this is not a TIFF"))?;
    let cut_off = || malformed("the TIFF is damaged: its directory is not whole");
    let (width, height) = reader.sides().ok_or_else(cut_off)?;
    Ok(MapSize::new(width, height)?)
}

fn malformed(what: &str) -> ImportError {
    ImportError::Malformed(what.to_owned())
}

/// Whole numbers that a tag has.
pub(super) struct List {
    /// Where the first stands.
    place: u64,
    /// Bytes of each: 2, 4 or 8.
    pub(super) each: u64,
    pub(super) count: u64,
}

/// Numbers in the file's own order of bytes.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    big_endian: bool,
    /// BigTIFF: places and counts of eight bytes.
    big: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Option<Self> {
        let (big_endian, big) = match bytes.get(..4)? {
            b"II\x2a\0" => (false, false),
            b"II\x2b\0" => (false, true),
            b"MM\0\x2a" => (true, false),
            b"MM\0\x2b" => (true, true),
            _ => return None,
        };
        Some(Self {
            bytes,
            big_endian,
            big,
        })
    }

    /// The width and the height. When the directory says one twice, the largest, so that
    /// no decoder can find a larger one. `None` when the directory is not whole.
    fn sides(&self) -> Option<(u64, u64)> {
        let (word, count_word) = self.words();
        let start = self.first_directory()?;
        let count = self.number(start, count_word)?;
        let first = start.checked_add(count_word as u64)?;
        let (mut width, mut height) = (None, None);
        for index in 0..count {
            let at = first.checked_add(index.checked_mul(4 + 2 * word)?)?;
            let tag = self.number(at, 2)? as u16;
            let each = LENGTHS.get(self.number(at + 2, 2)? as usize).copied();
            let each = each.unwrap_or(0);
            let length = self.number(at + 4, word as usize)?.checked_mul(each)?;
            let value = at + 4 + word;
            if length > word {
                let place = self.number(value, word as usize)?;
                if place.checked_add(length)? > self.bytes.len() as u64 {
                    return None;
                }
            }
            let side = match tag {
                WIDTH => &mut width,
                HEIGHT => &mut height,
                _ => continue,
            };
            if length != each || !(2..=word).contains(&each) {
                return None;
            }
            *side = (*side).max(Some(self.number(value, each as usize)?));
        }
        Some((width?, height?))
    }

    /// Bytes of the directory's place and of a tag's count.
    fn words(&self) -> (u64, usize) {
        if self.big { (8, 8) } else { (4, 2) }
    }

    /// Where the first directory stands.
    pub(super) fn first_directory(&self) -> Option<u64> {
        let (word, _) = self.words();
        self.number(word, word as usize)
    }

    /// Where the one after that at `start` stands; 0 after the last.
    pub(super) fn next_directory(&self, start: u64) -> Option<u64> {
        let (word, count_word) = self.words();
        let length = self.number(start, count_word)?.checked_mul(4 + 2 * word)?;
        let end = start.checked_add(count_word as u64)?.checked_add(length)?;
        self.number(end, word as usize)
    }

    /// The value of a tag of a directory that has one whole number, and where it stands.
    pub(super) fn short_or_long(&self, start: u64, wanted: u16) -> Option<(u64, u64)> {
        let list = self.list(start, wanted)?;
        let value = self.item(&list, 0)?;
        (list.count == 1 && list.each <= 4).then_some((list.place, value))
    }

    /// Where a tag of a directory stands.
    fn tag(&self, start: u64, wanted: u16) -> Option<u64> {
        let (word, count_word) = self.words();
        let tags = self.number(start, count_word)?;
        let first = start.checked_add(count_word as u64)?;
        for index in 0..tags {
            let at = first.checked_add(index.checked_mul(4 + 2 * word)?)?;
            if self.number(at, 2)? as u16 == wanted {
                return Some(at);
            }
        }
        None
    }

    /// The whole numbers of a tag of a directory.
    pub(super) fn list(&self, start: u64, wanted: u16) -> Option<List> {
        let (word, _) = self.words();
        let at = self.tag(start, wanted)?;
        let each = match self.number(at + 2, 2)? {
            3 => 2,
            4 => 4,
            16 => 8,
            _ => return None,
        };
        let count = self.number(at + 4, word as usize)?;
        let value = at + 4 + word;
        let place = if count.checked_mul(each)? > word {
            self.number(value, word as usize)?
        } else {
            value
        };
        Some(List { place, each, count })
    }

    /// Makes these the numbers of a tag that a directory of a copy of the file has: one in the tag
    /// itself, several behind all that there is. `None` when they are too large for the file.
    pub(super) fn write_list(
        &self,
        copy: &mut Vec<u8>,
        start: u64,
        tag: u16,
        numbers: &[u64],
    ) -> Option<()> {
        let (word, _) = self.words();
        let at = self.tag(start, tag)?;
        let behind = copy.len() as u64;
        let end = behind.checked_add(word * numbers.len() as u64)?;
        let most = u64::MAX >> (64 - 8 * word);
        if end > most || numbers.iter().any(|&number| number > most) {
            return None;
        }
        let length = word as usize;
        // Numbers as long as a place: LONG, in BigTIFF LONG8.
        self.write(copy, at + 2, 2, if self.big { 16 } else { 4 });
        self.write(copy, at + 4, length, numbers.len() as u64);
        if let [number] = numbers {
            self.write(copy, at + 4 + word, length, *number);
            return Some(());
        }
        self.write(copy, at + 4 + word, length, behind);
        copy.resize(end as usize, 0);
        for (place, &number) in (behind..).step_by(length).zip(numbers) {
            self.write(copy, place, length, number);
        }
        Some(())
    }

    /// A number of a list.
    pub(super) fn item(&self, list: &List, index: u64) -> Option<u64> {
        let at = list.place.checked_add(index.checked_mul(list.each)?)?;
        self.number(at, list.each as usize)
    }

    /// Writes a number of a list, which was read, into a copy of the file.
    pub(super) fn write_item(&self, copy: &mut [u8], list: &List, index: u64, number: u64) {
        let at = list.place + index * list.each;
        self.write(copy, at, list.each as usize, number);
    }

    /// Writes a number of so many bytes into a copy of the file.
    pub(super) fn write(&self, copy: &mut [u8], at: u64, length: usize, number: u64) {
        let place = &mut copy[at as usize..][..length];
        if self.big_endian {
            place.copy_from_slice(&number.to_be_bytes()[8 - length..]);
        } else {
            place.copy_from_slice(&number.to_le_bytes()[..length]);
        }
    }

    /// Makes the directory at `start` the first of a copy of the file.
    pub(super) fn write_first_directory(&self, copy: &mut [u8], start: u64) {
        let (word, _) = self.words();
        self.write(copy, word, word as usize, start);
    }

    /// The number of `length` bytes at a place in the file.
    fn number(&self, at: u64, length: usize) -> Option<u64> {
        let at = usize::try_from(at).ok()?;
        let bytes = self.bytes.get(at..at.checked_add(length)?)?;
        let add = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        Some(if self.big_endian {
            bytes.iter().fold(0, add)
        } else {
            bytes.iter().rev().fold(0, add)
        })
    }
}
