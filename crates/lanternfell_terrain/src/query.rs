//! Queries of the terrain: heights, slopes, water depths, ray casts and lines of sight.

use bevy::{
    ecs::system::SystemParam,
    math::{Affine3A, Vec3A},
    prelude::*,
};
use lanternfell_heightmap::analysis::CurvatureKind;
use lanternfell_surface::{Surface, SurfaceHit};

use crate::{
    cover::TerrainCover,
    ground::{TerrainSurface, Upcoming},
    layers::{EffectiveLayers, TerrainLayer},
    viewers::to_ground,
    water::Water,
};

/// The terrain above or below a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TerrainSample {
    /// The entity of the terrain.
    pub terrain: Entity,
    /// The point on the terrain with the same x and z, in world space.
    pub point: Vec3,
    /// The unit normal in world space, interpolated across triangles as for lighting.
    pub normal: Vec3,
    /// The y of the sea surface without waves, in world space. `None` if the terrain has no sea. Rivers and lakes do
    /// not count.
    pub water_level: Option<f32>,
}

impl TerrainSample {
    /// The depth of the sea in meters, or 0 on dry terrain.
    pub fn water_depth(&self) -> f32 {
        self.water_level
            .map_or(0.0, |level| (level - self.point.y).max(0.0))
    }
}

/// The terrain layers at a point, for example to choose the sound of a footstep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoverHit<'a> {
    /// The entity of the terrain.
    pub terrain: Entity,
    /// The layer with the largest share.
    pub layer: &'a TerrainLayer,
    /// The layer with the second largest share. The same as `layer` if there is only one.
    pub other: &'a TerrainLayer,
    /// The share of `layer`, from 0.5 to 1. The share of `other` is the rest.
    pub share: f32,
}

/// The hit of a ray or a sphere with the terrain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TerrainHit {
    /// The entity of the terrain.
    pub terrain: Entity,
    /// The point of contact in world space.
    pub point: Vec3,
    /// A unit vector in world space. For a ray, it is the upward normal of the triangle. For a sphere, it points from
    /// `point` to the center of the sphere.
    pub normal: Vec3,
    /// The distance that the ray or the center of the sphere has traveled, in meters in world space.
    pub distance: f32,
}

/// A system parameter for queries of the terrain.
///
/// All positions and distances are in world space, in meters.
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
/// The results are exact for the triangles that are rendered at full detail, which are also those of the collider. In
/// holes and outside of all terrains, methods return `None`. [The guide](crate::guide::queries) has more examples.
///
/// A query takes a few lookups in the map for each terrain in the world, independent of their sizes.
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
        Without<Upcoming>,
    >,
    covers: Query<'w, 's, (&'static TerrainCover, &'static EffectiveLayers)>,
}

impl TerrainQuery<'_, '_> {
    /// Returns the terrain above or below `at`. Where terrains overlap, returns the highest. `None` outside of all
    /// terrains and in holes.
    pub fn hit(&self, at: Vec3) -> Option<TerrainSample> {
        let mut hit = None;
        self.hits(&[at], std::slice::from_mut(&mut hit));
        hit
    }

    /// Writes the [`hit`](Self::hit) of each point to the element of `hits` with the same index.
    ///
    /// If the slices have different lengths, the additional points are ignored, and the additional hits are not
    /// changed.
    pub fn hits(&self, points: &[Vec3], hits: &mut [Option<TerrainSample>]) {
        let count = points.len().min(hits.len());
        hits[..count].fill(None);
        for (terrain, ground, transform, water) in &self.grounds {
            let Some(place) = Place::new(terrain, ground, transform, water) else {
                continue;
            };
            for (highest, &at) in hits.iter_mut().zip(points) {
                let found = place.hit(at);
                let is_higher = |found: &TerrainSample| {
                    highest.is_none_or(|highest| found.point.y.total_cmp(&highest.point.y).is_ge())
                };
                if let Some(found) = found.filter(is_higher) {
                    *highest = Some(found);
                }
            }
        }
    }

    /// Returns the y of the terrain above or below `at`, in world space. [The guide](crate::guide::queries) shows how
    /// to get an elevation above sea level.
    pub fn height(&self, at: Vec3) -> Option<f32> {
        self.hit(at).map(|hit| hit.point.y)
    }

    /// Returns the unit normal of the terrain above or below `at`.
    pub fn normal(&self, at: Vec3) -> Option<Vec3> {
        self.hit(at).map(|hit| hit.normal)
    }

    /// Returns the slope of the triangle above or below `at`, in degrees from 0 to 90.
    pub fn slope(&self, at: Vec3) -> Option<f32> {
        self.at_highest(at, |place, flat| {
            let normal = place.ground.surface().face_normal(flat)?;
            let normal = to_world(&place.to_ground, normal);
            Some(libm::atan2f(normal.xz().length(), normal.y).to_degrees())
        })
    }

    /// Returns the curvature of the terrain above or below `at`, in 1/m. Positive values are convex.
    ///
    /// It is computed from the neighboring cells, because triangles are flat. It has no meaning for a terrain that is
    /// not scaled uniformly.
    pub fn curvature(&self, at: Vec3, kind: CurvatureKind) -> Option<f32> {
        self.at_highest(at, |place, flat| {
            let bend = place.ground.surface().curvature(flat, kind)?;
            Some(bend / place.transform.scale().y)
        })
    }

    /// Evaluates `ask` on the highest terrain at `at`, with the position in the terrain's local space.
    fn at_highest<Answer>(
        &self,
        at: Vec3,
        ask: impl Fn(&Place<'_>, Vec2) -> Option<Answer>,
    ) -> Option<Answer> {
        let hit = self.hit(at)?;
        let (terrain, ground, transform, water) = self.grounds.get(hit.terrain).ok()?;
        let place = Place::new(terrain, ground, transform, water)?;
        ask(&place, place.to_ground.transform_point3(at).xz())
    }

    /// Returns the two layers with the largest shares above or below `at`. Also returns `None` if the [`TerrainCover`]
    /// is not computed yet. Without a renderer it is only computed for a terrain with
    /// [`NeedsTerrainCover`](crate::NeedsTerrainCover).
    pub fn cover(&self, at: Vec3) -> Option<CoverHit<'_>> {
        let hit = self.hit(at)?;
        let (_, _, transform, _) = self.grounds.get(hit.terrain).ok()?;
        let (cover, layers) = self.covers.get(hit.terrain).ok()?;
        let place = to_ground(transform)?.transform_point3(at).xz();
        let [(most, share), (other, _)] = cover.layers_at(place);
        // The layers may have changed after the cover was computed, so the index alone is not enough.
        let layer = |index: u8| {
            let name = cover.name(index);
            let same = layers.layers.get(usize::from(index));
            let same = same.filter(|layer| layer.name == name);
            same.or_else(|| layers.layer(name))
        };
        Some(CoverHit {
            terrain: hit.terrain,
            layer: layer(most)?,
            other: layer(other)?,
            share,
        })
    }

    /// Returns the depth of the sea above or below `at` in meters, or 0 on dry terrain. Rivers, lakes and waves do not
    /// count: see [`WaterQuery`](crate::WaterQuery).
    pub fn water_depth(&self, at: Vec3) -> Option<f32> {
        self.hit(at).map(|hit| hit.water_depth())
    }

    /// Returns the first hit of a ray within `max_distance` meters, from above or below.
    ///
    /// It is exact for the triangles that are rendered at full detail, which are also those of the collider. Rays pass
    /// through water and holes.
    ///
    /// A ray takes a few microseconds, independent of the size of the map.
    pub fn cast_ray(&self, ray: Ray3d, max_distance: f32) -> Option<TerrainHit> {
        self.cast_ray_at(ray, max_distance, |_| true)
    }

    /// Like [`cast_ray`](Self::cast_ray), but only for the terrains for which `wanted` returns `true`.
    pub fn cast_ray_at(
        &self,
        ray: Ray3d,
        max_distance: f32,
        wanted: impl Fn(Entity) -> bool,
    ) -> Option<TerrainHit> {
        self.first(max_distance, *ray.direction, |terrain, ground, cast| {
            let origin = cast.to_ground.transform_point3(ray.origin);
            let met = || ground.cast_ray(origin, cast.direction, cast.max_distance);
            wanted(terrain).then(met).flatten()
        })
    }

    /// Returns the first contact of a sphere that moves along a ray, within `max_distance` meters of its center.
    pub fn cast_sphere(&self, ray: Ray3d, radius: f32, max_distance: f32) -> Option<TerrainHit> {
        self.first(max_distance, *ray.direction, |_, ground, cast| {
            let origin = cast.to_ground.transform_point3(ray.origin);
            let radius = radius * cast.per_meter;
            ground.cast_sphere(origin, radius, cast.direction, cast.max_distance)
        })
    }

    /// Returns whether no terrain blocks the line between two points. The line may touch the terrain, so points on the
    /// surface are not blocked by the surface below them.
    pub fn line_of_sight(&self, from: Vec3, to: Vec3) -> bool {
        self.grounds.iter().all(|(_, ground, transform, _)| {
            let Some(to_ground) = to_ground(transform) else {
                return true;
            };
            let [from, to] = [from, to].map(|point| to_ground.transform_point3(point));
            ground.surface().line_of_sight(from, to)
        })
    }

    /// Returns the nearest hit of all terrains.
    fn first(
        &self,
        max_distance: f32,
        direction: Vec3,
        cast: impl Fn(Entity, &Surface<'_>, &Cast) -> Option<SurfaceHit>,
    ) -> Option<TerrainHit> {
        let hits = self
            .grounds
            .iter()
            .filter_map(|(terrain, ground, transform, _)| {
                let way = Cast::new(transform, direction, max_distance)?;
                let hit = cast(terrain, &ground.surface(), &way)?;
                Some(TerrainHit {
                    terrain,
                    point: transform.transform_point(hit.point),
                    normal: way.normal(hit.normal),
                    distance: hit.distance / way.per_meter,
                })
            });
        hits.min_by(|a, b| a.distance.total_cmp(&b.distance))
    }
}

/// A ray in a terrain's local space.
struct Cast {
    to_ground: Affine3A,
    /// A unit vector.
    direction: Vec3,
    /// Meters in the terrain's local space per meter in world space, along the ray.
    per_meter: f32,
    max_distance: f32,
}

impl Cast {
    fn new(transform: &GlobalTransform, direction: Vec3, max_distance: f32) -> Option<Self> {
        let to_ground = to_ground(transform)?;
        let along = to_ground.transform_vector3(direction);
        let per_meter = along.length();
        Some(Self {
            to_ground,
            direction: along / per_meter,
            per_meter,
            max_distance: max_distance * per_meter,
        })
    }

    /// Transforms a normal to world space.
    fn normal(&self, normal: Vec3) -> Vec3 {
        to_world(&self.to_ground, normal)
    }
}

/// Transforms a normal to world space, with the transposed inverse matrix, so that it is correct for non-uniform
/// scales.
fn to_world(to_ground: &Affine3A, normal: Vec3) -> Vec3 {
    (to_ground.matrix3.transpose() * Vec3A::from(normal))
        .normalize()
        .into()
}

/// A terrain with its transform.
struct Place<'a> {
    terrain: Entity,
    ground: &'a TerrainSurface,
    transform: &'a GlobalTransform,
    to_ground: Affine3A,
    /// The y of the sea in the terrain's local space.
    sea: Option<f32>,
}

impl<'a> Place<'a> {
    /// `None` if the transform of the terrain is not invertible or not finite.
    fn new(
        terrain: Entity,
        ground: &'a TerrainSurface,
        transform: &'a GlobalTransform,
        water: Option<&Water>,
    ) -> Option<Self> {
        Some(Self {
            terrain,
            ground,
            transform,
            to_ground: to_ground(transform)?,
            sea: water.map(|water| water.surface_y(ground)),
        })
    }

    fn hit(&self, at: Vec3) -> Option<TerrainSample> {
        let local = self.to_ground.transform_point3(at);
        let surface = self.ground.surface();
        let flat = Vec2::new(local.x, local.z);
        let height = surface.height(flat)?;
        let normal = surface.normal(flat)?;
        let at_height = |y| {
            let point = Vec3::new(local.x, y, local.z);
            self.transform.transform_point(point)
        };
        Some(TerrainSample {
            terrain: self.terrain,
            point: at_height(height),
            normal: to_world(&self.to_ground, normal),
            water_level: self.sea.map(|y| at_height(y).y),
        })
    }
}
