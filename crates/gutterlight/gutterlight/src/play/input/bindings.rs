//! Key bindings: the defaults, and the player's changes.

use crate::settings::Settings;
use bevy::prelude::*;
use gutterlight_rules::Direction;

use crate::play::{
    hud::lesson::SKIP,
    input::{button::Button, caps::Caps, control::Control},
    options::{FULL_SCREEN, Options},
};

/// All pairs of a button and its control. Each button has one control, and each control has a key.
#[derive(Resource, Debug, Clone, PartialEq, Eq)]
pub struct Bindings {
    pairs: Vec<(Button, Control)>,
    caps: Caps,
}

/// What binding a button has moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moved {
    /// The button.
    pub button: Button,
    /// The control that had it.
    pub from: Control,
    /// The key that this control got instead, because it would have had none.
    pub instead: Option<Button>,
}

pub fn plugin(app: &mut App) {
    app.insert_resource(Bindings::of(&Settings::default()))
        .add_systems(
            PreUpdate,
            follow.run_if(resource_exists_and_changed::<Options>),
        );
}

pub fn follow(options: Res<Options>, mut bindings: ResMut<Bindings>) {
    bindings.set_if_neq(Bindings::of(&options));
}

impl Bindings {
    /// The bindings of these settings. Unknown names are ignored, because they may be of another keyboard or another
    /// release. A control without a key gets one that is free.
    pub fn of(settings: &Settings) -> Self {
        let mut bindings = Self {
            pairs: Vec::new(),
            caps: Caps::of(settings),
        };
        // Escape always pauses, so that the player can never be locked into the game.
        let escape = Button::Key(KeyCode::Escape);
        // The player's own bindings first: a default must not take one of their buttons.
        let own = |control: &Control| settings.keys.contains_key(control.name());
        for control in Control::ALL.into_iter().filter(own) {
            let names = settings.keys[control.name()].iter();
            let buttons = names.filter_map(|name| Button::of_name(name));
            let keeps = |button: &Button| *button != escape || control == Control::Pause;
            bindings.give(control, buttons.filter(keeps));
        }
        for control in Control::ALL.into_iter().filter(|control| !own(control)) {
            bindings.give(control, usual(control).into_iter());
        }
        bindings.give(Control::Pause, [escape].into_iter());
        for control in Control::ALL {
            if !bindings.buttons(control).any(is_key) {
                let usual = usual(control).into_iter().filter(|button| is_key(*button));
                let key = usual.chain(spare()).find(|key| bindings.is_free(*key));
                bindings.give(control, key.into_iter());
            }
        }
        // The order of the list of controls, for display.
        let place = |control| Control::ALL.iter().position(|other| *other == control);
        bindings.pairs.sort_by_key(|(_, control)| place(*control));
        bindings
    }

    /// Adds those buttons that have no control yet.
    fn give(&mut self, control: Control, buttons: impl Iterator<Item = Button>) {
        for button in buttons {
            if self.is_free(button) {
                self.pairs.push((button, control));
            }
        }
    }

    fn is_free(&self, button: Button) -> bool {
        self.iter().all(|(held, _)| held != button)
    }

    /// The name of a button on the player's keyboard. `None` for buttons that cannot be bound.
    pub fn name(&self, button: Button) -> Option<String> {
        self.caps.name(button)
    }

    /// The names of all buttons of a control.
    pub fn names(&self, control: Control) -> Vec<String> {
        let buttons = self.buttons(control);
        buttons.filter_map(|button| self.name(button)).collect()
    }

    /// Whether a key has a control.
    pub fn is_bound(&self, key: KeyCode) -> bool {
        self.iter().any(|(button, _)| button == Button::Key(key))
    }

    /// All pairs of a button and its control.
    pub fn iter(&self) -> impl Iterator<Item = (Button, Control)> + '_ {
        self.pairs.iter().copied()
    }

    /// The buttons of a control.
    pub fn buttons(&self, control: Control) -> impl Iterator<Item = Button> + '_ {
        let asks = self.iter().filter(move |(_, asked)| *asked == control);
        asks.map(|(button, _)| button)
    }

    /// The name of the first key of a control, for display.
    pub fn key(&self, control: Control) -> String {
        let name = self.names(control).into_iter().next();
        name.unwrap_or_else(|| "-".into())
    }
}

/// Binds a button to a control and removes it from its previous control. If that control would have no key then, it
/// gets the key that `control` had.
pub fn bind(settings: &mut Settings, control: Control, button: Button) -> Option<Moved> {
    let old = Bindings::of(settings);
    let mut asked = old.iter().filter(|(held, _)| *held == button);
    let robbed = asked.find_map(|(_, other)| (other != control).then_some(other));
    let same_device = |other: &Button| is_key(*other) == is_key(button);
    let moved = robbed.map(|from| {
        let has_another = old.buttons(from).any(|held| is_key(held) && held != button);
        let free = spare().filter(|key| old.is_free(*key));
        let given_up = old.buttons(control).filter(|held| is_key(*held));
        let mut keys = given_up
            .filter(|key| *key != Button::Key(KeyCode::Escape))
            .chain(free);
        Moved {
            button,
            from,
            instead: if is_key(button) && !has_another {
                keys.next()
            } else {
                None
            },
        }
    });
    // Controls that do not change keep their stored names, even unknown ones.
    let touched = |other: &Control| *other == control || old.buttons(*other).any(|b| b == button);
    for other in Control::ALL.into_iter().filter(touched) {
        let keeps = |held: &Button| match other == control {
            // One key per control: the old keys go, and buttons of the other device stay.
            true => !same_device(held),
            false => *held != button,
        };
        let mut buttons: Vec<Button> = old.buttons(other).filter(keeps).collect();
        if other == control {
            buttons.insert(0, button);
        } else if let Some(moved) = moved.filter(|moved| moved.from == other) {
            buttons.splice(0..0, moved.instead);
        }
        if buttons != usual(other) {
            let names = buttons.into_iter().filter_map(Button::name).collect();
            settings.keys.insert(other.name().into(), names);
        } else {
            settings.keys.remove(other.name());
        }
    }
    moved
}

/// Keys that a control can get when it has none. Keys with a fixed meaning are not among them.
fn spare() -> impl Iterator<Item = Button> {
    let fixed = [SKIP, FULL_SCREEN, KeyCode::Escape].map(Button::Key);
    Button::keys().filter(move |key| !fixed.contains(key))
}

const fn is_key(button: Button) -> bool {
    matches!(button, Button::Key(_))
}

/// The default buttons.
fn usual(control: Control) -> Vec<Button> {
    let (keys, pads) = (keys(control), pads(control));
    let keys = keys.iter().copied().map(Button::Key);
    keys.chain(pads).collect()
}

/// Arrow keys; WASD with Q, E, Z and C for diagonals; the numeric keypad; and `hjklyubn`.
const fn keys(control: Control) -> &'static [KeyCode] {
    use KeyCode as K;
    match control {
        Control::Way(Direction::North) => &[K::ArrowUp, K::KeyW, K::Numpad8, K::KeyK],
        Control::Way(Direction::South) => &[K::ArrowDown, K::KeyS, K::Numpad2, K::KeyJ],
        Control::Way(Direction::West) => &[K::ArrowLeft, K::KeyA, K::Numpad4, K::KeyH],
        Control::Way(Direction::East) => &[K::ArrowRight, K::KeyD, K::Numpad6, K::KeyL],
        Control::Way(Direction::NorthWest) => &[K::KeyQ, K::Numpad7, K::KeyY],
        Control::Way(Direction::NorthEast) => &[K::KeyE, K::Numpad9, K::KeyU],
        Control::Way(Direction::SouthWest) => &[K::KeyZ, K::Numpad1, K::KeyB],
        Control::Way(Direction::SouthEast) => &[K::KeyC, K::Numpad3, K::KeyN],
        Control::Run => &[K::ShiftLeft, K::ShiftRight],
        Control::Sneak => &[K::ControlLeft, K::ControlRight],
        Control::Peek => &[K::AltLeft, K::AltRight],
        Control::Wait => &[K::Space, K::Period, K::Numpad5],
        Control::Torch => &[K::KeyT],
        Control::Lamp => &[K::KeyF],
        Control::Door => &[K::KeyO],
        Control::Take => &[K::KeyG],
        Control::Slot(0) => &[K::Digit1],
        Control::Slot(1) => &[K::Digit2],
        Control::Slot(2) => &[K::Digit3],
        Control::Slot(_) => &[K::Digit4],
        Control::Shove => &[K::KeyV],
        Control::DropTorch => &[K::KeyX],
        Control::ThrowTorch => &[K::Minus],
        Control::Ember => &[K::KeyR],
        Control::Here => &[K::Enter, K::NumpadEnter],
        Control::Explore => &[K::Tab],
        Control::Look => &[K::Semicolon],
        Control::Cones => &[K::KeyI],
        Control::Map => &[K::KeyM],
        Control::Log => &[K::KeyP],
        Control::Help => &[K::F1, K::Slash],
        Control::Pause => &[K::Escape],
    }
}

/// The left stick and the D-pad are always directions, so they are not listed.
fn pads(control: Control) -> Option<Button> {
    use GamepadButton as G;
    Some(match control {
        Control::Here => Button::Pad(G::South),
        Control::Wait => Button::Pad(G::East),
        Control::Torch => Button::Pad(G::West),
        Control::Lamp => Button::Pad(G::North),
        Control::Sneak => Button::Pad(G::LeftTrigger),
        Control::Run => Button::Pad(G::RightTrigger),
        Control::Peek => Button::Pad(G::LeftTrigger2),
        Control::Explore => Button::Pad(G::LeftThumb),
        Control::Look => Button::Pad(G::RightThumb),
        Control::Pause => Button::Pad(G::Start),
        Control::Cones => Button::Pad(G::Select),
        Control::Slot(0) => Button::Shifted(G::South),
        Control::Slot(1) => Button::Shifted(G::East),
        Control::Slot(2) => Button::Shifted(G::West),
        Control::Slot(3) => Button::Shifted(G::North),
        Control::Door => Button::Shifted(G::LeftTrigger),
        Control::Shove => Button::Shifted(G::RightTrigger),
        Control::Ember => Button::Shifted(G::LeftTrigger2),
        Control::DropTorch => Button::Shifted(G::LeftThumb),
        Control::ThrowTorch => Button::Shifted(G::RightThumb),
        Control::Log => Button::Shifted(G::Select),
        Control::Help => Button::Shifted(G::Start),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_have_no_conflicts() {
        let bindings = Bindings::of(&Settings::default());
        for (place, (button, control)) in bindings.iter().enumerate() {
            let other = bindings.iter().skip(place + 1).find(|(b, _)| *b == button);
            assert_eq!(other, None, "{button:?} is {control:?}");
            assert!(button.name().is_some(), "{button:?}");
        }
        for control in Control::ALL {
            assert!(bindings.buttons(control).any(is_key), "{control:?}");
        }
    }

    #[test]
    fn bind_removes_button_from_previous_control() {
        let mut settings = Settings::default();
        let g = Button::Key(KeyCode::KeyG);
        let t = Button::Key(KeyCode::KeyT);
        let moved = bind(&mut settings, Control::Torch, g);
        let swapped = Moved {
            button: g,
            from: Control::Take,
            instead: Some(t),
        };
        assert_eq!(moved, Some(swapped));
        let bindings = Bindings::of(&settings);
        let keys = |control| bindings.buttons(control).collect::<Vec<_>>();
        // The gamepad button stays.
        assert_eq!(keys(Control::Torch), [g, Button::Pad(GamepadButton::West)]);
        assert_eq!(keys(Control::Take), [t]);
        assert_eq!(settings.keys.len(), 2, "{:?}", settings.keys);
        // Binding the default again leaves nothing to save.
        bind(&mut settings, Control::Torch, t);
        assert_eq!(settings, Settings::default());
    }

    /// Reported: rebinding could leave a control without a key.
    #[test]
    fn every_control_keeps_a_key() {
        let every_control_has_a_key = |settings: &Settings, why: &str| {
            let bindings = Bindings::of(settings);
            for control in Control::ALL {
                assert!(bindings.buttons(control).any(is_key), "{why}: {control:?}");
            }
            for (place, (button, control)) in bindings.iter().enumerate() {
                let mut others = bindings.iter().skip(place + 1);
                assert!(
                    others.all(|(other, _)| other != button),
                    "{why}: {control:?}"
                );
            }
        };
        // Each key to each control, one after the other, in one long session.
        let mut settings = Settings::default();
        for control in Control::ALL {
            for key in Button::keys().filter(|key| *key != Button::Key(KeyCode::Escape)) {
                let before = Bindings::of(&settings);
                let moved = bind(&mut settings, control, key);
                every_control_has_a_key(&settings, &format!("{key:?} to {control:?}"));
                let after = Bindings::of(&settings);
                assert!(after.buttons(control).any(|button| button == key));
                // Only the two controls of the message have changed.
                for other in Control::ALL {
                    let said = other == control || moved.is_some_and(|moved| moved.from == other);
                    assert!(
                        said || before.names(other) == after.names(other),
                        "{other:?}"
                    );
                }
            }
        }
        // Escape stays with the pause, so the log gets a free key.
        let mut settings = Settings::default();
        let moved = bind(&mut settings, Control::Pause, Button::Key(KeyCode::KeyP));
        let instead = moved.and_then(|moved| moved.instead);
        assert_eq!(instead, Some(Button::Key(KeyCode::Digit0)));
        every_control_has_a_key(&settings, "pause");
        // Settings that were edited by hand. Of two controls with the same key, the first in the list gets it.
        let mut settings = Settings::default();
        for (control, keys) in [
            ("torch", vec!["G", "Escape"]),
            ("take", vec![]),
            ("wait", vec!["G"]),
        ] {
            let keys = keys.into_iter().map(str::to_owned).collect();
            settings.keys.insert(control.into(), keys);
        }
        every_control_has_a_key(&settings, "edited");
        let bindings = Bindings::of(&settings);
        assert_eq!(bindings.names(Control::Wait), ["G"]);
        assert_eq!(bindings.names(Control::Torch), ["T"]);
        assert_eq!(bindings.key(Control::Pause), "Escape");
    }

    #[test]
    fn unknown_names_are_ignored() {
        let mut settings = Settings::default();
        let names = vec!["no such key".into(), "f5".into()];
        settings.keys.insert("wait".into(), names);
        settings.keys.insert("no such control".into(), Vec::new());
        let bindings = Bindings::of(&settings);
        let waits: Vec<_> = bindings.buttons(Control::Wait).collect();
        assert_eq!(waits, [Button::Key(KeyCode::F5)]);
    }
}
