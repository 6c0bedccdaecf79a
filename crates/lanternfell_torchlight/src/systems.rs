//! The plugin's system sets.

use bevy::prelude::*;

/// The system sets of the plugin, in the order in which they run.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TorchlightSystems {
    /// Applies changed fields of maps, and finds the positions of sources, blockers and shadow casters. In the plugin's
    /// schedule.
    Collect,
    /// Lets the light spread or settle. In the plugin's schedule.
    Flow,
    /// Updates [`LightLevel`](crate::LightLevel)s and triggers
    /// [`LightBandChanged`](crate::LightBandChanged). In the plugin's schedule.
    Publish,
    /// Updates textures and quads. In [`PostUpdate`].
    Present,
}

/// The sets within [`TorchlightSystems::Present`], in the order in which they run.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum PresentSystems {
    /// Updates the textures of the light.
    Paint,
    /// Updates the textures of the debug overlay.
    Debug,
    /// Updates the quads over the maps.
    Quads,
}
