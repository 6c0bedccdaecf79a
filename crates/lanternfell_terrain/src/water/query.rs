//! Questions about the water: how high it stands somewhere now, how it slopes and moves, how deep it is.

use std::cmp::Ordering;

use bevy::{
    ecs::system::SystemParam,
    math::{Affine3A, Vec3A},
    prelude::*,
};

use super::{Water, WaveField, bed::SeaBed, hit::WaterHit, inland};
use crate::{
    ground::{TerrainSurface, Upcoming},
    viewers::to_ground,
    window::PlanePlace,
};

/// A system parameter that answers where the water is.
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
/// Waves are asked at the time of the schedule: in `Update` that of the frame, as they are drawn, in `FixedUpdate` that
/// of the step. Near the camera, where vertices are half a metre apart, what is drawn lies on the answer at each of them.
/// Each train of waves is drawn flatter from four of its wavelengths away on, and from eight on only by its light:
/// [`drawn`](Self::drawn) answers so, for what shall lie on the surface that is seen far away.
///
/// A question costs less than a microsecond for the sea that answers. Several seas over each other: over a land its own
/// answers, beyond all lands the largest.
#[derive(SystemParam)]
pub struct WaterQuery<'w, 's> {
    seas: Query<
        'w,
        's,
        (
            Entity,
            &'static TerrainSurface,
            &'static GlobalTransform,
            &'static Water,
            Option<&'static PlanePlace>,
        ),
        Without<Upcoming>,
    >,
    time: Option<Res<'w, Time>>,
}

impl WaterQuery<'_, '_> {
    /// The surface above or below `at`; `None` over dry land and where no sea reaches.
    pub fn hit(&self, at: Vec3) -> Option<WaterHit> {
        self.hit_seen_from(at, None)
    }

    /// The surface above or below `at` as it is drawn for an eye in the world: [`hit`](Self::hit) where that is near, and
    /// flatter waves where they are drawn flatter. It is what is drawn at every vertex, within a centimetre. What floats
    /// by physics asks for the waves that there are.
    pub fn drawn(&self, at: Vec3, eye: Vec3) -> Option<WaterHit> {
        self.hit_seen_from(at, Some(eye))
    }

    fn hit_seen_from(&self, at: Vec3, eye: Option<Vec3>) -> Option<WaterHit> {
        let seconds = self.time.as_ref();
        let seconds = seconds.map_or(0.0, |time| time.elapsed_secs_wrapped_f64());
        let sea = self.sea(at).and_then(|sea| sea.hit(seconds, eye));
        sea.into_iter().chain(self.inland(at)).max_by(highest)
    }

    /// The y in the world at which the sea above or below `at` would be without waves, over dry land too; `None` where
    /// no sea reaches.
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

    /// The sea that is drawn above or below a point, or would be without land.
    fn sea(&self, at: Vec3) -> Option<Sea<'_>> {
        let seas = self.seas.iter().filter(|(_, _, _, water, _)| water.shown);
        let seas = seas.filter_map(|(terrain, ground, transform, water, place)| {
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
        // As the shader chooses whose surface is drawn.
        seas.min_by(|a, b| {
            let by_extent = b.water.extent.total_cmp(&a.water.extent);
            let by_age = by_extent.then(a.terrain.cmp(&b.terrain));
            b.is_own.cmp(&a.is_own).then(by_age)
        })
    }

    /// The y of the surface above or below `at`, in the world.
    pub fn height(&self, at: Vec3) -> Option<f32> {
        self.hit(at).map(|hit| hit.point.y)
    }

    /// Whether `at` is under water, by the waves as they are now.
    pub fn is_under(&self, at: Vec3) -> bool {
        self.height(at).is_some_and(|height| at.y < height)
    }
}

fn highest(a: &WaterHit, b: &WaterHit) -> Ordering {
    a.point.y.total_cmp(&b.point.y)
}

/// A sea that reaches a place.
struct Sea<'a> {
    terrain: Entity,
    ground: &'a TerrainSurface,
    transform: &'a GlobalTransform,
    to_ground: Affine3A,
    water: &'a Water,
    place: Option<&'a PlanePlace>,
    /// In the terrain's own frame.
    local: Vec2,
    /// Whether the place is over its own land.
    is_own: bool,
}

impl Sea<'_> {
    /// Its surface without waves, in the world.
    fn still(&self) -> Vec3 {
        let y = self.water.surface_y(self.ground);
        self.transform.transform_point(self.local.extend(y).xzy())
    }

    /// How far its level surface is from an eye in the world, in metres of the terrain's frame.
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
        // The bed seems to fall away towards the land's border, and land that is high there does not.
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
