//! The best games.

use std::cmp::Reverse;

use gutterlight_rules::{Difficulty, Ending, FLOORS, Heat, View};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::date::Date;

/// Maximum number of games in the list.
pub const MOST_SCORES: usize = 100;

/// The result of a finished game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// The score.
    pub score: u32,
    /// The seed of the keep.
    pub seed: u64,
    /// The difficulty.
    pub difficulty: Difficulty,
    /// How the game ended.
    pub ending: Ending,
    /// The floor on which it ended, from 1.
    pub floor: u8,
    /// The number of actions.
    pub turns: u32,
    /// How many times a guard became sure of the thief.
    pub times_seen: u32,
    /// The number of takedowns.
    pub takedowns: u32,
    /// Whether it was a daily keep.
    pub daily: bool,
    /// The burdens in effect.
    pub heat: Heat,
    /// The date on which it ended.
    pub date: Date,
}

impl Score {
    /// Returns the result of a game, or `None` while it is still being played.
    pub fn of(view: View<'_>, daily: bool, date: Date) -> Option<Self> {
        let tally = view.tally();
        Some(Self {
            score: view.score(),
            seed: view.seed(),
            difficulty: view.difficulty(),
            ending: view.ending()?,
            floor: view.depth() as u8 + 1,
            turns: view.turn(),
            times_seen: tally.times_seen,
            takedowns: tally.takedowns,
            daily,
            heat: view.heat(),
            date,
        })
    }

    /// Whether the thief escaped without any guard ever being sure of them. Such games are marked
    /// in the list.
    pub fn is_unseen(&self) -> bool {
        self.ending == Ending::Escaped && self.times_seen == 0
    }

    /// Sort key: best first; for equal scores, the earlier date first.
    fn rank(&self) -> impl Ord + use<> {
        (Reverse(self.score), self.date)
    }
}

/// The best games, at most [`MOST_SCORES`], best first. For equal scores, the earlier game comes
/// first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Score>", into = "Vec<Score>")]
pub struct Scores(Vec<Score>);

/// An error in a list of scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ScoresError {
    /// The list has too many entries.
    #[error("scores: the list has {0} entries, but at most {MOST_SCORES} are allowed")]
    TooMany(usize),
    /// A floor is out of range.
    #[error("scores: floor is {0}, but must be from 1 to {FLOORS}")]
    Floor(u8),
}

impl Scores {
    /// All games, best first.
    pub fn best(&self) -> &[Score] {
        &self.0
    }

    /// Whether any of the games was won.
    pub fn has_won(&self) -> bool {
        self.0.iter().any(|score| score.ending == Ending::Escaped)
    }

    /// The index of a game in [`best`](Self::best), or `None` if it is not in the list. If several
    /// entries are equal, the last one.
    pub fn place_of(&self, score: &Score) -> Option<usize> {
        self.0.iter().rposition(|known| known == score)
    }

    /// Inserts a game, and drops the last one if the list is full.
    pub(super) fn insert(&mut self, score: Score) {
        let place = self.0.partition_point(|known| known.rank() <= score.rank());
        self.0.insert(place, score);
        self.0.truncate(MOST_SCORES);
    }
}

impl TryFrom<Vec<Score>> for Scores {
    type Error = ScoresError;

    /// Sorts the scores.
    fn try_from(mut scores: Vec<Score>) -> Result<Self, ScoresError> {
        if scores.len() > MOST_SCORES {
            return Err(ScoresError::TooMany(scores.len()));
        }
        let floors = 1..=FLOORS as u8;
        if let Some(wrong) = scores.iter().find(|score| !floors.contains(&score.floor)) {
            return Err(ScoresError::Floor(wrong.floor));
        }
        scores.sort_by_key(Score::rank);
        Ok(Self(scores))
    }
}

impl From<Scores> for Vec<Score> {
    fn from(scores: Scores) -> Self {
        scores.0
    }
}
