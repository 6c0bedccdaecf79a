//! Gradient noise that repeats itself from tile to tile.
//!
//! Perlin's noise (*Improving noise*, 2002): a slope at every point of a lattice, and between four
//! of them their planes, blended by a quintic. The lattice has a whole number of cells to a tile,
//! not necessarily as many along as across, and its right edge's slopes are its left edge's:
//!
//! ```text
//!   g0 . . g1 . . g2 . . g0        what stands at the right edge
//!    :      :      :      :        is what stands at the left
//!   g3 . . g4 . . g5 . . g3
//! ```
//!
//! [`Fractal::square`] goes along rows: within a cell the four slopes stay, so each pixel costs
//! some ten operations without a branch, where [`Lattice::at`], the definition, has to look
//! everything up. Both have the same bits.

use lanternfell_random::SplitMix64;

use crate::rows;

/// One lattice of slopes.
pub(crate) struct Lattice {
    across: usize,
    down: usize,
    slopes: Vec<[f32; 2]>,
}

impl Lattice {
    /// So many cells to a tile, along its rows and down its columns.
    pub(crate) fn new(across: usize, down: usize, seed: u64) -> Self {
        let mut random = SplitMix64::new(SplitMix64::mix(seed));
        let slopes = (0..across * down).map(|_| {
            let word = random.word();
            [signed(word as u32), signed((word >> 32) as u32)]
        });
        Self {
            across,
            down,
            slopes: slopes.collect(),
        }
    }

    /// The noise at a point in tiles: 0 on average, mostly within -1 and 1.
    #[inline]
    pub(crate) fn at(&self, u: f32, v: f32) -> f32 {
        let x = (u - u.floor()) * self.across as f32;
        let y = (v - v.floor()) * self.down as f32;
        // A number just below 1 may have been rounded up to the far edge.
        let column = (x as usize).min(self.across - 1);
        let row = (y as usize).min(self.down - 1);
        self.cell(column, row).at(x - column as f32, y - row as f32)
    }

    #[inline]
    fn cell(&self, column: usize, row: usize) -> Cell {
        let right = if column + 1 == self.across {
            0
        } else {
            column + 1
        };
        let below = if row + 1 == self.down { 0 } else { row + 1 };
        let slope = |x: usize, y: usize| self.slopes[y * self.across + x];
        Cell([
            slope(column, row),
            slope(right, row),
            slope(column, below),
            slope(right, below),
        ])
    }

    /// Adds the noise, times `strength`, to a row of pixels at height `v`.
    fn add_to_row(&self, v: f32, strength: f32, pixels: &mut [f32]) {
        let y = (v - v.floor()) * self.down as f32;
        let row = (y as usize).min(self.down - 1);
        let size = pixels.len() as f32;
        let mut first = 0;
        for column in 0..self.across {
            // Up to the first pixel whose center lies in the next cell.
            let mut end = (column + 1) * pixels.len() / self.across;
            let inside = |pixel: usize| {
                (((pixel as f32 + 0.5) / size) * self.across as f32) as usize <= column
            };
            while end > first && !inside(end - 1) {
                end -= 1;
            }
            while end < pixels.len() && inside(end) {
                end += 1;
            }
            let cell = self.cell(column, row);
            for (n, pixel) in pixels[first..end].iter_mut().enumerate() {
                let u = ((first + n) as f32 + 0.5) / size;
                let x = u * self.across as f32 - column as f32;
                *pixel += cell.at(x, y - row as f32) * strength;
            }
            first = end;
        }
    }
}

/// The slopes at a cell's corners: top left, top right, bottom left, bottom right.
struct Cell([[f32; 2]; 4]);

impl Cell {
    #[inline(always)]
    fn at(&self, x: f32, y: f32) -> f32 {
        let plane = |n: usize, x: f32, y: f32| self.0[n][0] * x + self.0[n][1] * y;
        let across = quintic(x);
        let top = lerp(plane(0, x, y), plane(1, x - 1.0, y), across);
        let bottom = lerp(plane(2, x, y - 1.0), plane(3, x - 1.0, y - 1.0), across);
        lerp(top, bottom, quintic(y)) * 2.0
    }
}

/// From -1 to 1.
fn signed(word: u32) -> f32 {
    (word >> 8) as f32 * (2.0 / (1_u32 << 24) as f32) - 1.0
}

#[inline(always)]
fn quintic(t: f32) -> f32 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

#[inline(always)]
fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

/// 0 below `low`, 1 above `high`, and smoothly between.
#[inline(always)]
pub(crate) fn smooth(low: f32, high: f32, value: f32) -> f32 {
    let t = ((value - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Octaves of noise, each of twice the cells and a share of the strength.
pub(crate) struct Fractal(Vec<(Lattice, f32)>);

impl Fractal {
    /// Cells to a tile along and down of the coarsest; how many; each one's share of the last's
    /// strength.
    pub(crate) fn new(across: usize, down: usize, octaves: u32, gain: f32, seed: u64) -> Self {
        let mut strength = 1.0;
        let octave = |n: u32| {
            let lattice = Lattice::new(across << n, down << n, seed.wrapping_add(u64::from(n)));
            let octave = (lattice, strength);
            strength *= gain;
            octave
        };
        Self((0..octaves).map(octave).collect())
    }

    /// The noise at a point in tiles: 0 on average.
    #[inline]
    pub(crate) fn at(&self, u: f32, v: f32) -> f32 {
        let octaves = self.0.iter();
        octaves.fold(0.0, |sum, (lattice, strength)| {
            sum + lattice.at(u, v) * strength
        })
    }

    /// The noise at every pixel's center of a tile.
    pub(crate) fn square(&self, size: usize) -> Vec<f32> {
        let mut pixels = vec![0.0; size * size];
        rows::for_each(&mut pixels, size, |y, row| {
            let v = (y as f32 + 0.5) / size as f32;
            for (lattice, strength) in &self.0 {
                lattice.add_to_row(v, *strength, row);
            }
        });
        pixels
    }
}

/// A random number of a pixel, from 0 to 1, which has nothing to do with its neighbors'.
#[inline(always)]
pub(crate) fn speck(index: usize, seed: u64) -> f32 {
    let word = SplitMix64::mix(seed ^ (index as u64).wrapping_mul(SplitMix64::GAMMA));
    (word >> 40) as f32 * (1.0 / (1_u32 << 24) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_bits_of_the_definition() {
        for (across, down, size) in [(1, 1, 16), (3, 7, 32), (24, 5, 64), (100, 33, 64)] {
            let noise = Fractal::new(across, down, 3, 0.5, 9);
            let square = noise.square(size);
            for (index, &fast) in square.iter().enumerate() {
                let center = |n: usize| (n as f32 + 0.5) / size as f32;
                let slow = noise.at(center(index % size), center(index / size));
                assert_eq!(fast.to_bits(), slow.to_bits(), "{across} {down} {index}");
            }
        }
    }

    #[test]
    fn tiles_meet() {
        let noise = Fractal::new(5, 3, 2, 0.5, 1);
        for n in 0..100 {
            let along = n as f32 / 64.0;
            assert!((noise.at(along, 0.0) - noise.at(along, 0.999_999_9)).abs() < 1e-4);
            assert!((noise.at(0.0, along) - noise.at(0.999_999_9, along)).abs() < 1e-4);
            assert_eq!(noise.at(along, 0.25), noise.at(along - 3.0, 2.25));
        }
    }

    #[test]
    fn noise_is_even_and_specks_are_spread() {
        let square = Fractal::new(32, 32, 1, 0.5, 4).square(256);
        let mean = square.iter().sum::<f32>() / square.len() as f32;
        let square_mean = square.iter().map(|n| n * n).sum::<f32>() / square.len() as f32;
        assert!(mean.abs() < 0.02, "{mean}");
        assert!((0.3..0.6).contains(&square_mean.sqrt()), "{square_mean}");
        let mean = (0..10_000).map(|n| speck(n, 5)).sum::<f32>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.02, "{mean}");
    }
}
