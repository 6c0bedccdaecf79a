//! The sky of the island: how far its shadows, its fog and its sea reach.

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
        .add_systems(Update, spread_sea.before(TerrainSystems::Present))
        .add_systems(OnEnter(Motion::Walk), take_torch)
        .add_systems(OnExit(Motion::Walk), put_torch_away)
        .add_systems(
            Update,
            reach.run_if(resource_changed::<Extent>.or_eager(resource_changed::<Quality>)),
        );
}

/// The fog that the camera begins with.
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

/// View, fog and shadows reach as far as the ground needs it; clouds throw shadows where there is time for it.
fn reach(
    extent: Res<Extent>,
    quality: Res<Quality>,
    mut settings: ResMut<SkySettings>,
    mut sun: Single<&mut CascadeShadowConfig, With<SkyLight>>,
    eye: Single<(&mut Projection, &mut SkyFog), With<Eye>>,
) {
    settings.cloud_shadows = quality.level().has_cloud_shadows();
    settings.cloud_height = extent.clouds();
    **sun = shadows(*extent, quality.level());
    let (mut projection, mut air) = eye.into_inner();
    *air = fog(*extent);
    if let Projection::Perspective(perspective) = &mut *projection {
        // Beyond the sea's edge; only what lies further is culled.
        perspective.far = extent.far();
    }
}

/// The sea reaches as far as one sees.
fn spread_sea(extent: Res<Extent>, mut seas: Query<&mut Water>) {
    for mut water in &mut seas {
        water.set_if_neq(Water {
            extent: extent.sea(),
            ..*water
        });
    }
}

/// Who walks by night has a torch.
fn take_torch(mut commands: Commands, eye: Single<Entity, With<Eye>>) {
    commands.entity(*eye).insert(HandTorch::default());
}

fn put_torch_away(mut commands: Commands, eye: Single<Entity, With<Eye>>) {
    commands.entity(*eye).remove::<HandTorch>();
}
