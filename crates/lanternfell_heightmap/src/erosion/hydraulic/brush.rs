//! The brush: spreads the change of a droplet over the cells around it.
//!
//! Problem: a droplet that erodes only the four cells around it leaves jagged gullies one cell wide. Erosion and
//! deposition must also leave neither pits nor spikes.
//!
//! Idea: erode with a round brush whose weights form a cone, but never below the height ahead of the droplet. Deposit
//! on the four cells around the droplet, and never above the droplet. Depositing with a narrow brush fills pits, which
//! a wide one would only raise (Beyer).
//!
//! ```text
//!      ceiling  . . . .o. . . .     o  the droplet:
//!                    \_/  ___/      nothing is deposited above it,
//!      floor    . . . . \/. . .     nothing is eroded below its next height
//! ```
//!
//! The weights are precomputed for [`STEPS`] x [`STEPS`] positions within a cell, so that gullies do not jump from cell
//! to cell. A row of `WIDTH` cells is one or two wide vectors.
//!
//! Material moves in whole grains, and the load of the droplet changes by exactly what the cells lose or gain.

use super::{
    super::grains::whole,
    region_heights::{CellPoint, RegionHeights},
};
use crate::range::{higher, lower};

/// The number of positions within a cell, along each axis, for which the brush has weights.
const STEPS: usize = 4;

/// The amount to erode or deposit in one step, with its limits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change {
    /// Grains to erode, or to deposit if negative; at least -2^22. Because whole grains move, the actual change may be
    /// up to half a grain larger per cell.
    pub(super) amount: f32,
    /// No cell is lowered below this.
    pub(super) floor: f32,
    /// No cell is raised above this.
    pub(super) ceiling: f32,
}

impl Change {
    /// The height of a cell after a fraction of the amount is eroded.
    #[inline(always)]
    fn lowered(self, old: f32, weight: f32) -> f32 {
        let new = old - whole(weight * self.amount);
        higher(new, lower(old, self.floor))
    }

    /// The height of a cell after a fraction of the amount is eroded or deposited.
    #[inline(always)]
    fn changed(self, old: f32, weight: f32) -> f32 {
        lower(self.lowered(old, weight), higher(old, self.ceiling))
    }
}

/// The weights of `WIDTH` x `WIDTH` cells around a droplet, with a sum of 1.
///
/// A `WIDTH` of 2 does not use them: the four cells have bilinear weights.
pub(super) struct Brush<const WIDTH: usize> {
    /// The weights for each position within a cell, row by row.
    weights: Vec<[[f32; WIDTH]; WIDTH]>,
}

impl<const WIDTH: usize> Brush<WIDTH> {
    /// The number of columns to the west of the droplet's cell that the brush covers, and of rows to the north.
    const BEFORE: usize = WIDTH / 2 - 1;

    /// Creates a cone of this radius in cells, which is at most half of `WIDTH`.
    pub(super) fn new(radius: f64) -> Self {
        let middle = |step: usize| Self::BEFORE as f64 + (step as f64 + 0.5) / STEPS as f64;
        let cone = |place: usize| {
            let (x, y) = (middle(place % STEPS), middle(place / STEPS));
            let weight = |row: usize, column: usize| {
                let (dx, dy) = (column as f64 - x, row as f64 - y);
                (radius - (dx * dx + dy * dy).sqrt()).max(0.0)
            };
            let cells = 0..WIDTH * WIDTH;
            let sum: f64 = cells.map(|k| weight(k / WIDTH, k % WIDTH)).sum();
            core::array::from_fn(|row| {
                core::array::from_fn(|column| (weight(row, column) / sum) as f32)
            })
        };
        Self {
            weights: (0..STEPS * STEPS).map(cone).collect(),
        }
    }

    /// Changes the heights around a point and returns how many grains were eroded, negative if they were deposited.
    #[inline(always)]
    pub(super) fn apply(
        &self,
        ground: &mut RegionHeights<'_>,
        place: CellPoint,
        change: Change,
    ) -> f32 {
        if WIDTH == 2 || change.amount <= 0.0 {
            four(ground, place, change)
        } else if ground.holds::<WIDTH>(place, Self::BEFORE) {
            self.whole(ground, place, change)
        } else {
            self.part(ground, place, change)
        }
    }

    #[inline(always)]
    fn weights(&self, place: CellPoint) -> &[[f32; WIDTH]; WIDTH] {
        let step = |part: f32| ((part * STEPS as f32) as usize).min(STEPS - 1);
        &self.weights[step(place.v) * STEPS + step(place.u)]
    }

    /// Erodes with the whole brush.
    #[inline(always)]
    fn whole(&self, ground: &mut RegionHeights<'_>, place: CellPoint, change: Change) -> f32 {
        let side = ground.side();
        let first = place.cell as usize - Self::BEFORE * (side + 1);
        let mut taken = [0.0; WIDTH];
        for (row, weights) in self.weights(place).iter().enumerate() {
            let cells = &mut ground.cells[first + row * side..];
            let Some(cells) = cells.first_chunk_mut::<WIDTH>() else {
                continue;
            };
            // Works on copies, because the compiler vectorizes only those.
            let old = *cells;
            let mut new = old;
            for k in 0..WIDTH {
                new[k] = change.lowered(old[k], weights[k]);
            }
            *cells = new;
            for k in 0..WIDTH {
                taken[k] += old[k] - new[k];
            }
        }
        taken.iter().sum()
    }

    /// Erodes with the part of the brush that is on the map.
    #[cold]
    fn part(&self, ground: &mut RegionHeights<'_>, place: CellPoint, change: Change) -> f32 {
        let side = ground.side();
        let (column, row) = (place.cell as usize % side, place.cell as usize / side);
        let mut taken = [0.0; WIDTH];
        for (dy, weights) in self.weights(place).iter().enumerate() {
            for (dx, &weight) in weights.iter().enumerate() {
                let (x, y) = (column + dx, row + dy);
                let on_columns = ground.columns.contains(&x.wrapping_sub(Self::BEFORE));
                let on_rows = ground.rows.contains(&y.wrapping_sub(Self::BEFORE));
                if on_columns && on_rows {
                    let cell = &mut ground.cells[(y - Self::BEFORE) * side + x - Self::BEFORE];
                    let old = *cell;
                    *cell = change.lowered(old, weight);
                    taken[dx] += old - *cell;
                }
            }
        }
        taken.iter().sum()
    }
}

/// Changes the four cells around a point with their bilinear weights.
#[inline(always)]
fn four(
    ground: &mut RegionHeights<'_>,
    CellPoint { cell, u, v }: CellPoint,
    change: Change,
) -> f32 {
    let side = ground.side();
    let cells = &mut ground.cells[cell as usize..][..side + 2];
    let mut part = |at: usize, weight: f32| {
        let old = cells[at];
        cells[at] = change.changed(old, weight);
        old - cells[at]
    };
    let (north, south) = (1.0 - v, v);
    let (west, east) = (1.0 - u, u);
    let above = part(0, west * north) + part(1, east * north);
    let below = part(side, west * south) + part(side + 1, east * south);
    above + below
}
