//! The layers in use: the last ones that were valid.

use bevy::prelude::*;

use super::TerrainLayers;
use crate::region::TerrainRegion;

/// The layers in use, on each entity with [`TerrainLayers`].
///
/// They are equal to [`TerrainLayers`] while these are valid. Otherwise they keep the last valid value. Rendering and
/// the cover only depend on this component.
#[derive(Component, Deref, Debug, Default, Clone)]
pub(crate) struct EffectiveLayers {
    #[deref]
    layers: TerrainLayers,
    /// The error that was logged for the current [`TerrainLayers`].
    said: Option<String>,
}

type Asked = (
    Entity,
    &'static TerrainLayers,
    &'static mut EffectiveLayers,
    Has<TerrainRegion>,
);

pub(crate) fn follow_layers(mut terrains: Query<Asked, Changed<TerrainLayers>>) {
    for (terrain, asked, mut effective, is_region) in &mut terrains {
        let wrong = asked.validate().err().map(|error| error.to_string());
        match &wrong {
            None if effective.layers != *asked => effective.layers = asked.clone(),
            // A region copies its layers from the endless terrain, which logs the error.
            Some(error) if effective.said != wrong && !is_region => {
                warn!("invalid TerrainLayers on {terrain}, the previous ones are kept: {error}");
            }
            _ => {}
        }
        effective.bypass_change_detection().said = wrong;
    }
}
