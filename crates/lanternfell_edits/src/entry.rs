//! Entries of the log.

use serde::{Deserialize, Serialize};

use crate::stroke::Stroke;

/// The id of an entry: the only one with this number by this author.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
pub struct EditId {
    /// The author, for example a player.
    pub author: u32,
    /// The number of the entry among those of the author.
    pub sequence: u32,
}

/// What an entry does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operation {
    /// Edits the terrain.
    Stroke(Stroke),
    /// Undoes a stroke, of any author.
    Undo(EditId),
    /// Brings back a stroke that was undone.
    Redo(EditId),
}

/// An entry of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its id.
    pub id: EditId,
    /// Its Lamport time, from 1 to [`MAX_TIME`](Self::MAX_TIME).
    pub time: u64,
    /// What it does.
    pub operation: Operation,
}

impl Entry {
    /// The latest time.
    pub const MAX_TIME: u64 = 1 << 53;

    pub(crate) fn key(&self) -> Key {
        Key {
            time: self.time,
            id: self.id,
        }
    }
}

/// The position of an entry in the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub(crate) time: u64,
    pub(crate) id: EditId,
}
