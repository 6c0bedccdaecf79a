//! The last games from their beginning, to be watched again.
//!
//! ```text
//!    replays.ron          which games there are, the oldest first
//!    replays/7.replay     one of them
//! ```
//!
//! At most fifty, and no more bytes than a browser has room for beside all else; the oldest make room.
//! The numbers are used again, so that what a crash leaves between the two files is written over some
//! day.
//!
//! A replay is played by the rules of its game, and by no others. So the list knows what each was played
//! with, and whoever wants to watch a game that can not be played any more is told that.

use gutterlight_rules::{Replay, ReplayError, Rules, World};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    Home, MOST_TEXT, REPLAYS, Score, Trouble, or_default, read, unless_in_the_way, words, write,
    write_ron,
};

/// So many games are kept.
pub const MOST_REPLAYS: usize = 50;

/// One of more bytes is not kept, and all together are no more. A browser has room for about five
/// million letters, and writes four for every three bytes.
const MOST_BYTES: usize = 256 << 10;
const MOST_TOGETHER: usize = 1 << 20;

/// This release.
const RELEASE: &str = env!("CARGO_PKG_VERSION");

/// A game that was kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptReplay {
    /// The number of its file, from 0.
    pub number: u8,
    /// How long it is.
    bytes: u32,
    /// The release that it was played with.
    release: String,
    /// The fingerprint of its rules.
    rules: u32,
    /// What became of it.
    pub score: Score,
}

/// The games that are kept, the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<KeptReplay>", into = "Vec<KeptReplay>")]
pub struct Replays(Vec<KeptReplay>);

/// What is wrong with a list of replays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ReplaysError {
    /// It is too long.
    #[error("replays: there are {0}, but must be at most {MOST_REPLAYS}")]
    TooMany(usize),
    /// Two games in one file.
    #[error("replays: number {0} is there twice")]
    Twice(u8),
}

impl TryFrom<Vec<KeptReplay>> for Replays {
    type Error = ReplaysError;

    fn try_from(all: Vec<KeptReplay>) -> Result<Self, ReplaysError> {
        if all.len() > MOST_REPLAYS {
            return Err(ReplaysError::TooMany(all.len()));
        }
        for (place, kept) in all.iter().enumerate() {
            if all[..place].iter().any(|other| other.number == kept.number) {
                return Err(ReplaysError::Twice(kept.number));
            }
        }
        Ok(Self(all))
    }
}

impl From<Replays> for Vec<KeptReplay> {
    fn from(replays: Replays) -> Self {
        replays.0
    }
}

impl Replays {
    /// All of them, the oldest first.
    pub fn all(&self) -> &[KeptReplay] {
        &self.0
    }

    /// The number of the game that this is the score of; of several that are alike, of the last.
    pub fn number_of(&self, score: &Score) -> Option<u8> {
        let kept = self.0.iter().rev().find(|kept| kept.score == *score);
        kept.map(|kept| kept.number)
    }

    /// Takes out the oldest until there is room for so many bytes more.
    fn make_room(&mut self, bytes: usize) -> Vec<KeptReplay> {
        let sizes = |all: &[KeptReplay]| all.iter().map(|kept| kept.bytes as usize).sum::<usize>();
        let is_full = |first: usize| {
            let left = &self.0[first..];
            left.len() >= MOST_REPLAYS || sizes(left).saturating_add(bytes) > MOST_TOGETHER
        };
        let first = (0..self.0.len()).find(|first| !is_full(*first));
        self.0.drain(..first.unwrap_or(self.0.len())).collect()
    }

    /// The smallest number that no game has.
    fn free_number(&self) -> u8 {
        let is_free = |number: &u8| self.0.iter().all(|kept| kept.number != *number);
        (0..=u8::MAX).find(is_free).unwrap_or(u8::MAX)
    }
}

/// The file of a game.
fn name(number: u8) -> String {
    format!("{REPLAYS}/{number}.replay")
}

/// The list of them.
const LIST: &str = "replays.ron";

impl Home {
    /// The games that are kept: none if there is no list, or one that can not be used. That one is
    /// kept aside.
    pub fn replays(&self) -> (Replays, Option<Trouble>) {
        or_default(self.read_replays())
    }

    /// Keeps a game that has ended; the oldest make room for it. One that is too long is left out.
    /// Returns them all.
    ///
    /// # Errors
    /// If a file can not be read or written.
    pub fn keep_replay(&self, score: Score, replay: &Replay) -> Result<Replays, Trouble> {
        let mut replays = unless_in_the_way(self.read_replays())?.unwrap_or_default();
        let bytes = replay.to_bytes();
        if bytes.len() > MOST_BYTES {
            return Ok(replays);
        }
        for old in replays.make_room(bytes.len()) {
            // If it can not be deleted, its number is free all the same.
            let _ = self.data.remove(&name(old.number));
        }
        let number = replays.free_number();
        write(&*self.data, &name(number), &bytes)?;
        replays.0.push(KeptReplay {
            number,
            bytes: bytes.len() as u32,
            release: RELEASE.to_owned(),
            rules: replay.fingerprint,
            score,
        });
        write_ron(&*self.data, LIST, &replays)?;
        Ok(replays)
    }

    /// A game that is kept: before its first action, and what was done in it.
    ///
    /// # Errors
    /// If it is not there any more, is damaged, or was played by other rules than there are now
    /// ([`Trouble::NotWatched`]): it is left where it is.
    pub fn watch(&self, number: u8) -> Result<(World, Replay), Trouble> {
        let (replays, trouble) = self.replays();
        if let Some(trouble) = trouble {
            return Err(trouble);
        }
        let kept = replays.0.iter().find(|kept| kept.number == number);
        let played = kept.map_or(String::new(), |kept| {
            let (release, rules) = (&kept.release, kept.rules);
            format!(" It was played with release {release} (rules {rules:08x}), this is {RELEASE}.")
        });
        let refused = |flaw: String| Trouble::NotWatched {
            flaw,
            played: played.clone(),
        };
        let read = self.data.read(&name(number), MOST_BYTES);
        let bytes = read.map_err(|error| refused(words(error)))?;
        let begun = Replay::from_bytes(&bytes).and_then(|replay| {
            let world = replay.begin(Rules::standard())?;
            Ok((world, replay))
        });
        begun.map_err(|error: ReplayError| refused(error.to_string()))
    }

    fn read_replays(&self) -> Result<Option<Replays>, Trouble> {
        read(&*self.data, LIST, MOST_TEXT, |bytes| {
            ron::de::from_bytes(bytes).map_err(words)
        })
    }
}
