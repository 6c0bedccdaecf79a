//! ESRI ASCII grid (`.asc`): a header of names and numbers, then the heights as text.
//!
//! ```text
//! ncols 3
//! nrows 2
//! xllcorner 0        x of the west edge; xllcenter: x of the centers of the first column
//! yllcorner 0        y of the south edge
//! cellsize 1.5       meters, or the unit of the map; dx and dy if cells are not square
//! NODATA_value -9999 marks cells without a height; optional
//! 0.0 0.5 1.0
//! 0.25 0.5 0.75
//! ```
//!
//! Geographic information systems exchange elevation data in this format. Heights are written in meters. The format
//! cannot store a unit or a coordinate system, which need a sidecar. Without a `NODATA_value` every number is a height
//! here, including -9999, although Esri's programs take -9999 as no data
//! ([`ReadOptions::no_data`](crate::ReadOptions::no_data) names such a value).
//!
//! Numbers may have a decimal comma, as some programs write in European locales. Like GDAL, the reader accepts the word
//! `null`, which one program writes for cells without a height and as their `NODATA_value`.
//!
//! Each height is written with the fewest digits that give the same `f32` back, so the format is lossless. Numbers
//! always contain a decimal point or an exponent, because some readers choose an integer type if the first rows look
//! like integers. Cost: about ten bytes per cell.
//!
//! Source: Esri, *Esri ASCII raster format*, ArcGIS Desktop help; GDAL, `frmts/aaigrid/aaigriddataset.cpp`, and its
//! issue 5095 about `null`.

use std::{
    io::{SeekFrom, Write},
    str::FromStr,
};

use crate::{
    ElevationSource, ExportError, Fill, HEADER, ImportError, ReadOptions,
    cells::{self, Cells, Decoded, Source, unread},
    file_metadata::{FileMetadata, StoredFrame},
    stream,
    written::Written,
};
use lanternfell_heightmap::{
    Elevation, ElevationModel, GeoReference, MapSize, ParamError, Progress,
};

/// The header of an ASCII grid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AsciiHeader {
    /// The size of the map.
    pub size: MapSize,
    /// The southwest corner of the southwest cell, in the unit of the grid.
    pub corner: [f64; 2],
    /// The width and height of a cell in the unit of the grid, above 0.
    pub cell: [f64; 2],
    /// The no-data value.
    pub no_data: Option<f32>,
}

/// Writes a map as an ASCII grid, without its coordinate system, which the format cannot store.
pub(super) fn write(
    written: &Written<'_>,
    mut out: impl Write,
    progress: &Progress,
) -> Result<(), ExportError> {
    let (rows, place) = (&written.rows, written.frame.place);
    let ([west, south], [across, down]) = (place.corner, place.cell);
    write!(out, "ncols {}\nnrows {}\n", rows.width(), rows.height())?;
    write!(out, "xllcorner {west}\nyllcorner {south}\n")?;
    if across == down {
        writeln!(out, "cellsize {across}")?;
    } else {
        write!(out, "dx {across}\ndy {down}\n")?;
    }
    let no_data = written.frame.no_data.map(|number| number as f32);
    let is_free = |number: &f32| written.keeps_no_data || !rows.contain(*number);
    if let Some(number) = no_data.filter(|number| number.is_finite() && is_free(number)) {
        writeln!(out, "NODATA_value {number}")?;
    }
    let mut numbers = Vec::new();
    stream(rows.height(), &mut out, progress, |y, bytes| {
        for z in rows.row(y, &mut numbers) {
            // `{:?}` writes the fewest digits that give the same number back, and always a decimal point or an
            // exponent.
            write!(bytes, "{z:?} ").expect("writing to a Vec never fails");
        }
        // The line break replaces the last blank of the row.
        bytes.pop();
        bytes.push(b'\n');
    })
}

/// Returns the header of an ASCII grid from its first bytes. More bytes are allowed.
///
/// # Errors
/// The errors of [`read_ascii`] that concern the header.
pub fn ascii_header(bytes: &[u8]) -> Result<AsciiHeader, ImportError> {
    Ok(split(bytes)?.0)
}

/// Reads a map from an ASCII grid. The heights are meters.
///
/// `fill` defines how to fill no-data cells.
///
/// # Errors
/// - [`ImportError::Malformed`] when the bytes are not an ASCII grid, have more or fewer heights than cells, or a word
///   is not a number.
/// - [`ImportError::Size`] when the size is not one that a map can have.
/// - [`ImportError::Param`] when the cell size or the corner is outside its range.
/// - [`ImportError::Gap`] when a cell has no height and `fill` is `None`.
/// - [`ImportError::NotFinite`] when a height is NaN or exceeds the largest `f32`, and `fill` is `None`.
pub fn read_ascii(bytes: &[u8], fill: Option<Fill>) -> Result<ElevationModel, ImportError> {
    let options = ReadOptions {
        fill,
        ..ReadOptions::default()
    };
    Ok(cells::in_memory(bytes, decode, &options)?.model)
}

/// Decodes the heights, row by row, and the metadata.
pub(super) fn decode(
    file: &mut dyn Source,
    _: &ReadOptions,
    cells: &mut dyn Cells,
) -> Result<Decoded, ImportError> {
    let length = cells::length(file)?;
    let beginning = cells::beginning(file, HEADER)?;
    let (header, rest) = split(&beginning)?;
    let start = (beginning.len() - rest.len()) as u64;
    let size = header.size;
    // Each height takes at least a digit and a blank, except that the last needs no blank.
    if length - start < 2 * size.cells() as u64 - 1 {
        return Err(cut_off());
    }
    file.seek(SeekFrom::Start(start)).map_err(unread)?;
    if cells.wants_heights() {
        cells.begin(size, None)?;
        put_heights(file, &header, cells)?;
    }
    let metadata = FileMetadata {
        elevation: Some(Elevation::METERS),
        source: Some(ElevationSource::Format),
        no_data: header.no_data.map(f64::from),
        place: Some(GeoReference {
            cell: header.cell,
            ..GeoReference::at(header.corner, 1.0)
        }),
        ..FileMetadata::default()
    };
    Ok(Decoded {
        size,
        frame: StoredFrame::Parts(metadata),
        gap: header.no_data,
        largest: None,
    })
}

fn put_heights(
    file: &mut dyn Source,
    header: &AsciiHeader,
    cells: &mut dyn Cells,
) -> Result<(), ImportError> {
    let size = header.size;
    // Without a no-data value, `null` is a gap like NaN.
    let null = header.no_data.unwrap_or(f32::NAN);
    let (mut word, mut heights) = (Vec::new(), Vec::with_capacity(size.width()));
    for row in 0..size.height() {
        heights.clear();
        for column in 0..size.width() {
            if !next_word(file, &mut word)? {
                return Err(cut_off());
            }
            let height = if word == NULL {
                Some(null)
            } else {
                number(&word).filter(|_| word.len() < LONGEST_WORD)
            };
            heights.push(height.ok_or_else(|| {
                malformed(format_args!(
                    "the grid's height in column {column}, row {row} is not a number"
                ))
            })?);
        }
        let first = row * size.width();
        cells.put(first, size.width(), &mut |row| {
            row.copy_from_slice(&heights);
        })?;
    }
    if next_word(file, &mut word)? {
        return Err(malformed("the grid has more heights than cells"));
    }
    Ok(())
}

/// The maximum length of a word in bytes. Numbers are shorter, and the rest of a longer word is discarded.
const LONGEST_WORD: usize = 1 << 12;

/// Reads the next word between blanks. Returns whether there is one.
fn next_word(file: &mut dyn Source, word: &mut Vec<u8>) -> Result<bool, ImportError> {
    word.clear();
    loop {
        let bytes = file.fill_buf().map_err(unread)?;
        let skipped = if word.is_empty() {
            let blanks = bytes.iter().take_while(|byte| byte.is_ascii_whitespace());
            blanks.count()
        } else {
            0
        };
        let rest = &bytes[skipped..];
        let end = rest.iter().position(u8::is_ascii_whitespace);
        let part = &rest[..end.unwrap_or(rest.len())];
        let room = LONGEST_WORD.saturating_sub(word.len());
        word.extend_from_slice(&part[..part.len().min(room)]);
        let (passed, is_end) = (skipped + part.len(), bytes.is_empty());
        file.consume(passed);
        if is_end || (end.is_some() && !word.is_empty()) {
            return Ok(!word.is_empty());
        }
    }
}

fn cut_off() -> ImportError {
    malformed("the grid is truncated: it has fewer heights than cells")
}

/// Returns whether these are the first bytes of an ASCII grid.
pub(super) fn is_ascii_grid(bytes: &[u8]) -> bool {
    words(bytes)
        .next()
        .is_some_and(|word| Key::of(word).is_some())
}

/// A name in the header.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Columns,
    Rows,
    XCorner,
    XCenter,
    YCorner,
    YCenter,
    CellSize,
    CellWidth,
    CellHeight,
    NoData,
}

impl Key {
    const ALL: [(&'static str, Self); 10] = [
        ("ncols", Self::Columns),
        ("nrows", Self::Rows),
        ("xllcorner", Self::XCorner),
        ("xllcenter", Self::XCenter),
        ("yllcorner", Self::YCorner),
        ("yllcenter", Self::YCenter),
        ("cellsize", Self::CellSize),
        ("dx", Self::CellWidth),
        ("dy", Self::CellHeight),
        ("nodata_value", Self::NoData),
    ];

    /// Returns the key with this name, in upper or lower case.
    fn of(word: &[u8]) -> Option<Self> {
        // Some programs leave out `_value`.
        let word = if word.eq_ignore_ascii_case(b"nodata") {
            b"nodata_value"
        } else {
            word
        };
        let named = |(name, _): &&(&str, Self)| word.eq_ignore_ascii_case(name.as_bytes());
        Self::ALL.iter().find(named).map(|&(_, key)| key)
    }
}

/// Returns the header, and the bytes after it.
fn split(bytes: &[u8]) -> Result<(AsciiHeader, &[u8]), ImportError> {
    if !is_ascii_grid(bytes) {
        return Err(malformed("this is not an ASCII grid"));
    }
    let mut found: [Option<&[u8]>; Key::ALL.len()] = [None; _];
    let mut rest = bytes;
    loop {
        let (word, after) = first_word(rest);
        let Some(key) = Key::of(word) else {
            // The header ends at the first word that is not a name.
            if word.first().is_some_and(u8::is_ascii_alphabetic)
                && word != NULL
                && number::<f32>(word).is_none()
            {
                let word = String::from_utf8_lossy(&word[..word.len().min(20)]);
                return Err(malformed(format_args!(
                    "unknown name `{word}` in the header of the grid"
                )));
            }
            break;
        };
        let (value, after) = first_word(after);
        // Without a following byte, the number could be truncated.
        if after.is_empty() {
            return Err(malformed("the header of the grid is incomplete"));
        }
        if found[key as usize].replace(value).is_some() {
            return Err(malformed("the header of the grid contains a name twice"));
        }
        rest = after;
    }
    Ok((header(&found)?, rest))
}

/// Builds the header from the values of its keys.
fn header(found: &[Option<&[u8]>; Key::ALL.len()]) -> Result<AsciiHeader, ImportError> {
    fn value<T: FromStr>(
        found: &[Option<&[u8]>; Key::ALL.len()],
        key: Key,
    ) -> Result<Option<T>, ImportError> {
        let name = Key::ALL[key as usize].0;
        let Some(word) = found[key as usize] else {
            return Ok(None);
        };
        let wrong = || {
            malformed(format_args!(
                "the value of {name} in the header of the grid is not a valid number"
            ))
        };
        number(word).map(Some).ok_or_else(wrong)
    }
    let needed = |key: Key| malformed(format_args!("the grid has no {}", Key::ALL[key as usize].0));
    let side = |key| value::<u64>(found, key)?.ok_or_else(|| needed(key));
    let size = MapSize::new(side(Key::Columns)?, side(Key::Rows)?)?;
    let cell = |own: Key| -> Result<f64, ImportError> {
        let key = if found[own as usize].is_some() {
            own
        } else {
            Key::CellSize
        };
        let cell: f64 = value(found, key)?.ok_or_else(|| needed(key))?;
        let fine = cell > 0.0 && cell.is_finite();
        ParamError::check(fine, "grid", Key::ALL[key as usize].0, cell, "above 0")?;
        Ok(cell)
    };
    let cell = [cell(Key::CellWidth)?, cell(Key::CellHeight)?];
    let corner = |corner, center, cell: f64| -> Result<f64, ImportError> {
        let place = match value::<f64>(found, corner)? {
            Some(place) => place,
            None => value(found, center)?.map_or(0.0, |middle: f64| middle - cell / 2.0),
        };
        let name = Key::ALL[corner as usize].0;
        ParamError::check(place.is_finite(), "grid", name, place, "finite")?;
        Ok(place)
    };
    Ok(AsciiHeader {
        size,
        corner: [
            corner(Key::XCorner, Key::XCenter, cell[0])?,
            corner(Key::YCorner, Key::YCenter, cell[1])?,
        ],
        cell,
        no_data: match found[Key::NoData as usize] {
            Some(NULL) => Some(NULL_HEIGHT),
            _ => value(found, Key::NoData)?,
        },
    })
}

/// Returns the words between blanks.
fn words(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let parts = bytes.split(u8::is_ascii_whitespace);
    parts.filter(|word| !word.is_empty())
}

/// Returns the first word, and the bytes after it.
fn first_word(bytes: &[u8]) -> (&[u8], &[u8]) {
    let bytes = bytes.trim_ascii_start();
    let end = bytes.iter().position(u8::is_ascii_whitespace);
    bytes.split_at(end.unwrap_or(bytes.len()))
}

/// Parses a number, with a decimal point or a decimal comma.
fn number<T: FromStr>(word: &[u8]) -> Option<T> {
    let text = str::from_utf8(word).ok()?;
    if !text.contains(',') {
        return text.parse().ok();
    }
    text.replace(',', ".").parse().ok()
}

/// The word for no height.
const NULL: &[u8] = b"null";

/// The no-data value of a header with the word `null`, as in GDAL.
const NULL_HEIGHT: f32 = f32::MIN;

fn malformed(what: impl std::fmt::Display) -> ImportError {
    ImportError::malformed(what)
}
