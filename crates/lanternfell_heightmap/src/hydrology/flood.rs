//! Priority-flood: the water level of every cell, and the direction in which its water leaves.
//!
//! Problem: noise is full of pits, and water that follows the steepest descent is caught in each
//! of them.
//!
//! Idea: let the sea rise. Where it crosses a rim it fills the depression behind, up to the rim
//! and no further. The flood therefore always continues at the lowest cell of its front.
//!
//! ```text
//!              rim
//!      .-.     /\            the flood comes from the outlets and visits
//!     /   \~~~/  \           every cell once, over the lowest rim there is;
//!    /     \_/    \__ sea    a cell drains to the one that it was reached from
//! ```
//!
//! Steps: queue all outlets by level; take the lowest cell; each unseen neighbor gets its own
//! height or the level of that cell, whichever is higher, and drains to it. Neighbors under water
//! need no queue. They wait in a FIFO pool, so that water crosses lakes and flats by the shortest
//! path.
//!
//! Equal levels are served from the pool first, then by index. Levels and directions are
//! therefore the same on every machine.
//!
//! When only levels matter, or paths across flats, [`basins`](super::basins) and
//! [`flats`](super::flats) find the same faster, and on every core.
//!
//! Cost: O(n) with a [`LevelQueue`] if heights are spread evenly. On large maps memory access
//! dominates, since the front winds through the whole map. Memory: 5 bytes per cell, and 8 per
//! cell of the front.
//!
//! Source: Barnes, Lehman and Mulla, *Priority-flood: an optimal depression-filling and
//! watershed-labeling algorithm for digital elevation models*, 2014. The lowest-first pool
//! is Lindsay's, *Efficient hybrid breaching-filling sink removal methods for flow path
//! enforcement in digital elevation models*, 2016.

use core::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::{
    flats::UNSEEN,
    grid::{Grid, OUTLET, opposite},
    queue::{LevelQueue, rank},
};
use crate::{Canceled, Progress, rows};

/// The number of cells between two progress reports: a few milliseconds.
pub(super) const CELLS_PER_STEP: usize = 1 << 15;

/// The shape of the water surface in a depression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Water {
    /// Level.
    Level,
    /// Rising by the smallest `f32` step from cell to cell, away from the outlet.
    Sloped,
    /// Level, but paths to the outlet follow the lowest terrain under water.
    Deep,
}

impl Water {
    /// The water level of a cell with this terrain height that is reached from a cell with the level `from`.
    fn level(self, ground: f32, from: f32) -> f32 {
        let least = match self {
            Self::Level | Self::Deep => from,
            // The clamp keeps it finite; up there it is level.
            Self::Sloped => from.next_up().min(f32::MAX),
        };
        // `max` is not used, because it does not define the sign of zero.
        if ground < least { least } else { ground }
    }
}

/// The result of a flood.
#[derive(Debug)]
pub(crate) struct Flooded {
    /// The water level: at or above the terrain.
    pub(crate) levels: Vec<f32>,
    /// The direction to the cell that the flood came from; `OUTLET` at outlets.
    pub(crate) origins: Vec<u8>,
}

/// Floods the terrain `ground`, whose heights are within `range`, from the cells for which `outlet` returns
/// true. There must be at least one.
pub(crate) fn flood(
    grid: &Grid,
    ground: Vec<f32>,
    range: (f32, f32),
    outlet: impl Fn(usize) -> bool + Sync + Send,
    water: Water,
    progress: &Progress,
) -> Result<Flooded, Canceled> {
    let cells = grid.cells();
    let mut origins = vec![UNSEEN; cells];
    let start = progress.span(0.0, 0.05);
    rows::for_each_row(&mut origins, grid.width, &start, |y, row| {
        for (cell, origin) in (y * grid.width..).zip(row) {
            if outlet(cell) {
                *origin = OUTLET;
            }
        }
    })?;
    let mut flooded = Flooded {
        levels: ground,
        origins,
    };
    let mut shore = LevelQueue::new(cells, range);
    seed(grid, &flooded, &mut shore, progress)?;
    let progress = progress.span(0.05, 1.0);
    let mut visited = 0;
    let mut pool = Pool::new(water);
    let Flooded { levels, origins } = &mut flooded;
    while let Some(cell) = next(&mut shore, &mut pool, levels) {
        let level = levels[cell];
        grid.around(cell, |direction, neighbor| {
            if origins[neighbor] != UNSEEN {
                return;
            }
            // Set when the cell is queued, not when it is visited: every cell is queued exactly
            // once.
            origins[neighbor] = opposite(direction);
            // No water has been there, so its level is still its terrain height.
            let land = levels[neighbor];
            let stands = water.level(land, level);
            // A submerged cell cannot be lower than the current one, so it may skip the queue. A
            // cell on a flat joins the pool too, which makes flats drain by the shortest path.
            if land < stands || land == level {
                levels[neighbor] = stands;
                pool.push(neighbor, land);
            } else {
                shore.push(neighbor, land);
            }
        });
        visited += 1;
        if visited % CELLS_PER_STEP == 0 {
            progress.step(visited, cells)?;
        }
    }
    progress.step(1, 1)?;
    Ok(flooded)
}

/// Queues the outlets that have unseen neighbors. The inside of a sea would only fill the queue.
fn seed(
    grid: &Grid,
    flooded: &Flooded,
    shore: &mut LevelQueue,
    progress: &Progress,
) -> Result<(), Canceled> {
    let Flooded { levels, origins } = flooded;
    for cell in 0..grid.cells() {
        if cell % CELLS_PER_STEP == 0 {
            progress.check()?;
        }
        if origins[cell] != OUTLET {
            continue;
        }
        let mut leads_on = false;
        grid.around(cell, |_, neighbor| {
            leads_on |= origins[neighbor] == UNSEEN;
        });
        if leads_on {
            shore.push(cell, levels[cell]);
        }
    }
    Ok(())
}

/// Takes the lowest cell; of equal ones, that of the pool.
fn next(shore: &mut LevelQueue, pool: &mut Pool, levels: &[f32]) -> Option<usize> {
    let Some(wet) = pool.peek() else {
        shore.lowest()?;
        return shore.pop();
    };
    match shore.lowest() {
        Some(dry) if dry < levels[wet] => shore.pop(),
        _ => pool.pop(),
    }
}

/// Cells at or below the current water level.
enum Pool {
    ByTurn(VecDeque<u32>),
    /// Ordered by the rank of the terrain height, then by arrival.
    ByGround(BinaryHeap<Reverse<(u32, u32, u32)>>, u32),
}

impl Pool {
    fn new(water: Water) -> Self {
        match water {
            Water::Level | Water::Sloped => Self::ByTurn(VecDeque::new()),
            Water::Deep => Self::ByGround(BinaryHeap::new(), 0),
        }
    }

    fn push(&mut self, cell: usize, ground: f32) {
        match self {
            Self::ByTurn(cells) => cells.push_back(cell as u32),
            Self::ByGround(cells, turn) => {
                cells.push(Reverse((rank(ground), *turn, cell as u32)));
                *turn += 1;
            }
        }
    }

    fn peek(&self) -> Option<usize> {
        match self {
            Self::ByTurn(cells) => cells.front().map(|&cell| cell as usize),
            Self::ByGround(cells, _) => cells.peek().map(|Reverse((_, _, cell))| *cell as usize),
        }
    }

    fn pop(&mut self) -> Option<usize> {
        match self {
            Self::ByTurn(cells) => cells.pop_front().map(|cell| cell as usize),
            Self::ByGround(cells, _) => cells.pop().map(|Reverse((_, _, cell))| cell as usize),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MapSize, SeededRng};

    /// The cell from which a flood reaches each cell, found by searching the whole shore for its lowest cell.
    fn flooded_from(grid: &Grid, ground: &[f32], outlets: &[bool]) -> Vec<Option<usize>> {
        let outlets = (0..ground.len()).filter(|&cell| outlets[cell]);
        let mut shore: Vec<(f32, usize)> = outlets.map(|cell| (ground[cell], cell)).collect();
        let mut seen = vec![false; ground.len()];
        shore.iter().for_each(|&(_, cell)| seen[cell] = true);
        let mut origins = vec![None; ground.len()];
        let mut pool = VecDeque::new();
        loop {
            let lowest = (0..shore.len()).min_by(|&a, &b| shore[a].partial_cmp(&shore[b]).unwrap());
            let (level, cell) = match (pool.pop_front(), lowest) {
                (Some(wet), _) => wet,
                (None, Some(lowest)) => shore.swap_remove(lowest),
                (None, None) => return origins,
            };
            grid.around(cell, |_, neighbor| {
                if !core::mem::replace(&mut seen[neighbor], true) {
                    origins[neighbor] = Some(cell);
                    if ground[neighbor] <= level {
                        pool.push_back((level, neighbor));
                    } else {
                        shore.push((ground[neighbor], neighbor));
                    }
                }
            });
        }
    }

    #[test]
    fn origins_match_search_of_the_whole_shore() {
        let mut rng = SeededRng::new(5, b"flood   ");
        for case in 0..300 {
            let size = MapSize::new(2 + rng.below(20), 2 + rng.below(20)).unwrap();
            let grid = Grid::new(size);
            let steps = [3, 12, 1 << 20][case % 3];
            let height = |_| rng.below(steps + 1) as f32 / steps as f32;
            let ground: Vec<f32> = (0..grid.cells()).map(height).collect();
            let mut outlets: Vec<bool> = ground.iter().map(|_| rng.percent(10)).collect();
            outlets[rng.below(grid.cells() as u64) as usize] = true;
            let outlet = |cell| outlets[cell];
            let progress = Progress::default();
            let heights = ground.clone();
            let found = flood(&grid, heights, (0.0, 1.0), outlet, Water::Level, &progress).unwrap();
            let origin = |cell: usize| {
                let way = found.origins[cell];
                (way != OUTLET).then(|| grid.step(cell, way))
            };
            let found: Vec<_> = (0..grid.cells()).map(origin).collect();
            assert_eq!(found, flooded_from(&grid, &ground, &outlets), "case {case}");
        }
    }
}
