//! When the light of a map is computed, and how much of a frame it may take.

use std::time::Duration;

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// When the light of a map is computed.
///
/// | | age of the light | a frame waits for | bit-identical on all machines |
/// |---|---|---|---|
/// | `WithinBudget` | current, or [some frames old](crate::TorchlightStatus::age) if there is much to compute; always complete | the [`LightBudget`] | no |
/// | `InStep` | current | all light | yes |
#[derive(
    Component, Reflect, Debug, Default, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize,
)]
#[reflect(Component, Debug, Default, Clone, PartialEq, Hash)]
pub enum LightTiming {
    /// Computes light at once as far as the [`LightBudget`] allows, and the rest in a background task. Until that is
    /// complete, everything reads the previous light. The default.
    ///
    /// The budget applies once per frame, no matter how often the plugin's schedule runs in it. If the machine is too
    /// slow for the [`LightFlow`](crate::LightFlow), light flows more slowly, but the frame rate does not drop. Without
    /// threads, as in a browser, the rest continues in the next frame.
    #[default]
    WithinBudget,
    /// Computes all light in each run of the plugin's schedule. For turn-based games, for replays, and for simulations
    /// that compare light bit by bit.
    InStep,
}

/// The time per frame that light may take on the main thread, for all maps that are
/// [`WithinBudget`](LightTiming::WithinBudget) together. Default: 2 ms.
///
/// Up to half of it is used to compute light, and the rest to update the [`LightTexture`](crate::LightTexture)s. With
/// zero, all light is computed in the background.
///
/// Work that is unlikely to finish within the budget is not started. There are two exceptions: without threads, each
/// frame does at least one piece of the work, and each texture updates at least one tile.
#[derive(Resource, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Resource, Debug, Default, Clone, PartialEq)]
pub struct LightBudget(pub Duration);

impl Default for LightBudget {
    fn default() -> Self {
        Self(Duration::from_millis(2))
    }
}

/// The part of the budget that was spent in this frame.
#[derive(Resource, Debug, Default)]
pub(crate) struct Spent(Duration);

impl Spent {
    /// The remaining budget.
    pub(crate) fn left(&self, budget: LightBudget) -> Duration {
        budget.0.saturating_sub(self.0)
    }

    /// The remaining part of the half for computing light.
    pub(crate) fn left_for_flow(&self, budget: LightBudget) -> Duration {
        (budget.0 / 2).saturating_sub(self.0)
    }

    pub(crate) fn spend(&mut self, time: Duration) {
        self.0 = self.0.saturating_add(time);
    }
}

/// Resets the spent time at the start of a frame.
pub(crate) fn begin_frame(mut spent: ResMut<Spent>) {
    spent.0 = Duration::ZERO;
}
