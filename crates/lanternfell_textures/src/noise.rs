//! Gradient noise on a seamless tile.
//!
//! Perlin noise (*Improving noise*, 2002): each point of a lattice has a slope, and the planes of
//! the four points around a position are blended by a quintic. The tile has a whole number of
//! lattice cells, which may differ across and down. The slopes at its right edge are those at its
//! left edge:
//!
//! ```text
//!   g0 . . g1 . . g2 . . g0        the right edge
//!    :      :      :      :        repeats the left edge
//!   g3 . . g4 . . g5 . . g3
//! ```
//!
//! At a fixed height within a lattice row, the blend of two slopes, one above the other, is linear
//! in x. So [`Fractal::square`] blends these pairs once per row, and the horizontal position of
//! each pixel is the same in every row. A pixel then costs about ten operations, while
//! [`Lattice::at`], the definition, looks everything up. Both return the same bits.

use lanternfell_random::SplitMix64;

use crate::rows;

/// One lattice of slopes.
pub(crate) struct Lattice {
    across: usize,
    down: usize,
    slopes: Vec<[f32; 2]>,
}

impl Lattice {
    /// Creates a lattice with this number of cells across and down the tile.
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

    /// Returns the noise at a position in tile coordinates: 0 on average, mostly between -1 and 1.
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

    /// Blends the slopes at the top and the bottom of a column, at a height between them.
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

    /// Returns the horizontal positions of the pixels in any row.
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

/// The horizontal position of a pixel: the column, the position in it, and the weight of the blend.
struct Across {
    column: usize,
    x: f32,
    share: f32,
}

/// The noise along a row from one column of slopes alone, which is linear.
#[derive(Clone, Copy)]
struct Line {
    slope: f32,
    start: f32,
}

/// Blends the lines of a column and the next one.
#[inline(always)]
fn between(left: Line, right: Line, x: f32, share: f32) -> f32 {
    let a = left.start + left.slope * x;
    let b = right.start + right.slope * (x - 1.0);
    lerp(a, b, share) * 2.0
}

/// Returns the cell of a tile coordinate, and the position in the cell.
#[inline(always)]
fn within(place: f32, cells: usize) -> (usize, f32) {
    let at = (place - place.floor()) * cells as f32;
    // A number just below 1 may be rounded up to the far edge.
    let cell = (at as usize).min(cells - 1);
    (cell, at - cell as f32)
}

/// Converts a random word to a number from -1 to 1.
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

/// Smoothstep: 0 below `low`, 1 above `high`.
#[inline(always)]
pub(crate) fn smooth(low: f32, high: f32, value: f32) -> f32 {
    let t = ((value - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Several octaves of noise. Each has twice the cells of the one before and a fraction of its
/// strength.
pub(crate) struct Fractal(Vec<(Lattice, f32)>);

impl Fractal {
    /// Creates the octaves. `across` and `down` are the cells of the coarsest octave, `gain` is the
    /// factor of the strength from one octave to the next.
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

    /// Returns the noise at a position in tile coordinates: 0 on average.
    #[inline]
    pub(crate) fn at(&self, u: f32, v: f32) -> f32 {
        let octaves = self.0.iter();
        octaves.fold(0.0, |sum, (lattice, strength)| {
            sum + lattice.at(u, v) * strength
        })
    }

    /// Returns the noise at the center of each pixel of a tile.
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

/// Returns a random number of a pixel, from 0 to 1, independent of its neighbors.
#[inline(always)]
pub(crate) fn speck(index: usize, seed: u64) -> f32 {
    let word = SplitMix64::mix(seed ^ (index as u64).wrapping_mul(SplitMix64::GAMMA));
    (word >> 40) as f32 * (1.0 / (1_u32 << 24) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_match_definition() {
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
    fn noise_is_seamless() {
        let noise = Fractal::new(5, 3, 2, 0.5, 1);
        for n in 0..100 {
            let along = n as f32 / 64.0;
            assert!((noise.at(along, 0.0) - noise.at(along, 0.999_999_9)).abs() < 1e-4);
            assert!((noise.at(0.0, along) - noise.at(0.999_999_9, along)).abs() < 1e-4);
            assert_eq!(noise.at(along, 0.25), noise.at(along - 3.0, 2.25));
        }
    }

    #[test]
    fn noise_and_specks_have_expected_mean() {
        let square = Fractal::new(32, 32, 1, 0.5, 4).square(256);
        let mean = square.iter().sum::<f32>() / square.len() as f32;
        let square_mean = square.iter().map(|n| n * n).sum::<f32>() / square.len() as f32;
        assert!(mean.abs() < 0.02, "{mean}");
        assert!((0.3..0.6).contains(&square_mean.sqrt()), "{square_mean}");
        let mean = (0..10_000).map(|n| speck(n, 5)).sum::<f32>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.02, "{mean}");
    }
}
