//! The sums over neighbors, for a run of cells in one row.
//!
//! # The idea
//!
//! A row takes part in the sums of three rows: its own, and those above and below. Its
//! contributions are computed once, when the row is first needed, from the light `e = t u` that its
//! cells pass on (`corner` is the weight of a corner relative to that of an edge):
//!
//! ```text
//!    own    = e[x-1] + e[x+1] + e[x]               sum(x, y) =   across[y-1]
//!    across = e[x] + corner * (e[x-1] + e[x+1])                + own[y]
//!                                                              + across[y+1]
//! ```
//!
//! Three numbers are added for each cell instead of nine. On hexagons, the contribution of a row to
//! the rows above and below is the sum of one cell and its eastern neighbor in even rows, or its
//! western neighbor in odd rows.
//!
//! All loops are over slices of equal length, so that the compiler vectorizes them. They are
//! inlined into their callers, so that they are compiled once for each vector width.
//! Multiplications are never fused with additions, so the results are the same for all widths.

use crate::{
    aligned::Aligned,
    medium::Medium,
    neighborhood::{Sides, for_each_kind},
    plane::{Plane, Run},
};

/// The light that the cells of a run in one row pass on.
#[derive(Clone, Copy)]
pub(crate) struct Emission<'a> {
    /// Light and transparency of the western neighbor of each cell, of the cell itself, and of its
    /// eastern neighbor.
    light: [&'a [f32]; 3],
    transparency: [&'a [f32]; 3],
    /// The cells that the rows above and below receive light from.
    pub(crate) sides: Sides,
}

impl<'a> Emission<'a> {
    /// The light of a row. Rows are counted from the ring above the grid: row `y` of the grid is
    /// `y + 1`.
    #[inline(always)]
    pub(crate) fn new(medium: &'a Medium, light: &'a Plane, ring_y: usize, run: Run) -> Self {
        Self::of(
            medium,
            light.wide_row(ring_y, run.first, run.end),
            ring_y,
            run,
        )
    }

    /// The same, with the given light, which includes one more cell at either end.
    #[inline(always)]
    pub(crate) fn of(medium: &'a Medium, light: &'a [f32], ring_y: usize, run: Run) -> Self {
        let transparency = medium.transparency().wide_row(ring_y, run.first, run.end);
        Self {
            light: shifted(light, run.len()),
            transparency: shifted(transparency, run.len()),
            // In the grid, the rows above and below have the parity of `ring_y`.
            sides: medium.lattice().sides(ring_y),
        }
    }

    /// The first `n` cells. Slices of a common length need no bounds checks in loops, which would
    /// cost more than the rest of a loop.
    #[inline(always)]
    pub(crate) fn cut(self, n: usize) -> Self {
        let cut = |rows: [&'a [f32]; 3]| [&rows[0][..n], &rows[1][..n], &rows[2][..n]];
        Self {
            light: cut(self.light),
            transparency: cut(self.transparency),
            ..self
        }
    }

    /// The light of a cell.
    #[inline(always)]
    pub(crate) fn light(&self, x: usize) -> f32 {
        self.light[1][x]
    }

    /// The contribution of a cell and its western and eastern neighbors to their own row and to the
    /// next row. `sides` must be [`self.sides`](Self::sides).
    #[inline(always)]
    pub(crate) fn at(&self, x: usize, sides: Sides) -> (f32, f32) {
        // Multiplying three times is faster than keeping the products.
        let emitted = |shift: usize| self.transparency[shift][x] * self.light[shift][x];
        let (west, here, east) = (emitted(0), emitted(1), emitted(2));
        ((west + east) + here, sides.sum(west, here, east))
    }

    #[inline(always)]
    fn fill(&self, own: &mut [f32], across: &mut [f32]) {
        let n = own.len();
        let (row, across) = (self.cut(n), &mut across[..n]);
        for_each_kind!(self.sides, sides => {
            for x in 0..n {
                (own[x], across[x]) = row.at(x, sides);
            }
        });
    }
}

/// A row of `n` cells with one more cell at either end, as seen from the western neighbors, the
/// cells themselves and the eastern neighbors.
#[inline(always)]
fn shifted(row: &[f32], n: usize) -> [&[f32]; 3] {
    [&row[..n], &row[1..n + 1], &row[2..n + 2]]
}

/// The contributions of rows, for processing a grid row by row. The memory is reused.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    /// The contribution of the present row to itself.
    pub(crate) own: Aligned<f32>,
    /// The contribution of the row above to the present row, and of the present row to the row
    /// below.
    pub(crate) above: Aligned<f32>,
    pub(crate) here: Aligned<f32>,
}

impl Rows {
    /// Starts at the first row `y` of a run.
    #[inline(always)]
    pub(crate) fn start(&mut self, medium: &Medium, light: &Plane, y: usize, run: Run) {
        for row in [&mut self.own, &mut self.above, &mut self.here] {
            row.resize(run.len());
        }
        Emission::new(medium, light, y, run).fill(&mut self.own, &mut self.above);
        Emission::new(medium, light, y + 1, run).fill(&mut self.own, &mut self.here);
    }
}
