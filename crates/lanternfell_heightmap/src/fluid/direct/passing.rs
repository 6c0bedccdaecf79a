//! The rows between the first and the last pass over them.
//!
//! A pass is stored as the change `d = z' - z`, and not as the surface before it:
//!
//! ```text
//!  d' = -B d + C (z(x+1,y) + z(x-1,y) + z(x,y+1) + z(x,y-1) - 4 z(x,y))      z' = z + d'
//! ```
//!
//! This is the same recurrence, because `A + B + 4 C = 1`, but it is more precise. With little damping, `z - z_before`
//! is a small difference of large numbers, and each pass would add the error in its last bits again: in `f32`, heights
//! were off by up to 6e-4 of their range. Also, the three rounded weights do not need to sum to exactly 1.

use crate::fluid::Weights;

/// The number of rows in the buffers in addition to the number of passes: one ahead of the first pass, and one behind
/// the last.
pub(super) const MORE_ROWS: usize = 2;

/// The buffered rows: the surfaces after even and odd passes, and the change by the last pass over each row. Row `y` is
/// in slot `y` modulo the number of slots.
pub(super) struct Passing {
    surfaces: [Vec<f32>; 2],
    changes: Vec<f32>,
    slots: usize,
    width: usize,
}

impl Passing {
    pub(super) fn new(passes: usize, width: usize) -> Self {
        let slots = passes + MORE_ROWS;
        Self {
            surfaces: [(); 2].map(|()| vec![0.0; slots * width]),
            changes: vec![0.0; slots * width],
            slots,
            width,
        }
    }

    /// The slot of row `y`. This divides; use [`before`](Self::before) for further rows.
    pub(super) fn slot(&self, y: usize) -> usize {
        y % self.slots
    }

    /// The slot of the previous row.
    #[inline(always)]
    pub(super) fn before(&self, slot: usize) -> usize {
        if slot > 0 { slot - 1 } else { self.slots - 1 }
    }

    #[inline(always)]
    fn after(&self, slot: usize) -> usize {
        if slot + 1 < self.slots { slot + 1 } else { 0 }
    }

    /// The row after `pass`, which must be the last pass that processed it or the one before.
    pub(super) fn row(&self, pass: usize, slot: usize) -> &[f32] {
        &self.surfaces[pass % 2][slot * self.width..][..self.width]
    }

    /// The change of the row by the last pass.
    pub(super) fn change(&self, slot: usize) -> &[f32] {
        &self.changes[slot * self.width..][..self.width]
    }

    /// The buffers for the row ahead of all passes: its heights, and its change by the previous pass.
    pub(super) fn enter(&mut self, slot: usize) -> [&mut [f32]; 2] {
        let cells = slot * self.width..(slot + 1) * self.width;
        let [even, odd] = &mut self.surfaces;
        // Passes skip the ring, which is 0, but the slot still contains another row.
        odd[cells.clone()].fill(0.0);
        [&mut even[cells.clone()], &mut self.changes[cells]]
    }

    /// Runs a pass on a row. The result overwrites the row as it was two passes ago.
    #[inline(always)]
    pub(super) fn pass_row(&mut self, weights: Weights, pass: usize, slot: usize) {
        let (north, south) = (self.before(slot), self.after(slot));
        let [even, odd] = &mut self.surfaces;
        let (read, write) = if pass % 2 == 1 {
            (even, odd)
        } else {
            (odd, even)
        };
        let row = |slot: usize| &read[slot * self.width..][..self.width];
        let z = &mut write[slot * self.width..][..self.width];
        let change = &mut self.changes[slot * self.width..][..self.width];
        step_row(weights, [row(north), row(slot), row(south)], change, z);
    }
}

/// Runs one pass on a row. Writes the result to `z`, and updates `change` from the change of the previous pass to that
/// of this pass.
#[inline(always)]
pub(super) fn step_row(
    weights: Weights,
    [north, here, south]: [&[f32]; 3],
    change: &mut [f32],
    z: &mut [f32],
) {
    let inner = z.len() - 2;
    let (kept, neighbor) = (-weights.before as f32, weights.neighbor as f32);
    let (west, center, east) = (&here[..inner], &here[1..=inner], &here[2..]);
    let (north, south) = (&north[1..=inner], &south[1..=inner]);
    let (change, z) = (&mut change[1..=inner], &mut z[1..=inner]);
    for x in 0..inner {
        let around = (west[x] + east[x]) + (north[x] + south[x]);
        change[x] = kept * change[x] + neighbor * (around - 4.0 * center[x]);
        z[x] = center[x] + change[x];
    }
}
