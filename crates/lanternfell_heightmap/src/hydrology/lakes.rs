//! Lakes: connected regions where the filled terrain is above the terrain.
//!
//! Idea: two adjacent wet cells have the same level, because otherwise the higher one would flow into the lower one. So
//! a lake is a connected region of wet cells, including diagonals, and has one level.
//!
//! ```text
//!    9 9 9 9        9 9 9 9          lake 0: level 6, 4 cells, depth 3,
//!    9 3 4 9   ->   9 0 0 9          outlet: the 6 in the east, the
//!    9 4 5 6        9 0 0 .          lowest cell of the shore
//!    9 9 9 5        9 9 9 9
//! ```
//!
//! Steps: from each wet cell without a label, in cell order, flood its wet neighbors. The outlet is the first dry cell
//! downstream of the deepest cell.
//!
//! Cost: O(n). Memory: 8 bytes per cell, half of it for the labels.

use super::{Drainage, flood::CELLS_PER_STEP};
use crate::{GenerateError, Heightmap, ParamError, Progress};

/// The temporary label of wet cells in regions that are too small for a lake.
const PUDDLE: u32 = Lakes::LAND - 1;

/// A lake.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lake {
    /// The height of its surface.
    pub level: f32,
    /// The number of cells that it covers.
    pub cells: u32,
    /// The column and row of its deepest cell; the first one if there are several.
    pub deepest: (u32, u32),
    /// The depth of the water at the deepest cell, in heights.
    pub depth: f32,
    /// The column and row of the cell over which water leaves the lake. It is on the shore and not part of the lake.
    /// Its height is the level of the lake.
    pub outlet: (u32, u32),
}

/// The lakes of a map, returned by [`Drainage::lakes`].
#[derive(Debug, Clone, PartialEq)]
pub struct Lakes {
    /// The water depth of each cell, in heights; 0 on dry land.
    pub depths: Heightmap,
    /// The lakes, ordered by their first cell, row by row.
    pub lakes: Vec<Lake>,
    /// For each cell, row by row, the index of its lake, or [`Lakes::LAND`] on dry land.
    pub labels: Vec<u32>,
}

impl Lakes {
    /// The value in [`labels`](Self::labels) of a cell that is not in a lake.
    pub const LAND: u32 = u32::MAX;

    /// Returns a mask: 1 in lakes, 0 on dry land.
    pub fn mask(&self) -> Heightmap {
        let mut mask = Heightmap::flat(self.depths.size());
        for (mask, &label) in mask.heights_mut().iter_mut().zip(&self.labels) {
            *mask = f32::from(u8::from(label != Self::LAND));
        }
        mask
    }
}

impl Drainage {
    /// Finds the lakes of `ground`, which must be the drained map. Regions of fewer than `least_cells` cells count as
    /// dry land; noise has many of them.
    ///
    /// # Errors
    /// If `ground` differs in size from the drained map or is above its filled heights, or the work is canceled.
    pub fn lakes(
        &self,
        ground: &Heightmap,
        least_cells: u32,
        progress: &Progress,
    ) -> Result<Lakes, GenerateError> {
        let size = self.size();
        let filled = self.filled().heights();
        let pairs = || ground.heights().iter().zip(filled);
        let fits = ground.size() == size && pairs().all(|(ground, filled)| ground <= filled);
        let cells = ground.size().cells() as f64;
        ParamError::check(
            fits,
            "hydrology",
            "ground",
            cells,
            "the map that was drained",
        )?;
        let mut lakes = Lakes {
            depths: Heightmap::flat(size),
            lakes: Vec::new(),
            labels: vec![Lakes::LAND; size.cells()],
        };
        let mut shore = Vec::new();
        for cell in 0..filled.len() {
            if cell % CELLS_PER_STEP == 0 {
                progress.step(cell, filled.len())?;
            }
            let wet = ground.heights()[cell] < filled[cell];
            if wet && lakes.labels[cell] == Lakes::LAND {
                shore.push(cell);
                self.label(ground.heights(), least_cells, &mut shore, &mut lakes);
            }
        }
        for label in lakes.labels.iter_mut().filter(|label| **label == PUDDLE) {
            *label = Lakes::LAND;
        }
        progress.step(1, 1)?;
        Ok(lakes)
    }

    /// Labels the lake that contains the only cell in `region`, and empties `region`.
    fn label(&self, ground: &[f32], least_cells: u32, region: &mut Vec<usize>, lakes: &mut Lakes) {
        let filled = self.filled().heights();
        let label = lakes.lakes.len() as u32;
        let first = region[0];
        lakes.labels[first] = label;
        let mut seen = 0;
        while let Some(&cell) = region.get(seen) {
            seen += 1;
            self.flow.grid.around(cell, |_, neighbor| {
                let wet = ground[neighbor] < filled[neighbor];
                if wet && lakes.labels[neighbor] == Lakes::LAND {
                    lakes.labels[neighbor] = label;
                    region.push(neighbor);
                }
            });
        }
        if region.len() < least_cells as usize {
            region.iter().for_each(|&cell| lakes.labels[cell] = PUDDLE);
        } else {
            lakes.lakes.push(self.describe(ground, region));
            let depths = lakes.depths.heights_mut();
            for &cell in region.iter() {
                depths[cell] = depth(ground[cell], filled[cell]);
            }
        }
        region.clear();
    }

    fn describe(&self, ground: &[f32], region: &[usize]) -> Lake {
        let filled = self.filled().heights();
        let lower = |a: &usize, b: &usize| ground[*a].total_cmp(&ground[*b]).then(a.cmp(b));
        let deepest = region.iter().copied().min_by(lower).unwrap_or(region[0]);
        let level = filled[deepest];
        let mut outlet = deepest;
        while let Some(next) = self.flow.receiver(outlet)
            && ground[outlet] < filled[outlet]
        {
            outlet = next;
        }
        let place = |cell| {
            let (x, y) = self.flow.grid.place(cell);
            (x as u32, y as u32)
        };
        Lake {
            level,
            cells: region.len() as u32,
            deepest: place(deepest),
            depth: depth(ground[deepest], level),
            outlet: place(outlet),
        }
    }
}

/// The depth of the water. Clamped, so that it is always finite.
fn depth(ground: f32, level: f32) -> f32 {
    (level - ground).min(f32::MAX)
}
