//! The direction in which water leaves each cell, and sums over everything upstream.
//!
//! Idea: every cell drains to one neighbor (D8), so the map becomes a forest whose roots are the outlets. Sums over
//! everything upstream need no sorting. A cell is complete when all its donors have arrived. Then it passes its sum on
//! to its receiver, and so on down to a confluence that still waits.
//!
//! ```text
//!    1   1   1          a leaf starts; at * its water waits for the
//!     \  |  /           other leaf, which then carries both on
//!      1 * 1
//!       \|/
//!        6
//! ```
//!
//! Steps: count the donors of each cell, rows in parallel. From each leaf, in cell order, walk down as long as cells
//! are complete. Paths stay in the cache, and sums have a fixed order.
//!
//! Cost: O(n). Memory: one byte per cell for the directions and one for the counts.
//!
//! Sources: the forest is from Braun and Willett, *A very efficient O(n), implicit and parallel method to solve the
//! stream power equation*, 2013; the walk from leaf to confluence is from Freeman (1991) and Zhou, Wei and Fu (2019).

use core::ops::Range;

use fearless_simd::{Level, dispatch};

use super::{
    flood::CELLS_PER_STEP,
    grid::{DISTANCES, Grid, OUTLET, opposite},
};
use crate::{Canceled, Progress, rows};

/// Replaces the number of donors of a cell that is complete.
pub(super) const DONE: u8 = 0xff;

/// The direction of the receiver of each cell, or `OUTLET`. Free of cycles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Flow {
    pub(crate) grid: Grid,
    pub(crate) directions: Vec<u8>,
}

impl Flow {
    /// The cell to which this one drains; `None` for an outlet.
    pub(crate) fn receiver(&self, cell: usize) -> Option<usize> {
        let direction = self.directions[cell];
        (direction != OUTLET).then(|| self.grid.step(cell, direction))
    }

    /// Calls `each` with the donors of a cell, in the order of directions.
    pub(crate) fn donors(&self, cell: usize, mut each: impl FnMut(usize)) {
        self.grid.around(cell, |direction, neighbor| {
            if self.directions[neighbor] == opposite(direction) {
                each(neighbor);
            }
        });
    }

    /// Calls `join(cell, receiver)` once for each cell that is not an outlet, after all its donors.
    pub(crate) fn downstream(
        &self,
        progress: &Progress,
        mut join: impl FnMut(usize, usize),
    ) -> Result<(), Canceled> {
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

    /// Counts the donors of each cell.
    pub(super) fn count_donors(&self, progress: &Progress) -> Result<Vec<u8>, Canceled> {
        let grid = &self.grid;
        let mut counts = vec![0; self.directions.len()];
        rows::for_each_row(&mut counts, grid.width, progress, |y, row| {
            let inside = grid.inside(y);
            for way in (0..8).filter(|_| !inside.is_empty()) {
                let flows = grid.row_neighbors(&self.directions, y, way);
                for (count, &direction) in row[inside.clone()].iter_mut().zip(flows) {
                    *count += u8::from(direction == opposite(way));
                }
            }
            for x in (0..inside.start).chain(inside.end..grid.width) {
                grid.around_at(x, y, |way, neighbor| {
                    row[x] += u8::from(self.directions[neighbor] == opposite(way));
                });
            }
        })?;
        Ok(counts)
    }

    /// Sets the direction of each cell that is not an outlet to the steepest descent of `heights`, modified by the
    /// random factor. Of equal slopes, the first direction wins. Cells without a descent, or whose slope underflows,
    /// keep their direction.
    pub(crate) fn descend(
        &mut self,
        heights: &[f32],
        luck: Luck,
        progress: &Progress,
    ) -> Result<(), Canceled> {
        let grid = &self.grid;
        let scratch = || Ways::new(grid.width);
        let turn = |ways: &mut Ways, y: usize, row: &mut [u8]| {
            let here = &heights[y * grid.width..][..grid.width];
            let inside = grid.inside(y);
            dispatch!(Level::new(), _simd => {
                ways.start(y, luck);
                for way in (0..8).filter(|_| !inside.is_empty()) {
                    let there = grid.row_neighbors(heights, y, way);
                    ways.try_all(inside.clone(), way, &here[inside.clone()], there, luck);
                }
            });
            for x in (0..inside.start).chain(inside.end..grid.width) {
                grid.around_at(x, y, |way, neighbor| {
                    ways.try_all(
                        x..x + 1,
                        way,
                        &here[x..=x],
                        &heights[neighbor..=neighbor],
                        luck,
                    );
                });
            }
            for ((direction, &slope), &way) in row.iter_mut().zip(&ways.slopes).zip(&ways.ways) {
                let falls = *direction != OUTLET && slope > 0.0;
                *direction = if falls { way as u8 } else { *direction };
            }
        };
        rows::for_each_row_with(&mut self.directions, grid.width, progress, scratch, turn)
    }
}

/// The steepest descent of a cell, the same as by [`Flow::descend`] without a random factor.
pub(super) fn descent(grid: &Grid, heights: &[f32], x: usize, y: usize) -> Option<u8> {
    let here = heights[y * grid.width + x];
    let (mut steepest, mut found) = (0.0, None);
    grid.around_at(x, y, |way, neighbor| {
        let nearness = 1.0 / DISTANCES[usize::from(way)];
        let slope = (0.5 * here - 0.5 * heights[neighbor]) * nearness;
        if slope > steepest {
            (steepest, found) = (slope, Some(way));
        }
    });
    found
}

/// A random factor for the apparent steepness of each direction: from `1 - strength` to `1 + strength`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Luck {
    pub(crate) strength: f32,
    pub(crate) seed: u32,
    /// The column and row of the grid's first cell in its world, so that a part gets the same factors as the whole map.
    pub(crate) origin: (usize, usize),
}

impl Luck {
    pub(crate) const NONE: Self = Self {
        strength: 0.0,
        seed: 0,
        origin: (0, 0),
    };

    /// Four random bits per direction from a 32-bit hash with two multiplications. This is good enough, because only
    /// neighbors are compared (after Wellons, *Prospecting for hash functions*, 2018).
    pub(super) fn dice(self, x: usize, y: usize) -> u32 {
        let (x, y) = (self.origin.0 + x, self.origin.1 + y);
        let place = (x as u32).wrapping_mul(0x9e37_79b9) ^ (y as u32).wrapping_mul(0x85eb_ca6b);
        let bits = place.wrapping_add(self.seed);
        let bits = (bits ^ bits >> 16).wrapping_mul(0x21f0_aaad);
        let bits = (bits ^ bits >> 15).wrapping_mul(0x735a_2d97);
        bits ^ bits >> 15
    }

    /// The factor of a direction, given the [`dice`](Self::dice) of the cell.
    #[inline(always)]
    pub(super) fn factor(self, dice: u32, way: u8) -> f32 {
        let thrown = (dice >> (4 * way) & 0xf) as i32 as f32 * (1.0 / 15.0);
        1.0 - self.strength + 2.0 * self.strength * thrown
    }
}

/// The steepest direction found so far for each cell of a row. All fields are 32 bits wide, so that loops along a row
/// vectorize.
struct Ways {
    slopes: Vec<f32>,
    ways: Vec<u32>,
    dice: Vec<u32>,
}

impl Ways {
    fn new(width: usize) -> Self {
        Self {
            slopes: vec![0.0; width],
            ways: vec![0; width],
            dice: vec![0; width],
        }
    }

    // Inlined, so that they are compiled for each vector width. The bits are the same.

    #[inline(always)]
    fn start(&mut self, y: usize, luck: Luck) {
        self.slopes.fill(0.0);
        if luck.strength == 0.0 {
            return;
        }
        for (x, dice) in self.dice.iter_mut().enumerate() {
            *dice = luck.dice(x, y);
        }
    }

    /// Tries one direction for these columns, from their heights `here` to the heights `there`.
    #[inline(always)]
    fn try_all(&mut self, columns: Range<usize>, way: u8, here: &[f32], there: &[f32], luck: Luck) {
        let nearness = 1.0 / DISTANCES[usize::from(way)];
        if luck.strength == 0.0 {
            return self.try_each(columns, way, here, there, |_| nearness);
        }
        let (low, span) = (
            (1.0 - luck.strength) * nearness,
            2.0 * luck.strength * nearness,
        );
        self.try_each(columns, way, here, there, |dice| {
            let thrown = (dice >> (4 * way) & 0xf) as i32 as f32 * (1.0 / 15.0);
            low + span * thrown
        });
    }

    #[inline(always)]
    fn try_each(
        &mut self,
        columns: Range<usize>,
        way: u8,
        here: &[f32],
        there: &[f32],
        nearness: impl Fn(u32) -> f32,
    ) {
        let slopes = self.slopes[columns.clone()].iter_mut();
        let ways = self.ways[columns.clone()].iter_mut();
        let cells = slopes.zip(ways).zip(&self.dice[columns]);
        for (((steepest, best), &dice), (&here, &there)) in cells.zip(here.iter().zip(there)) {
            // Halved, so that the difference cannot overflow.
            let slope = (0.5 * here - 0.5 * there) * nearness(dice);
            let better = slope > *steepest;
            *best = if better { way.into() } else { *best };
            *steepest = if better { slope } else { *steepest };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MapSize;

    /// The end of the path from the center of a plane that descends in this direction, relative to the center.
    fn drift(angle: f32, seed: u32) -> (f32, f32) {
        let size = MapSize::new(301, 301).unwrap();
        let grid = Grid::new(size);
        let (east, south) = (libm::cosf(angle), libm::sinf(angle));
        let height = |cell| {
            let (x, y) = grid.place(cell);
            1000.0 - x as f32 * east - y as f32 * south
        };
        let heights: Vec<f32> = (0..grid.cells()).map(height).collect();
        let outlet = |cell| {
            let (x, y) = grid.place(cell);
            if grid.border_at(x, y) { OUTLET } else { 0 }
        };
        let directions = (0..grid.cells()).map(outlet).collect();
        let mut flow = Flow { grid, directions };
        let strength = 0.7;
        let origin = (0, 0);
        let luck = Luck {
            strength,
            seed,
            origin,
        };
        flow.descend(&heights, luck, &Progress::default()).unwrap();
        let mut cell = 150 * 301 + 150;
        while let Some(next) = flow.receiver(cell) {
            cell = next;
        }
        let (x, y) = grid.place(cell);
        (x as f32 - 150.0, y as f32 - 150.0)
    }

    #[test]
    fn random_factor_allows_any_direction() {
        for degrees in [0.0_f32, 10.0, 20.0, 30.0, 45.0, 70.0, 200.0] {
            let (mut x, mut y) = (0.0, 0.0);
            for seed in 0..20 {
                let way = drift(degrees.to_radians(), seed);
                (x, y) = (x + way.0, y + way.1);
            }
            let found = libm::atan2f(y, x).to_degrees();
            let off = (found - degrees + 540.0) % 360.0 - 180.0;
            assert!(off.abs() < 6.0, "{found} instead of {degrees}");
        }
    }
}
