//! What goes on around the thief, as it is heard.

use bevy::prelude::*;
use gutterlight_assets::sound::Scene;

/// What goes on.
#[derive(Resource, Debug, Default, Clone, Copy, PartialEq)]
pub struct Ambience {
    /// As the loops want it.
    pub scene: Scene,
    /// Nothing is heard.
    pub hushed: bool,
    /// A bot plays behind a menu: what happens there is not heard, what goes on but softly.
    pub demo: bool,
}
