//! The player's settings, as everything that obeys them reads them.

use bevy::prelude::*;
use lanternfell_gutterlight::settings::Settings;

/// What is set now.
#[derive(Resource, Default, Deref, DerefMut)]
pub struct Options(pub Settings);
