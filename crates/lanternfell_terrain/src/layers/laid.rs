//! The layers that are laid: those that were asked for last and can be.

use bevy::prelude::*;

use super::TerrainLayers;
use crate::window::TerrainWindow;

/// Beside every [`TerrainLayers`]: the same as long as they can be, or else what they were before. All that is drawn
/// and worked out follows these.
#[derive(Component, Deref, Debug, Default, Clone)]
pub(crate) struct LaidLayers {
    #[deref]
    layers: TerrainLayers,
    /// What was said to be wrong with those asked for, once.
    said: Option<String>,
}

type Asked = (
    Entity,
    &'static TerrainLayers,
    &'static mut LaidLayers,
    Has<TerrainWindow>,
);

pub(crate) fn follow_layers(mut terrains: Query<Asked, Changed<TerrainLayers>>) {
    for (terrain, asked, mut laid, is_window) in &mut terrains {
        let wrong = asked.validate().err().map(|error| error.to_string());
        match &wrong {
            None if laid.layers != *asked => laid.layers = asked.clone(),
            // What a window has is the whole's, which says it.
            Some(error) if laid.said != wrong && !is_window => {
                warn!("the layers of {terrain} are not laid: {error}");
            }
            _ => {}
        }
        laid.bypass_change_detection().said = wrong;
    }
}
