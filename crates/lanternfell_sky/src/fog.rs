//! Distance fog in the color of the sky at the horizon, so that the sea meets the sky without a visible line.
//!
//! The density falls off exponentially with height above the lowest ground, `exp(-height / scale)`. Along a straight
//! path from a camera at `height` down to the ground, the mean density is `scale / height * (1 - exp(-height / scale))`
//! of the density at the ground. It does not depend on the length of the path. Each camera's [`DistanceFog`] uses this
//! mean. It is exact for low ground and the sea. Peaks get too much fog, because in reality they rise out of it.
//! Per-pixel height fog would have to be added to every material.

use bevy::{camera::Exposure, math::ops, prelude::*};

use crate::{
    colors::SkyColors, light::Shine, settings::SkySettings, time_of_day::Ephemeris,
    weather::CurrentWeather,
};

/// Exponent of the glow around the sun in fog and sky: the power of the cosine. Larger values give a narrower glow.
pub(crate) const GLOW: f32 = 7.0;

/// Scale height of clear air as a fraction of the visibility: about 1800 m with the default visibility.
///
/// With a much smaller value, a terrain 30 km wide, seen from 30 km above it, would show no haze at all.
const CLEAR_SCALE: f32 = 0.33;

/// Scale height of thick ground fog, in meters.
const FOG_SCALE: f32 = 70.0;

/// Visibility in the thickest fog at ground level, in meters.
const THICKEST: f32 = 90.0;

/// Makes the [`DistanceFog`] of a camera follow the sky, the weather and the camera's [`Exposure`]. Insert it on the
/// camera. [`DistanceFog`] is added if it is missing.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default, deny_unknown_fields)
)]
#[require(DistanceFog, Transform)]
pub struct SkyFog {
    /// Visibility on a clear day at ground level, in meters: the distance at which 5 % of the contrast is left. From 90
    /// to 1,000,000. Default: 5500. Rain and fog reduce it, for example to about 390 m in [`Weather::STORM`].
    ///
    /// To hide the border of an endless terrain, use a value below its distance.
    ///
    /// [`Weather::STORM`]: crate::Weather::STORM
    pub visibility: f32,
}

impl Default for SkyFog {
    fn default() -> Self {
        Self { visibility: 5500.0 }
    }
}

impl SkyFog {
    /// Returns the visibility in meters from `height` meters above the lowest ground.
    fn visibility_from(self, height: f32, fog: f32, rain: f32) -> f32 {
        let clear = if self.visibility.is_finite() {
            self.visibility.clamp(THICKEST, 1e6)
        } else {
            Self::default().visibility
        };
        // Interpolate geometrically, because people perceive visibility on a logarithmic scale.
        let between = |from: f32, to: f32| from * ops::powf(to / from, fog);
        let near = between(clear, THICKEST) / (1.0 + 0.8 * rain);
        near / mean_density(height, between(CLEAR_SCALE * clear, FOG_SCALE))
    }
}

/// Mean density of the air between the ground and `height`, relative to the density at the ground.
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
    mut cameras: Query<(
        &SkyFog,
        &GlobalTransform,
        &mut DistanceFog,
        Option<&Exposure>,
    )>,
) {
    let weather = weather.get();
    let ground = settings.checked().ground;
    let shine = Shine::at(&ephemeris, &colors, &weather);
    // Bevy's fog multiplies the glow by the light and the camera's exposure. Divide the light out for the default
    // exposure, so that the fog glows like the dome.
    let usual = Exposure::default().exposure();
    let seen = shine.color.to_vec3() * shine.lux * usual;
    let glow = colors.glow.to_vec3() / seen.max(Vec3::splat(1e-7));
    for (fog, place, mut air, exposure) in &mut cameras {
        // Bevy draws the fog's own color as it is.
        let exposed = exposure.map_or(1.0, |exposure| exposure.exposure() / usual);
        let height = place.translation().y - ground;
        let visibility = fog.visibility_from(height, weather.fog, weather.rain);
        air.color = (colors.horizon * exposed).with_alpha(1.0).into();
        air.directional_light_color = LinearRgba::from_vec3(glow).into();
        air.directional_light_exponent = GLOW;
        air.falloff = FogFalloff::from_visibility_squared(visibility);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visibility_grows_with_height_and_shrinks_with_fog() {
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
    fn visibility_is_finite_for_bad_input() {
        for bad in [f32::NAN, f32::INFINITY, -5.0, 0.0, 1e30] {
            let visibility = SkyFog { visibility: bad }.visibility_from(bad, 0.5, 0.5);
            assert!(visibility.is_finite() && visibility > 0.0, "{bad}");
        }
    }
}
