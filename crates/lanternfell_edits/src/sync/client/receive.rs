//! What a client does with the packets of the server.

use std::time::Duration;

use super::{
    super::{
        Received,
        hashes::{EVERYTHING, TileHashes},
        join::{Join, Tiles},
        limits::{Refusal, SyncError},
        packet::{
            Piece, Pieces, ServerState, TerrainPacket, ToClient, entry_bytes, entry_of, open,
        },
    },
    TerrainClient,
};
use crate::{
    edits::Edits,
    entry::{EditId, Entry, Operation},
};
/// The number of entries that a client keeps before those that they follow.
const KEPT: u64 = 4096;

impl TerrainClient {
    /// Receives a packet from the server.
    ///
    /// # Errors
    /// If the packet is damaged, or the server has another base. Nothing changes then.
    ///
    /// If the log of this client does not accept an entry of the server, because the
    /// [limits](crate::EditLimits) of the client are lower. The terrain may have changed then, and the result of
    /// the next packet without an error has those changes.
    pub fn receive(&mut self, packet: &TerrainPacket) -> Result<Received, SyncError> {
        let (session, message) = open::<ToClient>(packet)?;
        let mut received = std::mem::take(&mut self.unreported);
        let taken = self.take(session, message, &mut received);
        match taken.and_then(|()| self.finish_join(&mut received)) {
            Ok(()) => Ok(received),
            Err(error) => {
                self.unreported = received;
                Err(error)
            }
        }
    }

    fn take(
        &mut self,
        session: u32,
        message: ToClient,
        received: &mut Received,
    ) -> Result<(), SyncError> {
        match message {
            ToClient::Welcome { base, .. } if base != self.base => {
                let client = self.base.clone();
                return Err(SyncError::Base {
                    server: base,
                    client,
                });
            }
            ToClient::Welcome {
                greeting,
                sequence,
                state,
                ..
            } => self.take_welcome((session, greeting), sequence, state),
            // Of an earlier session.
            _ if session != self.session => {}
            ToClient::State(state) => self.learn(state, received),
            ToClient::Entries(pieces) => self.take_entries(pieces, received)?,
            ToClient::Refused(refused) => self.take_back(refused, received),
            ToClient::Nodes(checkpoint, nodes) => {
                if let Some(join) = &mut self.join {
                    join.take_nodes(checkpoint, nodes);
                }
            }
            ToClient::Rows(checkpoint, packed) => {
                if let Some(join) = &mut self.join {
                    join.take_rows(checkpoint, &packed);
                }
            }
        }
        Ok(())
    }

    fn take_welcome(&mut self, (session, greeting): (u32, u32), sequence: u32, state: ServerState) {
        if greeting == self.greeting {
            self.greets = false;
            if session != self.session {
                self.begin(session, sequence, state);
            }
        } else if session != self.session && !self.greets {
            // The session may have ended, for example because the server was restarted. Or the packet
            // is late, and the answer shows that the session goes on.
            self.greet();
        }
    }

    /// Begins a session.
    fn begin(&mut self, session: u32, sequence: u32, state: ServerState) {
        self.session = session;
        self.server = state;
        self.complete_at = state.next;
        self.edits.skip_sequences(self.author, sequence);
        // The server may have been restored from an older save, so its entries are received again.
        self.early.clear();
        self.pieces = Pieces::default();
        self.next = 1;
        (self.entries_at, self.asked) = (None, 0);
        for pending in &mut self.pending {
            pending.send_at = Duration::ZERO;
        }
        let before = tiles_of(&self.edits);
        self.start_join(state, before);
    }

    /// Learns what the server has.
    fn learn(&mut self, state: ServerState, received: &mut Received) {
        if (state.checkpoint, state.next) <= (self.server.checkpoint, self.server.next) {
            return;
        }
        let next = state.next.max(self.server.next);
        self.server = ServerState { next, ..state };
        if let Some(join) = self
            .join
            .take_if(|join| join.checkpoint() < state.checkpoint)
        {
            self.start_join(state, join.into_tiles());
        } else if self.join.is_some() || state.checkpoint <= self.edits.compacted_before() {
            // Nothing to do.
        } else if self.next < state.checkpoint {
            let before = tiles_of(&self.edits);
            self.start_join(state, before);
        } else {
            self.compact(state, received);
        }
    }

    /// Makes the checkpoint of the server, and compares it.
    fn compact(&mut self, state: ServerState, received: &mut Received) {
        let lifted = self.lift(received);
        self.edits.compact(state.checkpoint);
        self.put_back(lifted, received);
        let tiles = self.edits.checkpoint_tiles();
        if TileHashes::of(tiles.iter()).sum(EVERYTHING) != state.root {
            let before = tiles.clone();
            self.start_join(state, before);
        }
    }

    fn start_join(&mut self, state: ServerState, before: Tiles) {
        let first = state.checkpoint.max(1);
        let known = self.edits.entries_from(first);
        let known = known.take_while(|entry| entry.time < self.next);
        self.early
            .extend(known.map(|entry| (entry.time, entry.clone())));
        self.early = self.early.split_off(&first);
        self.pieces.forget_before(first);
        self.next = first;
        self.join = Some(Join::new(state, before));
        self.join_at = Duration::ZERO;
    }

    /// Replaces the terrain when all tiles of the checkpoint have arrived.
    fn finish_join(&mut self, received: &mut Received) -> Result<(), SyncError> {
        let Some(join) = &mut self.join else {
            return Ok(());
        };
        let Some(tiles) = join.tiles() else {
            return Ok(());
        };
        let base = self.edits.base().clone();
        let mut edits = Edits::from_checkpoint(base, self.limits, join.checkpoint(), tiles)?;
        edits.skip_sequences(self.author, self.edits.last_sequence(self.author));
        let operations = self.pending.iter().filter_map(|pending| {
            let entry = self.edits.entry(pending.id)?;
            Some((pending.id, entry.operation.clone()))
        });
        let lifted: Vec<_> = operations.collect();
        let before = std::mem::replace(&mut self.edits, edits);
        self.join = None;
        let mut ignored = Received::default();
        let applied = self.apply_in_order(&mut ignored);
        self.put_back(lifted, received);
        received.changes.extend(before.differences(&self.edits));
        applied
    }

    fn take_entries(
        &mut self,
        pieces: Vec<Piece>,
        received: &mut Received,
    ) -> Result<(), SyncError> {
        for piece in pieces {
            let time = piece.number();
            let is_wanted = (self.next..self.next.saturating_add(KEPT)).contains(&time);
            if !is_wanted || self.early.contains_key(&time) {
                continue;
            }
            let Some(bytes) = self.pieces.add(piece) else {
                continue;
            };
            let (id, operation) = entry_of(&bytes).ok_or(SyncError::Malformed)?;
            self.server.next = self.server.next.max(time + 1);
            self.early.insert(
                time,
                Entry {
                    id,
                    time,
                    operation,
                },
            );
        }
        match self.join {
            None => self.apply(received),
            Some(_) => Ok(()),
        }
    }

    /// Applies the entries whose turn it is, below the edits of this client.
    fn apply(&mut self, received: &mut Received) -> Result<(), SyncError> {
        self.confirm();
        self.pieces.forget_before(self.next);
        if !self.early.contains_key(&self.next) {
            return Ok(());
        }
        let lifted = self.lift(received);
        let applied = self.apply_in_order(received);
        self.put_back(lifted, received);
        applied
    }

    /// Entries that are exactly as predicted need no work.
    fn confirm(&mut self) {
        while let Some(entry) = self.early.get(&self.next)
            && self.edits.entry(entry.id) == Some(entry)
        {
            let id = entry.id;
            self.pending.retain(|pending| pending.id != id);
            self.early.remove(&self.next);
            self.next += 1;
        }
    }

    /// Inserts the entries whose turn it is. No edit of this client may be pending in the log.
    fn apply_in_order(&mut self, received: &mut Received) -> Result<(), SyncError> {
        while let Some(entry) = self.early.get(&self.next) {
            let id = entry.id;
            received.changes.extend(self.edits.insert(entry.clone())?);
            self.pending.retain(|pending| pending.id != id);
            self.early.remove(&self.next);
            self.next += 1;
            self.pieces.forget_before(self.next);
        }
        Ok(())
    }

    /// Takes all pending edits out of the log, from the last to the first.
    fn lift(&mut self, received: &mut Received) -> Vec<(EditId, Operation)> {
        let mut lifted = Vec::new();
        for pending in self.pending.iter().rev() {
            if let Some(entry) = self.edits.entry(pending.id) {
                lifted.push((pending.id, entry.operation.clone()));
                received.changes.extend(self.edits.remove(pending.id));
            }
        }
        lifted.reverse();
        lifted
    }

    /// Puts pending edits at the end of the log.
    fn put_back(&mut self, lifted: Vec<(EditId, Operation)>, received: &mut Received) {
        for (id, operation) in lifted {
            // Edits that the server has accepted in the meantime are no longer pending.
            if !self.pending.iter().any(|pending| pending.id == id) {
                continue;
            }
            let time = self.edits.clock().max(self.next - 1) + 1;
            let entry = Entry {
                id,
                time,
                operation,
            };
            // If a limit of this client is reached the edit is not visible, but the server decides about
            // it. A drag ends, because it cannot go on.
            let ended = match &entry.operation {
                Operation::Drag(stroke) => Some(Operation::Stroke(stroke.ended())),
                _ => None,
            };
            match (self.edits.insert(entry), ended) {
                (Ok(changes), _) => received.changes.extend(changes),
                (Err(_), Some(ended)) => self.set_bytes(id, entry_bytes(id, &ended)),
                (Err(_), None) => {}
            }
        }
    }

    /// Takes back edits that the server refused.
    fn take_back(&mut self, refused: Vec<(u32, Refusal)>, received: &mut Received) {
        for (sequence, refusal) in refused {
            let author = self.author;
            let id = EditId { author, sequence };
            let Some(at) = self.pending.iter().position(|pending| pending.id == id) else {
                continue;
            };
            let mut lifted = self.lift(received);
            lifted.retain(|(lifted, _)| *lifted != id);
            self.pending.remove(at);
            self.put_back(lifted, received);
            received.refused.push((id, refusal));
        }
    }
}

/// The current tiles.
fn tiles_of(edits: &Edits) -> Tiles {
    edits
        .tiles()
        .map(|(address, tile)| (address, tile.clone()))
        .collect()
}
