//! Whether the HUD is shown.

use bevy::prelude::*;

/// Whether the panel and all text are shown. `--bare` hides them for screenshots.
#[derive(Resource)]
pub struct HudShown(pub bool);

/// A run condition: whether the HUD is shown.
pub fn is_shown(shown: Res<HudShown>) -> bool {
    shown.0
}
