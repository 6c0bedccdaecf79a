//! Which cells a cell takes its light from, and with what weight.

use core::ops::{Add, Mul};

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
use glam::{IVec2, Vec2};
use serde::{Deserialize, Serialize};

use crate::hexagonal;

/// Which cells a cell takes the average over, itself included, with these weights:
///
/// ```text
///      Four         Eight       Isotropic      Hexagonal
///    .  1  .       1  1  1       1  4  1         1  1
///    1  1  1       1  1  1       4  4  4       1  1  1
///    .  1  .       1  1  1       1  4  1         1  1
/// ```
///
/// With four neighbors a small light is a diamond, and the inner corners of a room's walls
/// stay dark. With eight it is nearly a square. The weights 4 : 1 of the isotropic one are
/// those of the nine-point stencil for the Laplacian whose error is the same in all
/// directions (Abramowitz and Stegun, 25.3.31), so its lights are round.
///
/// Maps of squares drawn aslant (isometric ones) are grids of squares: any of these three is right
/// for them, and nothing else is to be done. Maps of hexagons have the fourth; [`hexagonal`] says how
/// their cells are counted.
///
/// From 4 to 12 cells from a lamp (at a decay of 0.05) light differs from that along an axis, at the
/// same distance, by up to 6.4 % with four neighbors, 4.3 % with eight, 0.09 % with isotropic weights
/// and 0.15 % on hexagons.
///
/// A diagonal neighbor is left out when both cells beside the diagonal step pass no light,
/// so that no light leaks between two walls that touch at a corner. (Not where the receiving
/// cell passes no light either, as in the inner corner of a room's walls: nothing can leak
/// through it.) Hexagons have no diagonal neighbors.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(Clone, Debug, Default, Deserialize, Hash, PartialEq, Serialize)
)]
pub enum Neighborhood {
    /// The cell and its four neighbors.
    Four,
    /// The cell and its eight neighbors, with equal weight.
    Eight,
    /// The cell and its eight neighbors, weighted so that light is round. The default.
    #[default]
    Isotropic,
    /// The hexagon and the six around it, with equal weight: odd rows lie half a cell further east.
    Hexagonal,
}

impl Neighborhood {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Four, Self::Eight, Self::Isotropic, Self::Hexagonal];

    /// Those of square cells.
    pub const SQUARE: [Self; 3] = [Self::Four, Self::Eight, Self::Isotropic];

    /// Whether cells are hexagons.
    pub const fn is_hexagonal(self) -> bool {
        matches!(self, Self::Hexagonal)
    }

    /// Where a place that is given in cells, as [`Source::at`](crate::Source::at) is, lies in the
    /// plane, where neighbors in a row are 1 apart. Of squares it is the same place; of hexagons see
    /// [`hexagonal::to_plane`].
    pub fn to_plane(self, at: Vec2) -> Vec2 {
        if self.is_hexagonal() {
            hexagonal::to_plane(at)
        } else {
            at
        }
    }

    /// The reverse of [`to_plane`](Self::to_plane).
    pub fn from_plane(self, place: Vec2) -> Vec2 {
        if self.is_hexagonal() {
            hexagonal::from_plane(place)
        } else {
            place
        }
    }

    /// The cell whose middle is nearest to a place that is given in cells.
    pub fn cell_at(self, at: Vec2) -> IVec2 {
        if self.is_hexagonal() {
            hexagonal::cell_at(at)
        } else {
            (at + 0.5).floor().as_ivec2()
        }
    }

    pub(crate) const fn lattice(self) -> Lattice {
        let (edge, corner) = match self {
            Self::Four => (1.0, 0.0),
            Self::Eight => (1.0, 1.0),
            Self::Isotropic => (4.0, 1.0),
            Self::Hexagonal => return Lattice::Hexagonal,
        };
        Lattice::Square { edge, corner }
    }
}

/// How the rows of cells lie beside each other, and what a cell's neighbors weigh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Lattice {
    /// The weight of the cell itself and of those north, east, south and west of it; and that of the
    /// four diagonal ones.
    Square { edge: f32, corner: f32 },
    /// All seven have the same.
    Hexagonal,
}

impl Lattice {
    /// The weight of the cell itself, and of it and all its neighbors together.
    pub(crate) const fn own_and_all(self) -> (f32, f32) {
        match self {
            Self::Square { edge, corner } => (edge, 5.0 * edge + 4.0 * corner),
            Self::Hexagonal => (1.0, 7.0),
        }
    }

    /// The weight of a corner, where that of an edge is 1; where there are none it is 0.
    pub(crate) const fn corner(self) -> f32 {
        match self {
            Self::Square { edge, corner } => corner / edge,
            Self::Hexagonal => 0.0,
        }
    }

    /// Which cells of the row above, and of that below, count for the cells of row `y`.
    #[inline(always)]
    pub(crate) const fn sides(self, y: usize) -> Sides {
        match self {
            Self::Square { .. } => Sides::Both(self.corner()),
            Self::Hexagonal if y.is_multiple_of(2) => Sides::West,
            Self::Hexagonal => Sides::East,
        }
    }
}

/// Which cells of a row count for a cell of the row above or below, beside that in its own column:
/// those to the west and to the east, with this weight, or one of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Sides {
    Both(f32),
    West,
    East,
}

impl Sides {
    /// Those of the rows beside one that has these.
    #[inline(always)]
    pub(crate) const fn of_next_row(self) -> Self {
        match self {
            Self::Both(weight) => Self::Both(weight),
            Self::West => Self::East,
            Self::East => Self::West,
        }
    }

    /// The sum of what cells pass on. Loops that are gone over often are written for each kind apart, so
    /// that none is chosen in them: see [`for_each_kind`].
    #[inline(always)]
    pub(crate) fn sum<T: Copy + Add<Output = T>>(self, west: T, here: T, east: T) -> T
    where
        f32: Mul<T, Output = T>,
    {
        match self {
            Self::Both(weight) => here + weight * (west + east),
            Self::West => here + west,
            Self::East => here + east,
        }
    }
}

/// Evaluates an expression for the kind of sides that these are, which it knows by a name: it is
/// compiled for each kind apart.
macro_rules! for_each_kind {
    ($sides:expr, $kind:ident => $work:expr) => {
        match $sides {
            Sides::Both(weight) => {
                let $kind = Sides::Both(weight);
                $work
            }
            Sides::West => {
                let $kind = Sides::West;
                $work
            }
            Sides::East => {
                let $kind = Sides::East;
                $work
            }
        }
    };
}
pub(crate) use for_each_kind;

/// The four diagonal steps, in the order of the bits of a [`Leaks`](crate::medium) mask.
pub(crate) const CORNERS: [(isize, isize); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
