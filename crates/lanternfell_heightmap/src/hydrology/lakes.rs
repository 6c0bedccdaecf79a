//! Lakes: where the filled ground lies above the ground.
//!
//! Idea: two wet neighbors stand at one level, or the higher would run into the lower. So
//! a lake is a connected region of wet cells, with diagonals, and has one level.
//!
//! ```text
//!    9 9 9 9        9 9 9 9          lake 0: level 6, 4 cells, deepest 3,
//!    9 3 4 9   ->   9 0 0 9          outlet the 6 in the east, which is the
//!    9 4 5 6        9 0 0 .          lowest ground of its shore
//!    9 9 9 5        9 9 9 9
//! ```
//!
//! Steps: from each wet cell not yet labelled, in the order of cells, walk over its
//! neighbors. The outlet is the first dry cell on the way downstream from the deepest.
//!
//! Cost: O(n). Memory: 8 bytes per cell, half of it for the labels.

use super::{Drainage, flood::CELLS_PER_STEP};
use crate::{GenerateError, Heightmap, ParamError, Progress};

/// A wet cell of a region that is too small for a lake, while the others are found.
const PUDDLE: u32 = Lakes::LAND - 1;

/// A lake.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lake {
    /// The height of its surface.
    pub level: f32,
    /// How many cells it covers.
    pub cells: u32,
    /// The lowest cell of its ground, the first of several: column and row.
    pub deepest: (u32, u32),
    /// How far the water is above the deepest cell, in heights.
    pub depth: f32,
    /// The cell over which water leaves it: column and row. It is on the shore, not of the
    /// lake, and its ground is at the lake's level.
    pub outlet: (u32, u32),
}

/// All lakes of a map.
#[derive(Debug, Clone, PartialEq)]
pub struct Lakes {
    /// The depth of the water on each cell, in heights; 0 on dry land.
    pub depths: Heightmap,
    /// The lakes, by the first of their cells, row by row.
    pub lakes: Vec<Lake>,
    /// For each cell, row by row, the index of its lake; [`Lakes::LAND`] on dry land.
    pub labels: Vec<u32>,
}

impl Lakes {
    /// What [`labels`](Self::labels) calls a cell of no lake.
    pub const LAND: u32 = u32::MAX;

    /// 1 on lakes, 0 on dry land.
    pub fn mask(&self) -> Heightmap {
        let mut mask = Heightmap::flat(self.depths.size());
        for (mask, &label) in mask.heights_mut().iter_mut().zip(&self.labels) {
            *mask = f32::from(u8::from(label != Self::LAND));
        }
        mask
    }
}

impl Drainage {
    /// The lakes on `ground`, which must be the map that was drained. Puddles of fewer
    /// than `least_cells` cells are dry land; noise has many.
    ///
    /// # Errors
    /// When the ground is not of the same size as the drained map, or lies above its water,
    /// or the work was cancelled.
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

    /// Labels the lake of the only cell in `region`, and leaves `region` empty.
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

/// How far water is above the ground; finite whatever they are.
fn depth(ground: f32, level: f32) -> f32 {
    (level - ground).min(f32::MAX)
}
