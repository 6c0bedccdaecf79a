//! A tree of tile hashes, with which a client finds the tiles that differ from those of the server.
//!
//! A node is a range of addresses in their order, and its hash is the sum of the hashes in it. A node
//! with few tiles is a leaf, and others have 16 children with as many tiles each:
//!
//! ```text
//!                      -inf ........................ +inf     equal? then all is equal
//!                     /                |                 \
//!            -inf ... a            a ... b            b ... +inf      ask for those that differ
//!                                 /   |    \
//!                          tile 1, tile 2, tile 3                     and for their tiles
//! ```
//!
//! The server chooses where ranges end, and the client computes the sums of its own tiles for the same
//! ranges. The depth is the logarithm of the number of tiles to base 16: three round trips for 4000
//! tiles. Edits are close together, and so are their addresses, so few nodes differ.

use std::sync::Arc;

use lanternfell_random::SplitMix64;
use serde::{Deserialize, Serialize};

use crate::{
    cells::{Channel, TileAddress},
    tile::Tile,
};

/// The largest number of children, and of tiles in a leaf.
const FAN: usize = 16;

/// A range of addresses, both ends included.
pub(super) type Range = (TileAddress, TileAddress);

/// All addresses.
pub(super) const EVERYTHING: Range = (
    TileAddress::new(Channel::Heights, i64::MIN, i64::MIN),
    TileAddress::new(Channel::Plants, i64::MAX, i64::MAX),
);

/// The hashes of all tiles.
#[derive(Debug, Clone, Default)]
pub(super) struct TileHashes {
    tiles: Vec<(TileAddress, u64)>,
    /// What was hashed.
    contents: Vec<Arc<Tile>>,
    /// The sums of the hashes before each tile.
    sums: Vec<u64>,
}

/// What the server knows about a range.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Node {
    pub(super) range: Range,
    pub(super) content: Content,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Content {
    /// The last address of each child, and its hash.
    Children(Vec<(TileAddress, u64)>),
    /// All tiles, each with its hash.
    Tiles(Vec<(TileAddress, u64)>),
}

impl TileHashes {
    /// Hashes tiles in the order of their addresses.
    pub(super) fn of<'a>(tiles: impl Iterator<Item = (&'a TileAddress, &'a Arc<Tile>)>) -> Self {
        Self::default().updated(tiles)
    }

    /// Hashes tiles in the order of their addresses, except for those that are still the same.
    pub(super) fn updated<'a>(
        &self,
        tiles: impl Iterator<Item = (&'a TileAddress, &'a Arc<Tile>)>,
    ) -> Self {
        let known = |address: &TileAddress, tile: &Arc<Tile>| {
            let at = self.tiles.binary_search_by_key(address, |(tile, _)| *tile);
            let at = at.ok().filter(|&at| Arc::ptr_eq(&self.contents[at], tile));
            at.map(|at| self.tiles[at].1)
        };
        let hashed = |(address, tile): (&'a TileAddress, &'a Arc<Tile>)| {
            let hash = known(address, tile).unwrap_or_else(|| tile.hash());
            ((*address, hash), tile.clone())
        };
        let (tiles, contents): (Vec<_>, Vec<_>) = tiles.map(hashed).unzip();
        let mut sums = vec![0_u64];
        for &(address, hash) in &tiles {
            let before = sums[sums.len() - 1];
            sums.push(before.wrapping_add(located(address, hash)));
        }
        Self {
            tiles,
            contents,
            sums,
        }
    }

    /// The hash of a range.
    pub(super) fn sum(&self, range: Range) -> u64 {
        let [start, end] = self.ends(range);
        let sum = |at: usize| self.sums.get(at).copied().unwrap_or_default();
        sum(end).wrapping_sub(sum(start))
    }

    /// The tiles of a range.
    pub(super) fn tiles(&self, range: Range) -> &[(TileAddress, u64)] {
        let [start, end] = self.ends(range);
        &self.tiles[start..end]
    }

    fn ends(&self, (first, last): Range) -> [usize; 2] {
        let start = self.tiles.partition_point(|(tile, _)| *tile < first);
        let end = self.tiles.partition_point(|(tile, _)| *tile <= last);
        [start, end.max(start)]
    }

    /// Describes a range.
    pub(super) fn node(&self, range: Range) -> Node {
        let tiles = self.tiles(range);
        if tiles.len() <= FAN {
            let content = Content::Tiles(tiles.to_vec());
            return Node { range, content };
        }
        let mut first = range.0;
        let count = tiles.len().div_ceil(FAN);
        let mut children = Vec::new();
        for child in tiles.chunks(count) {
            let is_last = children.len() + 1 == tiles.len().div_ceil(count);
            let last = if is_last {
                range.1
            } else {
                child[child.len() - 1].0
            };
            children.push((last, self.sum((first, last))));
            first = after(last);
        }
        let content = Content::Children(children);
        Node { range, content }
    }
}

/// The address after another one in the order.
pub(super) fn after(tile: TileAddress) -> TileAddress {
    TileAddress {
        row: tile.row.saturating_add(1),
        ..tile
    }
}

/// The hash of a tile at an address.
fn located(address: TileAddress, hash: u64) -> u64 {
    let TileAddress {
        channel,
        column,
        row,
    } = address;
    [channel as u64, column as u64, row as u64]
        .into_iter()
        .fold(hash, |hash, word| {
            SplitMix64::mix(hash.wrapping_add(SplitMix64::GAMMA) ^ word)
        })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::cells::TILE_CELLS;
    use lanternfell_random::SeededRng;

    type Tiles = BTreeMap<TileAddress, Arc<Tile>>;

    fn tile(rng: &mut SeededRng) -> Arc<Tile> {
        let mut cells = vec![0; TILE_CELLS];
        cells[rng.below(4096) as usize] = rng.within(1, 9);
        Arc::new(Tile::Heights(cells.into()))
    }

    /// Walks the tree, and returns the tiles that differ and the number of nodes.
    fn walk(ours: &TileHashes, theirs: &TileHashes) -> (Vec<TileAddress>, usize) {
        let (mut open, mut found, mut nodes) = (vec![EVERYTHING], Vec::new(), 0);
        while let Some(range) = open.pop() {
            if ours.sum(range) == theirs.sum(range) {
                continue;
            }
            nodes += 1;
            match theirs.node(range).content {
                Content::Children(children) => {
                    let mut first = range.0;
                    for (last, sum) in children {
                        assert_eq!(sum, theirs.sum((first, last)));
                        open.push((first, last));
                        first = after(last);
                    }
                }
                Content::Tiles(tiles) => {
                    let known = ours.tiles(range);
                    let new = tiles.iter().filter(|tile| !known.contains(tile));
                    found.extend(new.map(|(tile, _)| *tile));
                    let gone = known
                        .iter()
                        .filter(|(at, _)| tiles.iter().all(|(tile, _)| tile != at));
                    found.extend(gone.map(|(tile, _)| *tile));
                }
            }
        }
        found.sort_unstable();
        (found, nodes)
    }

    #[test]
    fn only_tiles_that_changed_are_hashed_again() {
        let mut rng = SeededRng::new(2, b"hashes  ");
        let address = |row| TileAddress::new(Channel::Heights, 0, row);
        let mut tiles: Tiles = (0..20).map(|row| (address(row), tile(&mut rng))).collect();
        let mut before = TileHashes::of(tiles.iter());
        // Shows which hashes are taken over.
        for (_, hash) in &mut before.tiles {
            *hash ^= 1;
        }
        tiles.remove(&address(3));
        for row in [7, 30] {
            tiles.insert(address(row), tile(&mut rng));
        }
        let after = before.updated(tiles.iter());
        let fresh = TileHashes::of(tiles.iter());
        assert_eq!(after.tiles.len(), fresh.tiles.len());
        for (after, fresh) in after.tiles.iter().zip(&fresh.tiles) {
            let is_new = [address(7), address(30)].contains(&fresh.0);
            assert_eq!(after.1 == fresh.1, is_new, "{:?}", fresh.0);
        }
    }

    #[test]
    fn exactly_the_tiles_that_differ_are_found() {
        let mut rng = SeededRng::new(1, b"hashes  ");
        for count in [0, 1, 16, 17, 300, 2000] {
            let mut ours = Tiles::new();
            for _ in 0..count {
                let (column, row) = (rng.within(-90, 90), rng.within(-90, 90));
                let channel = Channel::ALL[rng.below(4) as usize];
                let address = TileAddress::new(channel, column.into(), row.into());
                ours.insert(address, tile(&mut rng));
            }
            let mut theirs = ours.clone();
            let mut differ = Vec::new();
            for (&address, _) in ours.iter().take(500) {
                match rng.below(100) {
                    0 => drop(theirs.remove(&address)),
                    1 => drop(theirs.insert(address, tile(&mut rng))),
                    _ => continue,
                }
                differ.push(address);
            }
            let extra = TileAddress::new(Channel::Holes, 1000, 3);
            theirs.insert(extra, tile(&mut rng));
            differ.push(extra);
            differ.sort_unstable();
            differ.retain(|address| ours.get(address) != theirs.get(address));
            let [ours, theirs] = [&ours, &theirs].map(|tiles| TileHashes::of(tiles.iter()));
            let (found, nodes) = walk(&ours, &theirs);
            assert_eq!(found, differ);
            assert!(
                nodes <= 1 + 3 * differ.len(),
                "{nodes} nodes for {}",
                differ.len()
            );
        }
    }
}
