//! The rules for twists. `assets/rules.ron` explains each number.

use serde::{Deserialize, Serialize};

use crate::Twist;

/// The rules for twists.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "assets/rules.ron documents every number")]
pub struct TwistRules {
    pub opening: Vec<(u32, Twist)>,
    pub often: Vec<(u32, Twist)>,
    pub flooded_rooms: u32,
    pub flooded_corridors: u32,
    pub relief_ticks: u16,
    pub festival_sconces: u32,
    pub festival_asleep: u32,
    pub rival_ticks: u16,
    pub rival_noise: u16,
    pub rival_shuns: u32,
    pub fog_sight: u32,
    pub fog_hearing: u32,
    pub dogs: u32,
    pub dogs_for: u32,
}
