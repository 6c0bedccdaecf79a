//! How the light of a map changes over time: in steps, or at once.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::work::Todo;

/// How the light of a map changes over time.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub enum LightFlow {
    /// Light spreads in steps, at most one cell per step, so that you can see it spread. The
    /// default, with 240 steps per second.
    Automaton {
        /// Steps per second, on the clock of the plugin's schedule, independent of the frame rate.
        /// Values are clamped to 0 to 10,000. NaN is replaced by 0.
        ///
        /// At most the steps of a quarter of a second are due at a time. After a longer frame, or
        /// on a machine that is too slow, the rest is skipped.
        steps_per_second: f32,
    },
    /// Light has the values that it would reach after many steps. For turn-based games.
    ///
    /// This takes long if light fades slowly. The solver repeats passes over the cells whose light
    /// is not settled yet, called sweeps. [In step](crate::LightTiming::InStep), a run of the
    /// schedule makes at most 256 sweeps, enough for lights that reach about 50 cells. The next run
    /// continues.
    Settled {
        /// The maximum error of the light, clamped to 1/1,000,000 to 1. [`LightFlow::SETTLED`] uses
        /// 1/1000, which is invisible.
        tolerance: f32,
    },
}

impl LightFlow {
    /// [`LightFlow::Settled`] with a tolerance of 1/1000, which is invisible.
    pub const SETTLED: Self = Self::Settled { tolerance: 1e-3 };

    /// The maximum time whose steps are due, in seconds.
    const MAX_CATCH_UP: f64 = 0.25;
    const MAX_STEPS_PER_SECOND: f64 = 10_000.0;
    /// The maximum number of sweeps of a run that settles in step.
    pub(crate) const MAX_SWEEPS: u32 = 256;

    /// Adds the steps that are due after this time, including the fraction of the next step.
    pub(crate) fn wait(self, due: &mut f64, seconds: f64) {
        if let Some(per_second) = self.steps_per_second() {
            let most = (per_second * Self::MAX_CATCH_UP).max(1.0);
            *due = (*due + per_second * seconds).min(most);
        }
    }

    /// Returns what to do with the light now, and removes the returned steps from those that are
    /// due.
    pub(crate) fn take(self, due: &mut f64) -> Todo {
        match self {
            Self::Automaton { .. } => {
                // Many short times may add up to slightly less than a whole step because of
                // rounding.
                let steps = (*due + 1e-9).floor();
                *due = (*due - steps).max(0.0);
                match steps as u32 {
                    0 => Todo::Nothing,
                    steps => Todo::Steps(steps),
                }
            }
            // `clamp` keeps NaN, which the grid replaces by the minimum tolerance.
            Self::Settled { tolerance } => Todo::Settle(tolerance.clamp(1e-6, 1.0)),
        }
    }

    /// The steps per second, or `None` if the light is settled or the value is NaN.
    fn steps_per_second(self) -> Option<f64> {
        let Self::Automaton { steps_per_second } = self else {
            return None;
        };
        let per_second = f64::from(steps_per_second);
        (!per_second.is_nan()).then(|| per_second.clamp(0.0, Self::MAX_STEPS_PER_SECOND))
    }
}

impl Default for LightFlow {
    fn default() -> Self {
        Self::Automaton {
            steps_per_second: 240.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(per_second: f32, frames: u32, frame: f64) -> u32 {
        let flow = LightFlow::Automaton {
            steps_per_second: per_second,
        };
        let mut due = 0.0;
        let of_frame = |_| {
            flow.wait(&mut due, frame);
            match flow.take(&mut due) {
                Todo::Nothing => 0,
                Todo::Steps(steps) => steps,
                other => panic!("{other:?}"),
            }
        };
        (0..frames).map(of_frame).sum()
    }

    #[test]
    fn steps_per_second_are_independent_of_frame_rate() {
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
    fn skips_steps_of_long_frames() {
        assert_eq!(steps(240.0, 1, 3600.0), 60);
    }

    #[test]
    fn clamps_invalid_speeds() {
        for speed in [f32::NAN, -5.0, f32::NEG_INFINITY, 0.0] {
            assert_eq!(steps(speed, 10, 0.1), 0, "{speed}");
        }
        assert_eq!(steps(f32::INFINITY, 1, 0.1), 1000);
    }
}
