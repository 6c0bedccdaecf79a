//! Holes in a surface, for example for cave entrances, shafts or the inside of buildings.
//!
//! A hole is a whole square between four cells, that is, both its triangles. It is not drawn, rays pass through it, and
//! it has no height.
//!
//! Cost: one bit per square, 1/32 of the map's memory. In files, the squares are stored as run lengths, row by row from
//! the north-west, alternating between solid squares and holes:
//!
//! ```text
//!   . . . .
//!   . # # .      runs: [5, 2, 2, 1, 2]
//!   . # . .
//! ```

use std::ops::Range;

use glam::{DVec2, Vec2};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{GenerateError, Heightmap, MapSize, ParamError, Progress, rows};

/// A mask of the squares of a surface that are holes.
///
/// A square is identified by its north-west cell. A map of 5 x 4 cells has 4 x 3 squares.
///
/// ```
/// use glam::Vec2;
/// use lanternfell_heightmap::{MapSize, HoleMask};
///
/// let mut holes = HoleMask::none(MapSize::new(64, 64)?);
/// holes.set_disc(Vec2::new(20.0, 30.0), 4.5, true);
/// holes.set_rect(18..22, 29..31, false); // a bridge
/// assert!(holes.is_hole(20, 27) && !holes.is_hole(20, 30));
/// # Ok::<(), lanternfell_heightmap::SizeError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "HoleRuns", into = "HoleRuns")]
pub struct HoleMask {
    size: MapSize,
    /// One bit per square, row by row. Bits after the last square are 0.
    words: Vec<u64>,
}

/// The file format of a mask.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename = "HoleMask", deny_unknown_fields)]
struct HoleRuns {
    /// The size of the map in cells.
    size: MapSize,
    /// Run lengths, alternating between solid squares and holes, solid first.
    runs: Vec<u32>,
}

/// The number of words, of 64 squares each, that a thread processes at a time.
const BAND: usize = 1 << 12;

impl HoleMask {
    /// Creates a mask without holes for a map of this size.
    pub fn none(size: MapSize) -> Self {
        let squares = (size.width() - 1) * (size.height() - 1);
        let words = vec![0; squares.div_ceil(64)];
        Self { size, words }
    }

    /// Creates a mask with holes where `mask` is strictly above `threshold`. The value of a square is the mean of its
    /// four cells.
    ///
    /// # Errors
    /// If the threshold is not finite, or the work is canceled.
    pub fn from_map(
        mask: &Heightmap,
        threshold: f32,
        progress: &Progress,
    ) -> Result<Self, GenerateError> {
        let value = ParamError::shortest(threshold);
        let finite = threshold.is_finite();
        ParamError::check(finite, "hole mask", "threshold", value, "finite")?;
        let mut holes = Self::none(mask.size());
        let (columns, squares) = (holes.columns(), holes.squares());
        let sum = 4.0 * f64::from(threshold);
        let is_hole = |square: usize| {
            let (x, y) = (square % columns, square / columns);
            let cell = |dx, dy| f64::from(mask.get(x + dx, y + dy));
            (cell(0, 0) + cell(1, 0)) + (cell(0, 1) + cell(1, 1)) > sum
        };
        rows::for_each_row(&mut holes.words, BAND, progress, |band, words| {
            for (word, place) in words.iter_mut().zip(band * BAND..) {
                let squares = 64 * place..(64 * place + 64).min(squares);
                let bits = squares.enumerate();
                *word = bits.fold(0, |word, (bit, at)| word | u64::from(is_hole(at)) << bit);
            }
        })?;
        Ok(holes)
    }

    /// Creates a mask by calling `is_hole(column, row)` for each square, row by row.
    pub fn from_fn(size: MapSize, is_hole: impl FnMut(usize, usize) -> bool) -> Self {
        let mut holes = Self::none(size);
        holes.set_where(true, is_hole);
        holes
    }

    /// The size of the map in cells.
    #[inline]
    pub fn size(&self) -> MapSize {
        self.size
    }

    /// The number of squares from west to east.
    #[inline]
    fn columns(&self) -> usize {
        self.size.width() - 1
    }

    /// The number of squares from north to south.
    #[inline]
    fn rows(&self) -> usize {
        self.size.height() - 1
    }

    fn squares(&self) -> usize {
        self.columns() * self.rows()
    }

    /// The number of holes.
    pub fn count(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// The number of holes in a rectangle of squares, which is clipped to the map.
    pub fn count_in(&self, columns: Range<usize>, rows: Range<usize>) -> usize {
        let width = self.columns();
        let (columns, rows) = (within(columns, width), within(rows, self.rows()));
        let in_row = |row: usize| {
            words(row * width + columns.start..row * width + columns.end)
                .map(|(word, bits)| (self.words[word] & bits).count_ones() as usize)
                .sum::<usize>()
        };
        rows.map(in_row).sum()
    }

    /// The columns and rows of all holes, row by row.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let columns = self.columns();
        let words = self.words.iter().enumerate();
        words.flat_map(move |(place, &word)| {
            // Most words are empty or have no high bits set.
            let bits =
                (0..64 - word.leading_zeros() as usize).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| ((64 * place + bit) % columns, (64 * place + bit) / columns))
        })
    }

    /// Resamples the mask for a map of another size over the same area. A square is a hole if the old square around its
    /// center was one.
    pub fn resampled(&self, size: MapSize) -> Self {
        let mut holes = Self::none(size);
        let (columns, rows) = (holes.columns(), holes.rows());
        let around = |square: usize, old: usize, new: usize| {
            ((2 * square as u64 + 1) * old as u64 / (2 * new as u64)) as usize
        };
        holes.set_where(true, |column, row| {
            let column = around(column, self.columns(), columns);
            self.is_hole(column, around(row, self.rows(), rows))
        });
        holes
    }

    /// The run lengths of the squares, row by row, alternating between solid squares and holes, solid first.
    /// [`from_runs`](Self::from_runs) is the inverse.
    pub fn runs(&self) -> Vec<u32> {
        let mut runs = Vec::new();
        let mut at = 0;
        if self.is_hole(0, 0) {
            runs.push(0);
        }
        while at < self.squares() {
            let run = self.run(at);
            runs.push(run as u32);
            at += run;
        }
        runs
    }

    /// Creates a mask from [`runs`](Self::runs).
    ///
    /// # Errors
    /// If the runs cover more or fewer squares than the map has.
    pub fn from_runs(size: MapSize, runs: &[u32]) -> Result<Self, HoleMaskError> {
        // Checked before memory is allocated.
        let (width, height) = (size.width() as u64, size.height() as u64);
        let expected = (width - 1) * (height - 1);
        let found = runs.iter().map(|&run| u64::from(run)).sum();
        if found != expected {
            return Err(HoleMaskError::Runs { found, expected });
        }
        let mut mask = Self::none(size);
        let mut at = 0;
        for (turn, &run) in runs.iter().enumerate() {
            let to = at + run as usize;
            mask.fill(at..to, turn % 2 == 1);
            at = to;
        }
        Ok(mask)
    }

    /// The memory of the mask in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.words.as_slice())
    }

    /// Whether square `(column, row)` is a hole; `false` outside the map.
    #[inline]
    pub fn is_hole(&self, column: usize, row: usize) -> bool {
        let square = row.wrapping_mul(self.columns()).wrapping_add(column);
        let word = self.words.get(square / 64);
        let inside = column < self.columns() && row < self.rows();
        inside && word.is_some_and(|word| word >> (square % 64) & 1 == 1)
    }

    /// Makes square `(column, row)` a hole, or solid again.
    ///
    /// # Errors
    /// If the square does not exist.
    pub fn set(&mut self, column: usize, row: usize, hole: bool) -> Result<(), HoleMaskError> {
        let (columns, rows) = (self.columns(), self.rows());
        if column >= columns || row >= rows {
            return Err(HoleMaskError::Outside {
                column,
                row,
                columns,
                rows,
            });
        }
        let square = row * columns + column;
        self.fill(square..square + 1, hole);
        Ok(())
    }

    /// Makes a rectangle of squares holes, or solid again. The rectangle is clipped to the map.
    pub fn set_rect(&mut self, columns: Range<usize>, rows: Range<usize>, hole: bool) {
        let width = self.columns();
        let (columns, rows) = (within(columns, width), within(rows, self.rows()));
        for row in rows {
            self.fill(row * width + columns.start..row * width + columns.end, hole);
        }
    }

    /// Makes a disc of squares holes, or solid again: all squares whose center is within `radius` cells of `center`.
    /// `center` is a column and a row in cells; the center of square (0, 0) is at (0.5, 0.5).
    pub fn set_disc(&mut self, center: Vec2, radius: f32, hole: bool) {
        let (center, radius) = (center.as_dvec2(), f64::from(radius));
        // Casts saturate, so the range starts at square 0 at the earliest, and NaN is harmless.
        let reach = |at: f64| (at - radius) as usize..((at + radius) as usize).saturating_add(1);
        let (columns, rows) = (reach(center.x), reach(center.y));
        self.set_within(columns, rows, hole, |column, row| {
            let middle = DVec2::new(column as f64 + 0.5, row as f64 + 0.5);
            radius >= 0.0 && middle.distance_squared(center) <= radius * radius
        });
    }

    /// Makes each square for which `inside(column, row)` returns `true` a hole, or solid again. Calls `inside` row by
    /// row. Other squares do not change.
    pub fn set_where(&mut self, hole: bool, inside: impl FnMut(usize, usize) -> bool) {
        self.set_within(0..usize::MAX, 0..usize::MAX, hole, inside);
    }

    fn set_within(
        &mut self,
        columns: Range<usize>,
        rows: Range<usize>,
        hole: bool,
        mut inside: impl FnMut(usize, usize) -> bool,
    ) {
        let width = self.columns();
        let (columns, rows) = (within(columns, width), within(rows, self.rows()));
        for row in rows {
            for column in columns.clone() {
                if inside(column, row) {
                    let square = row * width + column;
                    self.fill(square..square + 1, hole);
                }
            }
        }
    }

    /// Sets the bits of these squares, counted row by row.
    fn fill(&mut self, squares: Range<usize>, hole: bool) {
        for (word, bits) in words(squares) {
            let word = &mut self.words[word];
            *word = if hole { *word | bits } else { *word & !bits };
        }
    }

    /// The number of equal squares from this one on.
    fn run(&self, from: usize) -> usize {
        let hole = |square: usize| self.words[square / 64] >> (square % 64) & 1;
        let mut to = from;
        while to < self.squares() && hole(to) == hole(from) {
            // Counts the equal squares within this word: squares of the other kind are 1 bits in `other`.
            let word = self.words[to / 64] >> (to % 64);
            let other = if hole(from) == 1 { !word } else { word };
            to += (other.trailing_zeros() as usize).min(64 - to % 64);
        }
        to.min(self.squares()) - from
    }
}

/// The part of a range below `end`. Empty if the range ends before it begins.
fn within(range: Range<usize>, end: usize) -> Range<usize> {
    let last = range.end.min(end);
    range.start.min(last)..last
}

/// The words that contain the bits of these squares, with a mask of those bits.
fn words(squares: Range<usize>) -> impl Iterator<Item = (usize, u64)> {
    let mut from = squares.start;
    std::iter::from_fn(move || {
        let (word, bit) = (from / 64, from % 64);
        let count = (64 - bit).min(squares.end.saturating_sub(from));
        from += count;
        (count > 0).then(|| (word, u64::MAX >> (64 - count) << bit))
    })
}

impl From<HoleMask> for HoleRuns {
    fn from(mask: HoleMask) -> Self {
        let (size, runs) = (mask.size, mask.runs());
        Self { size, runs }
    }
}

impl TryFrom<HoleRuns> for HoleMask {
    type Error = HoleMaskError;

    fn try_from(file: HoleRuns) -> Result<Self, HoleMaskError> {
        Self::from_runs(file.size, &file.runs)
    }
}

/// Why holes could not be set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HoleMaskError {
    /// The square does not exist.
    #[error("square ({column}, {row}) is outside the map, which has {columns}x{rows} squares")]
    Outside {
        /// The requested column.
        column: usize,
        /// The requested row.
        row: usize,
        /// The number of columns of squares.
        columns: usize,
        /// The number of rows of squares.
        rows: usize,
    },
    /// The runs of a file cover more or fewer squares than the map has.
    #[error("the runs of a hole mask cover {found} squares, but the map has {expected}")]
    Runs {
        /// The number of squares that the runs cover.
        found: u64,
        /// The number of squares of the map.
        expected: u64,
    },
}
