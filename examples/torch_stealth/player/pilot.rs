//! Someone else plays: a bot, which shows the game to whoever watches, or a replay.
//!
//! Whoever presses a key takes over.

use std::collections::VecDeque;

use bevy::prelude::*;
use lanternfell_stealth::{Action, Bot, GameEvent, Mind};

use crate::{
    game::{Game, GameSystems, Happened, Wish},
    hud::status::is_shown,
    words,
};

/// Seconds from one action to the next: long enough to see what it does.
const PACE: f32 = 0.16;

/// Seconds that the end of a bot's game is shown before it begins another.
const REST: f32 = 6.0;

/// Who plays.
#[derive(Resource)]
pub enum Pilot {
    /// Whoever sits before the screen.
    Player,
    /// What was done once, as far as it has not been done again.
    Replay(VecDeque<Action>),
    /// The careful bot.
    Bot(Box<Mind>),
}

impl Pilot {
    /// A bot for the game in this keep.
    pub fn bot(seed: u64) -> Self {
        Self::Bot(Box::new(Bot::Careful.mind(seed)))
    }
}

/// Whether the player plays.
pub fn is_player(pilot: Res<Pilot>) -> bool {
    matches!(*pilot, Pilot::Player)
}

/// Says that someone else plays.
#[derive(Component)]
struct Notice;

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn.run_if(not(is_player).and_then(is_shown)))
        .add_systems(
            Update,
            (take_over, play)
                .chain()
                .in_set(GameSystems::Ask)
                .run_if(not(is_player)),
        );
}

fn spawn(mut commands: Commands) {
    let node = Node {
        position_type: PositionType::Absolute,
        width: percent(100),
        top: percent(12),
        justify_content: JustifyContent::Center,
        ..default()
    };
    let text = (
        Text::new(words::WATCHING),
        TextFont::from_font_size(16.0),
        TextColor(Color::srgba(1.0, 0.9, 0.6, 0.8)),
    );
    commands.spawn((Notice, node)).with_child(text);
}

fn take_over(
    keys: Res<ButtonInput<KeyCode>>,
    mut pilot: ResMut<Pilot>,
    notices: Query<Entity, With<Notice>>,
    mut commands: Commands,
) {
    if keys.get_just_pressed().next().is_some() {
        *pilot = Pilot::Player;
        for notice in &notices {
            commands.entity(notice).despawn();
        }
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
) {
    heard.extend(happened.read().map(|happened| happened.0));
    *waits += time.delta_secs();
    let over = game.view().ending().is_some();
    if *waits < if over { REST } else { PACE } {
        return;
    }
    *waits = 0.0;
    let wish = match &mut *pilot {
        Pilot::Player => None,
        Pilot::Replay(actions) => actions.pop_front().map(Wish::Act),
        Pilot::Bot(_) if over => {
            *pilot = Pilot::bot(game.view().seed().wrapping_add(1));
            Some(Wish::Again)
        }
        Pilot::Bot(mind) => Some(Wish::Act(mind.choose(game.view(), &heard))),
    };
    heard.clear();
    if let Some(wish) = wish {
        wishes.write(wish);
    }
}
