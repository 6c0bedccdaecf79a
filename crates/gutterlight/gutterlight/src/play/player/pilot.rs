//! Someone else plays: a bot, which shows the game to whoever watches, or a
//! [replay](super::playback).
//!
//! Whoever presses a key takes over from a bot; behind the title nobody can.

use bevy::prelude::*;
use gutterlight_rules::{Bot, Difficulty, GameEvent, Mind, World};

use crate::play::{
    game::{Game, GameSystems, Happened, Wish},
    player::playback::Playback,
    screen::{Screen, is_play},
    session::{Begin, Session},
};

/// Seconds from one action to the next: long enough to see what it does.
const PACE: f32 = 0.16;

/// Seconds that the end of a bot's game is shown before it begins another.
const REST: f32 = 6.0;

/// The keep in which a bot plays behind the title, and how many turns it has played when it
/// is shown first: it stands in a room with lamps then.
const TITLE_SEED: u64 = 16;
const TITLE_TURNS: u32 = 48;

/// Who plays.
#[derive(Resource)]
pub enum Pilot {
    /// Whoever sits before the screen.
    Player,
    /// What was done once.
    Replay(Playback),
    /// The careful bot.
    Bot(Box<Mind>),
}

impl Pilot {
    /// A bot for the game in this keep.
    pub fn bot(seed: u64) -> Self {
        Self::Bot(Box::new(Bot::Careful.mind(seed)))
    }

    /// The bot that plays behind the title, and its game.
    pub fn behind_title() -> (World, Self) {
        Self::after(World::new(TITLE_SEED, Difficulty::Thief), TITLE_TURNS)
    }

    /// A careful bot that has played so many turns of a game already.
    pub fn after(mut world: World, turns: u32) -> (World, Self) {
        let mut mind = Bot::Careful.mind(world.view().seed());
        let mut events = Vec::new();
        for _ in 0..turns {
            let action = mind.choose(world.view(), &events);
            events = world.act(action).unwrap_or_default();
        }
        (world, Self::Bot(Box::new(mind)))
    }
}

/// Whether a bot plays.
fn is_bot(pilot: Res<Pilot>) -> bool {
    matches!(*pilot, Pilot::Bot(_))
}

/// Whether the player plays.
pub fn is_player(pilot: Res<Pilot>) -> bool {
    matches!(*pilot, Pilot::Player)
}

pub fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            play.in_set(GameSystems::Ask)
                .run_if(is_bot.and_then(time_passes)),
            // The key that takes over does nothing else.
            take_over
                .after(GameSystems::Show)
                .run_if(is_play.and_then(is_bot)),
        ),
    );
}

/// Whether the game goes on: behind the pages of a game it stands still, behind the title not.
fn time_passes(screen: Res<State<Screen>>, session: Res<Session>) -> bool {
    *screen.get() == Screen::Play || session.behind_title
}

fn take_over(keys: Res<ButtonInput<KeyCode>>, pads: Query<&Gamepad>, mut pilot: ResMut<Pilot>) {
    let pressed = |pad: &Gamepad| pad.get_just_pressed().next().is_some();
    if keys.get_just_pressed().next().is_some() || pads.iter().any(pressed) {
        *pilot = Pilot::Player;
    }
}

/// The next action, when it is time for it.
fn play(
    time: Res<Time>,
    game: Res<Game>,
    mut pilot: ResMut<Pilot>,
    mut happened: MessageReader<Happened>,
    mut heard: Local<Vec<GameEvent>>,
    mut waits: Local<f32>,
    mut wishes: MessageWriter<Wish>,
    mut begins: MessageWriter<Begin>,
) {
    heard.extend(happened.read().map(|happened| happened.0));
    *waits += time.delta_secs();
    let over = game.view().ending().is_some();
    if *waits < if over { REST } else { PACE } {
        return;
    }
    *waits = 0.0;
    match pilot.bypass_change_detection() {
        Pilot::Bot(_) if over => {
            begins.write(Begin::Next);
        }
        Pilot::Bot(mind) => {
            wishes.write(Wish(mind.choose(game.view(), &heard)));
        }
        Pilot::Replay(_) | Pilot::Player => {}
    }
    heard.clear();
}
