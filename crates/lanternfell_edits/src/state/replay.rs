//! Computes parts of tiles again from a checkpoint.
//!
//! Steps, for a stroke that is switched on or off at a position in the order:
//!
//! 1. *Forward.* The [blocks] that it reaches are stale from that position on. A later stroke that
//!    computes a block from a stale one makes that block stale too. Most brushes compute each cell
//!    from the same cell only, so they make no other block stale.
//! 2. *Backward.* The stale blocks are computed again from the last checkpoint before the position.
//!    Strokes on the way may compute them from other blocks, which are then needed up to there.
//! 3. *Replay.* The strokes on needed blocks are applied in order, and then the stale blocks replace
//!    those of the current tiles and of later checkpoints.
//!
//! Strokes are applied to whole tiles, because that is simple. Blocks that are not needed get wrong
//! values, but no needed block is computed from them.
//!
//! Cost: the strokes since the checkpoint on needed blocks. These are few if strokes are small: a
//! stroke depends on those that it overlaps, and on those that they overlap, and so on.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{Change, Record, State, shared};
use crate::{
    apply::applied,
    blocks::{self, Region},
    cells::TileAddress,
    entry::Key,
    log::Log,
    scene::{BaseTiles, Scene},
    tile::Tile,
    weights::Dabs,
};

/// Strokes, each with a tile that it changes.
type Steps = BTreeMap<(Key, u32), Vec<TileAddress>>;

/// Computed tiles.
type Tiles = BTreeMap<TileAddress, Option<Arc<Tile>>>;

impl State {
    /// Computes blocks that are stale from a position on, and all that depend on them.
    pub(super) fn replay_stale(
        &mut self,
        log: &Log,
        base: &BaseTiles<'_>,
        from: Key,
        mut stale: Region,
    ) -> Vec<Change> {
        self.spread(log, from, &mut stale);
        let tiles = self.replay(log, base, from, None, &stale);
        let mut changes = Vec::new();
        for (&tile, &blocks) in &stale {
            let state = merged(self.tile(tile), &tiles, tile, blocks);
            changes.extend(self.set(tile, state));
        }
        changes
    }

    /// Computes everything again, for a new base.
    pub(crate) fn replay_all(&mut self, log: &Log, base: &BaseTiles<'_>) -> Vec<Change> {
        let records = self.records.iter();
        let firsts = records.filter_map(|(&tile, record)| Some((tile, *record.writers.first()?)));
        let firsts: Vec<(TileAddress, u32)> = firsts.collect();
        let from = firsts.iter().map(|&(_, slot)| log.key(slot)).min();
        let stale = firsts.iter().map(|&(tile, _)| (tile, blocks::ALL));
        from.map_or_else(Vec::new, |from| {
            self.replay_stale(log, base, from, stale.collect())
        })
    }

    /// Step 1.
    fn spread(&self, log: &Log, from: Key, stale: &mut Region) {
        let mut queue = BTreeSet::new();
        for tile in stale.keys() {
            queue.extend(self.dependents(log, tile, from));
        }
        while let Some((key, slot)) = queue.pop_first() {
            let dabs = Dabs::of(log.stroke(slot));
            let mut fresh = Region::new();
            for tile in dabs.footprint().writes {
                let known = stale.get(&tile).copied().unwrap_or_default();
                for (block, cells) in blocks::each(tile, dabs.blocks(tile) & !known) {
                    let mut sources = dabs.sources(cells).into_iter();
                    if sources.any(|area| blocks::meets(stale, area, tile.channel)) {
                        blocks::add(&mut fresh, (tile, block));
                    }
                }
            }
            for (tile, blocks) in fresh {
                if !stale.contains_key(&tile) {
                    queue.extend(self.dependents(log, &tile, key));
                }
                blocks::add(stale, (tile, blocks));
            }
        }
    }

    /// The strokes after a position that compute cells from other cells of a tile.
    fn dependents(
        &self,
        log: &Log,
        tile: &TileAddress,
        from: Key,
    ) -> impl Iterator<Item = (Key, u32)> {
        let record = self.records.get(tile);
        let readers = record.map_or(&[][..], |record| &record.readers);
        let keys = readers.iter().rev().map(|&slot| (log.key(slot), slot));
        keys.take_while(move |(key, _)| *key > from)
            .filter(|(_, slot)| !log.stroke(*slot).brush.is_local())
    }

    /// Step 2. `needed` is what must be computed up to `until`, or up to now. It becomes all that
    /// must be computed after `start`.
    fn plan(&self, log: &Log, needed: &mut Region, [start, until]: [Option<Key>; 2]) -> Steps {
        let mut steps = Steps::new();
        let mut queue = BTreeSet::new();
        for &tile in needed.keys() {
            queue.extend(self.strokes_on(log, tile, start, until));
        }
        while let Some((key, slot)) = queue.pop_last() {
            let dabs = Dabs::of(log.stroke(slot));
            let mut sources = Region::new();
            let mut writes = Vec::new();
            for tile in candidates(needed, &dabs) {
                let known = needed.get(&tile).copied().unwrap_or_default();
                let hit = dabs.blocks(tile) & known;
                if hit != 0 {
                    writes.push(tile);
                }
                for (_, cells) in blocks::each(tile, hit) {
                    let areas = dabs.sources(cells).into_iter();
                    areas
                        .flat_map(|area| blocks::region(area, tile.channel))
                        .for_each(|blocks| blocks::add(&mut sources, blocks));
                }
            }
            if !writes.is_empty() {
                steps.insert((key, slot), writes);
            }
            for (tile, blocks) in sources {
                if !needed.contains_key(&tile) {
                    queue.extend(self.strokes_on(log, tile, start, Some(key)));
                }
                blocks::add(needed, (tile, blocks));
            }
        }
        steps
    }

    /// Computes stale blocks from the last checkpoint before `from`, up to `until`, or up to now.
    /// Then also replaces those of later checkpoints.
    fn replay(
        &mut self,
        log: &Log,
        base: &BaseTiles<'_>,
        from: Key,
        until: Option<Key>,
        stale: &Region,
    ) -> Tiles {
        let mut checkpoint = self.checkpoints.count_before(from);
        let start = checkpoint
            .checked_sub(1)
            .and_then(|at| self.checkpoints.key(at));
        let mut needed = stale.clone();
        let steps = self.plan(log, &mut needed, [start, until]);
        let before = |&tile: &TileAddress| (tile, self.checkpoints.before(checkpoint, tile));
        let mut tiles: Tiles = needed.keys().map(before).collect();
        let mut written = BTreeSet::new();
        for ((key, slot), writes) in steps {
            while self.checkpoints.key(checkpoint).is_some_and(|at| at < key) {
                self.renew(checkpoint, stale, &tiles, std::mem::take(&mut written));
                checkpoint += 1;
            }
            let known = self.drags.effects(slot);
            let dabs = Dabs::of(log.stroke(slot)).with_known(known);
            let current = |tile: TileAddress| tiles.get(&tile).cloned().flatten();
            let scene = Scene {
                base,
                tile: &current,
            };
            let after = |&tile: &TileAddress| (tile, shared(applied(&dabs, scene, tile)));
            let after: Vec<_> = writes.iter().map(after).collect();
            tiles.extend(after);
            written.extend(writes);
        }
        if until.is_none() {
            for checkpoint in checkpoint..self.checkpoints.len() {
                self.renew(checkpoint, stale, &tiles, std::mem::take(&mut written));
            }
        }
        tiles
    }

    /// Replaces the stale blocks of a checkpoint. `written` are the tiles with strokes since the
    /// checkpoint before it. All others get what they had there, if the checkpoint does not have them.
    fn renew(
        &mut self,
        index: usize,
        stale: &Region,
        tiles: &Tiles,
        written: BTreeSet<TileAddress>,
    ) {
        for (&tile, &blocks) in stale {
            if written.contains(&tile) || self.checkpoints.has(index, tile) {
                let before = self.checkpoints.before(index + 1, tile);
                let state = merged(before.as_ref(), tiles, tile, blocks);
                self.checkpoints.replace(index, tile, state);
            }
        }
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
        let needed: Region = tiles.map(|(&tile, _)| (tile, blocks::ALL)).collect();
        let mut tiles = self.replay(log, base, key, Some(key), &needed);
        let mut baked = std::mem::take(&mut self.checkpoints.baked);
        for tile in needed.into_keys() {
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
        self.drags.clear();
        let tiles: Vec<TileAddress> = self.records.keys().copied().collect();
        self.forget_unused(tiles.iter());
    }
}

/// Tiles, among them all that are needed and that a stroke writes. Long drags reach many more tiles
/// than are needed.
fn candidates(needed: &Region, dabs: &Dabs<'_>) -> BTreeSet<TileAddress> {
    let channel = dabs.stroke.brush.channel();
    match needed.len() < dabs.count() {
        true => {
            let tiles = needed.keys().copied();
            tiles.filter(|tile| tile.channel == channel).collect()
        }
        false => dabs.footprint().writes,
    }
}

/// A tile with some blocks of the computed one.
fn merged(
    before: Option<&Arc<Tile>>,
    computed: &Tiles,
    tile: TileAddress,
    blocks: u64,
) -> Option<Arc<Tile>> {
    let computed = computed.get(&tile).and_then(Option::as_ref);
    let empty = || Arc::new(Tile::empty(tile.channel));
    let mut merged = before.cloned().unwrap_or_else(empty);
    let source = computed.cloned().unwrap_or_else(empty);
    Arc::make_mut(&mut merged).copy_blocks(&source, blocks);
    match before {
        Some(before) if *before == merged => Some(before.clone()),
        _ => (!merged.is_empty()).then_some(merged),
    }
}
