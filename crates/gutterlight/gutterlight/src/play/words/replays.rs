//! Texts of replays.

use crate::play::player::playback::{Playback, Speed};

pub const WATCH_AGAIN: &str = "Watch it again";
pub const WATCHED: &str = "(a replay of an earlier game)";
pub const CAN_BE_WATCHED: &str = "Select one of the recent games to watch its replay.";
pub const NO_FURTHER: &str = "replay: it stops here; the next action is not possible";
pub const OTHERS: &str = "Other recent games:";

/// The status of a replay, and its keys.
pub fn playback(playback: &Playback) -> String {
    if playback.is_broken() {
        return format!("{NO_FURTHER}\nEnter: play on   Escape: leave");
    }
    let (done, whole) = playback.progress();
    let speed = match (playback.paused, playback.speed.times()) {
        (true, _) => "paused".to_owned(),
        (false, Some(times)) => format!("{times}x"),
        (false, None) => "full speed".to_owned(),
    };
    let fastest = Speed::ALL.len();
    let stop = if playback.paused { "resume" } else { "pause" };
    format!(
        "replay: {speed}, turn {done} of {whole}\n\
         Space: {stop}   1 to {fastest}: speed   Right: one turn\n\
         Enter: play on   Escape: leave"
    )
}
