//! Reading and writing whole files for commands.

use std::path::Path;

use gutterlight_rules::{Replay, ReplayError, Rules, World, save::MAX_BYTES};

use crate::{failure::Failure, home::Home};

/// Reads a replay and plays it. Returns the replay and the world at its end.
pub(crate) fn read_replay(path: &Path) -> Result<(Replay, World), Failure> {
    replay(path, |replay| replay.play(Rules::standard()))
}

/// Reads a replay and checks that it plays to its end. Returns the replay and the world at its
/// start.
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

/// Reads a file of at most [`MAX_BYTES`]. Larger files are an error.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    lanternfell_files::read_limited(path, MAX_BYTES).map_err(|error| Failure::Read {
        path: path.to_owned(),
        error,
    })
}

/// Writes a file and replaces an existing one.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    lanternfell_files::write(path, bytes).map_err(|error| Failure::Write {
        path: path.to_owned(),
        error,
    })
}

/// Returns the game's own files: in `folder`, or in the standard folders of the platform.
pub(crate) fn home(folder: Option<&Path>) -> Result<Home, Failure> {
    let home = folder.map(Home::at).or_else(Home::standard);
    home.ok_or_else(|| Failure::Usage("the system provides no folder for data: use --home".into()))
}
