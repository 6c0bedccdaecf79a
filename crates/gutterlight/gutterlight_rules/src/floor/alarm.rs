//! The alarm of a floor, and the bells that ring because of it.

use glam::IVec2;
use serde::{Deserialize, Serialize};

/// The maximum number of bells.
pub const MOST_BELLS: u8 = 4;

/// The alarm of a floor.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alarm {
    /// The ticks of calm until the alarm is over.
    pub fright: u32,
    /// The last known position of the thief.
    pub quarry: Option<IVec2>,
    /// The time at which a hunter last learned where the thief is, in ticks.
    pub told: u32,
}

impl Alarm {
    /// The number of bells that ring, if one bell falls silent after each `bell_ticks` ticks of
    /// calm.
    pub fn bells(&self, bell_ticks: u32) -> u8 {
        let bells = self.fright.div_ceil(bell_ticks.max(1));
        bells.min(u32::from(MOST_BELLS)) as u8
    }

    /// Reduces the alarm by some ticks of calm.
    pub(crate) fn wear_off(&mut self, ticks: u32) {
        self.fright = self.fright.saturating_sub(ticks);
    }
}
