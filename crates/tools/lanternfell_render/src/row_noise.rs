//! Plane gradient noise along the rows of a map: the noise of `noise.rs` at a few operations per cell.
//!
//! Problem: the view from above needs several sizes of noise for every cell, each with its slope. Evaluating them point
//! by point dominates the render time: each point takes four hashes and sixteen products.
//!
//! Idea: along a row only `u` changes, the position within a lattice square. The left and the right side of the square
//! are constant for all its cells. The corner ramps, blended along `v`, are straight lines in `u`:
//!
//! ```text
//!   a ---------- b      left(u)  = blend of a's and c's ramps:  l0 + l1 u
//!   |  . . . .   | v    right(u) = blend of b's and d's ramps:  r0 + r1 (u - 1)
//!   c ---------- d      noise    = left + quintic(u) (right - left)
//! ```
//!
//! The two slopes are blends of the same kind. The position of each column within its square is the same for all rows
//! and is computed once. Narrow squares use another algorithm (`narrow.rs`).

mod narrow;
mod sum;
mod wanted;

use core::ops::Range;

use fearless_simd::{Level, dispatch};

use crate::{
    material::{NoiseSize, visible},
    noise::{self, REACH, quintic, quintic_slope},
};

pub(super) use self::{
    sum::{NoiseSum, SumRow},
    wanted::{BLOCK, Wanted},
};

/// One size of noise over all rows of a map.
pub(super) struct RowNoise {
    per_unit: f64,
    seed: u32,
    /// The visible share of this noise, from 0 to 1.
    shown: f32,
    /// The square of each column, and the position within it.
    corner: Vec<i32>,
    inside: Vec<f32>,
    /// The columns of each square from west to east, and the number of the first square.
    squares: Vec<Range<usize>>,
    first: i32,
}

/// A row of noise.
#[derive(Debug, Clone, Default)]
pub(super) struct GrainRow {
    pub(super) value: Vec<f32>,
    /// Eastward change of the value per feature width.
    pub(super) dx: Vec<f32>,
    /// Southward change of the value per feature width.
    pub(super) dz: Vec<f32>,
    corners: narrow::Corners,
}

impl GrainRow {
    pub(super) fn new(width: usize) -> Self {
        let row = vec![0.0; width];
        Self {
            value: row.clone(),
            dx: row.clone(),
            dz: row,
            corners: narrow::Corners::default(),
        }
    }
}

/// One side of a lattice square: its noise, and the change of that along `v`, as straight lines in the distance from
/// the side.
pub(super) struct Side {
    pub(super) value: (f32, f32),
    change: (f32, f32),
}

impl RowNoise {
    /// Noise at the columns `x` in world units, where a pixel covers `footprint` world units.
    pub(super) fn new((per_unit, seed): NoiseSize, x: &[f64], footprint: f64) -> Self {
        let shown = visible(1.0 / per_unit, footprint);
        let x = if shown > 0.0 { x } else { &[] };
        let corners: Vec<f64> = x.iter().map(|x| libm::floor(x * per_unit)).collect();
        let inside = x.iter().zip(&corners);
        let inside = inside.map(|(x, corner)| (x * per_unit - corner) as f32);
        let mut squares: Vec<Range<usize>> = Vec::new();
        let first = corners.first().map_or(0, |corner| *corner as i32);
        for (column, corner) in corners.iter().enumerate() {
            // Squares without a column between two squares with columns are empty.
            while (first + squares.len() as i32) <= *corner as i32 {
                squares.push(column..column);
            }
            if let Some(square) = squares.last_mut() {
                square.end = column + 1;
            }
        }
        Self {
            per_unit,
            seed,
            shown,
            corner: corners.iter().map(|&corner| corner as i32).collect(),
            inside: inside.collect(),
            squares,
            first,
        }
    }

    /// Writes the noise of the row at `z` world units, times `strength`, to the wanted blocks. Writes nothing if the
    /// noise is too fine to be visible.
    pub(super) fn fill(&self, z: f64, strength: f32, wanted: &Wanted, row: &mut GrainRow) {
        let scale = strength * self.shown * REACH;
        if self.is_narrow() {
            self.fill_narrow(z, scale, wanted, row);
            return;
        }
        dispatch!(Level::new(), _simd => self.each(z, wanted, #[inline(always)] |columns, left, right| {
            let u = &self.inside[columns.clone()];
            let value = &mut row.value[columns.clone()];
            let (dx, dz) = (&mut row.dx[columns.clone()], &mut row.dz[columns]);
            grains(u, scale, left, right, value, dx, dz);
        }));
    }

    /// Adds the noise of the row at `z` world units, times `strength`, to the wanted blocks.
    fn add(
        &self,
        z: f64,
        strength: f32,
        wanted: &Wanted,
        corners: &mut narrow::Corners,
        row: &mut [f32],
    ) {
        let scale = strength * self.shown;
        if self.is_narrow() {
            self.add_narrow(z, scale, wanted, corners, row);
            return;
        }
        dispatch!(Level::new(), _simd => self.each(z, wanted, #[inline(always)] |columns, left, right| {
            let u = &self.inside[columns.clone()];
            values(u, scale, left, right, &mut row[columns]);
        }));
    }

    /// The row of squares at `z`, and the position within it.
    fn row(&self, z: f64) -> (i32, f32) {
        let at = z * self.per_unit;
        let corner = libm::floor(at);
        (corner as i32, (at - corner) as f32)
    }

    /// Calls `work` with the wanted columns of each square of the row, block by block, and with the two sides of the
    /// square.
    #[inline(always)]
    fn each(&self, z: f64, wanted: &Wanted, mut work: impl FnMut(Range<usize>, &Side, &Side)) {
        let (row, v) = self.row(z);
        let side = |square: usize| side(self.first.wrapping_add(square as i32), row, v, self.seed);
        // The right side of the previous square, if it was computed.
        let mut last = None;
        for (number, columns) in self.squares.iter().enumerate() {
            let left = last.take();
            if !wanted.any(columns) {
                continue;
            }
            let (left, right) = (left.unwrap_or_else(|| side(number)), side(number + 1));
            for columns in wanted.parts(columns) {
                work(columns, &left, &right);
            }
            last = Some(right);
        }
    }
}

/// The side between the lattice corners `(x, z)` and `(x, z + 1)` at `v`.
#[inline(always)]
pub(super) fn side(x: i32, z: i32, v: f32, seed: u32) -> Side {
    let north = noise::direction(x, z, seed);
    let south = noise::direction(x, z.wrapping_add(1), seed);
    Side::between(north, south, v)
}

impl Side {
    /// The side at `v` between corners with these directions.
    #[inline(always)]
    fn between((ax, az): (f32, f32), (cx, cz): (f32, f32), v: f32) -> Self {
        let (share, rate) = (quintic(v), quintic_slope(v));
        let (above, below) = (az * v, cz * (v - 1.0));
        Self {
            value: (above + share * (below - above), ax + share * (cx - ax)),
            change: (
                az + share * (cz - az) + rate * (below - above),
                rate * (cx - ax),
            ),
        }
    }
}

/// The noise at `u` between the values of two sides.
#[inline(always)]
pub(super) fn between(u: f32, left: (f32, f32), right: (f32, f32)) -> f32 {
    let (a, b) = ends(u, left, right);
    REACH * (a + quintic(u) * (b - a))
}

#[inline(always)]
fn values(u: &[f32], scale: f32, left: &Side, right: &Side, row: &mut [f32]) {
    for (&u, value) in u.iter().zip(row) {
        *value += scale * between(u, left.value, right.value);
    }
}

#[inline(always)]
fn grains(
    u: &[f32],
    scale: f32,
    left: &Side,
    right: &Side,
    value: &mut [f32],
    dx: &mut [f32],
    dz: &mut [f32],
) {
    let row = u.iter().zip(value).zip(dx.iter_mut().zip(dz));
    for ((&u, value), (dx, dz)) in row {
        [*value, *dx, *dz] = grain(u, scale, left, right);
    }
}

/// The noise at `u` between two sides, and its eastward and southward change.
#[inline(always)]
fn grain(u: f32, scale: f32, left: &Side, right: &Side) -> [f32; 3] {
    let (share, rate) = (quintic(u), quintic_slope(u));
    let (a, b) = ends(u, left.value, right.value);
    let (c, d) = ends(u, left.change, right.change);
    let along = left.value.1 + share * (right.value.1 - left.value.1);
    [
        scale * (a + share * (b - a)),
        scale * (along + rate * (b - a)),
        scale * (c + share * (d - c)),
    ]
}

/// The values at `u` of the lines from the left and from the right side.
#[inline(always)]
fn ends(u: f32, left: (f32, f32), right: (f32, f32)) -> (f32, f32) {
    (left.0 + left.1 * u, right.0 + right.1 * (u - 1.0))
}

#[cfg(test)]
mod tests {
    use glam::DVec2;

    use super::*;

    #[test]
    fn rows_match_point_noise() {
        for (per_unit, width) in [(7.0, 300_usize), (44.0, 97), (420.0, 301), (0.3, 5)] {
            let x: Vec<f64> = (0..width).map(|x| x as f64 / 300.0 - 0.5).collect();
            // A tiny footprint, so that squares narrower than a column are included too.
            let noise = RowNoise::new((per_unit, 33), &x, 1e-9);
            for z in [-0.5, -0.123, 0.0, 0.2, 0.499] {
                let mut row = GrainRow::new(width);
                noise.fill(z, 1.0, &Wanted::all(width), &mut row);
                let sum = NoiseSum::new(&[((per_unit, 33), 0.5), ((per_unit, 33), 1.5)], &x, 1e-9);
                let mut sums = sum.row(width);
                sum.fill(z + 0.1, &Wanted::all(width), &mut sums);
                sum.fill(z, &Wanted::all(width), &mut sums);
                for (column, &x) in x.iter().enumerate() {
                    let expected = noise::grain(DVec2::new(x, z) * per_unit, 33);
                    let off = (row.value[column] - expected.value).abs();
                    let off = off.max((row.dx[column] - expected.dx).abs());
                    let off = off.max((row.dz[column] - expected.dz).abs());
                    assert!(off < 1e-5, "{per_unit}: {off} at {x}, {z}");
                    assert!((sums.value[column] - 2.0 * expected.value).abs() < 1e-5);
                }
            }
        }
    }

    #[test]
    fn narrow_and_wide_squares_agree() {
        for (per_unit, width) in [(1300.0, 4096_usize), (420.0, 3999), (700.0, 70)] {
            let x: Vec<f64> = (0..width).map(|x| x as f64 / 4096.0 - 0.5).collect();
            let noise = RowNoise::new((per_unit, 37), &x, 1e-9);
            assert!(noise.is_narrow());
            let (mut narrow, mut wide) = (GrainRow::new(width), GrainRow::new(width));
            for y in 0..200 {
                let z = f64::from(y) / 4096.0 - 0.3;
                noise.fill(z, 0.8, &Wanted::all(width), &mut narrow);
                noise.each(z, &Wanted::all(width), |columns, left, right| {
                    for column in columns {
                        let u = noise.inside[column];
                        let found = grain(u, 0.8 * REACH, left, right);
                        [wide.value[column], wide.dx[column], wide.dz[column]] = found;
                    }
                });
                let same = narrow.value == wide.value && narrow.dx == wide.dx;
                assert!(same && narrow.dz == wide.dz, "{per_unit}, {y}");
            }
        }
    }

    #[test]
    fn changes_wanted_blocks_only() {
        let width = 1000;
        let x: Vec<f64> = (0..width).map(|x| x as f64 / 1000.0 - 0.5).collect();
        for per_unit in [3.0, 12.0, 420.0] {
            let noise = RowNoise::new((per_unit, 33), &x, 1e-9);
            let (mut all, mut some) = (GrainRow::new(width), GrainRow::new(width));
            let sum = NoiseSum::new(&[((per_unit, 33), 1.0)], &x, 1e-9);
            let (mut all_sums, mut some_sums) = (sum.row(width), sum.row(width));
            let mut part = Wanted::all(width);
            part.set_each(|block| block % 3 == 1);
            noise.fill(0.1, 1.0, &Wanted::all(width), &mut all);
            noise.fill(0.1, 1.0, &part, &mut some);
            sum.fill(0.1, &Wanted::all(width), &mut all_sums);
            sum.fill(0.1, &part, &mut some_sums);
            for column in 0..width {
                let is_wanted = part.block(column / BLOCK);
                let expected = |all: f32| if is_wanted { all } else { 0.0 };
                assert_eq!(some.value[column], expected(all.value[column]));
                assert_eq!(some.dz[column], expected(all.dz[column]));
                assert_eq!(some_sums.value[column], expected(all_sums.value[column]));
            }
            assert!(all_sums.value[..BLOCK].iter().any(|&value| value != 0.0));
        }
    }

    #[test]
    fn skips_noise_finer_than_a_pixel() {
        let noise = RowNoise::new((500.0, 1), &[0.1, 0.2], 0.01);
        let mut row = GrainRow::new(2);
        noise.fill(0.3, 1.0, &Wanted::all(2), &mut row);
        assert_eq!(row.value, [0.0; 2]);
    }
}
