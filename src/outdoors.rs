//! Connects terrain, vegetation and sky: water reflects the sky, and plants and waves follow its wind.

use bevy::prelude::*;
use lanternfell_sky::{SkySystems, prelude::*};
use lanternfell_terrain::prelude::*;
use lanternfell_vegetation::prelude::*;

/// Makes terrain and vegetation follow the [`SkyPlugin`]:
///
/// - [`Water`] reflects the colors of the sky.
/// - Plants move in the weather's wind ([`Wind`]).
/// - The waves of water with [`WindWaves`] grow with the wind.
/// - Rain stops at the water surface.
///
/// Each of these needs the plugins that it connects. The others are optional. Do not add this plugin if your app sets
/// [`Water::horizon`], [`Water::zenith`], [`Wind`] or [`SkySettings::rain_floor`] itself.
#[derive(Debug, Default, Clone, Copy)]
pub struct OutdoorsPlugin;

impl Plugin for OutdoorsPlugin {
    fn build(&self, app: &mut App) {
        let follow = (
            mirror_sky.run_if(resource_exists::<SkyColors>),
            (raise_waves, move_plants).run_if(resource_exists::<CurrentWeather>),
            end_rain.run_if(resource_exists::<SkySettings>),
        );
        let follow = follow
            .chain()
            .after(SkySystems::Advance)
            .before(SkySystems::Show)
            .after(TerrainSystems::Swap)
            .before(TerrainSystems::Present);
        app.register_type::<WindWaves>()
            // The sky moves its lights before `SnapToGround` moves other entities.
            .configure_sets(PostUpdate, SkySystems::Show.before(TerrainSystems::Present))
            .add_systems(PostUpdate, follow);
    }
}

/// Lets the waves of a terrain's [`Water`] follow the weather's wind: their height and foam ([`Waves::in_wind`]).
///
/// Insert it on the entity of the terrain. It needs the [`OutdoorsPlugin`]. Length and direction of the waves do not change,
/// because changing them would move every wave at once.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Component, Debug, Default, Clone, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct WindWaves {
    /// The distance over which the wind has blown, in meters. Default: 15,000.
    pub fetch: f32,
}

impl Default for WindWaves {
    fn default() -> Self {
        Self { fetch: 15_000.0 }
    }
}

fn mirror_sky(colors: Res<SkyColors>, mut seas: Query<&mut Water>) {
    for mut water in &mut seas {
        let mirrored = Water {
            horizon: colors.horizon.into(),
            zenith: colors.zenith.into(),
            ..*water
        };
        water.set_if_neq(mirrored);
    }
}

fn move_plants(weather: Res<CurrentWeather>, wind: Option<ResMut<Wind>>) {
    let Some(mut wind) = wind else { return };
    let blowing = weather.get().wind;
    wind.set_if_neq(Wind {
        direction: blowing,
        speed: blowing.length(),
    });
}

fn raise_waves(weather: Res<CurrentWeather>, mut seas: Query<(&WindWaves, &mut Water)>) {
    let speed = weather.get().wind.length();
    for (wind, mut water) in &mut seas {
        let waves = water.waves.in_wind(speed, wind.fetch);
        water.set_if_neq(Water { waves, ..*water });
    }
}

/// Stops rain at the sea around the camera, or at the surface of the water above it. With several cameras, at the lowest.
fn end_rain(
    water: WaterQuery,
    cameras: Query<(&Camera, &GlobalTransform), With<Camera3d>>,
    mut settings: ResMut<SkySettings>,
) {
    let cameras = cameras.iter().filter(|(camera, _)| camera.is_active);
    let levels = cameras.map(|(_, place)| {
        let at = place.translation();
        let above = water.height(at).filter(|height| at.y < *height);
        above.or_else(|| water.still_height(at))
    });
    let lowest = levels.map(|level| level.unwrap_or(f32::MIN));
    let rain_floor = lowest.reduce(f32::min).unwrap_or(f32::MIN);
    if settings.rain_floor != rain_floor {
        settings.rain_floor = rain_floor;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn app() -> App {
        let mut app = App::new();
        app.add_plugins(OutdoorsPlugin)
            .init_resource::<SkyColors>()
            .init_resource::<CurrentWeather>()
            .init_resource::<Wind>();
        app
    }

    #[test]
    fn water_waves_and_wind_follow_the_weather() {
        let mut app = app();
        let [calm, windy] =
            [Water::default(), Water::default()].map(|water| app.world_mut().spawn(water).id());
        app.world_mut()
            .entity_mut(windy)
            .insert(WindWaves::default());
        let storm = Weather::STORM;
        app.insert_resource(CurrentWeather(Some(storm)));
        app.update();
        let world = app.world();
        let water = |entity| *world.get::<Water>(entity).unwrap();
        let horizon = Color::from(world.resource::<SkyColors>().horizon);
        assert_eq!([calm, windy].map(|sea| water(sea).horizon), [horizon; 2]);
        assert_eq!(water(calm).waves, Waves::default());
        let waves = water(windy).waves;
        assert_eq!(waves, Waves::default().in_wind(18.0, 15_000.0));
        assert!(waves.height > 1.0);
        let wind = world.resource::<Wind>();
        assert_eq!((wind.direction, wind.speed), (storm.wind, 18.0));
    }

    #[test]
    fn unchanged_weather_changes_nothing() {
        #[derive(Resource, Default)]
        struct Touched(u32);
        let mut app = app();
        app.world_mut()
            .spawn((Water::default(), WindWaves::default()));
        app.init_resource::<Touched>().add_systems(
            Last,
            |seas: Query<(), Changed<Water>>, mut touched: ResMut<Touched>| {
                touched.0 += seas.iter().count() as u32;
            },
        );
        for _ in 0..5 {
            app.update();
        }
        assert_eq!(app.world().resource::<Touched>().0, 1);
    }

    #[test]
    fn without_a_sky_nothing_changes() {
        let mut app = App::new();
        app.add_plugins(OutdoorsPlugin);
        let sea = app
            .world_mut()
            .spawn((Water::default(), WindWaves::default()))
            .id();
        app.update();
        assert_eq!(app.world().get::<Water>(sea), Some(&Water::default()));
    }
}
