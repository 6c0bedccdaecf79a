//! The crate's system set.

use bevy::prelude::*;

/// Counts the frames until the picture and takes it, in [`Last`].
///
/// A frame in which this set does not run is not counted. If frames are slow, it may not even be
/// drawn; then the clock stands still, too. An app that loads something of its own makes the picture
/// wait for it with a run condition:
///
/// ```
/// # use bevy::prelude::*;
/// # use lanternfell_headless::PictureSystems;
/// # #[derive(Resource)]
/// # struct Level;
/// # fn plugin(app: &mut App) {
/// app.configure_sets(Last, PictureSystems.run_if(resource_exists::<Level>));
/// # }
/// ```
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PictureSystems;
