//! Collects the active cameras, which determine the level of detail.

use bevy::{
    camera::visibility::RenderLayers, ecs::system::SystemParam, math::Affine3A, prelude::*,
};
use lanternfell_surface::detail::{Lens, Viewer};

/// All cameras that may render terrain.
#[derive(SystemParam)]
pub(crate) struct Viewers<'w, 's> {
    cameras: Query<
        'w,
        's,
        (
            &'static Camera,
            &'static Projection,
            &'static GlobalTransform,
            Option<&'static RenderLayers>,
        ),
        With<Camera3d>,
    >,
}

/// The height in pixels that is assumed for a camera without a render target yet.
const USUAL_HEIGHT: f32 = 1080.0;

impl Viewers<'_, '_> {
    /// Returns the active cameras that render one of the terrain's layers, in the frame of the terrain with the
    /// transform `land`. Returns none if that transform is not invertible or not finite.
    pub(crate) fn of(&self, land: &GlobalTransform, on: Option<&RenderLayers>) -> Vec<Viewer> {
        let Some(to_land) = to_ground(land) else {
            return Vec::new();
        };
        let on = on.unwrap_or_default();
        let viewer = |(camera, projection, transform, layers): CameraItem<'_>| {
            let drawn = on.intersects(layers.unwrap_or_default());
            let height = match camera.physical_viewport_size() {
                Some(size) => size.y as f32,
                None => USUAL_HEIGHT,
            };
            // A minimized window has no pixels. The level of detail then stays as it is.
            let looks = camera.is_active && drawn && height > 0.0;
            let eye = to_land.transform_point3(transform.translation());
            let view_from_land = transform.affine().inverse() * land.affine();
            let lens = lens(projection, height, land.scale().y, view_from_land);
            (looks && eye.is_finite() && sees(&lens)).then_some(Viewer { eye, lens })
        };
        self.cameras.iter().filter_map(viewer).collect()
    }
}

type CameraItem<'a> = (
    &'a Camera,
    &'a Projection,
    &'a GlobalTransform,
    Option<&'a RenderLayers>,
);

/// Returns the transform from world space to a terrain's local space. `None` if the terrain's transform is not
/// invertible or not finite.
pub(crate) fn to_ground(land: &GlobalTransform) -> Option<Affine3A> {
    let to_land = land.affine().inverse();
    to_land.is_finite().then_some(to_land)
}

/// Returns how many pixels a meter of the terrain covers with this projection.
///
/// `height` is that of the viewport in pixels, `scale` the scale of the terrain, and `view_from_land` transforms from
/// the terrain's local space to that of the camera.
fn lens(projection: &Projection, height: f32, scale: f32, view_from_land: Affine3A) -> Lens {
    let clip_from_view = projection.get_clip_from_view();
    let (across, up) = (clip_from_view.x_axis.x, clip_from_view.y_axis.y);
    let pixels = up.abs() * height / 2.0;
    // A perspective projection divides by the distance. Both the terrain and the distance grow with `scale`, so it
    // cancels out.
    if clip_from_view.w_axis.w == 0.0 {
        // In the corners of the screen, objects are magnified compared with the center.
        Lens::Perspective(pixels * (1.0 + 1.0 / (across * across) + 1.0 / (up * up)))
    } else {
        let clip_from_land = clip_from_view * Mat4::from(view_from_land);
        Lens::Orthographic {
            pixels: pixels * scale,
            screen: [clip_from_land.row(0), clip_from_land.row(1)],
        }
    }
}

/// Whether the lens shows anything. It does not if the viewport of an orthographic projection is empty, or if a camera
/// without size leads to values that are not finite.
fn sees(lens: &Lens) -> bool {
    match lens {
        Lens::Perspective(pixels) => pixels.is_finite(),
        Lens::Orthographic { pixels, screen } => {
            pixels.is_finite() && screen.iter().all(|side| side.is_finite())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degenerate_projections_see_nothing() {
        let parallel = |side: f32| {
            Projection::Orthographic(OrthographicProjection {
                area: Rect::from_center_size(Vec2::ZERO, Vec2::splat(side)),
                ..OrthographicProjection::default_3d()
            })
        };
        let without_size = Affine3A::from_scale(Vec3::ZERO).inverse();
        let here = Affine3A::IDENTITY;
        assert!(sees(&lens(&parallel(9.0), 720.0, 1.0, here)));
        assert!(!sees(&lens(&parallel(0.0), 720.0, 1.0, here)));
        assert!(!sees(&lens(&parallel(9.0), 720.0, 1.0, without_size)));
        let wide = PerspectiveProjection::default();
        assert!(sees(&lens(&wide.clone().into(), 720.0, 1.0, here)));
        let none = PerspectiveProjection { fov: 0.0, ..wide };
        assert!(!sees(&lens(&none.into(), 720.0, 1.0, here)));
    }

    #[test]
    fn perspective_pixels_are_those_of_the_corner() {
        let perspective = Projection::Perspective(PerspectiveProjection {
            fov: std::f32::consts::FRAC_PI_2,
            ..default()
        });
        let Lens::Perspective(pixels) = lens(&perspective, 1080.0, 10.0, Affine3A::IDENTITY) else {
            panic!("expected a perspective lens");
        };
        assert!((pixels - 3.0 * 540.0).abs() < 1e-2, "{pixels}");
    }

    #[test]
    fn orthographic_pixels_do_not_depend_on_distance() {
        let parallel = Projection::Orthographic(OrthographicProjection {
            area: Rect::new(-10.0, -10.0, 10.0, 10.0),
            ..OrthographicProjection::default_3d()
        });
        // 20 meters cover 1080 pixels, and the terrain has a scale of 2. The camera looks down from above (30, 0, 0).
        let land = Transform::from_scale(Vec3::splat(2.0));
        let camera = Transform::from_xyz(30.0, 50.0, 0.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
        let view = camera.compute_affine().inverse() * land.compute_affine();
        let Lens::Orthographic { pixels, screen } = lens(&parallel, 1080.0, 2.0, view) else {
            panic!("expected an orthographic lens");
        };
        assert!((pixels - 108.0).abs() < 1e-3, "{pixels}");
        let seen = |at: Vec3| screen.map(|side| side.dot(at.extend(1.0)));
        for (at, [x, y]) in [
            (Vec3::new(15.0, 3.0, 0.0), [0.0, 0.0]),
            (Vec3::new(20.0, 0.0, 0.0), [1.0, 0.0]),
            (Vec3::new(15.0, 0.0, 2.5), [0.0, -0.5]),
        ] {
            let [across, up] = seen(at);
            assert!(
                (across - x).abs() < 1e-5 && (up - y).abs() < 1e-5,
                "{at}: {across} {up}"
            );
        }
    }
}
