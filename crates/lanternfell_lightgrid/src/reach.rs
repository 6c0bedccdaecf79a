//! How far light reaches on open ground, and the decay for a given radius.
//!
//! # The problem
//!
//! The automaton has a decay per step, but designers think of a radius in cells. Without a
//! conversion they would have to guess the decay.
//!
//! # The idea
//!
//! On infinite open ground the settled light around one held cell is the Green function of the
//! lattice. Let `p(k)` be the response of the average to a wave with wave numbers `k`, `d` the
//! decay and `q = 1 - d`. Then
//!
//! ```text
//! G(x, y) = 1/(2 pi)^2 ∫∫ cos(kx x) cos(ky y) / (1 - q p(k)) dkx dky,   light = G(x, y) / G(0, 0)
//! ```
//!
//! All neighborhoods are symmetric and reach at most one cell far. Therefore the denominator is
//! `A - B cos ky`, where `A` and `B` depend only on `kx`, and the inner integral is known:
//! `1/sqrt(A^2 - B^2)` for y = 0, times `(A - sqrt(A^2 - B^2)) / B` for y = 1. The outer integral
//! is over a full period of a smooth function, where the midpoint rule converges exponentially. The
//! decay for a radius is then found by bisection.
//!
//! On hexagons, in coordinates along two of the axes, `p` has a third cosine, of `kx - ky`.
//! Together with that of `ky` it is `2 cos(kx / 2) cos(ky - kx / 2)`. Along an axis the inner
//! integral is therefore the same with another `B`. All neighbors are on axes, so no other values
//! are needed.
//!
//! # Cost
//!
//! One value takes some tens of cosines per cell of the radius. Solving for a radius of 12 cells
//! takes well below a millisecond. The tests compare the results with the automaton.
//!
//! Source: lattice Green functions, for instance Economou, *Green's Functions in Quantum Physics*,
//! chapter 5.

use core::f64::consts::PI;

use crate::neighborhood::{Lattice, Neighborhood};

/// The light at which the radius of a source of strength 1 ends: 1/64. On an ordinary screen it is
/// just above black.
pub const RADIUS_CUTOFF: f32 = 1.0 / 64.0;

/// Below this decay, light reaches further than any grid is wide.
const ENDLESS: f64 = 1e-7;

/// The settled light around one source of strength 1 on endless open ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct OpenGround {
    neighborhood: Neighborhood,
    decay: f64,
    /// The integral `G(0, 0)` at the source.
    source: f64,
}

impl OpenGround {
    pub(crate) fn new(neighborhood: Neighborhood, decay: f32) -> Self {
        let mut ground = Self {
            neighborhood,
            decay: f64::from(decay),
            source: 1.0,
        };
        ground.source = ground.green(0, false);
        ground
    }

    /// The light at a distance of `x` cells from the source along an axis.
    pub(crate) fn along(&self, x: u32) -> f32 {
        self.light(x, false)
    }

    /// The light one cell away, along an axis and along a diagonal. All neighbors of a hexagon are
    /// on an axis.
    pub(crate) fn adjacent_light(&self) -> (f32, f32) {
        if self.neighborhood.is_hexagonal() {
            let axial = self.along(1);
            return (axial, axial);
        }
        (self.light(1, false), self.light(1, true))
    }

    fn light(&self, x: u32, next_row: bool) -> f32 {
        if x == 0 {
            return 1.0;
        }
        if self.decay < ENDLESS {
            return 1.0;
        }
        if self.decay >= 1.0 {
            return 0.0;
        }
        (self.green(x, next_row) / self.source).clamp(0.0, 1.0) as f32
    }

    /// `G(x, 0)`, or `G(x, 1)` if `next_row`. The number of samples grows with the distance at
    /// which light fades out.
    fn green(&self, x: u32, next_row: bool) -> f64 {
        let lattice = self.neighborhood.lattice();
        let (own, all) = lattice.own_and_all();
        let (edge, all) = (f64::from(own), f64::from(all));
        let share = (1.0 - self.decay) / all;
        // Light fades by about sqrt(decay / 0.25) per cell, and e^-20 is negligible.
        let samples = (20.0 / (2.0 * self.decay.max(ENDLESS).sqrt())) as usize;
        let samples = samples.min(20_000) + 32 + 2 * x as usize;
        let mut sum = 0.0;
        for sample in 0..samples {
            let k = PI * (sample as f64 + 0.5) / samples as f64;
            let cos = libm::cos(k);
            let a = 1.0 - share * edge * (1.0 + 2.0 * cos);
            let b = match lattice {
                Lattice::Square { corner, .. } => {
                    share * (2.0 * edge + 4.0 * f64::from(corner) * cos)
                }
                Lattice::Hexagonal => share * 4.0 * libm::cos(0.5 * k),
            };
            let root = (a * a - b * b).max(f64::MIN_POSITIVE).sqrt();
            let row = if next_row { b / (a + root) } else { 1.0 };
            sum += libm::cos(k * f64::from(x)) * row / root;
        }
        sum / samples as f64
    }

    /// The light at `distance` cells along an axis, interpolated geometrically between cells.
    fn at(&self, distance: f64) -> f64 {
        let floor = distance as u32;
        let (near, far) = (self.along(floor), self.along(floor + 1));
        let part = distance - f64::from(floor);
        libm::pow(f64::from(near), 1.0 - part) * libm::pow(f64::from(far), part)
    }
}

/// The decay at which a light of strength 1 falls to [`RADIUS_CUTOFF`] at `radius` cells.
pub(crate) fn decay_for_radius(neighborhood: Neighborhood, radius: f32) -> f32 {
    // The light decreases as the decay increases, so bisection finds the decay, to the precision of
    // f32.
    let (mut low, mut high) = (ENDLESS, 1.0);
    for _ in 0..40 {
        // The decay is about the inverse square of the radius, so bisect its logarithm.
        let middle = libm::sqrt(low * high);
        let ground = OpenGround::new(neighborhood, middle as f32);
        if ground.at(f64::from(radius)) > f64::from(RADIUS_CUTOFF) {
            low = middle;
        } else {
            high = middle;
        }
    }
    high as f32
}

/// The distance in cells at which a light of strength 1 falls to [`RADIUS_CUTOFF`]. Infinite
/// without decay.
pub(crate) fn radius_for_decay(neighborhood: Neighborhood, decay: f32) -> f32 {
    if f64::from(decay) < ENDLESS {
        return f32::INFINITY;
    }
    let ground = OpenGround::new(neighborhood, decay);
    let mut end = 1;
    while ground.along(end) > RADIUS_CUTOFF && end < 1 << 16 {
        end *= 2;
    }
    let (mut low, mut high) = (0.0, f64::from(end));
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if ground.at(middle) > f64::from(RADIUS_CUTOFF) {
            low = middle;
        } else {
            high = middle;
        }
    }
    high as f32
}
