//! Errors of the game's files, as sentences for the player.

use std::{io, path::PathBuf};

use thiserror::Error;

/// An error of a file. The message is a sentence for the player. It names the file and, if the file
/// was kept aside, its new name.
#[derive(Debug, Error)]
pub enum Trouble {
    /// The file exists but cannot be read. It is left as it is.
    #[error("Cannot read {}: {error}.", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The content is invalid. The file was renamed.
    #[error("Cannot use {}: {flaw}. It was renamed to {}.", path.display(), aside.display())]
    Damaged {
        /// The original path.
        path: PathBuf,
        /// What is wrong with the content.
        flaw: String,
        /// The new path.
        aside: PathBuf,
    },
    /// Like [`Damaged`](Self::Damaged), but the file could not be renamed. It is left as it is, and
    /// nothing is written in its place.
    #[error(
        "Cannot use {}: {flaw}. It could not be renamed either: {error}. \
         It will not be overwritten.",
        path.display()
    )]
    Stuck {
        /// The file.
        path: PathBuf,
        /// What is wrong with the content.
        flaw: String,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The file could not be written. The previous content is still there.
    #[error("Cannot write {}: {error}.", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The file could not be deleted.
    #[error("Cannot delete {}: {error}.", path.display())]
    Delete {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// A replay cannot be played. The file is left as it is.
    #[error("Cannot play this replay: {flaw}.{played}")]
    NotWatched {
        /// What is wrong with it.
        flaw: String,
        /// The release that recorded it, as a sentence. Empty if it is not known.
        played: String,
    },
    /// The imported data is not a game that can be continued. Nothing was changed.
    #[error("Cannot import the game: {flaw}.")]
    Refused {
        /// What is wrong with it.
        flaw: String,
    },
}
