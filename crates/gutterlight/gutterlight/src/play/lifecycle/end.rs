//! Saves the game after every turn, and its score and text file at the end.

use bevy::prelude::*;
use gutterlight_rules::Heat;

use crate::{
    home::{DAILY_DIFFICULTY, Date, Log, Score},
    play::{
        game::{Game, GameSystems, Happened},
        hud::{journal::Journal, lessons::Lessons},
        player::pilot::{Pilot, is_player},
        screen::Screen,
        session::{End, Session, keeper::Keeper},
    },
};

/// Seconds for which the end of a game is shown before the end page opens.
const LAST_LOOK: f32 = 1.4;

pub fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            end.run_if(on_message::<Happened>),
            keep.run_if(resource_changed::<Game>.or_else(resource_changed::<Lessons>)),
            meet.run_if(resource_changed::<Game>.and_then(is_player)),
            open_end_page.run_if(in_state(Screen::Play)),
        )
            .chain()
            .after(GameSystems::Show),
    );
}

/// Saves the player's game after every turn until it ends.
fn keep(
    game: Res<Game>,
    journal: Res<Journal>,
    lessons: Res<Lessons>,
    session: Res<Session>,
    mut keeper: ResMut<Keeper>,
) {
    if session.own && session.end.is_none() {
        let log = Log {
            lines: journal.last_lines(),
            lesson: lessons.due().name().into(),
        };
        keeper.suspend(game.save(), log);
    }
}

/// Adds what the player meets to the lore.
fn meet(game: Res<Game>, mut keeper: ResMut<Keeper>) {
    if keeper.bypass_change_detection().meet(game.view()) {
        keeper.set_changed();
    }
}

/// Records the result of the player's own game and deletes its save.
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
    // A game with today's seed, the daily difficulty and no burdens counts as daily, even if the
    // seed was typed.
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

/// Opens the end page after a moment.
fn open_end_page(
    time: Res<Time>,
    pilot: Res<Pilot>,
    mut session: ResMut<Session>,
    mut screen: ResMut<NextState<Screen>>,
) {
    // A bot starts another game instead.
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
