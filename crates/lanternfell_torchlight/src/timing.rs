//! When the light of a map is worked out, and how much of a frame that may take.

use std::time::Duration;

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// When the light of a map is worked out. On a map's entity.
///
/// | | the light that is read | what a frame waits for | the same bits on any machine |
/// |---|---|---|---|
/// | `WithinBudget` | whole, and of a moment [ago](crate::LightMap::age) where there is much to do | [`LightBudget`] | not promised |
/// | `InStep` | of this moment | all of the light | yes |
#[derive(
    Component, Reflect, Debug, Default, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize,
)]
#[reflect(Component, Debug, Default, Clone, PartialEq, Hash)]
pub enum LightTiming {
    /// At once as far as the [`LightBudget`] goes; what is left over is done in the background,
    /// while everything reads the light as it was. The default.
    ///
    /// However often the plugin's schedule is run in a frame, the budget is spent once; and light that
    /// can not keep up with its [`LightFlow`](crate::LightFlow) flows more slowly, and slows nothing
    /// else. Where there are no threads (in a browser) what is left over waits for the next frame.
    #[default]
    WithinBudget,
    /// All of it, in each run of the plugin's schedule: for games in turns, for replays, and for
    /// simulations that are compared bit by bit.
    InStep,
}

/// How much of the main thread's time the light of all maps that are
/// [`WithinBudget`](LightTiming::WithinBudget) may take in a frame; 2 ms by default. Half of it is for
/// working the light out, and what is left for the [`LightTexture`](crate::LightTexture)s. With 0 all
/// light is worked out in the background.
///
/// It is not begun what would probably not be ended in time; but where there are no threads a piece is
/// done in every frame, and of each texture a tile, be it more.
#[derive(Resource, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Resource, Debug, Default, Clone, PartialEq)]
pub struct LightBudget(pub Duration);

impl Default for LightBudget {
    fn default() -> Self {
        Self(Duration::from_millis(2))
    }
}

/// What has been spent of the budget in this frame.
#[derive(Resource, Debug, Default)]
pub(crate) struct Spent(Duration);

impl Spent {
    /// What is left.
    pub(crate) fn left(&self, budget: LightBudget) -> Duration {
        budget.0.saturating_sub(self.0)
    }

    /// What is left of the half for working light out.
    pub(crate) fn left_for_flow(&self, budget: LightBudget) -> Duration {
        (budget.0 / 2).saturating_sub(self.0)
    }

    pub(crate) fn spend(&mut self, time: Duration) {
        self.0 = self.0.saturating_add(time);
    }
}

/// A frame begins.
pub(crate) fn begin_frame(mut spent: ResMut<Spent>) {
    spent.0 = Duration::ZERO;
}
