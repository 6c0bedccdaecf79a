//! Captions of sounds.

use gutterlight_assets::sound::SoundName;
use gutterlight_rules::{Direction, Sound};

use super::things::near;
use crate::play::sound::loops::Loop;

/// The caption of a sound: what it is, its direction and its distance.
pub fn sound(sound: SoundName, way: Option<Direction>, steps: u16) -> String {
    let what = match sound {
        SoundName::World(Sound::Voice(bark)) => format!("\"{}\"", bark.words()),
        _ => sound.caption().to_owned(),
    };
    match way {
        Some(way) => format!("{what}, {}, {}", way.name(), near(steps)),
        None => what,
    }
}

/// The caption of a loop that starts.
pub const fn goes_on(begun: Loop) -> &'static str {
    match begun {
        Loop::Flame => "a flame crackles",
        Loop::Guttering => "the torch sputters",
        Loop::Heart => "your heartbeat",
        Loop::Racing => "your heart races",
        Loop::Dark => "a low drone",
        Loop::Hunted => "the drone throbs",
        Loop::Silence => "silence",
    }
}

/// A caption with the number of times the sound was heard.
pub fn caption(heard: &str, times: u32) -> String {
    match times {
        1 => format!("[{heard}]"),
        times => format!("[{heard}] x{times}"),
    }
}
