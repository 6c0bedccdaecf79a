//! The square region of the map that droplets run over, and points in it.
//!
//! The side is a power of two, so the row and column of a cell are bits of one number. Points are rounded down by
//! adding a large number, without a branch.

use core::ops::Range;

/// A square region, whose side is a power of two. It may extend beyond the map.
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

/// An open rectangle of points. Its sides are excluded, because a point on them may be assigned to the next cell.
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

/// A position relative to a cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct CellPoint {
    /// The cell to the north-west of it.
    pub(super) cell: u32,
    /// The distance to the east of that cell, from 0 to 1.
    pub(super) u: f32,
    /// The distance to the south of that cell, from 0 to 1.
    pub(super) v: f32,
}

/// Adding this to a small number rounds it to a whole number, which is then in the lowest bits.
const ROUNDER: f32 = 12_582_912.0;

impl RegionHeights<'_> {
    /// The number of cells from one row to the next.
    #[inline(always)]
    pub(super) fn side(&self) -> usize {
        1 << self.shift
    }

    /// Whether a square of `WIDTH` x `WIDTH` cells is on the map. It starts `before` cells to the north-west of the
    /// cell of `place`.
    #[inline(always)]
    pub(super) fn holds<const WIDTH: usize>(&self, place: CellPoint, before: usize) -> bool {
        let cell = place.cell as usize;
        let (column, row) = (cell & (self.side() - 1), cell >> self.shift);
        let fits = |at: usize, range: &Range<usize>| {
            (at >= range.start + before) & (at - before + WIDTH <= range.end)
        };
        fits(column, &self.columns) & fits(row, &self.rows)
    }

    /// The bounds of points whose four cells are on the map.
    pub(super) fn bounds(&self) -> Bounds {
        Bounds {
            west: self.columns.start as f32,
            east: self.columns.end as f32 - 1.0,
            north: self.rows.start as f32,
            south: self.rows.end as f32 - 1.0,
        }
    }

    /// The cell and the offset of a point in cells.
    ///
    /// Subtracting half a cell and rounding is the same as rounding down. Where rounding may select either of two
    /// cells, the point is on their common border, and both are correct.
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

    /// The heights around a point: north-west, north-east, south-west, south-east.
    #[inline(always)]
    pub(super) fn corners(&self, cell: u32) -> [f32; 4] {
        let side = self.side();
        let cells = &self.cells[cell as usize..][..side + 2];
        [cells[0], cells[1], cells[side], cells[side + 1]]
    }
}
