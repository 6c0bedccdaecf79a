//! One number for each cell, with a ring of zeros around them.
//!
//! The ring lets the inner loops read every cell's neighbors without asking where the
//! grid ends: out there is nothing that passes light.

use core::slice::ChunksMut;

use crate::{
    aligned::{Aligned, LINE},
    area::Area,
};

/// Narrower grids would be mostly space between rows.
const WIDE: usize = 4 * LINE;

/// Cells of a row from `first` to before `end`.
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

/// Numbers in rows, each row `width` long with a zero or more before and after it, with a row of
/// zeros above and below. The zeros after a row are those before the next. Each row of a wide grid begins where
/// a cache line does.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Plane {
    width: usize,
    height: usize,
    /// The first number of the ring's first row, which one zero at least is before.
    first: usize,
    stride: usize,
    values: Aligned<f32>,
}

impl Plane {
    pub(crate) fn new(width: usize, height: usize) -> Self {
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
            values: Aligned::zeros(first + stride * (height + 2)),
        }
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn height(&self) -> usize {
        self.height
    }

    /// From one row to the next.
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

    /// All zeros.
    pub(crate) fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// With the ring, row by row.
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

    /// Makes the cells of an area those of another plane of the same size.
    pub(crate) fn copy_area(&mut self, from: &Self, area: Area) {
        let (first, end) = (area.first.x as usize, area.end.x as usize);
        for y in area.first.y as usize..area.end.y as usize {
            self.row_mut(y, first, end)
                .copy_from_slice(from.row(y, first, end));
        }
    }

    /// As [`row`](Self::row), with one more cell at either end. Rows are counted from the
    /// ring above: cell row `y` is `y + 1` here.
    pub(crate) fn wide_row(&self, ring_y: usize, first: usize, end: usize) -> &[f32] {
        let start = self.first + ring_y * self.stride;
        &self.values[start + first - 1..start + end + 1]
    }

    /// The rows without those of the ring, `rows` at a time; each row with the zeros after it.
    pub(crate) fn bands_mut(&mut self, rows: usize) -> ChunksMut<'_, f32> {
        let (start, end) = (self.index(0, 0), self.index(0, self.height));
        self.values[start..end].chunks_mut(rows * self.stride)
    }
}
