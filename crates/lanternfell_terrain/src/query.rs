//! Questions about the ground: how high it is somewhere, how steep, how deep under water; what a ray meets, and
//! who sees whom.

use bevy::{
    ecs::system::SystemParam,
    math::{Affine3A, Vec3A},
    prelude::*,
};
use lanternfell_heightmap::analysis::CurvatureKind;
use lanternfell_surface::{Surface, SurfaceHit};

use crate::{
    cover::GroundCover,
    ground::{TerrainSurface, Upcoming},
    layers::{GroundLayer, LaidLayers},
    viewers::to_ground,
    water::Water,
};

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

/// What lies on the ground somewhere, so that a step sounds as it should.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoverHit<'a> {
    /// The terrain that was asked.
    pub terrain: Entity,
    /// The layer that has most of the place.
    pub layer: &'a GroundLayer,
    /// The one that has the rest; the same where nothing else lies there.
    pub other: &'a GroundLayer,
    /// How much of the place the first has, from 0.5 to 1.
    pub share: f32,
}

/// Where something meets the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TerrainHit {
    /// The terrain that was met.
    pub terrain: Entity,
    /// The point of the ground, in the world.
    pub point: Vec3,
    /// In the world, of length 1: of a ray that of the triangle, upwards; of a sphere from the point to its middle.
    pub normal: Vec3,
    /// How far the ray, or the middle of the sphere, had gone, in metres of the world.
    pub distance: f32,
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
/// with; where there is a hole there is none, as beyond the border. [The guide](crate::guide::asking) asks all of it.
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
    covers: Query<'w, 's, (&'static GroundCover, &'static LaidLayers)>,
}

impl TerrainQuery<'_, '_> {
    /// The ground above or below `at`; where terrains overlap, the highest. `None` beyond
    /// every terrain and in holes.
    pub fn hit(&self, at: Vec3) -> Option<GroundHit> {
        let mut hit = None;
        self.hits(&[at], std::slice::from_mut(&mut hit));
        hit
    }

    /// The [`hit`](Self::hit) at each of `points`, into the place of `hits` with the same number; those of the longer
    /// of the two that have no partner are left alone.
    pub fn hits(&self, points: &[Vec3], hits: &mut [Option<GroundHit>]) {
        let count = points.len().min(hits.len());
        hits[..count].fill(None);
        for (terrain, ground, transform, water) in &self.grounds {
            let Some(place) = Place::new(terrain, ground, transform, water) else {
                continue;
            };
            for (highest, &at) in hits.iter_mut().zip(points) {
                let found = place.hit(at);
                let is_higher = |found: &GroundHit| {
                    highest.is_none_or(|highest| found.point.y.total_cmp(&highest.point.y).is_ge())
                };
                if let Some(found) = found.filter(is_higher) {
                    *highest = Some(found);
                }
            }
        }
    }

    /// The y of the ground above or below `at`, in the world.
    pub fn height(&self, at: Vec3) -> Option<f32> {
        self.hit(at).map(|hit| hit.point.y)
    }

    /// The unit normal of the ground above or below `at`, in the world.
    pub fn normal(&self, at: Vec3) -> Option<Vec3> {
        self.hit(at).map(|hit| hit.normal)
    }

    /// How steep the triangle above or below `at` is, in degrees from 0 to 90.
    pub fn slope(&self, at: Vec3) -> Option<f32> {
        self.at_highest(at, |place, flat| {
            let normal = place.ground.surface().face_normal(flat)?;
            let normal = to_world(&place.to_ground, normal);
            Some(libm::atan2f(normal.xz().length(), normal.y).to_degrees())
        })
    }

    /// How the land bends above or below `at`, in 1/metre, positive where it is convex: that of the cells around, since
    /// a triangle is flat. Of a terrain that is scaled unevenly along its axes it means nothing.
    pub fn curvature(&self, at: Vec3, kind: CurvatureKind) -> Option<f32> {
        self.at_highest(at, |place, flat| {
            let bend = place.ground.surface().curvature(flat, kind)?;
            Some(bend / place.transform.scale().y)
        })
    }

    /// What somebody asks of the highest ground there, with the place on it.
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

    /// What lies on the ground above or below `at`: its two layers and their shares. `None` too where it is not known
    /// yet, and in an app that draws nothing.
    pub fn cover(&self, at: Vec3) -> Option<CoverHit<'_>> {
        let hit = self.hit(at)?;
        let (_, _, transform, _) = self.grounds.get(hit.terrain).ok()?;
        let (cover, layers) = self.covers.get(hit.terrain).ok()?;
        let place = to_ground(transform)?.transform_point3(at).xz();
        let [(most, share), (other, _)] = cover.layers_at(place);
        // Other layers may have come, and their cover not yet.
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

    /// How deep the water stands above or below `at`, in metres; 0 on dry land.
    pub fn water_depth(&self, at: Vec3) -> Option<f32> {
        self.hit(at).map(|hit| hit.water_depth())
    }

    /// Where a ray first meets ground, from above or below, within `max_distance` metres: exactly, on the
    /// triangles that are drawn nearby and collided with. Water is no ground, and holes let it through.
    ///
    /// A ray costs some microseconds, on maps of any size.
    pub fn cast_ray(&self, ray: Ray3d, max_distance: f32) -> Option<TerrainHit> {
        self.cast_ray_at(ray, max_distance, |_| true)
    }

    /// As [`cast_ray`](Self::cast_ray), past terrains that are not `wanted`.
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

    /// Where a sphere that moves along a ray first touches ground, within `max_distance` metres.
    pub fn cast_sphere(&self, ray: Ray3d, radius: f32, max_distance: f32) -> Option<TerrainHit> {
        self.first(max_distance, *ray.direction, |_, ground, cast| {
            let origin = cast.to_ground.transform_point3(ray.origin);
            let radius = radius * cast.per_meter;
            ground.cast_sphere(origin, radius, cast.direction, cast.max_distance)
        })
    }

    /// Whether no ground lies between two points. What stands on the ground sees along it.
    pub fn line_of_sight(&self, from: Vec3, to: Vec3) -> bool {
        self.grounds.iter().all(|(_, ground, transform, _)| {
            let Some(to_ground) = to_ground(transform) else {
                return true;
            };
            let [from, to] = [from, to].map(|point| to_ground.transform_point3(point));
            ground.surface().line_of_sight(from, to)
        })
    }

    /// The first hit of a cast over all terrains.
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

/// The way of a cast in a terrain's own frame.
struct Cast {
    to_ground: Affine3A,
    /// Of length 1.
    direction: Vec3,
    /// Metres of the terrain's frame for one of the world, along the way.
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

    /// A normal in the world.
    fn normal(&self, normal: Vec3) -> Vec3 {
        to_world(&self.to_ground, normal)
    }
}

/// A normal goes through the transposed inverse, so that uneven scales keep it upright.
fn to_world(to_ground: &Affine3A, normal: Vec3) -> Vec3 {
    (to_ground.matrix3.transpose() * Vec3A::from(normal))
        .normalize()
        .into()
}

/// A terrain where it stands.
struct Place<'a> {
    terrain: Entity,
    ground: &'a TerrainSurface,
    transform: &'a GlobalTransform,
    to_ground: Affine3A,
    /// The y of the sea in the terrain's own frame.
    sea: Option<f32>,
}

impl<'a> Place<'a> {
    /// `None` of a terrain that has no size, or is nowhere.
    fn new(
        terrain: Entity,
        ground: &'a TerrainSurface,
        transform: &'a GlobalTransform,
        water: Option<&Water>,
    ) -> Option<Self> {
        let water = water.filter(|water| water.shown);
        Some(Self {
            terrain,
            ground,
            transform,
            to_ground: to_ground(transform)?,
            sea: water.map(|water| water.surface_y(ground)),
        })
    }

    fn hit(&self, at: Vec3) -> Option<GroundHit> {
        let local = self.to_ground.transform_point3(at);
        let surface = self.ground.surface();
        let flat = Vec2::new(local.x, local.z);
        let height = surface.height(flat)?;
        let normal = surface.normal(flat)?;
        let at_height = |y| {
            let point = Vec3::new(local.x, y, local.z);
            self.transform.transform_point(point)
        };
        Some(GroundHit {
            terrain: self.terrain,
            point: at_height(height),
            normal: to_world(&self.to_ground, normal),
            water_level: self.sea.map(|y| at_height(y).y),
        })
    }
}
