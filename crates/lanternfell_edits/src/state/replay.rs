//! Computes tiles again from a checkpoint.
//!
//! Steps, for a stroke that is switched on or off at a position in the order:
//!
//! 1. *Forward.* Its tiles are stale from that position on. A later stroke that computes a tile from
//!    a stale one makes that tile stale, from its own position on. Most brushes compute each cell
//!    from the same cell only, so they make no other tile stale.
//! 2. *Backward.* The stale tiles are computed again from the last checkpoint before the position.
//!    Strokes on the way may compute them from other tiles, whose states at that time are needed too.
//!    Those are computed from the same checkpoint, up to the last time at which they are needed.
//! 3. *Replay.* All strokes on these tiles are applied in order, and only to these tiles. Stale
//!    tiles also replace those of later checkpoints.
//!
//! Cost: the strokes since the checkpoint on the stale tiles and on what they depend on.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{Change, Record, State, shared};
use crate::{
    apply::{BaseTiles, Scene, applied},
    cells::TileAddress,
    entry::Key,
    log::Log,
    tile::Tile,
    weights::Dabs,
};

/// The positions from which tiles are stale.
type Stale = BTreeMap<TileAddress, Key>;

/// The tiles that are computed, each up to a position, or up to now (`None`).
type Needs = BTreeMap<TileAddress, Option<Key>>;

/// Computed tiles.
type Tiles = BTreeMap<TileAddress, Option<Arc<Tile>>>;

impl State {
    /// Computes stale tiles, and all that depend on them. At the beginning all are stale from the
    /// same position.
    pub(super) fn replay_stale(
        &mut self,
        log: &Log,
        base: &BaseTiles<'_>,
        stale: Stale,
    ) -> Vec<Change> {
        let Some(from) = stale.values().min().copied() else {
            return Vec::new();
        };
        let stale = self.spread(log, stale);
        let needs = stale.keys().map(|&tile| (tile, None)).collect();
        let mut tiles = self.replay(log, base, needs, from, &stale);
        let mut changes = Vec::new();
        for &tile in stale.keys() {
            changes.extend(self.set(tile, tiles.remove(&tile).flatten()));
        }
        changes
    }

    /// Computes everything again, for a new base.
    pub(crate) fn replay_all(&mut self, log: &Log, base: &BaseTiles<'_>) -> Vec<Change> {
        let first = |(&tile, record): (&TileAddress, &Record)| {
            let first = record.writers.first()?;
            Some((tile, log.key(*first)))
        };
        let stale: Stale = self.records.iter().filter_map(first).collect();
        self.replay_stale(log, base, stale)
    }

    /// Step 1.
    fn spread(&self, log: &Log, mut stale: Stale) -> Stale {
        let mut queue = BTreeSet::new();
        let queue_readers = |queue: &mut BTreeSet<(Key, u32)>, tile: &TileAddress, from: Key| {
            let Some(record) = self.records.get(tile) else {
                return;
            };
            let readers = record
                .readers
                .iter()
                .rev()
                .map(|&slot| (log.key(slot), slot));
            queue.extend(readers.take_while(|(key, _)| *key > from));
        };
        for (tile, &from) in &stale {
            queue_readers(&mut queue, tile, from);
        }
        while let Some((key, slot)) = queue.pop_first() {
            let dabs = Dabs::of(log.stroke(slot));
            for tile in dabs.footprint().writes {
                let is_stale = |tile: &TileAddress| stale.get(tile).is_some_and(|from| *from < key);
                if !is_stale(&tile) && dabs.sources(tile).iter().any(is_stale) {
                    queue_readers(&mut queue, &tile, key);
                    stale.insert(tile, key);
                }
            }
        }
        stale
    }

    /// Steps 2 and 3: computes the needed tiles from the last checkpoint before `from`.
    fn replay(
        &mut self,
        log: &Log,
        base: &BaseTiles<'_>,
        needs: Needs,
        from: Key,
        stale: &Stale,
    ) -> Tiles {
        let mut checkpoint = self.checkpoints.count_before(from);
        let start = checkpoint
            .checked_sub(1)
            .and_then(|at| self.checkpoints.key(at));
        let needs = self.with_dependencies(log, needs, start);
        let before = |&tile: &TileAddress| (tile, self.checkpoints.before(checkpoint, tile));
        let mut tiles: Tiles = needs.keys().map(before).collect();
        let mut strokes: BTreeMap<(Key, u32), Vec<TileAddress>> = BTreeMap::new();
        for (&tile, &until) in &needs {
            for stroke in self.strokes_on(log, tile, start, until) {
                strokes.entry(stroke).or_default().push(tile);
            }
        }
        for ((key, slot), writes) in strokes {
            while self.checkpoints.key(checkpoint).is_some_and(|at| at < key) {
                self.renew(checkpoint, stale, &tiles);
                checkpoint += 1;
            }
            let dabs = Dabs::of(log.stroke(slot));
            let current = |tile: TileAddress| tiles.get(&tile).cloned().flatten();
            let scene = Scene {
                base,
                tile: &current,
            };
            let after = |&tile: &TileAddress| (tile, shared(applied(&dabs, scene, tile)));
            let after: Vec<_> = writes.iter().map(after).collect();
            tiles.extend(after);
        }
        for checkpoint in checkpoint..self.checkpoints.len() {
            self.renew(checkpoint, stale, &tiles);
        }
        tiles
    }

    /// Replaces the stale tiles of a checkpoint.
    fn renew(&mut self, index: usize, stale: &Stale, tiles: &Tiles) {
        let Some(key) = self.checkpoints.key(index) else {
            return;
        };
        for (&tile, _) in stale.iter().filter(|(_, from)| **from <= key) {
            let state = tiles.get(&tile).cloned().flatten();
            self.checkpoints.replace(index, tile, state);
        }
    }

    /// Step 2: adds the tiles that strokes after `start` read on the way.
    fn with_dependencies(&self, log: &Log, mut needs: Needs, start: Option<Key>) -> Needs {
        // The strokes that compute a tile from others, each with that tile.
        let of = |tile: TileAddress, until: Option<Key>| {
            let strokes = self.strokes_on(log, tile, start, until);
            let strokes = strokes.filter(|(_, slot)| !log.stroke(*slot).brush.is_local());
            strokes.map(move |(key, slot)| (key, slot, tile))
        };
        let mut queue = BTreeSet::new();
        for (&tile, &until) in &needs {
            queue.extend(of(tile, until));
        }
        // From the last stroke to the first, so that the first need of a tile is the latest one.
        while let Some((key, slot, tile)) = queue.pop_last() {
            for source in Dabs::of(log.stroke(slot)).sources(tile) {
                needs.entry(source).or_insert_with(|| {
                    queue.extend(of(source, Some(key)));
                    Some(key)
                });
            }
        }
        needs
    }

    /// The strokes that write a tile, after `start` and before `until`.
    fn strokes_on(
        &self,
        log: &Log,
        tile: TileAddress,
        start: Option<Key>,
        until: Option<Key>,
    ) -> impl Iterator<Item = (Key, u32)> {
        let writers = self
            .records
            .get(&tile)
            .map_or(&[][..], |record| &record.writers);
        let keys = writers.iter().rev().map(|&slot| (log.key(slot), slot));
        keys.skip_while(move |(key, _)| until.is_some_and(|until| *key >= until))
            .take_while(move |(key, _)| start.is_none_or(|start| *key > start))
    }

    /// Makes the state before `key` the beginning of the history. The strokes before it remain in
    /// the histories of their tiles until [`renumber`](Self::renumber).
    pub(crate) fn bake(&mut self, log: &Log, base: &BaseTiles<'_>, key: Key) {
        let is_old = |record: &Record| {
            let first = record.writers.first();
            first.is_some_and(|&slot| log.key(slot) < key)
        };
        let tiles = self.records.iter().filter(|(_, record)| is_old(record));
        let needs: Needs = tiles.map(|(&tile, _)| (tile, Some(key))).collect();
        let mut tiles = self.replay(log, base, needs.clone(), key, &Stale::new());
        let mut baked = std::mem::take(&mut self.checkpoints.baked);
        for tile in needs.into_keys() {
            match tiles.remove(&tile).flatten() {
                Some(state) => baked.insert(tile, state),
                None => baked.remove(&tile),
            };
        }
        let touched = self.records.keys().copied().collect();
        self.checkpoints.restart(baked, touched);
    }

    /// Replaces the numbers of slots in all histories, and forgets those without a new number.
    pub(crate) fn renumber(&mut self, numbers: &[Option<u32>]) {
        let renumber = |history: &mut Vec<u32>| {
            history.retain_mut(|slot| match numbers[*slot as usize] {
                Some(number) => {
                    *slot = number;
                    true
                }
                None => false,
            });
            history.shrink_to_fit();
        };
        for record in self.records.values_mut() {
            renumber(&mut record.writers);
            renumber(&mut record.readers);
        }
        let tiles: Vec<TileAddress> = self.records.keys().copied().collect();
        self.forget_unused(tiles.iter());
    }
}
