//! Which way water crosses lakes and flats: the way that a [flood](super::flood) comes, without one.
//!
//! Idea: a flood visits all that is lower before it comes to a level. So when it does, it knows all
//! cells of that level that have a lower neighbor, and all outlets: its shore. It takes the shore's
//! cells by index, and from each crosses all it can reach before it takes the next. What lies
//! between, a flat, is thus crossed from one cell of its shore, the first of those that touch it,
//! whatever happens elsewhere; so flats can be crossed in any order, and on every core.
//!
//! ```text
//!    9 9 9 9 9      5 is the level; the shore are a and b, which have a lower
//!    3 a 5 5 9      neighbor. The flat of three cells is crossed from a, the first
//!    9 9 5 b 2      of the two, by the shortest ways
//! ```
//!
//! Steps: in strips of rows, each alone, gather each flat from its first cell, find the first cell of
//! its shore and cross the flat from there; those that touch a seam are left for when all strips are done.
//!
//! Cost: O(cells on lakes and flats). Memory: 4 to 8 bytes for each cell of the largest flat.

use super::{
    flood::CELLS_PER_STEP,
    flow::Flow,
    grid::{Grid, OUTLET, opposite},
};
use crate::{Cancelled, Progress, rows};

/// A direction not yet known.
pub(super) const UNSEEN: u8 = 0xff;

/// That of a cell of the flat that is being crossed.
const GATHERED: u8 = 0xfe;

/// That of a cell of a flat which is left for later.
const LATER: u8 = 0xfd;

/// Gives each cell that is `UNSEEN` the direction that the flood comes from. `false`, and directions of
/// no use, when one of them has a lower neighbor all the same: by a fall too small for an `f32` to tell.
pub(super) fn cross(
    flow: &mut Flow,
    levels: &[f32],
    strip_rows: usize,
    progress: &Progress,
) -> Result<bool, Cancelled> {
    let grid = flow.grid;
    let cells = grid.width * strip_rows;
    let mut strips: Vec<_> = flow
        .directions
        .chunks_mut(cells)
        .enumerate()
        .map(|(index, directions)| Strip::new(grid, levels, index * cells, directions))
        .collect();
    rows::for_each_row(&mut strips, 1, &progress.span(0.0, 0.6), |_, strip| {
        // Who cancelled it is told by the loop over strips.
        strip[0].cross(progress).ok();
    })?;
    let flat = strips.iter().all(|strip| strip.flat);
    let later: Vec<Vec<u32>> = strips.into_iter().map(|strip| strip.later).collect();
    let mut map = Strip::new(grid, levels, 0, &mut flow.directions);
    for cell in later.into_iter().flatten().filter(|_| flat) {
        map.cross_from(cell as usize, LATER, progress)?;
    }
    progress.step(1, 1)?;
    Ok(flat)
}

/// Some rows of a map.
struct Strip<'a> {
    grid: Grid,
    levels: &'a [f32],
    /// The first cell's index on the map.
    first: usize,
    directions: &'a mut [u8],
    /// The cells of a flat in the order that they were found.
    cells: Vec<u32>,
    /// A cell of each flat that touches a seam.
    later: Vec<u32>,
    /// Whether no cell of a flat has had a lower neighbor.
    flat: bool,
}

impl<'a> Strip<'a> {
    fn new(grid: Grid, levels: &'a [f32], first: usize, directions: &'a mut [u8]) -> Self {
        Self {
            grid,
            levels,
            first,
            directions,
            cells: Vec::new(),
            later: Vec::new(),
            flat: true,
        }
    }

    fn cross(&mut self, progress: &Progress) -> Result<(), Cancelled> {
        for at in 0..self.directions.len() {
            if self.directions[at] == UNSEEN {
                self.cross_from(self.first + at, UNSEEN, progress)?;
            }
        }
        Ok(())
    }

    /// Crosses the flat of this cell, whose cells are all marked so, or leaves it for later.
    fn cross_from(&mut self, cell: usize, mark: u8, progress: &Progress) -> Result<(), Cancelled> {
        progress.check()?;
        if self.directions[cell - self.first] != mark {
            return Ok(());
        }
        if let Some(shore) = self.gather(cell, mark, progress)? {
            return self.spread(shore, progress);
        }
        self.later.push(cell as u32);
        for &cell in &self.cells {
            self.directions[cell as usize - self.first] = LATER;
        }
        Ok(())
    }

    /// Gathers all cells of a flat; returns the first of its shore, if it does not touch a seam.
    fn gather(
        &mut self,
        cell: usize,
        mark: u8,
        progress: &Progress,
    ) -> Result<Option<usize>, Cancelled> {
        let (mut shore, mut within, mut at) = (usize::MAX, true, 0);
        self.directions[cell - self.first] = GATHERED;
        self.cells.clear();
        self.cells.push(cell as u32);
        while let Some(&cell) = self.cells.get(at) {
            at += 1;
            if at % CELLS_PER_STEP == 0 {
                progress.check()?;
            }
            let level = self.levels[cell as usize];
            self.grid.around(cell as usize, |_, neighbor| {
                let there = self.levels[neighbor];
                self.flat &= there >= level;
                if there != level {
                    return;
                }
                let place = neighbor.wrapping_sub(self.first);
                let Some(direction) = self.directions.get_mut(place) else {
                    within = false;
                    return;
                };
                if *direction == mark {
                    *direction = GATHERED;
                    self.cells.push(neighbor as u32);
                } else if *direction <= OUTLET {
                    shore = shore.min(neighbor);
                }
            });
        }
        Ok((within && shore != usize::MAX).then_some(shore))
    }

    /// Crosses what was gathered, from this cell of its shore: first come, first served.
    fn spread(&mut self, shore: usize, progress: &Progress) -> Result<(), Cancelled> {
        let mut at = 0;
        self.cells.clear();
        self.cells.push(shore as u32);
        while let Some(&cell) = self.cells.get(at) {
            at += 1;
            if at % CELLS_PER_STEP == 0 {
                progress.check()?;
            }
            self.grid.around(cell as usize, |way, neighbor| {
                let place = neighbor.wrapping_sub(self.first);
                if let Some(direction) = self.directions.get_mut(place)
                    && *direction == GATHERED
                {
                    *direction = opposite(way);
                    self.cells.push(neighbor as u32);
                }
            });
        }
        Ok(())
    }
}
