//! Who plays: the player by keys, mouse or automatic travel, or a bot, or a replay.

pub mod aim;
pub mod alert;
pub mod cursor;
pub mod keys;
pub mod mouse;
pub mod pilot;
pub mod playback;
pub mod travel;

use bevy::prelude::*;

pub fn plugin(app: &mut App) {
    app.add_plugins((
        alert::plugin,
        cursor::plugin,
        keys::plugin,
        mouse::plugin,
        pilot::plugin,
        playback::plugin,
        travel::plugin,
    ));
}
