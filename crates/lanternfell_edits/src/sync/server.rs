//! The server: it decides which edits are part of the terrain, and in which order.

mod replies;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use lanternfell_random::Fnv1a;

use super::{
    Change, Received,
    hashes::{EVERYTHING, TileHashes},
    limits::{Allowance, Allowances, Bucket, Refusal, ServerLimits, SyncError, check_radius},
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
    most: 1 << 18,
};

/// The new entries that the server sends to each client. A large one takes some seconds.
const STREAM: Allowance = Allowance {
    per_second: 1 << 18,
    most: 1 << 17,
};

/// The largest number of edits that a server forgets when it goes back to an older save: far more than
/// an author makes, and a small part of all numbers.
const FORGOTTEN: u32 = 1 << 24;

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
    /// Whether only the log of an earlier server has edits of the author.
    is_new: bool,
    refused: BTreeMap<u32, Refusal>,
    allowances: Allowances,
    peer: Option<Peer>,
}

/// A connected client.
#[derive(Debug)]
struct Peer {
    /// Whether the client has begun its session.
    greeted: bool,
    /// The time of the next entry that was not sent yet, and the first piece of it that was not.
    next: u64,
    piece: u16,
    stream: Bucket,
    pieces: Pieces,
    /// Complete edits that arrived too early.
    early: BTreeMap<u32, Vec<u8>>,
    replies: Bucket,
    state_at: Duration,
    outbox: Vec<TerrainPacket>,
}

impl Author {
    /// Notes that all edits up to a number are processed.
    fn advance(&mut self, sequence: u32) {
        self.processed = sequence;
        if let Some(peer) = &mut self.peer {
            peer.early.retain(|&early, _| early > sequence);
            peer.pieces.forget_before(u64::from(sequence) + 1);
        }
    }
}

impl Peer {
    /// Keeps a piece of an edit until it is processed. All of them have at most a number of bytes.
    fn keep(&mut self, sequence: u32, piece: Piece, is_next: bool, most: usize) {
        if self.early.contains_key(&sequence) {
            return;
        }
        if !self.pieces.has(sequence.into()) && self.kept_bytes() + piece.total() > most {
            if !is_next {
                return;
            }
            // The client sends the others again.
            self.early.clear();
            self.pieces = Pieces::default();
        }
        if let Some(bytes) = self.pieces.add(piece) {
            self.early.insert(sequence, bytes);
        }
    }

    fn kept_bytes(&self) -> usize {
        let early: usize = self.early.values().map(Vec::len).sum();
        early + self.pieces.bytes()
    }

    /// Takes the pieces that come next, as far as the allowance reaches. `encoded` has entries that were
    /// encoded for other clients.
    fn fresh(&mut self, edits: &Edits, encoded: &mut BTreeMap<u64, Vec<u8>>) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for entry in edits.entries_from(self.next) {
            if !self.stream.has(TerrainPacket::MAX_BYTES as u64) {
                return pieces;
            }
            let encode = || entry_bytes(entry.id, &entry.operation);
            let bytes = encoded.entry(entry.time).or_insert_with(encode);
            for piece in Piece::some(entry.time, bytes, self.piece..u16::MAX) {
                let size = piece.size() as u64;
                if !self.stream.has(size) {
                    return pieces;
                }
                self.stream.take(size);
                self.piece += 1;
                pieces.push(piece);
            }
            (self.next, self.piece) = (entry.time + 1, 0);
        }
        pieces
    }
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
    ///
    /// `now` is the time since any fixed moment, but not since the start of the program if clients stay
    /// connected while the server restarts: they recognize a new server by it.
    pub fn connect(&mut self, author: u32, now: Duration) {
        let next = self.next();
        let processed = self.edits.last_sequence(author);
        let root = self.hashes.sum(EVERYTHING);
        let allowances = || Allowances::full(&self.limits, now);
        let id = author;
        let author = self.authors.entry(id).or_insert_with(|| Author {
            session: 0,
            processed,
            is_new: true,
            refused: BTreeMap::new(),
            allowances: allowances(),
            peer: None,
        });
        author.processed = author.processed.max(processed);
        let parts = [now.as_nanos() as u64, id.into(), next, root];
        let bytes = parts.into_iter().flat_map(u64::to_le_bytes);
        let session = Fnv1a::of_bytes(bytes) as u32;
        author.session = match session == author.session {
            true => session.wrapping_add(1),
            false => session,
        }
        .max(1);
        author.peer = Some(Peer {
            greeted: false,
            next,
            piece: 0,
            stream: Bucket::full(STREAM, now),
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

    /// Makes a stroke in the name of the server, without limits, for example for an explosion.
    ///
    /// # Errors
    /// If the author is a client, also one that has disconnected, or if the log does not accept the
    /// stroke.
    pub fn stroke(&mut self, author: u32, stroke: Stroke) -> Result<Edited, SyncError> {
        if self.authors.contains_key(&author) {
            return Err(SyncError::Client { author });
        }
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
        let is_current = session == state.session;
        match message {
            ToServer::Hello { greeting, answered } => self.greet(author, greeting, answered),
            // The client does not know that its session has ended.
            _ if !is_current => self.welcome(author, 0),
            ToServer::Edits(pieces) => {
                let mut decided = BTreeSet::new();
                for piece in pieces {
                    decided.extend(self.take_piece(author, piece, &mut received));
                }
                decided.extend(received.refused.iter().map(|(id, _)| id.sequence));
                for sequence in decided {
                    self.answer(author, sequence);
                }
            }
            ToServer::Entries(times) => self.send_entries(author, &times),
            ToServer::Pieces(pieces) => self.send_pieces(author, &pieces),
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
        let mut encoded = BTreeMap::new();
        let mut packets = Vec::new();
        for (&id, author) in &mut self.authors {
            let Some(peer) = &mut author.peer else {
                continue;
            };
            if peer.greeted {
                peer.stream.refill(now);
                if peer.next < state.checkpoint {
                    (peer.next, peer.piece) = (state.checkpoint, 0);
                }
                let groups = grouped(peer.fresh(&self.edits, &mut encoded)).into_iter();
                let entries = groups.map(|group| seal(author.session, &ToClient::Entries(group)));
                peer.outbox.extend(entries);
                if now >= peer.state_at {
                    peer.state_at = now + STATE_EVERY;
                    // The client need not ask for entries that it is going to receive.
                    let next = peer.next;
                    let state = ToClient::State(ServerState { next, ..state });
                    peer.outbox.push(seal(author.session, &state));
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

    fn greet(&mut self, author: u32, greeting: u32, answered: u32) {
        let next = self.next();
        if let Some(author) = self.authors.get_mut(&author) {
            let more = answered.saturating_sub(author.processed);
            // A server that was loaded from a file does not know the numbers of refused edits.
            if author.is_new && (1..=FORGOTTEN).contains(&more) {
                author.is_new = false;
                author.advance(answered);
            }
            if let Some(peer) = &mut author.peer
                && !peer.greeted
            {
                // The client asks for the entries before.
                (peer.greeted, peer.next) = (true, next);
            }
        }
        self.welcome(author, greeting);
    }

    fn welcome(&mut self, author: u32, greeting: u32) {
        let known = self.authors.get(&author);
        let welcome = ToClient::Welcome {
            greeting,
            base: self.base.clone(),
            sequence: known.map_or(0, |author| author.processed),
            state: self.state(),
        };
        self.reply(author, &welcome);
    }

    /// Receives a part of an edit. Edits are processed in the order of their numbers. Returns the number
    /// of an edit that was processed before.
    fn take_piece(&mut self, id: u32, piece: Piece, received: &mut Received) -> Option<u32> {
        let author = self.authors.get_mut(&id)?;
        let sequence = u32::try_from(piece.number()).ok()?;
        if sequence <= author.processed {
            return piece.is_first().then_some(sequence);
        }
        let peer = author.peer.as_mut()?;
        let is_next = sequence == author.processed + 1;
        match author.allowances.check_bytes(piece.total()) {
            Err(refusal) if is_next => self.refuse(id, sequence, refusal, received),
            Ok(()) if sequence - author.processed <= AHEAD as u32 => {
                let most = author.allowances.kept_bytes();
                peer.keep(sequence, piece, is_next, most);
            }
            _ => {}
        }
        self.process(id, received);
        None
    }

    /// Processes all edits whose turn it is.
    fn process(&mut self, id: u32, received: &mut Received) {
        while let Some(author) = self.authors.get_mut(&id)
            && let Some(peer) = &mut author.peer
            && let Some(bytes) = peer.early.remove(&author.processed.saturating_add(1))
        {
            let sequence = author.processed + 1;
            match self.accept(id, sequence, &bytes) {
                Ok(made) => {
                    received.changes.extend(made);
                    if let Some(author) = self.authors.get_mut(&id) {
                        author.is_new = false;
                        author.advance(sequence);
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
            check_radius(&self.limits, stroke)?;
            allowances.take_area(stroke)?;
        }
        if let Some(id) = entry.operation.target() {
            if id.author != author {
                return Err(Refusal::NotYours { id });
            }
            self.edits.check_target(&entry.operation).map_err(by_log)?;
            let target = self.edits.entry(id).map(|entry| &entry.operation);
            if let Some(stroke) = target.and_then(Operation::stored_stroke) {
                allowances.take_area(stroke)?;
            }
        }
        self.edits.insert(entry).map_err(by_log)
    }

    fn refuse(&mut self, author: u32, sequence: u32, refusal: Refusal, received: &mut Received) {
        let id = EditId { author, sequence };
        received.refused.push((id, refusal.clone()));
        if let Some(author) = self.authors.get_mut(&author) {
            author.is_new = false;
            author.advance(sequence);
            author.refused.insert(sequence, refusal);
            if author.refused.len() > REMEMBERED {
                author.refused.pop_first();
            }
        }
    }

    /// Sends what was decided about an edit.
    fn answer(&mut self, author: u32, sequence: u32) {
        let known = self.authors.get(&author);
        let refusal = known
            .and_then(|author| author.refused.get(&sequence))
            .cloned();
        let entry = self.edits.entry(EditId { author, sequence });
        match (refusal, entry) {
            // If it has more pieces, the client asks for them.
            (None, Some(entry)) => self.send_pieces(author, &[(entry.time, 0, 1)]),
            (refusal, _) => {
                let refusal = refusal.unwrap_or(Refusal::Old);
                self.reply(author, &ToClient::Refused(vec![(sequence, refusal)]));
            }
        }
    }

    /// Makes a new checkpoint, if the log is long enough.
    fn compact(&mut self) {
        let history = self.limits.history;
        if self.edits.len() < history.max(1).saturating_mul(2) {
            return;
        }
        self.edits.compact(self.next() - history as u64);
        let tiles = self.edits.checkpoint_tiles().iter();
        self.hashes = self.hashes.updated(tiles);
    }

    #[cfg(test)]
    pub(super) fn session(&self, author: u32) -> u32 {
        self.authors[&author].session
    }

    /// The bytes of edits that wait to be processed.
    #[cfg(test)]
    pub(super) fn kept_bytes(&self, author: u32) -> usize {
        let peer = self.authors[&author].peer.as_ref();
        peer.map_or(0, Peer::kept_bytes)
    }

    /// The largest number of bytes that a client may cause the server to send now.
    #[cfg(test)]
    pub(super) fn replies_left(&mut self, author: u32) -> u32 {
        self.replies(author).map_or(0, |replies| replies.left())
    }
}
