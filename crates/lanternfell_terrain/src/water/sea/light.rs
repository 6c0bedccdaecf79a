//! Lighting of water by an image.

use bevy::prelude::*;

use super::{WaterMaterial, WaterSurface};
use crate::ground_light::TerrainLight;

/// Applies a terrain's [`TerrainLight`] to its sea, rivers and lakes. Runs after the systems that rebuild their
/// materials, because these reset the light.
pub(super) fn light(
    mut materials: ResMut<Assets<WaterMaterial>>,
    lights: Query<&TerrainLight>,
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
        // Surfaces can share a material, which then matches after the first write.
        if !is_like && let Some(mut material) = materials.get_mut(&handle.0) {
            material.base.emissive_texture = image.cloned();
            material.extension.set_light(light);
        }
    }
}
