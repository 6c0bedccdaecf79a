//! The system sets of the plugin.

use bevy::prelude::*;

/// System sets of the plugin, in the order in which they run in [`Update`].
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SkySystems {
    /// Advances time, weather and cloud drift, then updates [`Ephemeris`](crate::Ephemeris),
    /// [`CurrentWeather`](crate::CurrentWeather) and [`SkyColors`](crate::SkyColors).
    Advance,
    /// Updates the light, torches, fog, clouds, dome and rain from those resources.
    Show,
}
