//! The rows between the first pass over them and the last.

use crate::fluid::Weights;

/// So many more rows than passes are in passing: the one ahead, and the one behind the last.
pub(super) const MORE_ROWS: usize = 2;

/// The rows between the first pass and the last: those of the even passes and of the odd
/// ones. Row `y` is at `y` modulo their number.
pub(super) struct Passing {
    surfaces: [Vec<f32>; 2],
    count: usize,
    width: usize,
}

impl Passing {
    pub(super) fn new(passes: usize, width: usize) -> Self {
        let count = passes + MORE_ROWS;
        Self {
            surfaces: [(); 2].map(|()| vec![0.0; count * width]),
            count,
            width,
        }
    }

    fn first_cell(&self, y: usize) -> usize {
        (y % self.count) * self.width
    }

    /// Row `y` as it is after a pass, the last that went over it or the one before.
    pub(super) fn row(&self, pass: usize, y: usize) -> &[f32] {
        &self.surfaces[pass % 2][self.first_cell(y)..][..self.width]
    }

    pub(super) fn take(&mut self, y: usize, now: &[f32], before: &[f32]) {
        let first = self.first_cell(y);
        self.surfaces[0][first..][..self.width].copy_from_slice(now);
        self.surfaces[1][first..][..self.width].copy_from_slice(before);
    }

    /// Row `y` of a pass, over what it was two passes ago.
    #[inline(always)]
    pub(super) fn pass_row(&mut self, weights: Weights, pass: usize, y: usize) {
        let [north, here, south] = [y - 1, y, y + 1].map(|y| self.first_cell(y));
        let [even, odd] = &mut self.surfaces;
        let (read, write) = if pass % 2 == 1 {
            (even, odd)
        } else {
            (odd, even)
        };
        let row = |first: usize| &read[first..][..self.width];
        let z = &mut write[here..][..self.width];
        step_row(weights, [row(north), row(here), row(south)], z);
    }
}

#[inline(always)]
pub(super) fn step_row(weights: Weights, [north, here, south]: [&[f32]; 3], z: &mut [f32]) {
    let inner = z.len() - 2;
    let (own, before, neighbour) = (
        weights.own as f32,
        weights.before as f32,
        weights.neighbour as f32,
    );
    let (west, centre, east) = (&here[..inner], &here[1..=inner], &here[2..]);
    let (north, south) = (&north[1..=inner], &south[1..=inner]);
    let z = &mut z[1..=inner];
    for x in 0..inner {
        let around = (west[x] + east[x]) + (north[x] + south[x]);
        z[x] = own * centre[x] + before * z[x] + neighbour * around;
    }
}
