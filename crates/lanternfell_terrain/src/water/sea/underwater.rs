//! Replaces the fog of cameras that are under water.
//!
//! The camera has the underwater [`DistanceFog`] only while a frame is rendered. `PostUpdate`
//! inserts it after transforms are propagated, and `First` restores the original. In between, an
//! app's systems, saved scenes and skies only see the original fog.

use bevy::{
    camera::{Exposure, visibility::RenderLayers},
    prelude::*,
};

use crate::water::{Water, WaterQuery};

/// On a camera under water. Stores its original fog, if it has one.
#[derive(Component)]
struct Submerged {
    air: Option<DistanceFog>,
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(First, emerge)
        .add_systems(PostUpdate, submerge.after(TransformSystems::Propagate));
}

type Cameras = (
    Entity,
    &'static Camera,
    &'static GlobalTransform,
    Option<&'static RenderLayers>,
    Option<&'static DistanceFog>,
    Option<&'static Exposure>,
);

/// Inserts underwater fog on each camera that is below the waves and renders them.
fn submerge(
    mut commands: Commands,
    query: WaterQuery,
    seas: Query<(
        Option<&Water>,
        &GlobalTransform,
        Option<&InheritedVisibility>,
        Option<&RenderLayers>,
    )>,
    cameras: Query<Cameras, With<Camera3d>>,
) {
    for (camera, view, place, layers, air, exposure) in &cameras {
        if !view.is_active {
            continue;
        }
        let at = place.translation();
        // Compares with the moving waves, because a camera near the surface may be in a trough.
        let Some(hit) = query.hit(at).filter(|hit| at.y < hit.point.y) else {
            continue;
        };
        let Ok((water, frame, seen, on)) = seas.get(hit.terrain) else {
            continue;
        };
        // A camera that does not render the layers of the water keeps its fog.
        let renders = layers
            .unwrap_or_default()
            .intersects(on.unwrap_or_default());
        if !renders || seen.is_some_and(|seen| !seen.get()) {
            continue;
        }
        let water = water.copied().unwrap_or_default();
        let depth = hit.point.y - at.y;
        let Some(fog) = fog_at(&water, depth, frame.scale().y, exposure) else {
            continue;
        };
        let air = air.cloned();
        // `emerge` has run since the last frame, so `air` is never the underwater fog.
        commands.entity(camera).try_insert((fog, Submerged { air }));
    }
}

/// Restores the original fog.
fn emerge(mut commands: Commands, mut cameras: Query<(Entity, &mut Submerged)>) {
    for (camera, mut submerged) in &mut cameras {
        let mut camera = commands.entity(camera);
        camera.try_remove::<Submerged>();
        match submerged.air.take() {
            Some(air) => camera.try_insert(air),
            None => camera.try_remove::<DistanceFog>(),
        };
    }
}

/// Relative extinction per color channel: red is absorbed first, blue last. The visibility defines
/// the extinction for contrast, which is 1.
const EXTINCTION: Vec3 = Vec3::new(1.5, 0.95, 0.9);

/// The fog at `depth` below the surface, in world units. `meter` is the length of a meter in world
/// units. `None` if `visibility` is not finite, which means clear water.
fn fog_at(
    water: &Water,
    depth: f32,
    meter: f32,
    exposure: Option<&Exposure>,
) -> Option<DistanceFog> {
    let visibility = water.visibility;
    if !visibility.is_finite() {
        return None;
    }
    let extinction = EXTINCTION * FogFalloff::koschmieder(visibility.max(0.5) * meter, CONTRAST);
    // Light from above is absorbed on its way down, too.
    let left = (-0.5 * depth * extinction).exp();
    // The colors of the water are meant for the default exposure. Bevy draws fog without exposure.
    let exposed = exposure.map_or(1.0, |it| it.exposure() / Exposure::default().exposure());
    let color = water.glimmer() * left * exposed;
    Some(DistanceFog {
        color: LinearRgba::from_vec3(color).into(),
        directional_light_color: Color::NONE,
        directional_light_exponent: 8.0,
        // With equal extinction and inscattering, the absorbed light of each channel is replaced by
        // the color of the water.
        falloff: FogFalloff::Atmospheric {
            extinction,
            inscattering: extinction,
        },
    })
}

/// The contrast that remains at the limit of visibility.
const CONTRAST: f32 = FogFalloff::REVISED_KOSCHMIEDER_CONTRAST_THRESHOLD;

#[cfg(test)]
mod tests {
    use super::*;

    /// The shader of the surface has its own copy of the constant.
    #[test]
    fn shader_knows_the_default_exposure() {
        let shader = include_str!("../../shaders/water.wgsl");
        let line = format!("const DEFAULT_EV100: f32 = {};", Exposure::default().ev100);
        assert!(shader.contains(&line), "{line}");
    }

    fn color(water: &Water, depth: f32) -> Vec3 {
        fog_at(water, depth, 1.0, None)
            .unwrap()
            .color
            .to_linear()
            .to_vec3()
    }

    #[test]
    fn deeper_water_is_darker_and_bluer() {
        let water = Water::default();
        let [near, far] = [0.5, 15.0].map(|depth| color(&water, depth));
        assert!(far.cmplt(near).all());
        assert!(far.z / far.x > 1.5 * near.z / near.x);
    }

    #[test]
    fn fog_is_dark_under_a_dark_sky() {
        let day = Water::default();
        let night = Water {
            horizon: Color::linear_rgb(0.004, 0.005, 0.008),
            zenith: Color::linear_rgb(0.001, 0.002, 0.004),
            ..day
        };
        assert!(color(&night, 1.0).max_element() < 0.03 * color(&day, 1.0).max_element());
    }

    #[test]
    fn fog_follows_the_exposure() {
        let water = Water::default();
        let usual = Exposure::default();
        let brighter = Exposure {
            ev100: usual.ev100 - 1.0,
        };
        let [usual, brighter] = [usual, brighter].map(|exposure| {
            let fog = fog_at(&water, 2.0, 1.0, Some(&exposure)).unwrap();
            fog.color.to_linear().to_vec3()
        });
        assert_eq!(usual, color(&water, 2.0));
        assert!((brighter - 2.0 * usual).abs().max_element() < 1e-5);
    }

    #[test]
    fn fog_matches_visibility() {
        let water = Water {
            visibility: 30.0,
            ..default()
        };
        let Some(DistanceFog {
            falloff: FogFalloff::Atmospheric { extinction, .. },
            ..
        }) = fog_at(&water, 1.0, 1.0, None)
        else {
            panic!("there is fog");
        };
        let left = (-30.0 * extinction).exp();
        assert!((left.y - CONTRAST).abs() < 0.015, "{left}");
        for (visibility, is_fog) in [
            (0.0, true),
            (-1.0, true),
            (f32::INFINITY, false),
            (f32::NAN, false),
        ] {
            let other = Water {
                visibility,
                ..water
            };
            let fog = fog_at(&other, 1.0, 1.0, None);
            assert_eq!(fog.is_some(), is_fog, "{visibility}");
        }
    }
}
