//! Sound: cues, loops, silence, and captions.
//!
//! ```text
//!    Happened, Refused, Interface -> cues  -> Audible -+-> captions (text on screen)
//!    Game ------------------------> scene -> Ambience -+-> output   (audio device)
//! ```
//!
//! `output` requires the feature `desktop` on Linux. On Windows, macOS and in browsers it is always
//! included. Without it, or without an audio device, captions are always on.

pub mod ambience;
pub mod captions;
pub mod cues;
pub mod loops;
#[cfg(any(
    feature = "desktop",
    windows,
    target_os = "macos",
    target_arch = "wasm32"
))]
mod output;
#[cfg(any(
    test,
    feature = "desktop",
    windows,
    target_os = "macos",
    target_arch = "wasm32"
))]
mod performance;
pub mod scene;

use bevy::prelude::*;

/// Whether there is an audio device.
#[derive(Resource, Default)]
pub struct Sounding(pub bool);

pub fn plugin(app: &mut App) {
    app.init_resource::<Sounding>()
        .add_plugins((scene::plugin, cues::plugin, captions::plugin));
    #[cfg(any(
        feature = "desktop",
        windows,
        target_os = "macos",
        target_arch = "wasm32"
    ))]
    app.add_plugins(output::plugin);
}
