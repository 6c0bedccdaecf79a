//! The client: it shows its own edits at once, and in the end has what the server has.

mod receive;
mod send;

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use super::{
    Received,
    join::Join,
    limits::SyncError,
    packet::{AHEAD, Pieces, ServerState, entry_bytes},
};
use crate::{
    base::BaseHeights,
    edits::{EditLimits, Edited, Edits},
    entry::{EditId, Entry, Operation},
    stroke::Stroke,
};

/// A client of a shared terrain.
///
/// It has no sockets and no clock: pass packets of the server to [`receive`](Self::receive), and send
/// those that [`send`](Self::send) returns. The [crate documentation](crate#over-a-network) has an
/// example.
#[derive(Debug)]
pub struct TerrainClient {
    author: u32,
    base: String,
    limits: EditLimits,
    edits: Edits,
    /// 0 before the server has answered.
    session: u32,
    /// Distinguishes the greetings of this client.
    greeting: u32,
    /// Whether the server has not answered the last greeting yet.
    greets: bool,
    /// What the server has, as far as the client knows.
    server: ServerState,
    /// All entries before this time are part of `edits`.
    next: u64,
    /// The value of `next` at which the terrain is complete for the first time.
    complete_at: u64,
    /// Later entries.
    early: BTreeMap<u64, Entry>,
    pieces: Pieces,
    /// `Some` while tiles are missing.
    join: Option<Join>,
    pending: VecDeque<Pending>,
    hello_at: Duration,
    join_at: Duration,
    /// When to ask for missing entries. `None` while no entry is missing.
    entries_at: Option<Duration>,
    /// Up to which time the client asked for them. 0 if it did not.
    asked: u64,
    /// What has changed before an error.
    unreported: Received,
}

/// An edit of this client that the server has not answered yet. It is the last part of `edits`.
#[derive(Debug)]
struct Pending {
    id: EditId,
    /// Empty for a drag in progress.
    bytes: Vec<u8>,
    /// When to send it again.
    send_at: Duration,
}

impl TerrainClient {
    /// Creates a client over the unedited terrain. `description` must be the same as that of the
    /// [server](crate::TerrainServer::new), and the limits must not be lower.
    pub fn new(
        author: u32,
        base: Arc<dyn BaseHeights>,
        description: impl Into<String>,
        limits: EditLimits,
    ) -> Self {
        Self {
            author,
            base: description.into(),
            limits,
            edits: Edits::with_limits(base, limits),
            session: 0,
            greeting: 1,
            greets: true,
            server: ServerState {
                checkpoint: 0,
                root: 0,
                next: 1,
            },
            next: 1,
            complete_at: 0,
            early: BTreeMap::new(),
            pieces: Pieces::default(),
            join: None,
            pending: VecDeque::new(),
            hello_at: Duration::ZERO,
            join_at: Duration::ZERO,
            entries_at: None,
            asked: 0,
            unreported: Received::default(),
        }
    }

    /// Returns the terrain of the server, as far as it was received, with all edits of this client.
    pub fn edits(&self) -> &Edits {
        &self.edits
    }

    /// The bytes of entries of which not all pieces have arrived.
    #[cfg(test)]
    pub(super) fn incomplete_bytes(&self) -> usize {
        self.pieces.bytes()
    }

    #[cfg(test)]
    pub(super) fn edits_mut(&mut self) -> &mut Edits {
        &mut self.edits
    }

    /// Whether the terrain is complete, so that the client can edit it.
    pub fn is_ready(&self) -> bool {
        self.session > 0 && self.join.is_none() && self.next >= self.complete_at
    }

    /// Returns the number of edits that the server has not answered yet.
    pub fn pending(&self) -> usize {
        self.pending.len()
    }

    /// Begins a new session. Call it when there is a new connection after the old one was lost. Tiles of
    /// the checkpoint that are still equal are not received again.
    pub fn reconnect(&mut self) {
        self.session = 0;
        self.greet();
    }

    fn greet(&mut self) {
        self.greeting = self.greeting.wrapping_add(1).max(1);
        self.greets = true;
        self.hello_at = Duration::ZERO;
    }

    /// Makes a stroke. It is visible at once, and sent to the server.
    ///
    /// # Errors
    /// If the terrain is not [ready](Self::is_ready), the server has not answered many edits, or the
    /// stroke is not [valid](Stroke::validate).
    pub fn stroke(&mut self, stroke: Stroke) -> Result<Edited, SyncError> {
        self.check_ready()?;
        let made = self.edits.stroke(self.author, stroke)?;
        self.push(made.id);
        Ok(made)
    }

    /// Undoes the last stroke of this client.
    ///
    /// # Errors
    /// As for [`stroke`](Self::stroke).
    pub fn undo(&mut self) -> Result<Option<Edited>, SyncError> {
        self.check_ready()?;
        let made = self.edits.undo(self.author)?;
        if let Some(made) = &made {
            self.push(made.id);
        }
        Ok(made)
    }

    /// Brings back the stroke that this client undid last.
    ///
    /// # Errors
    /// As for [`stroke`](Self::stroke).
    pub fn redo(&mut self) -> Result<Option<Edited>, SyncError> {
        self.check_ready()?;
        let made = self.edits.redo(self.author)?;
        if let Some(made) = &made {
            self.push(made.id);
        }
        Ok(made)
    }

    /// Starts a [drag](Edits::start_drag). Other clients see it when it [ends](Self::end_drag). All edits
    /// that this client makes in the meantime are held back, and sent after the drag.
    ///
    /// # Errors
    /// As for [`stroke`](Self::stroke).
    pub fn start_drag(&mut self, stroke: Stroke) -> Result<Edited, SyncError> {
        self.check_ready()?;
        let made = self.edits.start_drag(self.author, stroke)?;
        self.push(made.id);
        Ok(made)
    }

    /// Adds positions to a drag.
    ///
    /// # Errors
    /// As for [`Edits::extend_drag`].
    pub fn extend_drag(&mut self, id: EditId, positions: &[[i64; 2]]) -> Result<Edited, SyncError> {
        Ok(self.edits.extend_drag(id, positions)?)
    }

    /// Ends a drag, and sends it to the server.
    ///
    /// # Errors
    /// As for [`Edits::end_drag`].
    pub fn end_drag(&mut self, id: EditId) -> Result<Edited, SyncError> {
        let made = self.edits.end_drag(id)?;
        self.set_bytes(id, self.bytes_of(id));
        Ok(made)
    }

    fn set_bytes(&mut self, id: EditId, bytes: Vec<u8>) {
        if let Some(pending) = self.pending.iter_mut().find(|pending| pending.id == id) {
            pending.bytes = bytes;
        }
    }

    fn check_ready(&self) -> Result<(), SyncError> {
        let most = AHEAD;
        match () {
            () if !self.is_ready() => Err(SyncError::NotReady),
            () if self.pending.len() >= most => Err(SyncError::Pending { most }),
            () => Ok(()),
        }
    }

    fn push(&mut self, id: EditId) {
        let bytes = self.bytes_of(id);
        let send_at = Duration::ZERO;
        self.pending.push_back(Pending { id, bytes, send_at });
    }

    fn bytes_of(&self, id: EditId) -> Vec<u8> {
        match self.edits.entry(id).map(|entry| &entry.operation) {
            None | Some(Operation::Drag(_)) => Vec::new(),
            Some(operation) => entry_bytes(id, operation),
        }
    }
}
