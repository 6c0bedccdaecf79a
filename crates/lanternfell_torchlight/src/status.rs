//! The status of the light of a map.

use std::time::Duration;

use bevy::prelude::*;

/// The age and cost of the light of a [`TorchlightMap`](crate::TorchlightMap), on the same entity.
///
/// The plugin updates it in each run, and marks it as changed only if its value changes.
#[derive(Component, Reflect, Debug, Default, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct TorchlightStatus {
    pub(crate) age: Duration,
    pub(crate) step_time: Option<Duration>,
}

impl TorchlightStatus {
    /// Returns the age of the shown light, on the clock of the plugin's schedule.
    ///
    /// The light corresponds to the lamps and cells as they were this long ago. The age is zero if all light was
    /// computed in the last run. If that takes longer than the [`LightBudget`](crate::LightBudget), a background task
    /// computes the light, and the map shows it when it is complete. The cells and the sources of the grid are always
    /// current.
    pub fn age(&self) -> Duration {
        self.age
    }

    /// Returns the duration of a recent step of [`LightFlow::Automaton`](crate::LightFlow::Automaton), on any thread.
    /// `None` before the first step. A new map on the same entity starts with the time of the old one.
    pub fn step_time(&self) -> Option<Duration> {
        self.step_time
    }
}
