//! The crate's system set.

use bevy::prelude::*;

/// The system set that counts frames and takes the screenshot, in [`Last`].
///
/// Frames in which this set does not run are not counted. If frames are slow, they may not be rendered either, and the
/// clock stops. To let the screenshot wait for something that your app loads, add a run condition:
///
/// ```
/// # use bevy::prelude::*;
/// # use lanternfell_headless::ScreenshotSystems;
/// # #[derive(Resource)]
/// # struct Level;
/// # fn plugin(app: &mut App) {
/// app.configure_sets(Last, ScreenshotSystems.run_if(resource_exists::<Level>));
/// # }
/// ```
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ScreenshotSystems;
