//! Sky colors by sun elevation and weather.
//!
//! Each color has a value for night, dusk and day. They are mixed by the sine of the sun's elevation. Then clouds make
//! them gray, rain darkens them, and fog blends the zenith toward the horizon color.

use bevy::prelude::*;

use crate::{time_of_day::Ephemeris, weather::Weather};

/// The colors of the sky at this moment, for example for water that reflects it, distant terrain or a menu background.
///
/// Colors are linear, scaled for Bevy's default exposure. Except for `ambient`, they are at most about 1.
#[derive(Resource, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Resource, Debug, Default, Clone, PartialEq)]
pub struct SkyColors {
    /// The sky at the horizon, and the fog.
    pub horizon: LinearRgba,
    /// The sky overhead.
    pub zenith: LinearRgba,
    /// Glow that is added around the sun.
    pub glow: LinearRgba,
    /// Sunlight after its path through the air. Black at night.
    pub sun: LinearRgba,
    /// Lit clouds.
    pub cloud: LinearRgba,
    /// Ambient light from the whole sky, which also lights shadows.
    pub ambient: LinearRgba,
    /// Visibility of the stars, from 0 to 1.
    pub starlight: f32,
    /// How closed the cloud cover is, from 0 to 1. At 1 the sun casts almost no shadows.
    pub overcast: f32,
}

impl Default for SkyColors {
    /// Returns the colors at the default time and weather.
    fn default() -> Self {
        Self::at(&Ephemeris::default(), &Weather::default())
    }
}

/// A color at night, at dusk and by day.
struct Times([f32; 3], [f32; 3], [f32; 3]);

const HORIZON: Times = Times(
    [0.030, 0.046, 0.085],
    [0.52, 0.30, 0.20],
    [0.50, 0.68, 0.86],
);
const ZENITH: Times = Times(
    [0.007, 0.013, 0.034],
    [0.085, 0.12, 0.26],
    [0.075, 0.21, 0.52],
);
const GLOW: Times = Times([0.0, 0.0, 0.0], [0.62, 0.25, 0.06], [0.20, 0.17, 0.11]);
const SUN: Times = Times([0.9, 0.40, 0.18], [1.0, 0.52, 0.24], [1.0, 0.93, 0.82]);
const CLOUD: Times = Times([0.030, 0.040, 0.065], [0.95, 0.55, 0.38], [0.98, 0.98, 1.0]);

/// How much of the sky's hue the ambient light keeps. Less than 1, because the terrain reflects its own color into
/// shadows.
const TINT: f32 = 0.75;

impl SkyColors {
    /// Computes the colors for the given sun position and weather.
    pub fn at(ephemeris: &Ephemeris, weather: &Weather) -> Self {
        let weather = weather.checked();
        let height = ephemeris.to_sun.y;
        let shares = shares(height);
        let overcast = smooth(0.5, 0.97, weather.cloud_cover);
        let sky = |of: &Times| weathered(mix(of, shares), overcast, &weather);
        let (horizon, zenith) = (sky(&HORIZON), sky(&ZENITH));
        // Under a closed cover, zenith and horizon are about equally bright.
        let zenith = zenith.lerp(horizon * 0.82, 0.8 * overcast);
        let zenith = zenith.lerp(horizon, 0.8 * weather.fog);
        let above = horizon.lerp(zenith, 0.5);
        // Eyes adapt to the dark, but Bevy's exposure is fixed. Brighten the ambient light to compensate, most of all
        // at dusk.
        let [night, dusk, day] = shares;
        // Clouds scatter the sunlight that they block, so by day the ambient light grows with `overcast`.
        let opened = 1.0 + 1.5 * dusk + 0.7 * night + day * (1.2 + overcast);
        let ambient = Vec3::splat(luminance(above)).lerp(above, TINT) * opened;
        let open = 1.0 - overcast;
        let clear_air = open * (1.0 - 0.7 * weather.fog);
        Self {
            horizon: linear(horizon),
            zenith: linear(zenith),
            // The glow fades out after sunset.
            glow: linear(mix(&GLOW, shares) * clear_air * smooth(-0.16, 0.04, height)),
            sun: linear(mix(&SUN, shares) * smooth(-0.10, 0.06, height)),
            cloud: linear(sky(&CLOUD)),
            ambient: linear(ambient),
            starlight: smooth(-0.02, -0.18, height) * clear_air,
            overcast,
        }
    }
}

/// Weights of night, dusk and day. `height` is the sine of the sun's elevation.
fn shares(height: f32) -> [f32; 3] {
    let day = smooth(-0.02, 0.38, height);
    let night = smooth(0.04, -0.20, height);
    [night, 1.0 - day - night, day]
}

fn mix(of: &Times, [night, dusk, day]: [f32; 3]) -> Vec3 {
    Vec3::from(of.0) * night + Vec3::from(of.1) * dusk + Vec3::from(of.2) * day
}

/// Applies clouds, rain and fog to a color of the clear sky.
fn weathered(clear: Vec3, overcast: f32, weather: &Weather) -> Vec3 {
    // The gray keeps a slight blue tint.
    let gray = luminance(clear) * Vec3::new(0.93, 0.98, 1.06);
    let grayed = clear.lerp(gray * 0.86, 0.92 * overcast);
    let rained = grayed * (1.0 - 0.42 * weather.rain);
    rained.lerp(gray * 0.95, 0.55 * weather.fog * (1.0 - weather.rain))
}

/// Relative luminance with Rec. 709 weights.
pub(crate) fn luminance(color: Vec3) -> f32 {
    color.dot(Vec3::new(0.2126, 0.7152, 0.0722))
}

pub(crate) fn smooth(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

fn linear(color: Vec3) -> LinearRgba {
    LinearRgba::rgb(color.x, color.y, color.z)
}

pub(crate) fn color_sky(
    ephemeris: Res<Ephemeris>,
    weather: Res<crate::weather::CurrentWeather>,
    mut colors: ResMut<SkyColors>,
) {
    if ephemeris.is_changed() || weather.is_changed() {
        colors.set_if_neq(SkyColors::at(&ephemeris, &weather.get()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TimeOfDay;

    fn at(hour: f32, weather: &Weather) -> SkyColors {
        let time = TimeOfDay { hour, ..default() };
        SkyColors::at(&Ephemeris::at(&time), weather)
    }

    fn all(colors: &SkyColors) -> Vec<Vec3> {
        let colors = [
            colors.horizon,
            colors.zenith,
            colors.glow,
            colors.sun,
            colors.cloud,
            colors.ambient,
        ];
        colors.map(ColorToComponents::to_vec3).to_vec()
    }

    #[test]
    fn colors_change_smoothly_over_a_day() {
        for (name, weather) in Weather::PRESETS {
            let mut before = at(0.0, &weather);
            for step in 1..=2400 {
                let now = at(step as f32 * 0.01, &weather);
                for (a, b) in all(&before).into_iter().zip(all(&now)) {
                    // One step is 36 seconds.
                    assert!(a.distance(b) < 0.025, "{name} {step}: {a} {b}");
                    assert!(b.min_element() >= 0.0, "{name} {b}");
                }
                // `ambient` may exceed 1. The tests in `light` check it.
                let colors = &all(&now)[..5];
                let brightest = colors.iter().map(|color| color.max_element());
                assert!(brightest.fold(0.0, f32::max) <= 1.1, "{name} {step}");
                assert!((before.starlight - now.starlight).abs() < 0.03);
                before = now;
            }
        }
    }

    #[test]
    fn ambient_is_never_black_and_bluish_under_a_clear_sky() {
        for hour in 0..24 {
            let ambient = at(hour as f32, &Weather::CLEAR).ambient.to_vec3();
            assert!(luminance(ambient) > 0.015, "{hour}: {ambient}");
            let apart = ambient.max_element() - ambient.min_element();
            assert!(apart > 0.1 * ambient.max_element(), "{hour}: {ambient}");
        }
    }

    #[test]
    fn clouds_desaturate_and_rain_darkens() {
        let saturation = |color: LinearRgba| {
            let color = color.to_vec3();
            (color.max_element() - color.min_element()) / color.max_element()
        };
        let [clear, overcast, rain] =
            [Weather::CLEAR, Weather::OVERCAST, Weather::RAIN].map(|weather| at(12.0, &weather));
        assert!(saturation(overcast.zenith) < 0.5 * saturation(clear.zenith));
        assert!(luminance(rain.horizon.to_vec3()) < 0.9 * luminance(overcast.horizon.to_vec3()));
        assert!(
            at(0.0, &Weather::OVERCAST).starlight < 0.1 && at(0.0, &Weather::CLEAR).starlight > 0.9
        );
    }
}
