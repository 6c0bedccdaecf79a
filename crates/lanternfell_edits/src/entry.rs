//! Entries of the log.

use std::borrow::Cow;

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
    /// A drag in progress. Its points are all positions of the pointer so far.
    ///
    /// Longer versions with the same id replace it, and in the end a `Stroke` does. See
    /// [`Edits::start_drag`](crate::Edits::start_drag).
    Drag(Stroke),
    /// Undoes a stroke, of any author.
    Undo(EditId),
    /// Brings back a stroke that was undone.
    Redo(EditId),
}

impl Operation {
    /// The stroke of a `Stroke` or a `Drag`, as it is stored.
    pub(crate) fn stored_stroke(&self) -> Option<&Stroke> {
        match self {
            Self::Stroke(stroke) | Self::Drag(stroke) => Some(stroke),
            Self::Undo(_) | Self::Redo(_) => None,
        }
    }

    /// The stroke of an `Undo` or a `Redo`.
    pub(crate) fn target(&self) -> Option<EditId> {
        match self {
            Self::Stroke(_) | Self::Drag(_) => None,
            Self::Undo(stroke) | Self::Redo(stroke) => Some(*stroke),
        }
    }

    /// The stroke that edits the terrain.
    pub(crate) fn stroke(&self) -> Option<Cow<'_, Stroke>> {
        match self {
            Self::Stroke(stroke) => Some(Cow::Borrowed(stroke)),
            Self::Drag(stroke) => Some(Cow::Owned(stroke.in_progress())),
            Self::Undo(_) | Self::Redo(_) => None,
        }
    }
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

    /// Whether another entry is a later version of the same drag, or its end. `None` if the entries
    /// are not versions of the same drag.
    ///
    /// The versions of a drag are in a total order, so all copies of a log keep the same one. The
    /// order in which they arrive does not matter.
    pub(crate) fn is_continued_by(&self, other: &Self) -> Option<bool> {
        use Operation::{Drag, Stroke};
        let (a, b) = (
            self.operation.stored_stroke()?,
            other.operation.stored_stroke()?,
        );
        if self.key() != other.key() || !a.differs_only_in_points(b) {
            return None;
        }
        match (&self.operation, &other.operation) {
            (Drag(_), Stroke(_)) => Some(true),
            (Stroke(_), Drag(_)) => Some(false),
            (Drag(a), Drag(b)) if b.points.starts_with(&a.points) => Some(true),
            (Drag(a), Drag(b)) if a.points.starts_with(&b.points) => Some(false),
            _ => None,
        }
    }
}

/// The position of an entry in the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub(crate) time: u64,
    pub(crate) id: EditId,
}
