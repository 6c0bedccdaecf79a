//! The colors of the air, by the height of the sun and the weather: one set, which all that is seen goes by.
//!
//! Night, dusk and day each have their colors, and between them they are mixed by the sine of the sun's elevation. Clouds
//! that close gray them, rain darkens them, fog lays the horizon's color over the whole sky.

use bevy::prelude::*;

use crate::{time_of_day::Ephemeris, weather::Weather};

/// What the sky looks like at the moment. Water that mirrors it, far land that fades into it or a menu before it can
/// follow it. Colors are linear, as a camera with Bevy's default exposure sees them, of about 1 at most.
#[derive(Resource, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Resource, Debug, Default, Clone, PartialEq)]
pub struct SkyColors {
    /// Of the sky at the horizon, and of the fog.
    pub horizon: LinearRgba,
    /// Of the sky overhead.
    pub zenith: LinearRgba,
    /// What is added around the sun.
    pub glow: LinearRgba,
    /// Of sunlight after its way through the air; black by night.
    pub sun: LinearRgba,
    /// Of a lit cloud.
    pub cloud: LinearRgba,
    /// Of the light from the whole sky, which falls into shadows.
    pub ambient: LinearRgba,
    /// How well stars are seen, from 0 to 1.
    pub starlight: f32,
    /// How far the sky is closed by clouds, so that the sun throws no shadows: from 0 to 1.
    pub overcast: f32,
}

impl Default for SkyColors {
    /// At the default time and weather.
    fn default() -> Self {
        Self::at(&Ephemeris::default(), &Weather::default())
    }
}

/// A color of the air by night, at dusk and by day.
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

/// How much of a color's blue is left in the light that falls into shadows: land throws back its own.
const TINT: f32 = 0.75;

impl SkyColors {
    /// With the sun there, in that weather.
    pub fn at(ephemeris: &Ephemeris, weather: &Weather) -> Self {
        let weather = weather.checked();
        let height = ephemeris.to_sun.y;
        let shares = shares(height);
        let overcast = smooth(0.5, 0.97, weather.cover);
        let sky = |of: &Times| weathered(mix(of, shares), overcast, &weather);
        let (horizon, zenith) = (sky(&HORIZON), sky(&ZENITH));
        // Under one cloud all of the sky is nearly as bright.
        let zenith = zenith.lerp(horizon * 0.82, 0.8 * overcast);
        let zenith = zenith.lerp(horizon, 0.8 * weather.fog);
        let above = horizon.lerp(zenith, 0.5);
        // Eyes open where it is dark, and Bevy's exposure does not: so there is more light in shadows than there would be,
        // at dusk above all.
        let [night, dusk, day] = shares;
        // Clouds throw down from everywhere what the sun no longer sends from one side.
        let opened = 1.0 + 1.5 * dusk + 0.7 * night + day * (1.2 + overcast);
        let ambient = Vec3::splat(luminance(above)).lerp(above, TINT) * opened;
        let open = 1.0 - overcast;
        let clear_air = open * (1.0 - 0.7 * weather.fog);
        Self {
            horizon: linear(horizon),
            zenith: linear(zenith),
            // Long after sunset nothing is left of it.
            glow: linear(mix(&GLOW, shares) * clear_air * smooth(-0.16, 0.04, height)),
            sun: linear(mix(&SUN, shares) * smooth(-0.10, 0.06, height)),
            cloud: linear(sky(&CLOUD)),
            ambient: linear(ambient),
            starlight: smooth(-0.02, -0.18, height) * clear_air,
            overcast,
        }
    }
}

/// How much night, dusk and day there is. `height` is the sine of the sun's elevation.
fn shares(height: f32) -> [f32; 3] {
    let day = smooth(-0.02, 0.38, height);
    let night = smooth(0.04, -0.20, height);
    [night, 1.0 - day - night, day]
}

fn mix(of: &Times, [night, dusk, day]: [f32; 3]) -> Vec3 {
    Vec3::from(of.0) * night + Vec3::from(of.1) * dusk + Vec3::from(of.2) * day
}

/// A color of the clear sky, as far as clouds, rain and fog leave it.
fn weathered(clear: Vec3, overcast: f32, weather: &Weather) -> Vec3 {
    // A little blue stays in the gray.
    let gray = luminance(clear) * Vec3::new(0.93, 0.98, 1.06);
    let grayed = clear.lerp(gray * 0.86, 0.92 * overcast);
    let rained = grayed * (1.0 - 0.42 * weather.rain);
    rained.lerp(gray * 0.95, 0.55 * weather.fog * (1.0 - weather.rain))
}

/// Rec. 709.
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
    fn no_color_jumps_in_a_day() {
        for (name, weather) in Weather::PRESETS {
            let mut before = at(0.0, &weather);
            for step in 1..=2400 {
                let now = at(step as f32 * 0.01, &weather);
                for (a, b) in all(&before).into_iter().zip(all(&now)) {
                    // A step is 36 seconds.
                    assert!(a.distance(b) < 0.025, "{name} {step}: {a} {b}");
                    assert!(b.min_element() >= 0.0, "{name} {b}");
                }
                // Ambient light is no color but an amount: `light` tests it.
                let colors = &all(&now)[..5];
                let brightest = colors.iter().map(|color| color.max_element());
                assert!(brightest.fold(0.0, f32::max) <= 1.1, "{name} {step}");
                assert!((before.starlight - now.starlight).abs() < 0.03);
                before = now;
            }
        }
    }

    #[test]
    fn shadows_are_never_black_nor_gray_under_a_clear_sky() {
        for hour in 0..24 {
            let ambient = at(hour as f32, &Weather::CLEAR).ambient.to_vec3();
            assert!(luminance(ambient) > 0.015, "{hour}: {ambient}");
            let apart = ambient.max_element() - ambient.min_element();
            assert!(apart > 0.1 * ambient.max_element(), "{hour}: {ambient}");
        }
    }

    #[test]
    fn clouds_gray_and_rain_darkens() {
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
