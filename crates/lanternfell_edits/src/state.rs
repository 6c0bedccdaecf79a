//! The current tiles, and how they change when a stroke is switched on or off.
//!
//! The terrain is a fold: the base, and then all active strokes in the order of the log. Computing
//! all of it for each change would be slow, so there are three ways from one state to the next:
//!
//! 1. An additive stroke on a tile that no later stroke reads: its amounts are added or subtracted.
//! 2. Another stroke with no later stroke on its tiles: it is applied to the current tiles.
//! 3. Otherwise the tiles are computed again from a checkpoint (see [`replay`]).
//!
//! All three give the same bits as the fold: amounts do not depend on the terrain, and addition
//! modulo 2^32 is commutative and associative, so an amount can be added at any position up to the
//! next stroke that reads the tile.
//!
//! Each tile has the list of the strokes that write it and of those that read it, so the cost does
//! not depend on the rest of the plane.

mod drags;
mod replay;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use self::drags::Drags;
use crate::{
    apply::{added_amounts, applied},
    blocks::Region,
    cells::{CellRect, Channel, TileAddress},
    checkpoints::{Checkpoints, Spacing},
    entry::Key,
    log::Log,
    scene::{BaseTiles, Scene},
    stroke::Stroke,
    tile::Tile,
    weights::{Dabs, Footprint},
};

/// A rectangle of cells that changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// What changed.
    pub channel: Channel,
    /// The smallest rectangle with all cells that changed, within one tile.
    pub area: CellRect,
}

/// A tile and its history.
#[derive(Debug, Clone, Default)]
struct Record {
    /// `None` if the tile has no edits.
    tile: Option<Arc<Tile>>,
    /// The active strokes that write the tile, in order.
    writers: Vec<u32>,
    /// The active strokes that read the tile, in order.
    readers: Vec<u32>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    records: BTreeMap<TileAddress, Record>,
    pub(crate) checkpoints: Checkpoints,
    /// The last position at which a stroke was switched on.
    latest: Option<Key>,
    pub(crate) drags: Drags,
}

impl State {
    pub(crate) fn tile(&self, address: TileAddress) -> Option<&Arc<Tile>> {
        self.records.get(&address)?.tile.as_ref()
    }

    /// All tiles with edits, in the order of their addresses.
    pub(crate) fn tiles(&self) -> impl Iterator<Item = (TileAddress, &Arc<Tile>)> {
        let tiles = self.records.iter();
        tiles.filter_map(|(&address, record)| Some((address, record.tile.as_ref()?)))
    }

    /// Adds a tile that is there from the beginning.
    pub(crate) fn start_with(&mut self, address: TileAddress, tile: Arc<Tile>) {
        self.checkpoints.baked.insert(address, tile.clone());
        self.records.entry(address).or_default().tile = Some(tile);
    }

    /// The number of tiles with edits or a history, and the number of strokes in all histories.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let strokes = |record: &Record| record.writers.capacity() + record.readers.capacity();
        (self.records.len(), self.records.values().map(strokes).sum())
    }

    /// The number of tiles with a history if a stroke were switched on.
    pub(crate) fn tiles_with(&self, footprint: &Footprint) -> usize {
        let all = footprint.writes.union(&footprint.reads);
        let new = all.filter(|tile| !self.records.contains_key(tile)).count();
        self.records.len() + new
    }

    /// Replaces what a slot does to the terrain: `None` before it is switched on, and after it is
    /// switched off. Returns the rectangles that changed.
    pub(crate) fn change(
        &mut self,
        log: &Log,
        base: &BaseTiles<'_>,
        slot: u32,
        versions: [Option<&Stroke>; 2],
    ) -> Vec<Change> {
        let key = log.key(slot);
        let [before, after] = versions.map(|stroke| stroke.map(Dabs::of));
        let footprint = |dabs: &Option<Dabs<'_>>| match dabs {
            Some(dabs) => dabs.footprint(),
            None => Footprint::default(),
        };
        let longer = match (&before, &after) {
            (Some(before), Some(after)) if after.continues(before) => Some([before, after]),
            _ => None,
        };
        // With other targets, the stroke also reads other tiles.
        let [old, new] = match longer {
            Some([before, after]) if after.has_targets_of(before) => {
                [Footprint::default(), after.footprint_from(before.count())]
            }
            _ => [&before, &after].map(footprint),
        };
        self.note(log, slot, false, &old);
        self.note(log, slot, true, &new);
        let writes = match (&before, &after) {
            (Some(before), Some(after)) => after.differing(before),
            _ => old.writes.union(&new.writes).copied().collect(),
        };
        let work = [&before, &after].map(|dabs| dabs.as_ref().map_or(0, Dabs::work));
        self.checkpoints
            .touch(writes.iter().copied(), work[0].abs_diff(work[1]));
        let [known, longer_known] = self.drags.change(slot, longer);
        let before = before.map(|dabs| dabs.with_known(Some(&known)));
        let after = after.map(|dabs| dabs.with_known(Some(&longer_known)));
        let changes = match (&before, &after) {
            (Some(dabs), _) | (None, Some(dabs)) if dabs.stroke.brush.is_additive() => {
                self.add(log, base, key, [&before, &after], &writes)
            }
            (None, Some(dabs)) if self.is_last(log, key, &new) => {
                self.append(base, key, dabs, &writes)
            }
            _ => {
                let stale = writes
                    .iter()
                    .map(|&tile| (tile, differing([&before, &after], tile)));
                self.replay_stale(log, base, key, stale.collect())
            }
        };
        if after.is_some() {
            self.latest = self.latest.max(Some(key));
        }
        self.forget_unused(old.writes.union(&old.reads));
        changes
    }

    /// Makes a checkpoint of the current state, if it is time for one.
    pub(crate) fn take_checkpoint(&mut self, spacing: Spacing) {
        let Some(latest) = self.latest else {
            return;
        };
        let Self {
            records,
            checkpoints,
            ..
        } = self;
        let current = |tile| records.get(&tile).and_then(|record| record.tile.clone());
        checkpoints.take_if_due(latest, spacing, current);
    }

    /// Enters a stroke into the histories of its tiles, or removes it.
    fn note(&mut self, log: &Log, slot: u32, on: bool, footprint: &Footprint) {
        let key = log.key(slot);
        let change = |history: &mut Vec<u32>| {
            let place = history.partition_point(|&other| log.key(other) < key);
            match (on, history.get(place) == Some(&slot)) {
                (true, false) => history.insert(place, slot),
                (false, true) => {
                    history.remove(place);
                }
                // A longer drag reaches a tile again.
                (true, true) | (false, false) => {}
            }
        };
        for &tile in &footprint.writes {
            change(&mut self.records.entry(tile).or_default().writers);
        }
        for &tile in &footprint.reads {
            change(&mut self.records.entry(tile).or_default().readers);
        }
    }

    fn forget_unused<'a>(&mut self, tiles: impl Iterator<Item = &'a TileAddress>) {
        for tile in tiles {
            let is_unused = |record: &Record| {
                record.tile.is_none() && record.writers.is_empty() && record.readers.is_empty()
            };
            if self.records.get(tile).is_some_and(is_unused) {
                self.records.remove(tile);
            }
        }
    }

    /// Whether no later stroke reads what a stroke writes, or writes what it reads or writes.
    fn is_last(&self, log: &Log, key: Key, footprint: &Footprint) -> bool {
        let none_later = |history: &[u32]| history.last().is_none_or(|&last| log.key(last) <= key);
        let record = |tile: &TileAddress| self.records.get(tile);
        let mut written = footprint.writes.iter().filter_map(record);
        let mut read = footprint.reads.iter().filter_map(record);
        written.all(|record| none_later(&record.writers) && none_later(&record.readers))
            && read.all(|record| none_later(&record.writers))
    }

    /// Subtracts the amounts of an additive stroke before a change, and adds those after it.
    fn add(
        &mut self,
        log: &Log,
        base: &BaseTiles<'_>,
        key: Key,
        [before, after]: [&Option<Dabs<'_>>; 2],
        writes: &BTreeSet<TileAddress>,
    ) -> Vec<Change> {
        let mut changes = Vec::new();
        let mut stale = Region::new();
        let empty = Tile::empty(Channel::Heights);
        for &tile in writes {
            let Some(record) = self.records.get_mut(&tile) else {
                continue;
            };
            if record
                .readers
                .last()
                .is_some_and(|&last| log.key(last) > key)
            {
                stale.insert(tile, differing([before, after], tile));
                continue;
            }
            let amounts = added_amounts([before.as_ref(), after.as_ref()], tile);
            let adjust = |state: &mut Option<Arc<Tile>>| add_to(state, &amounts);
            adjust(&mut record.tile);
            self.checkpoints.adjust(key, tile, adjust);
            if let Some(area) = Tile::Heights(amounts.into()).difference(&empty, tile) {
                let channel = Channel::Heights;
                changes.push(Change { channel, area });
            }
        }
        if !stale.is_empty() {
            changes.extend(self.replay_stale(log, base, key, stale));
        }
        changes
    }

    /// Applies a stroke to the current tiles.
    fn append(
        &mut self,
        base: &BaseTiles<'_>,
        key: Key,
        dabs: &Dabs<'_>,
        writes: &BTreeSet<TileAddress>,
    ) -> Vec<Change> {
        let current = |tile: TileAddress| self.tile(tile).cloned();
        let scene = Scene {
            base,
            tile: &current,
        };
        let tiles = writes
            .iter()
            .map(|&tile| (tile, shared(applied(dabs, scene, tile))));
        let tiles: Vec<_> = tiles.collect();
        let mut changes = Vec::new();
        for (tile, state) in tiles {
            for index in self.checkpoints.count_before(key)..self.checkpoints.len() {
                self.checkpoints.replace(index, tile, state.clone());
            }
            changes.extend(self.set(tile, state));
        }
        changes
    }

    /// Replaces a current tile.
    fn set(&mut self, address: TileAddress, tile: Option<Arc<Tile>>) -> Option<Change> {
        let record = self.records.entry(address).or_default();
        let before = std::mem::replace(&mut record.tile, tile);
        let empty;
        let (before, after) = match (&before, &record.tile) {
            (None, None) => return None,
            (Some(before), Some(after)) if Arc::ptr_eq(before, after) => return None,
            (Some(before), Some(after)) => (&**before, &**after),
            (Some(tile), None) | (None, Some(tile)) => {
                empty = Tile::empty(address.channel);
                (&**tile, &empty)
            }
        };
        let channel = address.channel;
        let area = before.difference(after, address)?;
        Some(Change { channel, area })
    }
}

/// A tile in its canonical form: one without edits does not exist.
fn shared(tile: Tile) -> Option<Arc<Tile>> {
    (!tile.is_empty()).then(|| Arc::new(tile))
}

fn add_to(state: &mut Option<Arc<Tile>>, amounts: &[i32]) {
    let tile = state.get_or_insert_with(|| Arc::new(Tile::empty(Channel::Heights)));
    if let Tile::Heights(deltas) = Arc::make_mut(tile) {
        for (delta, &amount) in deltas.iter_mut().zip(amounts) {
            *delta = delta.wrapping_add(amount);
        }
    }
    if tile.is_empty() {
        *state = None;
    }
}

/// The blocks of a tile that differ between two versions of a stroke.
fn differing(versions: [&Option<Dabs<'_>>; 2], tile: TileAddress) -> u64 {
    match versions {
        [Some(before), Some(after)] => after.differing_blocks(before, tile),
        [Some(dabs), None] | [None, Some(dabs)] => dabs.blocks(tile),
        [None, None] => 0,
    }
}
