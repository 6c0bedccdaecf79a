//! The one light of the sky: the sun's by day, the moon's by night, and the sky's own in the shadows.
//!
//! There is one [`DirectionalLight`], since each one's shadows cost as much as all else. It leaves the sun for the moon
//! when neither is seen to shine: the sun is far below the horizon, the moon's light has not yet come.

use bevy::{camera::visibility::RenderLayers, prelude::*};

use crate::{
    colors::{SkyColors, smooth},
    settings::SkySettings,
    time_of_day::Ephemeris,
    weather::{CurrentWeather, Weather},
};

/// The light of sun and moon: the plugin's one entity with a [`DirectionalLight`]. Its transform, color and illuminance
/// are written by the plugin; shadows, their cascades and biases are the app's to set.
#[derive(Component, Reflect, Debug, Default, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
pub struct SkyLight;

/// Of the sun at noon, in lux, as it suits Bevy's default exposure.
const SUN_LUX: f32 = 11_500.0;

/// Of the full moon overhead: as much as makes a night that one can play in.
const MOON_LUX: f32 = 2_400.0;

/// Of the light from the whole sky in cd/m², for a [`SkyColors::ambient`] of 1.
const AMBIENT: f32 = 1_900.0;

/// The sine of the sun's elevation at which the moon takes over.
const CHANGEOVER: f32 = -0.12;

/// The render layer of the clouds' sheet: no camera draws it, only the shadow maps of this light.
pub(crate) const CLOUD_LAYER: usize = 61;

/// A little light is always left: by it the fog knows where its glow is (see `fog`).
pub(crate) const LEAST_LUX: f32 = 0.05;

/// Of the sky's light: whence, which color and how bright.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shine {
    pub(crate) from: Vec3,
    pub(crate) color: LinearRgba,
    pub(crate) lux: f32,
}

impl Shine {
    pub(crate) fn at(ephemeris: &Ephemeris, colors: &SkyColors, weather: &Weather) -> Self {
        let height = ephemeris.to_sun.y;
        // Thick clouds let through what comes from everywhere.
        let open = (1.0 - 0.94 * colors.overcast) * (1.0 - 0.65 * weather.fog);
        if height > CHANGEOVER {
            let sun = colors.sun.to_vec3();
            let sun = sun / sun.max_element().max(1e-3);
            return Self {
                from: ephemeris.to_sun,
                color: LinearRgba::from_vec3(sun),
                lux: (SUN_LUX * smooth(-0.03, 0.25, height) * open).max(LEAST_LUX),
            };
        }
        let night = smooth(CHANGEOVER, CHANGEOVER - 0.10, height);
        let moon =
            ephemeris.moon_lit * ephemeris.moon_lit * smooth(-0.02, 0.35, ephemeris.to_moon.y);
        Self {
            from: ephemeris.to_moon,
            color: LinearRgba::rgb(0.52, 0.68, 1.0),
            lux: (MOON_LUX * night * moon * open).max(LEAST_LUX),
        }
    }
}

/// Once: an app may change the entity afterwards.
pub(crate) fn spawn_light(mut commands: Commands) {
    commands.spawn((
        SkyLight,
        DirectionalLight {
            shadow_maps_enabled: true,
            ..default()
        },
        RenderLayers::default().with(CLOUD_LAYER),
        Transform::default(),
    ));
}

pub(crate) fn shine(
    ephemeris: Res<Ephemeris>,
    colors: Res<SkyColors>,
    weather: Res<CurrentWeather>,
    settings: Res<SkySettings>,
    mut lights: Query<(&mut Transform, &mut DirectionalLight), With<SkyLight>>,
    ambient: Option<ResMut<GlobalAmbientLight>>,
) {
    let shine = Shine::at(&ephemeris, &colors, &weather.get());
    // About the pole, which neither sun nor moon comes near, so that shadow maps never turn around.
    let turn = Transform::default().looking_to(-shine.from, ephemeris.pole());
    for (mut transform, mut light) in &mut lights {
        transform.set_if_neq(turn);
        light.color = shine.color.into();
        light.illuminance = shine.lux;
    }
    if let Some(mut ambient) = ambient
        && settings.ambient
        && colors.is_changed()
    {
        ambient.color = colors.ambient.into();
        ambient.brightness = AMBIENT;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TimeOfDay, colors::luminance};

    fn at(hour: f32, weather: &Weather) -> Shine {
        let first = TimeOfDay::default();
        let ephemeris = Ephemeris::at(&TimeOfDay {
            hour,
            day: first.day + (hour / 24.0).floor(),
            ..first
        });
        Shine::at(&ephemeris, &SkyColors::at(&ephemeris, weather), weather)
    }

    #[test]
    fn light_never_jumps() {
        for (name, weather) in Weather::PRESETS {
            let seen = |shine: &Shine| shine.from * shine.lux;
            let mut before = at(0.0, &weather);
            for step in 1..=4800 {
                let now = at(step as f32 * 0.005, &weather);
                let jump = (seen(&now) - seen(&before)).length();
                assert!(jump < 0.01 * SUN_LUX, "{name} at {step}: {jump} lux");
                let color = now.color.to_vec3().distance(before.color.to_vec3());
                // Another color, where nobody sees it.
                assert!(color < 0.05 || now.lux < 1.0, "{name} at {step}: {color}");
                before = now;
            }
        }
    }

    /// What level ground throws back at noon, as the camera sees it, but for its own color.
    fn on_level_ground(weather: &Weather) -> f32 {
        let time = TimeOfDay {
            hour: 12.0,
            ..default()
        };
        let ephemeris = Ephemeris::at(&time);
        let colors = SkyColors::at(&ephemeris, weather);
        let shine = Shine::at(&ephemeris, &colors, weather);
        let sun = luminance(shine.color.to_vec3()) * shine.lux * shine.from.y;
        sun / core::f32::consts::PI + luminance(colors.ambient.to_vec3()) * AMBIENT
    }

    #[test]
    fn a_gray_day_is_darker_than_a_clear_one_and_still_a_day() {
        let clear = on_level_ground(&Weather::CLEAR);
        let part = |weather| on_level_ground(&weather) / clear;
        let overcast = part(Weather::OVERCAST);
        assert!((0.4..0.8).contains(&overcast), "overcast {overcast}");
        for (name, weather) in [("rain", Weather::RAIN), ("storm", Weather::STORM)] {
            let part = part(weather);
            assert!(part > 0.2 && part < overcast, "{name} {part}");
        }
    }

    #[test]
    fn the_sun_shines_by_day_and_the_moon_by_night() {
        let noon = at(12.0, &Weather::CLEAR);
        assert!(noon.lux > 0.95 * SUN_LUX && noon.from.y > 0.8);
        let night = at(0.0, &Weather::CLEAR);
        assert!(
            night.lux > 0.7 * MOON_LUX && night.from.y > 0.5,
            "{night:?}"
        );
        assert!(night.color.blue > night.color.red);
        assert!(at(12.0, &Weather::STORM).lux < 0.1 * SUN_LUX);
    }
}
