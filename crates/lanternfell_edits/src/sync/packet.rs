//! The packets, and entries that are larger than a packet.
//!
//! ```text
//!   magic     2 bytes   "LT"
//!   version   u8
//!   checksum  u32       of all that follows: the lower half of an FNV-1a hash
//!   body                postcard: the session, and a message
//! ```
//!
//! **Untrusted bytes.** The checksum shows damage and foreign packets, but anyone can compute it. Memory
//! for decoding is bounded by the size of a packet, and by 1 MiB that serde reserves for elements that it
//! has not read yet. The server bounds the bytes of edits that wait for their turn or for their other
//! pieces.

use std::{collections::BTreeMap, ops};

use lanternfell_random::Fnv1a;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{
    hashes::{Node, Range},
    limits::{Refusal, SyncError},
    rows::PackedRows,
};
use crate::{
    cells::TileAddress,
    entry::{EditId, Operation},
};

const MAGIC: [u8; 2] = *b"LT";
const VERSION: u8 = 1;
const HEADER: usize = 7;

/// A packet between a [`TerrainServer`](crate::TerrainServer) and a
/// [`TerrainClient`](crate::TerrainClient).
///
/// It has at most [`MAX_BYTES`](Self::MAX_BYTES), so that it fits into an unreliable datagram. Send
/// [`bytes`](Self::bytes), or the packet itself with any library that uses `serde`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerrainPacket(Vec<u8>);

impl TerrainPacket {
    /// The largest size in bytes.
    pub const MAX_BYTES: usize = 1200;

    /// Returns the bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Any bytes can be received. The server and the client check them.
impl From<Vec<u8>> for TerrainPacket {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

/// The space for lists in a packet.
pub(super) const ROOM: usize = TerrainPacket::MAX_BYTES - 40;

/// The number of edits of a client that the server has not answered yet.
pub(super) const AHEAD: usize = 64;

/// The number of tiles and of nodes that a client asks for in a packet.
pub(super) const TILES_AT_ONCE: usize = 32;
pub(super) const NODES_AT_ONCE: usize = 16;

/// A message from a client.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum ToServer {
    /// Begins a session.
    Hello {
        /// Distinguishes the greetings of a client. At least 1.
        greeting: u32,
        /// All edits of the client up to this number have been answered.
        answered: u32,
    },
    /// New operations, numbered by the sequence of the author.
    Edits(Vec<Piece>),
    /// Asks for entries by their times: the first one and a number of them.
    Entries(Vec<(u64, u32)>),
    /// Asks for pieces of entries: the time, the first piece and a number of them.
    Pieces(Vec<(u64, u16, u16)>),
    /// Asks for nodes of the tree of the checkpoint before a time.
    Nodes(u64, Vec<Range>),
    /// Asks for rows of tiles of the checkpoint before a time.
    Rows(u64, Vec<(TileAddress, u64)>),
}

/// A message from the server.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum ToClient {
    /// A session begins.
    Welcome {
        /// The greeting that this answers, or 0 if the client has to send one.
        greeting: u32,
        base: String,
        /// The last number of the author that the server has processed.
        sequence: u32,
        state: ServerState,
    },
    State(ServerState),
    /// Accepted entries, numbered by their times.
    Entries(Vec<Piece>),
    /// Operations that were not accepted, by their numbers.
    Refused(Vec<(u32, Refusal)>),
    Nodes(u64, Vec<Node>),
    Rows(u64, PackedRows),
}

/// What the log of the server has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ServerState {
    /// Entries before this time are part of the checkpoint.
    pub(super) checkpoint: u64,
    /// The hash of all tiles of the checkpoint.
    pub(super) root: u64,
    /// The time of the next entry.
    pub(super) next: u64,
}

/// Encodes a message.
pub(super) fn seal(session: u32, message: &impl Serialize) -> TerrainPacket {
    let mut bytes = MAGIC.to_vec();
    bytes.push(VERSION);
    bytes.extend([0; 4]);
    let bytes = postcard::to_extend(&(session, message), bytes);
    let mut bytes = bytes.expect("postcard can encode all messages");
    let sum = checksum(&bytes[HEADER..]);
    bytes[HEADER - 4..HEADER].copy_from_slice(&sum);
    debug_assert!(
        bytes.len() <= TerrainPacket::MAX_BYTES,
        "{} bytes",
        bytes.len()
    );
    TerrainPacket(bytes)
}

/// Decodes a message, and returns its session.
pub(super) fn open<T: DeserializeOwned>(packet: &TerrainPacket) -> Result<(u32, T), SyncError> {
    let bytes = packet.bytes();
    if bytes.len() > TerrainPacket::MAX_BYTES {
        return Err(SyncError::Size { bytes: bytes.len() });
    }
    let (magic, rest) = bytes.split_first_chunk().ok_or(SyncError::Foreign)?;
    if *magic != MAGIC {
        return Err(SyncError::Foreign);
    }
    let (&found, rest) = rest.split_first().ok_or(SyncError::Damaged)?;
    if found != VERSION {
        let expected = VERSION;
        return Err(SyncError::Version { found, expected });
    }
    let (sum, body) = rest.split_first_chunk().ok_or(SyncError::Damaged)?;
    if *sum != checksum(body) {
        return Err(SyncError::Damaged);
    }
    let (message, rest) = postcard::take_from_bytes(body).map_err(|_| SyncError::Malformed)?;
    match rest {
        [] => Ok(message),
        _ => Err(SyncError::Malformed),
    }
}

fn checksum(bytes: &[u8]) -> [u8; 4] {
    let hash = Fnv1a::of_bytes(bytes.iter().copied());
    (hash as u32).to_le_bytes()
}

/// A part of an entry. Most entries have one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Piece {
    number: u64,
    index: u16,
    count: u16,
    bytes: Vec<u8>,
}

impl Piece {
    /// The largest number of bytes in a piece.
    pub(super) const BYTES: usize = 1000;

    /// The largest number of pieces of an entry: those of the largest stamp, and more.
    const MOST: usize = 2048;

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn is_first(&self) -> bool {
        self.index == 0
    }

    /// The number of bytes of the whole entry, or somewhat fewer.
    pub(super) fn total(&self) -> usize {
        match self.count {
            1 => self.bytes.len(),
            count => (usize::from(count) - 1) * Self::BYTES + 1,
        }
    }

    /// The size in a packet, or somewhat more.
    pub(super) fn size(&self) -> usize {
        self.bytes.len() + 18
    }

    /// Whether it can be a part of an entry: all but the last one have the same size.
    fn is_valid(&self) -> bool {
        let (index, count) = (usize::from(self.index), usize::from(self.count));
        let fits = match count {
            1 => !self.bytes.is_empty(),
            _ if index + 1 == count => (1..=Self::BYTES).contains(&self.bytes.len()),
            _ => self.bytes.len() == Self::BYTES,
        };
        fits && index < count && count <= Self::MOST
    }

    /// Splits an entry.
    pub(super) fn of(number: u64, bytes: &[u8]) -> impl Iterator<Item = Self> {
        Self::some(number, bytes, 0..u16::MAX)
    }

    /// Splits an entry, and returns some of its pieces.
    pub(super) fn some(
        number: u64,
        bytes: &[u8],
        wanted: ops::Range<u16>,
    ) -> impl Iterator<Item = Self> {
        let count = bytes.len().div_ceil(Self::BYTES) as u16;
        bytes
            .chunks(Self::BYTES)
            .zip(0..)
            .skip(wanted.start.into())
            .take(wanted.len())
            .map(move |(bytes, index)| Self {
                number,
                index,
                count,
                bytes: bytes.to_vec(),
            })
    }
}

/// Puts pieces into as few packets as possible, in order.
pub(super) fn grouped(pieces: impl IntoIterator<Item = Piece>) -> Vec<Vec<Piece>> {
    let mut groups: Vec<Vec<Piece>> = Vec::new();
    let mut size = usize::MAX;
    for piece in pieces {
        if size.saturating_add(piece.size()) > ROOM {
            groups.push(Vec::new());
            size = 0;
        }
        size += piece.size();
        if let Some(last) = groups.last_mut() {
            last.push(piece);
        }
    }
    groups
}

/// Puts pieces together again.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    parts: BTreeMap<u64, Parts>,
}

#[derive(Debug)]
struct Parts {
    /// Empty for those that are missing.
    parts: Vec<Vec<u8>>,
    missing: usize,
}

impl Pieces {
    /// Adds a piece. Returns the bytes of its entry when it is complete.
    pub(super) fn add(&mut self, piece: Piece) -> Option<Vec<u8>> {
        if !piece.is_valid() {
            return None;
        }
        let (index, count) = (usize::from(piece.index), usize::from(piece.count));
        if count == 1 {
            self.parts.remove(&piece.number);
            return Some(piece.bytes);
        }
        let entry = self.parts.entry(piece.number).or_insert_with(|| Parts {
            parts: vec![Vec::new(); count],
            missing: count,
        });
        if entry.parts.len() == count && entry.parts[index].is_empty() {
            entry.parts[index] = piece.bytes;
            entry.missing -= 1;
        }
        if entry.missing > 0 {
            return None;
        }
        let entry = self.parts.remove(&piece.number)?;
        Some(entry.parts.concat())
    }

    /// The missing pieces of an entry: the first one of each gap, and a number of them. `None` if no piece
    /// has arrived, or all.
    pub(super) fn gaps(&self, number: u64) -> Option<Vec<(u16, u16)>> {
        let parts = &self.parts.get(&number)?.parts;
        let mut gaps: Vec<(u16, u16)> = Vec::new();
        for (at, _) in (0..).zip(parts).filter(|(_, part)| part.is_empty()) {
            match gaps.last_mut() {
                Some((first, count)) if *first + *count == at => *count += 1,
                _ => gaps.push((at, 1)),
            }
        }
        Some(gaps)
    }

    /// Whether some pieces of an entry have arrived.
    pub(super) fn has(&self, number: u64) -> bool {
        self.parts.contains_key(&number)
    }

    /// The bytes that all entries take when they are complete, or somewhat more.
    pub(super) fn bytes(&self) -> usize {
        let counts = self.parts.values().map(|entry| entry.parts.len());
        counts.sum::<usize>() * Piece::BYTES
    }

    /// Forgets entries before a number.
    pub(super) fn forget_before(&mut self, number: u64) {
        self.parts = self.parts.split_off(&number);
    }
}

/// Encodes an entry. Its time is the number of its pieces.
pub(super) fn entry_bytes(id: EditId, operation: &Operation) -> Vec<u8> {
    let bytes = postcard::to_stdvec(&(id, operation));
    bytes.expect("postcard can encode all operations")
}

pub(super) fn entry_of(bytes: &[u8]) -> Option<(EditId, Operation)> {
    postcard::from_bytes(bytes).ok()
}
