//! Simplex noise at single points, several of them at a time.
//!
//! Each point has its own [`Anchor`], so the noise is as precise as that of one point, and has the same bits. The
//! points of a row have the same `y`, but need no order and no fixed distance. So a caller can leave out points that it
//! does not need, which a block of cells does not allow.

use fearless_simd::{Level, dispatch};

use super::simplex::Anchor;

/// Below this, the integer part of a coordinate and the sum of two coordinates are exact in the lowest bits of a
/// shifted `f64`.
const NEAR: f64 = (1_u64 << 48) as f64;

/// Simplex noise at a point, from -1 to 1. The coordinates are in wavelengths. This is the noise that
/// [`FractalNoise`](crate::FractalNoise) sums.
pub fn simplex_noise(at: [f64; 2], seed: u32) -> f32 {
    Anchor::new(at, seed).noise_here()
}

/// Fills `noise` with [`simplex_noise`] at each `x` of `xs`, all with the same `y`.
///
/// The bits are those of the single points, at about a quarter of the cost. If one slice is longer, the rest of it is
/// ignored.
pub fn simplex_noise_row(xs: &[f64], y: f64, seed: u32, noise: &mut [f32]) {
    let is_near = y.abs() < NEAR && xs.iter().all(|x| x.abs() < NEAR);
    if is_near {
        dispatch!(Level::new(), _simd => fill(xs, y, seed, noise));
    } else {
        for (&x, noise) in xs.iter().zip(noise) {
            *noise = simplex_noise([x, y], seed);
        }
    }
}

/// Inlined with all its callees, so that it is compiled once for each vector width.
#[inline(always)]
fn fill(xs: &[f64], y: f64, seed: u32, noise: &mut [f32]) {
    for (&x, noise) in xs.iter().zip(noise) {
        *noise = Anchor::near([x, y], seed).noise_here();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SeededRng;

    #[test]
    fn rows_have_the_bits_of_points() {
        let mut rng = SeededRng::new(4, b"points  ");
        for far in [0.01, 1.0, 300.0, 1e6, 1e12, 1e15, 1e18] {
            let mut coordinate = || (rng.unit() - 0.5) * far;
            for count in [0, 1, 7, 64, 333] {
                let xs: Vec<f64> = (0..count).map(|_| coordinate()).collect();
                let y = coordinate();
                let mut row = vec![9.0; count];
                simplex_noise_row(&xs, y, 77, &mut row);
                let points: Vec<f32> = xs.iter().map(|&x| simplex_noise([x, y], 77)).collect();
                assert_eq!(row, points, "{far}, {count}");
            }
        }
    }
}
