//! Automatic travel: to a clicked cell, or exploring the floor. It stops as soon as anything
//! happens.

use bevy::prelude::*;
use gutterlight_rules::{Action, IVec2, Item, View};

use crate::play::{
    game::{Game, GameSystems, Wish},
    hud::journal::Journal,
    input::{control::Control, hands::Hands},
    player::{
        alert::{Alert, Noticed},
        pilot::is_player,
    },
    screen::is_play,
    words,
};

/// Seconds between steps.
const PACE: f32 = 0.1;

/// The current destination.
#[derive(Resource, Default, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errand {
    /// No travel.
    #[default]
    None,
    /// Travel to this cell.
    To(IVec2),
    /// Explore: go to unseen cells and pick up loot.
    Explore,
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Errand>().add_systems(
        Update,
        (begin, stop, go)
            .chain()
            .in_set(GameSystems::Ask)
            .after(Noticed)
            .run_if(is_play.and_then(is_player)),
    );
}

/// Starts exploring. Any other control stops traveling.
pub fn begin(hands: Res<Hands>, mut errand: ResMut<Errand>) {
    if hands.pressed().next().is_some() {
        errand.set_if_neq(match hands.press(Control::Explore) {
            true => Errand::Explore,
            false => Errand::None,
        });
    }
}

fn stop(
    hands: Res<Hands>,
    alert: Res<Alert>,
    mut errand: ResMut<Errand>,
    mut journal: ResMut<Journal>,
) {
    // Exploring stops while a guard is in sight, and any travel stops when a direction is pressed.
    let watched = alert.guards && *errand == Errand::Explore;
    if watched {
        journal.refuse(words::NOT_ALONE);
    }
    if alert.news || watched || hands.way().is_some() {
        errand.set_if_neq(Errand::None);
    }
}

fn go(
    time: Res<Time>,
    game: Res<Game>,
    mut errand: ResMut<Errand>,
    mut waits: Local<f32>,
    mut journal: ResMut<Journal>,
    mut wishes: MessageWriter<Wish>,
) {
    *waits -= time.delta_secs();
    if *errand == Errand::None || *waits > 0.0 {
        return;
    }
    *waits = PACE;
    match next(game.view(), *errand) {
        Some(action) => {
            wishes.write(Wish(action));
        }
        None => {
            match *errand {
                Errand::Explore => journal.refuse(words::EXPLORED),
                Errand::To(at) if at != game.view().thief().at => journal.refuse(words::NO_WAY),
                Errand::To(_) | Errand::None => {}
            }
            *errand = Errand::None;
        }
    }
}

/// Whether there is loot here that can be picked up.
fn takes(view: View<'_>) -> bool {
    let memory = view.memory(view.thief().at);
    let item = memory.and_then(|memory| memory.item);
    item.is_some_and(Item::is_loot) && view.check(Action::PickUp).is_ok()
}

/// The next action: a step, or picking something up.
fn next(view: View<'_>, errand: Errand) -> Option<Action> {
    let way = match errand {
        Errand::None => return None,
        Errand::To(goal) => view.way_to(goal),
        Errand::Explore if takes(view) => return Some(Action::PickUp),
        Errand::Explore => view.way_to_explore(),
    };
    way?.first().copied().map(Action::Walk)
}
