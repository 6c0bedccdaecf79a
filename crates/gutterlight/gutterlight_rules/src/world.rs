//! The state of a whole game, and the data derived from it.

pub(crate) mod opening;

use std::sync::Arc;

use glam::IVec2;
use lanternfell_lightgrid::{FieldOfView, LightBand, LightGrid};
use serde::{Deserialize, Serialize};

use crate::{
    Action, Difficulty, Ending, GameEvent, Guard, GuardId, Heat, Perk, Rules, Story, Thief,
    dice::Dice,
    floor::Floor,
    guard::Lantern,
    rules::{BEAT, GuardRules},
    sound_field::SoundField,
    thief::Tally,
};
use opening::Opening;

/// The part of a game that is saved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) seed: u64,
    pub(crate) difficulty: Difficulty,
    /// The burdens of this game. `World::rules` already includes their changes.
    pub(crate) heat: Heat,
    /// The scripted opening, until it is over.
    pub(crate) opening: Option<Opening>,
    /// Whether the game began with the opening.
    pub(crate) opened: bool,
    /// The number of actions so far.
    pub(crate) turn: u32,
    /// The time so far, in ticks.
    pub(crate) tick: u32,
    pub(crate) dice: Dice,
    /// The index of the floor that the thief is on, from 0.
    pub(crate) depth: usize,
    /// The floors generated so far, from the top down.
    pub(crate) floors: Vec<Floor>,
    pub(crate) thief: Thief,
    /// Guards on the stairs, with the ticks until they arrive.
    pub(crate) followers: Vec<(Guard, u16)>,
    /// The perks to choose from, while a choice is pending.
    pub(crate) offer: Option<[Perk; 3]>,
    pub(crate) ending: Option<Ending>,
    pub(crate) tally: Tally,
    pub(crate) story: Story,
    /// Whether the Ember was taken, which wakes the whole keep.
    pub(crate) alarm: bool,
    /// Burning time that has not yet cost a whole beat of torch fuel and of cloth, in percent of a
    /// tick.
    pub(crate) burnt: (u32, u32),
}

/// How the game was played so far, for replays.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// All actions so far.
    pub(crate) actions: Vec<Action>,
    /// The fingerprint of the rules of all actions. `None` if the rules changed, or if they are not
    /// known.
    pub(crate) fingerprint: Option<u32>,
}

/// A game of Gutterlight.
///
/// Only [`act`](Self::act) changes it. [`view`](Self::view) returns what the player is allowed to
/// know.
#[derive(Debug, Clone)]
pub struct World {
    pub(crate) rules: Arc<Rules>,
    pub(crate) state: State,
    /// All actions so far.
    pub(crate) record: Record,
    /// The settled light of the floor that the thief is on.
    pub(crate) light: LightGrid,
    /// The cells in the thief's line of sight, lit or not.
    pub(crate) sight: FieldOfView,
    /// What a sound loses on its way to the thief, from each cell.
    pub(crate) hearing: SoundField,
    /// The spread of the last sound. Kept only to reuse its memory.
    pub(crate) spread: SoundField,
    /// The view of the last [`Action::Peek`], until the next action.
    pub(crate) peeked: Option<FieldOfView>,
    /// The events of the current turn so far.
    pub(crate) events: Vec<GameEvent>,
}

/// Two worlds are equal if they will behave equally forever. This includes their light, bit for
/// bit.
impl PartialEq for World {
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state && self.rules == other.rules && same_light(self, other)
    }
}

impl World {
    /// The floor that the thief is on, with everything that the player must not know. For tools and
    /// tests; use [`view`](Self::view) for a front end.
    pub fn floor(&self) -> &Floor {
        &self.state.floors[self.state.depth]
    }

    /// The floor that the thief is on.
    pub(crate) fn floor_mut(&mut self) -> &mut Floor {
        &mut self.state.floors[self.state.depth]
    }

    /// A guard of the current floor.
    pub(crate) fn guard(&self, id: GuardId) -> &Guard {
        &self.floor().guards[usize::from(id)]
    }

    /// A guard of the current floor.
    pub(crate) fn guard_mut(&mut self, id: GuardId) -> &mut Guard {
        &mut self.floor_mut().guards[usize::from(id)]
    }

    /// The rules for the kind of a guard of the current floor.
    pub(crate) fn guard_rules(&self, id: GuardId) -> &GuardRules {
        self.rules.guard(self.guard(id).kind)
    }

    /// Whether a guard can light a lamp: its kind relights lamps, and its own lantern burns.
    pub(crate) fn can_light(&self, id: GuardId) -> bool {
        self.guard_rules(id).relights && self.guard(id).lantern == Lantern::Lit
    }

    /// The ids of the guards of the current floor.
    pub(crate) fn guard_ids(&self) -> impl Iterator<Item = GuardId> + use<> {
        (0..self.floor().guards.len()).map(|id| id as GuardId)
    }

    /// Whether a door in a cell could be closed: nothing stands, lies or burns there.
    pub(crate) fn is_clear(&self, at: IVec2) -> bool {
        let floor = self.floor();
        self.state.thief.at != at
            && floor.guard_at(at).is_none()
            && floor.body_at(at).is_none()
            && floor.item_at(at).is_none()
            && !floor.fire_at(at)
    }

    /// The light band of a cell, without hysteresis.
    pub(crate) fn band(&self, at: IVec2) -> LightBand {
        self.light.band(at, &self.rules.light.bands, None)
    }

    /// Ends the game, unless it is already over.
    pub(crate) fn end(&mut self, ending: Ending) {
        if self.state.ending.is_none() {
            self.state.ending = Some(ending);
            self.emit(GameEvent::Ended(ending));
        }
    }

    /// How many whole beats ended within the last `ticks` ticks.
    pub(crate) fn beats_over(&self, ticks: u16) -> u16 {
        let (now, beat) = (self.state.tick, u32::from(BEAT));
        let before = now.saturating_sub(u32::from(ticks));
        (now / beat - before / beat) as u16
    }

    /// Reports the twist of this floor, if it has one.
    pub(crate) fn announce_twist(&mut self) {
        if let Some(twist) = self.floor().twist {
            self.emit(GameEvent::Twist {
                twist,
                stirs: false,
            });
        }
    }

    /// Reports an event to the player.
    pub(crate) fn emit(&mut self, event: GameEvent) {
        self.events.push(event);
    }
}

/// Whether the light of two worlds is equal, bit for bit.
pub(crate) fn same_light(world: &World, other: &World) -> bool {
    let cells = || world.floor().tiles.cells();
    cells().all(|at| world.light.light(at) == other.light.light(at))
}
