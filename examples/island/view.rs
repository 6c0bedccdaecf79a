//! Where the camera is when the first island is complete.

use bevy::{camera_controller::free_camera::FreeCameraState, prelude::*};
use lanternfell::prelude::*;

use crate::{Eye, Motion, design::SIDE, walk::nearest_land};

/// The view that a visitor begins with.
#[derive(Resource, Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum StartView {
    /// From the air, the whole island.
    #[default]
    Air,
    /// From the water's edge, just above the waves.
    Shore,
    /// On foot, inland.
    Walk,
}

impl StartView {
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "air" => Some(Self::Air),
            "shore" => Some(Self::Shore),
            "walk" => Some(Self::Walk),
            _ => None,
        }
    }
}

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, look_from_the_air.after(crate::spawn_camera))
        .add_observer(begin);
}

fn from_the_air() -> Transform {
    Transform::from_xyz(-0.44 * SIDE, 0.23 * SIDE, 0.56 * SIDE)
        .looking_at(Vec3::new(-0.04 * SIDE, 0.04 * SIDE, 0.02 * SIDE), Vec3::Y)
}

fn look_from_the_air(mut eye: Single<&mut Transform, With<Eye>>) {
    **eye = from_the_air();
}

/// When the first ground is there: to the place that the start view names.
fn begin(
    _ready: On<TerrainReady>,
    view: Res<StartView>,
    terrains: TerrainQuery,
    eye: Single<(&mut Transform, &mut FreeCameraState), With<Eye>>,
    mut next: ResMut<NextState<Motion>>,
    mut begun: Local<bool>,
) {
    if std::mem::replace(&mut *begun, true) {
        return;
    }
    let Some(coast) = nearest_land(&terrains, Vec3::new(-0.33 * SIDE, 0.0, 0.36 * SIDE)) else {
        return;
    };
    let (mut place, mut camera) = eye.into_inner();
    match *view {
        StartView::Air => {}
        StartView::Shore => {
            let out = Vec3::new(coast.x, 0.0, coast.z).normalize_or(Vec3::Z);
            let stand = coast + out * 16.0 + Vec3::Y * 4.0;
            let aside = Quat::from_rotation_y(0.5) * -out;
            *place = Transform::from_translation(stand)
                .looking_at(stand + aside * 60.0 + Vec3::Y * 7.0, Vec3::Y);
        }
        StartView::Walk => {
            let stand = level_land(&terrains, coast).unwrap_or(coast);
            let ahead = Quat::from_rotation_y(-0.35) * -stand.with_y(0.0);
            *place = Transform::from_translation(stand + Vec3::Y * 2.0)
                .looking_to(ahead.with_y(0.12 * ahead.length()), Vec3::Y);
            next.set(Motion::Walk);
        }
    }
    (camera.yaw, camera.pitch, _) = place.rotation.to_euler(EulerRot::YXZ);
}

/// The first fairly level ground on the way from the coast to the middle of the island.
fn level_land(terrains: &TerrainQuery, coast: Vec3) -> Option<Vec3> {
    (5..60).find_map(|percent| {
        let hit = terrains.hit(coast * (1.0 - percent as f32 / 100.0))?;
        (hit.normal.y > 0.95 && hit.water_depth() <= 0.0).then_some(hit.point)
    })
}
