//! The error type. Each message is one line.

use std::{io, path::PathBuf};

/// An error of a command.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("{path}: {error}", path = .path.display())]
    File { path: PathBuf, error: io::Error },

    #[error("cannot run {program}: {error}")]
    Program { program: String, error: io::Error },

    #[error("{program} failed{}", .why.as_ref().map(|why| format!(": {why}")).unwrap_or_default())]
    Failed {
        program: String,
        why: Option<String>,
    },

    #[error(
        "no toolchain for wasm32-unknown-unknown found: run `rustup target add wasm32-unknown-unknown`, \
         or on Debian `apt-get install rustc-web rust-web-src lld-19`"
    )]
    NoWasmTarget,

    #[error("the output of `cargo metadata` has no `{0}`")]
    Workspace(&'static str),

    #[error("unknown page `{name}`, expected one of {known}")]
    UnknownPage { name: String, known: String },

    #[error("{}: no pages found; run `build` first", .0.display())]
    NoPages(PathBuf),

    #[error("cannot serve on 127.0.0.1:{port}: {error}")]
    Port { port: u16, error: io::Error },

    #[error("over budget: {0}")]
    OverBudget(String),

    #[error("the tests need {0}")]
    Missing(&'static str),
}

impl Failure {
    /// For `map_err`: an error on this file.
    pub fn of(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        |error| Self::File { path, error }
    }
}
