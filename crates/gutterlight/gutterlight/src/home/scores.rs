//! The best games that were played here.

use std::cmp::Reverse;

use gutterlight_rules::{Difficulty, Ending, FLOORS, Heat, View};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::date::Date;

/// So many games are remembered.
pub const MOST_SCORES: usize = 100;

/// A game that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// What it was worth.
    pub score: u32,
    /// What its keep was made from.
    pub seed: u64,
    /// How hard it was.
    pub difficulty: Difficulty,
    /// How it ended.
    pub ending: Ending,
    /// On which floor it ended, from 1.
    pub floor: u8,
    /// How many actions it took.
    pub turns: u32,
    /// How often a guard became sure of the thief.
    pub times_seen: u32,
    /// How many guards were put to sleep.
    pub takedowns: u32,
    /// Whether it was played as the keep of the day.
    pub daily: bool,
    /// The burdens that were taken on.
    pub heat: Heat,
    /// When it ended.
    pub date: Date,
}

impl Score {
    /// What is kept of a game; nothing as long as it goes on.
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

    /// Whether the thief got out, and nobody was ever sure of him: it has a mark of its own.
    pub fn is_unseen(&self) -> bool {
        self.ending == Ending::Escaped && self.times_seen == 0
    }

    /// The best first; of the same worth the one of the earlier day.
    fn rank(&self) -> impl Ord + use<> {
        (Reverse(self.score), self.date)
    }
}

/// The best games, at most [`MOST_SCORES`], the best first. Of games of the same worth the
/// earlier is before the later.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Score>", into = "Vec<Score>")]
pub struct Scores(Vec<Score>);

/// What is wrong with a list of scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ScoresError {
    /// It is too long.
    #[error("scores: there are {0}, but must be at most {MOST_SCORES}")]
    TooMany(usize),
    /// There is no such floor.
    #[error("scores: floor is {0}, but must be from 1 to {FLOORS}")]
    Floor(u8),
}

impl Scores {
    /// The best first.
    pub fn best(&self) -> &[Score] {
        &self.0
    }

    /// Whether one of them was won.
    pub fn has_won(&self) -> bool {
        self.0.iter().any(|score| score.ending == Ending::Escaped)
    }

    /// The place of a game in [`best`](Self::best), from 0; none if it is not among them. Of
    /// several that are alike in everything, that of the last.
    pub fn place_of(&self, score: &Score) -> Option<usize> {
        self.0.iter().rposition(|known| known == score)
    }

    /// Puts a game in its place, and forgets the last one if there are too many.
    pub(super) fn insert(&mut self, score: Score) {
        let place = self.0.partition_point(|known| known.rank() <= score.rank());
        self.0.insert(place, score);
        self.0.truncate(MOST_SCORES);
    }
}

impl TryFrom<Vec<Score>> for Scores {
    type Error = ScoresError;

    /// Puts them in order.
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
