//! Standing water: lakes and the sea, and how their surfaces meet the terrain.
//!
//! A lake covers each square that has a wet corner. Wet corners of its sheet are at the lake's
//! level. Corners on the shore are at the level too, but never above the ground:
//!
//! ```text
//!     level ─────w─────────w───┐.               w: a wet cell
//!                               `·. .-- shore: ground above the level
//!     ground ───.                .´`
//!                `──.__________.´
//! ```
//!
//! Each dry cell next to a wet one is at least as high as the level, or water would flow out there.
//! So the sheet ends in the ground, on grid lines along which the ground is linear. Where a river
//! bed has been carved through the shore since then, the sheet bends down into it, and the river
//! covers that part.

use glam::DVec2;

use super::ground::{Facet, Ground};
use lanternfell_heightmap::{
    GenerateError, Heightmap, Progress,
    hydrology::{Drainage, Lakes},
};

/// The minimum size of a lake in cells. A map does not resolve the shape of smaller ones, and noise
/// creates many of them.
pub(super) const LEAST_CELLS: f64 = 6.0;

/// A lake that is kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Basin {
    /// The water level in meters.
    pub(super) level: f64,
    pub(super) cells: u32,
    /// The depth of the deepest cell in meters.
    pub(super) depth: f64,
}

/// The standing water of a map.
#[derive(Debug)]
pub(super) struct Standing {
    pub(super) basins: Vec<Basin>,
    /// The index of the lake of each cell, or [`Lakes::LAND`].
    pub(super) labels: Vec<u32>,
    /// The sea level in meters. It is negative infinity if there is no sea.
    pub(super) sea: f64,
}

impl Standing {
    /// Finds the lakes with at least this many cells and this depth in meters.
    pub(super) fn find(
        drainage: &Drainage,
        map: &Heightmap,
        ground: &Ground,
        (least_cells, least_depth): (f64, f64),
        sea_level: Option<f32>,
        progress: &Progress,
    ) -> Result<Self, GenerateError> {
        let least_cells = least_cells.max(LEAST_CELLS).min(f64::from(u32::MAX)) as u32;
        let mut lakes = drainage.lakes(map, least_cells, progress)?;
        let mut numbers = vec![Lakes::LAND; lakes.lakes.len()];
        let mut basins = Vec::new();
        for (number, lake) in numbers.iter_mut().zip(&lakes.lakes) {
            let (x, y) = lake.deepest;
            let level = ground.meters_of(lake.level);
            let depth = level - ground.meters(y as usize * ground.width + x as usize);
            if depth >= least_depth {
                *number = basins.len() as u32;
                basins.push(Basin {
                    level,
                    cells: lake.cells,
                    depth,
                });
            }
        }
        for label in lakes
            .labels
            .iter_mut()
            .filter(|label| **label != Lakes::LAND)
        {
            *label = numbers[*label as usize];
        }
        Ok(Self {
            basins,
            labels: lakes.labels,
            sea: sea_level.map_or(f64::NEG_INFINITY, |sea| ground.meters_of(sea)),
        })
    }

    /// Returns the lake of a cell.
    pub(super) fn lake(&self, cell: usize) -> Option<u32> {
        let label = self.labels[cell];
        (label != Lakes::LAND).then_some(label)
    }

    /// Returns the lake that covers a square, given by its north-west cell, on a map of this width.
    pub(super) fn lake_over(&self, nw: usize, width: usize) -> Option<u32> {
        // Wet neighbors belong to the same lake.
        let corners = [nw, nw + 1, nw + width, nw + width + 1];
        corners.into_iter().find_map(|cell| self.lake(cell))
    }

    /// Returns the height of a lake's sheet at a cell, in meters.
    pub(super) fn sheet(&self, lake: u32, cell: usize, ground: &Ground) -> f64 {
        let level = self.basins[lake as usize].level;
        if self.labels[cell] == lake {
            level
        } else {
            level.min(ground.meters(cell))
        }
    }

    /// Returns the height of the topmost surface over a triangle of the ground: the lake's sheet,
    /// the sea, or the ground.
    pub(super) fn top(&self, ground: &Ground, facet: &Facet, at: DVec2) -> f64 {
        let (column, row) = facet.square;
        if let Some(lake) = self.lake_over(row * ground.width + column, ground.width) {
            return facet.mix(at, |cell| self.sheet(lake, cell, ground));
        }
        let below = |&cell: &usize| ground.meters(cell) <= self.sea;
        if facet.cells.iter().all(below) {
            return self.sea;
        }
        facet.mix(at, |cell| ground.meters(cell))
    }
}
