//! What the program does beside playing. Each file holds a command: its arguments, and what it
//! does.

#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod bots;
pub(crate) mod dump;
pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod replay;
