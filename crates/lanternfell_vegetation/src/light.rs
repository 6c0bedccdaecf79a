//! Light from a light map on plants.

use bevy::{ecs::system::SystemParam, prelude::*};
use lanternfell_terrain::TerrainLight;

use crate::vegetation::Vegetation;

/// The [`TerrainLight`] for plants. All plants share one material, so of several terrains with a light, the one with
/// the lowest entity index is used.
#[derive(SystemParam)]
pub(crate) struct PlantLight<'w, 's> {
    lights: Query<'w, 's, (Entity, &'static TerrainLight), With<Vegetation>>,
}

impl PlantLight<'_, '_> {
    pub(crate) fn get(&self) -> Option<&TerrainLight> {
        let lights = self.lights.iter();
        let first = lights.min_by_key(|(land, _)| land.index_u32());
        first.map(|(_, light)| light)
    }
}
