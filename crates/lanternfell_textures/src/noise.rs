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
//! At a fixed height within the lattice, what two slopes above each other give is a line in x: so
//! [`Fractal::square`] blends these pairs once a row, and where each pixel lies between them is the
//! same in every row. A pixel then costs some ten operations; [`Lattice::at`], the definition, has to
//! look everything up. Both have the same bits.

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
        let (column, x) = within(u, self.across);
        let (row, y) = within(v, self.down);
        let right = if column + 1 == self.across {
            0
        } else {
            column + 1
        };
        between(
            self.pair(column, row, y),
            self.pair(right, row, y),
            x,
            quintic(x),
        )
    }

    /// What the slopes at the top and at the bottom of a column give at a height between them.
    #[inline(always)]
    fn pair(&self, column: usize, row: usize, y: f32) -> Line {
        let below = if row + 1 == self.down { 0 } else { row + 1 };
        let top = self.slopes[row * self.across + column];
        let bottom = self.slopes[below * self.across + column];
        let share = quintic(y);
        Line {
            slope: lerp(top[0], bottom[0], share),
            start: lerp(top[1] * y, bottom[1] * (y - 1.0), share),
        }
    }

    /// Where the pixels of any row lie.
    fn places(&self, size: usize) -> Vec<Across> {
        let place = |pixel: usize| {
            let (column, x) = within((pixel as f32 + 0.5) / size as f32, self.across);
            Across {
                column,
                x,
                share: quintic(x),
            }
        };
        (0..size).map(place).collect()
    }

    /// Adds the noise, times `strength`, to a row of pixels at height `v`.
    fn add_to_row(&self, v: f32, strength: f32, places: &[Across], pixels: &mut [f32]) {
        let (row, y) = within(v, self.down);
        let columns = (0..self.across).chain([0]);
        let pairs: Vec<Line> = columns.map(|column| self.pair(column, row, y)).collect();
        for (pixel, place) in pixels.iter_mut().zip(places) {
            let (left, right) = (pairs[place.column], pairs[place.column + 1]);
            *pixel += between(left, right, place.x, place.share) * strength;
        }
    }
}

/// Where a pixel lies within its row: in which column, how far, and the blend's share there.
struct Across {
    column: usize,
    x: f32,
    share: f32,
}

/// Noise along a row, as one column alone would have it.
#[derive(Clone, Copy)]
struct Line {
    slope: f32,
    start: f32,
}

/// Between a column's line and the next one's.
#[inline(always)]
fn between(left: Line, right: Line, x: f32, share: f32) -> f32 {
    let a = left.start + left.slope * x;
    let b = right.start + right.slope * (x - 1.0);
    lerp(a, b, share) * 2.0
}

/// In which of a tile's cells a place is, and how far within.
#[inline(always)]
fn within(place: f32, cells: usize) -> (usize, f32) {
    let at = (place - place.floor()) * cells as f32;
    // A number just below 1 may have been rounded up to the far edge.
    let cell = (at as usize).min(cells - 1);
    (cell, at - cell as f32)
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
        let octaves = self.0.iter();
        let octaves: Vec<_> = octaves
            .map(|(lattice, strength)| (lattice, *strength, lattice.places(size)))
            .collect();
        rows::for_each(&mut pixels, size, |y, row| {
            let v = (y as f32 + 0.5) / size as f32;
            for (lattice, strength, places) in &octaves {
                lattice.add_to_row(v, *strength, places, row);
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
