//! Why a map was not written or read.

use lanternfell_heightmap::{Cancelled, ParamError, SizeError};
use thiserror::Error;

use crate::Format;

/// Why a map was not written.
#[derive(Debug, Error)]
pub enum ExportError {
    /// Whole numbers can not hold a height outside 0 to 1.
    #[error(
        "the height in column {column}, row {row} is {height}, but whole numbers hold \
         heights from 0 to 1: normalize the map, or write f32"
    )]
    Height {
        /// The cell's column, from 0 in the west.
        column: usize,
        /// The cell's row, from 0 in the north.
        row: usize,
        /// Its height.
        height: f32,
    },
    /// A setting is outside its range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// A mesh can not be that high: its coordinates would be no numbers.
    #[error("the map is {found:e} {unit} high, but a mesh at most {most:e}: normalize the map")]
    TooHigh {
        /// How high, or deep, it is.
        found: f64,
        /// How much would have been written.
        most: f64,
        /// What that is counted in, for instance `metres`.
        unit: &'static str,
    },
    /// A mesh has square cells, all alike.
    #[error(
        "{format} has square cells, and these are {east:.3} m by {south:.3} m: resize the map to \
         {width}x{height} first"
    )]
    NotSquare {
        /// The format.
        format: Format,
        /// Metres from cell to cell to the east, in the middle of the map.
        east: f64,
        /// Metres from cell to cell to the south.
        south: f64,
        /// The width of the same ground in square cells.
        width: u64,
        /// The height of the same ground in square cells.
        height: u64,
    },
    /// The file would be larger than its format allows.
    #[error("{format} of {bytes} bytes can not be: at most {most}; write fewer cells by a step")]
    TooLarge {
        /// The format.
        format: Format,
        /// The bytes that the file would have.
        bytes: u64,
        /// The bytes that such a file can have.
        most: u64,
    },
    /// It is no format of meshes.
    #[error("{0} is no mesh")]
    NotMesh(Format),
    /// The format needs a feature that this build does not have.
    #[error("{0} is left out of this build")]
    LeftOut(Format),
    /// The bytes could not be written.
    #[error(transparent)]
    Write(#[from] std::io::Error),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Why bytes are not a heightmap.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ImportError {
    /// The file's size is not one that a map can have.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// There are more or fewer bytes than a map of that size and format has.
    #[error("{found} bytes are not a map of that size and format: it has {expected} bytes")]
    Length {
        /// The number of bytes that the size and the format ask for.
        expected: u64,
        /// The number of bytes that there are.
        found: u64,
    },
    /// A height is NaN or infinite.
    #[error("the height in column {column}, row {row} is {height}, not a finite number")]
    NotFinite {
        /// The cell's column, from 0 in the west.
        column: usize,
        /// The cell's row, from 0 in the north.
        row: usize,
        /// What is there instead of a height.
        height: f32,
    },
    /// A cell has no height, and it was not said what to fill it with.
    #[error("the cell in column {column}, row {row} has no height: say what to fill gaps with")]
    Gap {
        /// The cell's column, from 0 in the west.
        column: usize,
        /// The cell's row, from 0 in the north.
        row: usize,
    },
    /// The bytes are not of that format, damaged, or a kind of it that is not read.
    #[error("{0}")]
    Malformed(String),
    /// A pixel is not gray, so the picture is no heightmap.
    #[error("the pixel in column {column}, row {row} is not gray: a heightmap has no colors")]
    Colored {
        /// The pixel's column, from 0 at the left.
        column: usize,
        /// The pixel's row, from 0 at the top.
        row: usize,
    },
    /// A number beside the heights is outside its range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// RAW says no size, and none was given.
    #[error("RAW has no header: say the size of the map")]
    NoSize,
    /// Maps are not read from this format.
    #[error("{0} is written, not read")]
    NotRead(Format),
    /// The format needs a feature that this build does not have.
    #[error("{0} is left out of this build")]
    LeftOut(Format),
}

impl ImportError {
    /// `what` is wrong with the bytes, in one line: some decoders' messages have several.
    pub(crate) fn malformed(what: impl std::fmt::Display) -> Self {
        let what = what.to_string();
        let words: Vec<&str> = what.split_whitespace().collect();
        Self::Malformed(words.join(" "))
    }
}
