//! One number per cell, surrounded by a ring of zeros.
//!
//! The ring allows the inner loops to read the neighbors of every cell without bounds checks.
//! Nothing outside of the grid passes light on.

use core::slice::ChunksMut;

use crate::{
    aligned::{Aligned, LINE},
    area::Area,
};

/// Narrower grids would consist mostly of padding between rows.
const WIDE: usize = 4 * LINE;

/// The cells of a row from `first` to before `end`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    pub(crate) first: usize,
    pub(crate) end: usize,
}

impl Run {
    pub(crate) fn len(self) -> usize {
        self.end - self.first
    }
}

/// Rows of `width` numbers, each with at least one zero before and after it, and a row of zeros
/// above and below. The zeros after a row are also those before the next. Each row of a wide grid
/// starts at a cache line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Plane {
    width: usize,
    height: usize,
    /// The index of the first number of the first row of the ring. At least one zero is before it.
    first: usize,
    stride: usize,
    values: Aligned<f32>,
}

impl Plane {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        // One zero between rows suffices: it is both the eastern ring of a row and the western ring
        // of the next.
        let (first, stride) = if width < WIDE {
            (1, width + 1)
        } else {
            (LINE, (width + 1).next_multiple_of(LINE))
        };
        Self {
            width,
            height,
            first,
            stride,
            // `first` includes a zero before the ring, so that the north-western neighbor of cell
            // (0, 0) exists. The stride of the last ring row covers the end.
            values: Aligned::zeros(first + stride * (height + 2)),
        }
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn height(&self) -> usize {
        self.height
    }

    /// The distance from one row to the next.
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    pub(crate) fn index(&self, x: usize, y: usize) -> usize {
        self.first + (y + 1) * self.stride + x
    }

    pub(crate) fn get(&self, x: usize, y: usize) -> f32 {
        self.values[self.index(x, y)]
    }

    pub(crate) fn set(&mut self, x: usize, y: usize, value: f32) {
        let index = self.index(x, y);
        self.values[index] = value;
    }

    /// Sets all numbers to zero.
    pub(crate) fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// All numbers including the ring, row by row.
    pub(crate) fn values(&self) -> &[f32] {
        &self.values
    }

    /// The cells from `first` to before `end` of row `y`.
    pub(crate) fn row(&self, y: usize, first: usize, end: usize) -> &[f32] {
        let start = self.index(0, y);
        &self.values[start + first..start + end]
    }

    pub(crate) fn row_mut(&mut self, y: usize, first: usize, end: usize) -> &mut [f32] {
        let start = self.index(0, y);
        &mut self.values[start + first..start + end]
    }

    /// Copies an area of cells from another plane of the same size.
    pub(crate) fn copy_area(&mut self, from: &Self, area: Area) {
        let (first, end) = (area.first.x as usize, area.end.x as usize);
        for y in area.first.y as usize..area.end.y as usize {
            self.row_mut(y, first, end)
                .copy_from_slice(from.row(y, first, end));
        }
    }

    /// Like [`row`](Self::row), with one more cell at either end. Rows are counted from the ring
    /// above: row `y` of the cells is `y + 1` here.
    pub(crate) fn wide_row(&self, ring_y: usize, first: usize, end: usize) -> &[f32] {
        let start = self.first + ring_y * self.stride;
        &self.values[start + first - 1..start + end + 1]
    }

    /// The rows without the ring, `rows` at a time. Each row includes the zeros after it.
    pub(crate) fn bands_mut(&mut self, rows: usize) -> ChunksMut<'_, f32> {
        let (start, end) = (self.index(0, 0), self.index(0, self.height));
        self.values[start..end].chunks_mut(rows * self.stride)
    }
}
