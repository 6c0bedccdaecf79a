//! Finds the darkest path between two cells, for characters that want to stay unseen.
//!
//! # The problem
//!
//! A thief, a rat or a hint for the player needs a path that stays in the shadows, but not a detour
//! around the whole town to avoid a candle.
//!
//! # The idea
//!
//! The cost of a path is its length, plus a cost for the light of each cell that it enters:
//!
//! ```text
//!    cost = sum over steps (length + weight * luminance of the cell that is entered)
//!
//!    # # # # # # # # # #      1  the shortest path, past the lamp (weight 0)
//!    #     2 2 2 2     #      2  a darker one (weight 20)
//!    # A 1 # # # #   B #
//!    #     1 1 1 1 1   #
//!    #         *       #
//!    # # # # # # # # # #
//! ```
//!
//! A straight step has length 1 and a diagonal step the square root of 2. The weight is therefore
//! the length of the detour, in cells, that the path accepts to avoid one fully lit cell. On
//! hexagons there are six steps, all of length 1.
//!
//! A* finds the cheapest path. It always expands the cell with the smallest sum of the cost so far
//! and the length of the remaining path without walls; on hexagons that is the
//! [`distance`](crate::hexagonal::distance). Light only adds to the cost, so this estimate is never
//! too large.
//!
//! # Determinism
//!
//! Costs are integers, with 65,536 for one cell, so sums do not depend on their order. Among
//! candidates with the same total cost, the search expands the one nearest to the end, and of those
//! the first in row-by-row order. A cell that is reached at the same cost from several cells keeps
//! the first predecessor. The path is therefore the same on every machine.
//!
//! # Cost
//!
//! Proportional to the number of expanded cells ([`DarkPath::expanded`]), not to the size of the
//! grid, except for clearing nine bytes per cell. In the dark the search expands few cells. A wide
//! lit area that must be avoided makes it expand most of that area.
//!
//! Measured (release build, one thread of a two-core AMD EPYC with other load; the default weight
//! and a radius of 12): 0.2 to 0.4 microseconds per cell.
//!
//! | | 256 x 256 | 1024 x 1024 |
//! |---|---|---|
//! | corner to corner, rooms with a lamp in every fourth | 34,000 cells, 7 ms | 478,000 cells, 127 ms |
//! | corner to corner, open ground with a lamp for each 32 x 32 cells | 22,000 cells, 5 ms | 377,000 cells, 114 ms |
//! | corner to corner, open ground with one lamp | 6,300 cells, 1.7 ms | 19,000 cells, 7 ms |
//! | to a cell 20 away | 110 cells, 0.02 ms | 110 cells, 0.16 ms (the clearing) |
//!
//! On hexagons a cell takes three quarters of the time (0.15 instead of 0.2 microseconds on 256 x
//! 256 cells, measured in one run). From corner to corner 0.9 to 1.8 times as many cells are
//! expanded: 1.2 times in rooms, and most on open ground with many lamps.
//!
//! Set [`PathOptions::most_expanded`] to limit the time.
//!
//! Source: P. E. Hart, N. J. Nilsson and B. Raphael, "A Formal Basis for the Heuristic
//! Determination of Minimum Cost Paths", IEEE Transactions on Systems Science and Cybernetics 4
//! (2), 1968.

mod search;

use glam::IVec2;
use thiserror::Error;

use crate::{
    error::{LightError, check_range},
    grid::LightGrid,
};
use search::Search;

/// The diagonal steps that a character can take on squares. On hexagons this has no effect: each of
/// the six neighbors shares a full edge.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Diagonals {
    /// None. The character moves in four directions only.
    Never,
    /// Not between two cells that cannot be entered. Like light, the character can go around a
    /// single corner, but not through the gap between two. The default.
    #[default]
    RoundCorners,
    /// Only if both cells next to the step can be entered.
    InTheOpen,
}

/// Options for [`LightGrid::darkest_path`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PathOptions {
    /// The length of the detour, in cells, that the path accepts to avoid one cell in full light
    /// (luminance 1). From 0, for the shortest path, to [`MAX_WEIGHT`](Self::MAX_WEIGHT). Default:
    /// 16.
    pub weight: f32,
    /// The diagonal steps that the character can take, on square cells.
    pub diagonals: Diagonals,
    /// The maximum number of cells that the search expands before it gives up. Default: unlimited.
    pub most_expanded: u32,
}

impl PathOptions {
    /// The maximum of [`weight`](Self::weight).
    pub const MAX_WEIGHT: f32 = 65_536.0;
}

impl Default for PathOptions {
    fn default() -> Self {
        Self {
            weight: 16.0,
            diagonals: Diagonals::default(),
            most_expanded: u32::MAX,
        }
    }
}

/// A path between two cells, as returned by [`LightGrid::darkest_path`].
#[derive(Debug, Clone, PartialEq)]
pub struct DarkPath {
    /// The cells of the path including both ends. Each is a neighbor of the previous one.
    pub cells: Vec<IVec2>,
    /// The length of the path in cells.
    pub length: f32,
    /// The cost of the path: its length, plus the weight times the luminance of all cells except
    /// the first. Accurate to 1/65,536 per step.
    pub cost: f64,
    /// The number of cells that the search expanded.
    pub expanded: u32,
}

/// The error of [`LightGrid::darkest_path`].
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum PathError {
    /// An end is outside of the grid, or the weight is out of range.
    #[error(transparent)]
    Input(#[from] LightError),
    /// The end cannot be entered, or there is no path to it.
    #[error("no path leads from ({}, {}) to ({}, {})", from.x, from.y, to.x, to.y)]
    NoPath {
        /// The start.
        from: IVec2,
        /// The end.
        to: IVec2,
    },
    /// The search expanded the maximum number of cells. There may still be a path.
    #[error("no path was found after expanding {most_expanded} cells")]
    GaveUp {
        /// The limit, [`PathOptions::most_expanded`].
        most_expanded: u32,
    },
}

impl LightGrid {
    /// Finds the cheapest path between two cells. Its cost is the length, plus
    /// [`PathOptions::weight`] times the present luminance of each cell that it enters.
    ///
    /// `can_enter` returns whether the character can enter a cell of the grid, for example `false`
    /// for walls and deep water. The path may start in a cell that cannot be entered, but diagonal
    /// steps past that cell treat it like any other. `can_enter` must always return the same result
    /// for the same cell.
    ///
    /// If several paths have the same cost, the result is the same one on every machine.
    ///
    /// # Errors
    ///
    /// - [`PathError::Input`] if an end is outside of the grid, or the weight is not from 0 to
    ///   [`PathOptions::MAX_WEIGHT`]
    /// - [`PathError::NoPath`] if the end cannot be entered, or no path leads there
    /// - [`PathError::GaveUp`] if the search would expand more than [`PathOptions::most_expanded`]
    ///   cells
    ///
    /// ```
    /// use lanternfell_lightgrid::{
    ///     Cell, IVec2, LightBands, LightGrid, LightSettings, Source, Vec3, PathOptions,
    /// };
    ///
    /// let mut grid = LightGrid::new(30, 30, LightSettings::default())?;
    /// grid.set_sources(&[Source::new(IVec2::new(15, 12), Vec3::ONE)])?;
    /// grid.settle(1e-3);
    ///
    /// let (from, to) = (IVec2::new(2, 15), IVec2::new(27, 15));
    /// let floor = |cell| !grid.is_opaque(cell);
    /// let shortest = PathOptions { weight: 0.0, ..PathOptions::default() };
    /// let straight = grid.darkest_path(from, to, &shortest, floor)?;
    /// let dark = grid.darkest_path(from, to, &PathOptions::default(), floor)?;
    /// assert!(dark.length > straight.length);
    ///
    /// let bands = LightBands::default();
    /// let [straight, dark] = [straight, dark].map(|way| grid.exposure(way.cells, &bands));
    /// assert!(dark?.sum < straight?.sum);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn darkest_path(
        &self,
        from: IVec2,
        to: IVec2,
        walk: &PathOptions,
        can_enter: impl Fn(IVec2) -> bool,
    ) -> Result<DarkPath, PathError> {
        self.scene.index_or_error(from)?;
        self.scene.index_or_error(to)?;
        check_range("walk.weight", walk.weight, 0.0, PathOptions::MAX_WEIGHT)?;
        if from != to && !can_enter(to) {
            return Err(PathError::NoPath { from, to });
        }
        Search::new(self, walk, (from, to), can_enter).run()
    }
}
