//! Whether something has happened that a player wants to think about: then a held key, and a
//! longer way, stop.

use bevy::prelude::*;
use gutterlight_rules::{GameEvent, GuardId, SeenGuard};

use crate::play::{
    game::{Game, GameSystems, Happened, Refused},
    session::Began,
};

/// What the player has been told since the last frame.
#[derive(Resource, Debug, Default, PartialEq, Eq)]
pub struct Alert {
    /// Something new.
    pub news: bool,
    /// Whether a guard is in sight who could do anything.
    pub guards: bool,
}

/// After this it is known.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Noticed;

pub fn plugin(app: &mut App) {
    app.init_resource::<Alert>()
        .add_systems(Update, notice.in_set(Noticed).in_set(GameSystems::Ask));
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

/// The guards in sight that stand, and whether each sees the thief.
#[derive(Default)]
struct Seen(Vec<(GuardId, bool)>);

fn notice(
    game: Res<Game>,
    mut alert: ResMut<Alert>,
    mut happened: MessageReader<Happened>,
    mut refused: MessageReader<Refused>,
    mut began: MessageReader<Began>,
    mut seen: Local<Seen>,
) {
    if began.read().next().is_some() {
        seen.0.clear();
    }
    let mut news = refused.read().next().is_some();
    news |= happened.read().any(|happened| is_news(happened.0));
    if game.is_changed() {
        let stands = |guard: &SeenGuard| !guard.alert_state.is_down() && !guard.asleep;
        let view = game.view();
        // New is who was not there, and who sees what it did not see.
        let is_new = |guard: SeenGuard| {
            let known = seen.0.iter().find(|(id, _)| *id == guard.id);
            known.is_none_or(|(_, saw)| guard.sees_you && !saw)
        };
        news |= view.guards().filter(stands).any(is_new);
        seen.0.clear();
        let now = view.guards().filter(stands);
        seen.0.extend(now.map(|guard| (guard.id, guard.sees_you)));
    }
    let guards = !seen.0.is_empty();
    alert.set_if_neq(Alert { news, guards });
}
