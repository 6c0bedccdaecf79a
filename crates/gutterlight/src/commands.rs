//! What the program does beside playing. Each file holds a command: its arguments, and what it
//! does.

pub(crate) mod bots;
pub(crate) mod dump;
pub(crate) mod replay;
