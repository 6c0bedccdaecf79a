//! From one game to the next: how they begin, are suspended, and end.
//!
//! ```text
//!    title ---- new, continue, daily -----> the player's own game ----> its end: score, morgue
//!      ^                                       |        |
//!      |                                       |        v
//!      +----- suspended: the file stays -------+     after every turn: the file
//! ```
//!
//! The player's game lies on disk as it was after the last turn, so a crash, a power cut and a
//! closed window suspend it. Whoever continues goes on from there; the end deletes it. Games
//! of bots and replays, and those taken over from them, leave nothing.

mod begin;
mod end;

use bevy::prelude::*;

pub fn plugin(app: &mut App) {
    app.add_plugins((begin::plugin, end::plugin));
}
