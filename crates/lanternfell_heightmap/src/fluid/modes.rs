//! The gain of one sine mode after many passes.
//!
//! Problem: find the factor by which `K` passes scale the sine mode `(p, q)` of a map whose ring
//! is fixed at 0. It must work for every mode and any `K`, at a cost that only grows with the
//! logarithm of `K`.
//!
//! Idea: a mode keeps its shape, so a pass is a 2 x 2 matrix. `K` passes are its `K`-th power,
//! computed by repeated squaring. (The closed form divides by zero where two roots meet.) With
//! the height `u` and the change `d` of the last pass, the recurrence
//! `u[k+1] = a u[k] + B u[k-1]` is
//!
//! ```text
//!  (  u  )     ( 1 - e   -B r )   (  u  )     e = 1 - a - B
//!  (     ) <-  (              ) * (     )       = 4C (sin^2(pi p / 2(W-1))
//!  ( d/r )     (  -r      -B  )   ( d/r )              + sin^2(pi q / 2(H-1)))
//!                                             r = sqrt(e)
//! ```
//!
//! starting from `u = 1, d = 0`. In these coordinates the matrix of an underdamped mode (low
//! viscosity) is nearly a rotation, so its powers and their rounding errors stay small. In the
//! coordinates `(u[k], u[k-1])` powers reach the hundreds, and the rounding errors grow with
//! them.
//!
//! In every power the upper right is `B` times the lower left, so three numbers describe it.
//!
//! The slowest mode decays as `radius^K`, which underflows for large `K`. This factor is common
//! to all modes and taken out: [`Modes::gains`] is relative to it.
//!
//! Cost: about 13 flops per mode and bit of `K`.

use super::{
    Weights,
    fourier::Complex,
    sine::{LINES, Samples},
};
use crate::MapSize;

/// A mode that decays faster than this per pass is gone after two passes. The bound only keeps
/// the scale from being 0 where every mode vanishes at once.
const SLOWEST_RADIUS: f64 = 1e-8;

/// Powers below this count as 0: their products would soon be denormal, which is slow.
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
        // The root magnitude depends on `|1 - B - e|` and never falls with it. `e` grows from the
        // slowest mode to the fastest, so the maximum is at one of these two.
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

    /// The factor that is common to all gains and was taken out of them.
    pub(super) fn common_gain(&self) -> f64 {
        libm::pow(self.radius, f64::from(self.passes))
    }

    /// The gains of the modes `(first_p + l, q)`, divided by the
    /// [`common_gain`](Self::common_gain). Lanes beyond the last mode repeat it. A lane that grew
    /// to infinity would turn into NaN where its sample is 0, and NaN spreads to the neighboring
    /// lanes.
    #[inline(always)]
    pub(super) fn gains(&self, first_p: usize, q: usize) -> Samples {
        let Some(below_top) = self.passes.checked_ilog2() else {
            return [1.0; LINES];
        };
        // Dividing the matrix by the radius keeps every root at or below 1, so no power
        // overflows.
        let scale = 1.0 / self.radius;
        let last = self.across.len() - 1;
        let squares = |l: usize| self.across[(first_p + l).min(last)] + self.down[q];
        let e: Samples = core::array::from_fn(|l| self.stiffness * squares(l));
        let first = Powers {
            upper: e.map(|e| (1.0 - e) * scale),
            cross: e.map(|e| -e.sqrt() * scale),
            lower: [-self.before * scale; LINES],
        };
        // Left-to-right binary exponentiation: the top bit of `passes` is `first` itself.
        let mut power = first;
        for bit in (0..below_top).rev() {
            power = power.squared(self.before);
            if self.passes >> bit & 1 == 1 {
                power = power.times(&first, self.before);
            }
            // Tested every fourth bit only, because the test reduces over all lanes.
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
            // Upper right times lower left. Powers of one matrix commute, so the product keeps
            // the `B` ratio.
            let crossed = before * (cross * cross);
            square.upper[l] = upper * upper + crossed;
            square.cross[l] = cross * (upper + lower);
            square.lower[l] = lower * lower + crossed;
        }
        square
    }

    /// Whether every lane has vanished. Later passes cannot bring a mode back.
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

    /// Evaluates the recurrence pass by pass.
    fn by_recurrence(weights: Weights, passes: u32, squares: f64) -> f64 {
        let a = 1.0 - weights.before - 4.0 * weights.neighbor * squares;
        let (mut before, mut now) = (1.0, 1.0);
        for _ in 0..passes {
            (before, now) = (now, a * now + weights.before * before);
        }
        now
    }

    #[test]
    fn gains_match_the_recurrence() {
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
    fn slowest_mode_survives_any_number_of_passes() {
        let size = MapSize::new(64, 64).unwrap();
        let modes = Modes::new(Fluid::default().weights(), 1_000_000_000, size);
        let gains = modes.gains(1, 1);
        assert!((0.1..10.0).contains(&gains[0]), "{gains:?}");
        assert_eq!(gains[1], 0.0);
    }
}
