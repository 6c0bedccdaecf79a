//! What many passes do to one wave of the surface.
//!
//! Problem: the factor by which `K` passes scale the sine mode `(p, q)` of a map whose
//! ring is fixed at 0, for every mode and any `K`, at a cost that grows only with the
//! logarithm of `K`.
//!
//! Idea: a mode keeps its shape, so a pass is a 2 x 2 matrix, and `K` passes are its
//! power by repeated squaring. (The closed form divides by zero where two roots meet.)
//! With the height `u` and the change `d` of the last pass, the recurrence
//! `u[k+1] = a u[k] + B u[k-1]` reads
//!
//! ```text
//!  (  u  )     ( 1 - e   -B r )   (  u  )     e = 1 - a - B
//!  (     ) <-  (              ) * (     )       = 4C (sin^2(pi p / 2(W-1))
//!  ( d/r )     (  -r      -B  )   ( d/r )              + sin^2(pi q / 2(H-1)))
//!                                             r = sqrt(e)
//! ```
//!
//! and starts from `u = 1, d = 0`. In these coordinates the matrix of a wave that swings
//! (little viscosity) is nearly a rotation, so its powers stay small and so does their
//! rounding. In `(u[k], u[k-1])` they reach the hundreds, and rounding grows with them.
//!
//! Every power keeps the upper right `B` times the lower left, so three numbers hold one.
//!
//! The slowest mode fades as `radius^K`, which leaves the range of floats for large `K`.
//! That factor is common to all modes and taken out: [`Modes::gains`] is relative to it.
//!
//! Cost: about 13 flops per mode and bit of `K`.

use super::{
    Weights,
    fourier::Complex,
    sine::{LINES, Samples},
};
use crate::MapSize;

/// A mode that fades faster than this per pass is gone after two of them; the bound only
/// keeps the scale from being 0 where every mode vanishes at once.
const SLOWEST_RADIUS: f64 = 1e-8;

/// A power below this is 0: its products would only be slow numbers close to 0.
const VANISHED: f64 = 1e-30;

/// The gains of all modes of one map.
#[derive(Debug)]
pub(super) struct Modes {
    /// The weight `B` of the surface two passes ago.
    before: f64,
    /// `4 C`: the share of `e` for each unit of squared sine.
    stiffness: f64,
    passes: u32,
    radius: f64,
    /// `sin^2(pi p / 2(W-1))` for `p` from 0 to `W - 2`.
    across: Vec<f64>,
    /// `sin^2(pi q / 2(H-1))` for `q` from 0 to `H - 2`.
    down: Vec<f64>,
}

impl Modes {
    pub(super) fn new(weights: Weights, passes: u32, size: MapSize) -> Self {
        let squares = |n: usize| -> Vec<f64> {
            let sine = |p| Complex::on_circle(p as u64, 4 * n as u64).im;
            (0..n).map(sine).map(|s| s * s).collect()
        };
        let (across, down) = (squares(size.width() - 1), squares(size.height() - 1));
        let stiffness = 4.0 * weights.neighbor;
        let before = weights.before;
        let slow = stiffness * (across[1] + down[1]);
        let fast = stiffness * (across[across.len() - 1] + down[down.len() - 1]);
        let radius = radius(before, slow).max(radius(before, fast));
        Self {
            before,
            stiffness,
            passes,
            radius: radius.max(SLOWEST_RADIUS),
            across,
            down,
        }
    }

    /// The factor that was taken out of all gains.
    pub(super) fn common_gain(&self) -> f64 {
        libm::pow(self.radius, f64::from(self.passes))
    }

    /// What the passes do to the modes `(first_p + l, q)`, over the
    /// [`common_gain`](Self::common_gain). Beyond the last mode it is repeated: no lane may
    /// grow, lest infinity times nothing spoil its neighbors.
    #[inline(always)]
    pub(super) fn gains(&self, first_p: usize, q: usize) -> Samples {
        let Some(below_top) = self.passes.checked_ilog2() else {
            return [1.0; LINES];
        };
        let scale = 1.0 / self.radius;
        let last = self.across.len() - 1;
        let squares = |l: usize| self.across[(first_p + l).min(last)] + self.down[q];
        let e: Samples = core::array::from_fn(|l| self.stiffness * squares(l));
        let first = Powers {
            upper: e.map(|e| (1.0 - e) * scale),
            cross: e.map(|e| -e.sqrt() * scale),
            lower: [-self.before * scale; LINES],
        };
        let mut power = first;
        for bit in (0..below_top).rev() {
            power = power.squared(self.before);
            if self.passes >> bit & 1 == 1 {
                power = power.times(&first, self.before);
            }
            if bit % 4 == 0 && power.has_vanished() {
                return [0.0; LINES];
            }
        }
        power.upper
    }
}

/// The larger magnitude of the two roots of `x^2 = a x + B`, with `a = 1 - B - e`.
fn radius(before: f64, e: f64) -> f64 {
    let a = 1.0 - before - e;
    let discriminant = a * a + 4.0 * before;
    if discriminant < 0.0 {
        (-before).sqrt()
    } else {
        0.5 * (a.abs() + discriminant.sqrt())
    }
}

/// A power of the pass matrix for each of several modes.
#[derive(Debug, Clone, Copy)]
struct Powers {
    upper: Samples,
    /// The lower left; the upper right is `B` times it.
    cross: Samples,
    lower: Samples,
}

impl Powers {
    #[inline(always)]
    fn squared(&self, before: f64) -> Self {
        let mut square = *self;
        for l in 0..LINES {
            let (upper, cross, lower) = (self.upper[l], self.cross[l], self.lower[l]);
            let crossed = before * (cross * cross);
            square.upper[l] = upper * upper + crossed;
            square.cross[l] = cross * (upper + lower);
            square.lower[l] = lower * lower + crossed;
        }
        square
    }

    /// Whether no mode is left, nor will be after further passes.
    #[inline(always)]
    fn has_vanished(&self) -> bool {
        (0..LINES)
            .all(|l| self.upper[l].abs() + self.cross[l].abs() + self.lower[l].abs() < VANISHED)
    }

    #[inline(always)]
    fn times(&self, other: &Self, before: f64) -> Self {
        let mut product = *self;
        for l in 0..LINES {
            let crossed = before * (self.cross[l] * other.cross[l]);
            product.upper[l] = self.upper[l] * other.upper[l] + crossed;
            product.cross[l] = self.cross[l] * other.upper[l] + self.lower[l] * other.cross[l];
            product.lower[l] = self.lower[l] * other.lower[l] + crossed;
        }
        product
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fluid;

    /// The recurrence itself, pass by pass.
    fn by_recurrence(weights: Weights, passes: u32, squares: f64) -> f64 {
        let a = 1.0 - weights.before - 4.0 * weights.neighbor * squares;
        let (mut before, mut now) = (1.0, 1.0);
        for _ in 0..passes {
            (before, now) = (now, a * now + weights.before * before);
        }
        now
    }

    #[test]
    fn gains_are_those_of_the_recurrence() {
        let size = MapSize::new(13, 9).unwrap();
        let fluids = [
            (100.0, 100.0),
            (100.0, 0.0),
            (214.27, 0.0),
            (214.27, 2.0 / 0.033),
            (214.27, 500.0),
            (30.0, 3.0),
        ];
        for (c, mu) in fluids {
            let fluid = Fluid {
                c,
                mu,
                ..Fluid::default()
            };
            for passes in [0, 1, 2, 3, 10, 77, 1000] {
                let modes = Modes::new(fluid.weights(), passes, size);
                for q in 1..8 {
                    let gains = modes.gains(1, q);
                    for (l, gain) in gains.into_iter().enumerate() {
                        let squares = modes.across[1 + l] + modes.down[q];
                        let expected = by_recurrence(fluid.weights(), passes, squares);
                        let found = gain * modes.common_gain();
                        assert!(
                            (found - expected).abs() < 1e-11 * f64::from(passes.max(1)),
                            "c {c}, mu {mu}, {passes} passes, mode {} {q}: {found}, not {expected}",
                            1 + l,
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn the_slowest_mode_survives_any_number_of_passes() {
        let size = MapSize::new(64, 64).unwrap();
        let modes = Modes::new(Fluid::default().weights(), 1_000_000_000, size);
        let gains = modes.gains(1, 1);
        assert!((0.1..10.0).contains(&gains[0]), "{gains:?}");
        assert_eq!(gains[1], 0.0);
    }
}
