//! Key bindings: the defaults, and the player's changes.

use crate::settings::Settings;
use bevy::prelude::*;
use gutterlight_rules::Direction;

use crate::play::{
    input::{button::Button, control::Control},
    options::Options,
};

/// All pairs of a button and its control.
#[derive(Resource, Debug, Clone, PartialEq, Eq)]
pub struct Bindings(Vec<(Button, Control)>);

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
    /// release.
    pub fn of(settings: &Settings) -> Self {
        let mut all = Vec::new();
        for control in Control::ALL {
            let buttons = match settings.keys.get(control.name()) {
                Some(names) => names.iter().filter_map(|n| Button::of_name(n)).collect(),
                None => usual(control),
            };
            all.extend(buttons.into_iter().map(|button| (button, control)));
        }
        // Escape always pauses, so that the player can never be locked into the game.
        let escape = (Button::Key(KeyCode::Escape), Control::Pause);
        if !all.contains(&escape) {
            all.push(escape);
        }
        Self(all)
    }

    /// Whether a key has a control.
    pub fn is_bound(&self, key: KeyCode) -> bool {
        self.iter().any(|(button, _)| button == Button::Key(key))
    }

    /// All pairs of a button and its control.
    pub fn iter(&self) -> impl Iterator<Item = (Button, Control)> + '_ {
        self.0.iter().copied()
    }

    /// The buttons of a control.
    pub fn buttons(&self, control: Control) -> impl Iterator<Item = Button> + '_ {
        let asks = self.iter().filter(move |(_, asked)| *asked == control);
        asks.map(|(button, _)| button)
    }

    /// The name of the first key of a control, for display.
    pub fn key(&self, control: Control) -> String {
        let mut names = self.buttons(control).filter_map(Button::name);
        names.next().unwrap_or_else(|| "-".into())
    }
}

/// Binds a button to a control and removes it from its previous control, which is returned.
pub fn bind(settings: &mut Settings, control: Control, button: Button) -> Option<Control> {
    let old = Bindings::of(settings);
    let mut asked = old.iter().filter(|(held, _)| *held == button);
    let robbed = asked.find_map(|(_, other)| (other != control).then_some(other));
    let same_device = |other: &Button| is_key(*other) == is_key(button);
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
        }
        if buttons != usual(other) {
            let names = buttons.into_iter().filter_map(Button::name).collect();
            settings.keys.insert(other.name().into(), names);
        } else {
            settings.keys.remove(other.name());
        }
    }
    robbed
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
        let robbed = bind(&mut settings, Control::Torch, g);
        assert_eq!(robbed, Some(Control::Take));
        let bindings = Bindings::of(&settings);
        let keys = |control| bindings.buttons(control).collect::<Vec<_>>();
        // The gamepad button stays.
        assert_eq!(keys(Control::Torch), [g, Button::Pad(GamepadButton::West)]);
        assert_eq!(keys(Control::Take), []);
        assert_eq!(settings.keys.len(), 2, "{:?}", settings.keys);
        // Binding the defaults again leaves nothing to save, and takes no button from another control.
        for (control, button) in [
            (Control::Torch, Button::Key(KeyCode::KeyT)),
            (Control::Take, g),
        ] {
            assert_eq!(bind(&mut settings, control, button), None);
        }
        assert_eq!(settings, Settings::default());
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
