//! The size that a TIFF's first directory tells, without trusting the rest of it.

use super::super::ImportError;
use crate::MapSize;

const WIDTH: u16 = 256;
const HEIGHT: u16 = 257;

/// The size in the first directory, at whatever place of the file that is.
pub(super) fn size(bytes: &[u8]) -> Result<MapSize, ImportError> {
    let reader = Reader::of(bytes).ok_or_else(|| malformed("this is not a TIFF"))?;
    let found = reader.sides();
    let (width, height) = found.ok_or_else(|| malformed("the TIFF is damaged: it has no size"))?;
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
    /// no decoder can find a larger one.
    fn sides(&self) -> Option<(u64, u64)> {
        let (start, count, entry, value) = if self.big {
            let start = self.number(8, 8)?;
            (start.checked_add(8)?, self.number(start, 8)?, 20, 12)
        } else {
            let start = self.number(4, 4)?;
            (start + 2, self.number(start, 2)?, 12, 8)
        };
        let (mut width, mut height) = (None, None);
        for index in 0..count {
            let at = start.checked_add(entry * index)?;
            let side = match self.number(at, 2)? as u16 {
                WIDTH => &mut width,
                HEIGHT => &mut height,
                _ => continue,
            };
            let length = match self.number(at + 2, 2)? {
                3 => 2,
                4 => 4,
                16 if self.big => 8,
                _ => return None,
            };
            *side = (*side).max(Some(self.number(at + value, length)?));
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
