//! Errors of edits.

use thiserror::Error;

use crate::{
    entry::{EditId, Entry},
    stroke::StrokeError,
};

/// Why an entry was refused. The terrain and the log are unchanged then.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EditError {
    /// A value of the stroke is out of range.
    #[error(transparent)]
    Stroke(#[from] StrokeError),
    /// The time is out of range.
    #[error("entry {} of author {} has the time {time}, but must have one from 1 to {}", id.sequence, id.author, Entry::MAX_TIME)]
    Time {
        /// The entry.
        id: EditId,
        /// Its time.
        time: u64,
    },
    /// The log has a different entry with this id.
    #[error("the log already has a different entry {} of author {}", id.sequence, id.author)]
    Conflict {
        /// The id.
        id: EditId,
    },
    /// The entry is older than the log, which was compacted.
    #[error("entry {} of author {} has the time {time}, but the log is compacted up to the time {before}", id.sequence, id.author)]
    Compacted {
        /// The entry.
        id: EditId,
        /// Its time.
        time: u64,
        /// The earliest time that the log accepts.
        before: u64,
    },
    /// The log has no stroke with this id.
    #[error("the log has no stroke {} of author {}", id.sequence, id.author)]
    Unknown {
        /// The id.
        id: EditId,
    },
    /// The stroke is already undone, or not undone.
    #[error("stroke {} of author {} is already {}", id.sequence, id.author, if *undone { "undone" } else { "part of the terrain" })]
    Unchanged {
        /// The stroke.
        id: EditId,
        /// Whether it is undone.
        undone: bool,
    },
    /// The log has no drag in progress with this id.
    #[error("the log has no drag {} of author {} in progress", id.sequence, id.author)]
    NoDrag {
        /// The id.
        id: EditId,
    },
    /// The author has used all numbers.
    #[error("author {author} has no number left for another entry")]
    Sequence {
        /// The author.
        author: u32,
    },
    /// The log is full.
    #[error("the log has {most} entries, which is the limit: compact it")]
    Entries {
        /// The largest number of entries.
        most: usize,
    },
    /// The edits would cover too many tiles.
    #[error("the edits would cover {tiles} tiles, but at most {most} are allowed")]
    Tiles {
        /// The number of tiles with the entry.
        tiles: usize,
        /// The largest number of tiles.
        most: usize,
    },
}

/// Why bytes are not a log.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReadError {
    /// The bytes do not begin like a log.
    #[error("the bytes are not a log of terrain edits")]
    Foreign,
    /// Another version of this crate wrote the log.
    #[error("the log has version {found}, but this release reads version {expected}")]
    Version {
        /// The version of the log.
        found: u16,
        /// The version that this release reads.
        expected: u16,
    },
    /// The end is missing, or there is more after it.
    #[error("the log has {found} bytes, but should have {expected}")]
    Length {
        /// The number of bytes.
        found: u64,
        /// The number of bytes according to the header.
        expected: u64,
    },
    /// The checksum is wrong.
    #[error("the log is damaged: its checksum is wrong")]
    Damaged,
    /// The contents are not those of a log.
    #[error("the log is malformed: {0}")]
    Malformed(&'static str),
    /// An entry is not allowed.
    #[error("the log has an entry that is not allowed")]
    Entry(#[source] EditError),
}
