//! The size of the terrain. Camera speed, fog, shadows and sky scale with it, so that an island of 640 m and a mountain
//! range of 40 km both take seconds to fly over.

use bevy::{math::ops, prelude::*};
use lanternfell::{prelude::*, surface::Surface};

use crate::design::SIDE;

/// Width and height of the current terrain, in meters.
#[derive(Resource, Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// Length of the longer side.
    pub side: f32,
    /// Height from the lowest to the highest point.
    pub relief: f32,
    /// Whether the whole border is below the sea, so that the visible part is smaller.
    pub is_island: bool,
}

impl Default for Extent {
    /// The size of a generated island.
    fn default() -> Self {
        Self {
            side: SIDE,
            relief: 0.2 * SIDE,
            is_island: true,
        }
    }
}

impl Extent {
    pub fn of(ground: &TerrainSurface, water: Option<&Water>) -> Self {
        let surface = ground.surface();
        Self {
            side: 2.0 * surface.half_extent().max_element(),
            relief: surface.scale().relief,
            is_island: water.is_some_and(|water| has_wet_border(&surface, water.surface_y(ground))),
        }
    }

    /// Whether the widths differ by less than a third.
    pub fn is_as_wide_as(self, other: Self) -> bool {
        are_alike(self.side, other.side)
    }

    pub fn is_as_high_as(self, other: Self) -> bool {
        are_alike(self.relief, other.relief)
    }

    /// The width relative to a generated island.
    pub fn times(self) -> f32 {
        self.side / SIDE
    }

    /// The flying speed relative to a generated island. It grows less than the width, because on wide terrain one also
    /// looks at parts.
    pub fn pace(self) -> f32 {
        ops::powf(self.times(), 0.85)
    }

    /// Distance in meters at which the fog leaves 5% of the contrast.
    pub fn visibility(self) -> f32 {
        (4.5 * self.side).max(5_500.0)
    }

    /// Distance of the camera's far plane in meters, beyond the edge of the sea.
    pub fn far(self) -> f32 {
        (9.0 * self.side).max(60_000.0)
    }

    /// Half the width of the sea, in meters.
    pub fn sea(self) -> f32 {
        0.4 * self.far()
    }

    /// Height of the clouds above the sea in meters, above all peaks.
    pub fn clouds(self) -> f32 {
        (1.5 * self.relief).max(1_200.0)
    }

    /// Maximum distance of shadows from the camera, in meters.
    pub fn shadows(self) -> f32 {
        (1.72 * self.side).max(100.0)
    }
}

/// Whether the border is below the sea at height `sea`, tested at 33 points per side.
fn has_wet_border(surface: &Surface<'_>, sea: f32) -> bool {
    const POINTS: u8 = 32;
    (0..=POINTS).all(|point| {
        let along = f32::from(point) / f32::from(POINTS) * 2.0 - 1.0;
        let sides = [(along, -1.0), (along, 1.0), (-1.0, along), (1.0, along)];
        sides.into_iter().all(|(x, z)| {
            let place = surface.half_extent() * Vec2::new(x, z);
            surface.height(place).is_none_or(|height| height < sea)
        })
    })
}

/// Whether the larger value is less than 1.34 times the smaller one. Then the same view fits both.
fn are_alike(a: f32, b: f32) -> bool {
    a.max(b) < 1.34 * a.min(b)
}
