//! Terrain from the surface of a viscous fluid.
//!
//! Problem: noise with independent cells is a field of spikes. Hills and valleys need neighboring cells to influence
//! each other.
//!
//! Idea: use the noise as the initial surface of a viscous fluid in a basin, and let it settle. Waves spread, interfere
//! and are damped by viscosity, short waves first. After `K` passes rolling hills remain, which are smoother the larger
//! `K` is.
//!
//! ```text
//!   0 passes           10               100              1000
//!  .:|.|':|.|:'.    ._/\.-'\_/'-    .-'''-._.-'''    _.--'''''--.__
//! ```
//!
//! Steps: each inner cell is drawn between `-amplitude` and `amplitude`. The outermost ring of cells is 0 and stays 0.
//! A pass of the damped wave equation, with `s = (c t / d)^2` and `m = mu t + 2`, is
//!
//! ```text
//!  z'(x,y) = A z(x,y) + B z_before(x,y) + C (z(x+1,y) + z(x-1,y) + z(x,y+1) + z(x,y-1))
//!  A = (4 - 8 s) / m      B = (mu t - 2) / m      C = 2 s / m      A + B + 4 C = 1
//! ```
//!
//! and the surface starts at rest (`z_before = z`). Finally the heights, including the ring, are stretched to 0 to 1,
//! so the ring ends up somewhere in the middle.
//!
//! Limits: the passes diverge if `c t / d > 1 / sqrt 2`, for any `mu >= 0`. Such parameters are rejected. (The bounds
//! printed in the book below are not sufficient.)
//!
//! Two methods run the passes: cell by cell for few passes ([`direct`]), and with sine waves for many passes at once
//! ([`spectral`]), whose cost does not depend on the number of passes. The choice depends only on the number of passes
//! and the size of the map, so a seed gives the same map on every machine. [`FluidWaves`] keeps the waves of a surface,
//! to settle the same surface with several numbers of passes.
//!
//! Cost: twice the memory of the map, or little more than the map for a few passes.
//!
//! Accuracy: within 1e-5 of the same passes cell by cell in `f64`, for random starts and heights from 0 to 1. Measured
//! over 8000 random fluids (`c` from the bound to a thousandth of it; `mu` 0, and from a thousandth to a hundred times
//! the default; up to 230 passes): at most 6.3e-6, where waves are so slow that a pass changes less than the last bit
//! of a height; 4e-7 at `mu` 2, `c` 30; 2e-7 at the defaults, and with sine waves. For comparison, a step of a 16-bit
//! image is 1.5e-5.
//!
//! Sources: Woodhouse, *Terrain Generation Using Fluid Simulation*, 2003; Lengyel, *Mathematics for 3D Game Programming
//! and Computer Graphics*, "Fluid simulation".

mod direct;
mod fourier;
mod modes;
mod sine;
mod spectral;
mod start;
mod waves;

use self::start::{Drawn, Start};
use crate::{
    Canceled, GenerateError, Heightmap, MapSize, ParamError, Parameters, Progress,
    evaluate::{Parts, evaluate},
    parameter::parameters,
};

pub use self::waves::FluidWaves;

parameters! {
    /// Random heights that settle like the surface of a viscous fluid.
    ///
    /// At the defaults, `K` passes blur the noise like a Gaussian with a standard deviation of `sqrt(2 K c^2 t / (mu
    /// d^2))` cells: 0.8, 2.6 and 8.1 cells for 10, 100 and 1000 passes.
    ///
    /// ```
    /// use lanternfell_heightmap::{Fluid, MapSize, Progress};
    ///
    /// let fluid = Fluid { passes: 300, ..Fluid::default() };
    /// let map = fluid.generate(MapSize::new(128, 128)?, 7, &Progress::default())?;
    /// assert_eq!(map.range(), (0.0, 1.0));
    /// // Any start is possible: draw one, change it, let it settle.
    /// let start = fluid.draw(map.size(), 7);
    /// assert_eq!(fluid.settle(start, &Progress::default())?, map);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub struct Fluid: "fluid" {
        /// The number of passes in which the surface settles: more is smoother, at no extra cost.
        pub passes: u32 = 1000, in 0..=1_000_000_000, slider 0..=1_000_000 log;
        /// The speed of waves. Half the speed gives a quarter of the smoothing.
        pub c: f64 = 100.0, limit "above 0 and at most d / (t sqrt 2)",
            unit "units of length per second", slider 1.0..=200.0;
        /// The distance between cells.
        pub d: f64 = 10.0, in 1e-6..=1e6, unit "units of length", slider 5.0..=50.0;
        /// The time between passes.
        pub t: f64 = 0.033, in 1e-6..=1e6, unit "seconds", slider 0.001..=0.1;
        /// The viscosity, which damps waves; 0 never damps them. Less is smoother.
        pub mu: f64 = 100.0, in 0.0..=1e6, unit "per second", slider 0.0..=400.0;
        /// The largest initial height, in any unit; the result is stretched to 0 to 1 in any case.
        pub amplitude: f64 = 500.0, in 1e-6..=1e9, slider 1.0..=1000.0;
    }
}

/// The weights of one pass. `A`, the weight of the cell itself, is 1 minus the other weights.
#[derive(Debug, Clone, Copy)]
struct Weights {
    /// `B`: the weight of the cell one pass earlier.
    before: f64,
    /// `C`: the weight of each of the four neighbors.
    neighbor: f64,
}

impl Fluid {
    /// Checks every parameter against its range, and that the surface does not diverge. The size does not matter.
    ///
    /// # Errors
    /// Names the first parameter that is out of range.
    pub fn validate(&self, _size: MapSize) -> Result<(), ParamError> {
        self.check_bounds()?;
        ParamError::check(
            self.is_stable(),
            Self::OWNER,
            "c",
            self.c,
            self.allowed_speeds(),
        )
    }

    /// Whether no wave grows: `0 < c t / d <= 1 / sqrt 2`.
    fn is_stable(&self) -> bool {
        let step = self.c * self.t / self.d;
        // The bound itself is allowed, even if rounding puts the result slightly above it.
        self.c > 0.0 && step * step <= 0.5 + 2.0 * f64::EPSILON
    }

    fn allowed_speeds(&self) -> String {
        let bound = self.d / (self.t * core::f64::consts::SQRT_2);
        // Round down to five digits, so that the value in the message is accepted.
        let decimals = 4 - libm::floor(libm::log10(bound)) as i32;
        let shift = libm::pow(10.0, f64::from(decimals));
        let shown = libm::floor(bound * shift) / shift;
        let decimals = decimals.max(0) as usize;
        format!(
            "above 0 and at most {shown:.decimals$} (d / (t sqrt 2)): \
             above that the surface diverges"
        )
    }

    fn weights(&self) -> Weights {
        let s = (self.c * self.t / self.d) * (self.c * self.t / self.d);
        let m = self.mu * self.t + 2.0;
        Weights {
            before: (self.mu * self.t - 2.0) / m,
            neighbor: 2.0 * s / m,
        }
    }

    /// Draws the surface before it settles: row by row, each inner cell uniform in `[-amplitude, amplitude)`. Border
    /// cells are 0.
    pub fn draw(&self, size: MapSize, seed: u64) -> Heightmap {
        let drawn = self.drawn(size, seed).map(&Progress::default());
        drawn.expect("no other code has this progress, so it is never canceled")
    }

    fn drawn(&self, size: MapSize, seed: u64) -> Drawn {
        Drawn {
            size,
            seed,
            amplitude: self.amplitude,
        }
    }

    /// The evaluation: lets a copy of `start` settle and stretches the result to 0 to 1, like [`settle`](Self::settle).
    ///
    /// # Errors
    /// If the size of the surface is not `size`, a parameter is out of range, or the work is canceled.
    pub fn evaluate(
        &self,
        size: MapSize,
        start: &Heightmap,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        for (name, drawn, side) in [
            ("width", start.width(), size.width()),
            ("height", start.height(), size.height()),
        ] {
            let allowed = format_args!("{side}, as in the map");
            ParamError::check(drawn == side, "fluid surface", name, drawn as f64, allowed)?;
        }
        self.settle(start.clone(), progress)
    }

    /// Lets `start` settle in place and stretches the result to 0 to 1.
    ///
    /// The border cells of `start` count as 0. A map that is two cells wide or high has no other cells, so the result
    /// is flat.
    ///
    /// # Errors
    /// If a parameter is out of range, or the work is canceled.
    pub fn settle(
        &self,
        mut start: Heightmap,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate(start.size())?;
        prepare(&mut start);
        self.pass_and_stretch(Start::Map(start), progress)
    }

    /// Lets `start` settle without stretching the result. The heights are in the units of `start`. They are 0 at the
    /// border, and after very many passes 0 everywhere.
    ///
    /// # Errors
    /// If a parameter is out of range, or the work is canceled.
    pub fn settle_unscaled(
        &self,
        mut start: Heightmap,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate(start.size())?;
        let unit = prepare(&mut start);
        let Settled {
            mut surface, gain, ..
        } = self.pass(Start::Map(start), progress)?;
        let scale = gain * unit;
        for z in surface.heights_mut() {
            let height = f64::from(*z) * scale;
            *z = height.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32;
        }
        Ok(surface)
    }

    /// Generates the map of this seed: validates, draws and evaluates.
    ///
    /// # Errors
    /// If a parameter is out of range, or the work is canceled.
    pub fn generate(
        &self,
        size: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate(size)?;
        // A drawn start does not need `prepare`: its ring is 0 and its heights are not extreme.
        self.pass_and_stretch(Start::Drawn(self.drawn(size, seed)), progress)
    }

    fn pass_and_stretch(
        &self,
        start: Start,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        let mut settled = self.pass(start, &progress.span(0.0, 0.95))?;
        let stretching = progress.span(0.95, 1.0);
        settled.surface.stretch(settled.extremes, &stretching)?;
        Ok(settled.surface)
    }

    /// Runs all passes on a start that was processed by [`prepare`].
    fn pass(&self, start: Start, progress: &Progress) -> Result<Settled, Canceled> {
        let size = start.size();
        let settled = if size.shorter_side() < 3 {
            Settled {
                surface: Heightmap::flat(size),
                extremes: (0.0, 0.0),
                gain: 1.0,
            }
        } else if spectral::is_faster(self.passes, size) {
            let start = start.into_map(&progress.span(0.0, 0.1))?;
            let waves = progress.span(0.1, 1.0);
            spectral::run(self.weights(), self.passes, start, &waves)?
        } else {
            direct::run(self.weights(), self.passes, start, progress)?
        };
        progress.step(1, 1)?;
        Ok(settled)
    }
}

/// A surface after all passes.
struct Settled {
    surface: Heightmap,
    /// The lowest and the highest height.
    extremes: (f32, f32),
    /// The factor that converts its heights to the units of the start.
    gain: f64,
}

/// Sets the ring to 0, and divides by the unit, which is returned.
fn prepare(start: &mut Heightmap) -> f64 {
    clear_ring(start);
    take_out_unit(start)
}

fn clear_ring(surface: &mut Heightmap) {
    let width = surface.width();
    let heights = surface.heights_mut();
    let last_row = heights.len() - width;
    heights[..width].fill(0.0);
    heights[last_row..].fill(0.0);
    for row in heights.chunks_exact_mut(width) {
        row[0] = 0.0;
        row[width - 1] = 0.0;
    }
}

/// If the heights are so extreme that their sums would overflow or underflow, divides the surface by its largest absolute
/// height. Returns the divisor.
fn take_out_unit(surface: &mut Heightmap) -> f64 {
    let (low, high) = surface.range();
    let peak = f64::from(high.max(-low));
    if peak == 0.0 || (1e-20..=1e20).contains(&peak) {
        return 1.0;
    }
    for z in surface.heights_mut() {
        *z = (f64::from(*z) / peak) as f32;
    }
    peak
}

evaluate!(Fluid, 0.4, self => Parts::Whole("the surface of a fluid is computed for the whole map"));

#[cfg(test)]
mod tests {
    use super::*;

    fn size(width: u64, height: u64) -> MapSize {
        MapSize::new(width, height).unwrap()
    }

    #[test]
    fn default_weights_match_the_book() {
        let weights = Fluid::default().weights();
        let own = 1.0 - weights.before - 4.0 * weights.neighbor;
        assert!((own - 0.590_339_622_641_509).abs() < 1e-15);
        assert!((weights.before - 0.245_283_018_867_925).abs() < 1e-15);
        assert!((weights.neighbor - 0.041_094_339_622_642).abs() < 1e-15);
    }

    #[test]
    fn weights_sum_to_one() {
        for (c, d, t, mu) in [
            (1.0, 3.0, 0.5, 0.0),
            (200.0, 10.0, 0.03, 7.0),
            (9.0, 1.0, 0.05, 1e6),
        ] {
            let fluid = Fluid {
                c,
                d,
                t,
                mu,
                ..Fluid::default()
            };
            assert_eq!(fluid.validate(size(9, 9)), Ok(()), "{fluid:?}");
            let weights = fluid.weights();
            let own = (4.0 - 8.0 * (c * t / d) * (c * t / d)) / (mu * t + 2.0);
            let left = 1.0 - weights.before - 4.0 * weights.neighbor;
            assert!((left - own).abs() < 1e-14, "{left}, not {own}");
        }
    }

    /// The transition between the methods must not be visible.
    #[test]
    fn both_methods_agree() {
        for (width, height, passes) in [(64, 64, 120), (33, 70, 5), (100, 81, 115), (3, 5, 40)] {
            for mu in [0.0, 1.0, 100.0] {
                let fluid = Fluid {
                    passes,
                    mu,
                    ..Fluid::default()
                };
                let start = fluid.draw(size(width, height), 3);
                let progress = Progress::default();
                let weights = fluid.weights();
                let few = Start::Map(start.clone());
                let few = direct::run(weights, passes, few, &progress).unwrap();
                let many = spectral::run(weights, passes, start, &progress).unwrap();
                let [few, many] = [few, many].map(|mut settled| {
                    assert_eq!(
                        settled.extremes,
                        settled.surface.range(),
                        "{width}x{height}, mu {mu}"
                    );
                    settled.surface.normalize();
                    settled.surface
                });
                for (a, b) in few.heights().iter().zip(many.heights()) {
                    assert!(
                        (a - b).abs() < 1e-5,
                        "{width}x{height}, mu {mu}: {a}, not {b}"
                    );
                }
            }
        }
    }

    #[test]
    fn method_depends_on_the_number_of_passes() {
        for (width, height) in [(16, 16), (64, 64), (1024, 1024), (1025, 333), (8192, 8192)] {
            let size = size(width, height);
            assert!(!spectral::is_faster(10, size), "{width}x{height}");
            assert!(spectral::is_faster(250, size), "{width}x{height}");
            assert!(spectral::is_faster(1_000_000_000, size), "{width}x{height}");
        }
    }
}
