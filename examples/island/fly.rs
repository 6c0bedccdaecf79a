//! Flying: Bevy's own free camera, in proportion to the island.

use bevy::{
    camera_controller::free_camera::{FreeCamera, FreeCameraState},
    prelude::*,
};

use crate::{Eye, Motion};

pub fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Motion::Fly), take_off)
        .add_systems(OnExit(Motion::Fly), land);
}

/// A free camera that crosses the island in a few seconds.
pub fn controller() -> FreeCamera {
    FreeCamera {
        walk_speed: 45.0,
        run_speed: 160.0,
        friction: 12.0,
        ..default()
    }
}

/// The camera flies on from where it is, looking where it looked.
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
