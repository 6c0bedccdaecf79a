//! Fills depressions with a [flood](super::flood), or breaches their rims.
//!
//! ```text
//!      .-.  ___/\            filled: the depression is level up to its rim
//!     /   \=^^^  \
//!
//!      .-.     .             breached: a channel through the rim, as deep as
//!     /   \    /\            the deepest point behind it
//!    /     \__:__\__
//! ```
//!
//! A breach needs no search. The flood has found a path out of each cell. No cell may be higher than any cell upstream
//! of it on these paths, so each cell gets the lowest height upstream. This is one pass downstream, as for
//! accumulation. The flood visits the lowest terrain of a depression first, so channels follow its valleys.

use super::{
    Hydrology, basins,
    basins::STRIP_ROWS,
    flood::{Flooded, Water, flood},
    flow::Flow,
    grid::Grid,
    rise,
};
use crate::{Canceled, Heightmap, Progress, is_land};

/// The places where water leaves a map.
pub(super) struct Outlets<'a> {
    pub(super) grid: Grid,
    pub(super) ground: &'a [f32],
    /// The lowest and the highest height.
    range: (f32, f32),
    leaves: Leaves<'a>,
}

/// The cells that are outlets.
enum Leaves<'a> {
    /// Outlets by the rules of [`Hydrology`].
    Ruled {
        /// The height of the sea; below all heights if there is no sea.
        sea: f32,
        border: bool,
        /// The only outlet of a closed map.
        lowest: Option<usize>,
    },
    /// Outlets given cell by cell.
    Marked(&'a [bool]),
}

impl<'a> Outlets<'a> {
    pub(super) fn of(
        hydrology: &Hydrology,
        map: &'a Heightmap,
        progress: &Progress,
    ) -> Result<Self, Canceled> {
        let (ground, range) = (map.heights(), map.range_with(progress)?);
        let sea = hydrology.sea_level.filter(|&sea| !is_land(range.0, sea));
        let closed = sea.is_none() && !hydrology.border;
        let leaves = Leaves::Ruled {
            sea: sea.unwrap_or(f32::NEG_INFINITY),
            border: hydrology.border,
            lowest: ground.iter().position(|&z| closed && z == range.0),
        };
        Ok(Self {
            grid: Grid::new(map.size()),
            ground,
            range,
            leaves,
        })
    }

    /// Outlets at the marked cells, of which there must be at least one. The heights must be in `range`.
    pub(super) fn marked(
        grid: Grid,
        ground: &'a [f32],
        range: (f32, f32),
        marks: &'a [bool],
    ) -> Self {
        Self {
            grid,
            ground,
            range,
            leaves: Leaves::Marked(marks),
        }
    }

    /// Whether water leaves at this column and row.
    #[inline(always)]
    pub(super) fn at(&self, x: usize, y: usize) -> bool {
        let cell = y * self.grid.width + x;
        match self.leaves {
            Leaves::Ruled {
                sea,
                border,
                lowest,
            } => {
                !is_land(self.ground[cell], sea)
                    || (border && self.grid.border_at(x, y))
                    || lowest == Some(cell)
            }
            Leaves::Marked(marks) => marks[cell],
        }
    }

    /// The only outlet of a closed map.
    pub(super) fn lowest(&self) -> Option<usize> {
        match self.leaves {
            Leaves::Ruled { lowest, .. } => lowest,
            Leaves::Marked(_) => None,
        }
    }

    /// Floods the terrain from the outlets.
    pub(super) fn flood(&self, water: Water, progress: &Progress) -> Result<Flooded, Canceled> {
        let outlet = |cell| {
            let (x, y) = self.grid.place(cell);
            self.at(x, y)
        };
        let ground = self.ground.to_vec();
        flood(&self.grid, ground, self.range, outlet, water, progress)
    }

    /// Finds the level water surface.
    pub(super) fn levels(&self, progress: &Progress) -> Result<Vec<f32>, Canceled> {
        let found = basins::levels(self, STRIP_ROWS, progress)?;
        found.map_or_else(|| Ok(self.flood(Water::Level, progress)?.levels), Ok)
    }
}

/// Finds the water surface of a map.
pub(super) fn levels(
    hydrology: &Hydrology,
    map: &Heightmap,
    water: Water,
    progress: &Progress,
) -> Result<Vec<f32>, Canceled> {
    let outlets = Outlets::of(hydrology, map, &progress.span(0.0, 0.02))?;
    let progress = progress.span(0.02, 1.0);
    match water {
        Water::Level => outlets.levels(&progress),
        Water::Sloped => rise::levels(&outlets, &progress),
        Water::Deep => Ok(outlets.flood(water, &progress)?.levels),
    }
}

/// Cuts channels, so that no cell is higher than a cell that drains to it.
pub(super) fn breach(
    hydrology: &Hydrology,
    map: &mut Heightmap,
    progress: &Progress,
) -> Result<(), Canceled> {
    let outlets = Outlets::of(hydrology, map, &progress.span(0.0, 0.02))?;
    let flooded = outlets.flood(Water::Deep, &progress.span(0.02, 0.7))?;
    let flow = Flow {
        grid: outlets.grid,
        directions: flooded.origins,
    };
    let mut heights = map.heights().to_vec();
    flow.downstream(&progress.span(0.7, 1.0), |cell, receiver| {
        if heights[cell] < heights[receiver] {
            heights[receiver] = heights[cell];
        }
    })?;
    progress.step(1, 1)?;
    map.heights_mut().copy_from_slice(&heights);
    Ok(())
}
