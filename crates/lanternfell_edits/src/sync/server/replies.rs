//! What the server answers to questions of clients, within an allowance.

use std::ops;

use super::{
    super::{
        hashes::Range,
        limits::Bucket,
        packet::{
            NODES_AT_ONCE, Piece, ROOM, TILES_AT_ONCE, TerrainPacket, ToClient, entry_bytes,
            grouped, seal,
        },
        rows::{self, planes},
    },
    TerrainServer,
};
use crate::cells::TileAddress;

/// The largest size of a packet.
const PACKET: u64 = TerrainPacket::MAX_BYTES as u64;

/// What a client is charged for a row of a tile that it asks for, once per plane, in addition to the
/// packets, because packing it takes time.
const ROW_BYTES: u64 = 8;

/// The number of encoded bytes of an entry for which a client is charged one byte, in addition to the
/// packets.
const ENCODED_BYTES: u64 = 64;

impl TerrainServer {
    pub(super) fn replies(&mut self, author: u32) -> Option<&mut Bucket> {
        let peer = self.authors.get_mut(&author)?.peer.as_mut()?;
        Some(&mut peer.replies)
    }

    /// Queues a packet, if the client did not ask for too much.
    pub(super) fn reply(&mut self, author: u32, message: &ToClient) {
        if let Some(author) = self.authors.get_mut(&author)
            && let Some(peer) = &mut author.peer
            && peer.replies.has(PACKET)
        {
            let packet = seal(author.session, message);
            peer.replies.take(packet.bytes().len() as u64);
            peer.outbox.push(packet);
        }
    }

    pub(super) fn send_entries(&mut self, author: u32, times: &[(u64, u32)]) {
        let whole = |&(first, count): &(u64, u32)| {
            let end = first.saturating_add(count.into());
            (first..end, 0..u16::MAX)
        };
        self.send_some(author, times.iter().map(whole));
    }

    pub(super) fn send_pieces(&mut self, author: u32, pieces: &[(u64, u16, u16)]) {
        let part = |&(time, first, count): &(u64, u16, u16)| {
            let times = time..time.saturating_add(1);
            (times, first..first.saturating_add(count))
        };
        self.send_some(author, pieces.iter().map(part));
    }

    /// Sends some pieces of the entries in ranges of times, as far as the allowance reaches.
    fn send_some(
        &mut self,
        author: u32,
        asked: impl Iterator<Item = (ops::Range<u64>, ops::Range<u16>)>,
    ) {
        let left = self.replies(author).map_or(0, |replies| replies.left());
        let mut left = u64::from(left);
        let mut work = 0;
        let mut encoded = (0, Vec::new());
        let mut pieces = Vec::new();
        for (times, wanted) in asked {
            let entries = self.edits.entries_from(times.start);
            for entry in entries.take_while(|entry| entry.time < times.end) {
                if left < PACKET {
                    break;
                }
                if encoded.0 != entry.time {
                    encoded = (entry.time, entry_bytes(entry.id, &entry.operation));
                    let price = encoded.1.len() as u64 / ENCODED_BYTES;
                    work += price;
                    left = left.saturating_sub(price);
                }
                for piece in Piece::some(entry.time, &encoded.1, wanted.clone()) {
                    if left < PACKET {
                        break;
                    }
                    left = left.saturating_sub(piece.size() as u64);
                    pieces.push(piece);
                }
            }
        }
        if let Some(replies) = self.replies(author) {
            replies.take(work);
        }
        for group in grouped(pieces) {
            self.reply(author, &ToClient::Entries(group));
        }
    }

    pub(super) fn send_nodes(&mut self, author: u32, ranges: &[Range]) {
        let checkpoint = self.checkpoint();
        // Each node has at most 16 addresses, with 29 bytes each at most.
        for ranges in ranges[..ranges.len().min(NODES_AT_ONCE)].chunks(2) {
            let nodes = ranges.iter().map(|&range| self.hashes.node(range));
            let nodes = nodes.collect();
            self.reply(author, &ToClient::Nodes(checkpoint, nodes));
        }
    }

    pub(super) fn send_rows(&mut self, author: u32, wanted: &[(TileAddress, u64)]) {
        let checkpoint = self.checkpoint();
        let wanted = &wanted[..wanted.len().min(TILES_AT_ONCE)];
        let left = self
            .replies(author)
            .map_or(0, |replies| replies.left().into());
        let mut price: u64 = 0;
        let tiles = self.edits.checkpoint_tiles();
        let tiles = wanted.iter().filter_map(|&(address, rows)| {
            let tile = tiles.get(&address)?;
            let work = u64::from(rows.count_ones()) * planes(address.channel) as u64 * ROW_BYTES;
            let affordable = price + work <= left;
            price += if affordable { work } else { 0 };
            affordable.then_some((address, &**tile, rows))
        });
        let tiles: Vec<_> = tiles.collect();
        let packets = rows::pack(tiles, ROOM);
        if let Some(replies) = self.replies(author) {
            replies.take(price);
        }
        for packed in packets {
            self.reply(author, &ToClient::Rows(checkpoint, packed));
        }
    }
}
