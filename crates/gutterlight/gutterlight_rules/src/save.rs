//! Games as files.
//!
//! A game that is saved and loaded is the same game: it goes on as it would have, to the last
//! bit. So a file holds the whole state and the light, which depends, in its last bits, on all
//! the light before it. What follows from these (what is in sight, what is heard) is worked
//! out again.
//!
//! ```text
//!    header | state | light | record, peek         postcard, one after the other
//! ```
//!
//! **Versions.** Raise the version when you change what `State` holds or how a released game is
//! played. Other versions are refused by their number. The tests read a file of this version from
//! `tests/fixtures`, so that a change of `State` without a new version fails.
//!
//! **Files are hostile.** The header says whether the file is ours, whole and undamaged. Then
//! nothing is believed: the state is checked by [`World::check_invariants`] before it is
//! played, and the size of the light before memory is taken for it.

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

/// Why a game can not be loaded.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SaveError {
    /// It is some other file.
    #[error("this is not a saved game")]
    NotASave,
    /// A later release wrote it.
    #[error("the saved game is of version {version}, which is newer than this game")]
    Newer {
        /// Its version.
        version: u16,
    },
    /// It is of an edition whose rules are no more.
    #[error("the saved game is of version {version}, which can not be read any more")]
    TooOld {
        /// Its version.
        version: u16,
    },
    /// Its end is missing.
    #[error("the saved game is cut off")]
    Truncated,
    /// Its checksum is wrong.
    #[error("the saved game is damaged")]
    Damaged,
    /// It is whole, but no such game can be.
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

/// What follows state and light.
#[derive(Default, Serialize, Deserialize)]
struct Appendix {
    record: Record,
    /// From where a peek is looked.
    peeked: Option<IVec2>,
}

impl World {
    /// The whole game as a file: at most [`MAX_BYTES`].
    ///
    /// A game of so many actions that they would not fit, some millions, is saved without
    /// them: there is no replay of it then.
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

    /// The body but for its appendix.
    fn state_and_light(&self) -> Vec<u8> {
        let mut body = encode(&self.state);
        body.extend(encode(&self.light));
        body
    }

    /// The game in a file, by the rules that the game is played with.
    ///
    /// # Errors
    /// If the file is none, or no game that could be; see [`SaveError`].
    pub fn load(bytes: &[u8]) -> Result<Self, SaveError> {
        Self::load_with(Rules::standard(), bytes)
    }

    /// As [`load`](Self::load), but to be gone on with by these rules, with the game's burdens. If they are not those
    /// of before, there is no replay of the game any more.
    ///
    /// # Errors
    /// As for [`load`](Self::load).
    pub fn load_with(rules: Arc<Rules>, bytes: &[u8]) -> Result<Self, SaveError> {
        let body = SEAL.open(bytes)?;
        let (state, body) = decode::<State>(body)?;
        // From here on there is a floor, of a bounded size.
        state.check()?;
        let (light, body) = decode_light(&state, body)?;
        let (appendix, rest) = decode::<Appendix>(body)?;
        if !rest.is_empty() {
            return Err(SaveError::Invalid("something follows its end".to_owned()));
        }
        let floor = &state.floors[state.depth];
        if !appendix
            .peeked
            .is_none_or(|from| floor.tiles.contains(from))
        {
            return Err(SaveError::Invalid("it is looked from nowhere".to_owned()));
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

/// The light of the floor that the thief is on. A grid takes memory for all its cells, however
/// short its file is, so its size is looked at first.
fn decode_light<'a>(state: &State, bytes: &'a [u8]) -> Result<(LightGrid, &'a [u8]), SaveError> {
    // Grids are written with their version and their size first.
    let ((_version, width, height), _) = decode::<(u32, u32, u32)>(bytes)?;
    let tiles = &state.floors[state.depth].tiles;
    if (width, height) != (tiles.width() as u32, tiles.height() as u32) {
        return Err(SaveError::Invalid(
            "the light is that of another floor".to_owned(),
        ));
    }
    decode(bytes)
}

/// Every value of these types has an encoding, and memory does not fail.
pub(crate) fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_stdvec(value).expect("numbers, lists and enums can all be written")
}

/// A value, and the bytes after it.
fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, &[u8]), SaveError> {
    postcard::take_from_bytes(bytes).map_err(|error| SaveError::Invalid(error.to_string()))
}
