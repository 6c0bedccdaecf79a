//! The A* search.

use core::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::IVec2;

use super::{DarkPath, Diagonals, PathError, PathOptions};
use crate::{grid::LightGrid, hexagonal, query::STEPS};

/// The cost of a straight step, which is the unit of costs.
///
/// A path through all cells of the largest grid costs less than 2^63, even with the maximum weight
/// and the brightest light.
const STRAIGHT: u64 = 1 << 16;

/// The cost of a diagonal step: that of a straight step times the square root of 2, rounded down.
const DIAGONAL: u64 = 92_681;

/// A cell that the search may expand. The order is by the estimated total cost, then by the
/// estimated remaining length, then by the index of the cell.
type Candidate = Reverse<(u64, u32, u32)>;

/// A search for the cheapest path.
pub(super) struct Search<'a, P> {
    grid: &'a LightGrid,
    walk: &'a PathOptions,
    is_hexagonal: bool,
    from: IVec2,
    to: IVec2,
    can_enter: P,
    /// For each cell, the lowest known cost of reaching it, plus one; 0 if it has not been reached.
    cost: Vec<u64>,
    /// For each cell, the step by which it was reached: an index into [`STEPS`], or on hexagons
    /// into [`steps`](hexagonal::steps). Combined with [`DONE`] after the cell was expanded.
    step: Vec<u8>,
    candidates: BinaryHeap<Candidate>,
    expanded: u32,
}

/// Marks cells that have been expanded.
const DONE: u8 = 0x80;

impl<'a, P: Fn(IVec2) -> bool> Search<'a, P> {
    pub(super) fn new(
        grid: &'a LightGrid,
        walk: &'a PathOptions,
        (from, to): (IVec2, IVec2),
        can_enter: P,
    ) -> Self {
        let cells = grid.cells().len();
        Self {
            grid,
            walk,
            is_hexagonal: grid.settings().neighborhood.is_hexagonal(),
            from,
            to,
            can_enter,
            // The system provides zeroed memory without writing it, where it can.
            cost: vec![0; cells],
            step: vec![0; cells],
            candidates: BinaryHeap::new(),
            expanded: 0,
        }
    }

    /// Expands the best candidate until that is the end.
    pub(super) fn run(mut self) -> Result<DarkPath, PathError> {
        let first = self.place(self.from);
        self.cost[first] = 1;
        self.offer(self.from, 0);
        while let Some(Reverse((_, _, place))) = self.candidates.pop() {
            let cell = self.cell(place as usize);
            if cell == self.to {
                return Ok(self.way());
            }
            if self.step[place as usize] & DONE != 0 {
                // The cell was added again at a lower cost, and expanded then.
                continue;
            }
            if self.expanded == self.walk.most_expanded {
                let most_expanded = self.expanded;
                return Err(PathError::GaveUp { most_expanded });
            }
            self.expanded += 1;
            self.step[place as usize] |= DONE;
            self.go_on(cell);
        }
        let (from, to) = (self.from, self.to);
        Err(PathError::NoPath { from, to })
    }

    /// Takes every possible step from a cell.
    fn go_on(&mut self, cell: IVec2) {
        let here = self.cost[self.place(cell)];
        if self.is_hexagonal {
            for (n, step) in hexagonal::steps(cell).into_iter().enumerate() {
                if self.is_free(cell + step) {
                    self.enter(cell + step, n, here);
                }
            }
            return;
        }
        let straight = [0, 1, 2, 3].map(|n| self.is_free(cell + STEPS[n]));
        for (n, enters) in straight.into_iter().enumerate() {
            if enters {
                self.enter(cell + STEPS[n], n, here);
            }
        }
        for (n, &step) in STEPS.iter().enumerate().skip(4) {
            if self.passes(n, &straight) && self.is_free(cell + step) {
                self.enter(cell + step, n, here);
            }
        }
    }

    /// Reaches a cell by a step, unless it is already known at the same or a lower cost.
    fn enter(&mut self, next: IVec2, step: usize, here: u64) {
        let place = self.place(next);
        let length = self.length(step);
        let known = self.cost[place];
        // Read the light only if the length alone does not decide.
        if known != 0 && here + length >= known {
            return;
        }
        let cost = here + length + self.toll(next);
        if known == 0 || cost < known {
            self.cost[place] = cost;
            self.step[place] = step as u8;
            self.offer(next, cost);
        }
    }

    /// Whether a diagonal step is allowed, given which of the four straight neighbors can be
    /// entered.
    fn passes(&self, diagonal: usize, enters: &[bool; 4]) -> bool {
        // North-east, south-east, south-west, north-west: each is between two consecutive straight
        // steps.
        let (one, other) = (enters[diagonal - 4], enters[(diagonal - 3) % 4]);
        match self.walk.diagonals {
            Diagonals::Never => false,
            Diagonals::RoundCorners => one || other,
            Diagonals::InTheOpen => one && other,
        }
    }

    fn is_free(&self, cell: IVec2) -> bool {
        self.grid.contains(cell) && (self.can_enter)(cell)
    }

    /// The cost of the light of a cell.
    fn toll(&self, cell: IVec2) -> u64 {
        (self.walk.weight * self.grid.luminance(cell) * STRAIGHT as f32) as u64
    }

    fn offer(&mut self, cell: IVec2, cost: u64) {
        let rest = self.rest(cell);
        let place = self.place(cell) as u32;
        // The remaining length fits: no two cells are further apart than 2^31 units of cost.
        let candidate = (cost + rest, rest as u32, place);
        self.candidates.push(Reverse(candidate));
    }

    /// The length of the path from a cell to the end without walls.
    fn rest(&self, cell: IVec2) -> u64 {
        if self.is_hexagonal {
            return u64::from(hexagonal::distance(cell, self.to)) * STRAIGHT;
        }
        let apart = (self.to - cell).abs().as_uvec2();
        let (less, more) = (
            u64::from(apart.min_element()),
            u64::from(apart.max_element()),
        );
        if self.walk.diagonals == Diagonals::Never {
            (less + more) * STRAIGHT
        } else {
            less * DIAGONAL + (more - less) * STRAIGHT
        }
    }

    /// The path to the end, found by following the steps backward.
    fn way(&self) -> DarkPath {
        let (mut cells, mut at, mut length_of_all) = (vec![self.to], self.to, 0);
        while at != self.from {
            let step = usize::from(self.step[self.place(at)] & !DONE);
            length_of_all += self.length(step);
            at = self.before(at, step);
            cells.push(at);
        }
        cells.reverse();
        let cost = self.cost[self.place(self.to)] - 1;
        DarkPath {
            cells,
            length: in_cells(length_of_all) as f32,
            cost: in_cells(cost),
            expanded: self.expanded,
        }
    }

    /// The cell from which a step led to this one.
    fn before(&self, cell: IVec2, step: usize) -> IVec2 {
        if self.is_hexagonal {
            // The opposite step is three further in the circle.
            cell + hexagonal::steps(cell)[(step + 3) % 6]
        } else {
            cell - STEPS[step]
        }
    }

    /// The length of a step, given its index.
    fn length(&self, step: usize) -> u64 {
        if step < 4 || self.is_hexagonal {
            STRAIGHT
        } else {
            DIAGONAL
        }
    }

    fn place(&self, cell: IVec2) -> usize {
        cell.y as usize * self.grid.width() as usize + cell.x as usize
    }

    fn cell(&self, place: usize) -> IVec2 {
        let width = self.grid.width() as usize;
        IVec2::new((place % width) as i32, (place / width) as i32)
    }
}

fn in_cells(cost: u64) -> f64 {
    cost as f64 / STRAIGHT as f64
}
