//! The camera of perspective views, placed such that the terrain just fits into the image.
//!
//! The orientation of the camera is given, and its position follows. In the camera's own axes a
//! point `(x, y, depth)` is inside the left border if `x - cx >= -t (depth - cz)`, which is linear
//! in the camera position `(cx, cz)`. The extreme of these lines over all points gives the nearest
//! position from which all points are visible. The same holds for the top and the bottom.

use glam::{DVec2, DVec3};

use crate::patch::Ray;

/// A perspective camera. Its image plane is a rectangle one unit in front of it.
pub(super) struct Camera {
    pub(super) place: DVec3,
    forward: DVec3,
    right: DVec3,
    up: DVec3,
    /// Half the width and height of the image plane.
    half: DVec2,
    /// The angle of a pixel, in radians.
    pub(super) pixel: f64,
}

/// The orientation and field of view of a camera, from which its position is computed.
pub(super) struct CameraLook {
    /// The azimuth of the camera as seen from the terrain, clockwise from north, in radians.
    pub(super) azimuth: f64,
    /// How far the camera looks down, in radians.
    pub(super) elevation: f64,
    /// Half the vertical field of view, in radians.
    pub(super) half_view: f64,
    /// Narrows the field of view: 2 shows half as much, at twice the size.
    pub(super) zoom: f64,
    /// The size of the image in pixels.
    pub(super) pixels: (u32, u32),
}

/// The shares of half the image that the terrain may fill: sideways, upward, downward. There is
/// more room above while the sky is visible, and less when it is not.
const ROOM: (f64, f64, f64) = (0.92, 0.62, 0.86);
const ROOM_WITHOUT_SKY: f64 = 0.90;

/// The height of the horizon above the image center, in half image heights, at which the sky gets
/// its full room, and at which it gets none.
const HORIZON: (f64, f64) = (0.75, 1.35);

/// The unit vector of an azimuth (clockwise from north) and an angle above the horizon, both in
/// radians. North is -z, east is +x.
pub(super) fn towards(azimuth: f64, elevation: f64) -> DVec3 {
    let level = libm::cos(elevation);
    DVec3::new(
        libm::sin(azimuth) * level,
        libm::sin(elevation),
        -libm::cos(azimuth) * level,
    )
}

impl Camera {
    /// The nearest camera with this look that shows all `points`.
    pub(super) fn showing(points: &[DVec3], look: &CameraLook) -> Self {
        let forward = -towards(look.azimuth, look.elevation);
        // Not computed from `forward`, which has no azimuth when it points straight down.
        let right = DVec3::new(-libm::cos(look.azimuth), 0.0, -libm::sin(look.azimuth));
        let up = right.cross(forward);
        let view = libm::tan(look.half_view);
        let aspect = f64::from(look.pixels.0) / f64::from(look.pixels.1);
        let half = DVec2::new(view * aspect, view);
        let (across, above, below) = room(look);
        let sides = Fit::new(points, right, forward, half.x * across, half.x * across);
        let heights = Fit::new(points, up, forward, half.y * below, half.y * above);
        let depth = sides.depth.min(heights.depth);
        let place = right * sides.middle(depth) + up * heights.middle(depth) + forward * depth;
        Self {
            place,
            forward,
            right,
            up,
            half: half / look.zoom,
            pixel: 2.0 * view / look.zoom / f64::from(look.pixels.1),
        }
    }

    /// The ray through a point of the image. Both coordinates are from 0 to 1, from the top left
    /// corner.
    pub(super) fn ray(&self, at: DVec2) -> Ray {
        let across = self.right * ((2.0 * at.x - 1.0) * self.half.x);
        let along = self.up * ((1.0 - 2.0 * at.y) * self.half.y);
        Ray {
            origin: self.place,
            direction: (self.forward + across + along).normalize(),
        }
    }
}

/// The shares of half the image for the terrain: sideways, upward, downward.
fn room(look: &CameraLook) -> (f64, f64, f64) {
    let horizon = libm::tan(look.elevation) / libm::tan(look.half_view);
    let out = ((horizon - HORIZON.0) / (HORIZON.1 - HORIZON.0)).clamp(0.0, 1.0);
    let towards = |room: f64| room + (ROOM_WITHOUT_SKY - room) * out;
    (ROOM.0, towards(ROOM.1), towards(ROOM.2))
}

/// The camera positions, along one axis and in depth, from which all points are between two borders
/// of the image.
struct Fit {
    low_slope: f64,
    high_slope: f64,
    /// The minimum of `axis + low_slope * depth` and the maximum of `axis - high_slope * depth`.
    least: f64,
    greatest: f64,
    /// The farthest forward position of the camera.
    depth: f64,
}

impl Fit {
    fn new(points: &[DVec3], axis: DVec3, forward: DVec3, low: f64, high: f64) -> Self {
        let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
        for point in points {
            let (across, depth) = (point.dot(axis), point.dot(forward));
            least = least.min(across + low * depth);
            greatest = greatest.max(across - high * depth);
        }
        Self {
            low_slope: low,
            high_slope: high,
            least,
            greatest,
            depth: (least - greatest) / (low + high),
        }
    }

    /// The position along the axis at this depth: midway between the two borders.
    fn middle(&self, depth: f64) -> f64 {
        let highest = self.least - self.low_slope * depth;
        let lowest = self.greatest + self.high_slope * depth;
        0.5 * (highest + lowest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(azimuth: f64, elevation: f64) -> CameraLook {
        CameraLook {
            azimuth,
            elevation,
            half_view: 0.3,
            zoom: 1.0,
            pixels: (160, 90),
        }
    }

    #[test]
    fn azimuth_is_clockwise_from_north() {
        let close = |a: DVec3, b: DVec3| (a - b).length() < 1e-12;
        assert!(close(towards(0.0, 0.0), -DVec3::Z));
        assert!(close(towards(core::f64::consts::FRAC_PI_2, 0.0), DVec3::X));
        assert!(close(towards(1.0, core::f64::consts::FRAC_PI_2), DVec3::Y));
    }

    #[test]
    fn fits_all_points_tightly() {
        let points = [
            DVec3::new(-0.5, 0.0, -0.5),
            DVec3::new(0.5, 0.1, -0.5),
            DVec3::new(0.3, 0.2, 0.5),
            DVec3::new(-0.5, 0.0, 0.4),
        ];
        for step in 0..60 {
            let look = look(f64::from(step) * 0.37, 0.02 + f64::from(step) * 0.025);
            let camera = Camera::showing(&points, &look);
            let mut fullest = 0.0_f64;
            for point in points {
                let offset = point - camera.place;
                let depth = offset.dot(camera.forward);
                let x = offset.dot(camera.right) / depth / camera.half.x;
                let y = offset.dot(camera.up) / depth / camera.half.y;
                let (across, above, below) = room(&look);
                let filled = [x.abs() / across, y / above, -y / below];
                assert!(
                    depth > 0.0 && filled.iter().all(|f| *f < 1.0 + 1e-9),
                    "{x} {y}"
                );
                fullest = filled.into_iter().fold(fullest, f64::max);
            }
            assert!(fullest > 0.999, "not tight: {fullest}");
        }
    }

    #[test]
    fn rays_pass_through_their_points() {
        let camera = Camera::showing(&[DVec3::ZERO, DVec3::X], &look(0.4, 0.3));
        assert!((camera.ray(DVec2::splat(0.5)).direction - camera.forward).length() < 1e-12);
        let corner = camera.ray(DVec2::X).direction;
        assert!(
            corner.dot(camera.right) > 0.0 && corner.dot(camera.up) > camera.forward.dot(camera.up)
        );
    }
}
