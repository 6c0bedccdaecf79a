//! Starting a game and acting in it.
//!
//! ```text
//!    Action -> the thief acts -> [ guards act -> light settles -> guards perceive ]
//!                                  for each beat, until the action's ticks are over
//!           -> Vec<GameEvent>
//! ```

use std::sync::Arc;

use lanternfell_lightgrid::{FieldOfView, LightBand};

use crate::{
    Action, Difficulty, Direction, GameEvent, Heat, Refusal, Rules, Story, Thief, Torch, World,
    act,
    dice::Dice,
    drawing::{self, Drawing, DrawingError},
    floor::Floor,
    generate::generate,
    light,
    rules::BEAT,
    sight, sound,
    sound_field::SoundField,
    thief::Tally,
    turn,
    world::{Record, State, opening::Opening},
};

impl World {
    /// Starts a new game. The same seed and difficulty give the same keep on every machine.
    pub fn new(seed: u64, difficulty: Difficulty) -> Self {
        Self::with_rules(Rules::standard(), seed, difficulty, false)
    }

    /// Starts a new game with the scripted opening, in which the torch goes out in the first
    /// corridor.
    pub fn with_opening(seed: u64, difficulty: Difficulty) -> Self {
        Self::with_rules(Rules::standard(), seed, difficulty, true)
    }

    /// Starts a new game with other rules, with or without the opening.
    pub fn with_rules(rules: Arc<Rules>, seed: u64, difficulty: Difficulty, opening: bool) -> Self {
        let floor = generate(&rules, seed, difficulty, 0);
        Self::on_floor(rules, seed, difficulty, opening, floor)
    }

    /// Starts a new game with burdens.
    pub fn with_heat(seed: u64, difficulty: Difficulty, heat: Heat) -> Self {
        Self::heated(&Rules::standard(), seed, difficulty, false, heat)
    }

    /// Starts a new game with other rules and with burdens, with or without the opening.
    pub fn heated(
        rules: &Arc<Rules>,
        seed: u64,
        difficulty: Difficulty,
        opening: bool,
        heat: Heat,
    ) -> Self {
        let mut world = Self::with_rules(with_burdens(rules, heat), seed, difficulty, opening);
        world.state.heat = heat;
        world
    }

    /// Starts a new game on this floor, at its stairs up.
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
                heat: Heat::NONE,
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
                story: Story::default(),
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
        note_way(&mut world);
        world
    }

    /// Starts a new game on a [drawn](crate::drawing) floor, on difficulty
    /// [`Thief`](Difficulty::Thief), without the opening. The thief has a burning torch. The game
    /// has no [replay](Self::replay).
    ///
    /// # Errors
    /// If the text is not a valid drawing.
    pub fn from_drawing(rules: Arc<Rules>, seed: u64, text: &str) -> Result<Self, DrawingError> {
        let Drawing { mut floor, thief } = drawing::parse(&rules, text)?;
        // A game begins on the stairs up, so they are moved to the thief's cell for a moment.
        let up = core::mem::replace(&mut floor.up, thief);
        let mut world = Self::on_floor(rules, seed, Difficulty::Thief, false, floor);
        world.floor_mut().up = up;
        // No seed generates this floor, so there is no replay.
        world.record.fingerprint = None;
        Ok(world)
    }

    /// Performs an action and everything that follows from it until the thief's next turn.
    ///
    /// Returns what happened, in order, as far as the thief can perceive it.
    ///
    /// # Errors
    /// If the action is not possible. The world is then unchanged.
    pub fn act(&mut self, action: Action) -> Result<Vec<GameEvent>, Refusal> {
        self.check(action)?;
        self.record.actions.push(action);
        self.state.turn += 1;
        self.events.clear();
        self.peeked = None;
        let ticks = act::perform(self, action);
        pass(self, ticks);
        // Events need a turn to be returned by, so the first floor's twist is reported after the
        // first action. The scripted opening replaces it.
        if self.state.turn == 1 && !self.state.opened {
            self.announce_twist();
        }
        note_way(self);
        Ok(core::mem::take(&mut self.events))
    }
}

/// The rules with burdens applied. Without burdens this is the same `Arc`.
pub(crate) fn with_burdens(rules: &Arc<Rules>, heat: Heat) -> Arc<Rules> {
    match heat {
        Heat::NONE => Arc::clone(rules),
        heat => Arc::new(rules.heated(heat)),
    }
}

/// Adds the thief's cell to the story of the game.
fn note_way(world: &mut World) {
    let (depth, at) = (world.state.depth, world.state.thief.at);
    world.state.story.walk(depth, at);
}

/// Lets time pass, at most a beat at a time.
fn pass(world: &mut World, mut ticks: u16) {
    while ticks > 0 && world.state.ending.is_none() {
        let beat = ticks.min(BEAT);
        ticks -= beat;
        turn::beat(world, beat);
    }
    sight::look(world);
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
        embers: 0,
        tools: vec![None; usize::from(numbers.slots)],
        purse: 0,
        keys: 0,
        cloth: 0,
        ember: None,
        cloaked: false,
        trumpet: 0,
        perks: Vec::new(),
        rescued: false,
        band: LightBand::Hidden,
    }
}
