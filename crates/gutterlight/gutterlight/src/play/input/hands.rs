//! Maps pressed keys, buttons and sticks to controls.

use bevy::{
    input::{InputSystems, gamepad::Gamepad},
    prelude::*,
    ui::UiSystems,
};
use gutterlight_rules::Direction;

use crate::play::input::{
    bindings::{self, Bindings},
    button::{Button, SHIFT},
    control::Control,
};

/// The deflections at which a stick keeps a direction and at which it begins one, from 0 to 1.
const STICK: (f32, f32) = (0.4, 0.6);

/// The angle by which a stick must leave its direction to change it, in eighths of a turn.
const KEPT: f32 = 0.65;

/// A set of controls, as bits in the order of [`Control::ALL`].
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Controls(u64);

impl Controls {
    fn add(&mut self, control: Control) {
        self.0 |= Self::bit(control);
    }

    const fn has(self, bit: u64) -> bool {
        self.0 & bit != 0
    }

    fn bit(control: Control) -> u64 {
        let place = Control::ALL.iter().position(|other| *other == control);
        1 << place.expect("all controls are listed")
    }
}

/// The controls of this frame.
#[derive(Resource, Debug, Default)]
pub struct Hands {
    held: Controls,
    fresh: Controls,
    /// The direction that was pressed last.
    last: Option<Direction>,
    /// The direction of a gamepad's stick or D-pad in the previous frame.
    pad_way: Option<Direction>,
}

impl Hands {
    /// Whether a control is held.
    pub fn hold(&self, control: Control) -> bool {
        self.held.has(Controls::bit(control))
    }

    /// Whether a control was pressed in this frame.
    pub fn press(&self, control: Control) -> bool {
        self.fresh.has(Controls::bit(control))
    }

    /// All controls that were pressed in this frame.
    pub fn pressed(&self) -> impl Iterator<Item = Control> {
        let fresh = self.fresh;
        let all = Control::ALL.into_iter().enumerate();
        all.filter(move |(place, _)| fresh.has(1 << place))
            .map(|(_, control)| control)
    }

    /// A direction, and whether it was pressed in this frame. Otherwise the held direction that was
    /// pressed last.
    pub fn way(&self) -> Option<(Direction, bool)> {
        let find = |is: &dyn Fn(Control) -> bool| {
            let ways = self.last.into_iter().chain(Direction::ALL);
            ways.into_iter().find(|way| is(Control::Way(*way)))
        };
        let fresh = find(&|way| self.press(way)).map(|way| (way, true));
        fresh.or_else(|| find(&|way| self.hold(way)).map(|way| (way, false)))
    }
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Hands>().add_systems(
        PreUpdate,
        (
            read.after(InputSystems).after(bindings::follow),
            touch.after(UiSystems::Focus),
        )
            .chain(),
    );
}

fn read(
    keys: Res<ButtonInput<KeyCode>>,
    pads: Query<&Gamepad>,
    bindings: Res<Bindings>,
    mut hands: ResMut<Hands>,
) {
    let (mut held, mut fresh) = (Controls::default(), Controls::default());
    for (button, control) in bindings.iter() {
        let (is_held, is_fresh) = match button {
            Button::Key(code) => (keys.pressed(code), keys.just_pressed(code)),
            Button::Pad(button) if is_modifier(control) => on_pads(&pads, button, None),
            Button::Pad(button) => on_pads(&pads, button, Some(false)),
            Button::Shifted(button) => on_pads(&pads, button, Some(true)),
        };
        if is_held {
            held.add(control);
        }
        if is_fresh {
            fresh.add(control);
        }
    }
    // Sticks have no press events: a direction counts as pressed when it differs from the previous
    // frame.
    let pad_way = pads.iter().find_map(|pad| way(pad, hands.pad_way));
    if let Some(way) = pad_way {
        held.add(Control::Way(way));
        if hands.pad_way != pad_way {
            fresh.add(Control::Way(way));
        }
    }
    let last = hands.last;
    *hands = Hands {
        held,
        fresh,
        last,
        pad_way,
    };
    // If two directions are held, the one pressed later wins.
    let mut ways = Direction::ALL.into_iter();
    let newest = ways.find(|way| hands.press(Control::Way(*way)));
    hands.last = newest.or(last);
}

/// An on-screen button that acts like a key.
#[derive(Component, Debug, Clone, Copy)]
pub struct Touched {
    control: Control,
    held: bool,
    /// Whether a finger is on it.
    pressed: bool,
}

impl Touched {
    /// A button for a control.
    pub const fn by(control: Control) -> Self {
        Self {
            control,
            held: false,
            pressed: false,
        }
    }

    /// The control of the button.
    pub const fn control(&self) -> Control {
        self.control
    }

    /// Whether the control is active now.
    pub const fn is_held(&self) -> bool {
        self.held
    }

    /// Deactivates the control.
    pub const fn let_go(&mut self) {
        self.held = false;
    }

    /// Updates the state of the finger. Returns whether the button has just been pressed.
    fn feel(&mut self, finger: bool) -> bool {
        let fresh = finger && !self.pressed;
        self.pressed = finger;
        // A finger cannot hold a modifier and press another button, so modifiers toggle.
        self.held = match is_modifier(self.control) {
            true => self.held ^ fresh,
            false => finger,
        };
        fresh
    }
}

fn touch(mut buttons: Query<(&Interaction, &mut Touched)>, mut hands: ResMut<Hands>) {
    for (interaction, mut touched) in &mut buttons {
        let finger = *interaction == Interaction::Pressed;
        // A test without mutable access: most buttons are idle, and change detection should see
        // that.
        if finger || touched.pressed || touched.held {
            let fresh = touched.feel(finger);
            if touched.held {
                hands.held.add(touched.control);
            }
            if fresh {
                hands.fresh.add(touched.control);
            }
        }
    }
}

/// Whether the control modifies others. It then also applies to shifted buttons, and its on-screen
/// button toggles.
pub const fn is_modifier(control: Control) -> bool {
    matches!(control, Control::Run | Control::Sneak | Control::Peek)
}

/// Whether a button is held, and whether it was pressed, on any gamepad. With `shifted`, only
/// gamepads in that shift state count.
fn on_pads(pads: &Query<&Gamepad>, button: GamepadButton, shifted: Option<bool>) -> (bool, bool) {
    let fits = |pad: &&Gamepad| shifted.is_none_or(|shifted| pad.pressed(SHIFT) == shifted);
    let mut with = pads.iter().filter(fits);
    let held = with.clone().any(|pad| pad.pressed(button));
    (held, with.any(|pad| pad.just_pressed(button)))
}

/// The direction of a gamepad's D-pad or left stick. The previous direction is kept for small
/// changes, because a thumb trembles.
pub fn way(pad: &Gamepad, before: Option<Direction>) -> Option<Direction> {
    let cross = pad.dpad();
    let points = if cross == Vec2::ZERO {
        pad.left_stick()
    } else {
        cross
    };
    // Hysteresis: a stick at the threshold would otherwise press and release every frame.
    let enough = if before.is_some() { STICK.0 } else { STICK.1 };
    if points.length() < enough {
        return None;
    }
    // The angle from north in eighths of a turn, clockwise.
    let eighths = points.x.atan2(points.y) / core::f32::consts::FRAC_PI_4;
    // The difference wrapped to -4..4, so that north-west and north are neighbors.
    let off = |way: Direction| (eighths - way as i32 as f32 + 4.0).rem_euclid(8.0) - 4.0;
    let kept = before.filter(|before| off(*before).abs() < KEPT);
    Some(kept.unwrap_or(Direction::North.turned(eighths.round() as i32)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::options::Options;

    fn app() -> App {
        let mut app = App::new();
        app.init_resource::<ButtonInput<KeyCode>>()
            .init_resource::<Options>()
            .add_plugins((bindings::plugin, plugin));
        app
    }

    /// Runs a frame in which the keyboard has changed.
    fn frame(app: &mut App, change: impl FnOnce(&mut ButtonInput<KeyCode>)) -> &Hands {
        let mut keys = app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
        keys.clear();
        change(&mut keys);
        app.update();
        app.world().resource()
    }

    #[test]
    fn key_is_fresh_for_one_frame() {
        let mut app = app();
        let hands = frame(&mut app, |keys| keys.press(KeyCode::KeyT));
        assert!(hands.press(Control::Torch) && hands.hold(Control::Torch));
        let hands = frame(&mut app, |_| {});
        assert!(!hands.press(Control::Torch) && hands.hold(Control::Torch));
        let hands = frame(&mut app, |keys| keys.release(KeyCode::KeyT));
        assert!(!hands.press(Control::Torch) && !hands.hold(Control::Torch));
    }

    #[test]
    fn short_press_between_frames_counts() {
        let mut app = app();
        let hands = frame(&mut app, |keys| {
            keys.press(KeyCode::ArrowUp);
            keys.release(KeyCode::ArrowUp);
        });
        assert_eq!(hands.way(), Some((Direction::North, true)));
        assert_eq!(frame(&mut app, |_| {}).way(), None);
    }

    #[test]
    fn touch_buttons_press_and_modifiers_toggle() {
        let mut app = app();
        for control in [Control::Torch, Control::Sneak] {
            let button = (Touched::by(control), Interaction::None);
            app.world_mut().spawn(button);
        }
        let mut with = |control, interaction| {
            let world = app.world_mut();
            let mut buttons = world.query::<(&mut Interaction, &Touched)>();
            for (mut now, touched) in buttons.iter_mut(world) {
                if touched.control() == control {
                    *now = interaction;
                }
            }
            app.update();
            let hands = app.world().resource::<Hands>();
            (hands.press(control), hands.hold(control))
        };
        for (interaction, torch, sneak) in [
            (Interaction::Pressed, (true, true), (true, true)),
            (Interaction::Pressed, (false, true), (false, true)),
            (Interaction::None, (false, false), (false, true)),
            (Interaction::Pressed, (true, true), (true, false)),
            (Interaction::None, (false, false), (false, false)),
        ] {
            assert_eq!(with(Control::Torch, interaction), torch, "{interaction:?}");
            assert_eq!(with(Control::Sneak, interaction), sneak, "{interaction:?}");
        }
    }

    #[test]
    fn later_of_two_directions_wins() {
        let mut app = app();
        frame(&mut app, |keys| keys.press(KeyCode::KeyW));
        let hands = frame(&mut app, |keys| keys.press(KeyCode::KeyD));
        assert_eq!(hands.way(), Some((Direction::East, true)));
        assert_eq!(
            frame(&mut app, |_| {}).way(),
            Some((Direction::East, false))
        );
        let hands = frame(&mut app, |keys| keys.release(KeyCode::KeyD));
        assert_eq!(hands.way(), Some((Direction::North, false)));
    }

    #[test]
    fn bound_key_triggers_control() {
        let mut app = app();
        let mut options = app.world_mut().resource_mut::<Options>();
        options.keys.insert("torch".into(), vec!["F5".into()]);
        let hands = frame(&mut app, |keys| keys.press(KeyCode::F5));
        assert!(hands.press(Control::Torch));
        let hands = frame(&mut app, |keys| keys.press(KeyCode::KeyT));
        assert!(!hands.press(Control::Torch));
    }

    #[test]
    fn gamepad_has_eight_directions_and_shift() {
        let mut app = app();
        let pad = app.world_mut().spawn(Gamepad::default()).id();
        let mut with = |change: &dyn Fn(&mut Gamepad)| {
            let mut pads = app.world_mut().query::<&mut Gamepad>();
            let mut gamepad = pads.get_mut(app.world_mut(), pad).unwrap();
            gamepad.digital_mut().clear();
            change(&mut gamepad);
            app.update();
            let hands = app.world().resource::<Hands>();
            let pressed: Vec<Control> = hands.pressed().collect();
            (hands.way(), pressed)
        };
        for (x, y, way) in [
            (0.0, 1.0, Direction::North),
            (0.8, 0.8, Direction::NorthEast),
            (1.0, 0.1, Direction::East),
            (0.7, -0.6, Direction::SouthEast),
            (-0.9, 0.0, Direction::West),
        ] {
            let (now, _) = with(&|pad| {
                let stick = pad.analog_mut();
                stick.set(GamepadAxis::LeftStickX, x);
                stick.set(GamepadAxis::LeftStickY, y);
            });
            assert_eq!(now, Some((way, true)), "{x} {y}");
        }
        let (held, _) = with(&|_| {});
        assert_eq!(held, Some((Direction::West, false)));
        let (none, _) = with(&|pad| {
            pad.analog_mut().set(GamepadAxis::LeftStickX, -0.2);
        });
        assert_eq!(none, None);
        let (_, pressed) = with(&|pad| pad.digital_mut().press(GamepadButton::South));
        assert_eq!(pressed, [Control::Here]);
        let (_, pressed) = with(&|pad| {
            pad.digital_mut().release(GamepadButton::South);
            pad.digital_mut().press(SHIFT);
        });
        assert_eq!(pressed, []);
        let (_, pressed) = with(&|pad| pad.digital_mut().press(GamepadButton::South));
        assert_eq!(pressed, [Control::Slot(0)]);
    }
}
