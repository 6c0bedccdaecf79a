//! Sky and weather for Bevy: sun, moon, stars, clouds with shadows, fog, rain and a hand-held torch.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use lanternfell_sky::prelude::*;
//!
//! App::new()
//!     .add_plugins((DefaultPlugins, SkyPlugin))
//!     .insert_resource(TimeOfDay { hour: 17.5, is_running: true, ..default() })
//!     .insert_resource(Weather::RAIN)
//!     .add_systems(Startup, |mut commands: Commands| {
//!         commands.spawn((Camera3d::default(), SkyFog::default()));
//!     })
//!     .run();
//! ```
//!
//! ```text
//!   TimeOfDay ─> Ephemeris ─┐
//!                           ├─> SkyColors ─> light, ambient light, fog, dome, clouds, rain, your systems
//!   Weather ─> CurrentWeather
//! ```
//!
//! Two resources drive the sky: [`TimeOfDay`] and [`Weather`]. The app writes them; the plugin reads them each frame.
//! While [`TimeOfDay::is_running`] is set, the plugin also advances the time.
//!
//! After `Startup`, the plugin spawns a light for sun and moon, unless you have spawned one ([`CelestialLight`]).
//! Remove other `DirectionalLight`s. With `OutdoorsPlugin` of the crate `lanternfell`, water and plants follow the sky
//! too.
//!
//! Directions use Bevy's axes: +x is east, +y is up, +z is south. Lengths are in meters. Colors are linear, scaled for
//! Bevy's default exposure. Dome, fog and rain follow the `Exposure` of each camera, as lit objects do.
//!
//! # System sets
//!
//! The plugin's systems run in `PostUpdate`, in [`SkySystems`]. Changes that you make in `Update` are therefore drawn
//! in the same frame. In `Update`, [`Ephemeris`], [`CurrentWeather`] and [`SkyColors`] have the values of the previous
//! frame.

mod cloud_map;
mod clouds;
mod colors;
mod dome;
mod fog;
mod light;
mod rain;
mod settings;
mod systems;
#[cfg(test)]
mod tests;
mod time_of_day;
mod torch;
mod weather;

use bevy::{prelude::*, render::RenderApp, shader::load_shader_library};

pub use colors::SkyColors;
pub use dome::SkyDome;
pub use fog::SkyFog;
pub use light::CelestialLight;
pub use settings::SkySettings;
pub use systems::SkySystems;
pub use time_of_day::{Ephemeris, TimeOfDay};
pub use torch::{HandTorch, TorchMode};
pub use weather::{CurrentWeather, Weather};

/// The types that most apps need.
pub mod prelude {
    pub use crate::{
        CelestialLight, CurrentWeather, Ephemeris, HandTorch, SkyColors, SkyFog, SkyPlugin,
        SkySettings, TimeOfDay, TorchMode, Weather,
    };
}

/// Draws the sky and lights the scene with it.
///
/// Add it after `DefaultPlugins`, because it checks for the renderer. Without a renderer it still updates the
/// resources, the directional light, torches and `DistanceFog`, but draws nothing. To switch parts of the sky off,
/// insert the resource [`SkySettings`].
#[derive(Debug, Default, Clone, Copy)]
pub struct SkyPlugin;

impl Plugin for SkyPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<TimeOfDay>()
            .register_type::<Ephemeris>()
            .register_type::<Weather>()
            .register_type::<CurrentWeather>()
            .register_type::<SkyColors>()
            .register_type::<SkySettings>()
            .register_type::<SkyFog>()
            .register_type::<CelestialLight>()
            .register_type::<SkyDome>()
            .register_type::<HandTorch>()
            .init_resource::<TimeOfDay>()
            .init_resource::<Ephemeris>()
            .init_resource::<Weather>()
            .init_resource::<CurrentWeather>()
            .init_resource::<SkyColors>()
            .init_resource::<SkySettings>()
            .init_resource::<clouds::CloudDrift>()
            .init_resource::<light::WasWanted>()
            .add_plugins(systems::plugin)
            // After `Startup`, in which apps spawn their own light.
            .add_systems(PostStartup, light::follow_switch)
            .add_systems(
                PostUpdate,
                (
                    time_of_day::pass_time,
                    weather::change_weather,
                    colors::color_sky,
                    clouds::drift,
                )
                    .chain()
                    .in_set(SkySystems::Advance),
            )
            .add_systems(
                PostUpdate,
                (
                    light::follow_switch,
                    light::shine,
                    torch::burn,
                    fog::fill_air,
                )
                    .chain()
                    .in_set(SkySystems::Show),
            )
            .add_observer(torch::kindle)
            .add_observer(torch::extinguish);
        if app.get_sub_app(RenderApp).is_some() {
            add_drawing(app);
        }
    }
}

/// Adds the parts that need a renderer.
fn add_drawing(app: &mut App) {
    load_shader_library!(app, "shaders/exposure.wgsl");
    app.add_plugins((clouds::plugin, dome::plugin, rain::plugin))
        .add_systems(
            Startup,
            (clouds::spawn_sheet, dome::spawn_dome, rain::spawn_rain),
        )
        .add_systems(
            PostUpdate,
            (clouds::throw_shadows, dome::paint_dome, rain::rain)
                .chain()
                .after(torch::burn)
                .in_set(SkySystems::Show),
        );
}

/// Compiles the code blocks in the README as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
