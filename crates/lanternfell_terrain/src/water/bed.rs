//! The depth of the sea at a point, computed on the CPU in the same way as the shader does from its height texture.

use bevy::prelude::*;

use super::Water;
use crate::{cells::texel_cell, ground::TerrainSurface};

/// The maximum side length of the height texture. Depth is smooth, and every GPU supports this size.
const MAX_TEXELS: u32 = 2048;

/// The resolution of the height texture.
pub(crate) fn texels(ground: &TerrainSurface) -> UVec2 {
    let map = ground.map();
    UVec2::new(map.width() as u32, map.height() as u32).min(UVec2::splat(MAX_TEXELS))
}

/// The sea floor, as `depth_at` in `sea.wgsl` computes it.
pub(crate) struct SeaBed<'a> {
    ground: &'a TerrainSurface,
    half_extent: Vec2,
    texels: UVec2,
    /// The y of the surface without waves.
    level: f32,
    attenuation_distance: f32,
    /// 1 if the sea floor falls away around the terrain, 0 if terrain continues beyond its border.
    rim: f32,
}

impl<'a> SeaBed<'a> {
    pub(crate) fn new(water: &Water, ground: &'a TerrainSurface, goes_on: bool) -> Self {
        Self {
            ground,
            half_extent: ground.surface().half_extent(),
            texels: texels(ground),
            level: water.surface_y(ground),
            attenuation_distance: water.attenuation_distance.max(0.01),
            rim: if goes_on { 0.0 } else { 1.0 },
        }
    }

    /// The depth of the water without waves at a position in the terrain's local space, in meters. Negative above sea
    /// level.
    pub(crate) fn depth(&self, place: Vec2) -> f32 {
        let part = place.abs() / self.half_extent;
        let squared = part * part;
        let rim = squared.dot(squared).sqrt().sqrt();
        let fall = ((rim - 0.55) / 0.45).clamp(0.0, 1.0);
        let fall = fall * fall * (3.0 - 2.0 * fall);
        let outside = (place.abs() - self.half_extent).max(Vec2::ZERO).length();
        let mut height = self.ground_height(place);
        if self.rim * outside > 0.0 {
            height = height.min(self.level);
        }
        let deepness = 6.0 * fall.powi(2) + 8.0 * fall.powi(8);
        self.level - height + self.rim * (self.attenuation_distance * deepness + 0.5 * outside)
    }

    fn ground_height(&self, place: Vec2) -> f32 {
        let last = (self.texels - 1).as_vec2();
        let texel = (place + self.half_extent) * last / (2.0 * self.half_extent);
        let base = texel.floor();
        let f = texel - base;
        let corner = |x: f32, y: f32| self.texel((base + Vec2::new(x, y)).clamp(Vec2::ZERO, last));
        let north = corner(0.0, 0.0).lerp(corner(1.0, 0.0), f.x);
        let south = corner(0.0, 1.0).lerp(corner(1.0, 1.0), f.x);
        north.lerp(south, f.y)
    }

    fn texel(&self, at: Vec2) -> f32 {
        let (map, relief) = (self.ground.map(), self.ground.surface().scale().relief);
        let at = at.as_uvec2();
        let x = texel_cell(at.x, self.texels.x, map.width());
        map.row(texel_cell(at.y, self.texels.y, map.height()))[x] * relief
    }
}
