//! The plugin's system sets.

use bevy::prelude::*;

/// The plugin's steps, in the order in which they run.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TorchlightSystems {
    /// In the plugin's schedule: finds where sources and blockers stand.
    Collect,
    /// In the plugin's schedule: the light goes on.
    Flow,
    /// In the plugin's schedule: writes [`LightLevel`](crate::LightLevel)s and
    /// [`LightBandChanged`](crate::LightBandChanged).
    Publish,
    /// In [`PostUpdate`]: textures and quads.
    Present,
}

/// The steps of [`TorchlightSystems::Present`].
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum PresentSystems {
    /// Textures of the light.
    Paint,
    /// Textures of what the light is doing.
    Debug,
    /// The quads over the maps.
    Lay,
}
