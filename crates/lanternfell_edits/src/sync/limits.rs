//! What authors may do, and why edits are refused.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::packet::TerrainPacket;
use crate::{
    brush::Brush,
    entry::EditId,
    error::EditError,
    stroke::{Stroke, UNITS},
    weights::{Dabs, Footprint},
};

/// What each author may do, and how long the log of the server is.
///
/// The allowances are *token buckets*: each has a number of tokens per second, and keeps at most
/// `most` of them for later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerLimits {
    /// The largest radius of a brush, in 1/256 of a cell. Default: 32 cells.
    pub radius: u32,
    /// The number of edits: strokes, undo and redo. Default: 8 per second, and 32 at once.
    pub edits: Allowance,
    /// The area of strokes in cells: the length of the line plus the diameter of the brush, times the
    /// diameter. The diameter counts as at least one cell, and a stroke as at least 256 cells for each
    /// tile that it reads or writes. Undo and redo count as much as their stroke. Default: 4096 per
    /// second, and 65,536 at once.
    pub cells: Allowance,
    /// The size of encoded edits in bytes. Default: 4096 per second, and 65,536 at once.
    pub bytes: Allowance,
    /// The number of entries in the log that can be undone. When it has twice as many, the server
    /// [compacts](crate::Edits::compact) the older half into a checkpoint. Default: 512.
    pub history: usize,
}

impl Default for ServerLimits {
    fn default() -> Self {
        let allowance = |per_second, most| Allowance { per_second, most };
        Self {
            radius: 32 * UNITS as u32,
            edits: allowance(8, 32),
            cells: allowance(4096, 1 << 16),
            bytes: allowance(4096, 1 << 16),
            history: 512,
        }
    }
}

/// An amount per second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allowance {
    /// The amount per second.
    pub per_second: u32,
    /// The largest amount at once.
    pub most: u32,
}

/// Why the server refused an edit.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize, Deserialize)]
pub enum Refusal {
    /// The brush is too large.
    #[error("the radius of the brush is {} cells, but at most {} are allowed", cells(*radius), cells(*most))]
    Radius {
        /// The radius in 1/256 of a cell.
        radius: u32,
        /// The largest radius in 1/256 of a cell.
        most: u32,
    },
    /// The author edits too often.
    #[error("too many edits: at most {} at once and {} per second are allowed", allowed.most, allowed.per_second)]
    Rate {
        /// What is allowed.
        allowed: Allowance,
    },
    /// The author edits too large an area.
    #[error("the stroke counts as at least {cells} cells, but {left} of {} are left, and {} more per second", allowed.most, allowed.per_second)]
    Area {
        /// The area of the stroke in cells, as [`ServerLimits::cells`] counts it, or a number that it exceeds.
        cells: u64,
        /// The cells that were left.
        left: u32,
        /// What is allowed.
        allowed: Allowance,
    },
    /// The author sends too many bytes.
    #[error("the edit has at least {bytes} bytes, but {left} of {} are left, and {} more per second", allowed.most, allowed.per_second)]
    Bytes {
        /// The size of the edit, or a number that it exceeds.
        bytes: u64,
        /// The bytes that were left.
        left: u32,
        /// What is allowed.
        allowed: Allowance,
    },
    /// The stroke belongs to another author.
    #[error("stroke {} belongs to author {}: only an author's own strokes can be undone or brought back", id.sequence, id.author)]
    NotYours {
        /// The stroke.
        id: EditId,
    },
    /// The bytes are no edit.
    #[error("the edit is malformed")]
    Malformed,
    /// The server no longer knows what it decided. If it accepted the edit, it is part of the terrain.
    #[error("the edit is too old: the server no longer knows it")]
    Old,
    /// The log refused the edit.
    #[error("{0}")]
    Edit(String),
}

impl Refusal {
    /// A refusal by the log. The text has a limited length, so that it fits into a packet.
    pub(super) fn by_log(error: &EditError) -> Self {
        Self::Edit(error.to_string().chars().take(200).collect())
    }
}

fn cells(units: u32) -> f64 {
    f64::from(units) / UNITS as f64
}

/// Why a packet was not accepted, or an edit was not made. Nothing changes then.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SyncError {
    /// The packet is too large.
    #[error(
        "the packet has {bytes} bytes, but at most {} are allowed",
        TerrainPacket::MAX_BYTES
    )]
    Size {
        /// The size of the packet.
        bytes: usize,
    },
    /// The bytes do not begin like a packet.
    #[error("the bytes are not a packet of terrain edits")]
    Foreign,
    /// Another version of this crate made the packet.
    #[error("the packet has version {found}, but this release reads version {expected}")]
    Version {
        /// The version of the packet.
        found: u8,
        /// The version that this release reads.
        expected: u8,
    },
    /// The checksum is wrong, or the end is missing.
    #[error("the packet is damaged")]
    Damaged,
    /// The contents are not those of a packet.
    #[error("the packet is malformed")]
    Malformed,
    /// The server has no such client.
    #[error("author {author} is not connected")]
    NotConnected {
        /// The author.
        author: u32,
    },
    /// The author is a client, which numbers its edits itself.
    #[error("author {author} is a client: the server cannot make a stroke in its name")]
    Client {
        /// The author.
        author: u32,
    },
    /// The description of the base is too long.
    #[error("the description of the base has {bytes} bytes, but at most {most} are allowed")]
    BaseLength {
        /// The size of the description.
        bytes: usize,
        /// The largest size.
        most: usize,
    },
    /// The server has another base.
    #[error("the server edits the terrain {server:?}, but this client has {client:?}")]
    Base {
        /// The description of the server's base.
        server: String,
        /// The description of the client's base.
        client: String,
    },
    /// The client does not have the terrain of the server yet.
    #[error("the terrain is still being received")]
    NotReady,
    /// The server has not answered yet.
    #[error("the server has not answered the last {most} edits yet")]
    Pending {
        /// The largest number of edits without an answer.
        most: usize,
    },
    /// The log does not accept the edit.
    #[error(transparent)]
    Edit(#[from] EditError),
}

/// What is left of an [`Allowance`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Bucket {
    allowed: Allowance,
    /// Millionths.
    left: u64,
    at: Duration,
}

const UNIT: u64 = 1_000_000;

impl Bucket {
    pub(super) fn full(allowed: Allowance, at: Duration) -> Self {
        let left = u64::from(allowed.most) * UNIT;
        Self { allowed, left, at }
    }

    pub(super) fn refill(&mut self, now: Duration) {
        let micros = now.saturating_sub(self.at).as_micros().min(1 << 32) as u64;
        let more = micros.saturating_mul(self.allowed.per_second.into());
        let most = u64::from(self.allowed.most) * UNIT;
        self.left = self.left.saturating_add(more).min(most);
        self.at = self.at.max(now);
    }

    pub(super) fn left(&self) -> u32 {
        (self.left / UNIT) as u32
    }

    /// Whether an amount is left.
    pub(super) fn has(&self, amount: u64) -> bool {
        amount <= self.left().into()
    }

    pub(super) fn take(&mut self, amount: u64) {
        self.left = self.left.saturating_sub(amount.saturating_mul(UNIT));
    }
}

/// What is left of all allowances of an author.
#[derive(Debug)]
pub(super) struct Allowances {
    edits: Bucket,
    cells: Bucket,
    bytes: Bucket,
}

impl Allowances {
    pub(super) fn full(limits: &ServerLimits, now: Duration) -> Self {
        let [edits, cells, bytes] =
            [limits.edits, limits.cells, limits.bytes].map(|allowed| Bucket::full(allowed, now));
        Self {
            edits,
            cells,
            bytes,
        }
    }

    pub(super) fn refill(&mut self, now: Duration) {
        for bucket in [&mut self.edits, &mut self.cells, &mut self.bytes] {
            bucket.refill(now);
        }
    }

    /// Refuses an edit of too many bytes, before it is decoded.
    pub(super) fn check_bytes(&self, bytes: usize) -> Result<(), Refusal> {
        let (bytes, allowed) = (bytes as u64, self.bytes.allowed);
        match self.bytes.has(bytes) {
            true => Ok(()),
            false => Err(Refusal::Bytes {
                bytes,
                left: self.bytes.left(),
                allowed,
            }),
        }
    }

    /// Takes an edit from the allowances, before it is decoded. It counts even if it is refused later.
    pub(super) fn take_edit(&mut self, bytes: usize) -> Result<(), Refusal> {
        self.check_bytes(bytes)?;
        if !self.edits.has(1) {
            let allowed = self.edits.allowed;
            return Err(Refusal::Rate { allowed });
        }
        self.edits.take(1);
        self.bytes.take(bytes as u64);
        Ok(())
    }

    /// Takes the area of a valid stroke from the allowance.
    pub(super) fn take_area(&mut self, stroke: &Stroke) -> Result<(), Refusal> {
        let line = line_area(stroke);
        self.check_cells(line)?;
        // Only now, because it takes time.
        let Footprint { writes, reads } = Dabs::of(stroke).footprint();
        let tiles = writes.union(&reads).count() as u64;
        let cells = line.max(tiles * TILE_PRICE);
        self.check_cells(cells)?;
        self.cells.take(cells);
        Ok(())
    }

    fn check_cells(&self, cells: u64) -> Result<(), Refusal> {
        match self.cells.has(cells) {
            true => Ok(()),
            false => Err(Refusal::Area {
                cells,
                left: self.cells.left(),
                allowed: self.cells.allowed,
            }),
        }
    }

    /// The number of bytes of edits that the server keeps until it is their turn.
    pub(super) fn kept_bytes(&self) -> usize {
        self.bytes.allowed.most as usize
    }
}

/// Refuses a brush that is too large.
pub(super) fn check_radius(limits: &ServerLimits, stroke: &Stroke) -> Result<(), Refusal> {
    let (radius, most) = (stroke.radius, limits.radius);
    match radius <= most {
        true => Ok(()),
        false => Err(Refusal::Radius { radius, most }),
    }
}

/// The smallest price of a tile in cells. A tile takes memory, however small the stroke on it is.
const TILE_PRICE: u64 = 256;

/// The area of the line of a valid stroke in cells.
fn line_area(stroke: &Stroke) -> u64 {
    let diameter = (u64::from(stroke.radius) * 2).max(UNITS as u64);
    let unit = UNITS as u64 * UNITS as u64;
    match stroke.brush {
        Brush::Stamp { .. } => (stroke.points.len() as u64 * diameter * diameter).div_ceil(unit),
        _ => ((stroke.length() as u64 + diameter) * diameter).div_ceil(unit),
    }
}
