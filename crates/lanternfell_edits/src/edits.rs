//! The edits of a terrain: the log and the tiles that follow from it.

mod bytes;
mod drags;
mod replica;

use std::{fmt, sync::Arc};

use crate::{
    base::BaseHeights,
    cells::{CellRect, Channel, TileAddress},
    checkpoints::Spacing,
    entry::{EditId, Entry, Key, Operation},
    error::EditError,
    log::{Log, check},
    scene::{BaseTiles, Scene},
    state::{Change, State},
    stroke::Stroke,
    tile::{ALL_PLANTS, PaintCell, Tile},
    weights::{Dabs, Footprint},
};

/// Limits of the memory that edits use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EditLimits {
    /// The largest number of entries in the log. Default: 4 million.
    pub entries: usize,
    /// The largest number of tiles with edits or a history. A tile of heights has 16 KiB. Default:
    /// 65,536, which is 1 GiB.
    pub tiles: usize,
    /// The number of strokes between two checkpoints. Undo of a recent stroke applies at most this
    /// many strokes again. Default: 64. There are more checkpoints if the strokes are large.
    pub checkpoint_strokes: usize,
    /// The number of tiles in checkpoints. Fewer checkpoints use less memory and make undo of old
    /// strokes slower. Default: 16,384, which is 256 MiB. The four most useful checkpoints are kept
    /// even if they have more.
    pub checkpoint_tiles: usize,
}

impl Default for EditLimits {
    fn default() -> Self {
        Self {
            entries: 1 << 22,
            tiles: 1 << 16,
            checkpoint_strokes: 64,
            checkpoint_tiles: 1 << 14,
        }
    }
}

/// The memory that edits use, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EditMemory {
    /// The entries of the log.
    pub log: usize,
    /// The lists of the strokes on each tile.
    pub histories: usize,
    /// The current tiles, and the effects of drags in progress.
    pub tiles: usize,
    /// Tiles of checkpoints that differ from the current ones.
    pub checkpoints: usize,
}

impl EditMemory {
    /// Returns the sum.
    pub fn total(self) -> usize {
        self.log + self.histories + self.tiles + self.checkpoints
    }
}

/// A new entry, and what it changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The id of the entry. Send [`Edits::entry`] to other copies of the log.
    pub id: EditId,
    /// The cells that changed.
    pub changes: Vec<Change>,
}

/// The edits of a terrain.
///
/// See the [crate documentation](crate) for an example.
#[derive(Clone)]
pub struct Edits {
    base: Arc<dyn BaseHeights>,
    limits: EditLimits,
    log: Log,
    state: State,
    /// Entries before this time are compacted.
    compacted: u64,
}

impl fmt::Debug for Edits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Edits")
            .field("entries", &self.log.len())
            .field("tiles", &self.state.counts().0)
            .field("compacted", &self.compacted)
            .finish_non_exhaustive()
    }
}

impl Edits {
    /// Creates an empty log over a terrain.
    pub fn new(base: Arc<dyn BaseHeights>) -> Self {
        Self::with_limits(base, EditLimits::default())
    }

    /// Creates an empty log with other limits.
    pub fn with_limits(base: Arc<dyn BaseHeights>, limits: EditLimits) -> Self {
        Self {
            base,
            limits,
            log: Log::default(),
            state: State::default(),
            compacted: 0,
        }
    }

    /// Adds a stroke by an author at the end of the log.
    ///
    /// # Errors
    /// If the stroke is not [valid](Stroke::validate), or a limit is reached.
    pub fn stroke(&mut self, author: u32, stroke: Stroke) -> Result<Edited, EditError> {
        self.add_next(author, Operation::Stroke(stroke))
    }

    /// Undoes the last stroke of an author that is part of the terrain. Strokes of other authors
    /// stay. Returns `None` if all are undone.
    ///
    /// # Errors
    /// If a limit is reached.
    pub fn undo(&mut self, author: u32) -> Result<Option<Edited>, EditError> {
        let last = self.log.last_active(author);
        last.map(|id| self.undo_edit(author, id)).transpose()
    }

    /// Brings back the stroke that an author undid last. Returns `None` if none is undone, or if the
    /// author has made another stroke since.
    ///
    /// # Errors
    /// If a limit is reached.
    pub fn redo(&mut self, author: u32) -> Result<Option<Edited>, EditError> {
        let last = self.log.last_undone(author);
        last.map(|id| self.redo_edit(author, id)).transpose()
    }

    /// Undoes a stroke of any author, in the name of `author`.
    ///
    /// # Errors
    /// If the log has no such stroke, if it is already undone, or if a limit is reached.
    pub fn undo_edit(&mut self, author: u32, id: EditId) -> Result<Edited, EditError> {
        self.check_switch(id, false)?;
        self.add_next(author, Operation::Undo(id))
    }

    /// Brings back a stroke of any author, in the name of `author`.
    ///
    /// # Errors
    /// If the log has no such stroke, if it is not undone, or if a limit is reached.
    pub fn redo_edit(&mut self, author: u32, id: EditId) -> Result<Edited, EditError> {
        self.check_switch(id, true)?;
        self.add_next(author, Operation::Redo(id))
    }

    /// Inserts an entry from another copy of the log. Entries may arrive in any order and more than
    /// once.
    ///
    /// # Errors
    /// If a number of the entry is out of range, if the log has a different entry with its id that is
    /// no other version of the same [drag](Self::start_drag), if the entry is older than a
    /// [compacted](Self::compact) log, or if a limit is reached.
    pub fn insert(&mut self, entry: Entry) -> Result<Vec<Change>, EditError> {
        if let Some(slot) = self.log.slot_of(entry.id) {
            return self.insert_version(slot, entry);
        }
        check(&entry)?;
        let Entry { id, time, .. } = entry;
        if time < self.compacted {
            let before = self.compacted;
            return Err(EditError::Compacted { id, time, before });
        }
        let most = self.limits.entries;
        if self.log.len() >= most {
            return Err(EditError::Entries { most });
        }
        // Checks everything before it changes anything.
        let switch = match entry.operation.stroke() {
            Some(_) if self.log.is_undone(id) => None,
            Some(stroke) => {
                self.check_tiles(&Dabs::of(&stroke).footprint())?;
                Some((self.log.next_slot(), true))
            }
            None => self.log.switches(&entry),
        };
        if let Some((slot, true)) = switch
            && entry.operation.target().is_some()
        {
            self.check_tiles(&Dabs::of(self.log.stroke(slot)).footprint())?;
        }
        if matches!(entry.operation, Operation::Drag(_)) {
            // Later versions of the drag are computed from here.
            let strokes = 0;
            self.state.take_checkpoint(Spacing {
                strokes,
                ..self.spacing()
            });
        }
        self.log.add(entry);
        Ok(switch.map_or_else(Vec::new, |switch| self.switch(switch)))
    }

    fn add_next(&mut self, author: u32, operation: Operation) -> Result<Edited, EditError> {
        let entry = self.log.next(author, operation)?;
        let id = entry.id;
        let changes = self.insert(entry)?;
        Ok(Edited { id, changes })
    }

    fn switch(&mut self, (slot, on): (u32, bool)) -> Vec<Change> {
        self.log.set_active(slot, on);
        let stroke = Some(self.log.stroke(slot));
        let versions = if on { [None, stroke] } else { [stroke, None] };
        let base = BaseTiles::of(&*self.base);
        let changes = self.state.change(&self.log, &base, slot, versions);
        self.state.take_checkpoint(self.spacing());
        changes
    }

    fn spacing(&self) -> Spacing {
        Spacing {
            strokes: self.limits.checkpoint_strokes,
            tiles: self.limits.checkpoint_tiles,
        }
    }

    fn check_switch(&self, id: EditId, on: bool) -> Result<(), EditError> {
        let slot = self.log.slot(id).ok_or(EditError::Unknown { id })?;
        match slot.stroke() {
            Some(_) if slot.active == on => {
                let undone = !on;
                Err(EditError::Unchanged { id, undone })
            }
            Some(_) => Ok(()),
            None => Err(EditError::Unknown { id }),
        }
    }

    fn check_tiles(&self, footprint: &Footprint) -> Result<(), EditError> {
        let most = self.limits.tiles;
        let tiles = self.state.tiles_with(footprint);
        match tiles <= most {
            true => Ok(()),
            false => Err(EditError::Tiles { tiles, most }),
        }
    }

    /// Returns the heights of an area with all edits, in millimeters, row by row.
    pub fn heights_mm(&self, area: CellRect) -> Vec<i32> {
        let base = BaseTiles::of(&*self.base);
        let tile = |address| self.state.tile(address).cloned();
        let scene = Scene {
            base: &base,
            tile: &tile,
        };
        scene.heights(area)
    }

    /// Returns the difference between the edited and the unedited height of a cell, in millimeters.
    pub fn delta_mm(&self, column: i64, row: i64) -> i32 {
        match self.tile_of(Channel::Heights, column, row) {
            Some(Tile::Heights(deltas)) => deltas[TileAddress::index(column, row)],
            _ => 0,
        }
    }

    /// Whether a cell is a hole.
    pub fn is_hole(&self, column: i64, row: i64) -> bool {
        match self.tile_of(Channel::Holes, column, row) {
            Some(Tile::Holes(rows)) => {
                let index = TileAddress::index(column, row);
                rows[index / 64] >> (index % 64) & 1 == 1
            }
            _ => false,
        }
    }

    /// Returns the painted layers of a cell.
    pub fn paint(&self, column: i64, row: i64) -> PaintCell {
        match self.tile_of(Channel::Paint, column, row) {
            Some(Tile::Paint(cells)) => cells[TileAddress::index(column, row)],
            _ => PaintCell::default(),
        }
    }

    /// Returns the density of plants in a cell: 0 for none, 255 for those of the terrain's rules.
    pub fn plants(&self, column: i64, row: i64) -> u8 {
        match self.tile_of(Channel::Plants, column, row) {
            Some(Tile::Plants(cells)) => cells[TileAddress::index(column, row)],
            _ => ALL_PLANTS,
        }
    }

    fn tile_of(&self, channel: Channel, column: i64, row: i64) -> Option<&Tile> {
        let address = TileAddress::of_cell(channel, column, row);
        self.tile(address).map(|tile| &**tile)
    }

    /// Returns a tile, or `None` if it is as without edits. Clones of the `Arc` keep their content.
    pub fn tile(&self, address: TileAddress) -> Option<&Arc<Tile>> {
        self.state.tile(address)
    }

    /// Returns all tiles with edits, in the order of their addresses.
    ///
    /// Two logs with the same entries over the same base have the same tiles, with the same
    /// [hashes](Tile::hash).
    pub fn tiles(&self) -> impl Iterator<Item = (TileAddress, &Arc<Tile>)> {
        self.state.tiles()
    }

    /// Returns all entries in order.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        self.log.in_order().map(|slot| &slot.entry)
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.log.len()
    }

    /// Whether there are no entries. A compacted log may have tiles anyway.
    pub fn is_empty(&self) -> bool {
        self.log.len() == 0
    }

    /// Returns an entry.
    pub fn entry(&self, id: EditId) -> Option<&Entry> {
        self.log.slot(id).map(|slot| &slot.entry)
    }

    /// Whether a stroke is part of the terrain: the log has it, and it is not undone.
    pub fn is_active(&self, id: EditId) -> bool {
        self.log.slot(id).is_some_and(|slot| slot.active)
    }

    /// Returns the greatest time in the log. The next entry gets a later one.
    pub fn clock(&self) -> u64 {
        self.log.clock
    }

    /// Returns the earliest time of entries that the log accepts. 0 if it was never compacted.
    pub fn compacted_before(&self) -> u64 {
        self.compacted
    }

    /// Drops all entries before a time, and keeps what they did to the terrain. They can no longer
    /// be undone or brought back. Also drops all checkpoints.
    ///
    /// This also ends drags before this time, and late entries before it are refused from now on.
    /// Tombstones that arrive later for a dropped stroke have no effect. So copies of a log stay
    /// equal only if they are compacted with the same entries and to the same time.
    pub fn compact(&mut self, before: u64) {
        let before = before.min(self.log.clock + 1).max(self.compacted);
        let key = Key {
            time: before,
            id: EditId::default(),
        };
        let base = BaseTiles::of(&*self.base);
        self.state.bake(&self.log, &base, key);
        let numbers = self.log.forget(before);
        self.state.renumber(&numbers);
        self.compacted = before;
    }

    /// Returns the terrain below the edits.
    pub fn base(&self) -> &Arc<dyn BaseHeights> {
        &self.base
    }

    /// Replaces the terrain below the edits, and applies all strokes to it again. Compacted edits
    /// keep their height differences.
    ///
    /// The changes are those of the edits, not those of the terrain.
    pub fn set_base(&mut self, base: Arc<dyn BaseHeights>) -> Vec<Change> {
        self.base = base;
        let base = BaseTiles::of(&*self.base);
        self.state.replay_all(&self.log, &base)
    }

    /// Returns the memory that the edits use. It looks at all entries and tiles.
    pub fn memory(&self) -> EditMemory {
        let (records, strokes) = self.state.counts();
        let tiles: usize = self.state.tiles().map(|(_, tile)| tile.bytes()).sum();
        let current = |tile| self.state.tile(tile).cloned();
        EditMemory {
            log: self.log.bytes(),
            // Each record has an address and two vectors.
            histories: 4 * strokes + 96 * records,
            tiles: tiles + self.state.drags.bytes(),
            checkpoints: self.state.checkpoints.bytes(current),
        }
    }
}
