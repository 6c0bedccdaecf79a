//! The directional light (sun by day, moon at night) and the ambient light.
//!
//! Sun and moon share one [`DirectionalLight`], because each light with shadows costs as much as the rest of the scene.
//! It switches from sun to moon while neither gives visible light: the sun is far below the horizon, and the moonlight
//! is still faded out.

use bevy::{camera::visibility::RenderLayers, prelude::*};

use crate::{
    colors::{SkyColors, smooth},
    settings::SkySettings,
    time_of_day::Ephemeris,
    weather::{CurrentWeather, Weather},
};

/// Makes an entity the light of sun and moon: the plugin sets the transform, color and illuminance of its
/// [`DirectionalLight`].
///
/// If [`SkySettings::light`] is `true`, the plugin spawns a light after `Startup`, unless your app has spawned one. You
/// can change the shadows, cascades and biases of the plugin's light, or replace it by spawning your own:
///
/// ```
/// # use bevy::{light::CascadeShadowConfigBuilder, prelude::*};
/// # use lanternfell_sky::prelude::*;
/// fn spawn_sun(mut commands: Commands) {
///     let shadows = CascadeShadowConfigBuilder { maximum_distance: 400.0, ..default() };
///     commands.spawn((CelestialLight, shadows.build()));
/// }
/// # App::new().add_systems(Startup, spawn_sun);
/// ```
///
/// If you insert your own [`RenderLayers`], include layer 61: it contains the cloud shadows.
#[derive(Component, Reflect, Debug, Default, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[require(
    DirectionalLight = DirectionalLight { shadow_maps_enabled: true, ..default() },
    // Otherwise clouds cast no shadows in this light.
    RenderLayers = RenderLayers::default().with(CLOUD_LAYER),
    Transform
)]
pub struct CelestialLight;

/// Marker for the light that the plugin has spawned and therefore may despawn.
#[derive(Component)]
pub(crate) struct SpawnedBySky;

/// Illuminance of the sun at noon in lux, for Bevy's default exposure.
const SUN_LUX: f32 = 11_500.0;

/// Illuminance of the full moon overhead in lux. Much brighter than the real one, so that nights are playable.
const MOON_LUX: f32 = 2_400.0;

/// Brightness of the ambient light in cd/m² for a [`SkyColors::ambient`] of 1.
const AMBIENT: f32 = 1_900.0;

/// Sine of the sun's elevation at which the light switches to the moon.
const CHANGEOVER: f32 = -0.12;

/// Render layer of the cloud layer. No camera draws it, only the shadow maps of this light.
pub(crate) const CLOUD_LAYER: usize = 61;

/// Minimum illuminance in lux. The fog divides its glow by the light, so the light must not be 0 (see `fog`).
pub(crate) const LEAST_LUX: f32 = 0.05;

/// Direction, color and illuminance of the sky's light.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shine {
    pub(crate) from: Vec3,
    pub(crate) color: LinearRgba,
    pub(crate) lux: f32,
}

impl Shine {
    pub(crate) fn at(ephemeris: &Ephemeris, colors: &SkyColors, weather: &Weather) -> Self {
        let height = ephemeris.to_sun.y;
        // Fraction of the direct light that passes clouds and fog.
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

/// Whether the plugin's light was wanted when [`follow_switch`] last ran.
#[derive(Resource, Default)]
pub(crate) struct WasWanted(bool);

/// Keeps the plugin's light as long as [`SkySettings::light`] is `true` and the app has not spawned a [`CelestialLight`].
pub(crate) fn follow_switch(
    mut commands: Commands,
    settings: Res<SkySettings>,
    mut before: ResMut<WasWanted>,
    lights: Query<(Entity, Has<SpawnedBySky>), With<CelestialLight>>,
) {
    let is_wanted = settings.light && lights.iter().all(|(_, is_own)| is_own);
    // A light that the app has despawned stays away.
    if is_wanted == before.0 {
        return;
    }
    before.0 = is_wanted;
    if is_wanted {
        commands.spawn((CelestialLight, SpawnedBySky));
        return;
    }
    for (light, is_own) in &lights {
        if is_own {
            commands.entity(light).despawn();
        }
    }
}

pub(crate) fn shine(
    ephemeris: Res<Ephemeris>,
    colors: Res<SkyColors>,
    weather: Res<CurrentWeather>,
    settings: Res<SkySettings>,
    mut lights: Query<(&mut Transform, &mut DirectionalLight), With<CelestialLight>>,
    ambient: Option<ResMut<GlobalAmbientLight>>,
) {
    let shine = Shine::at(&ephemeris, &colors, &weather.get());
    // Use the celestial pole as the up vector: neither sun nor moon comes near it, so the shadow maps never flip.
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
                // The color may jump only while the light is invisible.
                assert!(color < 0.05 || now.lux < 1.0, "{name} at {step}: {color}");
                before = now;
            }
        }
    }

    /// Luminance of level white ground at noon, as the camera sees it.
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
    fn overcast_days_are_darker_but_not_night() {
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
    fn sun_shines_by_day_and_moon_at_night() {
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
