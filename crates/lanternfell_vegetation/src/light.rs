//! Light from an image on plants: that of the land they stand on.

use bevy::{ecs::system::SystemParam, prelude::*};
use lanternfell_terrain::GroundLight;

use crate::vegetation::Vegetation;

/// The [`GroundLight`] of land with plants. They have one material: of several lit lands it is that of the first, in the
/// order of their entities.
#[derive(SystemParam)]
pub(crate) struct PlantLight<'w, 's> {
    lights: Query<'w, 's, (Entity, &'static GroundLight), With<Vegetation>>,
}

impl PlantLight<'_, '_> {
    pub(crate) fn get(&self) -> Option<&GroundLight> {
        let lights = self.lights.iter();
        let first = lights.min_by_key(|(land, _)| land.index_u32());
        first.map(|(_, light)| light)
    }
}
