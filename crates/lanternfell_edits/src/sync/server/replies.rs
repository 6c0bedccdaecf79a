//! What the server answers to questions of clients, within an allowance.

use super::{
    super::{
        hashes::Range,
        limits::Bucket,
        packet::{NODES_AT_ONCE, Piece, ROOM, TILES_AT_ONCE, ToClient, entry_bytes, grouped, seal},
        rows,
    },
    TerrainServer,
};
use crate::cells::TileAddress;

/// What a client is charged for a tile that it asks for, in addition to the packets, because packing it
/// takes time.
const TILE_BYTES: u64 = 512;

impl TerrainServer {
    pub(super) fn replies(&mut self, author: u32) -> Option<&mut Bucket> {
        let peer = self.authors.get_mut(&author)?.peer.as_mut()?;
        Some(&mut peer.replies)
    }

    /// Queues a packet, if the client did not ask for too much.
    pub(super) fn reply(&mut self, author: u32, message: &ToClient) {
        if let Some(author) = self.authors.get_mut(&author)
            && let Some(peer) = &mut author.peer
        {
            let packet = seal(author.session, message);
            let bytes = packet.bytes().len() as u64;
            if peer.replies.has(bytes) {
                peer.replies.take(bytes);
                peer.outbox.push(packet);
            }
        }
    }

    pub(super) fn send_entries(&mut self, author: u32, times: &[(u64, u32)]) {
        let mut pieces = Vec::new();
        let mut bytes = 0;
        let most = u64::from(self.replies(author).map_or(0, |replies| replies.left()));
        for &(first, count) in times {
            let end = first.saturating_add(count.into());
            let entries = self.edits.entries_from(first);
            for entry in entries.take_while(|entry| entry.time < end) {
                if bytes > most {
                    break;
                }
                let encoded = entry_bytes(entry.id, &entry.operation);
                bytes += encoded.len() as u64;
                pieces.extend(Piece::of(entry.time, &encoded));
            }
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
        let price = TILE_BYTES * wanted.len() as u64;
        match self.replies(author) {
            Some(replies) if replies.has(price) => replies.take(price),
            _ => return,
        }
        let tiles = self.edits.checkpoint_tiles();
        let tiles = wanted.iter().filter_map(|&(address, rows)| {
            let tile = tiles.get(&address)?;
            Some((address, &**tile, rows))
        });
        for packed in rows::pack(tiles, ROOM) {
            self.reply(author, &ToClient::Rows(checkpoint, packed));
        }
    }
}
