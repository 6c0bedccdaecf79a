//! A view of a TIFF in which some bytes differ from those in the file.
//!
//! Problem: the `tiff` crate cannot decode some files (strips with Zstandard or LERC, some strips with LZW, masks), and
//! decodes a strip or tile in one piece. It could decode them, and in pieces, if a few numbers in the directory were
//! different and the strips uncompressed. A changed copy would need as much memory as the file, but a file on disk does
//! not have to be in memory at all.
//!
//! Idea: a view of the file that changes those bytes as they are read, and continues after the end of the file. After
//! the end come the lists that have become longer, and the pieces of strips, which are decompressed when they are read.
//!
//! ```text
//!   the file, with changed bytes | lists | piece 0 | piece 1 | ...
//! ```
//!
//! Memory: the changed bytes, and what one strip needs (see `packed`).

use std::{
    collections::BTreeMap,
    io::{Error, Read, Result, Seek, SeekFrom},
};

use super::{
    super::cells::Source,
    packed::Packing,
    stream::{Input, Stream},
};

/// A view of a file.
pub(super) struct Patched<'a> {
    file: &'a mut dyn Source,
    /// The position in the file itself, if known.
    file_at: Option<u64>,
    /// The length of the file in bytes.
    length: u64,
    /// The position in the view.
    at: u64,
    /// The number of bytes read in the piece of a packed strip at this position.
    inside: u64,
    changed: BTreeMap<u64, u8>,
    behind: Vec<u8>,
    strips: Option<PackedStrips>,
    pub(super) big_endian: bool,
    /// BigTIFF: offsets and counts of eight bytes.
    pub(super) big: bool,
}

/// Strips or tiles that are decompressed when they are read. Each of their pieces has one address in the view, and reads
/// continue in the piece.
pub(super) struct PackedStrips {
    /// The offset and length of each in the file. A strip of length 0 has no bytes.
    from: Vec<(u64, u64)>,
    /// The maximum size of a strip.
    each: u64,
    /// The number of pieces of a strip, and their maximum size.
    pieces: u64,
    piece: u64,
    packing: Packing,
    /// The strip that was read last.
    last: Option<Strip>,
}

/// A strip of which some bytes have been decompressed.
struct Strip {
    number: usize,
    /// The number of compressed bytes that were read.
    read: u64,
    /// The number of bytes that were decompressed and read.
    at: u64,
    bytes: Bytes,
}

enum Bytes {
    Stream(Stream),
    #[cfg(feature = "lerc")]
    All(Vec<u8>),
}

impl PackedStrips {
    /// Creates strips of which none has been read.
    pub(super) fn new(
        (from, each): (Vec<(u64, u64)>, u64),
        (pieces, piece): (u64, u64),
        packing: Packing,
    ) -> Self {
        Self {
            from,
            each,
            pieces,
            piece,
            packing,
            last: None,
        }
    }

    /// Starts to read a strip, whose compressed bytes are the input.
    fn open(&self, number: usize, input: &mut Input<'_>) -> Result<Strip> {
        let before = input.limit();
        let bytes = match &self.packing {
            Packing::Stream(method) => Bytes::Stream(Stream::new(*method, self.each)),
            #[cfg(feature = "lerc")]
            Packing::Lerc(lerc) => {
                let (mut packed, mut bytes) = (Vec::new(), Vec::new());
                input.read_to_end(&mut packed)?;
                lerc.unpack(&packed, &mut bytes)?;
                Bytes::All(bytes)
            }
        };
        Ok(Strip {
            number,
            read: before - input.limit(),
            at: 0,
            bytes,
        })
    }
}

impl Strip {
    /// Reads at most as many bytes as fit.
    fn read(&mut self, input: &mut Input<'_>, buffer: &mut [u8]) -> Result<usize> {
        let count = match &mut self.bytes {
            Bytes::Stream(stream) => {
                let before = input.limit();
                let count = stream.read(input, buffer)?;
                self.read += before - input.limit();
                count
            }
            #[cfg(feature = "lerc")]
            Bytes::All(bytes) => copy(bytes.get(self.at as usize..).unwrap_or_default(), buffer),
        };
        self.at += count as u64;
        Ok(count)
    }
}

impl<'a> Patched<'a> {
    /// Creates a view without changes. Returns `None` if the file does not start like a TIFF.
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
            inside: 0,
            changed: BTreeMap::new(),
            behind: Vec::new(),
            strips: None,
            big_endian,
            big,
        })
    }

    /// Returns the length of the file itself in bytes.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Returns the maximum size in bytes of a strip in the view.
    pub(super) fn longest_strip(&self) -> u64 {
        let unpacked = self.strips.as_ref().map_or(0, |strips| strips.piece);
        self.length.max(unpacked)
    }

    /// Returns the end of the view without strips.
    pub(super) fn end(&self) -> u64 {
        self.length + self.behind.len() as u64
    }

    /// Fills the buffer from position `at`.
    pub(super) fn read_at(&mut self, at: u64, bytes: &mut [u8]) -> Option<()> {
        self.go_to(at);
        self.read_exact(bytes).ok()
    }

    /// Moves to this position.
    pub(super) fn go_to(&mut self, at: u64) {
        (self.at, self.inside) = (at, 0);
    }

    /// Changes bytes starting at `at`, which must be in the file or in an appended part.
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

    /// Appends zeros.
    pub(super) fn extend(&mut self, bytes: usize) {
        self.behind.resize(self.behind.len() + bytes, 0);
    }

    /// Appends these strips.
    pub(super) fn follow_with(&mut self, strips: PackedStrips) {
        self.strips = Some(strips);
    }

    /// Moves to this position in the file itself.
    fn go_to_in_file(&mut self, at: u64) -> Result<()> {
        // `take` forgets the position until the read succeeds, so the next read after an error seeks.
        match self.file_at.take() {
            Some(now) if now == at => Ok(()),
            // A buffered reader keeps its buffer if the target is inside of it.
            Some(now) => self.file.seek_relative(at.wrapping_sub(now) as i64),
            None => self.file.seek(SeekFrom::Start(at)).map(|_| ()),
        }
    }

    /// Reads from the file itself.
    fn read_file(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.go_to_in_file(self.at)?;
        let count = self.file.read(buffer)?;
        let end = self.at + count as u64;
        self.file_at = Some(end);
        // Only visit the changes in the range that was read: a lookup per byte would be too slow for strips.
        for (place, &byte) in self.changed.range(self.at..end) {
            buffer[(place - self.at) as usize] = byte;
        }
        Ok(count)
    }

    /// Reads from the piece of a strip at the current position, which is after everything else.
    fn read_strip(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let Some(mut strips) = self.strips.take() else {
            return Ok(0);
        };
        let count = self.read_strip_of(&mut strips, buffer);
        self.strips = Some(strips);
        count
    }

    fn read_strip_of(&mut self, strips: &mut PackedStrips, buffer: &mut [u8]) -> Result<usize> {
        let piece = self.at - self.end();
        let number = usize::try_from(piece / strips.pieces).unwrap_or(usize::MAX);
        let Some(&(from, length)) = strips.from.get(number) else {
            return Ok(0);
        };
        let start = piece % strips.pieces * strips.piece + self.inside;
        // A strip is only kept if reading it succeeds.
        let last = strips.last.take();
        let last = last.filter(|strip| strip.number == number && strip.at <= start);
        let read = last.as_ref().map_or(0, |strip| strip.read);
        self.go_to_in_file(from.saturating_add(read))?;
        let file: &mut dyn Source = self.file;
        let mut input = file.take(length - read);
        let mut strip = match last {
            Some(strip) => strip,
            None => strips.open(number, &mut input)?,
        };
        // Skip the bytes before the piece.
        let mut skipped = [0; 4096];
        while strip.at < start {
            let most = skipped.len().min((start - strip.at) as usize);
            if strip.read(&mut input, &mut skipped[..most])? == 0 {
                return Ok(0);
            }
        }
        let count = strip.read(&mut input, buffer)?;
        self.file_at = Some(from.saturating_add(strip.read));
        self.inside += count as u64;
        strips.last = Some(strip);
        Ok(count)
    }
}

impl Read for Patched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        // A read never crosses from one part to the next. It returns fewer bytes instead, and callers repeat it.
        let count = if self.at < self.length {
            let left = usize::try_from(self.length - self.at).unwrap_or(usize::MAX);
            let count = left.min(buffer.len());
            self.read_file(&mut buffer[..count])?
        } else if self.at < self.end() {
            let start = (self.at - self.length) as usize;
            copy(&self.behind[start..], buffer)
        } else if buffer.is_empty() {
            0
        } else {
            // The position stays that of the piece.
            return self.read_strip(buffer);
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
        self.go_to(at.ok_or_else(|| Error::other("a position before the start"))?);
        Ok(self.at)
    }
}

/// Copies as many bytes as fit, and returns their number.
fn copy(from: &[u8], to: &mut [u8]) -> usize {
    let count = from.len().min(to.len());
    to[..count].copy_from_slice(&from[..count]);
    count
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Cursor};

    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::{super::stream::Method, *};
    use lanternfell_heightmap::SeededRng;

    /// Compares a view with a changed copy of the same bytes, at random positions and lengths, with and without a
    /// buffered reader.
    #[test]
    fn view_matches_changed_copy() {
        let mut rng = SeededRng::new(3, b"patched ");
        for round in 0..60 {
            let length = 4 + rng.below(3000) as usize;
            let mut bytes: Vec<u8> = (0..length).map(|_| rng.below(256) as u8).collect();
            bytes[..4].copy_from_slice(b"II\x2a\0");
            let strips: Vec<Vec<u8>> = (0..rng.below(4))
                .map(|_| (0..50).map(|_| rng.below(5) as u8).collect())
                .collect();
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
            // Patches do not apply to compressed strips: those are read from the file unchanged.
            let packing = Packing::Stream(Method::Zstandard);
            view.follow_with(PackedStrips::new((from, 50), (5, 10), packing));
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
            // Each piece has an address. Reads continue after its end, in the same strip.
            for _ in 0..100 {
                let piece = rng.below(5 * strips.len().max(1) as u64) as usize;
                let rest = strips
                    .get(piece / 5)
                    .map_or(&[][..], |strip| &strip[piece % 5 * 10..]);
                let count = rng.below(rest.len() as u64 + 1) as usize;
                let mut found = vec![0; count];
                let at = (copy.len() + piece) as u64;
                assert_eq!(view.read_at(at, &mut found), Some(()), "{piece}, {count}");
                assert!(found == rest[..count], "round {round}: {piece}, {count}");
            }
            let end = (copy.len() + 5 * strips.len()) as u64;
            assert_eq!(view.read_at(end, &mut [0]), None);
        }
    }
}
