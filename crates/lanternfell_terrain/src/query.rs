//! Questions about the ground: how high it is somewhere, how steep, how deep under water.

use bevy::{ecs::system::SystemParam, math::Vec3A, prelude::*};

use crate::{surface::TerrainSurface, water::Water};

/// What lies above or below a point of the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroundHit {
    /// The terrain that was hit.
    pub terrain: Entity,
    /// The point of the ground on the same vertical line, in the world.
    pub point: Vec3,
    /// The unit normal there, in the world, smooth across triangles.
    pub normal: Vec3,
    /// The y of the water's surface in the world; `None` where the terrain has no water.
    pub water_level: Option<f32>,
}

impl GroundHit {
    /// How deep the water stands on the ground, in metres; 0 on dry land.
    pub fn water_depth(&self) -> f32 {
        self.water_level
            .map_or(0.0, |level| (level - self.point.y).max(0.0))
    }
}

/// A system parameter that answers where the ground is.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_terrain::prelude::*;
///
/// #[derive(Component)]
/// struct Sheep;
///
/// fn keep_on_the_ground(terrains: TerrainQuery, mut sheep: Query<&mut Transform, With<Sheep>>) {
///     for mut transform in &mut sheep {
///         if let Some(height) = terrains.height(transform.translation) {
///             transform.translation.y = height;
///         }
///     }
/// }
/// # bevy::ecs::system::assert_is_system(keep_on_the_ground);
/// ```
///
/// A question costs a handful of look-ups in the map, whatever its size, for each terrain
/// in the world. The answer lies on the very triangles that are drawn nearby and collided
/// with.
#[derive(SystemParam)]
pub struct TerrainQuery<'w, 's> {
    grounds: Query<
        'w,
        's,
        (
            Entity,
            &'static TerrainSurface,
            &'static GlobalTransform,
            Option<&'static Water>,
        ),
    >,
}

impl TerrainQuery<'_, '_> {
    /// The ground above or below `at`; where terrains overlap, the highest. `None` beyond
    /// every terrain.
    pub fn hit(&self, at: Vec3) -> Option<GroundHit> {
        self.grounds
            .iter()
            .filter_map(|(entity, ground, transform, water)| {
                hit(entity, ground, transform, water, at)
            })
            .max_by(|a, b| a.point.y.total_cmp(&b.point.y))
    }

    /// The y of the ground above or below `at`, in the world.
    pub fn height(&self, at: Vec3) -> Option<f32> {
        self.hit(at).map(|hit| hit.point.y)
    }

    /// The unit normal of the ground above or below `at`, in the world.
    pub fn normal(&self, at: Vec3) -> Option<Vec3> {
        self.hit(at).map(|hit| hit.normal)
    }

    /// How deep the water stands above or below `at`, in metres; 0 on dry land.
    pub fn water_depth(&self, at: Vec3) -> Option<f32> {
        self.hit(at).map(|hit| hit.water_depth())
    }
}

fn hit(
    terrain: Entity,
    ground: &TerrainSurface,
    transform: &GlobalTransform,
    water: Option<&Water>,
    at: Vec3,
) -> Option<GroundHit> {
    let inverse = transform.affine().inverse();
    let local = inverse.transform_point3(at);
    let surface = ground.surface();
    let flat = Vec2::new(local.x, local.z);
    let height = surface.height(flat)?;
    let normal = surface.normal(flat)?;
    let to_world = |y| transform.transform_point(Vec3::new(local.x, y, local.z));
    let water_level = water
        .filter(|water| water.shown)
        .map(|water| to_world(water.surface_y(ground)).y);
    Some(GroundHit {
        terrain,
        point: to_world(height),
        // A normal goes through the transposed inverse, so that uneven scales keep it upright.
        normal: (inverse.matrix3.transpose() * Vec3A::from(normal))
            .normalize()
            .into(),
        water_level,
    })
}
