//! Games as lists of actions: with the seed and the rules, the whole game again.
//!
//! A replay is small, and a bug report: it is played by the same rules as the game was, and
//! comes to the same end, bit for bit. Rules that differ in one number would soon refuse an
//! action, or worse, not; so a replay knows the fingerprint of its rules.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    Action, Difficulty, GameEvent, Heat, Refusal, Rules, World,
    game::with_burdens,
    save::{BrokenSeal, Seal, encode},
};

const SEAL: Seal = Seal {
    magic: *b"GUTTERRP",
    version: 1,
};

/// A game from its beginning: what it was made from, and what was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replay {
    /// What the keep was made from.
    pub seed: u64,
    /// How hard it was.
    pub difficulty: Difficulty,
    /// The burdens that it was played with.
    pub heat: Heat,
    /// Whether it began with the scripted opening.
    pub opening: bool,
    /// The [fingerprint](Rules::fingerprint) of the rules, with these burdens.
    pub fingerprint: u32,
    /// Every action, in order.
    pub actions: Vec<Action>,
}

/// Why a replay can not be read, or not be played.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// It is some other file.
    #[error("this is not a replay")]
    NotAReplay,
    /// A later release wrote it.
    #[error("the replay is of version {version}, which is newer than this game")]
    Newer {
        /// Its version.
        version: u16,
    },
    /// It is of an edition whose rules are no more.
    #[error("the replay is of version {version}, which can not be played any more")]
    TooOld {
        /// Its version.
        version: u16,
    },
    /// Its end is missing.
    #[error("the replay is cut off")]
    Truncated,
    /// Its checksum is wrong, or it holds no list of actions.
    #[error("the replay is damaged")]
    Damaged,
    /// It was played by other rules.
    #[error("the replay was played by other rules than these")]
    OtherRules,
    /// An action is not possible: it is the replay of no game.
    #[error("the replay does what is not possible on turn {turn}: {refusal}")]
    Refused {
        /// On which turn, from 1.
        turn: usize,
        /// Why not.
        refusal: Refusal,
    },
}

impl From<BrokenSeal> for ReplayError {
    fn from(broken: BrokenSeal) -> Self {
        match broken {
            BrokenSeal::Foreign => Self::NotAReplay,
            BrokenSeal::Newer { version } => Self::Newer { version },
            BrokenSeal::Truncated => Self::Truncated,
            BrokenSeal::TooOld { version } => Self::TooOld { version },
            BrokenSeal::Damaged => Self::Damaged,
        }
    }
}

impl World {
    /// The game so far, from its beginning. None if that is not known: the game was
    /// [drawn](Self::from_drawing), or its rules have changed.
    pub fn replay(&self) -> Option<Replay> {
        let fingerprint = self.record.fingerprint?;
        Some(Replay {
            seed: self.state.seed,
            difficulty: self.state.difficulty,
            heat: self.state.heat,
            opening: self.state.opened,
            fingerprint,
            actions: self.record.actions.clone(),
        })
    }
}

impl Replay {
    /// As a file. One of more than [`MAX_BYTES`](crate::save::MAX_BYTES), some millions of
    /// actions, is not read back.
    pub fn to_bytes(&self) -> Vec<u8> {
        SEAL.close(&encode(self))
    }

    /// What is in a file.
    ///
    /// # Errors
    /// If it is no whole and undamaged replay.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReplayError> {
        let body = SEAL.open(bytes)?;
        match postcard::take_from_bytes(body) {
            Ok((replay, [])) => Ok(replay),
            Ok(_) | Err(_) => Err(ReplayError::Damaged),
        }
    }

    /// Plays it to its end.
    ///
    /// # Errors
    /// If these are not the rules that it was played by, or an action is refused.
    pub fn play(&self, rules: Arc<Rules>) -> Result<World, ReplayError> {
        let mut steps = self.steps(rules)?;
        for step in steps.by_ref() {
            step?;
        }
        Ok(steps.world)
    }

    /// Plays it action by action, for a front end to show.
    ///
    /// # Errors
    /// If these are not the rules that it was played by.
    pub fn steps(&self, rules: Arc<Rules>) -> Result<Steps<'_>, ReplayError> {
        Ok(Steps {
            world: self.begin(rules)?,
            actions: self.actions.iter(),
            turn: 0,
        })
    }

    /// The game before its first action.
    ///
    /// # Errors
    /// If these are not the rules that it was played by.
    pub fn begin(&self, rules: Arc<Rules>) -> Result<World, ReplayError> {
        let heated = with_burdens(&rules, self.heat);
        if heated.fingerprint() != self.fingerprint {
            return Err(ReplayError::OtherRules);
        }
        let (difficulty, opening) = (self.difficulty, self.opening);
        Ok(World::heated(
            &rules, self.seed, difficulty, opening, self.heat,
        ))
    }
}

/// A replay that is being played: an action each time, and what happened.
///
/// An action that is refused is an error, and the end.
#[derive(Debug, Clone)]
pub struct Steps<'a> {
    world: World,
    actions: core::slice::Iter<'a, Action>,
    turn: usize,
}

impl Steps<'_> {
    /// The game as far as it has come.
    pub fn world(&self) -> &World {
        &self.world
    }
}

impl Iterator for Steps<'_> {
    type Item = Result<(Action, Vec<GameEvent>), ReplayError>;

    fn next(&mut self) -> Option<Self::Item> {
        let &action = self.actions.next()?;
        self.turn += 1;
        let turn = self.turn;
        let done = self.world.act(action);
        if done.is_err() {
            self.actions = [].iter();
        }
        let refused = |refusal| ReplayError::Refused { turn, refusal };
        Some(done.map(|events| (action, events)).map_err(refused))
    }
}
