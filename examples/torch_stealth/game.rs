//! The game that is played: actions go in, what happened comes out.

use bevy::prelude::*;
use lanternfell_stealth::{Action, Difficulty, GameEvent, Refusal, View, World};

/// The order of a frame.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameSystems {
    /// The player wishes something.
    Ask,
    /// The rules do it, or refuse.
    Act,
    /// The screen is told.
    Show,
}

/// The world of the rules. Whoever draws it asks its [`View`].
#[derive(Resource)]
pub struct Game {
    world: World,
}

impl Game {
    pub fn new(world: World) -> Self {
        Self { world }
    }

    /// What the player may know.
    pub fn view(&self) -> View<'_> {
        self.world.view()
    }

    /// The cells and sources of the light, for drawing.
    pub fn light(&self) -> &lanternfell_stealth::LightGrid {
        self.world.light()
    }
}

/// A wish of the player.
#[derive(Message, Debug, Clone, Copy)]
pub enum Wish {
    /// To do something in the keep.
    Act(Action),
    /// To begin anew, in the next keep.
    Again,
}

/// Something that happened in a turn.
#[derive(Message, Debug, Clone, Copy)]
pub struct Happened(pub GameEvent);

/// The rules say no.
#[derive(Message, Debug, Clone, Copy)]
pub struct Refused(pub Refusal);

pub fn plugin(app: &mut App) {
    let order = (GameSystems::Ask, GameSystems::Act, GameSystems::Show);
    app.add_message::<Wish>()
        .add_message::<Happened>()
        .add_message::<Refused>()
        .configure_sets(Update, order.chain())
        .add_systems(
            Update,
            act.in_set(GameSystems::Act).run_if(on_message::<Wish>),
        );
}

fn act(
    mut wishes: MessageReader<Wish>,
    mut game: ResMut<Game>,
    mut happened: MessageWriter<Happened>,
    mut refused: MessageWriter<Refused>,
) {
    for wish in wishes.read() {
        let action = match *wish {
            Wish::Act(action) => action,
            Wish::Again => {
                let (seed, difficulty): (u64, Difficulty) =
                    (game.view().seed(), game.view().difficulty());
                game.world = World::new(seed.wrapping_add(1), difficulty);
                continue;
            }
        };
        // Only what the rules allow changes anything: a refusal must not redraw the floor.
        match game.bypass_change_detection().world.act(action) {
            Ok(events) => {
                game.set_changed();
                happened.write_batch(events.into_iter().map(Happened));
            }
            Err(refusal) => {
                refused.write(Refused(refusal));
            }
        }
    }
}
