//! How frightened a floor is, and how many bells ring because of it.

use glam::IVec2;
use serde::{Deserialize, Serialize};

/// The most bells.
pub const MOST_BELLS: u8 = 4;

/// How frightened a floor is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alarm {
    /// Ticks of calm until all is forgotten.
    pub fright: u32,
    /// Where the thief was last known to be.
    pub quarry: Option<IVec2>,
    /// When a hunter was last told, in ticks of the game.
    pub told: u32,
}

impl Alarm {
    /// How many bells ring, if each takes so many ticks to fall silent.
    pub fn bells(&self, bell_ticks: u32) -> u8 {
        let bells = self.fright.div_ceil(bell_ticks.max(1));
        bells.min(u32::from(MOST_BELLS)) as u8
    }

    /// So many ticks of calm.
    pub(crate) fn wear_off(&mut self, ticks: u32) {
        self.fright = self.fright.saturating_sub(ticks);
    }
}
