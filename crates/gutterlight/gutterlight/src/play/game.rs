//! The game that is played: actions go in, what happened comes out.

use bevy::prelude::*;
use gutterlight_rules::{Action, GameEvent, Refusal, Replay, View, World};

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
    floor_visit: FloorVisit,
}

/// A floor of a game: another after every stair, and in every new game. What is drawn of one is
/// nothing to the next.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct FloorVisit(u32);

impl Game {
    pub fn new(world: World) -> Self {
        Self {
            world,
            floor_visit: FloorVisit::default(),
        }
    }

    /// Goes on with another world.
    pub fn begin(&mut self, world: World) {
        self.world = world;
        self.floor_visit.0 += 1;
    }

    /// Where the thief is now.
    pub fn floor_visit(&self) -> FloorVisit {
        self.floor_visit
    }

    /// What the player may know.
    pub fn view(&self) -> View<'_> {
        self.world.view()
    }

    /// All of it, to be kept.
    pub fn save(&self) -> Vec<u8> {
        self.world.save()
    }

    /// All that was done in it, if its beginning is known.
    pub fn replay(&self) -> Option<Replay> {
        self.world.replay()
    }

    /// The cells and sources of the light, for drawing.
    pub fn light(&self) -> &gutterlight_rules::LightGrid {
        self.world.light()
    }
}

/// A wish of the player: to do something in the keep.
#[derive(Message, Debug, Clone, Copy)]
pub struct Wish(pub Action);

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

pub fn act(
    mut wishes: MessageReader<Wish>,
    mut game: ResMut<Game>,
    mut happened: MessageWriter<Happened>,
    mut refused: MessageWriter<Refused>,
) {
    for wish in wishes.read() {
        // Only what the rules allow changes anything: a refusal must not redraw the floor.
        let quiet = game.bypass_change_detection();
        match quiet.world.act(wish.0) {
            Ok(events) => {
                let is_entry = |event: &GameEvent| matches!(event, GameEvent::Entered { .. });
                // What happened before the stairs is nowhere on this floor.
                let entry = events.iter().rposition(is_entry);
                quiet.floor_visit.0 += u32::from(entry.is_some());
                game.set_changed();
                let here = events.into_iter().skip(entry.unwrap_or(0));
                happened.write_batch(here.map(Happened));
            }
            Err(refusal) => {
                refused.write(Refused(refusal));
            }
        }
    }
}
