//! Longer ways: to where the mouse points, or to see the rest of the floor. They end as soon as
//! anything is different.

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

/// Seconds from one step to the next.
const PACE: f32 = 0.1;

/// Where the thief is on the way to.
#[derive(Resource, Default, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errand {
    /// Nowhere.
    #[default]
    None,
    /// There.
    To(IVec2),
    /// Wherever there is something to see, or to take.
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

/// To explore is asked for; anything else that is asked for ends whatever goes on.
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
    // Whoever is watched does not stroll about; whoever walks does not need to be led.
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

/// Whether there is something here to be taken without a thought.
fn takes(view: View<'_>) -> bool {
    let memory = view.memory(view.thief().at);
    let item = memory.and_then(|memory| memory.item);
    item.is_some_and(Item::is_loot) && view.check(Action::PickUp).is_ok()
}

/// The next step, or what there is to take here.
fn next(view: View<'_>, errand: Errand) -> Option<Action> {
    let way = match errand {
        Errand::None => return None,
        Errand::To(goal) => view.way_to(goal),
        Errand::Explore if takes(view) => return Some(Action::PickUp),
        Errand::Explore => view.way_to_explore(),
    };
    way?.first().copied().map(Action::Walk)
}
