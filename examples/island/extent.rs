//! How large the ground is, by which camera, fog, shadows and sky go: an island of 640 m is flown over
//! in seconds, and so is a mountain range of 40 km.

use bevy::{math::ops, prelude::*};
use lanternfell::{prelude::*, surface::Surface};

use crate::design::SIDE;

/// Metres across and high of the ground that stands.
#[derive(Resource, Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// Along the longer side.
    pub side: f32,
    /// From the lowest to the highest point.
    pub relief: f32,
    /// Whether its border lies under the sea, so that what is seen of it is smaller.
    pub is_island: bool,
}

impl Default for Extent {
    /// That of the islands.
    fn default() -> Self {
        Self {
            side: SIDE,
            relief: 0.2 * SIDE,
            is_island: true,
        }
    }
}

impl Extent {
    pub fn of(ground: &TerrainSurface, water: &Water) -> Self {
        let surface = ground.surface();
        Self {
            side: 2.0 * surface.half_extent().max_element(),
            relief: surface.scale().relief,
            is_island: water.shown && has_wet_border(&surface, water.surface_y(ground)),
        }
    }

    /// The same in another width, nearly.
    pub fn is_as_wide_as(self, other: Self) -> bool {
        are_alike(self.side, other.side)
    }

    pub fn is_as_high_as(self, other: Self) -> bool {
        are_alike(self.relief, other.relief)
    }

    /// How many times as wide as the islands.
    pub fn times(self) -> f32 {
        self.side / SIDE
    }

    /// How many times as fast one flies. Of a wide land one sees parts, too.
    pub fn pace(self) -> f32 {
        ops::powf(self.times(), 0.85)
    }

    /// How far one sees until the fog leaves a twentieth of the contrast.
    pub fn visibility(self) -> f32 {
        (4.5 * self.side).max(5_500.0)
    }

    /// How far away anything is drawn: beyond the sea's edge.
    pub fn far(self) -> f32 {
        (9.0 * self.side).max(60_000.0)
    }

    /// How far the sea reaches.
    pub fn sea(self) -> f32 {
        0.4 * self.far()
    }

    /// How high clouds are above the sea: over all peaks.
    pub fn clouds(self) -> f32 {
        (1.5 * self.relief).max(1_200.0)
    }

    /// How far from the camera there are shadows.
    pub fn shadows(self) -> f32 {
        (1.72 * self.side).max(100.0)
    }
}

/// Whether the sea at that y stands on the border, as far as some points of it tell.
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

/// Within a third of each other: the same view shows both.
fn are_alike(a: f32, b: f32) -> bool {
    a.max(b) < 1.34 * a.min(b)
}
