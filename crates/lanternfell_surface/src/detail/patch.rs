//! A patch: what is drawn as one.

use glam::IVec2;

use super::lattice::{Lattice, RightTriangle, bounds};

/// A piece of the map that is drawn as one: a name for it, to be compared and kept.
///
/// [`DetailTree::cut`](super::DetailTree::cut) says which are needed, and
/// [`DetailTree::triangulate`](super::DetailTree::triangulate) makes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Patch {
    pub(super) level: u32,
    pub(super) shape: Shape,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Shape {
    /// A square of the finest level, by its north-west corner: both halves of a diamond.
    Square(IVec2),
    Triangle(RightTriangle),
}

impl Patch {
    pub(super) fn square(level: u32, corner: IVec2) -> Self {
        Self {
            level,
            shape: Shape::Square(corner),
        }
    }

    pub(super) fn triangle(triangle: RightTriangle) -> Self {
        Self {
            level: triangle.level,
            shape: Shape::Triangle(triangle),
        }
    }

    /// The level of detail: 0 is the coarsest, and each has twice as many triangles on an area as the one before.
    pub fn level(self) -> u32 {
        self.level
    }

    /// The corner that its vertices are measured from, on the map.
    pub(super) fn corner(self, lattice: &Lattice) -> IVec2 {
        lattice.onto_map(self.bounds(lattice).0)
    }

    /// The box around it, on the map or beyond.
    pub(super) fn bounds(self, lattice: &Lattice) -> (IVec2, IVec2) {
        match self.shape {
            Shape::Square(corner) => (corner, corner + lattice.side),
            Shape::Triangle(triangle) => bounds(triangle.corners()),
        }
    }

    /// How much memory it takes, in patches that are one triangle.
    pub fn weight(self) -> usize {
        match self.shape {
            Shape::Square(_) => 2,
            Shape::Triangle(_) => 1,
        }
    }
}
