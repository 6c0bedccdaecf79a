//! Which cells a cell takes its light from, and with what weight.

use serde::{Deserialize, Serialize};

/// Which cells a cell takes the average over, itself included, with these weights:
///
/// ```text
///      Four         Eight       Isotropic
///    .  1  .       1  1  1       1  4  1
///    1  1  1       1  1  1       4  4  4
///    .  1  .       1  1  1       1  4  1
/// ```
///
/// With four neighbors a small light is a diamond, and the inner corners of a room's walls
/// stay dark. With eight it is nearly a square. The weights 4 : 1 of the isotropic one are
/// those of the nine-point stencil for the Laplacian whose error is the same in all
/// directions (Abramowitz and Stegun, 25.3.31), so its lights are round.
///
/// A diagonal neighbor is left out when both cells beside the diagonal step pass no light,
/// so that no light leaks between two walls that touch at a corner. (Not where the receiving
/// cell passes no light either, as in the inner corner of a room's walls: nothing can leak
/// through it.)
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Neighborhood {
    /// The cell and its four neighbors.
    Four,
    /// The cell and its eight neighbors, with equal weight.
    Eight,
    /// The cell and its eight neighbors, weighted so that light is round. The default.
    #[default]
    Isotropic,
}

/// What a cell's neighbors weigh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Weights {
    /// The cell itself, and the cells north, east, south and west of it.
    pub(crate) edge: f32,
    /// The four diagonal cells.
    pub(crate) corner: f32,
}

impl Neighborhood {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Four, Self::Eight, Self::Isotropic];

    pub(crate) const fn weights(self) -> Weights {
        let (edge, corner) = match self {
            Self::Four => (1.0, 0.0),
            Self::Eight => (1.0, 1.0),
            Self::Isotropic => (4.0, 1.0),
        };
        Weights { edge, corner }
    }
}

/// The four diagonal steps, in the order of the bits of a [`Leaks`](crate::medium) mask.
pub(crate) const CORNERS: [(isize, isize); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
