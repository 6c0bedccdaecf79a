//! The outline of an island with bays and headlands.

use core::f64::consts::TAU;

use crate::SeededRng;

/// The number of bays of each size around an island, and their relative depths, which sum up to 1.
const SIZES: [(f64, f64); 3] = [(2.0, 0.45), (3.0, 0.35), (5.0, 0.2)];

/// The outline of an island.
pub(super) struct Bays {
    depth: f64,
    phases: [f64; 3],
}

impl Bays {
    /// Draws the three phases of the outline of a seed. They have a separate stream, so that the hills do not depend on
    /// the bays.
    pub(super) fn draw(depth: f64, seed: u64) -> Self {
        let mut rng = SeededRng::new(seed, b"bays    ");
        Self {
            depth,
            phases: [(); 3].map(|()| TAU * rng.unit()),
        }
    }

    /// How far the island extends at an angle, as a fraction of the distance to the map's border: from `1 - depth` to
    /// 1.
    pub(super) fn reach(&self, angle: f64) -> f64 {
        let mut bay = 0.5;
        for ((count, depth), phase) in SIZES.into_iter().zip(self.phases) {
            bay += 0.5 * depth * libm::sin(count * angle + phase);
        }
        1.0 - self.depth * bay.clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outline_is_closed_and_within_bounds() {
        for seed in 0..50 {
            let bays = Bays::draw(0.7, seed);
            assert!((bays.reach(0.0) - bays.reach(TAU)).abs() < 1e-9);
            let reach = |step: u32| bays.reach(f64::from(step) * 0.01);
            let (mut least, mut most) = (1.0_f64, 0.0_f64);
            for step in 0..629 {
                (least, most) = (least.min(reach(step)), most.max(reach(step)));
            }
            assert!(least >= 0.3 - 1e-9 && most <= 1.0, "seed {seed}");
            assert!(most - least > 0.2, "seed {seed}: {least} to {most}");
        }
    }
}
