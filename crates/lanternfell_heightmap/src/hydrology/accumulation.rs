//! The drainage of a map, and what runs through each cell of it.
//!
//! Idea: water runs down the steepest way, as long as there is a way down; on lakes and
//! flats it runs to where the flood came from, which is towards the outlet.
//!
//! ```text
//!     9  8  9        the drop per distance: to the south 3, to the south-east
//!     8  6  7        4 / sqrt 2 = 2.8: water runs south
//!     7  3  2
//! ```
//!
//! Both ways lead to a lower level or to an earlier visit of the flood, so there are no
//! circles. A fall too small for an `f32` to tell counts as none.
//!
//! Cost: the flood, and O(n) for the rest, rows in parallel. Source of the steepest way:
//! O'Callaghan and Mark, *The extraction of drainage networks from digital elevation data*,
//! 1984.

use super::{
    Hydrology, fill,
    flood::Water,
    flow::{Flow, Luck},
    grid::{Grid, OUTLET},
};
use crate::{Cancelled, GenerateError, Heightmap, MapSize, ParamError, Progress};

/// For each cell of a map: how high water stands on it, and which neighbor it runs to.
///
/// [`Hydrology::drain`] makes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Drainage {
    pub(crate) flow: Flow,
    filled: Heightmap,
}

impl Drainage {
    pub(super) fn find(
        hydrology: &Hydrology,
        map: &Heightmap,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let size = map.size();
        let grid = Grid::new(size);
        let flooded = fill::flood_map(hydrology, map, Water::Level, &progress.span(0.0, 0.9))?;
        let (levels, directions) = (flooded.levels, flooded.origins);
        let mut flow = Flow { grid, directions };
        flow.descend(&levels, Luck::NONE, &progress.span(0.9, 1.0))?;
        progress.step(1, 1)?;
        let filled = Heightmap::from_heights(size, levels);
        let filled = filled.expect("water stands no higher than the highest ground");
        Ok(Self { flow, filled })
    }

    /// The size of the map.
    pub fn size(&self) -> MapSize {
        self.filled.size()
    }

    /// The ground with its hollows filled: the water's surface on lakes.
    pub fn filled(&self) -> &Heightmap {
        &self.filled
    }

    /// The neighbor that the water of cell `(x, y)` runs to; `None` for an outlet.
    ///
    /// # Panics
    /// When the cell lies outside the map, as indexing a slice does.
    pub fn receiver(&self, x: usize, y: usize) -> Option<(usize, usize)> {
        assert!(x < self.flow.grid.width, "column {x} lies outside the map");
        let receiver = self.flow.receiver(y * self.flow.grid.width + x)?;
        Some(self.flow.grid.place(receiver))
    }

    /// The cells where water leaves the map, row by row.
    pub fn outlets(&self) -> impl Iterator<Item = (usize, usize)> {
        let directions = self.flow.directions.iter().enumerate();
        let outlets = directions.filter(|&(_, &direction)| direction == OUTLET);
        outlets.map(|(cell, _)| self.flow.grid.place(cell))
    }

    /// Calls `join(cell, receiver)` once for each cell that is not an outlet, by their indices, after
    /// all that drain to the cell had theirs.
    pub(crate) fn downstream(
        &self,
        progress: &Progress,
        join: impl FnMut(usize, usize),
    ) -> Result<(), Cancelled> {
        self.flow.downstream(progress, join)
    }

    /// The catchment area of each cell, row by row: how many cells drain through it, with
    /// itself. Exact.
    ///
    /// # Errors
    /// When the work was cancelled.
    pub fn areas(&self, progress: &Progress) -> Result<Vec<u32>, Cancelled> {
        let mut areas = vec![1_u32; self.flow.grid.cells()];
        self.flow.downstream(progress, |cell, receiver| {
            areas[receiver] += areas[cell];
        })?;
        Ok(areas)
    }

    /// The water that runs through each cell, row by row, when so much rains on each cell.
    /// In `f64` and in one order, so that nothing gets lost in large rivers.
    ///
    /// # Errors
    /// When the rain is not of the map's size, or the work was cancelled.
    pub fn discharge(
        &self,
        rain: &Heightmap,
        progress: &Progress,
    ) -> Result<Vec<f64>, GenerateError> {
        let (width, height) = (self.size().width(), self.size().height());
        ParamError::check(
            rain.size() == self.size(),
            "hydrology",
            "rain",
            rain.size().cells() as f64,
            format_args!("a map of {width}x{height} cells"),
        )?;
        let mut water: Vec<f64> = rain.heights().iter().map(|&rain| rain.into()).collect();
        self.flow.downstream(progress, |cell, receiver| {
            water[receiver] += water[cell];
        })?;
        Ok(water)
    }
}
