//! Decides which seas refract. This needs cameras that have rendered the opaque scene and its depth
//! before the water.
//!
//! Blended water can not read what is behind it. As one of Bevy's transmissive materials, it can
//! read a copy of the opaque scene. A material has one mode for all cameras. Rivers and lakes
//! always blend: where one ends in another they overlap, and only the first refracting surface
//! would be visible.

use bevy::{
    asset::AssetEventSystems,
    core_pipeline::prepass::DepthPrepass,
    pbr::ScreenSpaceTransmission,
    prelude::*,
    render::{renderer::RenderAdapterInfo, settings::Backends},
};

use super::{Inland, WaterMaterial, WaterSurface};
use crate::{systems::TerrainSystems, water::Water};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        PostUpdate,
        choose
            .after(TerrainSystems::Present)
            .before(AssetEventSystems),
    );
}

type Cameras = (
    &'static Camera,
    &'static ScreenSpaceTransmission,
    Has<DepthPrepass>,
);

/// Switches each sea between blending and refraction, depending on its cameras and its [`Water`].
fn choose(
    adapter: Option<Res<RenderAdapterInfo>>,
    cameras: Query<Cameras, With<Camera3d>>,
    seas: Query<&Water>,
    surfaces: Query<(&WaterSurface, &MeshMaterial3d<WaterMaterial>), Without<Inland>>,
    mut materials: ResMut<Assets<WaterMaterial>>,
) {
    // With OpenGL and WebGL2, the shader can not read the depth prepass.
    let reads_depth =
        adapter.is_some_and(|adapter| Backends::from(adapter.backend) != Backends::GL);
    let can = reads_depth && can_refract(cameras);
    for (surface, material) in &surfaces {
        let wanted = can
            && seas
                .get(surface.terrain)
                .is_ok_and(|water| water.refraction);
        // Read first: `get_mut` alone marks the material as changed, which uploads it again.
        let is_other = materials
            .get(&material.0)
            .is_some_and(|material| material.extension.refracts != wanted);
        if is_other && let Some(mut material) = materials.get_mut(&material.0) {
            set(&mut material, wanted);
        }
    }
}

/// Whether any active camera has a depth prepass, and all of them copy the scene for transmissive
/// materials.
fn can_refract(cameras: Query<Cameras, With<Camera3d>>) -> bool {
    let active = || cameras.iter().filter(|(camera, ..)| camera.is_active);
    // A camera without a depth prepass shows the scene behind the water without refraction. A
    // camera without a copy of the scene would show nothing behind the water.
    active().any(|(.., has_depth)| has_depth)
        && active().all(|(_, transmission, _)| transmission.steps > 0)
}

fn set(material: &mut WaterMaterial, refracts: bool) {
    material.extension.refracts = refracts;
    // Bevy renders opaque materials with transmission in the transmissive phase, after the scene
    // has been copied.
    let (alpha_mode, transmission) = if refracts {
        (AlphaMode::Opaque, 1.0)
    } else {
        (AlphaMode::Blend, 0.0)
    };
    material.base.alpha_mode = alpha_mode;
    material.base.specular_transmission = transmission;
}
