//! The lines of an XYZ file.

use super::malformed;
use crate::{
    ImportError,
    cells::{Source, unread},
};

/// The maximum length of a line in bytes.
const LONGEST_LINE: usize = 1 << 12;

/// The center of a cell and its height.
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) z: f32,
}

/// The points of a file, line by line.
pub(super) struct Lines<'a> {
    file: &'a mut dyn Source,
    line: Vec<u8>,
    /// The number of the current line, from 1.
    number: u64,
    /// The columns of x, y and z. They are known after the first line with content.
    columns: Option<[usize; 3]>,
}

impl<'a> Lines<'a> {
    pub(super) fn of(file: &'a mut dyn Source) -> Self {
        Self {
            file,
            line: Vec::new(),
            number: 0,
            columns: None,
        }
    }

    /// Returns the next point, or `None` after the last one.
    pub(super) fn next(&mut self) -> Result<Option<Point>, ImportError> {
        while self.next_line()? {
            // Some programs write a byte order mark first.
            let line = self
                .line
                .strip_prefix(b"\xef\xbb\xbf")
                .unwrap_or(&self.line);
            let Some(word) = words(line).next().filter(|word| word[0] != b'#') else {
                continue;
            };
            if self.columns.is_none() {
                let is_number = number::<f64>(word).is_some();
                let columns = if is_number {
                    Some([0, 1, 2])
                } else {
                    named(line)
                };
                self.columns = Some(columns.ok_or_else(|| {
                    malformed("this is not an XYZ file: it starts neither with numbers nor with names like x, y, z")
                })?);
                if !is_number {
                    continue;
                }
            }
            return self.point(line).map(Some);
        }
        Ok(None)
    }

    fn point(&self, line: &[u8]) -> Result<Point, ImportError> {
        let [x, y, z] = self.columns.unwrap_or([0, 1, 2]);
        let wrong = |what: std::fmt::Arguments<'_>| {
            malformed(format_args!("line {} of the XYZ file {what}", self.number))
        };
        let word = |column| {
            let word = words(line).nth(column);
            word.ok_or_else(|| wrong(format_args!("has no column {}", column + 1)))
        };
        let not_a_number = |word: &[u8]| {
            let word = String::from_utf8_lossy(&word[..word.len().min(20)]);
            wrong(format_args!(
                "contains `{}`, which is not a number",
                word.escape_debug()
            ))
        };
        let coordinate = |column| {
            let word = word(column)?;
            let number = number::<f64>(word).filter(|number| number.is_finite());
            // Adding 0 removes the sign of -0, so that both are the same column.
            number
                .map(|number| number + 0.0)
                .ok_or_else(|| not_a_number(word))
        };
        let height = word(z)?;
        Ok(Point {
            x: coordinate(x)?,
            y: coordinate(y)?,
            z: number(height).ok_or_else(|| not_a_number(height))?,
        })
    }

    /// Reads the next line. Returns whether there is one.
    fn next_line(&mut self) -> Result<bool, ImportError> {
        self.line.clear();
        self.number += 1;
        let mut is_first = true;
        loop {
            let bytes = self.file.fill_buf().map_err(unread)?;
            if bytes.is_empty() {
                return Ok(!is_first);
            }
            is_first = false;
            let end = bytes.iter().position(|&byte| byte == b'\n');
            let part = &bytes[..end.unwrap_or(bytes.len())];
            if self.line.len() + part.len() > LONGEST_LINE {
                return Err(malformed(format_args!(
                    "line {} of the XYZ file is longer than {LONGEST_LINE} bytes",
                    self.number
                )));
            }
            self.line.extend_from_slice(part);
            let passed = part.len() + usize::from(end.is_some());
            self.file.consume(passed);
            if end.is_some() {
                return Ok(true);
            }
        }
    }
}

/// Returns the columns of x, y and z if the line contains their names.
fn named(line: &[u8]) -> Option<[usize; 3]> {
    const NAMES: [&[&str]; 3] = [
        &["x", "east", "easting", "lon", "longitude"],
        &["y", "north", "northing", "lat", "latitude"],
        &["z", "alt", "altitude", "elevation", "height"],
    ];
    let column = |names: &[&str]| {
        words(line).position(|word| {
            let word = word.trim_ascii();
            names
                .iter()
                .any(|name| word.eq_ignore_ascii_case(name.as_bytes()))
        })
    };
    let [x, y, z] = NAMES.map(column);
    Some([x?, y?, z?])
}

/// Returns the words between separators.
fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_separator = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b';');
    line.split(is_separator).filter(|word| !word.is_empty())
}

fn number<T: std::str::FromStr>(word: &[u8]) -> Option<T> {
    str::from_utf8(word).ok()?.parse().ok()
}
