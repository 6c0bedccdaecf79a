//! What is broad is taken out, so that a tile's repetition does not show.
//!
//! A bright corner in a tile is a grid of bright spots on a hillside. So heights and tones are
//! leveled at the tile's own scale: averages over a coarse grid, smoothly between their middles,
//! are what should be the same everywhere. Differences within a cell of the grid stay.
//!
//! ```text
//!   tone      ˏ-^-ˎ_.^ˎ.-ˏ-^ˎ      coarse  ´¯`-_.-´¯`
//!   less what is coarse  ^ˎ.-ˏ-^ˎ.-ˏ-^ˎ
//! ```
//!
//! Between middles goes a quadratic spline, whose slope has no creases: they would be seen in normals.
//! It is smoother than the averages are, so once is not all. Three times leave some hundredths.

use crate::color::{Rgb, luminance, scale};

/// The most cells of the grid, a side.
const GRID: usize = 16;

/// The fewest pixels of a cell, a side.
const LEAST: usize = 8;

/// How often.
const PASSES: u32 = 3;

/// Averages over a coarse grid, a number between their middles.
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

    /// The row of averages at a pixel's row, smoothly between the three nearest.
    fn row(&self, y: usize) -> Vec<f32> {
        let (lines, weights) = self.between(y);
        let cells = |line: usize| self.averages[line * self.grid..][..self.grid].iter();
        let three = cells(lines[0]).zip(cells(lines[1])).zip(cells(lines[2]));
        let blend =
            |((a, b), c): ((&f32, &f32), &f32)| a * weights[0] + b * weights[1] + c * weights[2];
        three.map(blend).collect()
    }

    /// The grid's three lines around a pixel's, and their weights: a quadratic B-spline's.
    fn between(&self, pixel: usize) -> ([usize; 3], [f32; 3]) {
        let at = (pixel as f32 + 0.5) * self.grid as f32 / self.size as f32;
        let line = (at as usize).min(self.grid - 1);
        let x = at - line as f32;
        let lines = [line + self.grid - 1, line, line + 1].map(|line| line % self.grid);
        let (before, after) = (0.5 * (1.0 - x) * (1.0 - x), 0.5 * x * x);
        (lines, [before, 1.0 - before - after, after])
    }

    /// Calls `work(index, coarse value)` for every pixel.
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

/// Takes what is broad out of heights; their average becomes 0.
pub(crate) fn level_heights(heights: &mut [f32], size: usize) {
    for _ in 0..PASSES {
        let coarse = Coarse::of(|index| heights[index], size);
        coarse.for_each(|index, broad| heights[index] -= broad);
    }
}

/// Makes what is broadly dark as bright as the rest.
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
    fn what_is_broad_goes_and_what_is_fine_stays() {
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
    fn a_shaded_half_becomes_as_bright() {
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
