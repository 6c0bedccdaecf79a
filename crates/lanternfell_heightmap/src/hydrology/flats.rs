//! Flow directions across lakes and flats: those of a [flood](super::flood), computed without one.
//!
//! Idea: a flood visits all lower cells before it reaches a level. At that time it knows the shore of the level: its
//! outlets, and all its cells with a lower neighbor. It processes the shore by cell index, and from each shore cell
//! crosses everything that it can reach before it takes the next. So each flat is crossed from a single cell, the first
//! cell of the shore that touches it. This does not depend on other flats, so flats can be crossed in any order and on
//! every core.
//!
//! ```text
//!    9 9 9 9 9      Level 5: the shore consists of a and b, which have a lower
//!    3 a 5 5 9      neighbor. The flat of three cells is crossed from a, the
//!    9 9 5 b 2      first of the two, along the shortest paths.
//! ```
//!
//! Steps: process strips of rows independently. Gather each flat from its first cell, find the first cell of its shore,
//! and cross the flat from there. Flats that touch a seam are processed after all strips.
//!
//! Cost: O(cells on lakes and flats). Memory: 4 to 8 bytes for each cell of the largest flat.

use super::{
    flood::CELLS_PER_STEP,
    flow::Flow,
    grid::{Grid, OUTLET, opposite},
};
use crate::{Canceled, Progress, rows};

/// A direction that is not known yet.
pub(super) const UNSEEN: u8 = 0xff;

/// A cell of the flat that is being crossed.
const GATHERED: u8 = 0xfe;

/// A cell of a flat that is processed after all strips.
const LATER: u8 = 0xfd;

/// Sets the direction of each `UNSEEN` cell to the one from which the flood would come.
///
/// Returns `false`, with unusable directions, if one of these cells has a lower neighbor after all, because the slope
/// to it underflows in `f32`.
pub(super) fn cross(
    flow: &mut Flow,
    levels: &[f32],
    strip_rows: usize,
    progress: &Progress,
) -> Result<bool, Canceled> {
    let grid = flow.grid;
    let cells = grid.width * strip_rows;
    let mut strips: Vec<_> = flow
        .directions
        .chunks_mut(cells)
        .enumerate()
        .map(|(index, directions)| Strip::new(grid, levels, index * cells, directions))
        .collect();
    rows::for_each_row(&mut strips, 1, &progress.span(0.0, 0.6), |_, strip| {
        // The loop over strips reports the cancellation.
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
    /// The index of the first cell on the map.
    first: usize,
    directions: &'a mut [u8],
    /// The cells of a flat in the order in which they were found.
    cells: Vec<u32>,
    /// One cell of each flat that touches a seam.
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

    fn cross(&mut self, progress: &Progress) -> Result<(), Canceled> {
        for at in 0..self.directions.len() {
            if self.directions[at] == UNSEEN {
                self.cross_from(self.first + at, UNSEEN, progress)?;
            }
        }
        Ok(())
    }

    /// Crosses the flat of this cell, whose cells all have this mark, or postpones it.
    fn cross_from(&mut self, cell: usize, mark: u8, progress: &Progress) -> Result<(), Canceled> {
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

    /// Gathers all cells of a flat. Returns the first cell of its shore, or `None` if the flat touches a seam.
    fn gather(
        &mut self,
        cell: usize,
        mark: u8,
        progress: &Progress,
    ) -> Result<Option<usize>, Canceled> {
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

    /// Crosses the gathered flat by breadth-first search from this cell of its shore.
    fn spread(&mut self, shore: usize, progress: &Progress) -> Result<(), Canceled> {
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
