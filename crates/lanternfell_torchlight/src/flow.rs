//! How the light of a map goes on: in steps, or to where it comes to rest.

use bevy::prelude::*;
use lanternfell_lightgrid::LightGrid;

/// How the light of a map gets where it is going.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub enum LightFlow {
    /// In steps, by a cell at most in each: one sees it spread. The default, at 240 steps
    /// a second.
    Automaton {
        /// How fast, on the clock of the plugin's schedule; frames play no part. Brought
        /// into 0 to 10,000, and what is no number is 0.
        ///
        /// One run catches up on a quarter of a second at most: what was missed before,
        /// in a hitch, is left out.
        steps_per_second: f32,
    },
    /// At once, as it would be after many steps: for games in turns.
    ///
    /// In one run of the schedule at most 256 sweeps are made, which is enough for lights
    /// that reach some fifty cells; where light fades more slowly the next run goes on.
    Settled {
        /// By how much light may be off; 1/1000 by default, which can not be seen. Brought
        /// into a millionth to 1.
        tolerance: f32,
    },
}

impl LightFlow {
    /// [`LightFlow::Settled`] with a tolerance that can not be seen.
    pub const SETTLED: Self = Self::Settled { tolerance: 1e-3 };

    /// The longest time that one run catches up on, in seconds.
    const MAX_CATCH_UP: f64 = 0.25;
    const MAX_STEPS_PER_SECOND: f64 = 10_000.0;
    /// So long may one run take that settles, so that no frame waits for slow light.
    const MAX_SWEEPS: u32 = 256;

    /// Lets a grid's light go on by so many seconds; `owed` is what is left of a step.
    pub(crate) fn advance(self, grid: &mut LightGrid, owed: &mut f64, seconds: f64) {
        match self {
            Self::Automaton { steps_per_second } => {
                let steps = due(owed, f64::from(steps_per_second), seconds);
                if steps > 0 {
                    grid.step(steps);
                }
            }
            Self::Settled { tolerance } => {
                // NaN stays NaN, which the grid takes for the least.
                grid.settle_within(tolerance.clamp(1e-6, 1.0), Self::MAX_SWEEPS);
            }
        }
    }
}

impl Default for LightFlow {
    fn default() -> Self {
        Self::Automaton {
            steps_per_second: 240.0,
        }
    }
}

/// How many whole steps are due; what is left over stays in `owed`.
fn due(owed: &mut f64, per_second: f64, passed: f64) -> u32 {
    if per_second.is_nan() {
        return 0;
    }
    let per_second = per_second.clamp(0.0, LightFlow::MAX_STEPS_PER_SECOND);
    *owed += per_second * passed.min(LightFlow::MAX_CATCH_UP);
    // The sum of many short times must not stay a rounding error below a whole step.
    let steps = (*owed + 1e-9).floor();
    *owed = (*owed - steps).max(0.0);
    steps as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(per_second: f64, frames: u32, frame: f64) -> u32 {
        let mut owed = 0.0;
        (0..frames).map(|_| due(&mut owed, per_second, frame)).sum()
    }

    #[test]
    fn a_second_has_as_many_steps_however_it_is_cut() {
        for frames in [4, 30, 60, 64, 144, 1000, 9999] {
            assert_eq!(
                steps(240.0, frames, 1.0 / f64::from(frames)),
                240,
                "{frames}"
            );
        }
        assert_eq!(steps(0.5, 60 * 60, 1.0 / 60.0), 30);
    }

    #[test]
    fn a_hitch_is_not_made_up_for() {
        assert_eq!(steps(240.0, 1, 3600.0), 60);
    }

    #[test]
    fn absurd_speeds_do_no_harm() {
        for speed in [f64::NAN, -5.0, f64::NEG_INFINITY, 0.0] {
            assert_eq!(steps(speed, 10, 0.1), 0, "{speed}");
        }
        assert_eq!(steps(f64::INFINITY, 1, 0.1), 1000);
    }
}
