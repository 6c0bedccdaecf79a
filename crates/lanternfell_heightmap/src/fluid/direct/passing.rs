//! The rows between the first pass over them and the last.
//!
//! A pass is kept as what it changes, `d = z' - z`, and not as the surface before it:
//!
//! ```text
//!  d' = -B d + C (z(x+1,y) + z(x-1,y) + z(x,y+1) + z(x,y-1) - 4 z(x,y))      z' = z + d'
//! ```
//!
//! That is the same pass, since `A + B + 4 C = 1`. But where little brakes the waves, `z - z_before`
//! is a small difference of large numbers, whose last bits every pass would add again: in `f32`
//! heights were off by up to 6e-4 of their range. Nor do three rounded weights have to sum to 1.

use crate::fluid::Weights;

/// So many more rows than passes are in passing: the one ahead, and the one behind the last.
pub(super) const MORE_ROWS: usize = 2;

/// The rows between the first pass and the last: those of the even passes and of the odd
/// ones, and what the last pass over each has changed. Row `y` has the slot `y` modulo their number.
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

    /// The slot of row `y`. Take [`before`](Self::before) to go on: this divides.
    pub(super) fn slot(&self, y: usize) -> usize {
        y % self.slots
    }

    /// The slot of the row before.
    #[inline(always)]
    pub(super) fn before(&self, slot: usize) -> usize {
        if slot > 0 { slot - 1 } else { self.slots - 1 }
    }

    #[inline(always)]
    fn after(&self, slot: usize) -> usize {
        if slot + 1 < self.slots { slot + 1 } else { 0 }
    }

    /// The row as it is after a pass, the last that went over it or the one before.
    pub(super) fn row(&self, pass: usize, slot: usize) -> &[f32] {
        &self.surfaces[pass % 2][slot * self.width..][..self.width]
    }

    /// What the last pass over the row has changed.
    pub(super) fn change(&self, slot: usize) -> &[f32] {
        &self.changes[slot * self.width..][..self.width]
    }

    /// Where the row ahead of all passes goes, and what the pass before has changed of it.
    pub(super) fn enter(&mut self, slot: usize) -> [&mut [f32]; 2] {
        let cells = slot * self.width..(slot + 1) * self.width;
        let [even, odd] = &mut self.surfaces;
        // No pass goes over the ring, which is 0; another row was here before.
        odd[cells.clone()].fill(0.0);
        [&mut even[cells.clone()], &mut self.changes[cells]]
    }

    /// The row of a pass, over what it was two passes ago.
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

/// One pass over a row: into `z`, and by how much into `change`, where the pass before left
/// its own.
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
