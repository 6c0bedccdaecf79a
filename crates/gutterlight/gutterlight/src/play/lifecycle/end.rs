//! What is kept of a game: after every turn all of it, at its end its score and its page.

use bevy::prelude::*;
use gutterlight_rules::Heat;

use crate::{
    home::{DAILY_DIFFICULTY, Date, Score},
    play::{
        game::{Game, GameSystems, Happened},
        hud::journal::Journal,
        player::pilot::{Pilot, is_player},
        screen::Screen,
        session::{End, Session, keeper::Keeper},
    },
};

/// Seconds in which the end of a game is seen before it is told.
const LAST_LOOK: f32 = 1.4;

pub fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            end.run_if(on_message::<Happened>),
            keep.run_if(resource_changed::<Game>),
            meet.run_if(resource_changed::<Game>.and_then(is_player)),
            tell_end.run_if(in_state(Screen::Play)),
        )
            .chain()
            .after(GameSystems::Show),
    );
}

/// After every turn the game lies on disk, as long as it goes on.
fn keep(game: Res<Game>, journal: Res<Journal>, session: Res<Session>, mut keeper: ResMut<Keeper>) {
    if session.own && session.end.is_none() {
        keeper.suspend(game.save(), journal.last_lines());
    }
}

/// What the player meets is in the help from then on.
fn meet(game: Res<Game>, mut keeper: ResMut<Keeper>) {
    if keeper.bypass_change_detection().meet(game.view()) {
        keeper.set_changed();
    }
}

/// The end of the player's own game is written down, and its file deleted.
fn end(
    game: Res<Game>,
    journal: Res<Journal>,
    mut session: ResMut<Session>,
    mut keeper: ResMut<Keeper>,
) {
    if session.end.is_some() || !is_over(&game) {
        return;
    }
    let mut end = End {
        since: 0.0,
        place: None,
        page: None,
    };
    let today = Date::today();
    // Whoever types the seed of the day plays the keep of the day, if it is as hard as that.
    let view = game.view();
    let same = (view.difficulty(), view.heat()) == (DAILY_DIFFICULTY, Heat::NONE);
    let daily = same && view.seed() == today.daily_seed();
    let score = Score::of(game.view(), daily, today);
    if let Some(score) = score.filter(|_| session.own) {
        keeper.forget();
        (end.place, end.page) = keeper.remember(&game, score, &journal.all());
    }
    session.end = Some(end);
}

fn is_over(game: &Game) -> bool {
    game.view().ending().is_some()
}

/// After a moment the end is told.
fn tell_end(
    time: Res<Time>,
    pilot: Res<Pilot>,
    mut session: ResMut<Session>,
    mut screen: ResMut<NextState<Screen>>,
) {
    // The bot begins another.
    if matches!(*pilot, Pilot::Bot(_)) {
        return;
    }
    if let Some(end) = &mut session.bypass_change_detection().end {
        end.since += time.delta_secs();
        if end.since > LAST_LOOK {
            screen.set(Screen::Over);
        }
    }
}
