//! Light from an image on water.

use bevy::prelude::*;

use super::{WaterMaterial, WaterSurface};
use crate::ground_light::GroundLight;

/// Keeps the sea, the rivers and the lakes of a land in the light of its [`GroundLight`]. What keeps their materials in
/// step with all else leaves them without.
pub(super) fn light(
    mut materials: ResMut<Assets<WaterMaterial>>,
    lights: Query<&GroundLight>,
    surfaces: Query<(&WaterSurface, &MeshMaterial3d<WaterMaterial>)>,
) {
    for (surface, handle) in &surfaces {
        let light = lights.get(surface.terrain).ok();
        let Some(before) = materials.get(&handle.0) else {
            continue;
        };
        let image = light.map(|light| &light.image);
        let is_like =
            before.extension.has_light(light) && before.base.emissive_texture.as_ref() == image;
        // Many surfaces may have one material, which is then like it.
        if !is_like && let Some(mut material) = materials.get_mut(&handle.0) {
            material.base.emissive_texture = image.cloned();
            material.extension.set_light(light);
        }
    }
}
