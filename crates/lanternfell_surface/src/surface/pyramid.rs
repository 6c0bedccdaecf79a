//! A min-max pyramid of the heights, which lets casts skip large blocks.
//!
//! Problem: over 4096 x 4096 cells a ray passes above thousands of squares, most of which are far
//! below it.
//!
//! Idea: a block of 8 x 8 squares stores the lowest and the highest height of its cells. So does
//! a block of 2 x 2 blocks, up to one block for the whole map. A ray that stays above the highest
//! cell of a block, or below its lowest, hits nothing in it.
//!
//! ```text
//!   level 2   +---------------+       the cells on a border between two
//!             |               |       blocks belong to both
//!   level 1   +-------+-------+
//!             |       |       |
//!   level 0   +---+---+---+---+
//!             |   |   |   |   |       8 x 8 squares, 9 x 9 cells
//! ```
//!
//! Heights are stored in `f32`, as in the map. 16 bits would halve the memory, but every value
//! would have to be decoded. A change beyond the previous range would also require encoding all
//! values again.
//!
//! Cost: one pass over the map, on every core. Memory: 1/24 of the map (8 bytes for 64 squares,
//! and a third for the levels above). With 4 x 4 squares it would be 1/6; with 16 x 16 it would
//! be 1/96, but rays would take longer. An update costs as much as the blocks that it touches.
//!
//! Source: Tevs, Ihrke, Seidel, *Maximum Mipmaps for Fast, Accurate, and Scalable Dynamic Height
//! Field Rendering*, I3D 2008. This pyramid adds the minimum, for rays that look up from below.

use std::ops::Range;

use super::{NumbersError, SizeMismatch};
use lanternfell_heightmap::{Canceled, Heightmap, MapSize, Progress, rows};

/// A block of level 0 has `2^SHIFT` by `2^SHIFT` squares.
pub(super) const SHIFT: u32 = 3;

/// The number of squares along the side of a block of level 0.
const SIDE: usize = 1 << SHIFT;

/// The lowest and highest height of each block of a map, for casts over a
/// [`Surface`](super::Surface). Takes 1/24 of the memory of the map.
#[derive(Debug, Clone, PartialEq)]
pub struct HeightPyramid {
    size: MapSize,
    /// The smallest blocks first; the last level is one block.
    levels: Vec<Level>,
}

/// All blocks of one size, row by row: the lowest and the highest height of each.
#[derive(Debug, Clone, PartialEq)]
struct Level {
    columns: usize,
    rows: usize,
    ranges: Vec<[f32; 2]>,
}

/// How many levels there are over a map of this size.
pub(super) fn level_count(size: MapSize) -> usize {
    let longer = size.width().max(size.height()) - 1;
    // The number of halvings, rounded up, until one block spans the longer side.
    let blocks = longer.div_ceil(SIDE);
    1 + blocks.next_power_of_two().trailing_zeros() as usize
}

impl HeightPyramid {
    /// Creates the pyramid of `map`.
    ///
    /// # Errors
    /// If the work was canceled.
    pub fn of(map: &Heightmap, progress: &Progress) -> Result<Self, Canceled> {
        let size = map.size();
        let mut pyramid = Self::empty(size);
        pyramid.refresh(map, 0..size.width(), 0..size.height(), progress)?;
        Ok(pyramid)
    }

    fn empty(size: MapSize) -> Self {
        let level = |shift: usize| {
            let side = SIDE << shift;
            let (columns, rows) = (
                (size.width() - 1).div_ceil(side),
                (size.height() - 1).div_ceil(side),
            );
            let ranges = vec![[0.0; 2]; columns * rows];
            Level {
                columns,
                rows,
                ranges,
            }
        };
        let levels = (0..level_count(size)).map(level).collect();
        Self { size, levels }
    }

    /// Returns all values as plain numbers, for example to send them to another process with the
    /// same map. They are the lowest and highest height of each block, smallest blocks first, row
    /// by row.
    ///
    /// ```
    /// use lanternfell_heightmap::{Heightmap, MapSize, Progress};
    /// use lanternfell_surface::HeightPyramid;
    ///
    /// let map = Heightmap::from_fn(MapSize::new(30, 20)?, |x, y| (x * y) as f32)?;
    /// let pyramid = HeightPyramid::of(&map, &Progress::default())?;
    /// let numbers: Vec<f32> = pyramid.numbers().collect();
    /// assert_eq!(HeightPyramid::from_numbers(map.size(), &numbers)?, pyramid);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn numbers(&self) -> impl Iterator<Item = f32> {
        self.levels
            .iter()
            .flat_map(|level| level.ranges.iter().copied().flatten())
    }

    /// Creates a pyramid from its [`numbers`](Self::numbers). The caller must make sure that they
    /// belong to the map: over another map, casts return wrong hits.
    ///
    /// # Errors
    /// If the count does not match a map of this size, or a pair is not a range.
    pub fn from_numbers(size: MapSize, numbers: &[f32]) -> Result<Self, NumbersError> {
        const WHAT: &str = "height pyramid";
        // Counted before memory is allocated.
        let found = numbers.len();
        let blocks = |shift: usize| {
            let blocks = |cells: usize| (cells - 1).div_ceil(SIDE << shift);
            blocks(size.width()) * blocks(size.height())
        };
        if found != 2 * (0..level_count(size)).map(blocks).sum::<usize>() {
            return Err(NumbersError::Count {
                what: WHAT,
                size,
                found,
            });
        }
        let (pairs, _) = numbers.as_chunks::<2>();
        let is_range = |[low, high]: &[f32; 2]| low <= high && low.is_finite() && high.is_finite();
        if let Some(index) = pairs.iter().position(|range| !is_range(range)) {
            return Err(NumbersError::Value {
                what: WHAT,
                index: 2 * index,
                found: pairs[index][0],
            });
        }
        let mut pyramid = Self::empty(size);
        let ranges = pyramid
            .levels
            .iter_mut()
            .flat_map(|level| &mut level.ranges);
        for (range, found) in ranges.zip(pairs) {
            *range = *found;
        }
        Ok(pyramid)
    }

    /// Updates the pyramid after cells in these columns and rows have changed. Ranges are cut to
    /// the map.
    ///
    /// # Errors
    /// If the map has another size. Then nothing is changed.
    pub fn update(
        &mut self,
        map: &Heightmap,
        columns: Range<usize>,
        rows: Range<usize>,
    ) -> Result<(), SizeMismatch> {
        SizeMismatch::check("height pyramid", self.size, map.size())?;
        let done = self.refresh(map, columns, rows, &Progress::default());
        done.expect("this progress is not shared, so it cannot be canceled");
        Ok(())
    }

    /// Returns the size of the map.
    pub fn size(&self) -> MapSize {
        self.size
    }

    /// Returns the lowest and the highest height of the map.
    pub fn range(&self) -> (f32, f32) {
        let [low, high] = self.block(self.levels.len() - 1, 0, 0);
        (low, high)
    }

    /// Returns the memory of the pyramid in bytes.
    pub fn bytes(&self) -> usize {
        let bytes = |level: &Level| size_of_val(level.ranges.as_slice());
        self.levels.iter().map(bytes).sum()
    }

    /// Returns the lowest and the highest height of a block.
    #[inline(always)]
    pub(super) fn block(&self, level: usize, column: u32, row: u32) -> [f32; 2] {
        let level = &self.levels[level];
        level.ranges[row as usize * level.columns + column as usize]
    }

    fn refresh(
        &mut self,
        map: &Heightmap,
        columns: Range<usize>,
        rows: Range<usize>,
        progress: &Progress,
    ) -> Result<(), Canceled> {
        let mut columns = blocks_of(columns, map.width());
        let mut rows = blocks_of(rows, map.height());
        if columns.is_empty() || rows.is_empty() {
            return Ok(());
        }
        let finest = progress.span(0.0, 0.9);
        self.levels[0].refresh(&columns, &rows, &finest, |row, columns, ranges| {
            finest_row(map, row, columns, ranges);
        })?;
        let number = self.levels.len();
        for upper in 1..number {
            let (below, above) = self.levels.split_at_mut(upper);
            let below = &below[upper - 1];
            // Outward rounding: a parent with only one changed child must be recomputed as well.
            let half = |blocks: Range<usize>| blocks.start / 2..blocks.end.div_ceil(2);
            // Levels in order, since each reads the ranges of the one below.
            (columns, rows) = (half(columns), half(rows));
            let part = progress.span(0.9, 1.0).part(upper - 1, number - 1);
            above[0].refresh(&columns, &rows, &part, |row, columns, ranges| {
                for (range, column) in ranges.iter_mut().zip(columns.clone()) {
                    *range = below.of_four(column, row);
                }
            })?;
        }
        progress.step(1, 1)
    }
}

impl Level {
    /// Fills the blocks in these columns and rows by `fill(row, columns, ranges)`, row by row.
    fn refresh(
        &mut self,
        columns: &Range<usize>,
        rows: &Range<usize>,
        progress: &Progress,
        fill: impl Fn(usize, &Range<usize>, &mut [[f32; 2]]) + Sync + Send,
    ) -> Result<(), Canceled> {
        let width = self.columns;
        let ranges = &mut self.ranges[rows.start * width..rows.end * width];
        rows::for_each_row(ranges, width, progress, |row, ranges| {
            fill(rows.start + row, columns, &mut ranges[columns.clone()]);
        })
    }

    /// The range of 2 x 2 blocks, or of as many of them as exist.
    fn of_four(&self, column: usize, row: usize) -> [f32; 2] {
        let columns = 2 * column..(2 * column + 2).min(self.columns);
        let rows = 2 * row..(2 * row + 2).min(self.rows);
        rows.flat_map(|row| &self.ranges[row * self.columns..][columns.clone()])
            .fold(NOTHING, |a, &b| both(a, b))
    }
}

/// The range of no heights.
const NOTHING: [f32; 2] = [f32::INFINITY, f32::NEG_INFINITY];

/// The range of two ranges.
fn both(a: [f32; 2], b: [f32; 2]) -> [f32; 2] {
    // Selects instead of `f32::min`, whose NaN handling costs extra instructions. Heights are
    // finite.
    let low = if b[0] < a[0] { b[0] } else { a[0] };
    let high = if b[1] > a[1] { b[1] } else { a[1] };
    [low, high]
}

/// Returns the blocks of level 0, along one axis, that contain cells in this range.
fn blocks_of(cells: Range<usize>, length: usize) -> Range<usize> {
    let end = cells.end.min(length);
    if cells.start >= end {
        return 0..0;
    }
    // A cell is a corner of the square before it too.
    let last_square = (end - 1).min(length - 2);
    cells.start.saturating_sub(1) / SIDE..last_square / SIDE + 1
}

/// The ranges of blocks of level 0 in a row of them.
fn finest_row(map: &Heightmap, row: usize, columns: &Range<usize>, ranges: &mut [[f32; 2]]) {
    // One cell more than there are squares: the cells on the border of two blocks belong to both.
    let (first, last) = (
        columns.start * SIDE,
        (columns.end * SIDE).min(map.width() - 1),
    );
    let cells = row * SIDE..=((row + 1) * SIDE).min(map.height() - 1);
    // First reduce each column of cells, which vectorizes, and then along the row.
    let mut low = vec![f32::INFINITY; last + 1 - first];
    let mut high = vec![f32::NEG_INFINITY; last + 1 - first];
    for y in cells {
        let heights = &map.row(y)[first..=last];
        for ((low, high), &z) in low.iter_mut().zip(&mut high).zip(heights) {
            *low = if z < *low { z } else { *low };
            *high = if z > *high { z } else { *high };
        }
    }
    for (block, range) in ranges.iter_mut().enumerate() {
        // Inclusive, so that neighboring blocks share the border cell. The last block may be
        // narrower.
        let cells = block * SIDE..=((block + 1) * SIDE).min(last - first);
        let columns = low[cells.clone()].iter().zip(&high[cells]);
        *range = columns.fold(NOTHING, |range, (&low, &high)| both(range, [low, high]));
    }
}
