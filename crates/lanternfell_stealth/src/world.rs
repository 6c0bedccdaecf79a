//! The whole game: what is saved, and what is worked out from it.
//!
//! ```text
//!    Action -> act -> [ the thief does it -> guards move -> light settles -> guards perceive ]
//!                        each beat again, until the action's ticks are over
//!           -> Vec<GameEvent>
//! ```

use std::sync::Arc;

use glam::IVec2;
use lanternfell_lightgrid::{FieldOfView, LightBand, LightGrid};
use serde::{Deserialize, Serialize};

use crate::{
    Action, Difficulty, Direction, Ending, GameEvent, Guard, GuardId, Perk, Refusal, Rules, Thief,
    Torch, act, dice::Dice, floor::Floor, generate::generate, light, opening::Opening,
    replay::Record, rules::BEAT, sight, sound, sound_field::SoundField, thief::Tally, turn,
};

/// Floors of the keep.
pub const FLOORS: usize = 5;

/// Everything that a game is, and that is saved of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) seed: u64,
    pub(crate) difficulty: Difficulty,
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
    /// Whether the Ember was taken, and the keep woken.
    pub(crate) alarm: bool,
    /// Ticks of burning that have not yet cost a beat of fuel, of cloth; percent of a tick.
    pub(crate) burnt: (u32, u32),
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
        self.state == other.state && self.rules == other.rules && light::same_light(self, other)
    }
}

impl World {
    /// A new game. The same seed and difficulty give the same keep on every machine.
    pub fn new(seed: u64, difficulty: Difficulty) -> Self {
        Self::with_rules(Rules::standard(), seed, difficulty, false)
    }

    /// A new game that begins with the scripted opening: the torch goes out in the first
    /// corridor.
    pub fn with_opening(seed: u64, difficulty: Difficulty) -> Self {
        Self::with_rules(Rules::standard(), seed, difficulty, true)
    }

    /// A new game by another table of rules, with or without the opening.
    pub fn with_rules(rules: Arc<Rules>, seed: u64, difficulty: Difficulty, opening: bool) -> Self {
        let floor = generate(&rules, seed, difficulty, 0);
        Self::on_floor(rules, seed, difficulty, opening, floor)
    }

    /// A new game that begins on this floor, at its stairs up.
    pub(crate) fn on_floor(
        rules: Arc<Rules>,
        seed: u64,
        difficulty: Difficulty,
        opening: bool,
        floor: Floor,
    ) -> Self {
        let thief = new_thief(&rules, difficulty, &floor);
        let light = light::build(&rules, &floor);
        let mut world = Self {
            state: State {
                seed,
                difficulty,
                opening: opening.then(Opening::default),
                opened: opening,
                turn: 0,
                tick: 0,
                dice: Dice::new(seed),
                depth: 0,
                floors: vec![floor],
                thief,
                followers: Vec::new(),
                offer: None,
                ending: None,
                tally: Tally::default(),
                alarm: false,
                burnt: (0, 0),
            },
            record: Record {
                actions: Vec::new(),
                fingerprint: Some(rules.fingerprint()),
            },
            rules,
            light,
            sight: FieldOfView::new(),
            hearing: SoundField::new(),
            spread: SoundField::new(),
            peeked: None,
            events: Vec::new(),
        };
        sound::listen(&mut world);
        turn::settle_in(&mut world);
        world
    }

    /// Does an action, and everything that follows from it until the thief's next turn.
    ///
    /// Returns what happened, in order, as far as the thief can tell.
    ///
    /// # Errors
    /// If it is not possible; then nothing has changed.
    pub fn act(&mut self, action: Action) -> Result<Vec<GameEvent>, Refusal> {
        self.check(action)?;
        self.record.actions.push(action);
        self.state.turn += 1;
        self.events.clear();
        self.peeked = None;
        let ticks = act::perform(self, action);
        self.pass(ticks);
        Ok(core::mem::take(&mut self.events))
    }

    /// Lets time pass, a beat at a time.
    fn pass(&mut self, mut ticks: u16) {
        while ticks > 0 && self.state.ending.is_none() {
            let beat = ticks.min(BEAT);
            ticks -= beat;
            turn::beat(self, beat);
        }
        sight::look(self);
    }

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

    /// The places of this floor's guards.
    pub(crate) fn guard_ids(&self) -> impl Iterator<Item = GuardId> + use<> {
        (0..self.floor().guards.len()).map(|id| id as GuardId)
    }

    /// How lit a cell is, to a newcomer's eye.
    pub(crate) fn band(&self, at: IVec2) -> LightBand {
        self.light.band(at, &self.rules.light.bands, None)
    }

    /// Tells the thief.
    pub(crate) fn tell(&mut self, event: GameEvent) {
        self.events.push(event);
    }

    /// Tells the thief, if the cell is seen.
    pub(crate) fn tell_seen(&mut self, at: IVec2, event: GameEvent) {
        if sight::sees(self, at) {
            self.events.push(event);
        }
    }
}

fn new_thief(rules: &Rules, difficulty: Difficulty, floor: &Floor) -> Thief {
    let numbers = &rules.thief;
    let fuel = u32::from(numbers.fuel_start) * rules.difficulty(difficulty).fuel / 100;
    Thief {
        at: floor.up,
        facing: Direction::North,
        health: numbers.health,
        nerve: numbers.nerve,
        breath: numbers.breath,
        torch: Some(Torch {
            lit: true,
            fuel: fuel.min(u32::from(numbers.fuel)) as u16,
        }),
        tools: vec![None; usize::from(numbers.slots)],
        purse: 0,
        keys: 0,
        cloth: 0,
        ember: None,
        cloaked: false,
        trumpet: 0,
        perks: Vec::new(),
        band: LightBand::Hidden,
    }
}
