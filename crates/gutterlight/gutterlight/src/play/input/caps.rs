//! The names of keys on the player's keyboard layout.
//!
//! Problem: keys are bound by position, so that the steps are at the same place on every layout. The key left of S is
//! named A on a US keyboard and Q on a French one, and the player looks for the printed name. No system reports its
//! layout, only what a pressed key types.
//!
//! Idea: remember what each pressed key typed, if it differs from a US keyboard. The names of all other keys come from
//! the first of the common layouts that agrees with everything remembered. One press of a key that differs usually
//! identifies the layout, and the settings remember it for the next time.
//!
//! The default font only has ASCII letters, so other letters are spelled out. Letters without such a name keep the name
//! of the US keyboard, and so do digits, which every layout prints on the same keys.

use std::collections::BTreeMap;

use bevy::{
    input::{
        ButtonState, InputSystems,
        keyboard::{Key, KeyboardInput},
    },
    prelude::*,
};

use crate::{
    play::{input::button::Button, options::Options},
    settings::Settings,
};

/// What the keys of a US keyboard type, and what the same keys type on other layouts: German, French, Dvorak and
/// Colemak (`de`, `fr`, `us(dvorak)` and `us(colemak)` in the X keyboard database).
const US: &str = "QWERTYUIOPASDFGHJKL;'ZXCVBNM,./-=";
const LAYOUTS: [&str; 5] = [
    US,
    "QWERTZUIOPASDFGHJKLÖÄYXCVBNM,.-ß´",
    "AZERTYUIOPQSDFGHJKLMÙWXCVBN,;:!)=",
    "',.PYFGCRLAOEUIDHTNS-;QJKXBMWVZ[]",
    "QWFPGJLUY;ARSTDHNEIO'ZXCVBKM,./-=",
];

/// Names of letters outside ASCII.
const SPELLED: [(char, &str); 16] = [
    ('À', "A grave"),
    ('Ä', "A umlaut"),
    ('Å', "A ring"),
    ('Æ', "AE"),
    ('Ç', "C cedilla"),
    ('È', "E grave"),
    ('É', "E acute"),
    ('Ì', "I grave"),
    ('Ñ', "N tilde"),
    ('Ò', "O grave"),
    ('Ö', "O umlaut"),
    ('Ø', "O slash"),
    ('Ù', "U grave"),
    ('Ü', "U umlaut"),
    ('ß', "sharp S"),
    ('´', "acute"),
];

/// The names of keys that differ from a US keyboard.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Caps(BTreeMap<char, char>);

impl Caps {
    /// The names for what was learned. Invalid entries are ignored.
    pub fn of(settings: &Settings) -> Self {
        let learned = settings.caps.iter().filter_map(|(key, typed)| {
            let key = only(key).filter(|key| US.contains(*key))?;
            Some((key, only(typed)?))
        });
        let learned: BTreeMap<char, char> = learned.collect();
        let agrees = |layout: &&str| {
            let mut pairs = US.chars().zip(layout.chars());
            pairs.all(|(key, cap)| learned.get(&key).is_none_or(|typed| *typed == cap))
        };
        let layout = LAYOUTS.into_iter().find(agrees).unwrap_or(US);
        let mut caps: BTreeMap<char, char> = US.chars().zip(layout.chars()).collect();
        caps.extend(learned);
        Self(caps)
    }

    /// The name of a button on this layout. `None` for keys that cannot be bound.
    pub fn name(&self, button: Button) -> Option<String> {
        let us = button.name()?;
        let cap = match button {
            Button::Key(_) => only(&us).and_then(|key| self.0.get(&key)),
            Button::Pad(_) | Button::Shifted(_) => None,
        };
        Some(cap.and_then(|cap| spelled(*cap)).unwrap_or(us))
    }
}

/// The name of what a key types, if the font has its letters.
fn spelled(cap: char) -> Option<String> {
    if cap.is_ascii_graphic() {
        return Some(cap.to_string());
    }
    let entry = SPELLED.into_iter().find(|(letter, _)| *letter == cap);
    entry.map(|(_, name)| name.to_owned())
}

/// The character of a text with exactly one.
fn only(text: &str) -> Option<char> {
    let mut letters = text.chars();
    letters.next().filter(|_| letters.next().is_none())
}

pub fn plugin(app: &mut App) {
    app.add_systems(
        PreUpdate,
        learn
            .after(InputSystems)
            .run_if(on_message::<KeyboardInput>),
    );
}

/// Remembers what pressed keys type.
fn learn(
    mut pressed: MessageReader<KeyboardInput>,
    keys: Res<ButtonInput<KeyCode>>,
    mut options: ResMut<Options>,
) {
    use KeyCode as K;
    // With a modifier, keys type something else.
    let modifiers = [
        K::ShiftLeft,
        K::ShiftRight,
        K::ControlLeft,
        K::ControlRight,
        K::AltLeft,
        K::AltRight,
        K::SuperLeft,
        K::SuperRight,
    ];
    let is_plain = !keys.any_pressed(modifiers);
    let presses = pressed
        .read()
        .filter(|press| is_plain && press.state == ButtonState::Pressed && !press.repeat);
    for press in presses {
        let key = Button::Key(press.key_code).name();
        let Some(key) = key.filter(|name| only(name).is_some_and(|key| US.contains(key))) else {
            continue;
        };
        let Some(typed) = typed(&press.logical_key) else {
            continue;
        };
        let known = options.caps.get(&key);
        // Not learned yet: the name of the US keyboard, or of the layout that was inferred.
        let is_new = match known {
            Some(known) => *known != typed,
            None => Caps::of(&options).0.get(&only(&key).unwrap_or(' ')) != only(&typed).as_ref(),
        };
        if is_new {
            options.caps.insert(key, typed);
        }
    }
}

/// What a key types, in upper case.
fn typed(key: &Key) -> Option<String> {
    let typed = match key {
        Key::Character(text) => only(text)?,
        Key::Dead(Some(accent)) => *accent,
        _ => return None,
    };
    // The upper case of a sharp s is two letters.
    let upper = only(&typed.to_uppercase().collect::<String>()).unwrap_or(typed);
    (!upper.is_control()).then(|| upper.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::input::{bindings::Bindings, control::Control, script::Script};
    use gutterlight_rules::Direction;

    fn app() -> App {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, bevy::input::InputPlugin))
            .init_resource::<Options>()
            .init_resource::<Script>()
            .add_plugins(crate::play::input::plugin);
        app.update();
        app
    }

    fn press(app: &mut App, key_code: KeyCode, logical_key: Key) {
        for state in [ButtonState::Pressed, ButtonState::Released] {
            app.world_mut().write_message(KeyboardInput {
                key_code,
                logical_key: logical_key.clone(),
                state,
                text: None,
                repeat: false,
                window: Entity::PLACEHOLDER,
            });
            app.update();
        }
        app.update();
    }

    fn types(letter: &str) -> Key {
        Key::Character(letter.into())
    }

    fn name(app: &App, key: KeyCode) -> String {
        let bindings = app.world().resource::<Bindings>();
        bindings.name(Button::Key(key)).expect("it has a name")
    }

    /// Reported: keys had the names of a US keyboard on every layout.
    #[test]
    fn key_names_follow_the_layout() {
        let mut app = app();
        assert_eq!(name(&app, KeyCode::KeyW), "W");
        // On a French keyboard, one press of the key north of S names the others.
        press(&mut app, KeyCode::KeyW, types("z"));
        for (key, cap) in [
            (KeyCode::KeyW, "Z"),
            (KeyCode::KeyA, "Q"),
            (KeyCode::KeyQ, "A"),
            (KeyCode::KeyZ, "W"),
            (KeyCode::Semicolon, "M"),
            (KeyCode::Quote, "U grave"),
            (KeyCode::KeyT, "T"),
            (KeyCode::Digit1, "1"),
            (KeyCode::ArrowUp, "Up"),
        ] {
            assert_eq!(name(&app, key), cap, "{key:?}");
        }
        let options = app.world().resource::<Options>();
        assert_eq!(Vec::from_iter(&options.caps), [(&"W".into(), &"Z".into())]);
        let bindings = Bindings::of(options);
        let west = bindings.buttons(Control::Way(Direction::West));
        let names: Vec<String> = west.filter_map(|button| bindings.name(button)).collect();
        assert_eq!(names, ["Left", "Q", "Num 4", "H"]);
    }

    #[test]
    fn german_keyboard_is_recognized_by_one_key() {
        let mut app = app();
        press(&mut app, KeyCode::KeyY, types("z"));
        assert_eq!(name(&app, KeyCode::KeyZ), "Y");
        assert_eq!(name(&app, KeyCode::Semicolon), "O umlaut");
        assert_eq!(name(&app, KeyCode::Slash), "-");
        assert_eq!(name(&app, KeyCode::Minus), "sharp S");
        // Back to a US keyboard.
        press(&mut app, KeyCode::KeyY, types("y"));
        assert_eq!(name(&app, KeyCode::KeyZ), "Z");
    }

    #[test]
    fn unknown_layouts_and_modifiers_keep_other_names() {
        let mut app = app();
        press(&mut app, KeyCode::KeyW, types("ц"));
        assert_eq!(
            name(&app, KeyCode::KeyW),
            "W",
            "the font has no such letter"
        );
        press(&mut app, KeyCode::KeyF, types("u"));
        assert_eq!(name(&app, KeyCode::KeyF), "U");
        assert_eq!(name(&app, KeyCode::KeyG), "G");
        app.world_mut().write_message(KeyboardInput {
            key_code: KeyCode::ShiftLeft,
            logical_key: Key::Shift,
            state: ButtonState::Pressed,
            text: None,
            repeat: false,
            window: Entity::PLACEHOLDER,
        });
        app.update();
        press(&mut app, KeyCode::Slash, types("?"));
        assert_eq!(name(&app, KeyCode::Slash), "/");
    }

    #[test]
    fn layouts_name_every_key_once() {
        for layout in LAYOUTS {
            assert_eq!(layout.chars().count(), US.len(), "{layout}");
            let caps: std::collections::BTreeSet<char> = layout.chars().collect();
            assert_eq!(caps.len(), US.len(), "{layout}");
            assert!(layout.chars().all(|cap| spelled(cap).is_some()), "{layout}");
        }
    }

    #[test]
    fn invalid_settings_are_ignored() {
        let mut settings = Settings::default();
        for (key, typed) in [("W", "long"), ("Up", "Z"), ("nothing", ""), ("", "")] {
            settings.caps.insert(key.into(), typed.into());
        }
        let caps = Caps::of(&settings);
        assert_eq!(caps, Caps::of(&Settings::default()));
    }
}
