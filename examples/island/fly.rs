//! Flying with Bevy's free camera, at a speed in proportion to the terrain.

use bevy::{
    camera_controller::free_camera::{FreeCamera, FreeCameraState},
    prelude::*,
};

use crate::{Eye, Motion, extent::Extent};

pub fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Motion::Fly), take_off)
        .add_systems(OnExit(Motion::Fly), land)
        .add_systems(Update, keep_pace.run_if(resource_changed::<Extent>));
}

/// The settings of a camera that crosses the terrain in a few seconds.
pub fn controller(extent: Extent) -> FreeCamera {
    FreeCamera {
        walk_speed: 45.0 * extent.pace(),
        run_speed: 160.0 * extent.pace(),
        friction: 12.0,
        ..default()
    }
}

fn keep_pace(extent: Res<Extent>, mut camera: Single<&mut FreeCamera>) {
    **camera = controller(*extent);
}

/// Enables the free camera at the current position and view direction.
fn take_off(mut eyes: Query<(&Transform, &mut FreeCameraState), With<Eye>>) {
    for (transform, mut state) in &mut eyes {
        let (yaw, pitch, _) = transform.rotation.to_euler(EulerRot::YXZ);
        (state.yaw, state.pitch) = (yaw, pitch);
        state.velocity = Vec3::ZERO;
        state.enabled = true;
    }
}

fn land(mut eyes: Query<&mut FreeCameraState, With<Eye>>) {
    for mut state in &mut eyes {
        state.enabled = false;
    }
}
