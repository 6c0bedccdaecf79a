//! The system sets of the plugin.

use bevy::{asset::AssetEventSystems, prelude::*};

/// System sets of the plugin. They run in [`PostUpdate`] in this order, before [`TransformSystems::Propagate`] and
/// [`AssetEventSystems`].
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SkySystems {
    /// Advances time, weather and cloud drift, then updates [`Ephemeris`](crate::Ephemeris),
    /// [`CurrentWeather`](crate::CurrentWeather) and [`SkyColors`](crate::SkyColors).
    Advance,
    /// Updates the light, torches, fog, clouds, dome and rain from those resources.
    Show,
}

pub(crate) fn plugin(app: &mut App) {
    let sets = (SkySystems::Advance, SkySystems::Show)
        .chain()
        .before(TransformSystems::Propagate)
        .before(AssetEventSystems);
    app.configure_sets(PostUpdate, sets);
}
