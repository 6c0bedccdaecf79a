//! PGM, the portable graymap: a short text header, then gray values.
//!
//! ```text
//! P5                  P2
//! # 3 cells, 2 rows   3 2
//! 3 2                 100
//! 65535               0 50 100
//! (12 bytes)          100 50 0
//! ```
//!
//! `P5` stores binary values: one byte each, or two bytes with the most significant first if the largest value exceeds
//! 255. `P2` stores numbers as text. This crate writes `P5` with the largest value 255 or 65535. It reads both kinds
//! with any largest value, which becomes height 1.
//!
//! Source: Poskanzer, *pgm*, the Netpbm manual, 1989 to 2016.

use std::io::{BufRead, SeekFrom, Write};

use crate::{
    ExportError, HEADER, ImportError, PngDepth, ReadOptions,
    cells::{self, Cells, Decoded, Source, unread},
    file_metadata::{FileMetadata, StoredFrame},
    numbers::Rows,
    stream,
};
use lanternfell_heightmap::{Heightmap, MapSize, Progress};

/// Writes `map` as a binary graymap (`P5`). 0 is height 0, the largest value is height 1.
///
/// # Errors
/// [`ExportError::Height`] when a height is outside 0 to 1, [`ExportError::Canceled`] when the operation was canceled.
pub fn write_pgm(
    map: &Heightmap,
    depth: PngDepth,
    out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    write(&Rows::plain(map), depth, out, progress)
}

/// Writes numbers from 0 to 1.
pub(super) fn write(
    rows: &Rows<'_>,
    depth: PngDepth,
    mut out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    rows.check_whole(progress)?;
    let most = match depth {
        PngDepth::Eight => 255,
        PngDepth::Sixteen => 65_535,
    };
    writeln!(out, "P5\n{} {}\n{most}", rows.width(), rows.height())?;
    let format = depth.numbers();
    let mut numbers = Vec::new();
    stream(rows.height(), &mut out, progress, |y, bytes| {
        format.push_row(rows.row(y, &mut numbers), bytes);
    })
}

/// Returns the size of a PGM from its first bytes. More bytes are allowed.
///
/// # Errors
/// [`ImportError::Malformed`] when the bytes are not the start of a PGM or end within its header, [`ImportError::Size`]
/// when the size is not one that a map can have.
pub fn pgm_size(header: &[u8]) -> Result<MapSize, ImportError> {
    Ok(Header::parse(header)?.size)
}

/// Reads a heightmap from a PGM. 0 is height 0, the file's largest value is height 1.
///
/// # Errors
/// - [`ImportError::Malformed`] when the bytes are not a PGM or a value exceeds the largest value.
/// - [`ImportError::Size`] when the size is not one that a map can have.
/// - [`ImportError::Length`] when there are more or fewer values than cells.
pub fn read_pgm(bytes: &[u8]) -> Result<Heightmap, ImportError> {
    let map = cells::in_memory(bytes, decode, &ReadOptions::default())?;
    Ok(map.model.heights)
}

/// Decodes the heights, row by row.
pub(super) fn decode(
    file: &mut dyn Source,
    _: &ReadOptions,
    cells: &mut dyn Cells,
) -> Result<Decoded, ImportError> {
    let length = cells::length(file)?;
    let header = Header::parse(&cells::beginning(file, HEADER)?)?;
    let size = header.size;
    file.seek(SeekFrom::Start(header.length as u64))
        .map_err(unread)?;
    // `parse` has checked that a blank ends the header, so this does not underflow.
    let found = length - header.length as u64;
    let count = size.cells() as u64;
    let expected = match (header.text, header.most) {
        // The shortest text has a digit and a blank per value, without the last blank.
        (true, _) => 2 * count - 1,
        (false, ..=255) => count,
        (false, _) => 2 * count,
    };
    let fits = found == expected || header.text && found > expected;
    if !fits {
        return Err(ImportError::Length { expected, found });
    }
    cells.begin(size, None)?;
    match (header.text, header.most) {
        (true, _) => header.put_text(file, cells)?,
        (false, ..=255) => header.put_bytes(file, cells, |[byte]| u16::from(byte))?,
        (false, _) => header.put_bytes(file, cells, u16::from_be_bytes)?,
    }
    Ok(Decoded {
        size,
        frame: StoredFrame::Parts(FileMetadata::default()),
        gap: None,
        largest: Some(header.most.into()),
    })
}

/// The header of a PGM.
struct Header {
    text: bool,
    size: MapSize,
    /// The largest value, from 1 to 65535.
    most: u16,
    /// The number of bytes before the first value.
    length: usize,
}

impl Header {
    fn parse(bytes: &[u8]) -> Result<Self, ImportError> {
        let text = match bytes {
            [b'P', b'5', ..] => false,
            [b'P', b'2', ..] => true,
            _ => return Err(malformed("this is not a PGM")),
        };
        let mut words = PgmWords {
            bytes: &mut &bytes[2..],
            at: 2,
        };
        let mut number = || match words.number() {
            // A blank must follow: a truncated number would be a different number.
            Some(number) if words.peek().is_some_and(is_blank) => Ok(number),
            _ => Err(malformed("the PGM is damaged: its header is incomplete")),
        };
        let size = MapSize::new(number()?, number()?)?;
        let most = number()?;
        let most = u16::try_from(most).ok().filter(|&most| most > 0);
        let most =
            most.ok_or_else(|| malformed("the PGM's largest value must be from 1 to 65535"))?;
        // Exactly one blank separates the header from binary values.
        let length = words.at + 1;
        Ok(Self {
            text,
            size,
            most,
            length,
        })
    }

    /// Decodes binary values of `N` bytes.
    fn put_bytes<const N: usize>(
        &self,
        file: &mut dyn Source,
        cells: &mut dyn Cells,
        value: impl Fn([u8; N]) -> u16,
    ) -> Result<(), ImportError> {
        let width = self.size.width();
        let mut bytes = vec![0; N * width];
        for y in 0..self.size.height() {
            file.read_exact(&mut bytes).map_err(unread)?;
            let values = bytes.as_chunks().0.iter().map(|&bytes| value(bytes));
            if let Some(x) = values.clone().position(|value| value > self.most) {
                return Err(self.wrong(y * width + x, "exceeds the largest value"));
            }
            let mut numbers = values.map(f32::from);
            cells.put(y * width, width, &mut |row| {
                row.iter_mut()
                    .zip(&mut numbers)
                    .for_each(|(z, number)| *z = number);
            })?;
        }
        Ok(())
    }

    /// Decodes values as text.
    fn put_text(
        &self,
        mut file: &mut dyn Source,
        cells: &mut dyn Cells,
    ) -> Result<(), ImportError> {
        let width = self.size.width();
        let mut words = PgmWords {
            bytes: &mut file,
            at: 0,
        };
        let mut numbers: Vec<f32> = Vec::with_capacity(width);
        for y in 0..self.size.height() {
            numbers.clear();
            for x in 0..width {
                let cell = y * width + x;
                let value = words.number().filter(|_| words.next_is_blank());
                let value = value.ok_or_else(|| self.wrong(cell, "is not a number"))?;
                let fits = u16::try_from(value).ok().filter(|&v| v <= self.most);
                let value = fits.ok_or_else(|| self.wrong(cell, "exceeds the largest value"))?;
                numbers.push(value.into());
            }
            cells.put(y * width, width, &mut |row| row.copy_from_slice(&numbers))?;
        }
        words.skip_blanks();
        if words.peek().is_some() {
            return Err(malformed("the PGM has more values than cells"));
        }
        Ok(())
    }

    fn wrong(&self, cell: usize, what: &str) -> ImportError {
        let (column, row) = (cell % self.size.width(), cell / self.size.width());
        malformed(format!(
            "the PGM's value in column {column}, row {row} {what}"
        ))
    }
}

/// Reads numbers that are separated by blanks and comments.
struct PgmWords<'a> {
    bytes: &'a mut dyn BufRead,
    /// The number of bytes consumed.
    at: usize,
}

impl PgmWords<'_> {
    /// Reads the next number. Returns `None` if the next word is not a number or overflows.
    fn number(&mut self) -> Option<u64> {
        self.skip_blanks();
        let mut number = None;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            let tens = u64::checked_mul(number.unwrap_or(0), 10)?;
            number = Some(tens.checked_add(u64::from(digit - b'0'))?);
            self.pass();
        }
        number
    }

    fn skip_blanks(&mut self) {
        let mut is_comment = false;
        while let Some(byte) = self.peek() {
            is_comment = (is_comment || byte == b'#') && byte != b'\n';
            if !is_comment && !is_blank(byte) {
                break;
            }
            self.pass();
        }
    }

    /// Returns whether the word that was just read ends here.
    fn next_is_blank(&mut self) -> bool {
        self.peek().is_none_or(is_blank)
    }

    /// Returns the next byte, or `None` at the end or after a read error.
    fn peek(&mut self) -> Option<u8> {
        self.bytes.fill_buf().ok()?.first().copied()
    }

    fn pass(&mut self) {
        self.bytes.consume(1);
        self.at += 1;
    }
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'\x0b'
}

fn malformed(what: impl Into<String>) -> ImportError {
    ImportError::Malformed(what.into())
}
