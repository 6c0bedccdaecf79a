//! Heights between the cells: a Catmull-Rom spline through the surrounding 4 x 4 cells.
//!
//! ```text
//!   weight of a cell        1 |   .-.         up to 1 cell away  1 - 5/2 x^2 + 3/2 x^3
//!   at this distance          |  /   \        up to 2   2 - 4 x + 5/2 x^2 - 1/2 x^3
//!                           0 |_.     ._
//!                               '     '       The curve goes through every cell. Its
//!                            -2 -1 0 1 2      slope there is half the difference of both
//!                                             neighbors. Planes stay planes.
//! ```
//!
//! A spline overshoots slightly, so samples are clamped to the range of the map.
//!
//! Source: Catmull and Rom, *A Class of Local Interpolating Splines*, 1974; Keys, *Cubic
//! Convolution Interpolation for Digital Image Processing*, 1981.

use core::array;

use crate::{
    Heightmap,
    range::{higher, lower},
};

/// Samples a map at any position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sampler<'a> {
    map: &'a Heightmap,
    /// The last column and row.
    last: (usize, usize),
    range: (f32, f32),
}

impl<'a> Sampler<'a> {
    /// Creates a sampler of a map whose lowest and highest heights are `range`.
    pub(super) fn new(map: &'a Heightmap, range: (f32, f32)) -> Self {
        let last = (map.width() - 1, map.height() - 1);
        Self { map, last, range }
    }

    /// The height at `(x, y)`, in cells. Positions outside the map are clamped to its border.
    #[inline(always)]
    pub(super) fn bicubic(&self, x: f64, y: f64) -> f32 {
        let (column, tx) = split(x, self.last.0);
        let (row, ty) = split(y, self.last.1);
        let inside = column >= 1 && column + 2 <= self.last.0;
        let inside = inside && row >= 1 && row + 2 <= self.last.1;
        // First interpolate the four columns at y, all four in one vector.
        let mut columns = [0.0; 4];
        for (k, weight) in weights(ty).into_iter().enumerate() {
            let cells = if inside {
                self.four(column - 1, row - 1 + k)
            } else {
                self.near_border(column, row + k)
            };
            for lane in 0..4 {
                columns[lane] += weight * f64::from(cells[lane]);
            }
        }
        let [a, b, c, d] = weights(tx);
        let height = (a * columns[0] + b * columns[1]) + (c * columns[2] + d * columns[3]);
        lower(higher(height as f32, self.range.0), self.range.1)
    }

    /// Four cells of a row, starting at column `x`. All of them must be within the map.
    #[inline(always)]
    fn four(&self, x: usize, y: usize) -> [f32; 4] {
        let row = &self.map.row(y)[x..];
        *row.first_chunk()
            .expect("the caller checked that four cells are within the border")
    }

    /// Four cells of the row before `row`, starting one column before `column`. Cells beyond the
    /// border are replaced by the outermost ones.
    #[cold]
    #[inline(never)]
    fn near_border(&self, column: usize, row: usize) -> [f32; 4] {
        let row = self.map.row(row.saturating_sub(1).min(self.last.1));
        array::from_fn(|k| row[(column + k).saturating_sub(1).min(self.last.0)])
    }
}

/// The cell at or before `x`, and the distance of `x` from it.
#[inline(always)]
fn split(x: f64, last: usize) -> (usize, f64) {
    let x = x.clamp(0.0, last as f64);
    let cell = x as usize;
    (cell, x - cell as f64)
}

/// The weights of the cells at -1, 0, 1 and 2 for a position `t` from 0 to 1.
#[inline(always)]
fn weights(t: f64) -> [f64; 4] {
    [far(1.0 + t), near(t), near(1.0 - t), far(2.0 - t)]
}

/// The weight of a cell at distance `x`, from 0 to 1.
#[inline(always)]
pub(super) fn near(x: f64) -> f64 {
    1.0 + x * x * (1.5 * x - 2.5)
}

/// The weight of a cell at distance `x`, from 1 to 2.
#[inline(always)]
pub(super) fn far(x: f64) -> f64 {
    2.0 - x * (4.0 - x * (2.5 - 0.5 * x))
}
