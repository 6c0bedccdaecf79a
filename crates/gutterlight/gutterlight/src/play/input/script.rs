//! Scripted key presses, for screenshots and for tests of the whole game.
//!
//! ```text
//! --keys "Enter, Right*3, Left Ctrl+Right, 30, I:90"
//!                   |         |                |    |
//!                   |         |                |    +-- hold for ninety frames
//!                   |         |                +-- wait thirty frames
//!                   |         +-- press a key while holding another
//!                   +-- press three times
//! ```
//!
//! Keys have the same names as in the settings. By default, each key is down for two frames and
//! then up for two.

use std::collections::VecDeque;

use bevy::{
    input::{
        ButtonState, InputSystems,
        keyboard::{Key, KeyboardInput},
    },
    prelude::*,
};

use crate::play::input::button::Button;

/// The default number of frames for which a key is down, and then up.
const DOWN: u32 = 2;
const UP: u32 = 2;

/// The number of frames before the first key, in which the first page is built.
const FIRST: u32 = 10;

/// The maximum number of steps. Longer scripts are probably mistakes.
const MOST: u32 = 100_000;

/// The remaining steps.
#[derive(Resource, Debug, Default, Clone, PartialEq, Eq)]
pub struct Script(VecDeque<Step>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Turn(KeyCode, ButtonState),
    Wait(u32),
}

#[cfg_attr(
    target_arch = "wasm32",
    expect(dead_code, reason = "a page has no such option")
)]
impl Script {
    /// Parses a script. The error names the invalid part.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut steps = VecDeque::from([Step::Wait(FIRST)]);
        let parts = text.split(',').map(str::trim);
        for part in parts.filter(|part| !part.is_empty()) {
            let wrong = || format!("`{part}` is not a key");
            if let Some(frames) = part.parse().ok().filter(|_| part.len() > 1) {
                steps.push_back(Step::Wait(frames));
                continue;
            }
            let (chord, times) = match part.rsplit_once('*') {
                Some((chord, times)) if !chord.is_empty() => {
                    (chord, times.parse::<u32>().map_err(|_| wrong())?)
                }
                _ => (part, 1),
            };
            let (chord, down) = match chord.rsplit_once(':') {
                Some((chord, frames)) => (chord, frames.parse().map_err(|_| wrong())?),
                None => (chord, DOWN),
            };
            let keys: Vec<KeyCode> = chord
                .split('+')
                .map(|name| match Button::of_name(name.trim()) {
                    Some(Button::Key(code)) => Ok(code),
                    _ => Err(wrong()),
                })
                .collect::<Result<_, _>>()?;
            for _ in 0..times {
                let press = keys
                    .iter()
                    .map(|key| Step::Turn(*key, ButtonState::Pressed));
                let up = keys.iter().rev();
                let up = up.map(|key| Step::Turn(*key, ButtonState::Released));
                steps.extend(press.chain([Step::Wait(down)]).chain(up));
                steps.push_back(Step::Wait(UP));
                if steps.len() > MOST as usize {
                    return Err(format!("`{part}` is too long"));
                }
            }
        }
        Ok(Self(steps))
    }
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Script>()
        .add_systems(PreUpdate, play.before(InputSystems));
}

fn play(mut script: ResMut<Script>, mut keys: MessageWriter<KeyboardInput>) {
    if script.0.is_empty() {
        return;
    }
    while let Some(step) = script.0.front_mut() {
        match step {
            Step::Wait(frames @ 1..) => {
                *frames -= 1;
                return;
            }
            Step::Wait(0) => {}
            Step::Turn(key_code, state) => {
                keys.write(KeyboardInput {
                    key_code: *key_code,
                    logical_key: Key::Dead(None),
                    state: *state,
                    text: None,
                    repeat: false,
                    window: Entity::PLACEHOLDER,
                });
            }
        }
        script.0.pop_front();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_keys_chords_repeats_and_waits() {
        let Script(steps) = Script::parse("T, Left Shift+Up*2, 30, 5, I:90").unwrap();
        let turns = |key| {
            let is = |step: &&Step| matches!(step, Step::Turn(code, _) if *code == key);
            steps.iter().filter(is).count()
        };
        assert_eq!(turns(KeyCode::KeyT), 2);
        assert_eq!(turns(KeyCode::ArrowUp), 4);
        assert_eq!(turns(KeyCode::ShiftLeft), 4);
        assert!(steps.contains(&Step::Wait(30)));
        assert!(steps.contains(&Step::Wait(90)));
        // A single digit is a key.
        assert_eq!(turns(KeyCode::Digit5), 2);
    }

    #[test]
    fn errors_name_the_invalid_part() {
        for (text, wrong) in [
            ("T, Any", "`Any`"),
            ("T*many", "`T*many`"),
            ("T:long", "`T:long`"),
            ("pad south", "`pad south`"),
            ("T*4000000000", "too long"),
        ] {
            let error = Script::parse(text).expect_err(text);
            assert!(error.contains(wrong), "{text}: {error}");
        }
    }
}
