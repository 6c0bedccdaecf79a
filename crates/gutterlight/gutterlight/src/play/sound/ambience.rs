//! The state of the ambient sound.

use bevy::prelude::*;
use gutterlight_assets::sound::Scene;

/// The ambient sound.
#[derive(Resource, Debug, Default, Clone, Copy, PartialEq)]
pub struct Ambience {
    /// The parameters of the loops.
    pub scene: Scene,
    /// Whether everything is silent.
    pub hushed: bool,
    /// Whether a bot plays behind a menu. Its events are silent, and its loops are soft.
    pub demo: bool,
}
