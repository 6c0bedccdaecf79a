//! Where water stands, lakes and the sea, and how its surface lies over the triangles of the ground.
//!
//! A lake covers each square that has a wet corner. Its corners lie at the lake's level where they are wet,
//! and on the shore there too, but never above the ground:
//!
//! ```text
//!     level ─────w─────────w───┐.               w: a wet cell
//!                               `·. .-- shore: ground above the level
//!     ground ───.                .´`
//!                `──.__________.´
//! ```
//!
//! All that is not wet beside a wet cell is at least as high as the level, or water would leave there. So
//! the sheet ends in the ground, on lines of the grid along which the ground is straight; where a river's
//! bed has since been cut through the shore, the sheet bends down into it, and the river covers that.

use glam::DVec2;

use super::ground::{Facet, Ground};
use lanternfell_heightmap::{
    GenerateError, Heightmap, Progress,
    hydrology::{Drainage, Lakes},
};

/// A lake has at least so many cells: of less a map does not tell the shape, and noise has many.
pub(super) const LEAST_CELLS: f64 = 6.0;

/// A lake that is kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Basin {
    /// In metres.
    pub(super) level: f64,
    pub(super) cells: u32,
    /// Of the deepest cell, in metres.
    pub(super) depth: f64,
}

/// Where water stands on a map.
#[derive(Debug)]
pub(super) struct Standing {
    pub(super) basins: Vec<Basin>,
    /// For each cell the index of its lake; [`Lakes::LAND`] where there is none.
    pub(super) labels: Vec<u32>,
    /// The sea's level in metres; below all heights where there is none.
    pub(super) sea: f64,
}

impl Standing {
    /// Keeps lakes of at least so many cells and so many metres of depth.
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
            let level = ground.metres_of(lake.level);
            let depth = level - ground.metres(y as usize * ground.width + x as usize);
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
            sea: sea_level.map_or(f64::NEG_INFINITY, |sea| ground.metres_of(sea)),
        })
    }

    /// The lake of a cell.
    pub(super) fn lake(&self, cell: usize) -> Option<u32> {
        let label = self.labels[cell];
        (label != Lakes::LAND).then_some(label)
    }

    /// The lake that covers a square of a map so wide, named by its north-western cell.
    pub(super) fn lake_over(&self, nw: usize, width: usize) -> Option<u32> {
        // Neighbors that are wet are of one lake.
        let corners = [nw, nw + 1, nw + width, nw + width + 1];
        corners.into_iter().find_map(|cell| self.lake(cell))
    }

    /// How high the sheet of a lake lies on a cell, in metres.
    pub(super) fn sheet(&self, lake: u32, cell: usize, ground: &Ground) -> f64 {
        let level = self.basins[lake as usize].level;
        if self.labels[cell] == lake {
            level
        } else {
            level.min(ground.metres(cell))
        }
    }

    /// What lies highest on a triangle of the ground as a whole: the lake's sheet, the sea, or the ground.
    pub(super) fn top(&self, ground: &Ground, facet: &Facet, at: DVec2) -> f64 {
        let (column, row) = facet.square;
        if let Some(lake) = self.lake_over(row * ground.width + column, ground.width) {
            return facet.mix(at, |cell| self.sheet(lake, cell, ground));
        }
        let below = |&cell: &usize| ground.metres(cell) <= self.sea;
        if facet.cells.iter().all(below) {
            return self.sea;
        }
        facet.mix(at, |cell| ground.metres(cell))
    }
}
