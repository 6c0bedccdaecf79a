//! The subcommands. Each file holds the arguments and the implementation of one command.

#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod bots;
pub(crate) mod dump;
pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod replay;
