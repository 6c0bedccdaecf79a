//! Keys to wishes.
//!
//! Ways are arrows, WASD with Q, E, Z and C for the corners, the numbers' block, and `hjklyubn`
//! as of old. Shift runs, Control sneaks, Alt peeks. A held key goes on walking.

use bevy::prelude::*;
use lanternfell_stealth::{Action, Direction, Item, LightBand, Tile, View};

use crate::{
    game::{Game, GameSystems, Wish},
    player::pilot::is_player,
};

/// Seconds that a key is held before it counts again, and then from time to time.
const HELD: (f32, f32) = (0.25, 0.12);

/// The keys of each way.
const WAYS: [(Direction, &[KeyCode]); 8] = [
    (
        Direction::North,
        &[
            KeyCode::ArrowUp,
            KeyCode::KeyW,
            KeyCode::Numpad8,
            KeyCode::KeyK,
        ],
    ),
    (
        Direction::South,
        &[
            KeyCode::ArrowDown,
            KeyCode::KeyS,
            KeyCode::Numpad2,
            KeyCode::KeyJ,
        ],
    ),
    (
        Direction::West,
        &[
            KeyCode::ArrowLeft,
            KeyCode::KeyA,
            KeyCode::Numpad4,
            KeyCode::KeyH,
        ],
    ),
    (
        Direction::East,
        &[
            KeyCode::ArrowRight,
            KeyCode::KeyD,
            KeyCode::Numpad6,
            KeyCode::KeyL,
        ],
    ),
    (
        Direction::NorthWest,
        &[KeyCode::KeyQ, KeyCode::Numpad7, KeyCode::KeyY],
    ),
    (
        Direction::NorthEast,
        &[KeyCode::KeyE, KeyCode::Numpad9, KeyCode::KeyU],
    ),
    (
        Direction::SouthWest,
        &[KeyCode::KeyZ, KeyCode::Numpad1, KeyCode::KeyB],
    ),
    (
        Direction::SouthEast,
        &[KeyCode::KeyC, KeyCode::Numpad3, KeyCode::KeyN],
    ),
];

const SHIFT: [KeyCode; 2] = [KeyCode::ShiftLeft, KeyCode::ShiftRight];
const CONTROL: [KeyCode; 2] = [KeyCode::ControlLeft, KeyCode::ControlRight];
const ALT: [KeyCode; 2] = [KeyCode::AltLeft, KeyCode::AltRight];
const DIGITS: [KeyCode; 4] = [
    KeyCode::Digit1,
    KeyCode::Digit2,
    KeyCode::Digit3,
    KeyCode::Digit4,
];

pub fn plugin(app: &mut App) {
    app.add_systems(Update, ask.in_set(GameSystems::Ask).run_if(is_player));
}

/// How long until a held key counts again.
#[derive(Default)]
struct Again(f32);

fn ask(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    game: Res<Game>,
    mut again: Local<Again>,
    mut wishes: MessageWriter<Wish>,
) {
    let view = game.view();
    again.0 -= time.delta_secs();
    let held = WAYS
        .iter()
        .find(|(_, codes)| keys.any_pressed(codes.iter().copied()));
    let fresh = |code: &KeyCode| keys.just_pressed(*code);
    let step = held.filter(|(_, codes)| again.0 <= 0.0 || codes.iter().any(fresh));
    if let Some((way, codes)) = step {
        again.0 = if codes.iter().any(fresh) {
            HELD.0
        } else {
            HELD.1
        };
        wishes.write(Wish::Act(go(view, &keys, *way)));
        return;
    }
    if held.is_none() {
        again.0 = 0.0;
    }
    if let Some(wish) = keys.get_just_pressed().find_map(|code| wish(view, *code)) {
        wishes.write(wish);
    }
}

/// What a step means there: it takes down whom it can, and opens what is in the way.
fn go(view: View<'_>, keys: &ButtonInput<KeyCode>, way: Direction) -> Action {
    let at = view.thief().at + way.step();
    let allowed = |action: Action| view.check(action).is_ok().then_some(action);
    if keys.any_pressed(ALT) {
        return Action::Peek(way);
    }
    if view
        .guards()
        .any(|guard| guard.at == at && !guard.mood.is_down())
    {
        return allowed(Action::Takedown(way)).unwrap_or(Action::Fight(way));
    }
    let walk = match () {
        () if keys.any_pressed(SHIFT) => Action::Run(way),
        () if keys.any_pressed(CONTROL) => Action::Sneak(way),
        () => Action::Walk(way),
    };
    let tile = view.memory(at).map(|memory| memory.tile);
    match tile {
        Some(Tile::Door(lanternfell_stealth::Door::Locked) | Tile::Shutter { open: false }) => {
            allowed(Action::Open(way)).unwrap_or(walk)
        }
        _ => walk,
    }
}

/// What any other key means.
fn wish(view: View<'_>, code: KeyCode) -> Option<Wish> {
    if view.ending().is_some() {
        return (code == KeyCode::Enter).then_some(Wish::Again);
    }
    if let Some(digit) = DIGITS.iter().position(|digit| *digit == code) {
        return Some(Wish::Act(match view.offer() {
            Some(_) => Action::Learn(digit as u8),
            None => use_slot(view, digit as u8),
        }));
    }
    let action = match code {
        KeyCode::Period | KeyCode::Numpad5 | KeyCode::Space => Action::Wait,
        KeyCode::KeyT if view.thief().torch_burns() => Action::SnuffTorch,
        KeyCode::KeyT => Action::LightTorch,
        KeyCode::KeyG => Action::PickUp,
        KeyCode::KeyX => Action::DropTorch,
        KeyCode::KeyR if view.thief().ember_shines() => Action::WrapEmber,
        KeyCode::KeyR => Action::UnwrapEmber,
        KeyCode::KeyF => beside(view, &[Action::Douse, Action::Relight])?,
        KeyCode::KeyO => beside(view, &[Action::Open, Action::Close])?,
        KeyCode::KeyV => beside(view, &[Action::Shove])?,
        KeyCode::Enter => here(view),
        _ => return None,
    };
    Some(Wish::Act(action))
}

/// The first of these that is possible on some side, those in front of the thief first.
fn beside(view: View<'_>, deeds: &[fn(Direction) -> Action]) -> Option<Action> {
    let front = view.thief().facing;
    let ways = [0, 1, -1, 2, -2, 3, -3, 4].map(|eighths| front.turned(eighths));
    let all = deeds.iter().flat_map(|deed| ways.map(deed));
    let first = deeds.first().map(|deed| deed(front));
    all.into_iter()
        .find(|action| view.check(*action).is_ok())
        .or(first)
}

/// What lies or leads on here.
fn here(view: View<'_>) -> Action {
    let at = view.thief().at;
    let item: Option<Item> = view.memory(at).and_then(|memory| memory.item);
    match item {
        Some(_) => Action::PickUp,
        None => Action::Climb,
    }
}

/// A tool is used, or thrown: at the nearest guard in sight, or else ahead.
fn use_slot(view: View<'_>, slot: u8) -> Action {
    let using = Action::Use { slot };
    if view.check(using).is_ok() {
        return using;
    }
    let here = view.thief().at;
    let mut goals: Vec<IVec2> = view
        .guards()
        .filter(|guard| !guard.mood.is_down())
        .map(|guard| guard.at)
        .collect();
    goals.sort_by_key(|at| (lanternfell_stealth::steps_between(*at, here), at.y, at.x));
    let ahead = (1..6)
        .rev()
        .map(|steps| here + view.thief().facing.step() * steps);
    goals.extend(ahead.filter(|at| view.band(*at) > Some(LightBand::Hidden)));
    goals.push(here);
    let throws = goals.into_iter().map(|at| Action::Throw { slot, at });
    let mut possible = throws.filter(|throw| view.check(*throw).is_ok());
    possible.next().unwrap_or(using)
}
