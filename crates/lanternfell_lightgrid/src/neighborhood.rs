//! The cells that a cell receives light from, and their weights.

use core::ops::{Add, Mul};

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
use glam::{IVec2, Vec2};
use serde::{Deserialize, Serialize};

use crate::hexagonal;

/// The cells that exchange light, and their weights in the average. The average includes the cell
/// itself.
///
/// ```text
///      Four         Eight       Isotropic      Hexagonal
///    .  1  .       1  1  1       1  4  1         1  1
///    1  1  1       1  1  1       4  4  4       1  1  1
///    .  1  .       1  1  1       1  4  1         1  1
/// ```
///
/// With `Four`, a small light has the shape of a diamond, and the inner corners of the walls of a
/// room stay dark. With `Eight`, it is nearly a square. With `Isotropic`, lights are round: the
/// weights 4 : 1 are those of the nine-point stencil for the Laplacian whose error is the same in
/// all directions (Abramowitz and Stegun, 25.3.31).
///
/// How much light at the same distance varies with direction, from 4 to 12 cells from a lamp at a
/// decay of 0.05:
///
/// | Neighborhood | Maximum difference from the light along an axis |
/// |---|---|
/// | `Four` | 6.4 % |
/// | `Eight` | 4.3 % |
/// | `Isotropic` | 0.09 % |
/// | `Hexagonal` | 0.15 % |
///
/// Isometric maps are square grids that are drawn at an angle, so use one of the first three. For
/// hexagonal maps use `Hexagonal`; the module [`hexagonal`] describes their layout.
///
/// Light does not leak between two walls that touch at a corner: a diagonal neighbor is ignored if
/// both cells next to the diagonal step are opaque. This does not apply to opaque cells that
/// receive the light, such as the inner corner of the walls of a room, because no light can leak
/// through them. Hexagons have no diagonal neighbors.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(
    feature = "bevy_reflect",
    derive(bevy_reflect::Reflect),
    reflect(Clone, Debug, Default, Deserialize, Hash, PartialEq, Serialize)
)]
pub enum Neighborhood {
    /// The cell and its four direct neighbors.
    Four,
    /// The cell and its eight neighbors, with equal weights.
    Eight,
    /// The cell and its eight neighbors, weighted so that lights are round. The default.
    #[default]
    Isotropic,
    /// The hexagon and its six neighbors, with equal weights. Odd rows are shifted half a cell to
    /// the east.
    Hexagonal,
}

impl Neighborhood {
    /// All neighborhoods.
    pub const ALL: [Self; 4] = [Self::Four, Self::Eight, Self::Isotropic, Self::Hexagonal];

    /// The neighborhoods for square cells.
    pub const SQUARE: [Self; 3] = [Self::Four, Self::Eight, Self::Isotropic];

    /// Whether the cells are hexagons.
    pub const fn is_hexagonal(self) -> bool {
        matches!(self, Self::Hexagonal)
    }

    /// Converts a position in cells, such as [`Source::at`](crate::Source::at), to the plane, where
    /// neighbors in a row are 1 apart. On squares both are the same. On hexagons see
    /// [`hexagonal::to_plane`].
    pub fn to_plane(self, at: Vec2) -> Vec2 {
        if self.is_hexagonal() {
            hexagonal::to_plane(at)
        } else {
            at
        }
    }

    /// The inverse of [`to_plane`](Self::to_plane).
    pub fn from_plane(self, place: Vec2) -> Vec2 {
        if self.is_hexagonal() {
            hexagonal::from_plane(place)
        } else {
            place
        }
    }

    /// The cell whose center is nearest to a position in cells.
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

/// The layout of the rows of cells, and the weights of neighbors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Lattice {
    /// `edge` is the weight of the cell itself and of its northern, eastern, southern and western
    /// neighbors. `corner` is the weight of the four diagonal neighbors.
    Square { edge: f32, corner: f32 },
    /// All seven cells have the same weight.
    Hexagonal,
}

impl Lattice {
    /// The weight of the cell itself, and the total weight of the cell and its neighbors.
    pub(crate) const fn own_and_all(self) -> (f32, f32) {
        match self {
            Self::Square { edge, corner } => (edge, 5.0 * edge + 4.0 * corner),
            Self::Hexagonal => (1.0, 7.0),
        }
    }

    /// The weight of a corner relative to that of an edge; 0 if corners have no weight.
    pub(crate) const fn corner(self) -> f32 {
        match self {
            Self::Square { edge, corner } => corner / edge,
            Self::Hexagonal => 0.0,
        }
    }

    /// The cells of the rows above and below that count for the cells of row `y`.
    #[inline(always)]
    pub(crate) const fn sides(self, y: usize) -> Sides {
        match self {
            Self::Square { .. } => Sides::Both(self.corner()),
            Self::Hexagonal if y.is_multiple_of(2) => Sides::West,
            Self::Hexagonal => Sides::East,
        }
    }
}

/// The cells in the row above or below that count for a cell, in addition to the one in its own
/// column: both neighbors of that one with this weight, or its western or eastern neighbor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Sides {
    Both(f32),
    West,
    East,
}

impl Sides {
    /// The sides of the rows next to a row with these sides.
    #[inline(always)]
    pub(crate) const fn of_next_row(self) -> Self {
        match self {
            Self::Both(weight) => Self::Both(weight),
            Self::West => Self::East,
            Self::East => Self::West,
        }
    }

    /// The sum of what three cells of a neighboring row pass on. Inner loops should be compiled for
    /// each variant with [`for_each_kind`], so that they contain no branch.
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

/// Evaluates an expression with `$kind` bound to the sides. The expression is compiled for each
/// variant separately.
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

/// The four diagonal steps, in the order of the bits of [`Leaks`](crate::medium).
pub(crate) const CORNERS: [(isize, isize); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
