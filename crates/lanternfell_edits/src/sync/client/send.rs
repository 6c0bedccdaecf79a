//! What a client sends to the server: its edits, and questions.

use std::time::Duration;

use super::{
    super::packet::{Piece, TerrainPacket, ToServer, grouped, seal},
    TerrainClient,
};

/// How long a client waits for an answer before it asks again.
const PATIENCE: Duration = Duration::from_millis(250);

/// How long a missing entry may be late before the client asks for it.
const LATENESS: Duration = Duration::from_millis(100);

/// The number of entries that a client asks for at once.
const ENTRIES_AT_ONCE: u64 = 256;

/// The number of ranges in a question.
const RANGES_AT_ONCE: usize = 64;

/// The bytes of edits that a client sends at once.
const SENT_AT_ONCE: usize = 1 << 14;

impl TerrainClient {
    /// Returns the packets to send to the server. Call it once per frame, or some times per second.
    /// `now` is the time since any fixed moment.
    pub fn send(&mut self, now: Duration) -> Vec<TerrainPacket> {
        let mut messages = Vec::new();
        if self.greets {
            if now >= self.hello_at {
                self.hello_at = now + PATIENCE;
                let first = self.pending.front().map(|pending| pending.id.sequence - 1);
                let answered = first.unwrap_or(self.edits.last_sequence(self.author));
                let greeting = self.greeting;
                messages.push(ToServer::Hello { greeting, answered });
            }
        } else {
            messages.extend(self.pending_pieces(now));
            messages.extend(self.missing_entries(now));
            if let Some(join) = &mut self.join
                && (now >= self.join_at || join.is_answered())
            {
                self.join_at = now + PATIENCE;
                messages.extend(join.ask());
            }
        }
        let packets = messages.iter().map(|message| seal(self.session, message));
        packets.collect()
    }

    /// The edits to send, in order, up to a drag in progress.
    fn pending_pieces(&mut self, now: Duration) -> Vec<ToServer> {
        let mut pieces = Vec::new();
        let mut bytes = 0;
        for pending in &mut self.pending {
            if pending.bytes.is_empty() || bytes > SENT_AT_ONCE {
                break;
            }
            if now >= pending.send_at {
                pending.send_at = now + PATIENCE;
                bytes += pending.bytes.len();
                pieces.extend(Piece::of(pending.id.sequence.into(), &pending.bytes));
            }
        }
        let groups = grouped(pieces).into_iter();
        groups.map(ToServer::Edits).collect()
    }

    /// Asks for entries that the server has and that have not arrived for a while.
    fn missing_entries(&mut self, now: Duration) -> Vec<ToServer> {
        if self.next >= self.server.next {
            (self.entries_at, self.asked) = (None, 0);
            return Vec::new();
        }
        let at = match self.entries_at {
            None => now + LATENESS,
            // All that the client asked for has arrived.
            Some(_) if self.asked > 0 && self.next >= self.asked => now,
            Some(at) => at,
        };
        if now < at {
            self.entries_at = Some(at);
            return Vec::new();
        }
        self.entries_at = Some(now + PATIENCE);
        let end = self
            .server
            .next
            .min(self.next.saturating_add(ENTRIES_AT_ONCE));
        let mut ranges: Vec<(u64, u32)> = Vec::new();
        let mut pieces: Vec<(u64, u16, u16)> = Vec::new();
        for time in (self.next..end).filter(|time| !self.early.contains_key(time)) {
            if let Some(gaps) = self.pieces.gaps(time) {
                pieces.extend(gaps.iter().map(|&(first, count)| (time, first, count)));
                continue;
            }
            match ranges.last_mut() {
                Some((first, count)) if *first + u64::from(*count) == time => *count += 1,
                _ => ranges.push((time, 1)),
            }
        }
        ranges.truncate(RANGES_AT_ONCE);
        pieces.truncate(RANGES_AT_ONCE);
        self.asked = end;
        let mut messages = Vec::new();
        if !ranges.is_empty() {
            messages.push(ToServer::Entries(ranges));
        }
        if !pieces.is_empty() {
            messages.push(ToServer::Pieces(pieces));
        }
        messages
    }
}
