//! How to solve common tasks with light. Each page has short, complete programs, their costs, and answers to common
//! problems.
//!
//! | page | topics |
//! |---|---|
//! | [`stealth`] | who is visible, where it is dark, paths through the shadows, which lamp lights a cell |
//! | [`materials`] | smooth, sharp or banded light; soft shadows; normal maps; eye adaptation; light in your own material |
//! | [`time`] | turn-based and real-time games; accuracy, reach and conservation of light; determinism |
//! | [`maps`] | cells from text and tile maps, a player with a torch, doors, several maps, hexagons, resizing a map, many lamps |
//! | [`saving`] | saving and loading a game with its light |
//!
//! These modules contain documentation only. The doc-tests compile all programs and run those that need no window. The
//! shader is tested by rendering with it.

pub mod maps;
pub mod materials;
pub mod saving;
pub mod stealth;
pub mod time;
