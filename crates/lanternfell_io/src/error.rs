//! Errors of reading and writing maps.

use lanternfell_heightmap::{Canceled, ParamError, SizeError};
use thiserror::Error;

use crate::{Format, PngEncoding};

/// The error of writing a map.
#[derive(Debug, Error)]
pub enum ExportError {
    /// A height outside 0 to 1, in an integer format.
    #[error(
        "the height in column {column}, row {row} is {height}, but integer formats hold \
         heights from 0 to 1: normalize the map or write f32"
    )]
    Height {
        /// The cell's column, from 0 in the west.
        column: usize,
        /// The cell's row, from 0 in the north.
        row: usize,
        /// The cell's height.
        height: f32,
    },
    /// A height outside [`WriteOptions::range`](crate::WriteOptions::range).
    #[error(
        "the height in column {column}, row {row} is {height} m, outside of the range from {low} to {high} m: widen the \
         range or clamp the heights to it"
    )]
    Range {
        /// The cell's column, from 0 in the west.
        column: usize,
        /// The cell's row, from 0 in the north.
        row: usize,
        /// The cell's height in meters.
        height: f32,
        /// The low end of the range in meters.
        low: f64,
        /// The high end of the range in meters.
        high: f64,
    },
    /// A height in meters that the numbers of a format cannot hold.
    #[error(
        "the height in column {column}, row {row} is {height} m, but {holder} holds heights from \
         {lowest} to {highest} m: write a format that stores f32, such as TIFF or .r32"
    )]
    Meters {
        /// The cell's column, from 0 in the west.
        column: usize,
        /// The cell's row, from 0 in the north.
        row: usize,
        /// The cell's height in meters.
        height: f32,
        /// The kind of number or the encoding.
        holder: &'static str,
        /// The lowest height that it holds.
        lowest: f32,
        /// The highest height that it holds.
        highest: f32,
    },
    /// An option is outside its range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The map is too high for a mesh: its coordinates would overflow.
    #[error(
        "the map is {found:e} {unit} high, but a mesh allows at most {most:e}: normalize the map"
    )]
    TooHigh {
        /// The height or depth of the map, in `unit`.
        found: f64,
        /// The largest height that can be written, in `unit`.
        most: f64,
        /// The unit of `found` and `most`, for instance `meters`.
        unit: &'static str,
    },
    /// The cells are not square, but an STL needs square cells.
    #[error(
        "{format} needs square cells, but these are {east:.3} m by {south:.3} m: resize the map to \
         {width}x{height} first"
    )]
    NotSquare {
        /// The format.
        format: Format,
        /// Meters between neighboring columns, in the middle of the map.
        east: f64,
        /// Meters between neighboring rows.
        south: f64,
        /// Columns of a map of the same area with square cells.
        width: u64,
        /// Rows of a map of the same area with square cells.
        height: u64,
    },
    /// The file would be larger than its format allows.
    #[error(
        "the {format} file would have {bytes} bytes, but at most {most} are allowed: write fewer \
         cells with a larger step"
    )]
    TooLarge {
        /// The format.
        format: Format,
        /// The size that the file would have, in bytes.
        bytes: u64,
        /// The largest size that the format allows, in bytes.
        most: u64,
    },
    /// The format can be read but not written.
    #[error("{0} can be read but not written")]
    NotWritten(Format),
    /// The format is not a mesh format.
    #[error("{0} is not a mesh format")]
    NotMesh(Format),
    /// The format needs a feature that is disabled in this build.
    #[error("this build does not support {0}")]
    LeftOut(Format),
    /// The bytes could not be written.
    #[error(transparent)]
    Write(#[from] std::io::Error),
    /// The operation was canceled.
    #[error(transparent)]
    Canceled(#[from] Canceled),
}

/// The error of reading a map.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The file has a size that a map cannot have.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The data is longer or shorter than a map of this size and format.
    #[error("the file has {found} bytes, but a map of this size and format has {expected} bytes")]
    Length {
        /// The number of bytes that the size and the format require.
        expected: u64,
        /// The number of bytes found.
        found: u64,
    },
    /// A height is NaN or infinite.
    #[error("the height in column {column}, row {row} is {height}, not a finite number")]
    NotFinite {
        /// The cell's column, from 0 in the west.
        column: usize,
        /// The cell's row, from 0 in the north.
        row: usize,
        /// The value found, NaN or infinite.
        height: f32,
    },
    /// A cell has no height, and [`ReadOptions::fill`](crate::ReadOptions::fill) is `None`.
    #[error("the cell in column {column}, row {row} has no height: choose what to fill gaps with")]
    Gap {
        /// The cell's column, from 0 in the west.
        column: usize,
        /// The cell's row, from 0 in the north.
        row: usize,
    },
    /// The data is damaged, is not of this format, or uses an unsupported variant of it.
    #[error("{0}")]
    Malformed(String),
    /// A pixel is not gray, so the image is not a heightmap.
    #[error("the pixel in column {column}, row {row} is not gray: a heightmap has no colors")]
    Colored {
        /// The pixel's column, from 0 at the left.
        column: usize,
        /// The pixel's row, from 0 at the top.
        row: usize,
    },
    /// The file contains several maps, and the [`ReadOptions`](crate::ReadOptions) select none of them.
    #[error("the file has {found}: select one with `{option}`")]
    Several {
        /// The option that selects one of them: `band`, `channel` or `part`.
        option: &'static str,
        /// What the file has, for instance `3 bands`.
        found: String,
    },
    /// The [`ReadOptions`](crate::ReadOptions) select a band, channel or part that the file does not have.
    #[error("{option} is {value}, but the file has {found}")]
    NotThere {
        /// The option: `band`, `channel` or `part`.
        option: &'static str,
        /// Its value.
        value: String,
        /// What the file has, for instance `3 bands`.
        found: String,
    },
    /// The pixels are not gray, but look like heights in this encoding. Set
    /// [`ReadOptions::encoding`](crate::ReadOptions::encoding) to read them.
    #[error("the image is not gray, but looks like heights in the {encoding} encoding")]
    Encoded {
        /// The encoding.
        encoding: PngEncoding,
    },
    /// A number in the file's metadata is outside its range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// RAW stores no size, and [`ReadOptions::size`](crate::ReadOptions::size) is `None`.
    #[error("RAW has no header: the size of the map must be given")]
    NoSize,
    /// The map needs its header file, which [`BilHeader`](crate::BilHeader) reads.
    #[error("a .bil or .flt file has no header: read its .hdr file with `BilHeader`")]
    NoHeader,
    /// The format can be written but not read.
    #[error("{0} can be written but not read")]
    NotRead(Format),
    /// The format needs a feature that is disabled in this build.
    #[error("this build does not support {0}")]
    LeftOut(Format),
}

impl ImportError {
    /// Returns a [`Malformed`](Self::Malformed) error with the message on one line: the messages of some decoders have
    /// several.
    pub(crate) fn malformed(what: impl std::fmt::Display) -> Self {
        let what = what.to_string();
        let words: Vec<&str> = what.split_whitespace().collect();
        Self::Malformed(words.join(" "))
    }
}

/// Describes an error of reading a file. The standard library's words for a file that ends too early describe a buffer.
pub(crate) fn read_words(error: &std::io::Error) -> String {
    if error.kind() == std::io::ErrorKind::UnexpectedEof {
        "the file ends too early".to_owned()
    } else {
        error.to_string()
    }
}
