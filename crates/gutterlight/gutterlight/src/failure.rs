//! The errors of commands. Each message is one line.

use std::{io, path::PathBuf};

use gutterlight_rules::ReplayError;
use thiserror::Error;

use crate::home::Trouble;

/// The reason why a command failed.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// The arguments are invalid.
    #[error("{0}")]
    Usage(String),
    /// The file could not be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The file is not a replay, or a replay that cannot be played.
    #[error("{}: {error}", path.display())]
    Replay {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: ReplayError,
    },
    /// The file could not be written.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The file is not a game that can be continued.
    #[error("{}: {flaw}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        flaw: String,
    },
    /// The game is running with the same files.
    #[error("the game is open; close it first")]
    Open,
    /// An error of the game's own files.
    #[error(transparent)]
    Home(#[from] Trouble),
}
