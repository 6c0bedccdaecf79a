//! Flow directions across lakes and flats.
//!
//! Problem: a flat has no descent. If all of it drains along the shortest paths to one cell of its shore, streams run in
//! parallel diagonals from wall to wall and never meet.
//!
//! Idea: a flat gets two gradients, away from higher terrain and toward lower terrain. The second one counts twice, so
//! every cell has a way down, and the first one gathers water in the middle.
//!
//! ```text
//!    9 9 9 9 9 9 9 9     distance to     1 1 1 1 1     distance to     5 4 3 2 1
//!    9 5 5 5 5 5 9 9     higher          1 2 2 2 1     the shore s     5 4 3 2 1 s
//!    9 5 5 5 5 5 s 4     terrain         1 1 1 1 1                     5 4 3 2 1
//!    9 5 5 5 5 5 9 9
//!    9 9 9 9 9 9 9 9
//! ```
//!
//! The shore of a flat consists of the cells of its level that have a lower neighbor, and of outlets at its level. The
//! height on the flat is twice the distance to the shore minus the distance to higher terrain. A cell next to the shore
//! drains to the shore, to the closest cell. Another cell drains to the neighbor with the steepest descent of this
//! height. The height decreases by at least 1 per step, because a neighbor that is one cell closer to the shore is at
//! most one cell closer to higher terrain. So there are no cycles.
//!
//! These heights are so regular that most cells would have the same direction, and streams would still run in parallel
//! diagonals until they reach the middle. A random factor for the steepness of each direction lets them join on the way,
//! as rivers on plains do. It depends only on the column, the row and the direction.
//!
//! This does not depend on other flats, so flats can be crossed in any order and on every core.
//!
//! Steps: process strips of rows independently. Gather each flat from its first cell, then search it breadth-first from
//! its edge to higher terrain, and from its shore. Flats that touch a seam are processed after all strips. Distances
//! are stored modulo 4 in place of the directions: those of neighbors differ by at most 1.
//!
//! # Crossing like a flood
//!
//! Erosion crosses flats as a [flood](super::flood) would, so that its results never change. A flood visits all lower
//! cells before it reaches a level. At that time it knows the shore of the level. It processes the shore by cell index,
//! and from each shore cell crosses everything that it can reach before it takes the next. So each flat is crossed from
//! a single cell, the first cell of the shore that touches it.
//!
//! ```text
//!    9 9 9 9 9      Level 5: the shore consists of a and b, which have a lower
//!    3 a 5 5 9      neighbor. The flat of three cells is crossed from a, the
//!    9 9 5 b 2      first of the two, along the shortest paths.
//! ```
//!
//! Cost: O(cells on lakes and flats). Memory: 5 to 9 bytes for each cell of the largest flat.
//!
//! Sources: the two gradients are from Garbrecht and Martz, *The assignment of drainage direction over flat surfaces in
//! raster digital elevation models*, 1997; their linear-time form from Barnes, Lehman and Mulla, *An efficient
//! assignment of drainage direction over flat surfaces in raster digital elevation models*, 2014. The random factor is
//! from Fairfield and Leymarie, *Drainage networks from grid digital elevation models*, 1991.

use super::{
    flood::CELLS_PER_STEP,
    flow::{Flow, Luck},
    grid::{DISTANCES, Grid, OUTLET, opposite},
};
use crate::{Canceled, Progress, rows};

/// A direction that is not known yet.
pub(super) const UNSEEN: u8 = 0xff;

/// A cell of the flat that is being crossed.
const GATHERED: u8 = 0xfe;

/// A cell of a flat that is processed after all strips.
const LATER: u8 = 0xfd;

/// A cell of the flat whose distance to higher terrain is known: modulo 4, in the lowest two bits.
const AWAY: u8 = 0x10;

/// A cell of the flat whose distance to the shore is also known: modulo 4, in the next two bits.
const TOWARD: u8 = 0x20;

/// The bits of `AWAY` and `TOWARD`.
const KIND: u8 = 0xf0;

/// The drop to a neighbor on the shore. With any random factor it is steeper than a drop on the flat, which is at most 3.
const TO_SHORE: f32 = 100.0;

/// The random factor of directions on a flat.
const LUCK: Luck = Luck {
    strength: 0.7,
    seed: 0,
    origin: (0, 0),
};

/// Below this height, the slope between neighbors may underflow.
const LEAST: f32 = 1e-30;

/// How water crosses a flat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Crossing {
    /// By the gradients away from higher terrain and toward lower terrain.
    Gradients,
    /// In the direction from which the flood would come.
    Flood,
}

/// Sets the direction of each `UNSEEN` cell near 0 that has a lower neighbor, to which the slope underflows in `f32`.
pub(super) fn descend_near_zero(
    flow: &mut Flow,
    levels: &[f32],
    progress: &Progress,
) -> Result<(), Canceled> {
    let grid = flow.grid;
    rows::for_each_row(&mut flow.directions, grid.width, progress, |y, row| {
        for (x, direction) in row.iter_mut().enumerate() {
            if *direction == UNSEEN {
                *direction = descent_near_zero(&grid, levels, x, y).unwrap_or(UNSEEN);
            }
        }
    })
}

/// The direction to the lowest neighbor of a cell near 0; of equal ones, the first. `None` if no neighbor is lower.
pub(super) fn descent_near_zero(grid: &Grid, levels: &[f32], x: usize, y: usize) -> Option<u8> {
    let (mut lowest, mut found) = (levels[y * grid.width + x], None);
    if lowest.abs() < LEAST {
        grid.around_at(x, y, |way, neighbor| {
            if levels[neighbor] < lowest {
                (lowest, found) = (levels[neighbor], Some(way));
            }
        });
    }
    found
}

/// Sets the direction of each of these cells that is `UNSEEN`. They must contain all cells of their flats.
pub(super) fn cross_again(
    flow: &mut Flow,
    levels: &[f32],
    cells: &[u32],
    progress: &Progress,
) -> Result<(), Canceled> {
    let (grid, crossing) = (flow.grid, Crossing::Gradients);
    let mut map = Strip::new(grid, levels, crossing, 0, &mut flow.directions);
    for &cell in cells {
        map.cross_from(cell as usize, UNSEEN, progress)?;
    }
    Ok(())
}

/// Sets the direction of each `UNSEEN` cell.
///
/// Returns `false`, with unusable directions, if one of these cells has a lower neighbor after all, because the slope
/// to it underflows in `f32`.
pub(super) fn cross(
    flow: &mut Flow,
    levels: &[f32],
    crossing: Crossing,
    strip_rows: usize,
    progress: &Progress,
) -> Result<bool, Canceled> {
    let grid = flow.grid;
    let cells = grid.width * strip_rows;
    let mut strips: Vec<_> = flow
        .directions
        .chunks_mut(cells)
        .enumerate()
        .map(|(index, directions)| Strip::new(grid, levels, crossing, index * cells, directions))
        .collect();
    rows::for_each_row(&mut strips, 1, &progress.span(0.0, 0.6), |_, strip| {
        // The loop over strips reports the cancellation.
        strip[0].cross(progress).ok();
    })?;
    let flat = strips.iter().all(|strip| strip.flat);
    let later: Vec<Vec<u32>> = strips.into_iter().map(|strip| strip.later).collect();
    let mut map = Strip::new(grid, levels, crossing, 0, &mut flow.directions);
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
    crossing: Crossing,
    /// The index of the first cell on the map.
    first: usize,
    directions: &'a mut [u8],
    /// The cells of a flat in the order in which they were found.
    cells: Vec<u32>,
    /// Those next to higher terrain, and those next to the shore.
    edges: [Vec<u32>; 2],
    /// One cell of each flat that touches a seam.
    later: Vec<u32>,
    /// Whether no cell of a flat has had a lower neighbor.
    flat: bool,
}

impl<'a> Strip<'a> {
    fn new(
        grid: Grid,
        levels: &'a [f32],
        crossing: Crossing,
        first: usize,
        directions: &'a mut [u8],
    ) -> Self {
        Self {
            grid,
            levels,
            crossing,
            first,
            directions,
            cells: Vec::new(),
            edges: [Vec::new(), Vec::new()],
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
            return match self.crossing {
                Crossing::Gradients => self.descend(progress),
                Crossing::Flood => self.spread(shore, progress),
            };
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
        self.edges.iter_mut().for_each(Vec::clear);
        self.cells.clear();
        self.cells.push(cell as u32);
        while let Some(&cell) = self.cells.get(at) {
            at += 1;
            if at % CELLS_PER_STEP == 0 {
                progress.check()?;
            }
            let level = self.levels[cell as usize];
            let mut next_to = [false; 2];
            self.grid.around(cell as usize, |_, neighbor| {
                let there = self.levels[neighbor];
                self.flat &= there >= level;
                next_to[0] |= there > level;
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
                    next_to[1] = true;
                }
            });
            for (edge, _) in self.edges.iter_mut().zip(next_to).filter(|(_, on)| *on) {
                edge.push(cell);
            }
        }
        Ok((within && shore != usize::MAX).then_some(shore))
    }

    /// Crosses the gathered flat by the gradients away from higher terrain and toward the shore.
    fn descend(&mut self, progress: &Progress) -> Result<(), Canceled> {
        if self.edges[0].is_empty() {
            for &cell in &self.cells {
                self.directions[cell as usize - self.first] = AWAY;
            }
        } else {
            let unknown = |code| code == GATHERED;
            self.search(0, AWAY, unknown, |from, _| AWAY | (from + 1) & 3, progress)?;
        }
        let unknown = |code| code & KIND == AWAY;
        let next = |from, away| TOWARD | (from + 4) & 12 | away & 3;
        self.search(1, TOWARD, unknown, next, progress)?;
        // The directions replace the distances only after all of them are known.
        let mut ways = Vec::with_capacity(self.cells.len());
        for cells in self.cells.chunks(CELLS_PER_STEP) {
            progress.check()?;
            ways.extend(cells.iter().map(|&cell| self.steepest(cell as usize)));
        }
        for (&cell, way) in self.cells.iter().zip(ways) {
            self.directions[cell as usize - self.first] = way;
        }
        Ok(())
    }

    /// Searches the gathered flat breadth-first from one of its edges. Each `unknown` code is replaced by
    /// `next(the code of the cell that it was reached from, itself)`. The edge is reached from `start`.
    fn search(
        &mut self,
        edge: usize,
        start: u8,
        unknown: impl Fn(u8) -> bool,
        next: impl Fn(u8, u8) -> u8,
        progress: &Progress,
    ) -> Result<(), Canceled> {
        self.cells.clear();
        self.cells.extend_from_slice(&self.edges[edge]);
        for &cell in &self.cells {
            let code = &mut self.directions[cell as usize - self.first];
            *code = next(start, *code);
        }
        let mut at = 0;
        while let Some(&cell) = self.cells.get(at) {
            at += 1;
            if at % CELLS_PER_STEP == 0 {
                progress.check()?;
            }
            let from = self.directions[cell as usize - self.first];
            self.grid.around(cell as usize, |_, neighbor| {
                let place = neighbor.wrapping_sub(self.first);
                if let Some(code) = self.directions.get_mut(place)
                    && unknown(*code)
                {
                    *code = next(from, *code);
                    self.cells.push(neighbor as u32);
                }
            });
        }
        Ok(())
    }

    /// The direction of the steepest descent of the height on the flat, modified by the random factor. Of equal slopes,
    /// the first direction wins.
    fn steepest(&self, cell: usize) -> u8 {
        let here = self.directions[cell - self.first];
        let (x, y) = self.grid.place(cell);
        let dice = LUCK.dice(x, y);
        let (mut steepest, mut direction) = (0.0, UNSEEN);
        self.grid.around_at(x, y, |way, neighbor| {
            let place = neighbor.wrapping_sub(self.first);
            let Some(&there) = self.directions.get(place) else {
                return;
            };
            let drop = if there & KIND == TOWARD {
                let closer = 2 * difference(here >> 2, there >> 2) - difference(here, there);
                closer as f32 * LUCK.factor(dice, way)
            } else if there <= OUTLET && self.levels[neighbor] == self.levels[cell] {
                TO_SHORE
            } else {
                return;
            };
            let slope = drop / DISTANCES[usize::from(way)];
            if slope > steepest {
                (steepest, direction) = (slope, way);
            }
        });
        direction
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

/// The difference of two numbers that differ by at most 1, given modulo 4.
fn difference(a: u8, b: u8) -> i32 {
    [0, 1, 0, -1][usize::from(a.wrapping_sub(b) & 3)]
}
