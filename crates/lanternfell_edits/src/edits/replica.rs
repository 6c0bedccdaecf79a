//! What a copy of a log over a network needs: entries that move or are taken back, and checkpoints.

use std::{collections::BTreeMap, sync::Arc};

use super::{EditLimits, Edits};
use crate::{
    base::BaseHeights,
    cells::{Channel, TileAddress},
    entry::{EditId, Entry, Operation},
    error::EditError,
    state::Change,
    tile::Tile,
};

impl Edits {
    /// Creates a log that is compacted up to a time, with the tiles of the compacted entries.
    pub(crate) fn from_checkpoint(
        base: Arc<dyn BaseHeights>,
        limits: EditLimits,
        before: u64,
        tiles: BTreeMap<TileAddress, Arc<Tile>>,
    ) -> Result<Self, EditError> {
        let (count, most) = (tiles.len(), limits.tiles);
        if count > most {
            return Err(EditError::Tiles { tiles: count, most });
        }
        let mut edits = Self::with_limits(base, limits);
        edits.compacted = before;
        edits.log.clock = before.saturating_sub(1);
        for (address, tile) in tiles {
            edits.state.start_with(address, tile);
        }
        Ok(edits)
    }

    /// The tiles of the compacted entries.
    pub(crate) fn checkpoint_tiles(&self) -> &BTreeMap<TileAddress, Arc<Tile>> {
        &self.state.checkpoints.baked
    }

    /// The entries from a time on, in order.
    pub(crate) fn entries_from(&self, time: u64) -> impl Iterator<Item = &Entry> {
        self.log.since(time).map(|slot| &slot.entry)
    }

    /// The last number that an author used.
    pub(crate) fn last_sequence(&self, author: u32) -> u32 {
        self.log.last_sequence(author)
    }

    /// Makes sure that an author does not use a number again.
    pub(crate) fn skip_sequences(&mut self, author: u32, last: u32) {
        self.log.resume(author, last);
    }

    /// Checks what an entry refers to: a tombstone needs a stroke that it changes.
    pub(crate) fn check_target(&self, operation: &Operation) -> Result<(), EditError> {
        match *operation {
            Operation::Undo(id) => self.check_switch(id, false),
            Operation::Redo(id) => self.check_switch(id, true),
            Operation::Stroke(_) | Operation::Drag(_) => Ok(()),
        }
    }

    /// Takes an entry out of the log, as if it had never been there.
    pub(crate) fn remove(&mut self, id: EditId) -> Vec<Change> {
        let Some(slot) = self.log.slot_of(id) else {
            return Vec::new();
        };
        let mut changes = Vec::new();
        if self.log.slots[slot as usize].active {
            changes = self.switch((slot, false));
        }
        let target = self.log.remove(slot);
        if self.is_empty() {
            self.log.clock = self.compacted.saturating_sub(1);
        }
        if let Some(target) = target
            && let Some(stroke) = self.log.slot_of(target)
        {
            let is_active = self.log.slots[stroke as usize].active;
            let undone = self.log.is_undone(target);
            if is_active == undone && self.log.slots[stroke as usize].stroke().is_some() {
                changes.extend(self.switch((stroke, !undone)));
            }
        }
        changes
    }

    /// The cells that differ from those of another log.
    pub(crate) fn differences(&self, other: &Self) -> Vec<Change> {
        let empty = Channel::ALL.map(|channel| (channel, Tile::empty(channel)));
        let addresses = self
            .tiles()
            .chain(other.tiles())
            .map(|(address, _)| address);
        let addresses: std::collections::BTreeSet<TileAddress> = addresses.collect();
        let differing = |address: TileAddress| {
            let [a, b] = [self, other].map(|edits| edits.tile(address));
            let none = empty
                .iter()
                .find(|(channel, _)| *channel == address.channel);
            let none = none.map(|(_, tile)| tile)?;
            let [a, b] = [a, b].map(|tile| tile.map_or(none, |tile| &**tile));
            let channel = address.channel;
            let area = a.difference(b, address)?;
            Some(Change { channel, area })
        };
        addresses.into_iter().filter_map(differing).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{base::FlatBase, brush::Brush, stroke::Stroke};
    use lanternfell_random::SeededRng;

    fn stroke(rng: &mut SeededRng) -> Stroke {
        let brush = match rng.below(3) {
            0 => Brush::Raise { mm: 500 },
            1 => Brush::Smooth { reach: 3 },
            _ => Brush::Flatten { mm: None },
        };
        let mut place = || [(); 2].map(|()| i64::from(rng.within(-9000, 9000)));
        let points = [place(), place()];
        Stroke::along(brush, 2000, points)
    }

    /// A log without the removed entries is equal, and undo and redo know nothing about them.
    #[test]
    fn removed_entries_were_never_there() {
        for seed in 0..60 {
            let mut rng = SeededRng::new(seed, b"remove  ");
            let limits = EditLimits {
                checkpoint_strokes: 3,
                checkpoint_tiles: 30,
                ..EditLimits::default()
            };
            let base = Arc::new(FlatBase { height_mm: 7 });
            let mut edits = Edits::with_limits(base.clone(), limits);
            for _ in 0..30 {
                let author = 1 + rng.below(2) as u32;
                match rng.below(6) {
                    0 => drop(edits.undo(author).unwrap()),
                    1 => drop(edits.redo(author).unwrap()),
                    2 => {
                        let all: Vec<EditId> = edits.entries().map(|entry| entry.id).collect();
                        if let Some(&id) = rng.pick(&all) {
                            edits.remove(id);
                        }
                    }
                    3 => {
                        let last: Vec<EditId> = edits.entries().map(|entry| entry.id).collect();
                        let first = rng.below(last.len() as u64 + 1) as usize;
                        for &id in &last[first..] {
                            let entry = edits.entry(id).unwrap().clone();
                            edits.remove(id);
                            let time = edits.clock() + 1;
                            edits.insert(Entry { time, ..entry }).unwrap();
                        }
                    }
                    _ => drop(edits.stroke(author, stroke(&mut rng)).unwrap()),
                }
                let mut fresh = Edits::with_limits(base.clone(), limits);
                for entry in edits.entries() {
                    fresh.insert(entry.clone()).unwrap();
                }
                assert!(fresh.tiles().eq(edits.tiles()), "seed {seed}");
                assert!(edits.differences(&fresh).is_empty());
                for author in [1, 2] {
                    assert_eq!(fresh.log.last_active(author), edits.log.last_active(author));
                    assert_eq!(fresh.log.last_undone(author), edits.log.last_undone(author));
                }
                assert_eq!(fresh.len(), edits.len());
            }
            edits.compact(edits.clock() / 2);
            let bytes = edits.to_bytes();
            let read = Edits::from_bytes(&bytes, base, limits).unwrap();
            assert!(read.tiles().eq(edits.tiles()), "seed {seed}");
        }
    }
}
