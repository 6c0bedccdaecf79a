//! How a client gets the tiles of a checkpoint: it keeps those that it has, and asks for the others.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{
    hashes::{Content, EVERYTHING, Node, Range, TileHashes, after},
    packet::{NODES_AT_ONCE, ServerState, TILES_AT_ONCE, ToServer},
    rows::{PackedRows, Planes, unpack},
};
use crate::{cells::TileAddress, tile::Tile};

pub(super) type Tiles = BTreeMap<TileAddress, Arc<Tile>>;

/// A tile that is missing.
#[derive(Debug)]
struct Wanted {
    hash: u64,
    /// The rows so far.
    rows: Option<Planes>,
}

#[derive(Debug)]
pub(super) struct Join {
    target: ServerState,
    /// The tiles that the client had before, and their hashes.
    before: Tiles,
    hashes: TileHashes,
    /// Nodes whose hashes differ.
    open: BTreeSet<Range>,
    wanted: BTreeMap<TileAddress, Wanted>,
    found: Tiles,
    /// What the client asked for last.
    asked: (Vec<Range>, Vec<TileAddress>),
}

impl Join {
    pub(super) fn new(target: ServerState, before: Tiles) -> Self {
        let mut join = Self {
            target,
            hashes: TileHashes::of(before.iter()),
            before,
            open: BTreeSet::new(),
            wanted: BTreeMap::new(),
            found: BTreeMap::new(),
            asked: Default::default(),
        };
        join.compare(EVERYTHING, target.root);
        join
    }

    pub(super) fn checkpoint(&self) -> u64 {
        self.target.checkpoint
    }

    /// The tiles from which the next attempt can begin.
    pub(super) fn into_tiles(mut self) -> Tiles {
        self.before.append(&mut self.found);
        self.before
    }

    /// All tiles of the checkpoint, or `None` if some are missing. If the hash of all is wrong, it
    /// begins again.
    pub(super) fn tiles(&mut self) -> Option<Tiles> {
        if !self.open.is_empty() || !self.wanted.is_empty() {
            return None;
        }
        let found = std::mem::take(&mut self.found);
        if TileHashes::of(found.iter()).sum(EVERYTHING) == self.target.root {
            return Some(found);
        }
        *self = Self::new(self.target, Tiles::new());
        None
    }

    /// Takes the tiles of a range from before if they have the same hash.
    fn compare(&mut self, range: Range, sum: u64) {
        if self.hashes.sum(range) != sum {
            self.open.insert(range);
            return;
        }
        for (address, _) in self.hashes.tiles(range) {
            if let Some(tile) = self.before.get(address) {
                self.found.insert(*address, tile.clone());
            }
        }
    }

    pub(super) fn take_nodes(&mut self, checkpoint: u64, nodes: Vec<Node>) {
        if checkpoint != self.checkpoint() {
            return;
        }
        for node in nodes {
            if !self.open.remove(&node.range) {
                continue;
            }
            let (mut first, end) = node.range;
            match node.content {
                Content::Children(children) => {
                    for (last, sum) in children {
                        if first <= last && last <= end {
                            self.compare((first, last), sum);
                            first = after(last);
                        }
                    }
                }
                Content::Tiles(tiles) => {
                    for (address, hash) in tiles {
                        self.take_hash(address, hash);
                    }
                }
            }
        }
    }

    fn take_hash(&mut self, address: TileAddress, hash: u64) {
        match self.before.get(&address) {
            Some(tile) if tile.hash() == hash => {
                self.found.insert(address, tile.clone());
            }
            _ => {
                let rows = None;
                self.wanted.insert(address, Wanted { hash, rows });
            }
        }
    }

    pub(super) fn take_rows(&mut self, checkpoint: u64, packed: &PackedRows) {
        if checkpoint != self.checkpoint() {
            return;
        }
        for rows in unpack(packed).into_iter().flatten() {
            let Some(wanted) = self.wanted.get_mut(&rows.address) else {
                continue;
            };
            let unknown = || Planes::unknown(rows.address.channel);
            let planes = wanted.rows.get_or_insert_with(unknown);
            planes.take(&rows);
            if planes.missing() != 0 {
                continue;
            }
            let hash = wanted.hash;
            match planes.tile().filter(|tile| tile.hash() == hash) {
                Some(tile) => {
                    self.wanted.remove(&rows.address);
                    self.found.insert(rows.address, Arc::new(tile));
                }
                None => wanted.rows = None,
            }
        }
    }

    /// Whether everything that the client asked for last has arrived.
    pub(super) fn is_answered(&self) -> bool {
        let (nodes, tiles) = &self.asked;
        nodes.iter().all(|range| !self.open.contains(range))
            && tiles.iter().all(|tile| !self.wanted.contains_key(tile))
    }

    /// Asks for some of what is missing.
    pub(super) fn ask(&mut self) -> Vec<ToServer> {
        let checkpoint = self.checkpoint();
        let nodes: Vec<Range> = self.open.iter().take(NODES_AT_ONCE).copied().collect();
        let missing = |(&address, wanted): (&TileAddress, &Wanted)| {
            let rows = wanted.rows.as_ref().map_or(u64::MAX, Planes::missing);
            (address, rows)
        };
        let tiles: Vec<_> = self
            .wanted
            .iter()
            .take(TILES_AT_ONCE)
            .map(missing)
            .collect();
        let addresses = tiles.iter().map(|(address, _)| *address);
        self.asked = (nodes.clone(), addresses.collect());
        let mut messages = Vec::new();
        if !nodes.is_empty() {
            messages.push(ToServer::Nodes(checkpoint, nodes));
        }
        if !tiles.is_empty() {
            messages.push(ToServer::Rows(checkpoint, tiles));
        }
        messages
    }
}
