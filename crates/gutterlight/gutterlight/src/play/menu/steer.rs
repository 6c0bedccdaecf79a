//! Keyboard, mouse and gamepad input on menu pages. The keys of menus cannot be rebound, so that a player cannot lock
//! themselves out of the key bindings page.

use bevy::{
    input::mouse::{MouseScrollUnit, MouseWheel},
    prelude::*,
    window::CursorMoved,
};
use gutterlight_rules::{Action, Direction};

use crate::play::{
    game::GameSystems,
    input::{
        bindings::bind,
        button::{Button as Pressed, SHIFT},
        control::Control,
        hands::{self, Hands},
    },
    menu::{action::MenuAction, draw::RowNode, page::Row, state::Menu},
    options::Options,
    screen::{Screen, is_play},
    sound::cues::Interface,
};

/// Seconds until a held direction repeats, and between repeats.
const HELD: (f32, f32) = (0.35, 0.07);

/// Seconds for which a page that opened by itself ignores input.
const SUDDEN: f32 = 0.5;

/// Maximum number of digits of a seed.
const DIGITS: usize = 20;

/// The systems that read input for menus.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Steered;

pub fn plugin(app: &mut App) {
    app.init_resource::<Opened>().add_systems(
        Update,
        (
            age,
            (point, wheel, write).chain().run_if(is_ready),
            steer,
            close,
            listen.run_if(is_bound),
        )
            .chain()
            .in_set(Steered)
            .in_set(GameSystems::Ask)
            .run_if(not(is_play)),
    );
}

/// Seconds since the page was opened.
#[derive(Resource, Default)]
struct Opened(f32);

impl Opened {
    /// Whether the page opened by itself a moment ago.
    fn is_sudden(&self, screen: Screen) -> bool {
        matches!(screen, Screen::Over | Screen::Learn) && self.0 <= SUDDEN
    }
}

fn age(time: Res<Time>, screen: Res<State<Screen>>, mut opened: ResMut<Opened>) {
    opened.0 = match screen.is_changed() {
        true => 0.0,
        false => opened.0 + time.delta_secs(),
    };
}

fn is_bound(menu: Res<Menu>) -> bool {
    menu.binding.is_some()
}

/// Whether the page accepts input. It does not while it waits for a button to bind, nor right after it opened by
/// itself: the player may still be holding a movement key.
fn is_ready(screen: Res<State<Screen>>, opened: Res<Opened>, menu: Res<Menu>) -> bool {
    menu.binding.is_none() && !opened.is_sudden(*screen.get())
}

/// A menu command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ask {
    Up,
    Down,
    Less,
    More,
    Yes,
    Back,
}

impl Ask {
    const ALL: [Self; 6] = [
        Self::Up,
        Self::Down,
        Self::Less,
        Self::More,
        Self::Yes,
        Self::Back,
    ];

    const fn keys(self) -> &'static [KeyCode] {
        match self {
            Self::Up => &[KeyCode::ArrowUp, KeyCode::KeyW, KeyCode::Numpad8],
            Self::Down => &[KeyCode::ArrowDown, KeyCode::KeyS, KeyCode::Numpad2],
            Self::Less => &[KeyCode::ArrowLeft, KeyCode::KeyA, KeyCode::Numpad4],
            Self::More => &[KeyCode::ArrowRight, KeyCode::KeyD, KeyCode::Numpad6],
            Self::Yes => &[KeyCode::Enter, KeyCode::NumpadEnter, KeyCode::Space],
            Self::Back => &[KeyCode::Escape],
        }
    }

    const fn way(self) -> Option<Direction> {
        match self {
            Self::Up => Some(Direction::North),
            Self::Down => Some(Direction::South),
            Self::Less => Some(Direction::West),
            Self::More => Some(Direction::East),
            Self::Yes | Self::Back => None,
        }
    }

    const fn button(self) -> Option<GamepadButton> {
        match self {
            Self::Yes => Some(GamepadButton::South),
            Self::Back => Some(GamepadButton::East),
            _ => None,
        }
    }

    fn is_held(self, keys: &ButtonInput<KeyCode>, pads: &Query<&Gamepad>) -> bool {
        keys.any_pressed(self.keys().iter().copied())
            || pads.iter().any(|pad| {
                let button = self.button().is_some_and(|button| pad.pressed(button));
                button || self.way().is_some() && hands::way(pad, None) == self.way()
            })
    }
}

fn steer(
    keys: Res<ButtonInput<KeyCode>>,
    pads: Query<&Gamepad>,
    time: Res<Time>,
    screen: Res<State<Screen>>,
    opened: Res<Opened>,
    mut menu: ResMut<Menu>,
    mut held: Local<Option<Ask>>,
    mut again: Local<f32>,
    mut actions: MessageWriter<MenuAction>,
    mut sounds: MessageWriter<Interface>,
) {
    *again -= time.delta_secs();
    let fresh = |ask: &Ask| keys.any_just_pressed(ask.keys().iter().copied());
    let down = |ask: &Ask| ask.is_held(&keys, &pads);
    let pressed = Ask::ALL.into_iter().find(fresh);
    let now = pressed.or_else(|| Ask::ALL.into_iter().find(down));
    let is_new = pressed.is_some() || now != *held;
    *held = now;
    let Some(ask) = now else {
        return;
    };
    // Ignore keys that were held when the page opened, or pressed for something else.
    let meant = pressed.is_some() || !screen.is_changed();
    if !meant || menu.binding.is_some() || opened.is_sudden(*screen.get()) {
        *again = f32::INFINITY;
        return;
    }
    if !is_new && (*again > 0.0 || ask.way().is_none()) {
        return;
    }
    *again = if is_new { HELD.0 } else { HELD.1 };
    answer(ask, *screen.get(), &mut menu, &mut actions, &mut sounds);
}

fn answer(
    ask: Ask,
    screen: Screen,
    menu: &mut ResMut<Menu>,
    actions: &mut MessageWriter<MenuAction>,
    sounds: &mut MessageWriter<Interface>,
) {
    let chosen = match menu.choice() {
        Some(Row::Choice { action, .. }) => Some(*action),
        _ => None,
    };
    let sound = match (ask, chosen) {
        (Ask::Up | Ask::Down, _) => match menu.step(ask == Ask::Down) {
            true => Interface::Move,
            false => return,
        },
        (Ask::Less | Ask::More, chosen) => {
            let Some(action) = chosen.and_then(|action| action.towards(ask == Ask::More)) else {
                return;
            };
            actions.write(action);
            Interface::Move
        }
        (Ask::Yes, Some(action)) => {
            actions.write(action);
            Interface::Choose
        }
        (Ask::Back, _) if screen == Screen::Learn => {
            actions.write(MenuAction::Go(Screen::Pause));
            Interface::Back
        }
        (Ask::Back, _) if screen == Screen::Over => {
            actions.write(MenuAction::Suspend);
            Interface::Back
        }
        (Ask::Back, _) if screen != Screen::Title => {
            actions.write(MenuAction::Back);
            Interface::Back
        }
        (Ask::Yes | Ask::Back, _) => Interface::Refuse,
    };
    sounds.write(sound);
}

/// Hovering selects a row, and a left click chooses it.
fn point(
    rows: Query<(&RowNode, &Interaction), Changed<Interaction>>,
    all: Query<(&RowNode, &Interaction)>,
    buttons: Res<ButtonInput<MouseButton>>,
    mut moves: MessageReader<CursorMoved>,
    mut menu: ResMut<Menu>,
    mut actions: MessageWriter<MenuAction>,
    mut sounds: MessageWriter<Interface>,
) {
    let moved = moves.read().count() > 0;
    for (row, interaction) in &rows {
        let pressed = *interaction == Interaction::Pressed;
        let over = pressed || moved && *interaction == Interaction::Hovered;
        if over && menu.selected != row.0 {
            menu.selected = row.0;
            menu.warning = None;
            sounds.write(Interface::Move);
        }
        if pressed && let Some(Row::Choice { action, .. }) = menu.page.rows.get(row.0) {
            actions.write(*action);
            sounds.write(Interface::Choose);
        }
    }
    // A right click sets the previous value.
    let over = |(_, interaction): &(&RowNode, &Interaction)| **interaction == Interaction::Hovered;
    if buttons.just_pressed(MouseButton::Right)
        && let Some((row, _)) = all.iter().find(over)
        && let Some(Row::Choice { action, .. }) = menu.page.rows.get(row.0)
        && let Some(before) = action.towards(false)
    {
        actions.write(before);
        sounds.write(Interface::Move);
    }
}

fn wheel(mut wheels: MessageReader<MouseWheel>, mut menu: ResMut<Menu>) {
    for wheel in wheels.read() {
        let rows = match wheel.unit {
            MouseScrollUnit::Line => wheel.y,
            MouseScrollUnit::Pixel => wheel.y / super::draw::ROW,
        };
        menu.scroll(rows < 0.0, rows.abs().ceil() as usize);
    }
}

/// Digit keys: they type a seed, or choose a perk.
fn write(
    keys: Res<ButtonInput<KeyCode>>,
    screen: Res<State<Screen>>,
    mut menu: ResMut<Menu>,
    mut actions: MessageWriter<MenuAction>,
) {
    for key in keys.get_just_pressed() {
        match (*screen.get(), digit(*key)) {
            (Screen::NewGame, _) if *key == KeyCode::Backspace => {
                menu.typed.pop();
            }
            (Screen::NewGame, Some(digit)) => {
                let longer = format!("{}{digit}", menu.typed);
                // Ignore digits that would exceed the largest seed.
                if longer.len() <= DIGITS && longer.parse::<u64>().is_ok() {
                    menu.typed = longer;
                }
            }
            (Screen::Learn, Some(digit @ 1..=3)) => {
                actions.write(MenuAction::Act(Action::Learn(digit - 1)));
            }
            _ => {}
        }
    }
}

/// The digit of a key. Keys of the numeric keypad are directions instead.
fn digit(key: KeyCode) -> Option<u8> {
    Pressed::Key(key).name()?.parse().ok()
}

/// Binds the next pressed button to the waiting control.
fn listen(
    keys: Res<ButtonInput<KeyCode>>,
    pads: Query<&Gamepad>,
    mut menu: ResMut<Menu>,
    mut options: ResMut<Options>,
    mut sounds: MessageWriter<Interface>,
) {
    let Some(control) = menu.binding else {
        return;
    };
    let key = keys.get_just_pressed().copied().map(Pressed::Key).next();
    let pad = pads.iter().find_map(|pad| {
        let button = *pad.get_just_pressed().find(|button| **button != SHIFT)?;
        Some(match pad.pressed(SHIFT) {
            true => Pressed::Shifted(button),
            false => Pressed::Pad(button),
        })
    });
    let Some(button) = key.or(pad) else {
        return;
    };
    menu.binding = None;
    // The D-pad has no name, because it is always for directions.
    let usable = button.name().is_some() && button != Pressed::Key(KeyCode::Escape);
    sounds.write(match usable {
        true => Interface::Choose,
        false => Interface::Back,
    });
    if usable {
        menu.moved = bind(&mut options, control, button);
    }
}

/// The key that opened the message log or the help closes it again, unless it is a menu key.
fn close(
    keys: Res<ButtonInput<KeyCode>>,
    hands: Res<Hands>,
    screen: Res<State<Screen>>,
    mut actions: MessageWriter<MenuAction>,
    mut sounds: MessageWriter<Interface>,
) {
    let opens = match screen.get() {
        Screen::Log => Control::Log,
        Screen::Help => Control::Help,
        _ => return,
    };
    let steers = |ask: &Ask| keys.any_just_pressed(ask.keys().iter().copied());
    if hands.press(opens) && !screen.is_changed() && !Ask::ALL.iter().any(steers) {
        actions.write(MenuAction::Back);
        sounds.write(Interface::Back);
    }
}
