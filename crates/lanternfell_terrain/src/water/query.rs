//! Water queries: the height, slope, velocity and depth of the water at a position.

use std::cmp::Ordering;

use bevy::{
    ecs::system::SystemParam,
    math::{Affine3A, Vec3A},
    prelude::*,
};

use super::{Water, WaveField, bed::SeaBed, hit::WaterHit, inland};
use crate::{
    ground::{TerrainSurface, Upcoming},
    region::PlanePlace,
    viewers::to_ground,
};

/// A system parameter for the height, slope, velocity and depth of the sea, rivers and lakes.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_terrain::prelude::*;
///
/// #[derive(Component)]
/// struct Duck;
///
/// fn swim(water: WaterQuery, mut ducks: Query<&mut Transform, With<Duck>>) {
///     for mut duck in &mut ducks {
///         if let Some(hit) = water.hit(duck.translation) {
///             duck.translation = hit.point;
///             duck.rotation = Quat::from_rotation_arc(Vec3::Y, hit.normal);
///         }
///     }
/// }
/// # bevy::ecs::system::assert_is_system(swim);
/// ```
///
/// Where seas overlap, the query uses the sea that is rendered: over a terrain its own sea, elsewhere the largest one.
/// A query of the sea takes less than a microsecond.
///
/// Waves are evaluated at the time of the schedule. In `Update` this is the time of the frame, at which waves are also
/// rendered. In `FixedUpdate` it is the time of the step.
///
/// Near the camera, where vertices are half a meter apart, each rendered vertex matches [`hit`](Self::hit). Waves are
/// rendered flatter with distance: each wave train fades out between four and eight of its wavelengths from the camera,
/// and then only changes the shading. Use [`drawn`](Self::drawn) to place things on the surface as it is rendered far
/// away.
#[derive(SystemParam)]
pub struct WaterQuery<'w, 's> {
    seas: Query<
        'w,
        's,
        (
            Entity,
            &'static TerrainSurface,
            &'static GlobalTransform,
            Option<&'static Water>,
            Option<&'static PlanePlace>,
        ),
        Without<Upcoming>,
    >,
    time: Option<Res<'w, Time>>,
}

impl WaterQuery<'_, '_> {
    /// Returns the water surface above or below `at`, or `None` over dry terrain and outside the water.
    pub fn hit(&self, at: Vec3) -> Option<WaterHit> {
        self.hit_seen_from(at, None)
    }

    /// Returns the water surface above or below `at` as it is rendered for a camera at `eye`, in world space.
    ///
    /// Close to the camera this is equal to [`hit`](Self::hit). Farther away the waves are flatter. It matches the
    /// rendered vertices within a centimeter. Use [`hit`](Self::hit) for physics.
    pub fn drawn(&self, at: Vec3, eye: Vec3) -> Option<WaterHit> {
        self.hit_seen_from(at, Some(eye))
    }

    fn hit_seen_from(&self, at: Vec3, eye: Option<Vec3>) -> Option<WaterHit> {
        let seconds = self.time.as_ref();
        let seconds = seconds.map_or(0.0, |time| time.elapsed_secs_wrapped_f64());
        let sea = self.sea(at).and_then(|sea| sea.hit(seconds, eye));
        sea.into_iter().chain(self.inland(at)).max_by(highest)
    }

    /// Returns the y in world space of the sea without waves above or below `at`, also over dry terrain. `None` outside
    /// the sea.
    pub fn still_height(&self, at: Vec3) -> Option<f32> {
        Some(self.sea(at)?.still().y)
    }

    /// The highest river or lake above or below a point.
    fn inland(&self, at: Vec3) -> Option<WaterHit> {
        let lands = self.seas.iter();
        let hits = lands.filter_map(|(terrain, ground, transform, ..)| {
            inland::hit(terrain, ground, transform, at)
        });
        hits.max_by(highest)
    }

    /// The sea that is rendered above or below a point, also where terrain rises above it.
    fn sea(&self, at: Vec3) -> Option<Sea<'_>> {
        let terrains = self.seas.iter();
        let seas = terrains.filter_map(|(terrain, ground, transform, water, place)| {
            let water = water?;
            let to_ground = to_ground(transform)?;
            let local = to_ground.transform_point3(at).xz();
            let half = ground.surface().half_extent();
            let sea = Sea {
                terrain,
                ground,
                transform,
                to_ground,
                water,
                place,
                local,
                is_own: local.abs().cmple(half).all(),
            };
            (sea.is_own || local.abs().max_element() <= water.extent).then_some(sea)
        });
        // The same order as in the shader.
        seas.min_by(|a, b| {
            let by_extent = b.water.extent.total_cmp(&a.water.extent);
            let by_age = by_extent.then(a.terrain.cmp(&b.terrain));
            b.is_own.cmp(&a.is_own).then(by_age)
        })
    }

    /// Returns the y in world space of the water surface above or below `at`.
    pub fn height(&self, at: Vec3) -> Option<f32> {
        self.hit(at).map(|hit| hit.point.y)
    }

    /// Returns whether `at` is under water, including the current waves.
    pub fn is_under(&self, at: Vec3) -> bool {
        self.height(at).is_some_and(|height| at.y < height)
    }
}

fn highest(a: &WaterHit, b: &WaterHit) -> Ordering {
    a.point.y.total_cmp(&b.point.y)
}

/// A sea at a position that it reaches.
struct Sea<'a> {
    terrain: Entity,
    ground: &'a TerrainSurface,
    transform: &'a GlobalTransform,
    to_ground: Affine3A,
    water: &'a Water,
    place: Option<&'a PlanePlace>,
    /// The position in the terrain's local space.
    local: Vec2,
    /// Whether the position is over the sea's own terrain.
    is_own: bool,
}

impl Sea<'_> {
    /// The surface without waves, in world space.
    fn still(&self) -> Vec3 {
        let y = self.water.surface_y(self.ground);
        self.transform.transform_point(self.local.extend(y).xzy())
    }

    /// The distance from the surface without waves to an eye in world space, in meters of the terrain's local space.
    fn distance(&self, eye: Vec3) -> f32 {
        let level = self.local.extend(self.water.surface_y(self.ground)).xzy();
        self.to_ground.transform_point3(eye).distance(level)
    }

    fn hit(&self, seconds: f64, eye: Option<Vec3>) -> Option<WaterHit> {
        let bed = SeaBed::new(self.water, self.ground, self.place.is_some());
        let below = bed.depth(self.local);
        let field = WaveField::new(&self.water.waves, self.place);
        let (place, depth) = (self.local, below.max(0.0));
        let swell = match eye {
            None => field.at(place, depth, seconds),
            Some(eye) => field.drawn_at(place, depth, seconds, self.distance(eye)),
        };
        let depth = below + swell.height;
        if depth <= 0.0 {
            return None;
        }
        let y = self.water.surface_y(self.ground) + swell.height;
        // The sea floor is assumed to fall away toward the border of the terrain, but the terrain itself may be high
        // there.
        let ground = self.ground.surface().height(self.local);
        if self.is_own && ground.is_some_and(|ground| ground >= y) {
            return None;
        }
        let point = Vec3::new(self.local.x, y, self.local.y);
        let normal = Vec3::new(-swell.slope.x, 1.0, -swell.slope.y);
        let matrix = self.to_ground.matrix3.transpose();
        Some(WaterHit {
            terrain: self.terrain,
            point: self.transform.transform_point(point),
            normal: Vec3::from(matrix * Vec3A::from(normal)).normalize(),
            velocity: self.transform.affine().transform_vector3(swell.velocity),
            depth: depth * self.transform.scale().y,
        })
    }
}
