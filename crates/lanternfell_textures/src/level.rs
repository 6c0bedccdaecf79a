//! Removes large-scale differences, so that the repetition of a tile is not visible.
//!
//! A bright corner in a tile becomes a grid of bright spots on a hillside. So heights and tones are
//! leveled at the scale of the tile: the averages over a coarse grid, interpolated between the cell
//! centers, are made equal everywhere. Differences within a grid cell stay.
//!
//! ```text
//!   tone             ˏ-^-ˎ_.^ˎ.-ˏ-^ˎ      coarse  ´¯`-_.-´¯`
//!   tone - coarse    ^ˎ.-ˏ-^ˎ.-ˏ-^ˎ
//! ```
//!
//! The interpolation is a quadratic spline. It has no creases in its slope, which would be visible
//! in the normals. But it is smoother than the averages, so a single pass is not enough. After
//! three passes, a few percent of the differences are left.

use crate::color::{Rgb, luminance, scale};

/// The maximum number of grid cells per side.
const GRID: usize = 16;

/// The minimum number of pixels per side of a cell.
const LEAST: usize = 8;

/// The number of passes.
const PASSES: u32 = 3;

/// Averages over a coarse grid.
struct Coarse {
    size: usize,
    grid: usize,
    averages: Vec<f32>,
}

impl Coarse {
    fn of(value: impl Fn(usize) -> f32, size: usize) -> Self {
        let grid = GRID.min(size / LEAST);
        let side = size / grid;
        let mut averages = vec![0.0_f64; grid * grid];
        for y in 0..size {
            let cells = &mut averages[y / side * grid..][..grid];
            for (n, cell) in cells.iter_mut().enumerate() {
                let first = y * size + n * side;
                *cell += f64::from((first..first + side).map(&value).sum::<f32>());
            }
        }
        let share = 1.0 / (side * side) as f64;
        let averages = averages.iter().map(|sum| (sum * share) as f32);
        Self {
            size,
            grid,
            averages: averages.collect(),
        }
    }

    fn mean(&self) -> f32 {
        self.averages.iter().sum::<f32>() / self.averages.len() as f32
    }

    /// Returns the averages at a row of pixels, interpolated between the three nearest grid rows.
    fn row(&self, y: usize) -> Vec<f32> {
        let (lines, weights) = self.between(y);
        let cells = |line: usize| self.averages[line * self.grid..][..self.grid].iter();
        let three = cells(lines[0]).zip(cells(lines[1])).zip(cells(lines[2]));
        let blend =
            |((a, b), c): ((&f32, &f32), &f32)| a * weights[0] + b * weights[1] + c * weights[2];
        three.map(blend).collect()
    }

    /// Returns the three grid lines around a pixel and their weights, those of a quadratic
    /// B-spline.
    fn between(&self, pixel: usize) -> ([usize; 3], [f32; 3]) {
        let at = (pixel as f32 + 0.5) * self.grid as f32 / self.size as f32;
        let line = (at as usize).min(self.grid - 1);
        let x = at - line as f32;
        let lines = [line + self.grid - 1, line, line + 1].map(|line| line % self.grid);
        let (before, after) = (0.5 * (1.0 - x) * (1.0 - x), 0.5 * x * x);
        (lines, [before, 1.0 - before - after, after])
    }

    /// Calls `work(index, coarse value)` for each pixel.
    fn for_each(&self, mut work: impl FnMut(usize, f32)) {
        let columns: Vec<_> = (0..self.size).map(|x| self.between(x)).collect();
        for y in 0..self.size {
            let row = self.row(y);
            for (x, (lines, weights)) in columns.iter().enumerate() {
                let coarse = row[lines[0]] * weights[0]
                    + row[lines[1]] * weights[1]
                    + row[lines[2]] * weights[2];
                work(y * self.size + x, coarse);
            }
        }
    }
}

/// Removes large-scale height differences. The mean becomes 0.
pub(crate) fn level_heights(heights: &mut [f32], size: usize) {
    for _ in 0..PASSES {
        let coarse = Coarse::of(|index| heights[index], size);
        coarse.for_each(|index, broad| heights[index] -= broad);
    }
}

/// Removes large-scale brightness differences.
pub(crate) fn level_tones(colors: &mut [Rgb], size: usize) {
    for _ in 0..PASSES {
        let coarse = Coarse::of(|index| luminance(colors[index]), size);
        let mean = coarse.mean();
        coarse.for_each(|index, broad| {
            let gain = (mean / broad.max(1e-4)).clamp(0.5, 2.0);
            colors[index] = scale(colors[index], gain);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removes_large_scale_and_keeps_fine_differences() {
        let size = 128;
        let wave = |n: usize, times: f32| {
            libm::sinf(n as f32 * times * core::f32::consts::TAU / size as f32)
        };
        let mut broad: Vec<f32> = (0..size * size).map(|n| wave(n % size, 2.0)).collect();
        level_heights(&mut broad, size);
        assert!(broad.iter().all(|height| height.abs() < 0.05));
        let mut fine: Vec<f32> = (0..size * size).map(|n| wave(n / size, 32.0)).collect();
        let before = fine.clone();
        level_heights(&mut fine, size);
        let change = fine.iter().zip(&before).map(|(a, b)| (a - b).abs());
        assert!(change.fold(0.0, f32::max) < 0.05);
    }

    #[test]
    fn darker_half_becomes_equally_bright() {
        let size = 64;
        let shade = |n: usize| if n % size < size / 2 { 0.2 } else { 0.3 };
        let mut colors: Vec<_> = (0..size * size).map(|n| [shade(n); 3]).collect();
        level_tones(&mut colors, size);
        let at = |x: usize| colors[size + x][0];
        assert!(
            (at(16) / at(48) - 1.0).abs() < 0.06,
            "{} {}",
            at(16),
            at(48)
        );
    }
}
