//! Detects events that should interrupt the player: held keys and automatic travel stop.

use bevy::prelude::*;
use gutterlight_rules::{GameEvent, GuardId, SeenGuard};

use crate::play::{
    game::{Game, GameSystems, Happened, Refused},
    session::Began,
};

/// What happened since the last frame.
#[derive(Resource, Debug, Default, PartialEq, Eq)]
pub struct Alert {
    /// Whether there was an important event.
    pub news: bool,
    /// Whether an active guard is in sight.
    pub guards: bool,
}

/// The systems that update [`Alert`].
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Noticed;

pub fn plugin(app: &mut App) {
    app.init_resource::<Alert>()
        .add_systems(Update, notice.in_set(Noticed).in_set(GameSystems::Ask));
}

/// Whether an event should interrupt the player.
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

/// The visible active guards, and whether each sees the thief.
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
        // A guard that was not visible before, or that sees the thief for the first time.
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
