//! Checks the values in a TIFF's first directory before a decoder relies on them.
//!
//! ```text
//! count │ tag kind count value-or-offset │ tag kind count value-or-offset │ ...
//! ```
//!
//! The size must be valid for a map, and every list of values must be inside the file: the `tiff` crate multiplies the
//! size with other numbers, and allocates memory for the lists.

use super::{
    super::{ImportError, cells::Source},
    patched::Patched,
};
use lanternfell_heightmap::MapSize;

/// The size in bytes of a value, by the number of its type. 0 for unknown types.
const LENGTHS: [u64; 19] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

const WIDTH: u16 = 256;
const HEIGHT: u16 = 257;
const BITS: u16 = 258;
const SAMPLES: u16 = 277;
const ROWS_PER_STRIP: u16 = 278;
const PLANES: u16 = 284;
const TILE_WIDTH: u16 = 322;
const TILE_HEIGHT: u16 = 323;

/// The maximum number of tags. A tag is a 16-bit number, so no directory has more.
const MOST_TAGS: u64 = 1 << 16;

/// Opens a view of the file, and reads the size from its first directory.
pub(super) fn open(file: &mut dyn Source) -> Result<(Patched<'_>, MapSize), ImportError> {
    let mut file = Patched::of(file).ok_or_else(|| malformed("this is not a TIFF"))?;
    let size = size(&mut file)?;
    Ok((file, size))
}

/// Returns the size in the first directory.
pub(super) fn size(file: &mut Patched<'_>) -> Result<MapSize, ImportError> {
    let cut_off = || malformed("the TIFF is damaged: its directory is incomplete");
    let (width, height) = file.sides().ok_or_else(cut_off)?;
    Ok(MapSize::new(width, height)?)
}

fn malformed(what: &str) -> ImportError {
    ImportError::Malformed(what.to_owned())
}

/// The integers of a tag.
pub(super) struct List {
    /// The offset of the first integer.
    place: u64,
    /// The size in bytes of each: 2, 4 or 8.
    pub(super) each: u64,
    pub(super) count: u64,
}

/// The shape of the strips or tiles of a directory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    /// Columns of cells.
    pub(super) wide: u64,
    /// The maximum number of rows.
    pub(super) tall: u64,
    /// The samples per cell that are stored together.
    pub(super) samples: u64,
    /// Bits per sample.
    pub(super) bits: u64,
    /// It is a strip, of which the last may have fewer rows.
    pub(super) is_strip: bool,
}

impl Shape {
    /// Returns the size in bytes of a row.
    pub(super) fn row(&self) -> Option<u64> {
        let bits = self.wide.checked_mul(self.samples)?;
        Some(bits.checked_mul(self.bits)?.div_ceil(8))
    }

    /// Returns the size in bytes of a full strip or tile.
    pub(super) fn bytes(&self) -> Option<u64> {
        self.row()?.checked_mul(self.tall)
    }
}

/// An entry of a directory.
struct Entry {
    tag: u16,
    kind: u16,
    count: u64,
    /// The offset of the entry, followed by the offset of the value (or of its offset).
    at: u64,
    value: u64,
}

/// Access to directories, in the byte order of the file.
impl Patched<'_> {
    /// Returns the width and the height, or `None` if the directory is incomplete. If it contains one of them twice,
    /// the larger counts, so that no decoder can find a larger one.
    fn sides(&mut self) -> Option<(u64, u64)> {
        let (word, _) = self.words();
        let start = self.first_directory()?;
        let (mut width, mut height) = (None, None);
        for entry in self.entries(start)? {
            let each = LENGTHS.get(usize::from(entry.kind)).copied().unwrap_or(0);
            let length = entry.count.checked_mul(each)?;
            // Values that do not fit into the entry are stored elsewhere. All of them are checked, not only the size,
            // because the decoder allocates memory for any list.
            if length > word {
                let place = self.number(entry.value, word as usize)?;
                if place.checked_add(length)? > self.length() {
                    return None;
                }
            }
            let side = match entry.tag {
                WIDTH => &mut width,
                HEIGHT => &mut height,
                _ => continue,
            };
            // Exactly one value of two to `word` bytes. A decoder might interpret anything else differently.
            if length != each || !(2..=word).contains(&each) {
                return None;
            }
            *side = (*side).max(Some(self.number(entry.value, each as usize)?));
        }
        Some((width?, height?))
    }

    /// Returns the entries of a directory.
    fn entries(&mut self, start: u64) -> Option<Vec<Entry>> {
        let (word, count_word) = self.words();
        let count = self.number(start, count_word)?;
        let first = start.checked_add(count_word as u64)?;
        let each = (4 + 2 * word) as usize;
        if count >= MOST_TAGS {
            return None;
        }
        // At most 65,535 entries of 20 bytes, which is 1.3 MB.
        let mut bytes = vec![0; count as usize * each];
        self.read_at(first, &mut bytes)?;
        let lines = (first..).step_by(each).zip(bytes.chunks_exact(each));
        let entry = |(at, line): (u64, &[u8])| Entry {
            tag: self.value(&line[..2]) as u16,
            kind: self.value(&line[2..4]) as u16,
            count: self.value(&line[4..][..word as usize]),
            at,
            value: at + 4 + word,
        };
        Some(lines.map(entry).collect())
    }

    /// Returns the sizes in bytes of an offset and of the number of entries.
    fn words(&self) -> (u64, usize) {
        if self.big { (8, 8) } else { (4, 2) }
    }

    /// Returns the offset of the first directory.
    pub(super) fn first_directory(&mut self) -> Option<u64> {
        let (word, _) = self.words();
        self.number(word, word as usize)
    }

    /// Returns the offset of the directory after the one at `start`, or 0 after the last.
    pub(super) fn next_directory(&mut self, start: u64) -> Option<u64> {
        let (word, count_word) = self.words();
        let length = self.number(start, count_word)?.checked_mul(4 + 2 * word)?;
        let end = start.checked_add(count_word as u64)?.checked_add(length)?;
        self.number(end, word as usize)
    }

    /// Returns the offset and the value of a tag with a single integer of at most four bytes.
    pub(super) fn short_or_long(&mut self, start: u64, wanted: u16) -> Option<(u64, u64)> {
        let list = self.list(start, wanted)?;
        let value = self.first_item(&list)?;
        (list.count == 1 && list.each <= 4).then_some((list.place, value))
    }

    /// Returns the entry of a tag.
    fn tag(&mut self, start: u64, wanted: u16) -> Option<Entry> {
        let entries = self.entries(start)?;
        entries.into_iter().find(|entry| entry.tag == wanted)
    }

    /// Returns the location of the integers of a tag.
    pub(super) fn list(&mut self, start: u64, wanted: u16) -> Option<List> {
        let (word, _) = self.words();
        let entry = self.tag(start, wanted)?;
        let each = match entry.kind {
            3 => 2,
            4 => 4,
            16 => 8,
            _ => return None,
        };
        let count = entry.count;
        // Short lists are stored in the entry itself, in the place of their offset.
        let place = if count.checked_mul(each)? > word {
            self.number(entry.value, word as usize)?
        } else {
            entry.value
        };
        Some(List { place, each, count })
    }

    /// Returns the shape of the strips or tiles of a directory.
    pub(super) fn shape(&mut self, start: u64) -> Option<Shape> {
        let mut number = |tag| {
            let list = self.list(start, tag)?;
            self.first_item(&list)
        };
        let (width, height) = (number(WIDTH)?, number(HEIGHT)?);
        let tile = number(TILE_WIDTH).zip(number(TILE_HEIGHT));
        let (wide, tall) = match tile {
            Some(tile) => tile,
            None => (width, number(ROWS_PER_STRIP).unwrap_or(height).min(height)),
        };
        let together = number(PLANES).unwrap_or(1) == 1;
        let samples = if together {
            number(SAMPLES).unwrap_or(1)
        } else {
            1
        };
        let bits = number(BITS).unwrap_or(1);
        Some(Shape {
            wide,
            tall,
            samples,
            bits,
            is_strip: tile.is_none(),
        })
    }

    /// Replaces the integers of an existing tag. A single integer is stored in the tag, and several are appended to the
    /// view. Returns `None` if they are too large for the file.
    pub(super) fn write_list(&mut self, start: u64, tag: u16, numbers: &[u64]) -> Option<()> {
        let (word, _) = self.words();
        let entry = self.tag(start, tag)?;
        let behind = self.end();
        let end = behind.checked_add(word.checked_mul(numbers.len() as u64)?)?;
        // The largest offset: 2^32 - 1 in a classic TIFF, which appended strips may exceed.
        let most = u64::MAX >> (64 - 8 * word);
        if end > most || numbers.iter().any(|&number| number > most) {
            return None;
        }
        let length = word as usize;
        // Also change the type to an integer as long as an offset: LONG, or LONG8 in BigTIFF.
        self.write(entry.at + 2, 2, if self.big { 16 } else { 4 });
        self.write(entry.at + 4, length, numbers.len() as u64);
        if let [number] = numbers {
            self.write(entry.value, length, *number);
            return Some(());
        }
        self.write(entry.value, length, behind);
        self.extend(length * numbers.len());
        for (place, &number) in (behind..).step_by(length).zip(numbers) {
            self.write(place, length, number);
        }
        Some(())
    }

    /// Replaces the integers of a tag by a single one of the same type.
    pub(super) fn write_single(&mut self, start: u64, tag: u16, number: u64) {
        let (word, _) = self.words();
        if let (Some(entry), Some(list)) = (self.tag(start, tag), self.list(start, tag)) {
            self.write(entry.at + 4, word as usize, 1);
            self.write(entry.value, list.each as usize, number);
        }
    }

    /// Returns the first integer of a list.
    pub(super) fn first_item(&mut self, list: &List) -> Option<u64> {
        self.number(list.place, list.each as usize)
    }

    /// Returns all integers of a list, or `None` if the list exceeds the file.
    pub(super) fn items(&mut self, list: &List) -> Option<Vec<u64>> {
        let length = list.count.checked_mul(list.each)?;
        // Check before the allocation that the list is inside of the view.
        if list.place.checked_add(length)? > self.end() {
            return None;
        }
        let mut bytes = vec![0; usize::try_from(length).ok()?];
        self.read_at(list.place, &mut bytes)?;
        let numbers = bytes.chunks_exact(list.each as usize);
        Some(numbers.map(|number| self.value(number)).collect())
    }

    /// Changes an integer of a list.
    pub(super) fn write_item(&mut self, list: &List, index: u64, number: u64) {
        self.write(list.place + index * list.each, list.each as usize, number);
    }

    /// Changes an integer of `length` bytes.
    pub(super) fn write(&mut self, at: u64, length: usize, number: u64) {
        if self.big_endian {
            self.change(at, &number.to_be_bytes()[8 - length..]);
        } else {
            self.change(at, &number.to_le_bytes()[..length]);
        }
    }

    /// Makes the directory at `start` the first.
    pub(super) fn write_first_directory(&mut self, start: u64) {
        let (word, _) = self.words();
        self.write(word, word as usize, start);
    }

    /// Returns the integer of `length` bytes, at most eight, at an offset.
    fn number(&mut self, at: u64, length: usize) -> Option<u64> {
        let mut bytes = [0; 8];
        self.read_at(at, &mut bytes[..length])?;
        Some(self.value(&bytes[..length]))
    }

    /// Returns the integer that these bytes encode.
    fn value(&self, bytes: &[u8]) -> u64 {
        let add = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        if self.big_endian {
            bytes.iter().fold(0, add)
        } else {
            bytes.iter().rev().fold(0, add)
        }
    }
}
