//! A triangle of a surface: half of a square between four cells.
//!
//! ```text
//!   nw ───── ne     with u to the east and v to the south, from 0 to 1:
//!    │     ╱ │
//!    │   ╱   │      north-west   nw + (ne - nw) u + (sw - nw) v
//!    │ ╱     │      south-east   se + (sw - se) (1 - u) + (ne - se) (1 - v)
//!   sw ───── se
//! ```
//!
//! Both halves use the same formula, with the corner that belongs to one half only and the two
//! corners of the diagonal. So both have the same height along the diagonal.

use glam::{DVec2, DVec3};

/// One of the two triangles of a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SquareHalf {
    /// The triangle with the north-west corner. The diagonal belongs to it.
    NorthWest,
    /// The triangle with the south-east corner.
    SouthEast,
}

impl SquareHalf {
    /// Returns the half at a position in a square, from 0 to 1 on both axes.
    #[inline(always)]
    pub(super) fn at(part: DVec2) -> Self {
        if part.x + part.y <= 1.0 {
            Self::NorthWest
        } else {
            Self::SouthEast
        }
    }

    /// Returns the other half.
    pub(super) fn other(self) -> Self {
        match self {
            Self::NorthWest => Self::SouthEast,
            Self::SouthEast => Self::NorthWest,
        }
    }

    /// Returns the weights of the north-east and south-west corners at a position. The half's own
    /// corner has the rest of the weight, up to 1.
    #[inline(always)]
    pub(super) fn weights(self, part: DVec2) -> [f64; 2] {
        match self {
            Self::NorthWest => [part.x, part.y],
            Self::SouthEast => [1.0 - part.y, 1.0 - part.x],
        }
    }
}

/// The heights of a triangle's corners.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facet {
    pub(super) half: SquareHalf,
    /// The height of the corner that belongs to this half only.
    pub(super) own: f64,
    pub(super) ne: f64,
    pub(super) sw: f64,
}

impl Facet {
    /// Returns the height at a position in the square.
    #[inline(always)]
    pub(super) fn height(&self, part: DVec2) -> f64 {
        let [ne, sw] = self.half.weights(part);
        self.own + (self.ne - self.own) * ne + (self.sw - self.own) * sw
    }

    /// Returns the height difference over the whole square, to the east and to the south.
    pub(super) fn rise(&self) -> DVec2 {
        match self.half {
            SquareHalf::NorthWest => DVec2::new(self.ne - self.own, self.sw - self.own),
            SquareHalf::SouthEast => DVec2::new(self.own - self.sw, self.own - self.ne),
        }
    }

    /// Returns the unit normal, which points up, for a square of this extent.
    pub(super) fn normal(&self, extent: DVec2) -> DVec3 {
        let slope = self.rise() / extent;
        DVec3::new(-slope.x, 1.0, -slope.y).normalize()
    }

    /// Returns the slope in degrees, from 0 to 90, for a square of this extent.
    pub(super) fn slope(&self, extent: DVec2) -> f32 {
        let normal = self.normal(extent);
        let rise = (normal.x * normal.x + normal.z * normal.z).sqrt();
        libm::atan2(rise, normal.y).to_degrees() as f32
    }

    /// Returns the height of the lowest corner.
    pub(super) fn lowest(&self) -> f64 {
        self.own.min(self.ne).min(self.sw)
    }
}
