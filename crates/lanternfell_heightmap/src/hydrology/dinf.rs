//! Catchment areas by D-infinity: water may flow between two neighbors.
//!
//! Problem: with one receiver per cell (D8), water flows in eight directions only. On an even slope streams never meet,
//! so catchments are stripes along the nearest of these directions.
//!
//! Idea: the cell and each pair of adjacent neighbors form a triangle, which is a plane with a direction of descent.
//! The steepest of the eight planes wins. If its direction points between both neighbors, they share the water: the
//! closer the direction is to a neighbor, the larger its part.
//!
//! ```text
//!          c---0      angle 0.25: the water flows a quarter of the way
//!           \ `-.     from direction 0 to direction 1, so 0 gets 3/4
//!             1       of it, and 1 gets 1/4
//! ```
//!
//! Both receivers are lower than the cell, so there are no cycles. On lakes and flats no triangle descends. There the
//! cell drains to its only receiver of [`Drainage`].
//!
//! The first part is rounded to a multiple of `UNIT`, and the second part is the rest. All sums of such numbers are
//! exact in
//! `f64`, because a map has at most 2^28 cells. So no water is lost, and the order of the sum does not matter.
//!
//! Steps: find the angle of each cell, rows in parallel. Count the donors of each cell. From each cell without donors,
//! pass the water on to the cells that become complete.
//!
//! Cost: O(n). Memory: 13 bytes per cell in addition to the drainage.
//!
//! Why not the multiple flow directions of Quinn (1991) or Freeman (1991): these spread the water of each cell to all
//! lower neighbors, so catchments widen downhill even on an even slope. With D-infinity they stay narrow.
//!
//! Source: Tarboton, *A new method for the determination of flow directions and upslope areas in grid digital elevation
//! models*, Water Resources Research 33, 1997.

use core::f64::consts::FRAC_PI_4;

use serde::{Deserialize, Serialize};

use super::{
    Drainage,
    flood::CELLS_PER_STEP,
    flow::DONE,
    grid::{Grid, OUTLET},
};
use crate::{Canceled, Progress, rows};

/// The smallest part of a cell's area that flows separately.
const UNIT: f64 = 1.0 / (1 << 24) as f64;

/// The angle of an outlet.
const NONE: f32 = -1.0;

/// How the water of a cell is divided among its neighbors, for [`Drainage::catchments`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum FlowRouting {
    /// All water flows to one of eight neighbors. Catchments are whole numbers of cells. O'Callaghan and Mark (1984).
    #[default]
    D8,
    /// The water flows in the direction of the steepest descent, and is shared by the two neighbors on both sides of
    /// it. Lakes and flats are crossed as with `D8`. Tarboton (1997).
    DInfinity,
}

impl Drainage {
    /// Computes the catchment area of each cell, row by row, in cells: the part of the map that drains through it,
    /// including itself.
    ///
    /// The areas of all outlets add up to the number of cells of the map. With [`FlowRouting::D8`] the areas are
    /// those of [`areas`](Self::areas).
    ///
    /// # Errors
    /// If the work is canceled.
    #[doc(alias = "flow accumulation")]
    #[doc(alias = "upslope area")]
    pub fn catchments(
        &self,
        routing: FlowRouting,
        progress: &Progress,
    ) -> Result<Vec<f64>, Canceled> {
        match routing {
            FlowRouting::D8 => Ok(self.areas(progress)?.into_iter().map(f64::from).collect()),
            FlowRouting::DInfinity => {
                let angles = self.angles(&progress.span(0.0, 0.4))?;
                accumulate(&self.flow.grid, &angles, &progress.span(0.4, 1.0))
            }
        }
    }

    /// The direction in which the water leaves each cell, from 0 to 8 clockwise from the east, or [`NONE`] at outlets.
    /// A fraction is a direction between two neighbors.
    fn angles(&self, progress: &Progress) -> Result<Vec<f32>, Canceled> {
        let (grid, levels) = (&self.flow.grid, self.filled().heights());
        let mut angles = vec![NONE; grid.cells()];
        rows::for_each_row(&mut angles, grid.width, progress, |y, row| {
            for (x, angle) in row.iter_mut().enumerate() {
                let direction = self.flow.directions[y * grid.width + x];
                if direction != OUTLET {
                    *angle = descent(grid, levels, x, y).unwrap_or(direction.into());
                }
            }
        })?;
        Ok(angles)
    }
}

/// The angle of the steepest of the eight triangles around a cell; of equal ones, the first. `None` if all neighbors
/// are at least as high as the cell.
fn descent(grid: &Grid, levels: &[f32], x: usize, y: usize) -> Option<f32> {
    let here = f64::from(levels[y * grid.width + x]);
    let mut drops = [None; 8];
    grid.around_at(x, y, |way, neighbor| {
        // `f64` holds the square of any difference between heights.
        drops[usize::from(way)] = Some(here - f64::from(levels[neighbor]));
    });
    let (mut steepest, mut found) = (0.0, None);
    for first in 0..8 {
        let second = (first + 1) % 8;
        let (straight, diagonal) = if first % 2 == 0 {
            (first, second)
        } else {
            (second, first)
        };
        let (Some(near), Some(far)) = (drops[straight], drops[diagonal]) else {
            continue;
        };
        let (square, turn) = triangle(near, far);
        if square > steepest {
            (steepest, found) = (square, Some((first, turn)));
        }
    }
    let (first, turn) = found?;
    let part = libm::atan(turn) / FRAC_PI_4;
    let angle = if first % 2 == 0 {
        first as f64 + part
    } else {
        first as f64 + 1.0 - part
    };
    Some(angle as f32 % 8.0)
}

/// The steepest descent of the triangle between a cell and two neighbors, from the drops to the straight and to the
/// diagonal one: the square of the slope, and the tangent of the angle between the direction and the straight neighbor.
fn triangle(near: f64, far: f64) -> (f64, f64) {
    let across = far - near;
    if near > 0.0 && across < near {
        let across = across.max(0.0);
        (near * near + across * across, across / near)
    } else {
        // The diagonal neighbor is sqrt 2 away.
        let far = far.max(0.0);
        (0.5 * far * far, 1.0)
    }
}

/// The directions of the receivers of a cell with this angle, and their parts of its water. The second part may be 0.
fn split(angle: f32) -> [(u8, f32); 2] {
    let first = angle as u8;
    let second = angle - f32::from(first);
    [(first & 7, 1.0 - second), ((first + 1) & 7, second)]
}

/// Adds up the areas downstream.
fn accumulate(grid: &Grid, angles: &[f32], progress: &Progress) -> Result<Vec<f64>, Canceled> {
    let cells = angles.len();
    let receivers = |cell: usize, area: f64| {
        let [(first, share), (second, rest)] = split(angles[cell]);
        let part = libm::round(area * f64::from(share) / UNIT) * UNIT;
        let flows = angles[cell] != NONE;
        let first = flows.then(|| (grid.step(cell, first), part));
        let second = (flows && rest > 0.0).then(|| (grid.step(cell, second), area - part));
        first.into_iter().chain(second)
    };
    let mut waiting = vec![0_u8; cells];
    for cell in 0..cells {
        if cell % CELLS_PER_STEP == 0 {
            progress.step(cell, 3 * cells)?;
        }
        receivers(cell, 1.0).for_each(|(receiver, _)| waiting[receiver] += 1);
    }
    let mut areas = vec![1.0; cells];
    let mut complete = Vec::new();
    for leaf in 0..cells {
        if leaf % CELLS_PER_STEP == 0 {
            progress.step(cells + 2 * leaf, 3 * cells)?;
        }
        if waiting[leaf] == 0 {
            complete.push(leaf);
        }
        while let Some(cell) = complete.pop() {
            for (receiver, area) in receivers(cell, areas[cell]) {
                areas[receiver] += area;
                waiting[receiver] -= 1;
                if waiting[receiver] == 0 {
                    waiting[receiver] = DONE;
                    complete.push(receiver);
                }
            }
        }
    }
    progress.step(1, 1)?;
    Ok(areas)
}
