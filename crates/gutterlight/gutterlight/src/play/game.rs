//! The running game: takes actions and emits events.

use bevy::prelude::*;
use gutterlight_rules::{Action, GameEvent, Refusal, Replay, View, World};

/// The order of systems in a frame.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameSystems {
    /// Reads the player's wishes.
    Ask,
    /// Applies them by the rules, or refuses them.
    Act,
    /// Updates everything on screen.
    Show,
}

/// The world of the rules. Code that draws it uses its [`View`].
#[derive(Resource)]
pub struct Game {
    world: World,
    floor_visit: FloorVisit,
}

/// Identifies a visit to a floor. It changes on stairs and in new games, so that state of one floor
/// is not used on the next.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct FloorVisit(u32);

impl Game {
    pub fn new(world: World) -> Self {
        Self {
            world,
            floor_visit: FloorVisit::default(),
        }
    }

    /// Replaces the world.
    pub fn begin(&mut self, world: World) {
        self.world = world;
        self.floor_visit.0 += 1;
    }

    /// The current visit.
    pub fn floor_visit(&self) -> FloorVisit {
        self.floor_visit
    }

    /// What the player is allowed to know.
    pub fn view(&self) -> View<'_> {
        self.world.view()
    }

    /// The complete game as a save.
    pub fn save(&self) -> Vec<u8> {
        self.world.save()
    }

    /// The replay of the game, if its start is known.
    pub fn replay(&self) -> Option<Replay> {
        self.world.replay()
    }

    /// The light grid, for drawing.
    pub fn light(&self) -> &gutterlight_rules::LightGrid {
        self.world.light()
    }
}

/// An action that the player wants to do.
#[derive(Message, Debug, Clone, Copy)]
pub struct Wish(pub Action);

/// Something that happened in a turn.
#[derive(Message, Debug, Clone, Copy)]
pub struct Happened(pub GameEvent);

/// The rules refused an action.
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
        // Mark the game as changed only if an action was applied: a refusal must not redraw the
        // floor.
        let quiet = game.bypass_change_detection();
        match quiet.world.act(wish.0) {
            Ok(events) => {
                let is_entry = |event: &GameEvent| matches!(event, GameEvent::Entered { .. });
                // Events before the stairs have no position on the new floor.
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
