//! Replays: how they are shown.

use crate::play::player::playback::{Playback, Speed};

pub const WATCH_AGAIN: &str = "Watch it again";
pub const WATCHED: &str = "(a game that was played before)";
pub const CAN_BE_WATCHED: &str = "Choose a game to watch it again, of the last that were played.";
pub const NO_FURTHER: &str = "replay: it goes no further; what was done then can not be done here";
pub const OTHERS: &str = "The last games that are not among these:";

/// How a replay is shown, and the keys for it.
pub fn playback(playback: &Playback) -> String {
    if playback.is_broken() {
        return format!("{NO_FURTHER}\nEnter: play on   Escape: leave");
    }
    let (done, whole) = playback.progress();
    let speed = match (playback.paused, playback.speed.times()) {
        (true, _) => "stopped".to_owned(),
        (false, Some(times)) => format!("{times} x"),
        (false, None) => "as fast as it goes".to_owned(),
    };
    let fastest = Speed::ALL.len();
    let stop = if playback.paused { "on" } else { "stop" };
    format!(
        "replay: {speed}, turn {done} of {whole}\n\
         Space: {stop}   1 to {fastest}: speed   .: one turn\n\
         Enter: play on   Escape: leave"
    )
}
