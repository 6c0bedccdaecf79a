//! Heightmaps as bytes: PNG and RAW, out and in.
//!
//! No files here: what is written goes into any [`Write`](std::io::Write), what is read
//! comes as a slice of bytes, so that a browser and an archive can use it too.
//!
//! | format | holds | lost on the way out and in |
//! |---|---|---|
//! | PNG, 16 bit grey | `round(65535 z)` | at most 1/131070 of the range |
//! | PNG, 8 bit grey | `round(255 z)` | at most 1/510 |
//! | RAW `u16`, `u8` | the same numbers, without a header | the same |
//! | RAW `f32` | the heights | nothing |
//!
//! RAW is rows from north to south, each from west to east, and no more: whoever reads it
//! must know the size and the [`RawFormat`].
//!
//! Whole numbers hold heights from 0 to 1. A height outside is an error that names its
//! cell, not silently clamped: a map cut off at its peaks is found out too late.
//! [`Heightmap::normalise`](crate::Heightmap::normalise) helps.
//!
//! What is read is not trusted: sizes are checked before memory is taken.
//!
//! ```
//! use lanternfell_heightmap::{Hills, MapSize, Progress, Recipe, io};
//!
//! let recipe = Recipe::new(MapSize::new(100, 90)?, 7, Hills::default());
//! let map = recipe.generate(&Progress::default())?;
//! let mut file = Vec::new();
//! io::write_png(&map, io::PngDepth::Sixteen, &mut file)?;
//! let again = io::read_png(&file)?;
//! assert!((map.get(50, 40) - again.get(50, 40)).abs() <= 0.5 / 65_535.0 + 1e-7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod png;
mod raw;

use thiserror::Error;

use crate::{Cancelled, Heightmap, SizeError};

pub(crate) use png::write_colours;
pub use png::{PNG_HEADER, PngDepth, png_size, read_png, write_png, write_png_with};
pub use raw::{ByteOrder, RawFormat, Sample, read_raw, write_raw};

/// Why a map was not written.
#[derive(Debug, Error)]
pub enum ExportError {
    /// Whole numbers can not hold a height outside 0 to 1.
    #[error(
        "the height in column {column}, row {row} is {height}, but whole numbers hold \
         heights from 0 to 1: normalise the map, or write f32"
    )]
    Height {
        /// The cell's column, from 0 in the west.
        column: usize,
        /// The cell's row, from 0 in the north.
        row: usize,
        /// Its height.
        height: f32,
    },
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
    /// The picture's size is not one that a map can have.
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
    /// The bytes are not a PNG, or a damaged one.
    #[error("{0}")]
    Png(String),
    /// A pixel is not grey, so the picture is no heightmap.
    #[error("the pixel in column {column}, row {row} is not grey: a heightmap has no colours")]
    Coloured {
        /// The pixel's column, from 0 at the left.
        column: usize,
        /// The pixel's row, from 0 at the top.
        row: usize,
    },
}

/// An error when whole numbers can not hold one of the heights.
fn check_whole(map: &Heightmap) -> Result<(), ExportError> {
    let fits = |height: &f32| (0.0..=1.0).contains(height);
    match map.heights().iter().position(|height| !fits(height)) {
        None => Ok(()),
        Some(cell) => Err(ExportError::Height {
            column: cell % map.width(),
            row: cell / map.width(),
            height: map.heights()[cell],
        }),
    }
}

/// `round(most * height)` of a height from 0 to 1.
fn whole_number(height: f32, most: f64) -> u16 {
    // Exact: a 24-bit number times a 16-bit one, and a half, fit into an f64.
    (f64::from(height) * most + 0.5) as u16
}

/// `round(most * z)` of every height, to be stored as a whole number.
fn whole_numbers(map: &Heightmap, most: f64) -> Result<Vec<u16>, ExportError> {
    check_whole(map)?;
    let round = |&height: &f32| whole_number(height, most);
    Ok(map.heights().iter().map(round).collect())
}
