//! Bots, which play the game to measure its balance.
//!
//! Problem: whether light matters and whether floors are fair can only be measured over thousands
//! of games.
//!
//! Idea: all bots but one share the mind of a careful thief, in which senses can be switched off.
//! The difference between the wins of the careful and the light-blind bot is what light is worth.
//! Bots do not cheat: a mind only gets a [`View`] and the events of the last turn, and remembers
//! them.
//!
//! ```text
//!            events, View                    one idea after another, until one is allowed
//!   turn ---> [ chart, rivals ] -> [ dread ] -> learn, heal, flee, tread, torch, go -> Action
//!              what was seen        what it        each in its file
//!              and heard            would cost
//! ```
//!
//! - `chart`: the known part of the floor. `rivals`: the known guards. `dread`: what it costs to be
//!   in a cell because of guards.
//! - `goals`: where to go. `gait`: how to walk. `torch`: when to use the torch. `lamps`: which
//!   lamps to put out. `tools`: when to use tools.
//! - `tread`, `foresee`, `dynamic_program`: how to get past guards that move. `flee`: how to escape
//!   them.
//! - `gambler`: the bot that does anything, which tests the rules.

mod chart;
mod dread;
mod dynamic_program;
mod flee;
mod foresee;
mod gait;
mod gambler;
mod goals;
mod lamps;
mod mind;
mod objective;
mod rivals;
mod temper;
mod tools;
mod torch;
mod tread;

use lanternfell_random::SplitMix64;

use crate::{
    Action, GameEvent, Perk, View, World,
    bots::{gambler::Gambler, mind::Thinker, temper::Temper},
};

/// The number of turns after which a bot game is ended. It is many times what a game takes.
pub const MOST_TURNS: u32 = 12_000;

/// A bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bot {
    /// Avoids light, noise and guards.
    Careful,
    /// Like `Careful`, but ignores light and keeps its torch burning.
    LightBlind,
    /// Like `Careful`, but does not listen and never sneaks.
    NoiseDeaf,
    /// Walks straight to its goal and fights anyone in the way.
    Reckless,
    /// Like `Careful`, with more patience and without collecting loot. Tries never to be seen.
    Ghost,
    /// Does anything that is possible.
    Random,
}

impl Bot {
    /// All bots, in declaration order.
    pub const ALL: [Self; 6] = [
        Self::Careful,
        Self::LightBlind,
        Self::NoiseDeaf,
        Self::Reckless,
        Self::Ghost,
        Self::Random,
    ];

    /// The name in English: `light-blind`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Careful => "careful",
            Self::LightBlind => "light-blind",
            Self::NoiseDeaf => "noise-deaf",
            Self::Reckless => "reckless",
            Self::Ghost => "ghost",
            Self::Random => "random",
        }
    }

    /// The perk that a mind with this seed learns first if it is offered. Over many seeds all perks
    /// occur.
    pub fn fancies(seed: u64) -> Perk {
        let drawn = SplitMix64::mix(seed) % Perk::ALL.len() as u64;
        Perk::ALL[drawn as usize]
    }

    /// Creates a mind that plays one game from its first turn. The same seed leads to the same
    /// decisions.
    pub fn mind(self, seed: u64) -> Mind {
        Mind(match self {
            Self::Careful => Kind::Thinker(Box::new(Thinker::new(Temper::CAREFUL, seed))),
            Self::LightBlind => Kind::Thinker(Box::new(Thinker::new(Temper::LIGHT_BLIND, seed))),
            Self::NoiseDeaf => Kind::Thinker(Box::new(Thinker::new(Temper::NOISE_DEAF, seed))),
            Self::Reckless => Kind::Thinker(Box::new(Thinker::new(Temper::RECKLESS, seed))),
            Self::Ghost => Kind::Thinker(Box::new(Thinker::new(Temper::GHOST, seed))),
            Self::Random => Kind::Gambler(Box::new(Gambler::new(seed))),
        })
    }

    /// Plays a game to its end, or until its turn number reaches `max_turns`.
    pub fn play(self, mut world: World, max_turns: u32) -> World {
        let mut mind = self.mind(world.view().seed());
        let mut events = Vec::new();
        while world.view().ending().is_none() && world.view().turn() < max_turns {
            let action = mind.choose(world.view(), &events);
            let Ok(happened) = world.act(action) else {
                // Minds only choose actions that they have checked, so this is a bug in the mind.
                debug_assert!(false, "{action:?} is not possible");
                return world;
            };
            events = happened;
        }
        world
    }
}

/// A bot in the middle of a game, which chooses one action at a time.
///
/// ```
/// use gutterlight_rules::{Bot, Difficulty, World};
///
/// let mut world = World::new(7, Difficulty::Thief);
/// let mut mind = Bot::Careful.mind(7);
/// let mut events = Vec::new();
/// for _ in 0..20 {
///     let action = mind.choose(world.view(), &events);
///     events = world.act(action).expect("minds choose what is possible");
/// }
/// ```
#[derive(Debug)]
pub struct Mind(Kind);

#[derive(Debug)]
enum Kind {
    Thinker(Box<Thinker>),
    Gambler(Box<Gambler>),
}

impl Mind {
    /// Chooses the next action. `events` are the events of the last action. The action is possible
    /// unless the game is over. A mind must see every turn of its game.
    pub fn choose(&mut self, view: View<'_>, events: &[GameEvent]) -> Action {
        match &mut self.0 {
            Kind::Thinker(thinker) => thinker.choose(view, events),
            Kind::Gambler(gambler) => gambler.choose(view),
        }
    }
}

#[cfg(test)]
mod tests;
