//! Drags in progress: strokes that get longer under the same id.
//!
//! Problem: a stroke must be seen while the pointer is still moving, and other players should see it
//! too. But a drag is one entry, and its result must not depend on how its positions were grouped
//! into frames and packets.
//!
//! Idea: the entry keeps all positions so far. While the drag is in progress, its dabs lie along
//! these positions, and stay where they are when the drag gets longer. The longest version of the
//! entry is kept, even if a shorter one arrives later. The last version is an ordinary stroke
//! [along](Stroke::along) the positions. Positions less than 1/16 of a cell from the one before do not
//! count, so that a hand that trembles adds no dabs.
//!
//! The corners of a line can move while the line gets longer, and all dabs with them. That is why
//! they are found only at the end, which moves the dabs by a small fraction of a cell.
//!
//! Cost: as much as the new dabs on the tiles that they reach, and about 65 ns for each position
//! so far. At the end, as much as the whole stroke twice. `Slope` depends on the end of the line, so
//! each longer version is computed as a whole. A checkpoint before each drag spares the strokes before
//! it.

use super::{Edited, Edits};
use crate::{
    entry::{EditId, Entry, Operation},
    error::EditError,
    log::check,
    scene::BaseTiles,
    state::Change,
    stroke::Stroke,
    weights::Dabs,
};

impl Edits {
    /// Starts a drag: a stroke at the end of the log that [`extend_drag`](Self::extend_drag) makes
    /// longer, under the same id.
    ///
    /// The points of the stroke are the first positions of the pointer.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use lanternfell_edits::{Brush, Edits, FlatBase, Stroke};
    ///
    /// let raise = |positions: &[[i64; 2]]| {
    ///     Stroke::along(Brush::Raise { mm: 100 }, 1024, positions.iter().copied())
    /// };
    /// let mut edits = Edits::new(Arc::new(FlatBase::default()));
    /// let drag = edits.start_drag(1, raise(&[[0, 0]]))?.id;
    /// for frame in 1..=60 {
    ///     edits.extend_drag(drag, &[[100 * frame, 0]])?;
    ///     // Send edits.entry(drag) to other copies of the log, as often as you like.
    /// }
    /// edits.end_drag(drag)?;
    ///
    /// let mut whole = Edits::new(Arc::new(FlatBase::default()));
    /// whole.stroke(1, raise(&[[0, 0], [6000, 0]]))?;
    /// assert_eq!(edits.to_bytes(), whole.to_bytes());
    /// # Ok::<(), lanternfell_edits::EditError>(())
    /// ```
    ///
    /// # Errors
    /// As for [`stroke`](Self::stroke).
    pub fn start_drag(&mut self, author: u32, stroke: Stroke) -> Result<Edited, EditError> {
        self.add_next(author, Operation::Drag(stroke))
    }

    /// Adds positions of the pointer to a drag in progress.
    ///
    /// A position that equals the one before it is left out. The drag may have
    /// [`MAX_POINTS`](Stroke::MAX_POINTS) positions: end it before that, and start another one.
    ///
    /// # Errors
    /// If the log has no such drag in progress, if the stroke would not be
    /// [valid](Stroke::validate), or if a limit is reached. The drag is unchanged then.
    pub fn extend_drag(&mut self, id: EditId, positions: &[[i64; 2]]) -> Result<Edited, EditError> {
        let mut stroke = self.drag(id)?.clone();
        for &position in positions {
            if stroke.points.last() != Some(&position) {
                stroke.points.push(position);
            }
        }
        self.replace_drag(id, Operation::Drag(stroke))
    }

    /// Ends a drag, which becomes the [stroke along](Stroke::along) its positions, without those that
    /// are less than 1/16 of a cell from the one before.
    ///
    /// Its dabs were up to 1/16 of a cell away from their final places, so heights may still change a
    /// little along the whole line. In tests with hands that tremble, these changes are up to 5% of the
    /// height of a dab. If the line was exactly as long as its dabs, the last one may disappear.
    ///
    /// # Errors
    /// If the log has no such drag in progress.
    pub fn end_drag(&mut self, id: EditId) -> Result<Edited, EditError> {
        let drag = self.drag(id)?;
        let [ended, shown] = [drag.ended(), drag.in_progress()].map(Operation::Stroke);
        match self.replace_drag(id, ended) {
            // The tiles that were edited so far are within the limit.
            Err(EditError::Tiles { .. }) => self.replace_drag(id, shown),
            done => done,
        }
    }

    fn drag(&self, id: EditId) -> Result<&Stroke, EditError> {
        match self.entry(id).map(|entry| &entry.operation) {
            Some(Operation::Drag(stroke)) => Ok(stroke),
            _ => Err(EditError::NoDrag { id }),
        }
    }

    fn replace_drag(&mut self, id: EditId, operation: Operation) -> Result<Edited, EditError> {
        let time = self.entry(id).map_or(0, |entry| entry.time);
        let changes = self.insert(Entry {
            id,
            time,
            operation,
        })?;
        Ok(Edited { id, changes })
    }

    /// Inserts an entry whose id is already in the log.
    pub(super) fn insert_version(
        &mut self,
        slot: u32,
        entry: Entry,
    ) -> Result<Vec<Change>, EditError> {
        let known = &self.log.slots[slot as usize];
        if known.entry == entry {
            return Ok(Vec::new());
        }
        match known.entry.is_continued_by(&entry) {
            None => return Err(EditError::Conflict { id: entry.id }),
            Some(false) => return Ok(Vec::new()),
            Some(true) => check(&entry)?,
        }
        let active = known.active;
        if active && let (Some(before), Some(after)) = (known.stroke(), entry.operation.stroke()) {
            let [before, after] = [before, &*after].map(Dabs::of);
            let first = match after.continues(&before) {
                true => before.count(),
                false => 0,
            };
            self.check_tiles(&after.footprint_from(first))?;
        }
        let is_over = !matches!(entry.operation, Operation::Drag(_));
        let before = self.log.replace(slot, entry);
        if !active {
            return Ok(Vec::new());
        }
        let versions = [before.stroke(), Some(self.log.stroke(slot))];
        let base = BaseTiles::of(&*self.base);
        let changes = self.state.change(&self.log, &base, slot, versions);
        if is_over {
            self.state.drags.end(slot);
        }
        self.state.take_checkpoint(self.spacing());
        Ok(changes)
    }
}
