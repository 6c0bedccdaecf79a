//! How the light of a map goes on: in steps, or to where it comes to rest.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::work::Todo;

/// How the light of a map gets where it is going.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub enum LightFlow {
    /// In steps, by a cell at most in each: one sees it spread. The default, at 240 steps
    /// a second.
    Automaton {
        /// How fast, on the clock of the plugin's schedule; frames play no part. Brought
        /// into 0 to 10,000, and what is no number is 0.
        ///
        /// What is due is never more than that of a quarter of a second: what was missed
        /// before, in a hitch or by a machine that is too slow, is left out.
        steps_per_second: f32,
    },
    /// At once, as it would be after many steps: for games in turns.
    ///
    /// Where light fades slowly that takes long. [In step](crate::LightTiming::InStep) at most 256
    /// sweeps are made in one run of the schedule, which is enough for lights that reach some fifty
    /// cells; the next run goes on.
    Settled {
        /// By how much light may be off; 1/1000 by default, which can not be seen. Brought
        /// into a millionth to 1.
        tolerance: f32,
    },
}

impl LightFlow {
    /// [`LightFlow::Settled`] with a tolerance that can not be seen.
    pub const SETTLED: Self = Self::Settled { tolerance: 1e-3 };

    /// The longest time of which steps are due, in seconds.
    const MAX_CATCH_UP: f64 = 0.25;
    const MAX_STEPS_PER_SECOND: f64 = 10_000.0;
    /// So long may one run take that settles in step.
    pub(crate) const MAX_SWEEPS: u32 = 256;

    /// So many seconds have passed: more steps are due, and a part of the next.
    pub(crate) fn wait(self, due: &mut f64, seconds: f64) {
        if let Some(per_second) = self.steps_per_second() {
            let most = (per_second * Self::MAX_CATCH_UP).max(1.0);
            *due = (*due + per_second * seconds).min(most);
        }
    }

    /// What is to be done with the light now; whole steps are taken from those that are due.
    pub(crate) fn take(self, due: &mut f64) -> Todo {
        match self {
            Self::Automaton { .. } => {
                // The sum of many short times must not stay a rounding error below a whole step.
                let steps = (*due + 1e-9).floor();
                *due = (*due - steps).max(0.0);
                match steps as u32 {
                    0 => Todo::Nothing,
                    steps => Todo::Steps(steps),
                }
            }
            // NaN stays NaN, which the grid takes for the least.
            Self::Settled { tolerance } => Todo::Settle(tolerance.clamp(1e-6, 1.0)),
        }
    }

    /// How fast light flows, if it does.
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
        for speed in [f32::NAN, -5.0, f32::NEG_INFINITY, 0.0] {
            assert_eq!(steps(speed, 10, 0.1), 0, "{speed}");
        }
        assert_eq!(steps(f32::INFINITY, 1, 0.1), 1000);
    }
}
