//! Which seas bend what is behind them: those whose cameras have drawn it before, with its depth.
//!
//! Blended water knows nothing of what it lies over. Drawn as one of Bevy's transmissive things it reads a copy of all
//! that is opaque; but a material is either for all cameras. Rivers and lakes stay blended: where they end in each other
//! they lie over each other, and of what refracts only the first is seen.

use bevy::{
    core_pipeline::prepass::DepthPrepass,
    pbr::ScreenSpaceTransmission,
    prelude::*,
    render::{renderer::RenderAdapterInfo, settings::Backends},
};

use super::{Inland, WaterMaterial, WaterSurface};
use crate::{systems::TerrainSystems, water::Water};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, choose.after(TerrainSystems::Present));
}

type Cameras = (
    &'static Camera,
    &'static ScreenSpaceTransmission,
    Has<DepthPrepass>,
);

/// Has each sea blended or refracting, as its cameras and its [`Water`] are.
fn choose(
    adapter: Option<Res<RenderAdapterInfo>>,
    cameras: Query<Cameras, With<Camera3d>>,
    seas: Query<&Water>,
    surfaces: Query<(&WaterSurface, &MeshMaterial3d<WaterMaterial>), Without<Inland>>,
    mut materials: ResMut<Assets<WaterMaterial>>,
) {
    let reads_depth =
        adapter.is_some_and(|adapter| Backends::from(adapter.backend) != Backends::GL);
    let can = reads_depth && can_refract(cameras);
    for (surface, material) in &surfaces {
        let wanted = can
            && seas
                .get(surface.terrain)
                .is_ok_and(|water| water.refraction);
        let is_other = materials
            .get(&material.0)
            .is_some_and(|material| material.extension.refracts != wanted);
        if is_other && let Some(mut material) = materials.get_mut(&material.0) {
            set(&mut material, wanted);
        }
    }
}

/// Whether one of the cameras draws depth first, and all of them what is behind transmissive things.
fn can_refract(cameras: Query<Cameras, With<Camera3d>>) -> bool {
    let active = || cameras.iter().filter(|(camera, ..)| camera.is_active);
    active().any(|(.., has_depth)| has_depth)
        && active().all(|(_, transmission, _)| transmission.steps > 0)
}

fn set(material: &mut WaterMaterial, refracts: bool) {
    material.extension.refracts = refracts;
    let (alpha_mode, transmission) = if refracts {
        (AlphaMode::Opaque, 1.0)
    } else {
        (AlphaMode::Blend, 0.0)
    };
    material.base.alpha_mode = alpha_mode;
    material.base.specular_transmission = transmission;
}
