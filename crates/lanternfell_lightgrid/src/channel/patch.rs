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

/// What is to be put right in a row after the loop has gone over it.
#[derive(Debug, Clone, Copy)]
struct Patch {
    /// Counted from the run's first cell.
    x: usize,
    /// The light before, and as it shall be.
    before: f32,
    next: f32,
    /// The bits of the greatest change in the column before this row.
    change: u32,
}

/// The patches of one row.
#[derive(Debug, Clone, Default)]
pub(super) struct Patches(Vec<Patch>);

impl Patches {
    /// Finds those of a row before the loop goes over it; `next` gives a cell's next light
    /// from its right average, or nothing where the loop does no wrong. `changes` are those
    /// of the run's columns.
    #[inline(always)]
    pub(super) fn find(
        &mut self,
        (medium, light, constraints): (&Medium, &Plane, &Sparse<SourceConstraint>),
        (y, run): (usize, Run),
        changes: &[u32],
        next: impl Fn(usize, f32) -> Option<f32>,
    ) {
        self.0.clear();
        let leaks = medium.leaks().row(y, run.first, run.end).iter();
        let constraints = constraints.row(y, run.first, run.end).iter();
        let places = leaks
            .map(|leak| leak.0)
            .chain(constraints.map(|constraint| constraint.0));
        for x in places {
            if let Some(next) = next(x, medium.average(light, x, y)) {
                self.0.push(Patch {
                    x: x - run.first,
                    before: light.get(x, y),
                    next,
                    change: changes[x - run.first],
                });
            }
        }
    }

    /// Puts a row right, and the changes of its columns.
    #[inline(always)]
    pub(super) fn apply(&self, light: &mut [f32], changes: &mut [u32]) {
        for patch in &self.0 {
            light[patch.x] = patch.next;
            let change = (patch.next - patch.before).abs().to_bits();
            changes[patch.x] = patch.change.max(change);
        }
    }
}
