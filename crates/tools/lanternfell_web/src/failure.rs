//! Everything that can go wrong, one line each.

use std::{io, path::PathBuf};

/// Why a command ended without what it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("{path}: {error}", path = .path.display())]
    File { path: PathBuf, error: io::Error },

    #[error("{program} can not be run: {error}")]
    Program { program: String, error: io::Error },

    #[error("{program} failed{}", .why.as_ref().map(|why| format!(": {why}")).unwrap_or_default())]
    Failed {
        program: String,
        why: Option<String>,
    },

    #[error(
        "nothing here compiles to wasm32-unknown-unknown: run `rustup target add wasm32-unknown-unknown`, \
         or on Debian `apt-get install rustc-web rust-web-src lld-19`"
    )]
    NoWasmTarget,

    #[error("`cargo metadata` does not say where {0} is")]
    Workspace(&'static str),

    #[error("there is no page `{name}`: there are {known}")]
    UnknownPage { name: String, known: String },

    #[error("{}: there are no pages; `build` makes them", .0.display())]
    NoPages(PathBuf),

    #[error("port {port} of 127.0.0.1: {error}")]
    Port { port: u16, error: io::Error },

    #[error("over budget: {0}")]
    OverBudget(String),

    #[error("the tests need {0}")]
    Missing(&'static str),
}

impl Failure {
    /// For `map_err`: what happened to this file.
    pub fn of(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        |error| Self::File { path, error }
    }
}
