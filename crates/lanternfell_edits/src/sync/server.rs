//! The server: it decides which edits are part of the terrain, and in which order.

mod replies;

use std::{collections::BTreeMap, time::Duration};

use super::{
    Change, Received,
    hashes::{EVERYTHING, TileHashes},
    limits::{Allowance, Allowances, Bucket, Refusal, ServerLimits, SyncError},
    packet::{
        AHEAD, Piece, Pieces, ServerState, TerrainPacket, ToClient, ToServer, entry_bytes,
        entry_of, grouped, open, seal,
    },
};
use crate::{
    edits::{Edited, Edits},
    entry::{EditId, Entry, Operation},
    error::EditError,
    log,
    stroke::Stroke,
};

/// How often each client learns what the server has.
const STATE_EVERY: Duration = Duration::from_millis(250);

/// What each client may cause the server to send.
const REPLIES: Allowance = Allowance {
    per_second: 1 << 18,
    // More than the largest stroke.
    most: 1 << 20,
};

/// The number of refusals that the server remembers for each author.
const REMEMBERED: usize = 64;

/// The largest description of a base in bytes.
const BASE_BYTES: usize = 1000;

/// The server of a shared terrain.
///
/// It has no sockets and no clock. Tell it who connects, pass the packets of clients to
/// [`receive`](Self::receive), and send those that [`send`](Self::send) returns. Packets may get lost,
/// arrive twice or in another order. The [crate documentation](crate#over-a-network) has an example.
#[derive(Debug)]
pub struct TerrainServer {
    edits: Edits,
    base: String,
    limits: ServerLimits,
    hashes: TileHashes,
    authors: BTreeMap<u32, Author>,
}

/// What the server keeps about an author, also while the author is not connected.
#[derive(Debug)]
struct Author {
    session: u32,
    /// The last number that was processed.
    processed: u32,
    refused: BTreeMap<u32, Refusal>,
    allowances: Allowances,
    peer: Option<Peer>,
}

/// A connected client.
#[derive(Debug)]
struct Peer {
    /// Whether the client has begun its session.
    greeted: bool,
    /// The time of the next entry that was not sent yet.
    next: u64,
    pieces: Pieces,
    /// Complete edits that arrived too early.
    early: BTreeMap<u32, Vec<u8>>,
    replies: Bucket,
    state_at: Duration,
    outbox: Vec<TerrainPacket>,
}

impl TerrainServer {
    /// Creates a server.
    ///
    /// `base` describes the terrain below the edits, for example a recipe or the hash of a file. A client
    /// with another description is refused, and can load what the [error](SyncError::Base) names.
    ///
    /// The log may be empty, or one that a server [saved](Edits::to_bytes). Another log is compacted,
    /// because the server numbers the entries by their time.
    ///
    /// # Errors
    /// If the description has more than 1000 bytes.
    pub fn new(
        mut edits: Edits,
        base: impl Into<String>,
        limits: ServerLimits,
    ) -> Result<Self, SyncError> {
        let base = base.into();
        let (bytes, most) = (base.len(), BASE_BYTES);
        if bytes > most {
            return Err(SyncError::BaseLength { bytes, most });
        }
        let times = edits.entries().map(|entry| entry.time);
        let is_drag = |entry: &Entry| matches!(entry.operation, Operation::Drag(_));
        let is_numbered = times.eq(edits.compacted_before().max(1)..=edits.clock());
        if !is_numbered || edits.entries().any(is_drag) {
            edits.compact(u64::MAX);
        }
        let hashes = TileHashes::of(edits.checkpoint_tiles().iter());
        let authors = BTreeMap::new();
        Ok(Self {
            edits,
            base,
            limits,
            hashes,
            authors,
        })
    }

    /// Returns the log and the edited terrain.
    pub fn edits(&self) -> &Edits {
        &self.edits
    }

    /// Begins a session of a client, in whose name all its edits are made. The game decides who the
    /// author is. If the author is already connected, the new session replaces the old one.
    pub fn connect(&mut self, author: u32, now: Duration) {
        let next = self.next();
        let processed = self.edits.last_sequence(author);
        let allowances = || Allowances::full(&self.limits, now);
        let author = self.authors.entry(author).or_insert_with(|| Author {
            session: 0,
            processed,
            refused: BTreeMap::new(),
            allowances: allowances(),
            peer: None,
        });
        author.processed = author.processed.max(processed);
        author.session += 1;
        author.peer = Some(Peer {
            greeted: false,
            next,
            pieces: Pieces::default(),
            early: BTreeMap::new(),
            replies: Bucket::full(REPLIES, now),
            state_at: Duration::ZERO,
            outbox: Vec::new(),
        });
    }

    /// Ends the session of a client.
    pub fn disconnect(&mut self, author: u32) {
        if let Some(author) = self.authors.get_mut(&author) {
            author.peer = None;
        }
    }

    /// Makes a stroke in the name of the server, without limits, for example for an explosion. The author
    /// must not be one of a client.
    ///
    /// # Errors
    /// If the log does not accept the stroke.
    pub fn stroke(&mut self, author: u32, stroke: Stroke) -> Result<Edited, EditError> {
        let made = self.edits.stroke(author, stroke)?;
        self.compact();
        Ok(made)
    }

    /// Receives a packet from the client of an author. `now` is the time since any fixed moment.
    ///
    /// # Errors
    /// If the author is not connected, or the packet is damaged. Nothing changes then. Edits that exceed
    /// the limits are no errors: they are refused, the client receives the reason, and the result has it.
    pub fn receive(
        &mut self,
        author: u32,
        packet: &TerrainPacket,
        now: Duration,
    ) -> Result<Received, SyncError> {
        let not_connected = SyncError::NotConnected { author };
        let mut received = Received::default();
        let Some(state) = self.authors.get_mut(&author) else {
            return Err(not_connected);
        };
        let Some(peer) = &mut state.peer else {
            return Err(not_connected);
        };
        let (session, message) = open::<ToServer>(packet)?;
        state.allowances.refill(now);
        peer.replies.refill(now);
        if session != state.session {
            if let ToServer::Hello(answered) = message {
                // A server that was loaded from a file does not know the numbers of refused edits.
                state.processed = state.processed.max(answered);
            }
            self.welcome(author);
            return Ok(received);
        }
        match message {
            ToServer::Hello(_) => self.welcome(author),
            ToServer::Edits(pieces) => {
                for piece in pieces {
                    self.take_piece(author, piece, &mut received);
                }
            }
            ToServer::Entries(times) => self.send_entries(author, &times),
            ToServer::Nodes(checkpoint, ranges) if checkpoint == self.checkpoint() => {
                self.send_nodes(author, &ranges);
            }
            ToServer::Rows(checkpoint, tiles) if checkpoint == self.checkpoint() => {
                self.send_rows(author, &tiles);
            }
            ToServer::Nodes(..) | ToServer::Rows(..) => {
                let state = self.state();
                self.reply(author, &ToClient::State(state));
            }
        }
        Ok(received)
    }

    /// Returns the packets to send, each with the author whose client gets it. Call it once per frame, or
    /// some times per second.
    pub fn send(&mut self, now: Duration) -> Vec<(u32, TerrainPacket)> {
        let state = self.state();
        let peers = self
            .authors
            .values()
            .filter_map(|author| author.peer.as_ref());
        let first = peers.map(|peer| peer.next).min().unwrap_or(state.next);
        let fresh = self.edits.entries_from(first.max(state.checkpoint));
        let fresh = fresh.map(|entry| (entry.time, entry_bytes(entry.id, &entry.operation)));
        let fresh: Vec<(u64, Vec<u8>)> = fresh.collect();
        let mut packets = Vec::new();
        for (&id, author) in &mut self.authors {
            let Some(peer) = &mut author.peer else {
                continue;
            };
            if peer.greeted {
                let unsent = fresh.iter().filter(|(time, _)| *time >= peer.next);
                let pieces = unsent.flat_map(|(time, bytes)| Piece::of(*time, bytes));
                let groups = grouped(pieces).into_iter();
                let entries = groups.map(|group| seal(author.session, &ToClient::Entries(group)));
                peer.outbox.extend(entries);
                peer.next = state.next;
                if now >= peer.state_at {
                    peer.state_at = now + STATE_EVERY;
                    peer.outbox
                        .push(seal(author.session, &ToClient::State(state)));
                }
            }
            packets.extend(peer.outbox.drain(..).map(|packet| (id, packet)));
        }
        packets
    }

    fn next(&self) -> u64 {
        self.edits.clock() + 1
    }

    fn checkpoint(&self) -> u64 {
        self.edits.compacted_before()
    }

    fn state(&self) -> ServerState {
        ServerState {
            checkpoint: self.checkpoint(),
            root: self.hashes.sum(EVERYTHING),
            next: self.next(),
        }
    }

    fn welcome(&mut self, author: u32) {
        let mut sequence = 0;
        if let Some(author) = self.authors.get_mut(&author)
            && let Some(peer) = &mut author.peer
        {
            sequence = author.processed;
            peer.greeted = true;
        }
        let welcome = ToClient::Welcome {
            base: self.base.clone(),
            sequence,
            state: self.state(),
        };
        self.reply(author, &welcome);
    }

    /// Receives a part of an edit. Edits are processed in the order of their numbers.
    fn take_piece(&mut self, id: u32, piece: Piece, received: &mut Received) {
        let Some(author) = self.authors.get_mut(&id) else {
            return;
        };
        let Ok(sequence) = u32::try_from(piece.number()) else {
            return;
        };
        if sequence <= author.processed {
            if piece.is_first() {
                self.answer(id, sequence);
            }
            return;
        }
        let Some(peer) = &mut author.peer else {
            return;
        };
        let is_next = sequence == author.processed + 1;
        match author.allowances.check_bytes(piece.total()) {
            Err(refusal) if is_next => self.refuse(id, sequence, refusal, received),
            Ok(()) if sequence - author.processed <= AHEAD as u32 => {
                if let Some(bytes) = peer.pieces.add(piece) {
                    peer.early.insert(sequence, bytes);
                }
            }
            _ => {}
        }
        self.process(id, received);
    }

    /// Processes all edits whose turn it is.
    fn process(&mut self, id: u32, received: &mut Received) {
        while let Some(author) = self.authors.get_mut(&id)
            && let Some(peer) = &mut author.peer
            && let Some(bytes) = peer.early.remove(&author.processed.saturating_add(1))
        {
            let sequence = author.processed + 1;
            peer.pieces.forget_before(u64::from(sequence) + 1);
            match self.accept(id, sequence, &bytes) {
                Ok(made) => {
                    received.changes.extend(made);
                    if let Some(author) = self.authors.get_mut(&id) {
                        author.processed = sequence;
                    }
                    self.compact();
                }
                Err(refusal) => self.refuse(id, sequence, refusal, received),
            }
        }
    }

    /// Checks an edit, and adds it to the end of the log.
    fn accept(&mut self, author: u32, sequence: u32, bytes: &[u8]) -> Result<Vec<Change>, Refusal> {
        let by_log = |error: EditError| Refusal::by_log(&error);
        let time = self.next();
        let known = self.authors.get_mut(&author);
        let allowances = &mut known.ok_or(Refusal::Old)?.allowances;
        allowances.take_edit(bytes.len())?;
        let (id, operation) = entry_of(bytes).ok_or(Refusal::Malformed)?;
        if id != (EditId { author, sequence }) || matches!(operation, Operation::Drag(_)) {
            return Err(Refusal::Malformed);
        }
        let entry = Entry {
            id,
            time,
            operation,
        };
        log::check(&entry).map_err(by_log)?;
        if let Some(stroke) = entry.operation.stored_stroke() {
            allowances.take_area(&self.limits, stroke)?;
        }
        match entry.operation.target() {
            Some(id) if id.author != author => return Err(Refusal::NotYours { id }),
            _ => self.edits.check_target(&entry.operation).map_err(by_log)?,
        }
        self.edits.insert(entry).map_err(by_log)
    }

    fn refuse(&mut self, author: u32, sequence: u32, refusal: Refusal, received: &mut Received) {
        let id = EditId { author, sequence };
        received.refused.push((id, refusal.clone()));
        if let Some(author) = self.authors.get_mut(&author) {
            author.processed = sequence;
            author.refused.insert(sequence, refusal);
            if author.refused.len() > REMEMBERED {
                author.refused.pop_first();
            }
        }
        self.answer(author, sequence);
    }

    /// Sends what was decided about an edit.
    fn answer(&mut self, author: u32, sequence: u32) {
        let known = self.authors.get(&author);
        let refusal = known
            .and_then(|author| author.refused.get(&sequence))
            .cloned();
        let entry = self.edits.entry(EditId { author, sequence });
        match (refusal, entry) {
            (None, Some(entry)) => self.send_entries(author, &[(entry.time, 1)]),
            (refusal, _) => {
                let refusal = refusal.unwrap_or(Refusal::Old);
                self.reply(author, &ToClient::Refused(vec![(sequence, refusal)]));
            }
        }
    }

    /// Makes a new checkpoint, if the log is long enough.
    fn compact(&mut self) {
        let history = self.limits.history;
        if self.edits.len() < 2 * history.max(1) {
            return;
        }
        self.edits.compact(self.next() - history as u64);
        self.hashes = TileHashes::of(self.edits.checkpoint_tiles().iter());
    }
}
