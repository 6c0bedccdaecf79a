//! Saved games.
//!
//! A loaded game continues exactly as the saved game would have, bit for bit. A file therefore
//! contains the whole state and the light, because the last bits of the light depend on all earlier
//! light. Everything that follows from these two (what is in sight, what is heard) is computed
//! again.
//!
//! ```text
//!    header | state | light | record, peek         postcard, one after the other
//! ```
//!
//! **Versions.** Raise the version when you change the contents of `State`, or how a released game
//! is played. Files of other versions are rejected by their number. A test reads a file of the
//! current version from `tests/fixtures`, so that a change of `State` without a new version fails.
//!
//! **Untrusted files.** The header shows whether the file is a complete and undamaged save. The
//! contents are still not trusted: [`World::check_invariants`] checks the state before it is used,
//! and the size of the light is checked before memory is allocated for it.

mod seal;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use glam::IVec2;
use lanternfell_lightgrid::{FieldOfView, LightGrid};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use thiserror::Error;

use crate::{
    Rules, World,
    game::with_burdens,
    invariants::InvariantViolation,
    light, sight, sound,
    sound_field::SoundField,
    world::{Record, State},
};

pub use seal::MAX_BYTES;
pub(crate) use seal::{BrokenSeal, MAX_BODY, Seal};

const SEAL: Seal = Seal {
    magic: *b"GUTTERSV",
    version: 1,
};

/// The reason why a game cannot be loaded.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SaveError {
    /// The file is not a saved game.
    #[error("not a saved game")]
    NotASave,
    /// A newer release wrote the file.
    #[error("the saved game has version {version}, which needs a newer release of the game")]
    Newer {
        /// The version of the file.
        version: u16,
    },
    /// An older release wrote the file, and its rules no longer exist.
    #[error("the saved game has version {version}, which this release can no longer read")]
    TooOld {
        /// The version of the file.
        version: u16,
    },
    /// The end of the file is missing.
    #[error("the saved game is cut off")]
    Truncated,
    /// The checksum is wrong.
    #[error("the saved game is damaged")]
    Damaged,
    /// The file is undamaged, but its contents are not a possible game.
    #[error("the saved game is not valid: {0}")]
    Invalid(String),
}

impl From<BrokenSeal> for SaveError {
    fn from(broken: BrokenSeal) -> Self {
        match broken {
            BrokenSeal::Foreign => Self::NotASave,
            BrokenSeal::Newer { version } => Self::Newer { version },
            BrokenSeal::TooOld { version } => Self::TooOld { version },
            BrokenSeal::Truncated => Self::Truncated,
            BrokenSeal::Damaged => Self::Damaged,
        }
    }
}

impl From<InvariantViolation> for SaveError {
    fn from(broken: InvariantViolation) -> Self {
        Self::Invalid(broken.to_string())
    }
}

/// The part of a file after the state and the light.
#[derive(Default, Serialize, Deserialize)]
struct Appendix {
    record: Record,
    /// The cell from which the thief peeks.
    peeked: Option<IVec2>,
}

impl World {
    /// Encodes the whole game as a file of at most [`MAX_BYTES`].
    ///
    /// If the recorded actions do not fit (some millions), the file is written without them. Such a
    /// game has no replay.
    pub fn save(&self) -> Vec<u8> {
        let mut body = self.state_and_light();
        let appendix = encode(&Appendix {
            record: self.record.clone(),
            peeked: self.peeked.as_ref().map(FieldOfView::origin),
        });
        if body.len() + appendix.len() <= MAX_BODY {
            body.extend(appendix);
        } else {
            body.extend(encode(&Appendix::default()));
        }
        SEAL.close(&body)
    }

    /// The body of the file, without the appendix.
    fn state_and_light(&self) -> Vec<u8> {
        let mut body = encode(&self.state);
        body.extend(encode(&self.light));
        body
    }

    /// Decodes a game from a file. It continues with the standard rules.
    ///
    /// # Errors
    /// If the bytes are not a saved game of this version, or not a possible game. See
    /// [`SaveError`].
    pub fn load(bytes: &[u8]) -> Result<Self, SaveError> {
        Self::load_with(Rules::standard(), bytes)
    }

    /// Like [`load`](Self::load), with other rules. The burdens of the game are applied to them. If
    /// the rules differ from those of the saved game, the game has no replay.
    ///
    /// # Errors
    /// As for [`load`](Self::load).
    pub fn load_with(rules: Arc<Rules>, bytes: &[u8]) -> Result<Self, SaveError> {
        let body = SEAL.open(bytes)?;
        let (state, body) = decode::<State>(body)?;
        // The check bounds the number and size of the floors.
        state.check()?;
        let (light, body) = decode_light(&state, body)?;
        let (appendix, rest) = decode::<Appendix>(body)?;
        if !rest.is_empty() {
            return Err(SaveError::Invalid(
                "there are extra bytes after its end".to_owned(),
            ));
        }
        let floor = &state.floors[state.depth];
        if !appendix
            .peeked
            .is_none_or(|from| floor.tiles.contains(from))
        {
            return Err(SaveError::Invalid(
                "the thief peeks from outside of the floor".to_owned(),
            ));
        }
        let rules = with_burdens(&rules, state.heat);
        let world = Self::restored(rules, state, light, appendix);
        world.check_invariants()?;
        Ok(world)
    }

    fn restored(rules: Arc<Rules>, state: State, light: LightGrid, appendix: Appendix) -> Self {
        let mut record = appendix.record;
        let same = rules.fingerprint();
        record.fingerprint = record.fingerprint.filter(|&known| known == same);
        let mut world = Self {
            rules,
            state,
            record,
            light,
            sight: FieldOfView::new(),
            hearing: SoundField::new(),
            spread: SoundField::new(),
            peeked: None,
            events: Vec::new(),
        };
        if *world.light.settings() != light::settings(&world.rules) {
            light::rebuild(&mut world);
        }
        world.peeked = appendix.peeked.map(|from| {
            let mut view = FieldOfView::new();
            sight::look_from(&world, &mut view, from);
            view
        });
        sound::listen(&mut world);
        sight::look(&mut world);
        world
    }
}

/// Decodes the light of the thief's floor. A grid allocates memory for all its cells, however short
/// its encoding is, so its size is checked first.
fn decode_light<'a>(state: &State, bytes: &'a [u8]) -> Result<(LightGrid, &'a [u8]), SaveError> {
    // The encoding of a grid starts with its version and its size.
    let ((_version, width, height), _) = decode::<(u32, u32, u32)>(bytes)?;
    let tiles = &state.floors[state.depth].tiles;
    if (width, height) != (tiles.width() as u32, tiles.height() as u32) {
        return Err(SaveError::Invalid(
            "the light is for a floor of another size".to_owned(),
        ));
    }
    decode(bytes)
}

/// Encodes a value. All values of these types can be encoded.
pub(crate) fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_stdvec(value).expect("postcard can encode numbers, lists and enums")
}

/// Decodes a value, and returns it with the remaining bytes.
fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, &[u8]), SaveError> {
    // The words of postcard describe its encoding.
    postcard::take_from_bytes(bytes).map_err(|error| {
        let words = match error {
            postcard::Error::DeserializeUnexpectedEnd => "it ends in the middle of a value",
            _ => "it has a value that no game has",
        };
        SaveError::Invalid(words.to_owned())
    })
}
