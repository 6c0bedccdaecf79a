//! Everything that can go wrong, said in one line each.

use std::{io, path::PathBuf};

use gutterlight_rules::ReplayError;
use thiserror::Error;

use crate::home::Trouble;

/// Why a command did not do what it was asked for.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// The arguments do not fit together.
    #[error("{0}")]
    Usage(String),
    /// This file could not be read.
    #[error("can not read {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// This file is no replay, or not one that can be played.
    #[error("{}: {error}", path.display())]
    Replay {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: ReplayError,
    },
    /// This file could not be written.
    #[error("can not write {}: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// This file is no game that can go on.
    #[error("{}: {flaw}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        flaw: String,
    },
    /// The game's own files.
    #[error(transparent)]
    Home(#[from] Trouble),
}
