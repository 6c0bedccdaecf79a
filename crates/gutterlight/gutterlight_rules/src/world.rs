//! The whole game: what is saved, and what is worked out from it.

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

/// Everything that a game is, and that is saved of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) seed: u64,
    pub(crate) difficulty: Difficulty,
    /// The burdens that the thief has taken on: the rules are those of the table with them.
    pub(crate) heat: Heat,
    /// The scripted opening, as long as it lasts; and whether the game had one.
    pub(crate) opening: Option<Opening>,
    pub(crate) opened: bool,
    /// Actions so far.
    pub(crate) turn: u32,
    /// Time so far.
    pub(crate) tick: u32,
    pub(crate) dice: Dice,
    /// On which floor the thief is, from 0.
    pub(crate) depth: usize,
    /// The floors that were made so far, from the first down.
    pub(crate) floors: Vec<Floor>,
    pub(crate) thief: Thief,
    /// Guards on the stairs, and the ticks until they arrive.
    pub(crate) followers: Vec<(Guard, u16)>,
    /// What can be learnt now.
    pub(crate) offer: Option<[Perk; 3]>,
    pub(crate) ending: Option<Ending>,
    pub(crate) tally: Tally,
    pub(crate) story: Story,
    /// Whether the Ember was taken, and the keep woken.
    pub(crate) alarm: bool,
    /// Ticks of burning that have not yet cost a beat of fuel, of cloth; percent of a tick.
    pub(crate) burnt: (u32, u32),
}

/// How a game came about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// Every action so far.
    pub(crate) actions: Vec<Action>,
    /// The rules that all of them were played by; none if they changed, or are not known.
    pub(crate) fingerprint: Option<u32>,
}

/// A game of Gutterlight.
///
/// It changes by [`act`](Self::act) alone. What a player may know of it is in
/// [`view`](Self::view).
#[derive(Debug, Clone)]
pub struct World {
    pub(crate) rules: Arc<Rules>,
    pub(crate) state: State,
    /// Every action so far.
    pub(crate) record: Record,
    /// The settled light of the floor that the thief is on.
    pub(crate) light: LightGrid,
    /// The cells in line of the thief's sight, lit or not.
    pub(crate) sight: FieldOfView,
    /// What sound pays to the thief's ear.
    pub(crate) hearing: SoundField,
    /// How the last sound spread; kept for its memory alone.
    pub(crate) spread: SoundField,
    /// What a [`Action::Peek`] showed, until the next action.
    pub(crate) peeked: Option<FieldOfView>,
    /// What has happened in this turn so far.
    pub(crate) events: Vec<GameEvent>,
}

/// Two worlds are the same if the same would happen in both for ever: their light too.
impl PartialEq for World {
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state && self.rules == other.rules && same_light(self, other)
    }
}

impl World {
    /// The floor that the thief is on, with all its secrets: for tools and tests. What a
    /// player may know of it is in [`view`](Self::view).
    pub fn floor(&self) -> &Floor {
        &self.state.floors[self.state.depth]
    }

    /// The floor that the thief is on, to be changed.
    pub(crate) fn floor_mut(&mut self) -> &mut Floor {
        &mut self.state.floors[self.state.depth]
    }

    /// A guard of this floor.
    pub(crate) fn guard(&self, id: GuardId) -> &Guard {
        &self.floor().guards[usize::from(id)]
    }

    /// A guard of this floor, to be changed.
    pub(crate) fn guard_mut(&mut self, id: GuardId) -> &mut Guard {
        &mut self.floor_mut().guards[usize::from(id)]
    }

    /// What the kind of a guard of this floor is like.
    pub(crate) fn guard_rules(&self, id: GuardId) -> &GuardRules {
        self.rules.guard(self.guard(id).kind)
    }

    /// Whether a guard can light a lamp: a flame is lit with a flame.
    pub(crate) fn can_light(&self, id: GuardId) -> bool {
        self.guard_rules(id).relights && self.guard(id).lantern == Lantern::Lit
    }

    /// The places of this floor's guards.
    pub(crate) fn guard_ids(&self) -> impl Iterator<Item = GuardId> + use<> {
        (0..self.floor().guards.len()).map(|id| id as GuardId)
    }

    /// Whether nothing keeps a door in a cell from closing.
    pub(crate) fn is_clear(&self, at: IVec2) -> bool {
        let floor = self.floor();
        self.state.thief.at != at
            && floor.guard_at(at).is_none()
            && floor.body_at(at).is_none()
            && floor.item_at(at).is_none()
            && !floor.fire_at(at)
    }

    /// How lit a cell is, to a newcomer's eye.
    pub(crate) fn band(&self, at: IVec2) -> LightBand {
        self.light.band(at, &self.rules.light.bands, None)
    }

    /// The game is over.
    pub(crate) fn end(&mut self, ending: Ending) {
        if self.state.ending.is_none() {
            self.state.ending = Some(ending);
            self.tell(GameEvent::Ended(ending));
        }
    }

    /// How many whole beats of the game's time ended in the ticks that have just passed.
    pub(crate) fn beats_over(&self, ticks: u16) -> u16 {
        let (now, beat) = (self.state.tick, u32::from(BEAT));
        let before = now.saturating_sub(u32::from(ticks));
        (now / beat - before / beat) as u16
    }

    /// Says what is noticed of the twist on this floor.
    pub(crate) fn announce_twist(&mut self) {
        if let Some(twist) = self.floor().twist {
            self.tell(GameEvent::Twist {
                twist,
                stirs: false,
            });
        }
    }

    /// Tells the thief.
    pub(crate) fn tell(&mut self, event: GameEvent) {
        self.events.push(event);
    }
}

/// Whether the light of two worlds is the same, to the last bit.
pub(crate) fn same_light(world: &World, other: &World) -> bool {
    let cells = || world.floor().tiles.cells();
    cells().all(|at| world.light.light(at) == other.light.light(at))
}
