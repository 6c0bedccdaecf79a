//! Overlapping seas of several terrains, of which one is drawn at each place.
//!
//! Problem: a sea extends beyond its terrain, so seas can overlap. They would flicker, and each would fill the shallows
//! of the others with deep water, because far from its own terrain it assumes a deep floor.
//!
//! Idea: over a terrain its own sea is drawn. Elsewhere the first sea in a fixed order that reaches the place is drawn.
//! The material of each sea has a list of the seas around it, and the shader discards the fragments that belong to one
//! of them.
//!
//! ```text
//!   +----------------------------+ first sea
//!   |   +------+      +------+   |
//!   |   | its  |      |second|---+---+ second sea
//!   |   | ter- |      | ter- |   |   |  drawn here, and
//!   |   | rain |      | rain |   |   |  over its terrain
//!   |   +------+      +------+   |   |
//!   +----------------------------+   |
//! ```
//!
//! Seas whose heights differ by more than the terrain's relief do not affect each other: from a flying island, the sea
//! below is visible.

use bevy::{
    camera::visibility::InheritedVisibility, math::Affine3A, prelude::*,
    render::render_resource::ShaderType,
};

use super::{Inland, WaterMaterial, WaterSurface};
use crate::{ground::TerrainSurface, viewers::to_ground, water::Water};

/// The maximum number of neighbors per sea. The nearest ones are used.
pub(super) const MOST: usize = 8;

/// Must match `OtherSea` in `water.wgsl`.
#[derive(ShaderType, Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct OtherSea {
    /// Maps a world position to the terrain: from -1 to 1 toward the east.
    east: Vec4,
    /// The same toward the south.
    south: Vec4,
    /// The extent of the sea, in units of half the terrain's size.
    reach: Vec2,
    /// 1 if this sea comes before the current one beyond all terrains, otherwise 0.
    is_first: f32,
    unused: f32,
}

/// Must match `Seas` in `water.wgsl`.
#[derive(ShaderType, Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Seas {
    own: OtherSea,
    others: [OtherSea; MOST],
    /// The number of neighbors, in `x`. A vector because WebGL2 requires multiples of 16 bytes.
    count: UVec4,
}

impl Seas {
    pub(super) fn are_several(&self) -> bool {
        self.count.x > 0
    }
}

/// A sea in the world.
struct Sea {
    terrain: Entity,
    /// Maps world space to the terrain's local space.
    to_land: Affine3A,
    half_extent: Vec2,
    extent: f32,
    /// The center of the surface, in world space.
    middle: Vec3,
    /// The maximum height of the terrain, in world units.
    relief: f32,
    /// The radii of the terrain and of the sea, in world units.
    radii: [f32; 2],
}

impl Sea {
    fn new(
        terrain: Entity,
        transform: &GlobalTransform,
        ground: &TerrainSurface,
        water: &Water,
    ) -> Option<Self> {
        let half_extent = ground.surface().half_extent();
        let meter = transform.scale();
        let across = meter.x.max(meter.z);
        Some(Self {
            terrain,
            to_land: to_ground(transform)?,
            half_extent,
            extent: water.extent,
            middle: transform.transform_point(Vec3::Y * water.surface_y(ground)),
            relief: ground.surface().scale().relief * meter.y,
            radii: [
                half_extent.length() * across,
                water.extent * std::f32::consts::SQRT_2 * across,
            ],
        })
    }

    /// Whether the two seas may overlap.
    fn meets(&self, other: &Self) -> bool {
        let apart = self.middle - other.middle;
        let high = self.relief.max(other.relief);
        apart.xz().length() < self.radii[1] + other.radii[1] && apart.y.abs() <= high
    }

    /// The approximate distance between the two terrains, in world units.
    fn distance(&self, other: &Self) -> f32 {
        (self.middle - other.middle).xz().length() - self.radii[0] - other.radii[0]
    }

    /// The largest sea comes first. Of equally large seas, the oldest entity comes first.
    fn comes_before(&self, other: &Self) -> bool {
        let by_extent = other.extent.total_cmp(&self.extent);
        by_extent.then(self.terrain.cmp(&other.terrain)).is_lt()
    }

    fn uniform_for(&self, other: &Self) -> OtherSea {
        let rows = self.to_land.matrix3.transpose();
        let moved = self.to_land.translation;
        let half = self.half_extent;
        OtherSea {
            east: rows.x_axis.extend(moved.x) / half.x,
            south: rows.z_axis.extend(moved.z) / half.y,
            reach: self.extent / half,
            is_first: f32::from(self.comes_before(other)),
            unused: 0.0,
        }
    }

    /// The neighbors of this sea.
    fn among(&self, all: &[Self]) -> Seas {
        // With more than `MOST` neighbors, the farthest are left out. They may then be drawn twice, far away.
        let others = all.iter().filter(|other| other.terrain != self.terrain);
        let mut near: Vec<&Self> = others.filter(|other| self.meets(other)).collect();
        near.sort_by(|a, b| self.distance(a).total_cmp(&self.distance(b)));
        near.truncate(MOST);
        let mut seas = Seas {
            own: self.uniform_for(self),
            count: UVec4::X * near.len() as u32,
            ..default()
        };
        for (slot, other) in seas.others.iter_mut().zip(&near) {
            *slot = other.uniform_for(self);
        }
        // A sea without neighbors has the default value, which does not depend on its position.
        if near.is_empty() { default() } else { seas }
    }
}

/// Updates the neighbors of each sea when something about them has changed.
pub(super) fn update_neighbors(
    mut materials: ResMut<Assets<WaterMaterial>>,
    surfaces: Query<
        (
            &WaterSurface,
            &MeshMaterial3d<WaterMaterial>,
            &InheritedVisibility,
        ),
        Without<Inland>,
    >,
    terrains: Query<(&GlobalTransform, &TerrainSurface, &Water)>,
) {
    let drawn = surfaces
        .iter()
        .filter(|(_, _, visibility)| visibility.get());
    let seas: Vec<Sea> = drawn
        .filter_map(|(surface, ..)| {
            let (transform, ground, water) = terrains.get(surface.terrain).ok()?;
            Sea::new(surface.terrain, transform, ground, water)
        })
        .collect();
    // A hidden sea is not in the list. It keeps its old neighbors and is updated when it is shown.
    for (surface, material, _) in &surfaces {
        let Some(sea) = seas.iter().find(|sea| sea.terrain == surface.terrain) else {
            continue;
        };
        let neighbors = sea.among(&seas);
        // `get_mut` marks the material as changed, which uploads it again, so compare first.
        let is_known = |material: &WaterMaterial| material.extension.water.seas == neighbors;
        if materials.get(&material.0).is_some_and(is_known) {
            continue;
        }
        if let Some(mut material) = materials.get_mut(&material.0) {
            material.extension.water.seas = neighbors;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square terrain of 2 km with a sea of the given extent, at a position, rotated about the vertical axis.
    fn sea(index: u32, at: Vec3, turn: f32, extent: f32) -> Sea {
        let turned = Transform::from_translation(at).with_rotation(Quat::from_rotation_y(turn));
        Sea {
            terrain: Entity::from_raw_u32(index).unwrap(),
            to_land: turned.compute_affine().inverse(),
            half_extent: Vec2::splat(1000.0),
            extent,
            middle: at,
            relief: 300.0,
            radii: [1415.0, extent * 1.415],
        }
    }

    /// The rule of the shader: whether a sea is drawn at a world position.
    fn is_drawn(seas: &Seas, at: Vec3) -> bool {
        let on = |sea: &OtherSea| {
            let at = at.extend(1.0);
            Vec2::new(sea.east.dot(at), sea.south.dot(at)).abs()
        };
        let own = seas.count.x == 0 || on(&seas.own).max_element() <= 1.0;
        !seas.others[..seas.count.x as usize].iter().any(|other| {
            let there = on(other);
            let is_over_land = there.max_element() <= 1.0;
            let is_first = other.is_first > 0.5;
            (is_over_land && (!own || is_first))
                || (!own && is_first && there.cmple(other.reach).all())
        })
    }

    #[test]
    fn one_sea_is_drawn_at_each_place() {
        let all = [
            sea(1, Vec3::ZERO, 0.0, 20_000.0),
            sea(2, Vec3::new(3000.0, 2.0, 100.0), 0.7, 20_000.0),
            sea(3, Vec3::new(-1500.0, 0.0, 900.0), 0.2, 4000.0),
            sea(4, Vec3::new(0.0, 0.0, -9000.0), -1.0, 30_000.0),
        ];
        let neighbors: Vec<Seas> = all.iter().map(|sea| sea.among(&all)).collect();
        for x in -60..60 {
            for z in -60..60 {
                let at = Vec3::new(x as f32 * 190.0, 0.0, z as f32 * 190.0);
                let drawn = neighbors.iter().filter(|seas| is_drawn(seas, at)).count();
                assert_eq!(drawn, 1, "at {at}");
                for (sea, neighbors) in all.iter().zip(&neighbors) {
                    let on = sea.to_land.transform_point3(at).xz().abs().max_element();
                    let only = all.iter().filter(|other| {
                        let there = other.to_land.transform_point3(at).xz();
                        there.abs().max_element() <= 1001.0
                    });
                    if on < 999.0 && only.count() == 1 {
                        assert!(is_drawn(neighbors, at), "its own, at {at}");
                    }
                }
            }
        }
    }

    #[test]
    fn distant_seas_are_no_neighbors() {
        let all = [
            sea(1, Vec3::ZERO, 0.0, 2000.0),
            sea(2, Vec3::new(0.0, 400.0, 0.0), 0.0, 2000.0),
            sea(3, Vec3::new(9000.0, 0.0, 0.0), 0.0, 2000.0),
        ];
        for sea in &all {
            assert_eq!(sea.among(&all), Seas::default());
        }
    }

    #[test]
    fn keeps_nearest_neighbors() {
        let all: Vec<Sea> = (0..20)
            .map(|k| sea(k, Vec3::new(k as f32 * 2000.0, 0.0, 0.0), 0.0, 20_000.0))
            .collect();
        let neighbors = all[0].among(&all);
        assert_eq!(neighbors.count.x, MOST as u32);
        let last = all[MOST].uniform_for(&all[0]);
        assert_eq!(neighbors.others[MOST - 1], last);
    }

    #[test]
    fn uniform_layout_fits_webgl2() {
        assert_eq!(Seas::min_size().get(), 48 * 9 + 16);
    }
}
