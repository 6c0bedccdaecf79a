//! The few cells that the loops over rows would get wrong: those with a source, and those
//! in a corner through which no light may leak.
//!
//! The loops go over them all the same, and then they are put right. So a row without such
//! cells, as nearly all are, costs nothing for those that have them.

use crate::{
    medium::Medium,
    plane::{Plane, Run},
    source::SourceConstraint,
    sparse::Sparse,
};

/// What is to be put right after the loop has gone over a few rows.
#[derive(Debug, Clone, Copy)]
struct Patch {
    /// Counted from the first of the rows, and from the run's first cell.
    row: usize,
    x: usize,
    next: f32,
    /// The bits of the greatest change in the column before these rows.
    change: u32,
}

/// The patches of a few rows.
#[derive(Debug, Clone, Default)]
pub(super) struct Patches(Vec<Patch>);

impl Patches {
    /// Before those of the next rows are found.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds those of a row before the loop goes over it; `next` gives a cell's next light
    /// from its right average. `changes` are those of the run's columns.
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

    /// Puts the rows right, and the changes of their columns since they were these.
    #[inline(always)]
    pub(super) fn apply(&self, rows: &mut [&mut [f32]], before: &[&[f32]], changes: &mut [u32]) {
        for patch in &self.0 {
            rows[patch.row][patch.x] = patch.next;
            changes[patch.x] = patch.change;
        }
        // Of these columns each of the rows, put right or not.
        for &Patch { x, .. } in &self.0 {
            for (row, before) in rows.iter().zip(before) {
                let change = (row[x] - before[x]).abs().to_bits();
                changes[x] = changes[x].max(change);
            }
        }
    }
}
