//! Terrain from the surface of a viscous fluid.
//!
//! Problem: noise with one value per cell is a bed of needles; hills and valleys need
//! neighbors to know of each other.
//!
//! Idea: pour the noise into a square basin and let it settle. Waves run, meet, die away
//! by viscosity; small ones first. What is left after `K` passes is rolling land, the
//! smoother the longer one waits.
//!
//! ```text
//!   0 passes           10               100              1000
//!  .:|.|':|.|:'.    ._/\.-'\_/'-    .-'''-._.-'''    _.--'''''--.__
//! ```
//!
//! Steps: every inner cell is drawn between `-amplitude` and `amplitude`; the outermost
//! ring is 0 and stays so. A pass of the damped wave equation, with `s = (c t / d)^2` and
//! `m = mu t + 2`, is
//!
//! ```text
//!  z'(x,y) = A z(x,y) + B z_before(x,y) + C (z(x+1,y) + z(x-1,y) + z(x,y+1) + z(x,y-1))
//!  A = (4 - 8 s) / m      B = (mu t - 2) / m      C = 2 s / m      A + B + 4 C = 1
//! ```
//!
//! and the surface starts at rest (`z_before = z`). At last the heights are stretched to
//! 0 to 1, ring included, so the ring ends somewhere in the middle.
//!
//! Limits: the passes diverge where `c t / d > 1 / sqrt 2`, whatever `mu >= 0`; such
//! parameters are refused. (The bounds printed in the book below do not suffice.)
//!
//! Two methods do the passes: few of them cell by cell ([`direct`]), many at once by sine
//! waves ([`spectral`]), whose cost does not grow with their number. Passes and map size
//! alone decide which, so a seed means the same map everywhere. Who wants the same surface
//! after many numbers of passes keeps its waves ([`FluidWaves`]).
//!
//! Cost: twice the map; little more than the map itself for a few passes. Accuracy, in heights from
//! 0 to 1, against the same passes cell by cell in `f64`, for random starts: within 1e-5. Measured
//! over 8000 random fluids (`c` from the bound to a thousandth of it, `mu` 0 and from a thousandth to
//! a hundred times the default, up to 230 passes): 6.3e-6 at most, where waves are so slow that a
//! pass changes less than the last bit of a height; 4e-7 at `mu` 2, `c` 30; 2e-7 at the defaults, and
//! by waves. A step of a 16-bit picture is 1.5e-5.
//!
//! Sources: Woodhouse, *Terrain Generation Using Fluid Simulation*, 2003; Lengyel,
//! *Mathematics for 3D Game Programming and Computer Graphics*, "Fluid simulation".

mod direct;
mod fourier;
mod modes;
mod sine;
mod spectral;
mod start;
mod waves;

use self::start::{Drawn, Start};
use crate::{
    Cancelled, GenerateError, Heightmap, MapSize, ParamError, Parameters, Progress,
    evaluate::{Parts, evaluate},
    parameter::parameters,
};

pub use self::waves::FluidWaves;

parameters! {
    /// Random heights that settle like the surface of a viscous fluid.
    ///
    /// At the defaults, `K` passes blur the noise like a Gaussian of
    /// `sqrt(2 K c^2 t / (mu d^2))` cells: 0.8, 2.6 and 8.1 for 10, 100 and 1000 passes.
    ///
    /// ```
    /// use lanternfell_heightmap::{Fluid, MapSize, Progress};
    ///
    /// let fluid = Fluid { passes: 300, ..Fluid::default() };
    /// let map = fluid.generate(MapSize::new(128, 128)?, 7, &Progress::default())?;
    /// assert_eq!(map.range(), (0.0, 1.0));
    /// // Any start will do: draw it, change it, let it settle.
    /// let start = fluid.draw(map.size(), 7);
    /// assert_eq!(fluid.settle(start, &Progress::default())?, map);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub struct Fluid: "fluid" {
        /// How many passes the surface has to settle: more is smoother, at no extra cost.
        pub passes: u32 = 1000, in 0..=1_000_000_000, slider 0..=1_000_000 log;
        /// The speed of waves. Half the speed is a quarter of the smoothing.
        pub c: f64 = 100.0, limit "above 0 and at most d / (t sqrt 2)",
            unit "units of length per second", slider 1.0..=200.0;
        /// The distance between cells.
        pub d: f64 = 10.0, in 1e-6..=1e6, unit "units of length", slider 5.0..=50.0;
        /// The time between passes.
        pub t: f64 = 0.033, in 1e-6..=1e6, unit "seconds", slider 0.001..=0.1;
        /// The viscosity, which brakes waves; 0 lets them swing for ever. Less is smoother.
        pub mu: f64 = 100.0, in 0.0..=1e6, unit "per second", slider 0.0..=400.0;
        /// The largest height that is drawn, in any unit: the result is stretched to 0 to 1 all the
        /// same.
        pub amplitude: f64 = 500.0, in 1e-6..=1e9, slider 1.0..=1000.0;
    }
}

/// The weights of one pass; `A`, that of the cell itself, is what they leave of 1.
#[derive(Debug, Clone, Copy)]
struct Weights {
    /// `B`: of the cell one pass before.
    before: f64,
    /// `C`: of each of the four neighbors.
    neighbor: f64,
}

impl Fluid {
    /// Checks every parameter against its range, and that the surface will not diverge.
    /// Any size will do.
    ///
    /// # Errors
    /// Names the first parameter that is out of its range.
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
        // The bound itself is fine, also when the three numbers only nearly give it.
        self.c > 0.0 && step * step <= 0.5 + 2.0 * f64::EPSILON
    }

    fn allowed_speeds(&self) -> String {
        let bound = self.d / (self.t * core::f64::consts::SQRT_2);
        // Five digits, rounded down: what the message offers must be accepted.
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

    /// The draws: the surface before it settles. Row by row, each inner cell uniform in
    /// `[-amplitude, amplitude)`; the ring is 0.
    pub fn draw(&self, size: MapSize, seed: u64) -> Heightmap {
        let drawn = self.drawn(size, seed).map(&Progress::default());
        drawn.expect("nobody holds this progress, so nobody can cancel it")
    }

    fn drawn(&self, size: MapSize, seed: u64) -> Drawn {
        Drawn {
            size,
            seed,
            amplitude: self.amplitude,
        }
    }

    /// The evaluation: lets a surface settle and stretches the result to 0 to 1, as
    /// [`settle`](Self::settle) does, but of a copy.
    ///
    /// # Errors
    /// When the surface is not of this size, a parameter is out of its range, or the work was
    /// cancelled.
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
            let allowed = format_args!("{side}, as the map's");
            ParamError::check(drawn == side, "fluid surface", name, drawn as f64, allowed)?;
        }
        self.settle(start.clone(), progress)
    }

    /// Lets `start` settle in its own memory and stretches the result to 0 to 1.
    ///
    /// The ring of `start` counts as 0. A map two cells wide or high is all ring, so it
    /// ends flat.
    ///
    /// # Errors
    /// When a parameter is out of its range, or the work was cancelled.
    pub fn settle(
        &self,
        mut start: Heightmap,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate(start.size())?;
        prepare(&mut start);
        self.pass_and_stretch(Start::Map(start), progress)
    }

    /// Lets `start` settle, without stretching the result: heights in the units of
    /// `start`, 0 on the ring, and after very many passes 0 everywhere.
    ///
    /// # Errors
    /// When a parameter is out of its range, or the work was cancelled.
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

    /// Makes the map of this seed: validates, draws, and evaluates.
    ///
    /// # Errors
    /// When a parameter is out of its range, or the work was cancelled.
    pub fn generate(
        &self,
        size: MapSize,
        seed: u64,
        progress: &Progress,
    ) -> Result<Heightmap, GenerateError> {
        self.validate(size)?;
        // As it is drawn, it is prepared.
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

    /// All passes over a start as [`prepare`] makes it.
    fn pass(&self, start: Start, progress: &Progress) -> Result<Settled, Cancelled> {
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
    /// Its lowest and highest height.
    extremes: (f32, f32),
    /// What its heights must be multiplied by to be those of the start after the passes.
    gain: f64,
}

/// Makes the ring 0, and takes out the unit, which is returned.
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

/// Divides a surface of extreme heights, whose sums would overflow or vanish, by its
/// largest. Returns what it was divided by.
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

evaluate!(Fluid, 0.4, self => Parts::Whole("a fluid's surface moves as a whole"));

#[cfg(test)]
mod tests {
    use super::*;

    fn size(width: u64, height: u64) -> MapSize {
        MapSize::new(width, height).unwrap()
    }

    #[test]
    fn the_default_weights_are_those_of_the_book() {
        let weights = Fluid::default().weights();
        let own = 1.0 - weights.before - 4.0 * weights.neighbor;
        assert!((own - 0.590_339_622_641_509).abs() < 1e-15);
        assert!((weights.before - 0.245_283_018_867_925).abs() < 1e-15);
        assert!((weights.neighbor - 0.041_094_339_622_642).abs() < 1e-15);
    }

    #[test]
    fn the_weights_leave_that_of_the_cell_itself() {
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

    /// Where one method takes over from the other, nobody must see it.
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
    fn few_passes_go_cell_by_cell_and_many_by_waves() {
        for (width, height) in [(16, 16), (64, 64), (1024, 1024), (1025, 333), (8192, 8192)] {
            let size = size(width, height);
            assert!(!spectral::is_faster(10, size), "{width}x{height}");
            assert!(spectral::is_faster(250, size), "{width}x{height}");
            assert!(spectral::is_faster(1_000_000_000, size), "{width}x{height}");
        }
    }
}
