//! The last games, recorded for watching.
//!
//! ```text
//!    replays.ron          the list of games, oldest first
//!    replays/7.replay     one of them
//! ```
//!
//! At most 50 games are kept, and at most as many bytes as a browser has room for. The oldest are deleted to make room.
//! File numbers are reused, so a file that a crash left without an entry in the list is overwritten eventually.
//!
//! A replay can only be played with the rules it was recorded with. The list stores the release and the rules of each
//! game, so that the error for an incompatible replay can name them.

use gutterlight_rules::{Replay, ReplayError, Rules, World};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    Home, MOST_TEXT, REPLAYS, Score, Trouble, or_default, read, unless_in_the_way, words, write,
    write_ron,
};

/// Maximum number of games.
pub const MOST_REPLAYS: usize = 50;

/// Maximum size of one replay and of all replays, in bytes. A browser's storage holds about five million characters,
/// and Base64 needs four characters for three bytes.
const MOST_BYTES: usize = 256 << 10;
const MOST_TOGETHER: usize = 1 << 20;

/// The version of this crate.
const RELEASE: &str = env!("CARGO_PKG_VERSION");

/// An entry in the list of replays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptReplay {
    /// The number of the file, from 0.
    pub number: u8,
    /// The size of the file.
    bytes: u32,
    /// The release of the game that recorded it.
    release: String,
    /// The fingerprint of the rules.
    rules: u32,
    /// The result of the game.
    pub score: Score,
}

/// The kept games, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<KeptReplay>", into = "Vec<KeptReplay>")]
pub struct Replays(Vec<KeptReplay>);

/// An error in a list of replays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ReplaysError {
    /// The list has too many entries.
    #[error("replays: the list has {0} entries, but at most {MOST_REPLAYS} are allowed")]
    TooMany(usize),
    /// Two entries have the same file number.
    #[error("replays: number {0} appears twice")]
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
    /// All games, oldest first.
    pub fn all(&self) -> &[KeptReplay] {
        &self.0
    }

    /// The number of the replay with this score. If several match, the newest.
    pub fn number_of(&self, score: &Score) -> Option<u8> {
        let kept = self.0.iter().rev().find(|kept| kept.score == *score);
        kept.map(|kept| kept.number)
    }

    /// Removes the oldest entries until `bytes` more bytes fit. Returns the removed entries.
    fn make_room(&mut self, bytes: usize) -> Vec<KeptReplay> {
        let sizes = |all: &[KeptReplay]| all.iter().map(|kept| kept.bytes as usize).sum::<usize>();
        let is_full = |first: usize| {
            let left = &self.0[first..];
            left.len() >= MOST_REPLAYS || sizes(left).saturating_add(bytes) > MOST_TOGETHER
        };
        let first = (0..self.0.len()).find(|first| !is_full(*first));
        self.0.drain(..first.unwrap_or(self.0.len())).collect()
    }

    /// The smallest unused number.
    fn free_number(&self) -> u8 {
        let is_free = |number: &u8| self.0.iter().all(|kept| kept.number != *number);
        (0..=u8::MAX).find(is_free).unwrap_or(u8::MAX)
    }
}

/// The file name of a replay.
fn name(number: u8) -> String {
    format!("{REPLAYS}/{number}.replay")
}

/// The file name of the list.
const LIST: &str = "replays.ron";

impl Home {
    /// Loads the list of replays. If there is no valid list, it is empty. An invalid list is kept aside.
    pub fn replays(&self) -> (Replays, Option<Trouble>) {
        or_default(self.read_replays())
    }

    /// Keeps the replay of a finished game, deletes the oldest ones to make room, and returns the list. A replay larger
    /// than 256 KiB is not kept.
    ///
    /// # Errors
    /// A file cannot be read or written.
    pub fn keep_replay(&self, score: Score, replay: &Replay) -> Result<Replays, Trouble> {
        let mut replays = unless_in_the_way(self.read_replays())?.unwrap_or_default();
        let bytes = replay.to_bytes();
        if bytes.len() > MOST_BYTES {
            return Ok(replays);
        }
        for old in replays.make_room(bytes.len()) {
            // If the file cannot be deleted, its number is still free and the file is overwritten later.
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

    /// Loads a replay. Returns the world before its first action, and the replay.
    ///
    /// # Errors
    /// The file does not exist any more, is damaged, or was recorded with other rules ([`Trouble::NotWatched`]). The
    /// file is left as it is. Also fails if the list of replays cannot be read.
    pub fn watch(&self, number: u8) -> Result<(World, Replay), Trouble> {
        let (replays, trouble) = self.replays();
        if let Some(trouble) = trouble {
            return Err(trouble);
        }
        let kept = replays.0.iter().find(|kept| kept.number == number);
        let played = kept.map_or(String::new(), |kept| {
            let (release, rules) = (&kept.release, kept.rules);
            format!(
                " It was recorded with release {release} (rules {rules:08x}); this is {RELEASE}."
            )
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
