//! The order of the plugin's systems.

use bevy::prelude::*;

/// The plugin's steps, in the order in which they run in [`Update`].
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SkySystems {
    /// Time passes, the weather changes, clouds drift: [`Ephemeris`](crate::Ephemeris),
    /// [`CurrentWeather`](crate::CurrentWeather) and [`SkyColors`](crate::SkyColors) follow.
    Advance,
    /// Light, fog, dome, clouds, rain and torches show it.
    Show,
}
