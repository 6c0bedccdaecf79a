//! Corrects the few cells that the loops over rows get wrong: those with a source, and those with a
//! diagonal step that is left out.
//!
//! The loops process these cells like all others, and the results are corrected afterwards. Rows
//! without such cells, which are nearly all, cost nothing extra.

use crate::{
    medium::Medium,
    plane::{Plane, Run},
    source::SourceConstraint,
    sparse::Sparse,
};

/// A correction after the loop has processed a few rows.
#[derive(Debug, Clone, Copy)]
struct Patch {
    /// Relative to the first of the rows, and to the first cell of the run.
    row: usize,
    x: usize,
    next: f32,
    /// The bits of the largest change in this column before these rows.
    change: u32,
}

/// The corrections of a few rows.
#[derive(Debug, Clone, Default)]
pub(super) struct Patches(Vec<Patch>);

impl Patches {
    /// Removes all corrections, to prepare for the next rows.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds the corrections of a row, before the loop processes it. `next` returns the next light
    /// of a cell, given its correct average. `changes` are those of the columns of the run.
    #[inline(always)]
    pub(super) fn find(
        &mut self,
        (medium, light, constraints): (&Medium, &Plane, &Sparse<SourceConstraint>),
        (row, y, run): (usize, usize, Run),
        changes: &[u32],
        next: impl Fn(usize, f32) -> f32,
    ) {
        let leaks = medium.leaks().row(y, run.first, run.end).iter();
        let constraints = constraints.row(y, run.first, run.end).iter();
        let places = leaks
            .map(|leak| leak.0)
            .chain(constraints.map(|constraint| constraint.0));
        for x in places {
            self.0.push(Patch {
                row,
                x: x - run.first,
                next: next(x, medium.average(light, x, y)),
                change: changes[x - run.first],
            });
        }
    }

    /// Corrects the rows, and the changes of their columns.
    #[inline(always)]
    pub(super) fn apply(&self, rows: &mut [&mut [f32]], before: &[&[f32]], changes: &mut [u32]) {
        for patch in &self.0 {
            rows[patch.row][patch.x] = patch.next;
            changes[patch.x] = patch.change;
        }
        // Recompute the changes of these columns from all of these rows, corrected or not.
        for &Patch { x, .. } in &self.0 {
            for (row, before) in rows.iter().zip(before) {
                let change = (row[x] - before[x]).abs().to_bits();
                changes[x] = changes[x].max(change);
            }
        }
    }
}
