//! From one game to the next: how they begin, are suspended, and end.
//!
//! ```text
//!    title ---- new, continue, daily -----> the player's own game ----> its end: score, morgue
//!      ^                                       |        |
//!      |                                       |        v
//!      +----- suspended: the file stays -------+     after every turn: the file
//! ```
//!
//! The player's game lies on disk as it was after the last turn, so a crash, a power cut and a
//! closed window suspend it. Whoever continues goes on from there; the end deletes it. Games
//! of bots and replays, and those taken over from them, leave nothing.

pub mod keeper;

use std::time::{SystemTime, UNIX_EPOCH};

use crate::home::{Date, Score};
use bevy::prelude::*;
use lanternfell_stealth::{Difficulty, World};

use crate::play::{
    game::{Game, GameSystems, Happened, Wish},
    hud::journal::Journal,
    options::Options,
    player::pilot::Pilot,
    screen::Screen,
    session::keeper::Keeper,
};

/// The keep in which a bot plays behind the title, and how many turns it has played when it
/// is shown first: it stands in a room with lamps then.
pub const TITLE_SEED: u64 = 16;
pub const TITLE_TURNS: u32 = 48;

/// Seconds in which the end of a game is seen before it is told.
const LAST_LOOK: f32 = 1.4;

/// Random keeps have seeds below this: short enough to be told to a friend.
const SEEDS: u64 = 1_000_000;

/// How a game begins.
#[derive(Message, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begin {
    /// In this keep, or in any.
    New(Option<u64>),
    /// In the keep of the game that has ended, and as hard.
    Same,
    /// In the keep that everybody plays today.
    Daily,
    /// Where the suspended one was left.
    Continue,
    /// In the keep after this one, for a bot.
    Next,
    /// Not at all: a bot plays behind the title.
    Title,
}

/// A game has begun: what was told of the one before is over.
#[derive(Message, Debug, Clone, Copy)]
pub struct Began;

/// Whose game it is.
#[derive(Resource, Debug, Default)]
pub struct Session {
    /// Whether it is the player's own, and counts.
    pub own: bool,
    /// Whether it began with the opening, in which one learns to play.
    pub opening: bool,
    /// Whether a bot plays it behind the title and its pages.
    pub behind_title: bool,
    /// What became of it.
    pub end: Option<End>,
}

impl Session {
    /// A bot's game behind the title.
    pub fn behind_title() -> Self {
        Self {
            behind_title: true,
            ..default()
        }
    }
}

/// What is left of a game.
#[derive(Debug, Clone)]
pub struct End {
    /// Seconds since.
    since: f32,
    /// Its place among the best, from 0.
    pub place: Option<usize>,
    /// Where its page lies.
    pub page: Option<std::path::PathBuf>,
}

pub fn plugin(app: &mut App) {
    app.add_plugins(keeper::plugin)
        .init_resource::<Session>()
        .add_message::<Begin>()
        .add_message::<Began>()
        .add_systems(
            Update,
            (
                begin
                    .run_if(on_message::<Begin>)
                    .in_set(GameSystems::Act)
                    .before(crate::play::game::act),
                (
                    end.run_if(on_message::<Happened>),
                    keep.run_if(resource_changed::<Game>),
                    tell_end.run_if(in_state(Screen::Play)),
                )
                    .chain()
                    .after(GameSystems::Show),
            ),
        );
}

/// A keep that nobody has chosen.
fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |now| now.as_nanos() as u64);
    // Splitmix's multiplier: its high bits depend on all bits of the time.
    (now.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) % SEEDS
}

fn begin(
    mut asked: MessageReader<Begin>,
    mut game: ResMut<Game>,
    mut session: ResMut<Session>,
    mut pilot: ResMut<Pilot>,
    mut options: ResMut<Options>,
    mut keeper: ResMut<Keeper>,
    mut screen: ResMut<NextState<Screen>>,
    mut wishes: ResMut<Messages<Wish>>,
    mut began: MessageWriter<Began>,
) {
    let Some(asked) = asked.read().last().copied() else {
        return;
    };
    let view = game.view();
    let played = |world| Some((world, Pilot::Player));
    let next = match asked {
        Begin::New(seed) => {
            let seed = seed.unwrap_or_else(any_seed);
            played(match options.opening {
                true => World::with_opening(seed, options.difficulty),
                false => World::new(seed, options.difficulty),
            })
        }
        Begin::Same => played(World::new(view.seed(), view.difficulty())),
        Begin::Daily => played(World::new(Date::today().daily_seed(), options.difficulty)),
        Begin::Continue => keeper.resume().and_then(played),
        Begin::Next => {
            let seed = view.seed().wrapping_add(1);
            Some((World::new(seed, Difficulty::Thief), Pilot::bot(seed)))
        }
        Begin::Title => Some(Pilot::behind_title()),
    };
    let Some((world, plays)) = next else {
        return;
    };
    if matches!(asked, Begin::New(_)) && options.opening {
        // It is told once.
        options.opening = false;
    }
    let player = matches!(plays, Pilot::Player);
    *session = Session {
        own: player,
        opening: player && had_opening(&world),
        behind_title: match asked {
            Begin::Next => session.behind_title,
            _ => asked == Begin::Title,
        },
        end: None,
    };
    // Whatever was wished for was wished for elsewhere.
    wishes.clear();
    game.begin(world);
    *pilot = plays;
    match asked {
        Begin::Title => screen.set(Screen::Title),
        Begin::Next => {}
        _ => screen.set(Screen::Play),
    }
    began.write(Began);
}

/// Whether it began with the opening and has not left the floor of it.
fn had_opening(world: &World) -> bool {
    let began = world.replay().is_some_and(|replay| replay.opening);
    began && world.view().depth() == 0
}

/// After every turn the game lies on disk, as long as it goes on.
fn keep(game: Res<Game>, session: Res<Session>, mut keeper: ResMut<Keeper>) {
    if session.own && session.end.is_none() {
        keeper.suspend(game.save());
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
    // Whoever types the seed of the day plays the keep of the day.
    let daily = game.view().seed() == today.daily_seed();
    let score = Score::of(game.view(), daily, today);
    if let Some(score) = score.filter(|_| session.own) {
        keeper.forget();
        (end.place, end.page) = keeper.remember(game.view(), score, &journal.all());
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
