//! PGM, the portable graymap: a few words of header, then gray values.
//!
//! ```text
//! P5                  P2
//! # 3 cells, 2 rows   3 2
//! 3 2                 100
//! 65535               0 50 100
//! (12 bytes)          100 50 0
//! ```
//!
//! `P5` is followed by bytes, two per value and the most significant first where the
//! largest value is above 255; `P2` by numbers as text. Written is `P5` with 255 or 65535,
//! read are both with any largest value: it is height 1.
//!
//! Source: Poskanzer, *pgm*, the Netpbm manual, 1989 to 2016.

use std::io::Write;

use super::{ExportError, ImportError, PngDepth, numbers::Rows, stream};
use crate::{Heightmap, MapSize, Progress};

/// Writes `map` as a binary graymap (`P5`); 0 is height 0, the largest value height 1.
///
/// # Errors
/// [`ExportError::Height`] when a height is outside 0 to 1, [`ExportError::Cancelled`]
/// when the work was cancelled.
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

/// The size of a PGM, from its first bytes; more may follow.
///
/// # Errors
/// [`ImportError::Malformed`] when the bytes do not begin a PGM or end within its header,
/// [`ImportError::Size`] when a map can not be that large or small.
pub fn pgm_size(header: &[u8]) -> Result<MapSize, ImportError> {
    Ok(Header::parse(header)?.size)
}

/// Reads a heightmap from a PGM: 0 is height 0, the file's largest value height 1.
///
/// # Errors
/// [`ImportError::Malformed`] when the bytes are no PGM or a value is above the largest,
/// [`ImportError::Size`] when a map can not be that large or small, and
/// [`ImportError::Length`] when there are more or fewer values than cells.
pub fn read_pgm(bytes: &[u8]) -> Result<Heightmap, ImportError> {
    let header = Header::parse(bytes)?;
    let cells = header.size.cells();
    let values = &bytes[header.length..];
    let expected = match (header.text, header.most) {
        // The shortest text: a digit and a blank each, without the last blank.
        (true, _) => 2 * cells - 1,
        (false, ..=255) => cells,
        (false, _) => 2 * cells,
    };
    let fits = values.len() == expected || header.text && values.len() > expected;
    if !fits {
        let (expected, found) = (expected as u64, values.len() as u64);
        return Err(ImportError::Length { expected, found });
    }
    let heights = match (header.text, header.most) {
        (true, _) => header.text_heights(values)?,
        (false, ..=255) => header.heights(values.iter().map(|&byte| u16::from(byte)))?,
        (false, _) => {
            let pairs = values.as_chunks().0;
            header.heights(pairs.iter().map(|&pair| u16::from_be_bytes(pair)))?
        }
    };
    Ok(Heightmap::from_heights(header.size, heights).expect("whole numbers are finite"))
}

/// What a PGM says before its values.
struct Header {
    text: bool,
    size: MapSize,
    /// The largest value, from 1 to 65535.
    most: u16,
    /// Bytes up to the first value.
    length: usize,
}

impl Header {
    fn parse(bytes: &[u8]) -> Result<Self, ImportError> {
        let text = match bytes {
            [b'P', b'5', ..] => false,
            [b'P', b'2', ..] => true,
            _ => return Err(malformed("this is not a PGM")),
        };
        let mut words = PgmWords { bytes, at: 2 };
        let mut number = || match words.number() {
            // A blank must be seen: a number cut off is another number.
            Some(number) if words.peek().is_some_and(is_blank) => Ok(number),
            _ => Err(malformed("the PGM is damaged: its header is not whole")),
        };
        let size = MapSize::new(number()?, number()?)?;
        let most = number()?;
        let most = u16::try_from(most).ok().filter(|&most| most > 0);
        let most = most.ok_or_else(|| malformed("the PGM's largest value is not 1 to 65535"))?;
        // One blank, and no more, is between the header and the bytes.
        let length = words.at + 1;
        Ok(Self {
            text,
            size,
            most,
            length,
        })
    }

    /// The heights of these values, of which there are enough.
    fn heights(&self, values: impl Iterator<Item = u16>) -> Result<Vec<f32>, ImportError> {
        let mut heights = Vec::with_capacity(self.size.cells());
        let most = f32::from(self.most);
        for (cell, value) in values.enumerate() {
            if value > self.most {
                return Err(self.wrong(cell, "is above the largest"));
            }
            heights.push(f32::from(value) / most);
        }
        Ok(heights)
    }

    fn text_heights(&self, values: &[u8]) -> Result<Vec<f32>, ImportError> {
        let mut heights = Vec::with_capacity(self.size.cells());
        let most = f32::from(self.most);
        let mut words = PgmWords {
            bytes: values,
            at: 0,
        };
        for cell in 0..self.size.cells() {
            let value = words.number().filter(|_| words.next_is_blank());
            let value = value.ok_or_else(|| self.wrong(cell, "is no number"))?;
            let fits = u16::try_from(value).ok().filter(|&v| v <= self.most);
            let value = fits.ok_or_else(|| self.wrong(cell, "is above the largest"))?;
            heights.push(f32::from(value) / most);
        }
        words.skip_blanks();
        if words.at < values.len() {
            return Err(malformed("the PGM has more values than cells"));
        }
        Ok(heights)
    }

    fn wrong(&self, cell: usize, what: &str) -> ImportError {
        let (column, row) = (cell % self.size.width(), cell / self.size.width());
        malformed(format!(
            "the PGM's value in column {column}, row {row} {what}"
        ))
    }
}

/// Numbers between blanks and comments, from some byte on.
struct PgmWords<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl PgmWords<'_> {
    /// The next number; `None` when something else or nothing is next, or it is too long.
    fn number(&mut self) -> Option<u64> {
        self.skip_blanks();
        let mut number = None;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            let tens = u64::checked_mul(number.unwrap_or(0), 10)?;
            number = Some(tens.checked_add(u64::from(digit - b'0'))?);
            self.at += 1;
        }
        number
    }

    fn skip_blanks(&mut self) {
        while let Some(byte) = self.peek() {
            if byte == b'#' {
                let rest = self.bytes[self.at..].iter();
                self.at += rest.take_while(|&&byte| byte != b'\n').count();
            } else if is_blank(byte) {
                self.at += 1;
            } else {
                break;
            }
        }
    }

    /// Whether a number that was just read ends here, and is not the start of another word.
    fn next_is_blank(&self) -> bool {
        self.peek().is_none_or(is_blank)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'\x0b'
}

fn malformed(what: impl Into<String>) -> ImportError {
    ImportError::Malformed(what.into())
}
