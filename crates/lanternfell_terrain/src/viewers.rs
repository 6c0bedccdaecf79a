//! Who looks at the land: the active cameras, as the pure crate wants them.

use bevy::{ecs::system::SystemParam, prelude::*};
use lanternfell_heightmap::detail::{Lens, Viewer};

/// Every camera that may draw land.
#[derive(SystemParam)]
pub(crate) struct Viewers<'w, 's> {
    cameras: Query<
        'w,
        's,
        (
            &'static Camera,
            &'static Projection,
            &'static GlobalTransform,
        ),
        With<Camera3d>,
    >,
}

/// How high a screen is that does not say so: one that draws nowhere yet.
const USUAL_HEIGHT: f32 = 1080.0;

impl Viewers<'_, '_> {
    /// The active cameras, seen from a land that stands at `land`.
    pub(crate) fn of(&self, land: &GlobalTransform) -> Vec<Viewer> {
        let to_land = land.affine().inverse();
        let active = self.cameras.iter().filter(|(camera, ..)| camera.is_active);
        let viewer = |(camera, projection, transform): (&Camera, &Projection, &GlobalTransform)| {
            let height = camera.physical_viewport_size().map(|size| size.y as f32);
            Viewer {
                eye: to_land.transform_point3(transform.translation()),
                lens: lens(projection, height.unwrap_or(USUAL_HEIGHT), land.scale().y),
            }
        };
        active.map(viewer).collect()
    }
}

/// What a projection makes of a metre of the land, `scale` metres of the world, on a screen so many pixels high.
fn lens(projection: &Projection, height: f32, scale: f32) -> Lens {
    let clip_from_view = projection.get_clip_from_view();
    let pixels = clip_from_view.y_axis.y.abs() * height / 2.0;
    // A perspective divides by the distance; the distance grows with the land.
    if clip_from_view.w_axis.w == 0.0 {
        Lens::Perspective(pixels)
    } else {
        Lens::Orthographic(pixels * scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_right_angle_of_view_has_half_the_screen_at_a_metre() {
        let perspective = Projection::Perspective(PerspectiveProjection {
            fov: std::f32::consts::FRAC_PI_2,
            ..default()
        });
        let Lens::Perspective(pixels) = lens(&perspective, 1080.0, 10.0) else {
            panic!("it is a perspective");
        };
        assert!((pixels - 540.0).abs() < 1e-3, "{pixels}");
    }

    #[test]
    fn a_parallel_projection_has_its_pixels_anywhere() {
        let parallel = Projection::Orthographic(OrthographicProjection {
            area: Rect::new(-10.0, -10.0, 10.0, 10.0),
            ..OrthographicProjection::default_3d()
        });
        // 20 metres are 1080 pixels, and a metre of the land is two.
        let Lens::Orthographic(pixels) = lens(&parallel, 1080.0, 2.0) else {
            panic!("it is parallel");
        };
        assert!((pixels - 108.0).abs() < 1e-3, "{pixels}");
    }
}
