//! The sky over a world: sun, moon and stars at their hours, clouds and their shadows, fog, rain, and a torch in hand.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use lanternfell_sky::prelude::*;
//!
//! App::new()
//!     .add_plugins((DefaultPlugins, SkyPlugin))
//!     .insert_resource(TimeOfDay { hour: 17.5, passes: true, ..default() })
//!     .insert_resource(Weather::RAIN)
//!     .add_systems(Startup, |mut commands: Commands| {
//!         commands.spawn((Camera3d::default(), SkyFog::default()));
//!     })
//!     .run();
//! ```
//!
//! ```text
//!   TimeOfDay ─> Ephemeris ─┐
//!                           ├─> SkyColors ─> light, ambient light, fog, dome, clouds, rain, and whoever asks
//!   Weather ─> CurrentWeather
//! ```
//!
//! Everything follows from an hour and a weather, which are resources: written by the app, read each frame.
//! Directions are Bevy's with +x east, +y up and +z south; lengths are metres, and colors are linear as a camera of
//! Bevy's default exposure sees them.
//!
//! # System sets
//!
//! Its systems run in `Update`, in [`SkySystems`].

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

use bevy::{prelude::*, render::RenderApp};

pub use colors::SkyColors;
pub use dome::SkyDome;
pub use fog::SkyFog;
pub use light::SkyLight;
pub use settings::SkySettings;
pub use systems::SkySystems;
pub use time_of_day::{Ephemeris, TimeOfDay};
pub use torch::{HandTorch, TorchLit};
pub use weather::{CurrentWeather, Weather};

/// What most apps need.
pub mod prelude {
    pub use crate::{
        CurrentWeather, Ephemeris, HandTorch, SkyColors, SkyFog, SkyLight, SkyPlugin, SkySettings,
        TimeOfDay, TorchLit, Weather,
    };
}

/// Draws the sky and lights the world by it. Add it after the renderer; in an app that draws nothing there is the light
/// alone, and all that is asked of the sky.
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
            .register_type::<SkyLight>()
            .register_type::<SkyDome>()
            .register_type::<HandTorch>()
            .init_resource::<TimeOfDay>()
            .init_resource::<Ephemeris>()
            .init_resource::<Weather>()
            .init_resource::<CurrentWeather>()
            .init_resource::<SkyColors>()
            .init_resource::<SkySettings>()
            .init_resource::<clouds::CloudDrift>()
            .configure_sets(Update, (SkySystems::Advance, SkySystems::Show).chain())
            .add_systems(Startup, light::spawn_light)
            .add_systems(
                Update,
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
                Update,
                (light::shine, torch::burn, fog::fill_air)
                    .chain()
                    .in_set(SkySystems::Show),
            )
            .add_observer(torch::kindle)
            .add_observer(torch::put_out);
        if app.get_sub_app(RenderApp).is_some() {
            add_drawing(app);
        }
    }
}

/// What needs a renderer.
fn add_drawing(app: &mut App) {
    app.add_plugins((clouds::plugin, dome::plugin, rain::plugin))
        .add_systems(
            Startup,
            (clouds::spawn_sheet, dome::spawn_dome, rain::spawn_rain),
        )
        .add_systems(
            Update,
            (clouds::throw_shadows, dome::paint_dome, rain::rain)
                .chain()
                .after(torch::burn)
                .in_set(SkySystems::Show),
        );
}

/// The README's code is run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
