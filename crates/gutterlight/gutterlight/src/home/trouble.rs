//! What can go wrong with a file, as sentences for the player.

use std::{io, path::PathBuf};

use thiserror::Error;

/// What went wrong with a file: a sentence for the player, which names the file and, if it was
/// kept aside, where it lies now.
#[derive(Debug, Error)]
pub enum Trouble {
    /// It is there, but can not be read. It is left as it is.
    #[error("{} can not be read: {error}.", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// It was read, but the game can do nothing with it. It has another name now.
    #[error("{} can not be used: {flaw}. It is kept as {}.", path.display(), aside.display())]
    Damaged {
        /// Where it was.
        path: PathBuf,
        /// What is wrong with it.
        flaw: String,
        /// Where it lies now.
        aside: PathBuf,
    },
    /// As [`Damaged`](Self::Damaged), but it could not be renamed. It is left as it is, and
    /// nothing is written in its place.
    #[error(
        "{} can not be used: {flaw}. It can not be renamed either: {error}. \
         Nothing will be written in its place.",
        path.display()
    )]
    Stuck {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        flaw: String,
        /// What the system says.
        error: io::Error,
    },
    /// It could not be written. What was there before is there still.
    #[error("{} can not be written: {error}.", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// It could not be deleted.
    #[error("{} can not be deleted: {error}.", path.display())]
    Delete {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A game that was kept can not be watched. It is left where it is.
    #[error("That game can not be watched: {flaw}.{played}")]
    NotWatched {
        /// What is wrong with it.
        flaw: String,
        /// What it was played with, as a sentence; nothing if that is not known.
        played: String,
    },
    /// What was to be imported is no game that can go on here. Nothing was changed.
    #[error("The game can not be imported: {flaw}.")]
    Refused {
        /// What is wrong with it.
        flaw: String,
    },
}
