//! Keys and gamepad buttons, with their names in settings and on screen.
//!
//! Keys are identified by their position on the keyboard, so WASD is the same four keys on every
//! layout. The names here are those of a US keyboard. `caps` has the names for the player.

use bevy::prelude::*;

/// A key, or a button of a gamepad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Button {
    Key(KeyCode),
    Pad(GamepadButton),
    /// A gamepad button while the right trigger is held.
    Shifted(GamepadButton),
}

/// The gamepad button that makes other buttons [`Button::Shifted`].
pub const SHIFT: GamepadButton = GamepadButton::RightTrigger2;

/// The prefixes of gamepad button names.
const PAD: &str = "pad ";
const SHIFTED: &str = "pad right trigger + ";

impl Button {
    /// The name. `None` for keys without one.
    pub fn name(self) -> Option<String> {
        match self {
            Self::Key(code) => named(&KEYS, code).map(str::to_owned),
            Self::Pad(button) => named(&PADS, button).map(|name| format!("{PAD}{name}")),
            Self::Shifted(button) => named(&PADS, button).map(|name| format!("{SHIFTED}{name}")),
        }
    }

    /// All keys that can be bound.
    pub fn keys() -> impl Iterator<Item = Self> {
        KEYS.into_iter().map(|(code, _)| Self::Key(code))
    }

    /// Finds a button by name, ignoring case.
    pub fn of_name(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        if let Some(pad) = name.strip_prefix(SHIFTED) {
            return found(&PADS, pad).map(Self::Shifted);
        }
        match name.strip_prefix(PAD) {
            Some(pad) => found(&PADS, pad).map(Self::Pad),
            None => found(&KEYS, &name).map(Self::Key),
        }
    }
}

fn named<T: Copy + PartialEq>(table: &[(T, &'static str)], button: T) -> Option<&'static str> {
    let entry = table.iter().find(|(other, _)| *other == button);
    entry.map(|(_, name)| *name)
}

fn found<T: Copy>(table: &[(T, &str)], name: &str) -> Option<T> {
    let entry = table.iter().find(|(_, other)| other.to_lowercase() == name);
    entry.map(|(button, _)| *button)
}

/// The D-pad is not included: like the stick, it is for directions.
const PADS: [(GamepadButton, &str); 11] = [
    (GamepadButton::South, "south"),
    (GamepadButton::East, "east"),
    (GamepadButton::North, "north"),
    (GamepadButton::West, "west"),
    (GamepadButton::LeftTrigger, "left bumper"),
    (GamepadButton::LeftTrigger2, "left trigger"),
    (GamepadButton::RightTrigger, "right bumper"),
    (GamepadButton::Select, "select"),
    (GamepadButton::Start, "start"),
    (GamepadButton::LeftThumb, "left stick"),
    (GamepadButton::RightThumb, "right stick"),
];

const KEYS: [(KeyCode, &str); 92] = [
    (KeyCode::KeyA, "A"),
    (KeyCode::KeyB, "B"),
    (KeyCode::KeyC, "C"),
    (KeyCode::KeyD, "D"),
    (KeyCode::KeyE, "E"),
    (KeyCode::KeyF, "F"),
    (KeyCode::KeyG, "G"),
    (KeyCode::KeyH, "H"),
    (KeyCode::KeyI, "I"),
    (KeyCode::KeyJ, "J"),
    (KeyCode::KeyK, "K"),
    (KeyCode::KeyL, "L"),
    (KeyCode::KeyM, "M"),
    (KeyCode::KeyN, "N"),
    (KeyCode::KeyO, "O"),
    (KeyCode::KeyP, "P"),
    (KeyCode::KeyQ, "Q"),
    (KeyCode::KeyR, "R"),
    (KeyCode::KeyS, "S"),
    (KeyCode::KeyT, "T"),
    (KeyCode::KeyU, "U"),
    (KeyCode::KeyV, "V"),
    (KeyCode::KeyW, "W"),
    (KeyCode::KeyX, "X"),
    (KeyCode::KeyY, "Y"),
    (KeyCode::KeyZ, "Z"),
    (KeyCode::Digit0, "0"),
    (KeyCode::Digit1, "1"),
    (KeyCode::Digit2, "2"),
    (KeyCode::Digit3, "3"),
    (KeyCode::Digit4, "4"),
    (KeyCode::Digit5, "5"),
    (KeyCode::Digit6, "6"),
    (KeyCode::Digit7, "7"),
    (KeyCode::Digit8, "8"),
    (KeyCode::Digit9, "9"),
    (KeyCode::ArrowUp, "Up"),
    (KeyCode::ArrowDown, "Down"),
    (KeyCode::ArrowLeft, "Left"),
    (KeyCode::ArrowRight, "Right"),
    (KeyCode::Numpad0, "Num 0"),
    (KeyCode::Numpad1, "Num 1"),
    (KeyCode::Numpad2, "Num 2"),
    (KeyCode::Numpad3, "Num 3"),
    (KeyCode::Numpad4, "Num 4"),
    (KeyCode::Numpad5, "Num 5"),
    (KeyCode::Numpad6, "Num 6"),
    (KeyCode::Numpad7, "Num 7"),
    (KeyCode::Numpad8, "Num 8"),
    (KeyCode::Numpad9, "Num 9"),
    (KeyCode::NumpadAdd, "Num +"),
    (KeyCode::NumpadSubtract, "Num -"),
    (KeyCode::NumpadMultiply, "Num *"),
    (KeyCode::NumpadDivide, "Num /"),
    (KeyCode::NumpadDecimal, "Num ."),
    (KeyCode::NumpadEnter, "Num Enter"),
    (KeyCode::F1, "F1"),
    (KeyCode::F2, "F2"),
    (KeyCode::F3, "F3"),
    (KeyCode::F4, "F4"),
    (KeyCode::F5, "F5"),
    (KeyCode::F6, "F6"),
    (KeyCode::F7, "F7"),
    (KeyCode::F8, "F8"),
    (KeyCode::F9, "F9"),
    (KeyCode::F10, "F10"),
    (KeyCode::F11, "F11"),
    (KeyCode::F12, "F12"),
    (KeyCode::Enter, "Enter"),
    (KeyCode::Escape, "Escape"),
    (KeyCode::Space, "Space"),
    (KeyCode::Tab, "Tab"),
    (KeyCode::Backspace, "Backspace"),
    (KeyCode::Insert, "Insert"),
    (KeyCode::Delete, "Delete"),
    (KeyCode::Home, "Home"),
    (KeyCode::End, "End"),
    (KeyCode::PageUp, "Page Up"),
    (KeyCode::PageDown, "Page Down"),
    (KeyCode::ShiftLeft, "Left Shift"),
    (KeyCode::ShiftRight, "Right Shift"),
    (KeyCode::ControlLeft, "Left Ctrl"),
    (KeyCode::ControlRight, "Right Ctrl"),
    (KeyCode::AltLeft, "Left Alt"),
    (KeyCode::AltRight, "Right Alt"),
    (KeyCode::Comma, ","),
    (KeyCode::Period, "."),
    (KeyCode::Slash, "/"),
    (KeyCode::Semicolon, ";"),
    (KeyCode::Quote, "'"),
    (KeyCode::Minus, "-"),
    (KeyCode::Equal, "="),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        let keys = KEYS.map(|(code, _)| Button::Key(code));
        let pads = PADS.map(|(button, _)| Button::Pad(button));
        let shifted = PADS.map(|(button, _)| Button::Shifted(button));
        for button in keys.into_iter().chain(pads).chain(shifted) {
            let name = button.name().expect("it is in the table");
            assert_eq!(Button::of_name(&name), Some(button), "{name}");
        }
        assert_eq!(Button::of_name("space"), Some(Button::Key(KeyCode::Space)));
        assert_eq!(Button::of_name("any key"), None);
    }
}
