//! What is heard: what happens, what goes on, silence; and all of it in words.
//!
//! ```text
//!    Happened, Refused, Interface -> cues  -> Audible -+-> captions (words on screen)
//!    Game ------------------------> scene -> Ambience -+-> output   (loudspeakers)
//! ```
//!
//! `output` is there only where sound is built in: with the feature `desktop`, and always on
//! Windows and macOS. Without it, or without a device, captions tell everything.

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

/// Whether anything comes out of a loudspeaker.
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
