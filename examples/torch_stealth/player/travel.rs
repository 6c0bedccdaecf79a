//! Longer ways: to where the mouse points, or to see the rest of the floor. They end as soon as
//! anything is different.

use bevy::prelude::*;
use lanternfell_stealth::{Action, GameEvent, IVec2, Item, View};

use crate::{
    game::{Game, GameSystems, Happened, Refused, Wish},
    player::pilot::is_player,
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
            .run_if(is_player),
    );
}

/// Tab explores; any other key ends whatever goes on.
fn begin(keys: Res<ButtonInput<KeyCode>>, mut errand: ResMut<Errand>) {
    if keys.get_just_pressed().next().is_some() {
        errand.set_if_neq(match keys.just_pressed(KeyCode::Tab) {
            true => Errand::Explore,
            false => Errand::None,
        });
    }
}

/// Whether this is a reason to stop and think.
fn is_news(event: GameEvent) -> bool {
    match event {
        GameEvent::Moved { .. }
        | GameEvent::Sounded { .. }
        | GameEvent::Turned { .. }
        | GameEvent::Took { .. } => false,
        GameEvent::Band { from, to } => to > from,
        _ => true,
    }
}

fn stop(
    game: Res<Game>,
    mut errand: ResMut<Errand>,
    mut happened: MessageReader<Happened>,
    mut refused: MessageReader<Refused>,
    mut guards: Local<usize>,
) {
    let up = game.view().guards().filter(|guard| !guard.mood.is_down());
    let seen = up.count();
    let more = seen > core::mem::replace(&mut *guards, seen);
    let news = happened.read().any(|happened| is_news(happened.0));
    let refused = refused.read().next().is_some();
    if more || news || refused {
        errand.set_if_neq(Errand::None);
    }
}

fn go(
    time: Res<Time>,
    game: Res<Game>,
    mut errand: ResMut<Errand>,
    mut waits: Local<f32>,
    mut wishes: MessageWriter<Wish>,
) {
    *waits -= time.delta_secs();
    if *errand == Errand::None || *waits > 0.0 {
        return;
    }
    *waits = PACE;
    match next(game.view(), *errand) {
        Some(action) => {
            wishes.write(Wish::Act(action));
        }
        None => *errand = Errand::None,
    }
}

/// Whether there is something here to be taken without a thought; the Ember wakes the keep.
fn takes(view: View<'_>) -> bool {
    let memory = view.memory(view.thief().at);
    let item = memory.and_then(|memory| memory.item);
    item.is_some_and(|item| item != Item::Ember) && view.check(Action::PickUp).is_ok()
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
