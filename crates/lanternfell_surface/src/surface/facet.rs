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
//! Both are one formula, with the corner that is a half's own and the two of the diagonal that are of
//! both: so neighbors have the same height where they meet.

use glam::{DVec2, DVec3};

/// Which of the two triangles of a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SquareHalf {
    /// The one with the north-west corner; the diagonal belongs to it.
    NorthWest,
    /// The one with the south-east corner.
    SouthEast,
}

impl SquareHalf {
    /// The half around that place of a square, from 0 to 1 on both axes.
    #[inline(always)]
    pub(super) fn at(part: DVec2) -> Self {
        if part.x + part.y <= 1.0 {
            Self::NorthWest
        } else {
            Self::SouthEast
        }
    }

    /// The other one.
    pub(super) fn other(self) -> Self {
        match self {
            Self::NorthWest => Self::SouthEast,
            Self::SouthEast => Self::NorthWest,
        }
    }

    /// How much the north-east and the south-west corner count at that place; the half's own corner
    /// counts the rest to 1.
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
    /// That of the corner which no other triangle of the square has.
    pub(super) own: f64,
    pub(super) ne: f64,
    pub(super) sw: f64,
}

impl Facet {
    /// The height at a place of the square.
    #[inline(always)]
    pub(super) fn height(&self, part: DVec2) -> f64 {
        let [ne, sw] = self.half.weights(part);
        self.own + (self.ne - self.own) * ne + (self.sw - self.own) * sw
    }

    /// By how much it rises over the whole square, to the east and to the south.
    pub(super) fn rise(&self) -> DVec2 {
        match self.half {
            SquareHalf::NorthWest => DVec2::new(self.ne - self.own, self.sw - self.own),
            SquareHalf::SouthEast => DVec2::new(self.own - self.sw, self.own - self.ne),
        }
    }

    /// Its unit normal, upwards, in a square of that extent.
    pub(super) fn normal(&self, extent: DVec2) -> DVec3 {
        let slope = self.rise() / extent;
        DVec3::new(-slope.x, 1.0, -slope.y).normalize()
    }

    /// How steep it is in a square of that extent, in degrees from 0 to 90.
    pub(super) fn slope(&self, extent: DVec2) -> f32 {
        let normal = self.normal(extent);
        let rise = (normal.x * normal.x + normal.z * normal.z).sqrt();
        libm::atan2(rise, normal.y).to_degrees() as f32
    }

    /// The height of its lowest corner.
    pub(super) fn lowest(&self) -> f64 {
        self.own.min(self.ne).min(self.sw)
    }
}
