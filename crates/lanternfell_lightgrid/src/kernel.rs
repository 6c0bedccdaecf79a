//! The sums over neighbors, for a run of cells in one row.
//!
//! # The idea
//!
//! A row takes part in three rows' sums: its own, and those above and below. What it gives
//! to each is worked out once, when the row is first needed, from the light `e = t u` that
//! its cells pass on (`corner` is the weight of a corner, where that of an edge is 1):
//!
//! ```text
//!    own    = e[x-1] + e[x+1] + e[x]               sum(x, y) =   across[y-1]
//!    across = e[x] + corner * (e[x-1] + e[x+1])                + own[y]
//!                                                              + across[y+1]
//! ```
//!
//! so that three numbers are added for a cell instead of nine. Of hexagons a row gives to those
//! beside it what one cell and its eastern neighbor pass on, if it is an even one, or its western one,
//! if it is odd.
//!
//! All loops are over slices of equal length, so that the compiler turns them into vector
//! code, and are inlined with their callers, so that it does so once for each width of
//! vectors. No multiplication is fused with an addition: the bits are the same for every
//! width.

use crate::{
    aligned::Aligned,
    medium::Medium,
    neighborhood::{Sides, for_each_kind},
    plane::{Plane, Run},
};

/// What the cells of a run in one row pass on.
#[derive(Clone, Copy)]
pub(crate) struct Emission<'a> {
    /// Light and transparency of each cell's western neighbor, of itself, and of the
    /// eastern one.
    light: [&'a [f32]; 3],
    transparency: [&'a [f32]; 3],
    /// What it gives to the rows beside it.
    pub(crate) sides: Sides,
}

impl<'a> Emission<'a> {
    /// Of a row counted from the ring above the grid: row `y` of the grid is `y + 1`.
    #[inline(always)]
    pub(crate) fn new(medium: &'a Medium, light: &'a Plane, ring_y: usize, run: Run) -> Self {
        Self::of(
            medium,
            light.wide_row(ring_y, run.first, run.end),
            ring_y,
            run,
        )
    }

    /// The same, of this light, with one cell more at either end.
    #[inline(always)]
    pub(crate) fn of(medium: &'a Medium, light: &'a [f32], ring_y: usize, run: Run) -> Self {
        let transparency = medium.transparency().wide_row(ring_y, run.first, run.end);
        Self {
            light: shifted(light, run.len()),
            transparency: shifted(transparency, run.len()),
            // The rows beside it are odd where its ring number is.
            sides: medium.lattice().sides(ring_y),
        }
    }

    /// The first `n` cells, of which the compiler then knows that they are there: a check
    /// for each would cost more than the rest of the loop.
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

    /// What the cell and those beside it give to their own row and to the next, of which these are the
    /// [`sides`](Self::sides).
    #[inline(always)]
    pub(crate) fn at(&self, x: usize, sides: Sides) -> (f32, f32) {
        // Multiplying thrice is faster than keeping the products.
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

/// A row of `n` cells with one more at either end, seen from its western neighbors, from
/// itself, and from its eastern ones.
#[inline(always)]
fn shifted(row: &[f32], n: usize) -> [&[f32]; 3] {
    [&row[..n], &row[1..n + 1], &row[2..n + 2]]
}

/// The parts of sums that rows give, for going down row by row, in memory used again.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    /// What the row gives to itself.
    pub(crate) own: Aligned<f32>,
    /// What the row above gives to it, and it to the row below.
    pub(crate) above: Aligned<f32>,
    pub(crate) here: Aligned<f32>,
}

impl Rows {
    /// At the first row, `y`, of a run.
    #[inline(always)]
    pub(crate) fn start(&mut self, medium: &Medium, light: &Plane, y: usize, run: Run) {
        for row in [&mut self.own, &mut self.above, &mut self.here] {
            row.resize(run.len());
        }
        Emission::new(medium, light, y, run).fill(&mut self.own, &mut self.above);
        Emission::new(medium, light, y + 1, run).fill(&mut self.own, &mut self.here);
    }
}
