//! Starting games, for players, bots and replays.

use bevy::prelude::*;
use gutterlight_rules::{Difficulty, Heat, Rules, World};
use web_time::{SystemTime, UNIX_EPOCH};

use crate::{
    home::{DAILY_DIFFICULTY, Date},
    play::{
        game::{Game, GameSystems, Wish, act},
        hud::lesson::Lesson,
        options::Options,
        player::{pilot::Pilot, playback::Playback},
        screen::Screen,
        session::{Began, Begin, Session, keeper::Keeper},
    },
};

/// The upper bound of random seeds. Short seeds are easy to share.
const SEEDS: u64 = 1_000_000;

pub fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        begin
            .run_if(on_message::<Begin>)
            .in_set(GameSystems::Act)
            .before(act),
    );
}

/// A random seed.
fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |now| now.as_nanos() as u64);
    // The multiplier of SplitMix64. The high bits of the product depend on all bits of the time.
    (now.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) % SEEDS
}

fn begin(
    mut asked: MessageReader<Begin>,
    mut game: ResMut<Game>,
    mut session: ResMut<Session>,
    mut pilot: ResMut<Pilot>,
    options: Res<Options>,
    mut keeper: ResMut<Keeper>,
    mut screen: ResMut<NextState<Screen>>,
    mut wishes: ResMut<Messages<Wish>>,
    mut began: MessageWriter<Began>,
) {
    let Some(asked) = asked.read().last().copied() else {
        return;
    };
    // The other game that had the files may have ended.
    keeper.claim();
    if asked == Begin::Title {
        keeper.look();
    }
    if asked != Begin::Continue {
        keeper.begin();
    }
    let view = game.view();
    let played = |world| Some((world, Pilot::Player));
    let newcomer = options.opening;
    let new = |seed, difficulty, heat| {
        World::heated(&Rules::standard(), seed, difficulty, newcomer, heat)
    };
    let mut log = None;
    let next = match asked {
        Begin::New(seed) => {
            let seed = seed.unwrap_or_else(any_seed);
            let heat = match keeper.scores().has_won() {
                true => options.heat,
                false => Heat::NONE,
            };
            played(new(seed, options.difficulty, heat))
        }
        Begin::Same => played(new(view.seed(), view.difficulty(), view.heat())),
        Begin::Daily => {
            let seed = Date::today().daily_seed();
            played(new(seed, DAILY_DIFFICULTY, Heat::NONE))
        }
        Begin::Continue => keeper.resume().and_then(|(world, saved_log)| {
            log = saved_log;
            played(world)
        }),
        Begin::Watch(number) => keeper
            .watch(number)
            .map(|(world, actions)| (world, Pilot::Replay(Playback::new(actions)))),
        Begin::Next => {
            let seed = view.seed().wrapping_add(1);
            Some((World::new(seed, Difficulty::Thief), Pilot::bot(seed)))
        }
        Begin::Title => Some(Pilot::behind_title()),
    };
    let Some((world, plays)) = next else {
        return;
    };
    let own = matches!(plays, Pilot::Player);
    let lesson = match &log {
        Some(log) => Lesson::of_name(&log.lesson),
        // A new game, or one whose log is lost.
        None if own && newcomer && had_opening(&world) => Lesson::at(world.view()),
        None => Lesson::Done,
    };
    *session = Session {
        own,
        lesson,
        behind_title: match asked {
            Begin::Next => session.behind_title,
            _ => asked == Begin::Title,
        },
        watched: match asked {
            Begin::Watch(number) => Some(number),
            _ => None,
        },
        log: log.map(|log| log.lines).unwrap_or_default(),
        end: None,
    };
    // Pending wishes were meant for the previous game.
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

/// Whether the game started with the opening.
fn had_opening(world: &World) -> bool {
    world.replay().is_some_and(|replay| replay.opening)
}
