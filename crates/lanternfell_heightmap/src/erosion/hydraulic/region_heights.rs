//! The ground that droplets run over: a square piece of the map, and places on it.
//!
//! Its side is a power of two, so that a cell's row and column are bits of one number, and a point
//! is rounded down by adding a large number, without a branch.

use core::ops::Range;

/// A square piece of ground, its side a power of two, part of which lies on the map.
pub(super) struct RegionHeights<'a> {
    /// Grains, row by row.
    pub(super) cells: &'a mut [f32],
    /// The side is 2 to this power.
    pub(super) shift: u32,
    /// The columns on the map.
    pub(super) columns: Range<usize>,
    /// The rows on the map.
    pub(super) rows: Range<usize>,
}

/// A rectangle of points, without its sides: there a place may count as in the cells beyond.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    west: f32,
    east: f32,
    north: f32,
    south: f32,
}

impl Bounds {
    #[inline(always)]
    pub(super) fn hold(&self, x: f32, y: f32) -> bool {
        (x > self.west) & (x < self.east) & (y > self.north) & (y < self.south)
    }
}

/// A place on the ground.
#[derive(Debug, Clone, Copy)]
pub(super) struct CellPoint {
    /// The cell north-west of it.
    pub(super) cell: u32,
    /// How far east of that cell, from 0 to 1.
    pub(super) u: f32,
    /// How far south of that cell, from 0 to 1.
    pub(super) v: f32,
}

/// Adding this to a small number rounds it to a whole one, left in the lowest bits.
const ROUNDER: f32 = 12_582_912.0;

impl RegionHeights<'_> {
    /// Cells from one row to the next.
    #[inline(always)]
    pub(super) fn side(&self) -> usize {
        1 << self.shift
    }

    /// Whether `WIDTH` cells a side, of which `before` lie north-west of a place's cell,
    /// are all on the map.
    #[inline(always)]
    pub(super) fn holds<const WIDTH: usize>(&self, place: CellPoint, before: usize) -> bool {
        let cell = place.cell as usize;
        let (column, row) = (cell & (self.side() - 1), cell >> self.shift);
        let fits = |at: usize, range: &Range<usize>| {
            (at >= range.start + before) & (at - before + WIDTH <= range.end)
        };
        fits(column, &self.columns) & fits(row, &self.rows)
    }

    /// Where the four cells around a point are all on the map.
    pub(super) fn bounds(&self) -> Bounds {
        Bounds {
            west: self.columns.start as f32,
            east: self.columns.end as f32 - 1.0,
            north: self.rows.start as f32,
            south: self.rows.end as f32 - 1.0,
        }
    }

    /// The place of a point, in cells.
    ///
    /// Half a cell less, rounded, is the point rounded down; where it may be either of two
    /// cells, it lies on their border, and both are right.
    #[inline(always)]
    pub(super) fn place(&self, x: f32, y: f32) -> CellPoint {
        let (x, y) = (x - 0.5, y - 0.5);
        let (column, row) = (x + ROUNDER, y + ROUNDER);
        let mask = (1 << self.shift) - 1;
        CellPoint {
            cell: (row.to_bits() & mask) << self.shift | (column.to_bits() & mask),
            u: x - (column - ROUNDER) + 0.5,
            v: y - (row - ROUNDER) + 0.5,
        }
    }

    /// The heights around a place: north-west, north-east, south-west, south-east.
    #[inline(always)]
    pub(super) fn corners(&self, cell: u32) -> [f32; 4] {
        let side = self.side();
        let cells = &self.cells[cell as usize..][..side + 2];
        [cells[0], cells[1], cells[side], cells[side + 1]]
    }
}
