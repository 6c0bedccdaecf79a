//! Replays: a game as its seed and its list of actions.
//!
//! A replay is small enough to be attached to a bug report. Played with the rules of the original
//! game, it reaches the same end, bit for bit. Other rules would soon make an action impossible, or
//! lead to a different game without any error. A replay therefore stores the fingerprint of its
//! rules.

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

/// A recorded game: how it was started, and all its actions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replay {
    /// The seed of the keep.
    pub seed: u64,
    /// The difficulty.
    pub difficulty: Difficulty,
    /// The burdens.
    pub heat: Heat,
    /// Whether the game began with the scripted opening.
    pub opening: bool,
    /// The [fingerprint](Rules::fingerprint) of the rules with these burdens applied.
    pub fingerprint: u32,
    /// All actions, in order.
    pub actions: Vec<Action>,
}

/// The reason why a replay cannot be read or played.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// The file is not a replay.
    #[error("not a replay")]
    NotAReplay,
    /// A newer release wrote the file.
    #[error("the replay has version {version}, which needs a newer release of the game")]
    Newer {
        /// The version of the file.
        version: u16,
    },
    /// An older release wrote the file, and its rules no longer exist.
    #[error("the replay has version {version}, which this release can no longer play")]
    TooOld {
        /// The version of the file.
        version: u16,
    },
    /// The end of the file is missing.
    #[error("the replay is cut off")]
    Truncated,
    /// The checksum is wrong, or the contents are not a list of actions.
    #[error("the replay is damaged")]
    Damaged,
    /// The game was played with other rules.
    #[error("the replay was recorded with other rules")]
    OtherRules,
    /// An action is not possible, so no game can have produced the replay.
    #[error("turn {turn} of the replay is not possible: {refusal}")]
    Refused {
        /// The number of the turn, from 1.
        turn: usize,
        /// The reason why it is not possible.
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
    /// The replay of the game so far. `None` if the game started from a
    /// [drawing](Self::from_drawing), if its rules changed, or if its record was too long to be
    /// saved.
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
    /// Encodes the replay as a file. Files larger than [`MAX_BYTES`](crate::save::MAX_BYTES) (some
    /// millions of actions) cannot be read back.
    pub fn to_bytes(&self) -> Vec<u8> {
        SEAL.close(&encode(self))
    }

    /// Decodes a replay from a file.
    ///
    /// # Errors
    /// If the bytes are not a complete and undamaged replay of this version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReplayError> {
        let body = SEAL.open(bytes)?;
        match postcard::take_from_bytes(body) {
            Ok((replay, [])) => Ok(replay),
            Ok(_) | Err(_) => Err(ReplayError::Damaged),
        }
    }

    /// Plays the replay to its end.
    ///
    /// # Errors
    /// If `rules` are not the rules of the recorded game, or if an action is refused.
    pub fn play(&self, rules: Arc<Rules>) -> Result<World, ReplayError> {
        let mut steps = self.steps(rules)?;
        for step in steps.by_ref() {
            step?;
        }
        Ok(steps.world)
    }

    /// Plays the replay action by action, for example to show it.
    ///
    /// # Errors
    /// If `rules` are not the rules of the recorded game.
    pub fn steps(&self, rules: Arc<Rules>) -> Result<Steps<'_>, ReplayError> {
        Ok(Steps {
            world: self.begin(rules)?,
            actions: self.actions.iter(),
            turn: 0,
        })
    }

    /// The game before the first action.
    ///
    /// # Errors
    /// If `rules` are not the rules of the recorded game.
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

/// An iterator that plays a replay. It returns each action with its events.
///
/// If an action is refused, the iterator returns an error and ends.
#[derive(Debug, Clone)]
pub struct Steps<'a> {
    world: World,
    actions: core::slice::Iter<'a, Action>,
    turn: usize,
}

impl Steps<'_> {
    /// The game after the actions so far.
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
