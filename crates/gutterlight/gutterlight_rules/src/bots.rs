//! Bots: players without hands, which tell whether the game is any good.
//!
//! Problem: does light matter? Is a floor fair? Nobody can play a thousand games by hand.
//!
//! Idea: one mind, that of a careful thief, with senses that can be switched off. What the
//! careful one wins and the light-blind one loses is what light is worth. All are honest:
//! a mind is given a [`View`], the events of the last turn, and nothing else, and remembers.
//!
//! ```text
//!            events, View                    one wish after another, until one is allowed
//!   turn ---> [ chart, rivals ] -> [ dread ] -> learn, heal, flee, tread, torch, go -> Action
//!              what was seen        what it        each in a file of its own
//!              and heard            would cost
//! ```
//!
//! - `chart`: the floor, as far as it was seen; `rivals`: the guards, as far as they were seen
//!   and heard; `dread`: what a stay in each cell costs, because of them.
//! - `goals`: where to go; `gait`: how to set the foot; `torch`: when to see and be seen;
//!   `lamps`: which to put out; `tread`, `foresee`, `dynamic_program`: how to get past guards who walk about; `flee`: when it is
//!   too late for that; `tools`.
//! - `gambler`: the bot that does anything at all, which tests the rules.

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

/// Turns after which a bot gives up: many times what a game takes.
pub const MOST_TURNS: u32 = 12_000;

/// A way to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bot {
    /// Heeds light, noise and guards.
    Careful,
    /// As careful, but light means nothing to it, and its torch burns all the time.
    LightBlind,
    /// As careful, but it does not listen, and its steps are as loud as they come.
    NoiseDeaf,
    /// Straight ahead, and into whoever stands there.
    Reckless,
    /// As careful, with more patience and without greed: it wants never to be seen.
    Ghost,
    /// Anything that is possible.
    Random,
}

impl Bot {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Careful,
        Self::LightBlind,
        Self::NoiseDeaf,
        Self::Reckless,
        Self::Ghost,
        Self::Random,
    ];

    /// As a name: `light-blind`.
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

    /// What a mind with that seed learns first if it can, so that over many games everything is learnt.
    pub fn fancies(seed: u64) -> Perk {
        let drawn = SplitMix64::mix(seed) % Perk::ALL.len() as u64;
        Perk::ALL[drawn as usize]
    }

    /// A mind that plays one game, from its first turn. The same seed decides the same.
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

    /// Plays a game to its end, or until it has had `max_turns` turns.
    pub fn play(self, mut world: World, max_turns: u32) -> World {
        let mut mind = self.mind(world.view().seed());
        let mut events = Vec::new();
        while world.view().ending().is_none() && world.view().turn() < max_turns {
            let action = mind.choose(world.view(), &events);
            let Ok(happened) = world.act(action) else {
                // A mind asks before it acts, so this is a fault of the mind; waiting ends it.
                debug_assert!(false, "{action:?} was not possible");
                return world;
            };
            events = happened;
        }
        world
    }
}

/// A bot in the middle of a game, which plays one action at a time.
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
    /// The next action, after the events of the last one. It is possible, unless the game
    /// is over. A mind must see every turn of its game.
    pub fn choose(&mut self, view: View<'_>, events: &[GameEvent]) -> Action {
        match &mut self.0 {
            Kind::Thinker(thinker) => thinker.choose(view, events),
            Kind::Gambler(gambler) => gambler.choose(view),
        }
    }
}

#[cfg(test)]
mod tests;
