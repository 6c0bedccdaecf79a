//! A TIFF of which some bytes are read otherwise than they stand in the file.
//!
//! Problem: what `tiff` can not decode (strips by Zstandard or LERC, some strips by LZW, masks) it could with a
//! few other numbers in the directory, and with strips that are unpacked already. But a changed copy of
//! the file takes its memory again, and a file on a disk need not be in memory at all.
//!
//! Idea: a view of the file, which changes those bytes as they are read, and goes on behind its end: with
//! the lists that have become longer, and with the strips, each unpacked when it is read.
//!
//! ```text
//!   the file, changed here and there | lists | strip 0 | strip 1 | ...
//! ```
//!
//! Memory: the changed bytes, and one strip.

use std::{
    collections::BTreeMap,
    io::{Error, Read, Result, Seek, SeekFrom},
};

use super::{super::cells::Source, packed::Packing};

/// The view of a file.
pub(super) struct Patched<'a> {
    file: &'a mut dyn Source,
    /// Where the file itself stands, if that is known.
    file_at: Option<u64>,
    /// The bytes of the file.
    length: u64,
    /// Where the view stands.
    at: u64,
    changed: BTreeMap<u64, u8>,
    behind: Vec<u8>,
    strips: Option<PackedStrips>,
    pub(super) big_endian: bool,
    /// BigTIFF: places and counts of eight bytes.
    pub(super) big: bool,
}

/// Strips that are unpacked when they are read.
pub(super) struct PackedStrips {
    /// Where each stands in the file, and how long it is; one of no length has no bytes.
    from: Vec<(u64, u64)>,
    /// What none comes to more than, in bytes, above 0. They follow each other at this distance.
    each: u64,
    packing: Packing,
    /// Which was read last, and its bytes.
    last: Option<usize>,
    bytes: Vec<u8>,
}

impl PackedStrips {
    /// Strips of which none was read.
    pub(super) fn new(from: Vec<(u64, u64)>, each: u64, packing: Packing) -> Self {
        Self {
            from,
            each,
            packing,
            last: None,
            bytes: Vec::new(),
        }
    }

    fn unpack(&mut self, number: usize, packed: &[u8]) -> Result<()> {
        self.last = None;
        self.packing.unpack(packed, self.each, &mut self.bytes)?;
        self.last = Some(number);
        Ok(())
    }
}

impl<'a> Patched<'a> {
    /// A view that changes nothing yet; `None` when the file does not begin as a TIFF does.
    pub(super) fn of(file: &'a mut dyn Source) -> Option<Self> {
        let length = file.seek(SeekFrom::End(0)).ok()?;
        file.rewind().ok()?;
        let mut begin = [0; 4];
        file.read_exact(&mut begin).ok()?;
        let (big_endian, big) = match &begin {
            b"II\x2a\0" => (false, false),
            b"II\x2b\0" => (false, true),
            b"MM\0\x2a" => (true, false),
            b"MM\0\x2b" => (true, true),
            _ => return None,
        };
        Some(Self {
            file,
            file_at: Some(4),
            length,
            at: 0,
            changed: BTreeMap::new(),
            behind: Vec::new(),
            strips: None,
            big_endian,
            big,
        })
    }

    /// The bytes of the file alone.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// As many bytes as the file counts for when it claims to hold a map.
    pub(super) fn claimable(&self) -> u64 {
        let strips = self.strips.as_ref();
        let tightness = strips.map_or(1, |strips| strips.packing.tightness());
        self.length.saturating_mul(tightness)
    }

    /// What a strip that is read in one piece may have, in bytes.
    pub(super) fn longest_strip(&self) -> u64 {
        let unpacked = self.strips.as_ref().map_or(0, |strips| strips.each);
        self.length.max(unpacked)
    }

    /// Where the view ends, but for strips.
    pub(super) fn end(&self) -> u64 {
        self.length + self.behind.len() as u64
    }

    /// Reads as many bytes as there are in the buffer, from that place on.
    pub(super) fn read_at(&mut self, at: u64, bytes: &mut [u8]) -> Option<()> {
        self.at = at;
        self.read_exact(bytes).ok()
    }

    /// What is read next is the first byte.
    pub(super) fn go_to_beginning(&mut self) {
        self.at = 0;
    }

    /// Changes bytes from that place on, which is one of the file or of what was put behind it.
    pub(super) fn change(&mut self, at: u64, bytes: &[u8]) {
        for (place, &byte) in (at..).zip(bytes) {
            match place.checked_sub(self.length) {
                Some(behind) => self.behind[behind as usize] = byte,
                None => {
                    self.changed.insert(place, byte);
                }
            }
        }
    }

    /// Puts so many zeros behind all that there is.
    pub(super) fn extend(&mut self, bytes: usize) {
        self.behind.resize(self.behind.len() + bytes, 0);
    }

    /// Lets these strips follow behind all that there is.
    pub(super) fn follow_with(&mut self, strips: PackedStrips) {
        self.strips = Some(strips);
    }

    /// Reads from the file itself.
    fn read_file(&mut self, buffer: &mut [u8]) -> Result<usize> {
        match self.file_at.take() {
            Some(at) if at == self.at => {}
            // A reader with a buffer keeps it so, if it can.
            Some(at) => self.file.seek_relative(self.at.wrapping_sub(at) as i64)?,
            None => self.file.seek(SeekFrom::Start(self.at)).map(|_| ())?,
        }
        let count = self.file.read(buffer)?;
        let end = self.at + count as u64;
        self.file_at = Some(end);
        for (place, &byte) in self.changed.range(self.at..end) {
            buffer[(place - self.at) as usize] = byte;
        }
        Ok(count)
    }

    /// Reads from the strip around that place behind all else.
    fn read_strip(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let place = self.at - self.end();
        let Some(strips) = &mut self.strips else {
            return Ok(0);
        };
        let number = usize::try_from(place / strips.each).unwrap_or(usize::MAX);
        let Some(&(from, length)) = strips.from.get(number) else {
            return Ok(0);
        };
        if strips.last != Some(number) {
            self.file_at = None;
            let mut packed = vec![0; length as usize];
            self.file.seek(SeekFrom::Start(from))?;
            self.file.read_exact(&mut packed)?;
            strips.unpack(number, &packed)?;
        }
        let start = (place % strips.each) as usize;
        let rest = strips.bytes.get(start..).unwrap_or_default();
        Ok(copy(rest, buffer))
    }
}

impl Read for Patched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let count = if self.at < self.length {
            let left = usize::try_from(self.length - self.at).unwrap_or(usize::MAX);
            let count = left.min(buffer.len());
            self.read_file(&mut buffer[..count])?
        } else if self.at < self.end() {
            let start = (self.at - self.length) as usize;
            copy(&self.behind[start..], buffer)
        } else {
            self.read_strip(buffer)?
        };
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for Patched<'_> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => self.end().checked_add_signed(by),
        };
        self.at = at.ok_or_else(|| Error::other("a place before the beginning"))?;
        Ok(self.at)
    }
}

/// Copies as much as fits, and says how much that is.
fn copy(from: &[u8], to: &mut [u8]) -> usize {
    let count = from.len().min(to.len());
    to[..count].copy_from_slice(&from[..count]);
    count
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Cursor};

    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;
    use lanternfell_heightmap::SeededRng;

    /// A view and a changed copy of the same bytes, read at many places and lengths, with and without a
    /// buffer between.
    #[test]
    fn it_reads_as_a_changed_copy_would() {
        let mut rng = SeededRng::new(3, b"patched ");
        for round in 0..60 {
            let length = 4 + rng.below(3000) as usize;
            let mut bytes: Vec<u8> = (0..length).map(|_| rng.below(256) as u8).collect();
            bytes[..4].copy_from_slice(b"II\x2a\0");
            let strips: Vec<Vec<u8>> = (0..rng.below(4)).map(|k| vec![k as u8; 50]).collect();
            let mut from = Vec::new();
            for strip in &strips {
                let packed = compress_to_vec(&strip[..], CompressionLevel::Fastest);
                from.push((bytes.len() as u64, packed.len() as u64));
                bytes.extend(packed);
            }
            let mut copy = bytes.clone();
            let (mut plain, mut buffered) =
                (Cursor::new(&bytes), BufReader::new(Cursor::new(&bytes)));
            let source: &mut dyn Source = if round % 2 == 0 {
                &mut plain
            } else {
                &mut buffered
            };
            let mut view = Patched::of(source).unwrap();
            assert_eq!(view.length(), bytes.len() as u64);
            view.extend(20);
            copy.resize(copy.len() + 20, 0);
            for _ in 0..rng.below(30) {
                let at = rng.below(copy.len() as u64 - 8);
                view.change(at, &[7, 9]);
                copy[at as usize..][..2].copy_from_slice(&[7, 9]);
            }
            // A changed byte of a packed strip is none of the strip's: the file is unpacked as it stands.
            view.follow_with(PackedStrips::new(from, 50, Packing::Zstandard));
            copy.extend(strips.into_iter().flatten());
            for _ in 0..100 {
                let at = rng.below(copy.len() as u64);
                let count = rng.below(copy.len() as u64 - at + 1) as usize;
                let mut found = vec![0; count];
                assert_eq!(view.read_at(at, &mut found), Some(()), "{at}, {count}");
                assert!(
                    found == copy[at as usize..][..count],
                    "round {round}: {at}, {count}"
                );
            }
            assert_eq!(view.read_at(copy.len() as u64, &mut [0]), None);
        }
    }
}
