//! The view distance of fog, shadows and sea, and a torch for walking at night.

use bevy::{
    light::{CascadeShadowConfig, CascadeShadowConfigBuilder},
    prelude::*,
};
use lanternfell::prelude::*;

use crate::{
    Eye, Motion,
    extent::Extent,
    quality::{Level, Quality},
};

pub fn plugin(app: &mut App) {
    app.add_plugins((SkyPlugin, OutdoorsPlugin))
        .add_systems(Update, spread_sea)
        .add_systems(OnEnter(Motion::Walk), take_torch)
        .add_systems(OnExit(Motion::Walk), put_torch_away)
        .add_systems(
            Update,
            reach.run_if(resource_changed::<Extent>.or_eager(resource_changed::<Quality>)),
        );
}

/// The camera's initial fog.
pub fn fog(extent: Extent) -> SkyFog {
    SkyFog {
        visibility: extent.visibility(),
    }
}

fn shadows(extent: Extent, quality: Level) -> CascadeShadowConfig {
    CascadeShadowConfigBuilder {
        num_cascades: quality.cascades(),
        first_cascade_far_bound: 24.0,
        maximum_distance: extent.shadows(),
        ..default()
    }
    .build()
}

/// Adapts far plane, fog, shadows and clouds to the size of the terrain and the quality.
fn reach(
    extent: Res<Extent>,
    quality: Res<Quality>,
    mut settings: ResMut<SkySettings>,
    mut sun: Single<&mut CascadeShadowConfig, With<CelestialLight>>,
    eye: Single<(&mut Projection, &mut SkyFog), With<Eye>>,
) {
    settings.cloud_shadows = quality.level().has_cloud_shadows();
    settings.cloud_height = extent.clouds();
    **sun = shadows(*extent, quality.level());
    let (mut projection, mut air) = eye.into_inner();
    *air = fog(*extent);
    if let Projection::Perspective(perspective) = &mut *projection {
        // The far plane is beyond the edge of the sea.
        perspective.far = extent.far();
    }
}

/// Extends the sea to the visible distance.
fn spread_sea(extent: Res<Extent>, mut seas: Query<&mut Water>) {
    for mut water in &mut seas {
        water.set_if_neq(Water {
            extent: extent.sea(),
            ..*water
        });
    }
}

/// Gives the camera a torch while walking. It burns at night.
fn take_torch(mut commands: Commands, eye: Single<Entity, With<Eye>>) {
    commands.entity(*eye).insert(HandTorch::default());
}

fn put_torch_away(mut commands: Commands, eye: Single<Entity, With<Eye>>) {
    commands.entity(*eye).remove::<HandTorch>();
}
