//! Earlier states of tiles, from which later ones are computed again.
//!
//! A checkpoint is the state of the whole plane after all strokes up to a position in the order. It
//! stores only the tiles that changed since the checkpoint before it, and shares them with the
//! current state until they change.
//!
//! ```text
//!   order        ......|..........|......|...|..|.|. now
//!   checkpoints        1          2      3   4  5 6     old ones are far apart
//! ```
//!
//! All tiles have their checkpoints at the same positions. Otherwise a tile that is computed again
//! from its own checkpoint could need an earlier state of its neighbor, which would need an even
//! earlier one of the next neighbor, and so on to the beginning.
//!
//! Memory: a limited number of tiles, or four checkpoints. When there are more, the checkpoint is dropped whose
//! neighbors are closest to each other in relation to its age. So their distances grow with age,
//! and about log(n) checkpoints remain.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use crate::{cells::TileAddress, entry::Key, tile::Tile};

/// How many checkpoints there are.
#[derive(Clone, Copy)]
pub(crate) struct Spacing {
    /// The largest number of strokes between two checkpoints, when they are made.
    pub(crate) strokes: usize,
    /// The largest number of tiles in all checkpoints.
    pub(crate) tiles: usize,
}

/// The largest number of cells of dabs between two checkpoints, when they are made. About 20 ms of
/// work.
const WORK: u64 = 1 << 23;

/// The number of checkpoints that are always kept, even if they have too many tiles. All together
/// have each tile at least once that ever changed, so a limit alone could leave none.
const FEWEST: usize = 4;

#[derive(Debug, Clone)]
pub(crate) struct Checkpoint {
    /// The position of the last stroke before it.
    pub(crate) key: Key,
    /// The tiles that changed since the checkpoint before. `None`: without edits.
    tiles: BTreeMap<TileAddress, Option<Arc<Tile>>>,
    /// The number of strokes before it.
    strokes: usize,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Checkpoints {
    list: Vec<Checkpoint>,
    /// The state before the first checkpoint.
    pub(crate) baked: BTreeMap<TileAddress, Arc<Tile>>,
    /// The tiles that changed since the last checkpoint.
    touched: BTreeSet<TileAddress>,
    strokes: usize,
    work: u64,
}

impl Checkpoints {
    /// The number of checkpoints before a position. The state of the last one is
    /// [`before`](Self::before) with this number.
    pub(crate) fn count_before(&self, key: Key) -> usize {
        self.list.partition_point(|checkpoint| checkpoint.key < key)
    }

    /// The number of checkpoints.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// The position of a checkpoint.
    pub(crate) fn key(&self, index: usize) -> Option<Key> {
        self.list.get(index).map(|checkpoint| checkpoint.key)
    }

    /// The state of a tile at the last of the first `count` checkpoints.
    pub(crate) fn before(&self, count: usize, tile: TileAddress) -> Option<Arc<Tile>> {
        for checkpoint in self.list[..count].iter().rev() {
            if let Some(found) = checkpoint.tiles.get(&tile) {
                return found.clone();
            }
        }
        self.baked.get(&tile).cloned()
    }

    /// Whether a checkpoint stores a tile. Otherwise it has the state of the checkpoint before.
    pub(crate) fn has(&self, index: usize, tile: TileAddress) -> bool {
        self.list[index].tiles.contains_key(&tile)
    }

    /// Replaces the state of a tile at a checkpoint.
    pub(crate) fn replace(&mut self, index: usize, tile: TileAddress, state: Option<Arc<Tile>>) {
        self.list[index].tiles.insert(tile, state);
    }

    /// Changes a tile at all checkpoints from `key` on.
    pub(crate) fn adjust(
        &mut self,
        key: Key,
        tile: TileAddress,
        adjust: impl Fn(&mut Option<Arc<Tile>>),
    ) {
        let first = self.count_before(key);
        let inherited = self.before(first, tile);
        for (at, checkpoint) in self.list[first..].iter_mut().enumerate() {
            if at == 0 {
                checkpoint
                    .tiles
                    .entry(tile)
                    .or_insert_with(|| inherited.clone());
            }
            if let Some(state) = checkpoint.tiles.get_mut(&tile) {
                adjust(state);
            }
        }
    }

    /// Takes note of a stroke, with the number of cells of its dabs.
    pub(crate) fn touch(&mut self, tiles: impl IntoIterator<Item = TileAddress>, work: u64) {
        self.touched.extend(tiles);
        self.strokes += 1;
        self.work += work;
    }

    /// Makes a checkpoint of the current state after the stroke at `latest`, if it is time for one.
    pub(crate) fn take_if_due(
        &mut self,
        latest: Key,
        spacing: Spacing,
        current: impl Fn(TileAddress) -> Option<Arc<Tile>>,
    ) {
        let before = self.list.last();
        let since = self.strokes - before.map_or(0, |last| last.strokes);
        let is_later = before.is_none_or(|last| last.key < latest);
        if !is_later || (since < spacing.strokes && self.work < WORK) {
            return;
        }
        let touched = std::mem::take(&mut self.touched);
        let tiles = touched.into_iter().map(|tile| (tile, current(tile)));
        self.list.push(Checkpoint {
            key: latest,
            tiles: tiles.collect(),
            strokes: self.strokes,
        });
        self.work = 0;
        self.thin_out(spacing.tiles);
    }

    /// The number of stored tiles.
    pub(crate) fn tiles(&self) -> usize {
        self.list
            .iter()
            .map(|checkpoint| checkpoint.tiles.len())
            .sum()
    }

    /// The memory of tiles that only checkpoints use, in bytes. `current` returns the current tile.
    pub(crate) fn bytes(&self, current: impl Fn(TileAddress) -> Option<Arc<Tile>>) -> usize {
        let mut seen: BTreeMap<TileAddress, Vec<*const Tile>> = BTreeMap::new();
        let mut bytes = 0;
        let tiles = self.list.iter().flat_map(|checkpoint| &checkpoint.tiles);
        for (&address, tile) in tiles {
            let known = seen.entry(address).or_insert_with(|| {
                let shared = [current(address), self.baked.get(&address).cloned()];
                shared.iter().flatten().map(Arc::as_ptr).collect()
            });
            if let Some(tile) = tile
                && !known.contains(&Arc::as_ptr(tile))
            {
                known.push(Arc::as_ptr(tile));
                bytes += tile.bytes();
            }
        }
        bytes
    }

    fn thin_out(&mut self, most_tiles: usize) {
        while self.tiles() > most_tiles && self.list.len() > FEWEST {
            let strokes = |at: usize| self.list.get(at).map_or(self.strokes, |one| one.strokes);
            // Gaps in relation to ages, compared as fractions.
            let gap = |at: usize| {
                let before = at.checked_sub(1).map_or(0, strokes);
                let age = self.strokes + 1 - strokes(at);
                ((strokes(at + 1) - before) as f64) / age as f64
            };
            // Never the last one, whose tiles would be missing from the next one.
            let all = 0..self.list.len() - 1;
            let Some(drop) = all.min_by(|&a, &b| gap(a).total_cmp(&gap(b))) else {
                return;
            };
            let dropped = self.list.remove(drop);
            let next = &mut self.list[drop];
            for (tile, state) in dropped.tiles {
                next.tiles.entry(tile).or_insert(state);
            }
        }
    }

    /// Drops all checkpoints. The history begins at `baked`, and the current state may differ from it
    /// in `touched`.
    pub(crate) fn restart(
        &mut self,
        baked: BTreeMap<TileAddress, Arc<Tile>>,
        touched: BTreeSet<TileAddress>,
    ) {
        *self = Self {
            baked,
            touched,
            ..Self::default()
        };
    }
}
