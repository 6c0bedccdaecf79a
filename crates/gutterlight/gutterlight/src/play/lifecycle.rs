//! The lifecycle of games: how they start, are suspended, and end.
//!
//! ```text
//!    title ---- new, continue, daily -----> the player's own game ----> its end: score, morgue
//!      ^                                       |        |
//!      |                                       |        v
//!      +----- suspended: the file stays -------+     after every turn: the file
//! ```
//!
//! The player's game is saved after every turn, so closing the window, a crash or a power failure
//! only suspends it. Continuing resumes it from there. The end of the game deletes the save. Games
//! of bots, replays, and games taken over from them are neither saved nor scored.

mod begin;
mod end;

use bevy::prelude::*;

pub fn plugin(app: &mut App) {
    app.add_plugins((begin::plugin, end::plugin));
}
