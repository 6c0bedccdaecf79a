//! Shared editing over a network: a server and its clients, as state machines without sockets.
//!
//! Problem: packets get lost and arrive out of order, players come late and leave, and not all of them
//! are honest. Still everyone must see their own strokes at once, and in the end have the same terrain.
//!
//! Idea: the server numbers the edits that it accepts, 1, 2, 3, ..., and the number is the time of the
//! entry. So a client knows which entries it misses, and asks for those alone. From time to time the
//! server compacts old entries into a checkpoint: tiles, in a [tree of hashes](hashes).
//!
//! ```text
//!   server   [ checkpoint: tiles ][ entries since: 7 8 9 10 11 12 ]
//!                 |                          |
//!          tree of hashes               gaps in numbers
//!                 |                          |
//!   client   [ tiles that are equal ][ 7 8 9 . 11 . ][ own strokes, not answered yet ]
//! ```
//!
//! - *Late join.* The client compares the tree with the tiles that it has, asks for rows of tiles that
//!   differ, and for the entries since.
//! - *Prediction.* The client's own edits are the last ones of its log until the server answers. Before
//!   it inserts an entry of the server, it takes them out, and puts them back behind it. A refused edit
//!   is taken out for good. So nothing remains of it.
//! - *Checkpoints.* A client with all entries up to a new checkpoint makes the same tiles itself, and
//!   compares the hash of all. If it is different, the tree shows where.
//!
//! - *Large entries.* An entry with an image has hundreds of pieces, each in a packet. The server sends
//!   them over some seconds, and the client asks for those that are missing.
//! - *Sessions.* A client that greets the server gets the number of its session. A packet of another
//!   session shows that the connection or the server is a new one, and then the client greets again.
//!
//! Limits: other clients see a drag when it ends. The image of a stamp is sent with each stroke.

mod client;
mod coder;
mod hashes;
mod join;
mod limits;
mod packet;
mod rows;
mod server;
#[cfg(test)]
mod tests;

pub use client::TerrainClient;
pub use limits::{Allowance, Refusal, ServerLimits, SyncError};
pub use packet::TerrainPacket;
pub use server::TerrainServer;

use crate::{entry::EditId, state::Change};

/// What a packet has changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Received {
    /// The cells that may have changed.
    pub changes: Vec<Change>,
    /// Edits that the server refused. A client has taken them back.
    pub refused: Vec<(EditId, Refusal)>,
}
