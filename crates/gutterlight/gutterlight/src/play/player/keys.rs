//! Controls to wishes. A held way goes on walking.

use bevy::prelude::*;
use gutterlight_rules::{Action, Direction, Door, Refusal, Tile, View};

use crate::play::{
    game::{Game, GameSystems, Wish},
    hud::minimap::MinimapShown,
    input::{control::Control, hands::Hands},
    menu::state::Menu,
    player::{
        aim::{Aim, Missile, is_poured},
        alert::{self, Alert},
        cursor::{self, Cursor},
        pilot::{Pilot, is_player},
        travel::{self, Errand},
    },
    scene::cones::ConesShown,
    screen::{Screen, is_play},
    session::Session,
};

/// Seconds that a way is held before it counts again, and then from time to time.
const HELD: (f32, f32) = (0.25, 0.12);

pub fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            turn_page,
            ask_to_leave,
            turn_signs,
            ask.after(cursor::set_out).before(travel::begin),
        )
            .chain()
            .after(alert::Noticed)
            .in_set(GameSystems::Ask)
            .run_if(is_play.and_then(is_player)),
    );
}

/// How long until a held way counts again.
#[derive(Default)]
pub struct Again(f32);

pub fn ask(
    hands: Res<Hands>,
    time: Res<Time>,
    game: Res<Game>,
    session: Res<Session>,
    alert: Res<Alert>,
    screen: Res<State<Screen>>,
    pilot: Res<Pilot>,
    mut cursor: ResMut<Cursor>,
    mut again: Local<Again>,
    mut wishes: MessageWriter<Wish>,
) {
    again.0 -= time.delta_secs();
    if alert.news || screen.is_changed() || pilot.is_changed() {
        // Who goes on now has seen it: the key must be pressed anew.
        again.0 = f32::INFINITY;
    }
    let way = repeated(&hands, &mut again);
    let view = game.view();
    if cursor.is_aimed() {
        if let Some((way, _)) = way {
            cursor.step(view, way);
        }
        let answer = match other_in_hand(&hands, &cursor) {
            Some(control) => take(view, &hands, control, &mut cursor),
            None => cursor.answer(&hands, view),
        };
        wishes.write_batch(answer.map(Wish));
        return;
    }
    if session.end.is_some() {
        return;
    }
    if hands.press(Control::Look) {
        cursor.look(view.thief().at);
        return;
    }
    let mut pressed = hands.pressed();
    let fresh = pressed.find_map(|control| wish(view, &hands, control, &mut cursor));
    let step = way.and_then(|(way, fresh)| go(view, &hands, way, fresh));
    if step.is_some() {
        cursor.leave();
    }
    // One thing at a time: a press comes before a key that is only held.
    wishes.write_batch(fresh.or(step).map(Wish));
}

/// While something is aimed, or looked at: the key of another thing.
fn other_in_hand(hands: &Hands, cursor: &Cursor) -> Option<Control> {
    let held = match cursor.aim {
        Some(Aim::Throw(missile)) => Some(missile.control()),
        Some(Aim::Look) | None => None,
    };
    let is_other = |control: &Control| {
        matches!(control, Control::Slot(_) | Control::ThrowTorch) && held != Some(*control)
    };
    hands.pressed().find(is_other)
}

/// That thing is aimed instead. What is done at once ends the aiming; what is refused does not.
fn take(view: View<'_>, hands: &Hands, other: Control, cursor: &mut Cursor) -> Option<Action> {
    let action = wish(view, hands, other, cursor)?;
    if view.check(action).is_ok() {
        cursor.leave();
    }
    Some(action)
}

/// The way that is asked for now: when it is pressed, and from time to time while it is held.
fn repeated(hands: &Hands, again: &mut Again) -> Option<(Direction, bool)> {
    let Some((way, fresh)) = hands.way() else {
        again.0 = 0.0;
        return None;
    };
    if !fresh && again.0 > 0.0 {
        return None;
    }
    again.0 = if fresh { HELD.0 } else { HELD.1 };
    Some((way, fresh))
}

/// Signs that are shown as long as a key is held, or until it is pressed again.
fn turn_signs(hands: Res<Hands>, mut cones: ResMut<ConesShown>, mut minimap: ResMut<MinimapShown>) {
    cones.set_if_neq(ConesShown(hands.hold(Control::Cones)));
    if hands.press(Control::Map) {
        *minimap = minimap.next();
    }
}

/// To the pages that lie over the game.
fn turn_page(
    hands: Res<Hands>,
    mut cursor: ResMut<Cursor>,
    errand: Res<Errand>,
    session: Res<Session>,
    mut screen: ResMut<NextState<Screen>>,
) {
    let page = match () {
        () if hands.press(Control::Help) => Screen::Help,
        () if hands.press(Control::Log) => Screen::Log,
        // First it ends what is under way.
        () if !hands.press(Control::Pause) => return,
        () if cursor.is_aimed() => {
            cursor.leave();
            return;
        }
        () if *errand != Errand::None => return,
        () if session.end.is_some() => Screen::Over,
        () => Screen::Pause,
    };
    screen.set(page);
}

/// At the gate whoever wants to go out without the Ember is led to the page on which that is chosen.
fn ask_to_leave(
    hands: Res<Hands>,
    game: Res<Game>,
    cursor: Res<Cursor>,
    mut menu: ResMut<Menu>,
    mut screen: ResMut<NextState<Screen>>,
) {
    let view = game.view();
    let asked = hands.press(Control::Here) && !cursor.is_aimed();
    if asked && view.leaves_without_ember() && view.check(Action::PickUp).is_err() {
        menu.leaves = true;
        screen.set(Screen::Pause);
    }
}

/// What a step means there: it takes down whom it can, and opens what is in the way. A key that
/// is only held does neither.
fn go(view: View<'_>, hands: &Hands, way: Direction, fresh: bool) -> Option<Action> {
    let at = view.thief().at + way.step();
    let allowed = |action: Action| view.check(action).is_ok().then_some(action);
    if hands.hold(Control::Peek) {
        return fresh.then_some(Action::Peek(way));
    }
    let mut guards = view.guards();
    if guards.any(|guard| guard.at == at && !guard.alert_state.is_down()) {
        let takedown = allowed(Action::Takedown(way));
        return fresh.then(|| takedown.unwrap_or(Action::Fight(way)));
    }
    let walk = match () {
        () if hands.hold(Control::Run) => Action::Run(way),
        () if hands.hold(Control::Sneak) => Action::Sneak(way),
        () => Action::Walk(way),
    };
    let tile = view.memory(at).map(|memory| memory.tile);
    let shut = matches!(
        tile,
        Some(Tile::Door(Door::Locked) | Tile::Shutter { open: false })
    );
    match shut {
        true => Some(allowed(Action::Open(way)).unwrap_or(walk)).filter(|_| fresh),
        // A wall is told of once.
        false => Some(walk).filter(|walk| fresh || view.check(*walk).is_ok()),
    }
}

/// What any other control means.
fn wish(view: View<'_>, hands: &Hands, control: Control, cursor: &mut Cursor) -> Option<Action> {
    Some(match control {
        Control::Slot(choice) if view.offer().is_some() => Action::Learn(choice),
        Control::Slot(slot) if hands.hold(Control::Sneak) => Action::Drop { slot },
        Control::Slot(slot) if hands.hold(Control::Run) => {
            return throw(view, Missile::Slot(slot), cursor);
        }
        Control::Slot(slot) => return use_slot(view, slot, cursor),
        Control::ThrowTorch => return throw(view, Missile::Torch, cursor),
        Control::Wait => Action::Wait,
        Control::Torch if view.thief().torch_burns() => Action::SnuffTorch,
        Control::Torch => Action::LightTorch,
        Control::Take => Action::PickUp,
        Control::DropTorch => Action::DropTorch,
        Control::Ember if view.thief().ember_shines() => Action::WrapEmber,
        Control::Ember => Action::UnwrapEmber,
        Control::Lamp => beside(view, &[Action::Douse, Action::Relight])?,
        Control::Door => beside(view, &[Action::Open, Action::Close])?,
        Control::Shove => beside(view, &[Action::Shove])?,
        // It is asked on a page.
        Control::Here if here(view) == Action::Climb && view.leaves_without_ember() => return None,
        Control::Here => here(view),
        _ => return None,
    })
}

/// The first of these that is possible on some side, those in front of the thief first.
fn beside(view: View<'_>, actions: &[fn(Direction) -> Action]) -> Option<Action> {
    let front = view.thief().facing;
    let ways = [0, 1, -1, 2, -2, 3, -3, 4].map(|eighths| front.turned(eighths));
    let mut all = ways
        .into_iter()
        .flat_map(|way| actions.iter().map(move |action| action(way)));
    let first = actions.first().map(|action| action(front));
    all.find(|action| view.check(*action).is_ok()).or(first)
}

/// What lies or leads on here.
fn here(view: View<'_>) -> Action {
    let take = view.check(Action::PickUp);
    let climb = view.check(Action::Climb);
    match take.is_err() && (climb.is_ok() || take == Err(Refusal::NothingHere)) {
        true => Action::Climb,
        false => Action::PickUp,
    }
}

/// A tool is used; one that is only for throwing is aimed, and oil, which has two uses.
fn use_slot(view: View<'_>, slot: u8, cursor: &mut Cursor) -> Option<Action> {
    let using = Action::Use { slot };
    match view.check(using) {
        _ if is_poured(view, slot) => throw(view, Missile::Slot(slot), cursor),
        Err(Refusal::OnlyThrown(_)) => throw(view, Missile::Slot(slot), cursor),
        _ => Some(using),
    }
}

/// Aims; or is refused, if there is nothing to be thrown.
fn throw(view: View<'_>, missile: Missile, cursor: &mut Cursor) -> Option<Action> {
    match cursor.aim(view, missile) {
        true => None,
        false => Some(missile.at(view, view.thief().at)),
    }
}
