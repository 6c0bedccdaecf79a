//! Fog: as far as one sees, in the colors of the sky at the horizon, so that the sea meets the sky without a line.
//!
//! The air is thickest above low ground and thins out with the height, `exp(-height / scale)`. On a way from a camera
//! down to the ground it is on average `scale / height * (1 - exp(-height / scale))` times as thick as there, however
//! long the way is. So that is what each camera's [`DistanceFog`] gets: right for all low ground and the sea, and too much
//! only for peaks, which stand out of the fog in truth. (Per pixel each material would have to know of it.)

use bevy::{math::ops, prelude::*};

use crate::{
    colors::SkyColors, light::Shine, settings::SkySettings, time_of_day::Ephemeris,
    weather::CurrentWeather,
};

/// How narrowly fog and sky glow around the sun: the exponent of the cosine.
pub(crate) const GLOW: f32 = 7.0;

/// How high clear air reaches, in parts of how far one sees in it: 1800 m by default. A land of 30 km that is seen from
/// as high as it is wide would else lie in no air at all.
const CLEAR_SCALE: f32 = 0.33;

/// How high fog reaches that lies on the ground, in metres.
const FOG_SCALE: f32 = 70.0;

/// How far one sees in the thickest fog, in metres.
const THICKEST: f32 = 90.0;

/// Fog for a camera, by the sky and the weather: its [`DistanceFog`] is written by the plugin.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[require(DistanceFog, Transform)]
pub struct SkyFog {
    /// Metres after which a twentieth of the contrast is left, on a clear day on low ground; 5500 by default.
    pub visibility: f32,
}

impl Default for SkyFog {
    fn default() -> Self {
        Self { visibility: 5500.0 }
    }
}

impl SkyFog {
    /// How far one sees from so many metres above low ground.
    fn visibility_from(self, height: f32, fog: f32, rain: f32) -> f32 {
        let clear = if self.visibility.is_finite() {
            self.visibility.clamp(THICKEST, 1e6)
        } else {
            Self::default().visibility
        };
        // As far again and again, for each step of fog: so the eye counts it.
        let between = |from: f32, to: f32| from * ops::powf(to / from, fog);
        let near = between(clear, THICKEST) / (1.0 + 0.8 * rain);
        near / mean_density(height, between(CLEAR_SCALE * clear, FOG_SCALE))
    }
}

/// Of the air between the ground and a height above it, where that on the ground is 1.
fn mean_density(height: f32, scale: f32) -> f32 {
    let height = if height.is_finite() { height } else { 0.0 };
    let scales = height.clamp(0.0, 1e6) / scale;
    if scales < 1e-3 {
        1.0
    } else {
        (1.0 - ops::exp(-scales)) / scales
    }
}

pub(crate) fn fill_air(
    ephemeris: Res<Ephemeris>,
    weather: Res<CurrentWeather>,
    colors: Res<SkyColors>,
    settings: Res<SkySettings>,
    mut cameras: Query<(&SkyFog, &GlobalTransform, &mut DistanceFog)>,
) {
    let weather = weather.get();
    let ground = settings.checked().ground;
    let shine = Shine::at(&ephemeris, &colors, &weather);
    // Bevy's fog multiplies its glow with the light as the camera sees it; undo that, so that dome and fog glow alike.
    let exposed = bevy::camera::Exposure::default().exposure();
    let seen = shine.color.to_vec3() * shine.lux * exposed;
    let glow = colors.glow.to_vec3() / seen.max(Vec3::splat(1e-7));
    for (fog, place, mut air) in &mut cameras {
        let height = place.translation().y - ground;
        let visibility = fog.visibility_from(height, weather.fog, weather.rain);
        air.color = colors.horizon.into();
        air.directional_light_color = LinearRgba::from_vec3(glow).into();
        air.directional_light_exponent = GLOW;
        air.falloff = FogFalloff::from_visibility_squared(visibility);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fog_is_thick_below_and_thin_above() {
        let fog = SkyFog::default();
        assert_eq!(fog.visibility_from(0.0, 0.0, 0.0), 5500.0);
        assert!((fog.visibility_from(0.0, 1.0, 0.0) - THICKEST).abs() < 0.1);
        let mut before = 0.0;
        for height in [0.0, 10.0, 50.0, 200.0, 1000.0] {
            let visibility = fog.visibility_from(height, 0.8, 0.0);
            assert!(visibility > before, "{height}");
            before = visibility;
        }
        assert!(fog.visibility_from(300.0, 1.0, 0.0) > 3.0 * THICKEST);
        assert!(fog.visibility_from(5.0, 0.3, 1.0) < fog.visibility_from(5.0, 0.3, 0.0));
    }

    #[test]
    fn any_number_makes_fog() {
        for bad in [f32::NAN, f32::INFINITY, -5.0, 0.0, 1e30] {
            let visibility = SkyFog { visibility: bad }.visibility_from(bad, 0.5, 0.5);
            assert!(visibility.is_finite() && visibility > 0.0, "{bad}");
        }
    }
}
