//! The brush: how the change that a droplet makes is spread over the cells around it.
//!
//! Problem: a droplet that digs in the four cells around it alone leaves gullies one cell
//! wide, jagged ones; and what it digs or lays must leave neither pits nor spikes.
//!
//! Idea: ground is taken with a round brush, a cone of weights, from every cell in its
//! reach, but from none below the ground ahead of the droplet. It is laid on the four
//! cells around the droplet (Beyer: so that it fills pits, which a wide brush would only
//! lift), and on none above the droplet.
//!
//! ```text
//!      ceiling  . . . .o. . . .     o  where the droplet is
//!                    \_/  ___/      nothing is laid above it,
//!      floor    . . . . \/. . .     nothing is taken from below where it goes
//! ```
//!
//! The weights are known for [`STEPS`] x [`STEPS`] places within a cell, so that a gully
//! does not jump from cell to cell. A row of `WIDTH` cells is one or two wide vectors.
//!
//! Ground is moved in whole grains, and what a cell has lost or won is what the droplet wins or
//! loses: none comes from nowhere, none gets lost.

use super::{
    super::grains::whole,
    region_heights::{CellPoint, RegionHeights},
};
use crate::range::{higher, lower};

/// The places within a cell, along each axis, that the brush tells apart.
const STEPS: usize = 4;

/// How much may be taken or laid in one step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change {
    /// Grains to be taken; to be laid when it is below 0, at most 2^22. As a whole grain is the
    /// least that moves, it may be up to half a grain more for each cell.
    pub(super) amount: f32,
    /// No cell is lowered below this.
    pub(super) floor: f32,
    /// No cell is raised above this.
    pub(super) ceiling: f32,
}

impl Change {
    /// A cell's height when a share of the amount is taken from it.
    #[inline(always)]
    fn lowered(self, old: f32, weight: f32) -> f32 {
        let new = old - whole(weight * self.amount);
        higher(new, lower(old, self.floor))
    }

    /// A cell's height when a share of the amount is taken from it or laid on it.
    #[inline(always)]
    fn changed(self, old: f32, weight: f32) -> f32 {
        lower(self.lowered(old, weight), higher(old, self.ceiling))
    }
}

/// The weights of `WIDTH` x `WIDTH` cells around a droplet, whose sum is 1.
///
/// A `WIDTH` of 2 has no use for them: the four cells are weighted as in between them.
pub(super) struct Brush<const WIDTH: usize> {
    /// For each place within a cell, row by row.
    weights: Vec<[[f32; WIDTH]; WIDTH]>,
}

impl<const WIDTH: usize> Brush<WIDTH> {
    /// The columns west of a droplet's cell that the brush reaches, and the rows north.
    const BEFORE: usize = WIDTH / 2 - 1;

    /// A cone of this radius, in cells, at most half of `WIDTH`.
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

    /// Changes the ground around a place and says how many grains were taken; below 0 when they
    /// were laid.
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

    /// With the whole of the brush.
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
            // By way of copies: only these become wide vectors.
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

    /// With the part of the brush that lies on the map.
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

/// On the four cells around a place, each the more the nearer it is.
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
