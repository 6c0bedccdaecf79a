//! Periodic gradient noise on a square lattice.
//!
//! Problem: simplex noise cannot be made to repeat after a number of cells along both axes. Its lattice is skewed by
//! `(sqrt(3) - 1) / 2`, so a square of the plane does not contain a whole number of its triangles.
//!
//! Idea: Perlin noise has a square lattice. If a whole number of squares fits the period, their indices are taken
//! modulo that number, so that the corners on the eastern border are those on the western border. (Four-dimensional
//! noise on a torus is periodic too, but costs four times as much, and its waves have other lengths.)
//!
//! ```text
//!   a---b---c---a---b          3 squares per period
//!   |   |   |   |   |
//!   d---e---f---d---e
//! ```
//!
//! Steps, as for simplex noise and with the same slopes: find the square of the position, and the position within it;
//! get the slopes of its four corners; mix their planes by the quintic `6 t^5 - 15 t^4 + 10 t^3`.
//!
//! Cost: about that of simplex noise, evaluated at every cell. Interpolation from few cells is not possible, because
//! the third derivatives are not continuous.
//!
//! Limits: the lattice is slightly visible.
//!
//! Source: Perlin, *Improving Noise*, SIGGRAPH 2002.

use core::ops::Range;

use super::{
    simplex::{Block, linear_hash, mixed_hash, slope},
    source::{Noise, NoisePoints, Octave},
};
use crate::period;

/// Gradient noise that repeats after `cells` cells.
pub(crate) struct Periodic {
    pub(crate) cells: f64,
}

/// Scales the noise to -1 to 1. With slopes of length 1, the noise in the middle of a square is at most `sqrt(1/2)`,
/// and slopes are at most 1.0607 long, which makes 3/4. Slopes are in units of 2^-60.
const SCALE: f32 = (4.0 / 3.0) / (1_u64 << 60) as f32;

impl Noise for Periodic {
    const TOLERANCE: f64 = 0.0;

    #[inline(always)]
    fn fill(&self, octave: &Octave, points: &NoisePoints, cells: Range<usize>, values: &mut Block) {
        let step = 1.0 / octave.wavelength;
        let squares = period::waves(self.cells, octave.wavelength);
        let [x, y] = [0, 1].map(|axis| {
            let middle = [points.middle.0, points.middle.1][axis] as f64;
            let place = octave.draws.offset[axis] + middle * step;
            let square = place.floor();
            (square.rem_euclid(squares) as f32, (place - square) as f32)
        });
        let lattice = Squares {
            count: squares as f32,
            inverse: (1.0 / squares) as f32,
            hash: octave.draws.hash,
        };
        let step = step as f32;
        for k in cells {
            let place = (x.1 + points.dx[k] * step, y.1 + points.dy[k] * step);
            values[k] = lattice.noise((x.0, y.0), place);
        }
    }
}

/// The lattice of one octave.
struct Squares {
    /// The number of squares per period.
    count: f32,
    inverse: f32,
    hash: u32,
}

impl Squares {
    /// The noise at a position relative to the corner of a square.
    #[inline(always)]
    fn noise(&self, (column, row): (f32, f32), (x, y): (f32, f32)) -> f32 {
        let (across, down) = (x.floor(), y.floor());
        let (x, y) = (x - across, y - down);
        let [west, east] = self.neighbors(column + across);
        let [north, south] = self.neighbors(row + down);
        let [u, v] = [fade(x), fade(y)];
        let corner = |column: i32, row: i32, x: f32, y: f32| {
            let hash = linear_hash(column as u32, row as u32) ^ self.hash;
            let (slope_x, slope_y) = slope(mixed_hash(hash));
            slope_x * x + slope_y * y
        };
        let mix = |a: f32, b: f32, t: f32| a + t * (b - a);
        let upper = mix(
            corner(west, north, x, y),
            corner(east, north, x - 1.0, y),
            u,
        );
        let lower = mix(
            corner(west, south, x, y - 1.0),
            corner(east, south, x - 1.0, y - 1.0),
            u,
        );
        (mix(upper, lower, v) * SCALE).clamp(-1.0, 1.0)
    }

    /// The indices of a lattice line and the next one, within the period.
    #[inline(always)]
    fn neighbors(&self, line: f32) -> [i32; 2] {
        // Add half a line, so that rounding cannot cross an integer.
        let periods = ((line + 0.5) * self.inverse).floor();
        let line = line - self.count * periods;
        let next = line + 1.0;
        let next = if next < self.count { next } else { 0.0 };
        [line as i32, next as i32]
    }
}

#[inline(always)]
fn fade(t: f32) -> f32 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OctaveDraws;

    /// Also compares neighboring cells across the seam.
    #[test]
    fn noise_repeats_without_a_seam() {
        for (period, wavelength) in [(96.0, 32.0), (100.0, 100.0), (70.0, 7.0)] {
            let octave = Octave {
                draws: OctaveDraws {
                    offset: [17.3, 4000.9],
                    hash: 0xABCD_1234,
                },
                wavelength,
                weight: 1.0,
            };
            let noise = Periodic { cells: period };
            let at = |x: i64, y: i64| {
                let mut row = [0.0; 1];
                noise.add(&[octave], (x, y), &mut row, None);
                row[0]
            };
            let (mut least, mut most) = (1.0_f32, -1.0_f32);
            for k in -200..200 {
                let (z, length) = (at(k, 3 * k), period as i64);
                (least, most) = (least.min(z), most.max(z));
                for other in [at(k + length, 3 * k), at(k, 3 * k - length)] {
                    assert!((z - other).abs() < 1e-4, "{k}: {z}, {other}");
                }
                assert!(
                    (at(k + 1, 3 * k) - z).abs() < 4.0 / wavelength as f32,
                    "{wavelength}: {k}"
                );
            }
            assert!(least < -0.2 && most > 0.2, "{least} to {most}");
        }
    }
}
