//! The log: entries in a total order that does not depend on when they arrive.
//!
//! Problem: several players edit the same terrain. Their entries arrive late, twice, or in another
//! order, and still everyone must end up with the same terrain.
//!
//! Idea: a Lamport clock. Each entry has a time that is greater than that of every entry its author
//! knew. The order is by time, then author, then sequence. An undo is also an entry, a
//! tombstone, so it is sent and merged like the others. The last tombstone of an edit in the order
//! decides whether the edit is active.
//!
//! Source: Lamport, *Time, clocks, and the ordering of events in a distributed system*, 1978.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use crate::{
    entry::{EditId, Entry, Key, Operation},
    error::EditError,
    stroke::Stroke,
};

/// An entry, and whether its stroke is part of the terrain.
#[derive(Debug, Clone)]
pub(crate) struct Slot {
    pub(crate) entry: Entry,
    /// The stroke of a drag in progress.
    in_progress: Option<Box<Stroke>>,
    pub(crate) active: bool,
}

impl Slot {
    fn new(entry: Entry) -> Self {
        let in_progress = match entry.operation.stroke() {
            Some(Cow::Owned(stroke)) => Some(Box::new(stroke)),
            _ => None,
        };
        Self {
            entry,
            in_progress,
            active: false,
        }
    }

    /// The stroke that edits the terrain. `None` for tombstones.
    pub(crate) fn stroke(&self) -> Option<&Stroke> {
        let in_progress = self.in_progress.as_deref();
        in_progress.or(self.entry.operation.stored_stroke())
    }

    fn is_stroke(&self) -> bool {
        self.entry.operation.stored_stroke().is_some()
    }
}

/// The edits of one author.
#[derive(Debug, Clone, Default)]
struct Author {
    last_sequence: u32,
    /// The strokes that are active.
    active: BTreeSet<Key>,
    /// The last stroke, whether it is active or not.
    last_stroke: Option<Key>,
    /// The tombstones by this author that are in effect, with the strokes that they undo.
    undos: BTreeMap<Key, EditId>,
}

/// What the last tombstone of a stroke says.
#[derive(Debug, Clone, Copy)]
struct Verdict {
    key: Key,
    undone: bool,
}

/// Checks all numbers of an entry.
pub(crate) fn check(entry: &Entry) -> Result<(), EditError> {
    if !(1..=Entry::MAX_TIME).contains(&entry.time) {
        let (id, time) = (entry.id, entry.time);
        return Err(EditError::Time { id, time });
    }
    if let Some(stored) = entry.operation.stored_stroke() {
        // Before a drag is thinned, which takes time.
        stored.check_points()?;
    }
    match entry.operation.stroke() {
        Some(stroke) => stroke.validate().map_err(EditError::Stroke),
        None => Ok(()),
    }
}

/// All entries.
#[derive(Debug, Clone, Default)]
pub(crate) struct Log {
    pub(crate) slots: Vec<Slot>,
    order: BTreeMap<Key, u32>,
    ids: BTreeMap<EditId, u32>,
    verdicts: BTreeMap<EditId, Verdict>,
    authors: BTreeMap<u32, Author>,
    /// Slots of removed entries, which new ones take.
    free: Vec<u32>,
    /// The greatest time so far.
    pub(crate) clock: u64,
}

impl Log {
    pub(crate) fn key(&self, slot: u32) -> Key {
        self.slots[slot as usize].entry.key()
    }

    /// The stroke of a slot. Other slots are never part of the history of a tile.
    pub(crate) fn stroke(&self, slot: u32) -> &Stroke {
        let stroke = self.slots[slot as usize].stroke();
        stroke.expect("only strokes are in the histories of tiles")
    }

    /// Replaces a drag by a later version of it. Returns the version before.
    pub(crate) fn replace(&mut self, slot: u32, entry: Entry) -> Slot {
        let slot = &mut self.slots[slot as usize];
        let active = slot.active;
        let new = Slot {
            active,
            ..Slot::new(entry)
        };
        std::mem::replace(slot, new)
    }

    pub(crate) fn slot_of(&self, id: EditId) -> Option<u32> {
        self.ids.get(&id).copied()
    }

    pub(crate) fn slot(&self, id: EditId) -> Option<&Slot> {
        self.slot_of(id).map(|slot| &self.slots[slot as usize])
    }

    /// The number of entries.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// The slot that the next new entry takes.
    pub(crate) fn next_slot(&self) -> u32 {
        let free = self.free.last().copied();
        free.unwrap_or(self.slots.len() as u32)
    }

    /// All slots, in order.
    pub(crate) fn in_order(&self) -> impl DoubleEndedIterator<Item = &Slot> {
        self.order.values().map(|&slot| &self.slots[slot as usize])
    }

    /// The slots from a time on, in order.
    pub(crate) fn since(&self, time: u64) -> impl Iterator<Item = &Slot> {
        let id = EditId::default();
        let slots = self.order.range(Key { time, id }..);
        slots.map(|(_, &slot)| &self.slots[slot as usize])
    }

    /// Makes the next entry of an author.
    pub(crate) fn next(&self, author: u32, operation: Operation) -> Result<Entry, EditError> {
        let last = self.last_sequence(author);
        let sequence = last.checked_add(1).ok_or(EditError::Sequence { author })?;
        let id = EditId { author, sequence };
        let time = self.clock + 1;
        let entry = Entry {
            id,
            time,
            operation,
        };
        check(&entry)?;
        Ok(entry)
    }

    /// The last active stroke of an author.
    pub(crate) fn last_active(&self, author: u32) -> Option<EditId> {
        let last = self.authors.get(&author)?.active.last()?;
        Some(last.id)
    }

    /// The stroke that an author undid last, if the author has made no stroke since.
    pub(crate) fn last_undone(&self, author: u32) -> Option<EditId> {
        let author = self.authors.get(&author)?;
        // Compacted strokes cannot come back.
        let known = |(_, stroke): &(&Key, &EditId)| self.ids.contains_key(stroke);
        let (undo, stroke) = author.undos.iter().rev().find(known)?;
        let is_last = author.last_stroke.is_none_or(|stroke| stroke < *undo);
        is_last.then_some(*stroke)
    }

    /// The slot of the stroke that an entry would switch on or off, and whether it would be on.
    pub(crate) fn switches(&self, entry: &Entry) -> Option<(u32, bool)> {
        let stroke = entry.operation.target()?;
        let undone = matches!(entry.operation, Operation::Undo(_));
        let is_last = self
            .verdicts
            .get(&stroke)
            .is_none_or(|last| last.key < entry.key());
        let slot = self.slot_of(stroke)?;
        let changes = self.slots[slot as usize].active == undone;
        let is_stroke = self.slots[slot as usize].stroke().is_some();
        (is_last && changes && is_stroke).then_some((slot, !undone))
    }

    /// Whether a stroke that is not in the log yet is already undone.
    pub(crate) fn is_undone(&self, stroke: EditId) -> bool {
        self.verdicts
            .get(&stroke)
            .is_some_and(|verdict| verdict.undone)
    }

    /// Adds an entry with a new id. The caller switches strokes on and off.
    pub(crate) fn add(&mut self, entry: Entry) -> u32 {
        let slot = self.next_slot();
        let (id, key) = (entry.id, entry.key());
        self.order.insert(key, slot);
        self.ids.insert(id, slot);
        self.clock = self.clock.max(entry.time);
        let author = self.authors.entry(id.author).or_default();
        author.last_sequence = author.last_sequence.max(id.sequence);
        match entry.operation {
            Operation::Stroke(_) | Operation::Drag(_) => {
                author.last_stroke = author.last_stroke.max(Some(key));
            }
            Operation::Undo(stroke) => self.judge(stroke, Verdict { key, undone: true }),
            Operation::Redo(stroke) => self.judge(stroke, Verdict { key, undone: false }),
        }
        match self.free.pop() {
            Some(_) => self.slots[slot as usize] = Slot::new(entry),
            None => self.slots.push(Slot::new(entry)),
        }
        slot
    }

    /// Removes an entry that is not active. Returns the stroke whose tombstone it was.
    pub(crate) fn remove(&mut self, slot: u32) -> Option<EditId> {
        let entry = &self.slots[slot as usize].entry;
        let (key, id) = (entry.key(), entry.id);
        let tombstone_of = entry.operation.target();
        self.order.remove(&key);
        self.ids.remove(&id);
        self.free.push(slot);
        let last = self.order.last_key_value();
        self.clock = last.map_or(self.clock, |(key, _)| key.time);
        let Some(stroke) = tombstone_of else {
            let is_stroke = |slot: &&Slot| slot.entry.id.author == id.author && slot.is_stroke();
            let last = self.in_order().rev().find(is_stroke);
            let last = last.map(|slot| slot.entry.key());
            if let Some(author) = self.authors.get_mut(&id.author) {
                author.last_stroke = last;
            }
            return None;
        };
        if self.verdicts.get(&stroke).is_some_and(|it| it.key == key) {
            self.verdicts.remove(&stroke);
            if let Some(author) = self.authors.get_mut(&id.author) {
                author.undos.remove(&key);
            }
            let judges = |slot: &&Slot| slot.entry.operation.target() == Some(stroke);
            let last = self.in_order().rev().find(judges);
            if let Some(last) = last.map(|slot| &slot.entry) {
                let undone = matches!(last.operation, Operation::Undo(_));
                let key = last.key();
                self.judge(stroke, Verdict { key, undone });
            }
        }
        Some(stroke)
    }

    /// The last number that an author used.
    pub(crate) fn last_sequence(&self, author: u32) -> u32 {
        let author = self.authors.get(&author);
        author.map_or(0, |author| author.last_sequence)
    }

    /// Takes note of a tombstone, if it is the last one of its stroke.
    fn judge(&mut self, stroke: EditId, verdict: Verdict) {
        let before = self.verdicts.get(&stroke).copied();
        if before.is_some_and(|before| before.key > verdict.key) {
            return;
        }
        if let Some(before) = before
            && let Some(author) = self.authors.get_mut(&before.key.id.author)
        {
            author.undos.remove(&before.key);
        }
        self.verdicts.insert(stroke, verdict);
        if verdict.undone
            && let Some(author) = self.authors.get_mut(&verdict.key.id.author)
        {
            author.undos.insert(verdict.key, stroke);
        }
    }

    /// Marks a stroke as part of the terrain or not.
    pub(crate) fn set_active(&mut self, slot: u32, active: bool) {
        let slot = &mut self.slots[slot as usize];
        slot.active = active;
        let key = slot.entry.key();
        if let Some(author) = self.authors.get_mut(&key.id.author) {
            match active {
                true => author.active.insert(key),
                false => author.active.remove(&key),
            };
        }
    }

    /// Removes all entries before a time. Returns the new number of each slot.
    pub(crate) fn forget(&mut self, before: u64) -> Vec<Option<u32>> {
        let slots = std::mem::take(self);
        self.clock = slots.clock;
        let mut numbers = vec![None; slots.slots.len()];
        for (old, slot) in slots.slots.into_iter().enumerate() {
            let is_removed = slots.ids.get(&slot.entry.id) != Some(&(old as u32));
            if is_removed || slot.entry.time < before {
                continue;
            }
            let number = self.add(slot.entry);
            self.set_active(number, slot.active);
            numbers[old] = Some(number);
        }
        // Authors keep their numbers, so that no id is used twice.
        for (id, author) in slots.authors {
            let kept = self.authors.entry(id).or_default();
            kept.last_sequence = author.last_sequence;
        }
        numbers
    }

    /// The memory of the entries and of the indexes over them in bytes, estimated.
    pub(crate) fn bytes(&self) -> usize {
        let points = |slot: &Slot| {
            let stored = slot.entry.operation.stored_stroke();
            let strokes = stored.into_iter().chain(slot.in_progress.as_deref());
            strokes
                .map(|stroke| size_of_val(&*stroke.points))
                .sum::<usize>()
        };
        // Nodes of a B-tree are about 2/3 full.
        let indexed = size_of::<(Key, u32)>() + size_of::<(EditId, u32)>() + size_of::<Key>();
        let slots = self.slots.capacity() * size_of::<Slot>();
        slots + self.slots.iter().map(points).sum::<usize>() + self.slots.len() * indexed * 3 / 2
    }

    /// The last number of each author.
    pub(crate) fn last_sequences(&self) -> impl Iterator<Item = (u32, u32)> {
        self.authors
            .iter()
            .map(|(&id, author)| (id, author.last_sequence))
    }

    /// Raises the last number of an author and the clock to those of a file.
    pub(crate) fn resume(&mut self, author: u32, last_sequence: u32) {
        let author = self.authors.entry(author).or_default();
        author.last_sequence = author.last_sequence.max(last_sequence);
    }
}
