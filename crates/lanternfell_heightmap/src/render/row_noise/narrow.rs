//! Noise whose squares are only some cells wide.
//!
//! Problem: two straight lines hold for one square of the lattice. Of three or ten cells in it no vector
//! can be made, and the lines cost more to make than to use.
//!
//! Idea: all rows of cells that cross one row of squares see the same directions at their corners. So the
//! four directions around each cell are spread over the cells once for each row of squares; then a row of cells
//! is one loop without a branch.
//!
//! Memory: eight numbers for each column, for each size of noise and each thread. The bits are those that
//! square by square gives.

use fearless_simd::{Level, dispatch};

use super::{
    GrainRow, RowNoise, Side, grain,
    wanted::{BLOCK, Wanted},
};
use crate::render::noise;

/// Squares that are narrower, in cells, are narrow.
const NARROW: usize = 24;

/// The directions at the corners around each cell, of one row of squares.
#[derive(Debug, Clone, Default)]
pub(super) struct Corners {
    /// Which row.
    row: Option<i32>,
    blocks: Vec<CornerBlock>,
}

/// Of the corners a, b, c and d, the parts to the east and to the south.
type CornerBlock = [[f32; BLOCK]; 8];

impl RowNoise {
    /// Whether squares are so narrow.
    pub(super) fn is_narrow(&self) -> bool {
        self.inside.len() < NARROW * self.squares.len()
    }

    /// As [`fill`](Self::fill), of narrow squares.
    pub(super) fn fill_narrow(&self, z: f64, scale: f32, wanted: &Wanted, row: &mut GrainRow) {
        let (number, v) = self.row(z);
        if row.corners.row != Some(number) {
            self.spread(number, &mut row.corners);
        }
        dispatch!(Level::new(), _simd => self.blocks(v, scale, wanted, row));
    }

    /// Spreads the directions along a row of squares over the cells.
    fn spread(&self, row: i32, corners: &mut Corners) {
        corners.row = Some(row);
        let blocks = self.inside.len().div_ceil(BLOCK);
        corners.blocks.resize(blocks, [[0.0; BLOCK]; 8]);
        let side = |square: usize| {
            let x = self.first.wrapping_add(square as i32);
            let (ax, az) = noise::direction(x, row, self.seed);
            let (cx, cz) = noise::direction(x, row.wrapping_add(1), self.seed);
            [ax, az, cx, cz]
        };
        let mut left = side(0);
        for (square, columns) in self.squares.iter().enumerate() {
            let right = side(square + 1);
            let directions = [
                left[0], left[1], right[0], right[1], left[2], left[3], right[2], right[3],
            ];
            for column in columns.clone() {
                let block = &mut corners.blocks[column / BLOCK];
                for (parts, direction) in block.iter_mut().zip(directions) {
                    parts[column % BLOCK] = direction;
                }
            }
            left = right;
        }
    }

    #[inline(always)]
    fn blocks(&self, v: f32, scale: f32, wanted: &Wanted, row: &mut GrainRow) {
        let rows = [&mut row.value, &mut row.dx, &mut row.dz];
        let [values, dxs, dzs] = rows.map(|row| row.chunks_mut(BLOCK));
        let us = self.inside.chunks(BLOCK).zip(&row.corners.blocks);
        let rows = us.zip(values).zip(dxs.zip(dzs)).enumerate();
        for (number, (((u, corners), value), (dx, dz))) in rows {
            if !wanted.block(number) {
                continue;
            }
            // Of a fixed length, and copied: so the compiler knows that they do not overlap.
            let mut inside = [0.0; BLOCK];
            inside[..u.len()].copy_from_slice(u);
            let found = block(&inside, v, scale, corners);
            let rows = [value, dx, dz];
            for (row, found) in rows.into_iter().zip(&found) {
                row[..u.len()].copy_from_slice(&found[..u.len()]);
            }
        }
    }
}

#[inline(always)]
fn block(u: &[f32; BLOCK], v: f32, scale: f32, corners: &CornerBlock) -> [[f32; BLOCK]; 3] {
    let mut found = [[0.0; BLOCK]; 3];
    let [ax, az, bx, bz, cx, cz, dx, dz] = corners;
    for i in 0..BLOCK {
        let left = Side::between((ax[i], az[i]), (cx[i], cz[i]), v);
        let right = Side::between((bx[i], bz[i]), (dx[i], dz[i]), v);
        let [value, east, south] = grain(u[i], scale, &left, &right);
        found[0][i] = value;
        found[1][i] = east;
        found[2][i] = south;
    }
    found
}
