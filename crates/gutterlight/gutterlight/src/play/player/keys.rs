//! Maps controls to actions. A held direction repeats.

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

/// Seconds until a held direction repeats, and between repeats.
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

/// Seconds until a held direction repeats.
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
        // After an interruption, the key must be pressed again.
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
    // One action per frame. A new press takes precedence over a held direction.
    wishes.write_batch(fresh.or(step).map(Wish));
}

/// While looking or aiming: a pressed control for another item.
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

/// Switches to another item. If its action is done at once, aiming ends. If it is refused, aiming continues.
fn take(view: View<'_>, hands: &Hands, other: Control, cursor: &mut Cursor) -> Option<Action> {
    let action = wish(view, hands, other, cursor)?;
    if view.check(action).is_ok() {
        cursor.leave();
    }
    Some(action)
}

/// The direction to go now: when it is pressed, and repeatedly while it is held.
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

/// Shows view cones while their key is held, and cycles the minimap.
fn turn_signs(hands: Res<Hands>, mut cones: ResMut<ConesShown>, mut minimap: ResMut<MinimapShown>) {
    cones.set_if_neq(ConesShown(hands.hold(Control::Cones)));
    if hands.press(Control::Map) {
        *minimap = minimap.next();
    }
}

/// Opens menu pages.
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
        // Pause first cancels what is in progress.
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

/// At the gate, opens the pause page with the choice to leave without the Ember.
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

/// The action of a step in a direction: a takedown or a fight if a guard is there, opening a door, or walking. A held
/// key only walks.
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
        // Walking into a wall is refused once per press.
        false => Some(walk).filter(|walk| fresh || view.check(*walk).is_ok()),
    }
}

/// The action of any other control.
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
        Control::Lamp => adjacent_action(view, &[Action::Douse, Action::Relight])?,
        Control::Door => adjacent_action(view, &[Action::Open, Action::Close])?,
        Control::Shove => adjacent_action(view, &[Action::Shove])?,
        // Leaving is confirmed on a menu page.
        Control::Here if here(view) == Action::Climb && view.leaves_without_ember() => return None,
        Control::Here => here(view),
        _ => return None,
    })
}

/// The first possible action on any side, starting in front of the thief. If none is possible, the first action in
/// front of the thief.
fn adjacent_action(view: View<'_>, actions: &[fn(Direction) -> Action]) -> Option<Action> {
    let front = view.thief().facing;
    let ways = [0, 1, -1, 2, -2, 3, -3, 4].map(|eighths| front.turned(eighths));
    let mut all = ways
        .into_iter()
        .flat_map(|way| actions.iter().map(move |action| action(way)));
    let first = actions.first().map(|action| action(front));
    all.find(|action| view.check(*action).is_ok()).or(first)
}

/// Picking up the item here, or taking the stairs.
fn here(view: View<'_>) -> Action {
    let take = view.check(Action::PickUp);
    let climb = view.check(Action::Climb);
    match take.is_err() && (climb.is_ok() || take == Err(Refusal::NothingHere)) {
        true => Action::Climb,
        false => Action::PickUp,
    }
}

/// Uses a tool. Tools that can only be thrown are aimed, and so are oil and water, which have two uses.
fn use_slot(view: View<'_>, slot: u8, cursor: &mut Cursor) -> Option<Action> {
    let using = Action::Use { slot };
    match view.check(using) {
        _ if is_poured(view, slot) => throw(view, Missile::Slot(slot), cursor),
        Err(Refusal::OnlyThrown(_)) => throw(view, Missile::Slot(slot), cursor),
        _ => Some(using),
    }
}

/// Starts aiming. If there is no target, returns the action anyway, so that the rules refuse it with a reason.
fn throw(view: View<'_>, missile: Missile, cursor: &mut Cursor) -> Option<Action> {
    match cursor.aim(view, missile) {
        true => None,
        false => Some(missile.at(view, view.thief().at)),
    }
}
