//! How far a light reaches over open ground, and which decay gives a wanted reach.
//!
//! # The problem
//!
//! The automaton knows a decay per step; a designer knows a radius in cells. Trying decays
//! until the picture looks right is guessing.
//!
//! # The idea
//!
//! On endless open ground the settled light around one held cell is the lattice's Green
//! function. With `p(k)` the average's response to a wave of wave numbers `k`, decay `d`
//! and `q = 1 - d`,
//!
//! ```text
//! G(x, y) = 1/(2 pi)^2 ∫∫ cos(kx x) cos(ky y) / (1 - q p(k)) dkx dky,   light = G(x, y) / G(0, 0)
//! ```
//!
//! All neighborhoods are symmetric and at most one cell wide, so the denominator is
//! `A - B cos ky` with `A` and `B` depending on `kx` alone, and the inner integral is known:
//! `1/sqrt(A^2 - B^2)` for y = 0, times `(A - sqrt(A^2 - B^2)) / B` for y = 1. The outer
//! one is over a whole period of a smooth function, which the midpoint rule does with an
//! error that falls exponentially. Bisection over the decay does the rest.
//!
//! On hexagons, in coordinates along two of the axes, `p` has a third cosine, of `kx - ky`. With that
//! of `ky` it is `2 cos(kx / 2) cos(ky - kx / 2)`, so along an axis the inner integral is the same with
//! another `B`; and all neighbors are on axes.
//!
//! # Cost
//!
//! A value takes some tens of the radius in cosines; solving for a radius of 12 cells
//! well below a millisecond. Tested against the automaton itself.
//!
//! Source: lattice Green functions, for instance Economou, *Green's Functions in Quantum
//! Physics*, chapter 5.

use core::f64::consts::PI;

use crate::neighborhood::{Lattice, Neighborhood};

/// The light of a source of strength 1 that counts as its rim: where the radius ends. On
/// an ordinary screen it is just above black.
pub const RIM: f32 = 1.0 / 64.0;

/// Below this decay light reaches further than any grid is wide.
const ENDLESS: f64 = 1e-7;

/// The settled light around one source of strength 1 on endless open ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct OpenGround {
    neighborhood: Neighborhood,
    decay: f64,
    /// The integral at the source itself.
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

    /// The light at `x` cells from the source along an axis.
    pub(crate) fn along(&self, x: u32) -> f32 {
        self.light(x, false)
    }

    /// The light one cell away, along an axis and along a diagonal. (Hexagons are all on an axis.)
    pub(crate) fn beside(&self) -> (f32, f32) {
        if self.neighborhood.is_hexagonal() {
            let beside = self.along(1);
            return (beside, beside);
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

    /// `G(x, 0)`, or `G(x, 1)` in the next row; by as many samples as the light takes to
    /// fade to nothing, and some.
    fn green(&self, x: u32, next_row: bool) -> f64 {
        let lattice = self.neighborhood.lattice();
        let (own, all) = lattice.own_and_all();
        let (edge, all) = (f64::from(own), f64::from(all));
        let share = (1.0 - self.decay) / all;
        // The fading per cell is about sqrt(decay / 0.25), and e^-20 is nothing.
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

    /// The light at `distance` cells along an axis, also between cells: geometrically.
    fn at(&self, distance: f64) -> f64 {
        let floor = distance as u32;
        let (near, far) = (self.along(floor), self.along(floor + 1));
        let part = distance - f64::from(floor);
        libm::pow(f64::from(near), 1.0 - part) * libm::pow(f64::from(far), part)
    }
}

/// The decay with which a light of strength 1 falls to [`RIM`] at `radius` cells.
pub(crate) fn decay_for_radius(neighborhood: Neighborhood, radius: f32) -> f32 {
    // Light falls with the decay, so halving finds the one that fits, to all of f32's bits.
    let (mut low, mut high) = (ENDLESS, 1.0);
    for _ in 0..40 {
        // The decay goes as the inverse square of the radius: halve its logarithm.
        let middle = libm::sqrt(low * high);
        let ground = OpenGround::new(neighborhood, middle as f32);
        if ground.at(f64::from(radius)) > f64::from(RIM) {
            low = middle;
        } else {
            high = middle;
        }
    }
    high as f32
}

/// How far from a source of strength 1 its light falls to [`RIM`], in cells; infinite
/// without decay.
pub(crate) fn radius_for_decay(neighborhood: Neighborhood, decay: f32) -> f32 {
    if f64::from(decay) < ENDLESS {
        return f32::INFINITY;
    }
    let ground = OpenGround::new(neighborhood, decay);
    let mut end = 1;
    while ground.along(end) > RIM && end < 1 << 16 {
        end *= 2;
    }
    let (mut low, mut high) = (0.0, f64::from(end));
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if ground.at(middle) > f64::from(RIM) {
            low = middle;
        } else {
            high = middle;
        }
    }
    high as f32
}
