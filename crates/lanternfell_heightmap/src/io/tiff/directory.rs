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

/// Numbers in the file's own order of bytes.
struct Reader<'a> {
    bytes: &'a [u8],
    big_endian: bool,
    /// BigTIFF: places and counts of eight bytes.
    big: bool,
}

impl<'a> Reader<'a> {
    fn of(bytes: &'a [u8]) -> Option<Self> {
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
        // Bytes of the directory's place and of a tag's count.
        let (word, count_word) = if self.big { (8, 8) } else { (4, 2) };
        let start = self.number(word, word as usize)?;
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
