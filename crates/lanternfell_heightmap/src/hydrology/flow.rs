//! Which way water leaves each cell, and what it gathers on its way.
//!
//! Idea: every cell hands its water to one neighbour (D8), so the map becomes a forest
//! whose roots are the outlets. A sum over everything upstream needs no sorting: a cell
//! whose donors have all come is done, and hands on to the next, down to a confluence
//! that still waits.
//!
//! ```text
//!    1   1   1          a leaf starts; at * its water waits for the
//!     \  |  /           other leaf, which then carries both on
//!      1 * 1
//!       \|/
//!        6
//! ```
//!
//! Steps: count each cell's donors, rows in parallel; from each leaf, in the order of
//! cells, walk down while nothing is left to wait for. Paths stay in the cache, and sums
//! have one order.
//!
//! Cost: O(n); one byte per cell for the directions and one for the counts. Source of the
//! forest: Braun and Willett, *A very efficient O(n), implicit and parallel method to solve
//! the stream power equation*, 2013; the walk from leaf to confluence is Freeman's (1991)
//! and Zhou, Wei and Fu's (2019).

use super::{
    flood::CELLS_PER_STEP,
    grid::{Grid, OUTLET, opposite},
};
use crate::{Cancelled, Progress, rows};

/// For each cell the direction of its receiver, or `OUTLET`. Free of cycles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Flow {
    pub(crate) grid: Grid,
    pub(crate) directions: Vec<u8>,
}

impl Flow {
    /// The cell that this one drains to; `None` for an outlet.
    pub(crate) fn receiver(&self, cell: usize) -> Option<usize> {
        let direction = self.directions[cell];
        (direction != OUTLET).then(|| self.grid.step(cell, direction))
    }

    /// Calls `each` with the donors of a cell, in the order of directions.
    pub(crate) fn donors(&self, cell: usize, mut each: impl FnMut(usize)) {
        self.grid.around(cell, |direction, neighbour| {
            if self.directions[neighbour] == opposite(direction) {
                each(neighbour);
            }
        });
    }

    /// Calls `join(cell, receiver)` once for each cell that is not an outlet, after all
    /// its donors had theirs.
    pub(crate) fn downstream(
        &self,
        progress: &Progress,
        mut join: impl FnMut(usize, usize),
    ) -> Result<(), Cancelled> {
        const DONE: u8 = 0xff;
        let mut waiting = self.count_donors(&progress.span(0.0, 0.2))?;
        let progress = progress.span(0.2, 1.0);
        for leaf in 0..waiting.len() {
            if leaf % CELLS_PER_STEP == 0 {
                progress.step(leaf, waiting.len())?;
            }
            if waiting[leaf] != 0 {
                continue;
            }
            let mut cell = leaf;
            while let Some(receiver) = self.receiver(cell) {
                join(cell, receiver);
                waiting[receiver] -= 1;
                if waiting[receiver] != 0 {
                    break;
                }
                waiting[receiver] = DONE;
                cell = receiver;
            }
        }
        progress.step(1, 1)
    }

    /// How many donors each cell has.
    fn count_donors(&self, progress: &Progress) -> Result<Vec<u8>, Cancelled> {
        let mut counts = vec![0; self.directions.len()];
        rows::for_each_row(&mut counts, self.grid.width, progress, |y, row| {
            for (x, count) in row.iter_mut().enumerate() {
                self.grid.around_at(x, y, |direction, neighbour| {
                    *count += u8::from(self.directions[neighbour] == opposite(direction));
                });
            }
        })?;
        Ok(counts)
    }
}
