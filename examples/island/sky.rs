//! The sky of the island: how far its shadows and its fog reach, and what the water mirrors.

use bevy::{
    light::{CascadeShadowConfig, CascadeShadowConfigBuilder},
    prelude::*,
};
use lanternfell::{prelude::*, sky::SkySystems};

use crate::{
    Eye, Motion,
    extent::Extent,
    quality::{Level, Quality},
};

pub fn plugin(app: &mut App) {
    app.add_plugins(SkyPlugin)
        .add_systems(Update, (mirror_sky, feel_wind).after(SkySystems::Advance))
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

/// The water mirrors the sky of the hour.
fn mirror_sky(colors: Res<SkyColors>, extent: Res<Extent>, mut seas: Query<&mut Water>) {
    for mut water in &mut seas {
        let mirrored = Water {
            horizon: colors.horizon.into(),
            zenith: colors.zenith.into(),
            extent: extent.sea(),
            ..*water
        };
        water.set_if_neq(mirrored);
    }
}

/// Leaves move in the wind that the clouds drift in.
fn feel_wind(weather: Res<CurrentWeather>, mut wind: ResMut<Wind>) {
    let blowing = weather.get().wind;
    wind.set_if_neq(Wind {
        direction: blowing,
        speed: blowing.length(),
    });
}

/// Who walks by night has a torch.
fn take_torch(mut commands: Commands, eye: Single<Entity, With<Eye>>) {
    commands.entity(*eye).insert(HandTorch::default());
}

fn put_torch_away(mut commands: Commands, eye: Single<Entity, With<Eye>>) {
    commands.entity(*eye).remove::<HandTorch>();
}
