//! The few cells that the loops over rows would get wrong: those with a source, and those
//! in a corner through which no light may leak.
//!
//! The loops go over them all the same, and then they are put right. So a row without such
//! cells, as nearly all are, costs nothing for those that have them.

use super::Scratch;
use crate::{kernel::Run, medium::Medium, plane::Plane, source::Pin, sparse::Sparse};

/// What is to be put right in a row after the loop has gone over it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patch {
    /// Counted from the run's first cell.
    x: usize,
    /// The light before, and as it shall be.
    before: f32,
    next: f32,
    /// The bits of the greatest change in the column before this row.
    change: u32,
}

impl Scratch {
    /// Finds the patches of a row before the loop goes over it; `next` gives a cell's next
    /// light from its right average, or nothing where the loop does no wrong.
    #[inline(always)]
    pub(super) fn find_patches(
        &mut self,
        (medium, light, pins): (&Medium, &Plane, &Sparse<Pin>),
        y: usize,
        run: Run,
        next: impl Fn(usize, f32) -> Option<f32>,
    ) {
        self.patches.clear();
        let leaks = medium.leaks().row(y, run.first, run.end).iter();
        let pins = pins.row(y, run.first, run.end).iter();
        for x in leaks.map(|leak| leak.0).chain(pins.map(|pin| pin.0)) {
            if let Some(next) = next(x, medium.average(light, x, y)) {
                self.patches.push(Patch {
                    x: x - run.first,
                    before: light.get(x, y),
                    next,
                    change: self.changes[x - run.first],
                });
            }
        }
    }

    /// Puts a row right.
    #[inline(always)]
    pub(super) fn patch(&mut self, light: &mut [f32]) {
        for patch in &self.patches {
            light[patch.x] = patch.next;
            let change = (patch.next - patch.before).abs().to_bits();
            self.changes[patch.x] = patch.change.max(change);
        }
    }
}
