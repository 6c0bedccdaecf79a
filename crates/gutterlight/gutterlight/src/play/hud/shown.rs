//! Whether anything is around the picture.

use bevy::prelude::*;

/// Whether there is a panel and are words at all: a picture may be better without.
#[derive(Resource)]
pub struct HudShown(pub bool);

/// Whether there are.
pub fn is_shown(shown: Res<HudShown>) -> bool {
    shown.0
}
