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

/// The bytes of edits that a client sends at once.
const SENT_AT_ONCE: usize = 1 << 14;

impl TerrainClient {
    /// Returns the packets to send to the server. Call it once per frame, or some times per second.
    /// `now` is the time since any fixed moment.
    pub fn send(&mut self, now: Duration) -> Vec<TerrainPacket> {
        let mut messages = Vec::new();
        if self.session == 0 {
            if now >= self.hello_at {
                self.hello_at = now + PATIENCE;
                let first = self.pending.front().map(|pending| pending.id.sequence - 1);
                let answered = first.unwrap_or(self.edits.last_sequence(self.author));
                messages.push(ToServer::Hello(answered));
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
    fn missing_entries(&mut self, now: Duration) -> Option<ToServer> {
        if self.next >= self.server.next {
            self.entries_at = None;
            return None;
        }
        let wait = match self.asked {
            asked if self.next >= asked && asked > 0 && self.entries_at.is_some() => Duration::ZERO,
            _ => LATENESS,
        };
        let at = *self.entries_at.get_or_insert(now + wait);
        if now < at {
            return None;
        }
        self.entries_at = Some(now + PATIENCE);
        let end = self
            .server
            .next
            .min(self.next.saturating_add(ENTRIES_AT_ONCE));
        let mut ranges: Vec<(u64, u32)> = Vec::new();
        for time in (self.next..end).filter(|time| !self.early.contains_key(time)) {
            match ranges.last_mut() {
                Some((first, count)) if *first + u64::from(*count) == time => *count += 1,
                _ => ranges.push((time, 1)),
            }
        }
        ranges.truncate(64);
        self.asked = end;
        (!ranges.is_empty()).then_some(ToServer::Entries(ranges))
    }
}
