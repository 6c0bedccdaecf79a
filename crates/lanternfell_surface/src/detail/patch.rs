//! Patches, the units in which a terrain is rendered.

use glam::IVec2;

use super::lattice::{Lattice, RightTriangle, bounds};

/// The key of a part of the map that is rendered as one mesh.
///
/// [`DetailTree::cut`](super::DetailTree::cut) returns the patches that are needed, and
/// [`DetailTree::triangulate`](super::DetailTree::triangulate) creates the triangles of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Patch {
    pub(super) level: u32,
    pub(super) shape: Shape,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Shape {
    /// A square of the finest level, by its north-west corner. It consists of both halves of a
    /// diamond.
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

    /// Returns the level of detail. Level 0 is the coarsest, and each level has twice as many
    /// triangles per area as the one before.
    pub fn level(self) -> u32 {
        self.level
    }

    /// Returns the corner to which its vertices are relative, on the map.
    pub(super) fn corner(self, lattice: &Lattice) -> IVec2 {
        lattice.onto_map(self.bounds(lattice).0)
    }

    /// Returns its bounding box, which may extend beyond the map.
    pub(super) fn bounds(self, lattice: &Lattice) -> (IVec2, IVec2) {
        match self.shape {
            Shape::Square(corner) => (corner, corner + lattice.side),
            Shape::Triangle(triangle) => bounds(triangle.corners()),
        }
    }

    /// Returns its memory, relative to a triangular patch: 1, or 2 for a square patch.
    pub fn weight(self) -> usize {
        match self.shape {
            Shape::Square(_) => 2,
            Shape::Triangle(_) => 1,
        }
    }
}
