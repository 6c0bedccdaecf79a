//! Row noise whose lattice squares are only a few cells wide.
//!
//! Problem: the two straight lines of `row_noise.rs` hold for one square. Three to ten cells are too few for vector
//! instructions, and computing the lines costs more than using them.
//!
//! Idea: all cell rows within one row of squares have the same corner directions. So the four directions around each
//! cell are spread over the cells once per row of squares. After that, a row of cells is one loop without branches.
//!
//! Memory: eight floats per column, for each size of noise and each thread. The results are bit-identical to those of
//! the square-by-square algorithm.

use core::ops::Range;

use fearless_simd::{Level, dispatch};

use super::{
    GrainRow, RowNoise, Side, between, grain,
    wanted::{BLOCK, Wanted},
};
use crate::noise;

/// Squares with fewer cells than this are narrow.
const NARROW: usize = 24;

/// The directions at the corners around each cell, and for each block of cells the row of squares they belong to.
#[derive(Debug, Clone, Default)]
pub(super) struct Corners(Vec<(Option<i32>, CornerBlock)>);

/// The eastward and southward components of the directions at the corners a, b, c and d.
type CornerBlock = [[f32; BLOCK]; 8];

impl RowNoise {
    /// Whether the squares are narrow.
    pub(super) fn is_narrow(&self) -> bool {
        self.inside.len() < NARROW * self.squares.len()
    }

    /// Like [`fill`](Self::fill), for narrow squares.
    pub(super) fn fill_narrow(&self, z: f64, scale: f32, wanted: &Wanted, row: &mut GrainRow) {
        let (corners, mut rows) = (&mut row.corners, [&mut row.value, &mut row.dx, &mut row.dz]);
        dispatch!(Level::new(), _simd => self.blocks(z, wanted, corners, #[inline(always)] |columns, u, v, corners| {
            let found = grains(u, v, scale, corners);
            for (row, found) in rows.iter_mut().zip(&found) {
                row[columns.clone()].copy_from_slice(&found[..columns.len()]);
            }
        }));
    }

    /// Like [`add`](Self::add), for narrow squares.
    pub(super) fn add_narrow(
        &self,
        z: f64,
        scale: f32,
        wanted: &Wanted,
        corners: &mut Corners,
        row: &mut [f32],
    ) {
        dispatch!(Level::new(), _simd => self.blocks(z, wanted, corners, #[inline(always)] |columns, u, v, corners| {
            let found = values(u, v, scale, corners);
            row[columns].iter_mut().zip(&found).for_each(|(value, found)| *value += found);
        }));
    }

    /// Calls `work` for each wanted block of the row at `z` with its columns, their positions within their squares, and
    /// the directions around them.
    #[inline(always)]
    fn blocks(
        &self,
        z: f64,
        wanted: &Wanted,
        corners: &mut Corners,
        mut work: impl FnMut(Range<usize>, &[f32; BLOCK], f32, &CornerBlock),
    ) {
        let (row, v) = self.row(z);
        let blocks = self.inside.len().div_ceil(BLOCK);
        corners.0.resize(blocks, (None, [[0.0; BLOCK]; 8]));
        for (number, (spread, corners)) in corners.0.iter_mut().enumerate() {
            if !wanted.block(number) {
                continue;
            }
            let start = number * BLOCK;
            let columns = start..self.inside.len().min(start + BLOCK);
            if spread.replace(row) != Some(row) {
                *corners = self.spread(row, padded(&self.corner[columns.clone()]));
            }
            let inside = padded(&self.inside[columns.clone()]);
            work(columns, &inside, v, corners);
        }
    }

    /// The directions around the cells of a block, for these square numbers and this row of squares.
    #[inline(always)]
    fn spread(&self, row: i32, squares: [i32; BLOCK]) -> CornerBlock {
        let mut corners = [[0.0; BLOCK]; 8];
        for (i, square) in squares.into_iter().enumerate() {
            for (number, (right, below)) in [(0, 0), (1, 0), (0, 1), (1, 1)].into_iter().enumerate()
            {
                let (x, z) = (square.wrapping_add(right), row.wrapping_add(below));
                let (east, south) = noise::direction(x, z, self.seed);
                corners[2 * number][i] = east;
                corners[2 * number + 1][i] = south;
            }
        }
        corners
    }
}

/// Copies a block of cells to an array of fixed length. The last block of a row may have fewer cells. The copy shows
/// the compiler that nothing overlaps.
#[inline(always)]
fn padded<T: Copy + Default>(cells: &[T]) -> [T; BLOCK] {
    let mut block = [T::default(); BLOCK];
    block[..cells.len()].copy_from_slice(cells);
    block
}

#[inline(always)]
fn grains(u: &[f32; BLOCK], v: f32, scale: f32, corners: &CornerBlock) -> [[f32; BLOCK]; 3] {
    let mut found = [[0.0; BLOCK]; 3];
    for i in 0..BLOCK {
        let (left, right) = sides(corners, i, v);
        let [value, east, south] = grain(u[i], scale, &left, &right);
        found[0][i] = value;
        found[1][i] = east;
        found[2][i] = south;
    }
    found
}

#[inline(always)]
fn values(u: &[f32; BLOCK], v: f32, scale: f32, corners: &CornerBlock) -> [f32; BLOCK] {
    let mut found = [0.0; BLOCK];
    for i in 0..BLOCK {
        let (left, right) = sides(corners, i, v);
        found[i] = scale * between(u[i], left.value, right.value);
    }
    found
}

/// The sides of the square around a cell of a block.
#[inline(always)]
fn sides([ax, az, bx, bz, cx, cz, dx, dz]: &CornerBlock, i: usize, v: f32) -> (Side, Side) {
    (
        Side::between((ax[i], az[i]), (cx[i], cz[i]), v),
        Side::between((bx[i], bz[i]), (dx[i], dz[i]), v),
    )
}
