//! Who plays: the player, a bot, or a [replay](super::playback).
//!
//! Pressing a key takes over from a bot, except behind the title.

use bevy::prelude::*;
use gutterlight_rules::{Bot, Difficulty, GameEvent, Mind, World};

use crate::play::{
    game::{Game, GameSystems, Happened, Wish},
    player::playback::Playback,
    screen::{Screen, is_play},
    session::{Begin, Session},
};

/// Seconds between actions, long enough to follow them.
const PACE: f32 = 0.16;

/// Seconds for which the end of a bot's game is shown before the next one starts.
const REST: f32 = 6.0;

/// The keep behind the title, and the number of turns to skip. At that point the thief is in a room
/// with lamps.
const TITLE_SEED: u64 = 16;
const TITLE_TURNS: u32 = 48;

/// Who plays.
#[derive(Resource)]
pub enum Pilot {
    /// The player.
    Player,
    /// A recorded game.
    Replay(Playback),
    /// The careful bot.
    Bot(Box<Mind>),
}

impl Pilot {
    /// A bot for a new game in this keep.
    pub fn bot(seed: u64) -> Self {
        Self::Bot(Box::new(Bot::Careful.mind(seed)))
    }

    /// The game behind the title, and its bot.
    pub fn behind_title() -> (World, Self) {
        Self::after(World::new(TITLE_SEED, Difficulty::Thief), TITLE_TURNS)
    }

    /// A bot that has already played some turns of a game.
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
            // The key press has no other effect.
            take_over
                .after(GameSystems::Show)
                .run_if(is_play.and_then(is_bot)),
        ),
    );
}

/// Whether the bot's game runs. It pauses behind menu pages, but not behind the title.
fn time_passes(screen: Res<State<Screen>>, session: Res<Session>) -> bool {
    *screen.get() == Screen::Play || session.behind_title
}

fn take_over(keys: Res<ButtonInput<KeyCode>>, pads: Query<&Gamepad>, mut pilot: ResMut<Pilot>) {
    let pressed = |pad: &Gamepad| pad.get_just_pressed().next().is_some();
    if keys.get_just_pressed().next().is_some() || pads.iter().any(pressed) {
        *pilot = Pilot::Player;
    }
}

/// Writes the next action when it is due.
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
