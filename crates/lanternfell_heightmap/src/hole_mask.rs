//! Which squares of a surface are holes: the mouth of a cave, a shaft, what a building stands in.
//!
//! A hole is a whole square between four cells, both its triangles: drawn by nobody, met by no ray, and
//! without a height.
//!
//! Cost: a bit for each square, 1/32 of the map's memory. In files the squares stand as runs, row by
//! row from the north-west: so many of ground, so many of hole, so many of ground...
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

/// Which squares of a surface are holes: none at first.
///
/// A square is named by its north-west cell: those of a map of 5 x 4 cells are 4 x 3.
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
    /// A bit per square, row by row; those after the last are 0.
    words: Vec<u64>,
}

/// A mask as it stands in files.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename = "HoleMask", deny_unknown_fields)]
struct HoleRuns {
    /// The size of the map, in cells.
    size: MapSize,
    /// How many squares in turns are ground and hole, ground first.
    runs: Vec<u32>,
}

/// The squares that a thread is given at a time, by 64.
const BAND: usize = 1 << 12;

impl HoleMask {
    /// No hole in a map of this size.
    pub fn none(size: MapSize) -> Self {
        let squares = (size.width() - 1) * (size.height() - 1);
        let words = vec![0; squares.div_ceil(64)];
        Self { size, words }
    }

    /// A hole wherever a mask, as high in the middle of the square as its four cells on average, is
    /// strictly above `threshold`.
    ///
    /// # Errors
    /// When the threshold is not finite, or the work was cancelled.
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

    /// A hole in each square `(column, row)` of which `is_hole` says so, asked row by row.
    pub fn from_fn(size: MapSize, is_hole: impl FnMut(usize, usize) -> bool) -> Self {
        let mut holes = Self::none(size);
        holes.set_where(true, is_hole);
        holes
    }

    /// The size of the map that it is of, in cells.
    #[inline]
    pub fn size(&self) -> MapSize {
        self.size
    }

    /// Squares from west to east.
    #[inline]
    fn columns(&self) -> usize {
        self.size.width() - 1
    }

    /// Squares from north to south.
    #[inline]
    fn rows(&self) -> usize {
        self.size.height() - 1
    }

    fn squares(&self) -> usize {
        self.columns() * self.rows()
    }

    /// How many squares are holes.
    pub fn count(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// How many squares of a rectangle are holes, as far as there are such squares.
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

    /// The squares that are holes, each a column and a row, row by row.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let columns = self.columns();
        let words = self.words.iter().enumerate();
        words.flat_map(move |(place, &word)| {
            // Most words are empty, or end early.
            let bits =
                (0..64 - word.leading_zeros() as usize).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| ((64 * place + bit) % columns, (64 * place + bit) / columns))
        })
    }

    /// The same holes for a map of another size over the same ground: a square is a hole if that one is which
    /// was around its middle.
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

    /// How many squares in turns are ground and hole, row by row, ground first: what [`from_runs`](Self::from_runs)
    /// makes the same mask of.
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

    /// The mask of those [`runs`](Self::runs).
    ///
    /// # Errors
    /// When they are of more or fewer squares than the map has.
    pub fn from_runs(size: MapSize, runs: &[u32]) -> Result<Self, HoleMaskError> {
        // Counted before memory is taken.
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

    /// The memory that it takes, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.words.as_slice())
    }

    /// Whether square `(column, row)` is a hole; `false` where there is no such square.
    #[inline]
    pub fn is_hole(&self, column: usize, row: usize) -> bool {
        let square = row.wrapping_mul(self.columns()).wrapping_add(column);
        let word = self.words.get(square / 64);
        let inside = column < self.columns() && row < self.rows();
        inside && word.is_some_and(|word| word >> (square % 64) & 1 == 1)
    }

    /// Makes square `(column, row)` a hole, or ground again.
    ///
    /// # Errors
    /// When there is no such square.
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

    /// Makes a rectangle of squares a hole, or ground again, as far as there are such squares.
    pub fn set_rect(&mut self, columns: Range<usize>, rows: Range<usize>, hole: bool) {
        let width = self.columns();
        let (columns, rows) = (within(columns, width), within(rows, self.rows()));
        for row in rows {
            self.fill(row * width + columns.start..row * width + columns.end, hole);
        }
    }

    /// Makes a disc a hole, or ground again: the squares whose middle is no further than `radius` cells
    /// from `center`, a column and a row in cells. The middle of square (0, 0) is at (0.5, 0.5).
    pub fn set_disc(&mut self, center: Vec2, radius: f32, hole: bool) {
        let (center, radius) = (center.as_dvec2(), f64::from(radius));
        // Casts saturate, so that there are no squares before the first or around NaN.
        let reach = |at: f64| (at - radius) as usize..((at + radius) as usize).saturating_add(1);
        let (columns, rows) = (reach(center.x), reach(center.y));
        self.set_within(columns, rows, hole, |column, row| {
            let middle = DVec2::new(column as f64 + 0.5, row as f64 + 0.5);
            radius >= 0.0 && middle.distance_squared(center) <= radius * radius
        });
    }

    /// Makes each square `(column, row)` of which `inside` says so a hole, or ground again; asked row by
    /// row. The others stay.
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

    /// How many squares from that one on are alike.
    fn run(&self, from: usize) -> usize {
        let hole = |square: usize| self.words[square / 64] >> (square % 64) & 1;
        let mut to = from;
        while to < self.squares() && hole(to) == hole(from) {
            // As many as are alike in this word, those of another kind made ones.
            let word = self.words[to / 64] >> (to % 64);
            let other = if hole(from) == 1 { !word } else { word };
            to += (other.trailing_zeros() as usize).min(64 - to % 64);
        }
        to.min(self.squares()) - from
    }
}

/// That part of a range which is below `end`; empty where it ends before it begins.
fn within(range: Range<usize>, end: usize) -> Range<usize> {
    let last = range.end.min(end);
    range.start.min(last)..last
}

/// The words that these squares' bits stand in, and which bits of each.
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

/// Why there is no such hole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum HoleMaskError {
    /// There is no such square.
    #[error("square ({column}, {row}) lies outside of the {columns}x{rows} squares of the map")]
    Outside {
        /// The column that was asked for.
        column: usize,
        /// The row that was asked for.
        row: usize,
        /// The map's columns of squares.
        columns: usize,
        /// The map's rows of squares.
        rows: usize,
    },
    /// The runs of a file are of more or fewer squares than the map has.
    #[error("the runs of a hole mask are of {found} squares, but the map has {expected}")]
    Runs {
        /// How many squares they are of.
        found: u64,
        /// How many there must be.
        expected: u64,
    },
}
