//! The darkest way between two cells: how one goes who does not want to be seen.
//!
//! # The problem
//!
//! A thief, a rat or a player's hint wants a way that keeps to the shadows, but not one round the
//! whole town to avoid a candle.
//!
//! # The idea
//!
//! A way costs its length and, for each cell that it enters, so much for the light there:
//!
//! ```text
//!    cost = sum over steps (length + weight * luminance of the cell that is entered)
//!
//!    # # # # # # # # # #      1  the shortest way, past the lamp (weight 0)
//!    #     2 2 2 2     #      2  a darker one (weight 20)
//!    # A 1 # # # #   B #
//!    #     1 1 1 1 1   #
//!    #         *       #
//!    # # # # # # # # # #
//! ```
//!
//! where a step straight on is 1 long and a diagonal one the root of 2. So the weight says how many
//! cells' detour a cell in full light is worth. On hexagons there are six steps, and all are 1 long.
//!
//! A* finds the cheapest way: of the cells that it has come to it goes on from the one by which the
//! way may be the shortest, counting as the rest the length that the way would have without any
//! walls (of hexagons their [`distance`](crate::hexagonal::distance)). Light only adds to that, so the
//! rest is never taken for longer than it is.
//!
//! # Determinism
//!
//! Costs are whole numbers, 65,536 for a cell, so that sums do not depend on their order. Of cells
//! from which the way may be equally cheap the search goes on from the one nearest to the end, of
//! those from the first in the grid's order; a cell is come to from where it was first come to as
//! cheaply. So it is the same way on every machine.
//!
//! # Cost
//!
//! That of the cells that the search goes on from ([`Way::expanded`]), whatever the size of the
//! grid, but for nine bytes a cell of it that are set to zero. In the dark those are few; a wide lit
//! place that has to be gone round takes most of its cells.
//!
//! Measured (release build, one thread of a two-core AMD EPYC that had other work too; the default
//! weight and a radius of 12): 0.2 to 0.4 microseconds a cell.
//!
//! | | 256 x 256 | 1024 x 1024 |
//! |---|---|---|
//! | corner to corner, rooms with a lamp in every fourth | 34,000 cells, 7 ms | 478,000 cells, 127 ms |
//! | corner to corner, open ground with a lamp for each 32 x 32 cells | 22,000 cells, 5 ms | 377,000 cells, 114 ms |
//! | corner to corner, open ground with one lamp | 6,300 cells, 1.7 ms | 19,000 cells, 7 ms |
//! | to a cell 20 away | 110 cells, 0.02 ms | 110 cells, 0.16 ms (the zeros) |
//!
//! Hexagons take three quarters of the time a cell, measured beside squares in one run (0.15 and 0.2
//! microseconds on 256 x 256 cells), and from corner to corner 0.9 to 1.8 times as many cells: 1.2
//! times in rooms, most on open ground with many lamps.
//!
//! Apps that must not wait set [`Walk::most_expanded`].
//!
//! Source: P. E. Hart, N. J. Nilsson and B. Raphael, "A Formal Basis for the Heuristic Determination
//! of Minimum Cost Paths", IEEE Transactions on Systems Science and Cybernetics 4 (2), 1968.

mod search;

use glam::IVec2;
use thiserror::Error;

use crate::{
    error::{LightError, check_range},
    grid::LightGrid,
};
use search::Search;

/// Which diagonal steps a walker takes on squares. Hexagons have none: each of their six neighbors lies
/// behind a whole side, so on them this says nothing.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Diagonals {
    /// None: four directions only.
    Never,
    /// Not between two cells that can not be entered, as light flows: round a single corner, but
    /// not through the gap between two. The default.
    #[default]
    RoundCorners,
    /// Only where both of the cells beside the step can be entered.
    InTheOpen,
}

/// What a walker minds, for [`LightGrid::darkest_way`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Walk {
    /// How many cells' detour a cell in full light (luminance 1) is worth: from 0, the shortest
    /// way, to [`MAX_WEIGHT`](Self::MAX_WEIGHT). 16 by default.
    pub weight: f32,
    /// Which diagonal steps are taken, where cells are squares.
    pub diagonals: Diagonals,
    /// The search gives up before it goes on from more cells than this. No bound by default.
    pub most_expanded: u32,
}

impl Walk {
    /// The greatest weight.
    pub const MAX_WEIGHT: f32 = 65_536.0;
}

impl Default for Walk {
    fn default() -> Self {
        Self {
            weight: 16.0,
            diagonals: Diagonals::default(),
            most_expanded: u32::MAX,
        }
    }
}

/// A way between two cells, found by [`LightGrid::darkest_way`].
#[derive(Debug, Clone, PartialEq)]
pub struct Way {
    /// Its cells, with both ends, each a neighbor of the one before.
    pub cells: Vec<IVec2>,
    /// How long it is, in cells.
    pub length: f32,
    /// What it costs: its length, and the weight times the luminance of all cells but the first, to
    /// within 1/65,536 for each step.
    pub cost: f64,
    /// From how many cells the search went on.
    pub expanded: u32,
}

/// Why there is no darkest way.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum WayError {
    /// An end is outside of the grid, or the weight out of its range.
    #[error(transparent)]
    Input(#[from] LightError),
    /// The end can not be entered, or no way leads there.
    #[error("no way leads from ({}, {}) to ({}, {})", from.x, from.y, to.x, to.y)]
    NoWay {
        /// Where it was to begin.
        from: IVec2,
        /// Where it was to end.
        to: IVec2,
    },
    /// The search gave up; there may be a way.
    #[error("no way was found within {most_expanded} cells")]
    GaveUp {
        /// The bound, [`Walk::most_expanded`].
        most_expanded: u32,
    },
}

impl LightGrid {
    /// The way from one cell to another that costs least: its length, and for each cell that it
    /// enters `walk.weight` times its luminance, as the light is now.
    ///
    /// `can_enter` says which cells of the grid can be entered: not walls, say, nor deep water. Of
    /// the first cell that is asked only where a step goes past it, since the walker is there
    /// already. It must say the same whenever it is asked for the same cell.
    ///
    /// Of several ways that cost the same it is always the same one, on every machine.
    ///
    /// # Errors
    ///
    /// [`WayError::Input`] when an end is outside of the grid, or the weight not from 0 to
    /// [`Walk::MAX_WEIGHT`]; [`WayError::NoWay`]; [`WayError::GaveUp`] after
    /// [`Walk::most_expanded`] cells.
    ///
    /// ```
    /// use lanternfell_lightgrid::{
    ///     Cell, IVec2, LightBands, LightGrid, LightSettings, Source, Vec3, Walk,
    /// };
    ///
    /// let mut grid = LightGrid::new(30, 30, LightSettings::default())?;
    /// grid.set_sources(&[Source::new(IVec2::new(15, 12), Vec3::ONE)])?;
    /// grid.settle(1e-3);
    ///
    /// let (from, to) = (IVec2::new(2, 15), IVec2::new(27, 15));
    /// let floor = |cell| !grid.is_opaque(cell);
    /// let shortest = Walk { weight: 0.0, ..Walk::default() };
    /// let straight = grid.darkest_way(from, to, &shortest, floor)?;
    /// let dark = grid.darkest_way(from, to, &Walk::default(), floor)?;
    /// assert!(dark.length > straight.length);
    ///
    /// let bands = LightBands::default();
    /// let [straight, dark] = [straight, dark].map(|way| grid.exposure(way.cells, &bands));
    /// assert!(dark?.sum < straight?.sum);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn darkest_way(
        &self,
        from: IVec2,
        to: IVec2,
        walk: &Walk,
        can_enter: impl Fn(IVec2) -> bool,
    ) -> Result<Way, WayError> {
        self.scene.index_or_error(from)?;
        self.scene.index_or_error(to)?;
        check_range("walk.weight", walk.weight, 0.0, Walk::MAX_WEIGHT)?;
        if from != to && !can_enter(to) {
            return Err(WayError::NoWay { from, to });
        }
        Search::new(self, walk, (from, to), can_enter).run()
    }
}
