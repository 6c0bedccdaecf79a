//! What is read, and what is written: whole, or not at all.

use std::path::Path;

use gutterlight_rules::{Replay, ReplayError, Rules, World, save::MAX_BYTES};

use crate::{failure::Failure, home::Home};

/// A replay that can be played to its end, and its end.
pub(crate) fn read_replay(path: &Path) -> Result<(Replay, World), Failure> {
    replay(path, |replay| replay.play(Rules::standard()))
}

/// A replay that can be played to its end, and its beginning.
#[cfg(feature = "play")]
pub(crate) fn begin_replay(path: &Path) -> Result<(Replay, World), Failure> {
    replay(path, |replay| {
        replay.play(Rules::standard())?;
        replay.begin(Rules::standard())
    })
}

fn replay(
    path: &Path,
    played: impl FnOnce(&Replay) -> Result<World, ReplayError>,
) -> Result<(Replay, World), Failure> {
    let bytes = read(path)?;
    let read = Replay::from_bytes(&bytes).and_then(|replay| {
        let world = played(&replay)?;
        Ok((replay, world))
    });
    read.map_err(|error| Failure::Replay {
        path: path.to_owned(),
        error,
    })
}

/// All of a file that the game wrote; of a larger one only as much as says so.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    lanternfell_files::read_limited(path, MAX_BYTES).map_err(|error| Failure::Read {
        path: path.to_owned(),
        error,
    })
}

/// Writes a file, in the place of an old one if there is one.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    lanternfell_files::write(path, bytes).map_err(|error| Failure::Write {
        path: path.to_owned(),
        error,
    })
}

/// Where the game keeps its own: there, or where the platform says.
pub(crate) fn home(folder: Option<&Path>) -> Result<Home, Failure> {
    let home = folder.map(Home::at).or_else(Home::standard);
    home.ok_or_else(|| Failure::Usage("the system tells no folder for files: use --home".into()))
}
