//! The whole scene: computes the light that returns along a ray.

use glam::{DVec2, DVec3, Vec3};

use crate::{
    height_field::{HeightField, Hit},
    look::{Look, Zones},
    material::{self, Grains, Material, SurfacePoint},
    openness::Openness,
    patch::Ray,
    pedestal,
    sky::Sky,
    water::{Depths, WaterSurface},
};
use lanternfell_heightmap::{Canceled, Progress};

/// Terrain, sea and sky.
pub(super) struct Scene<'a> {
    pub(super) ground: HeightField<'a>,
    openness: Openness,
    pub(super) sky: Sky,
    pub(super) depths: Depths,
    zones: Zones,
    /// The world height of the floor below inland terrain. `None` when the terrain is in a sea.
    pub(super) floor: Option<f64>,
    /// Divides the slopes from which the material is chosen.
    steepness: f64,
    footprint: Footprint,
}

/// The size of a pixel in the world. Detail finer than that is left out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Footprint {
    /// World units at distance 0.
    pub(super) at_eye: f64,
    /// Additional world units per unit of distance: the angle of a pixel.
    pub(super) per_distance: f64,
}

/// The range of shadow and reflection rays. The longer side of the map is one unit.
const REACH: f64 = 3.0;

/// The distance at which haze hides the sea completely.
const FARTHEST_SEA: f64 = 1e5;

/// Raises the sea slightly, so that terrain exactly at sea level is under water despite rounding: see
/// [`is_land`](lanternfell_heightmap::is_land). In heights.
const WET: f64 = 3e-7;

/// The depth of the water plane below all terrain on maps without a sea, in world units.
const DRY: f64 = 1e-6;

/// The upper limit for the brightness of terrain in reflections.
const BRIGHTEST_IMAGE: Vec3 = Vec3::splat(0.8);

/// The distance over which the large-scale slope is measured, in world units.
pub(super) const LIE: f64 = 0.006;

/// The weight of the large-scale slope in the slope from which the material is chosen.
pub(super) const LIE_SHARE: f64 = 0.6;

/// The median slope above which `steepness` exceeds 1. A steeper terrain would be mostly bare rock.
const USUAL_SLOPE: f64 = 0.45;

impl<'a> Scene<'a> {
    pub(super) fn new(
        ground: HeightField<'a>,
        sea_level: f32,
        look: &Look,
        sun: DVec3,
        footprint: Footprint,
        progress: &Progress,
    ) -> Result<Self, Canceled> {
        let depths = Depths::new(&ground, sea(&ground, sea_level));
        let openness = Openness::new(&ground, ground.level(depths.sea), progress)?;
        let steepness = steepness(&ground, depths.sea);
        let zones = zones(&ground, look, sea_level);
        let floor = pedestal::floor(&ground, depths.sea);
        Ok(Self {
            ground,
            openness,
            sky: Sky::new(sun),
            depths,
            zones,
            floor,
            steepness,
            footprint,
        })
    }

    /// The light along `ray`, with shadows cast from the direction `sun`.
    pub(super) fn light(&self, ray: &Ray, sun: DVec3) -> Vec3 {
        let (light, distance) = self.light_without_haze(ray, sun);
        if distance.is_infinite() {
            return light;
        }
        self.sky.haze(light, ray.direction, distance)
    }

    /// The light along `ray` before haze, and the distance to its origin.
    fn light_without_haze(&self, ray: &Ray, sun: DVec3) -> (Vec3, f64) {
        let to_sea = self.distance_to_sea(ray);
        let to_floor = self
            .floor
            .map_or(f64::INFINITY, |floor| down_to(floor, ray));
        match self.ground.trace(ray, to_sea.min(to_floor)) {
            Some(hit) => (self.land(ray, hit, sun), hit.distance),
            None if to_sea.min(to_floor) >= FARTHEST_SEA => {
                (self.sky.light(ray.direction), f64::INFINITY)
            }
            None if to_sea < to_floor => (self.water(ray, to_sea, sun), to_sea),
            None => (self.floor_at(ray.at(to_floor), sun), to_floor),
        }
    }

    /// The distance along `ray` to the water. Inland water ends at the borders of the map, where
    /// `ray` can also hit its side.
    fn distance_to_sea(&self, ray: &Ray) -> f64 {
        let distance = down_to(self.depths.sea, ray);
        let covered = |distance| {
            let at = ray.at(distance);
            self.ground.covers(DVec2::new(at.x, at.z))
        };
        if self.floor.is_none() || (distance.is_finite() && covered(distance)) {
            return distance;
        }
        // A lake that the border cuts shows its side. It reflects like the level surface.
        let side = self.ground.entry(ray);
        let below = |entry: &f64| ray.at(*entry).y < self.depths.sea;
        side.filter(below).unwrap_or(f64::INFINITY)
    }

    /// The light from a point of the floor.
    fn floor_at(&self, at: DVec3, sun: DVec3) -> Vec3 {
        let direct = self.sunshine(at, DVec3::Y, DVec3::Y, sun);
        let open = pedestal::open(DVec2::new(at.x, at.z), self.ground.half());
        self.lit(pedestal::FLOOR, DVec3::Y, direct, open)
    }

    /// The light that the terrain reflects at a hit.
    fn land(&self, ray: &Ray, hit: Hit, sun: DVec3) -> Vec3 {
        let at = ray.at(hit.distance);
        if hit.wall {
            return self.wall(at, hit.distance, sun);
        }
        let (material, slope) = self.material(at, hit.distance);
        let normal = tilted(upright(slope), material.bump.as_dvec3());
        let direct = self.sunshine(at, upright(slope), normal, sun);
        let cell = self.ground.to_cells(DVec2::new(at.x, at.z));
        self.lit(material.albedo, normal, direct, self.openness.at(cell))
    }

    fn lit(&self, albedo: Vec3, normal: DVec3, sun: f32, open: f32) -> Vec3 {
        albedo * self.sky.on(normal.y as f32, sun, open)
    }

    /// The light from a cut side of the map.
    fn wall(&self, at: DVec3, distance: f64, sun: DVec3) -> Vec3 {
        let half = self.ground.half();
        let inset = DVec2::new(at.x, at.z).abs() / half;
        let normal = if inset.x > inset.y {
            DVec3::new(at.x.signum(), 0.0, 0.0)
        } else {
            DVec3::new(0.0, 0.0, at.z.signum())
        };
        let cell = self.ground.to_cells(DVec2::new(at.x, at.z));
        let depth = self.ground.height(cell) - at.y;
        let Material { albedo, bump } =
            material::wall(self.zones.cover, at, self.footprint(distance), depth);
        let rough = tilted(normal, bump.as_dvec3());
        let direct = self.sunshine(at, normal, rough, sun);
        self.lit(albedo, rough, direct, 0.8)
    }

    /// The material at a point of the terrain, and the slope there.
    fn material(&self, at: DVec3, distance: f64) -> (Material, DVec2) {
        let cell = self.ground.to_cells(DVec2::new(at.x, at.z));
        let slope = self.ground.slope(cell, self.footprint(distance));
        // Mostly the large-scale slope: a single step of a fault line is not a cliff.
        let lie = LIE_SHARE * self.ground.slope(cell, LIE) + (1.0 - LIE_SHARE) * slope;
        let above_sea = at.y - self.depths.sea;
        let place = SurfacePoint {
            altitude: (above_sea / self.zones.full) as f32,
            shore: material::shore(above_sea, self.zones.beach),
            slope: (lie.length() / self.steepness) as f32,
            north: material::north(lie.y as f32, lie.length() as f32),
        };
        let cover = self.zones.cover;
        let grain = Grains::solid(cover, at, self.footprint(distance));
        (material::ground(cover, &place, &grain), slope)
    }

    fn footprint(&self, distance: f64) -> f64 {
        self.footprint.at_eye + distance * self.footprint.per_distance
    }

    /// The share of the sun's light that reaches `at`: 0 in a shadow, less at a slant. Shadow rays
    /// start along the geometric normal `surface`. The bumpy `normal` only affects the shading.
    fn sunshine(&self, at: DVec3, surface: DVec3, normal: DVec3, sun: DVec3) -> f32 {
        let facing = normal.dot(sun) as f32;
        // Offset by a part of a cell, so that the surface does not shadow itself.
        if facing > 0.0 && self.sees(at + surface * (0.3 * self.ground.cell), sun) {
            return facing;
        }
        0.0
    }

    /// Whether no terrain is between `at` and the sun.
    fn sees(&self, at: DVec3, sun: DVec3) -> bool {
        let ray = Ray {
            origin: at,
            direction: sun,
        };
        self.ground.trace(&ray, REACH).is_none()
    }

    /// The light from the sea at `distance` along the ray.
    fn water(&self, ray: &Ray, distance: f64, sun: DVec3) -> Vec3 {
        let at = ray.at(distance);
        let flat = DVec2::new(at.x, at.z);
        // At a grazing angle a pixel covers more water along the ray than across it.
        let stretch = (1.0 / (-ray.direction.y).max(0.02)).sqrt();
        let footprint = self.footprint(distance) * stretch;
        let depth = self.depths.depth(&self.ground, flat);
        let surface = WaterSurface::new(flat, footprint, self.depths.calm(depth));
        let lit = if self.sees(at, sun) { 1.0 } else { 0.0 };

        let under = self.under_water(flat, ray.direction, distance, lit);
        let mirrored = self.mirrored(at, surface.mirror(ray.direction), sun);
        let share = surface.reflectance(ray.direction);
        let glitter = surface.glitter(ray.direction, self.sky.sun) * lit;
        let water = under * (1.0 - share) + mirrored * share + self.sky.sunlight * glitter;

        let foam = self.depths.foam(&self.ground, flat, depth, footprint) * 0.8;
        let white = self.lit(Vec3::splat(0.75), DVec3::Y, sun.y as f32 * lit, 1.0);
        water.lerp(white, foam)
    }

    /// The light that comes up from below the water surface.
    fn under_water(&self, at: DVec2, view: DVec3, distance: f64, lit: f32) -> Vec3 {
        let (there, depth, way) = self.depths.refract(&self.ground, at, view);
        let way_back = (way + depth) as f32;
        let murk = self.depths.murk();
        let body = murk.body(way_back, self.sky.downwelling(lit));
        let left = murk.left_after(way_back);
        if left.max_element() < 0.004 {
            return body;
        }
        let bed = DVec3::new(there.x, self.depths.sea - depth, there.y);
        let (material, slope) = self.material(bed, distance);
        // Beyond the map the bed does not follow the slope of the edge.
        let normal = if self.ground.covers(there) {
            upright(slope)
        } else {
            DVec3::Y
        };
        let direct = normal.dot(self.sky.sun).max(0.0) as f32;
        self.lit(material.albedo, normal, direct * lit, 0.9) * left * 0.9 + body
    }

    /// The light that the water reflects from `direction`: that of the terrain, or else of the sky.
    fn mirrored(&self, at: DVec3, direction: DVec3, sun: DVec3) -> Vec3 {
        let ray = Ray {
            origin: at,
            direction,
        };
        match self.ground.trace(&ray, REACH) {
            // Waves blur reflections. The limit keeps a single ray that hits snow from becoming a
            // bright speck.
            Some(hit) => self.land(&ray, hit, sun).min(BRIGHTEST_IMAGE),
            None => self.sky.clear(direction),
        }
    }
}

/// The world height of a sea at height `level` of the map. A level below 0 means that there is no sea.
pub(super) fn sea(ground: &HeightField, level: f32) -> f64 {
    if level < 0.0 {
        return ground.range.0.min(0.0) * ground.rise - DRY;
    }
    (f64::from(level) + WET) * ground.rise
}

/// The distance along `ray` at which it descends to the world height `height`. Infinite if it never
/// does.
fn down_to(height: f64, ray: &Ray) -> f64 {
    let distance = (height - ray.origin.y) / ray.direction.y;
    if distance > 0.0 {
        distance
    } else {
        f64::INFINITY
    }
}

/// The altitude zones of the terrain.
pub(super) fn zones(ground: &HeightField, look: &Look, sea_level: f32) -> Zones {
    let mut zones = look.zones(ground.rise, f64::from(sea_level));
    if ground.range.0 * ground.rise >= sea(ground, sea_level) {
        // No beach without water.
        zones.beach = 0.0;
    }
    zones
}

/// How much steeper than usual the terrain is, at least 1. On a very steep terrain this lets
/// vegetation grow on the gentler half.
pub(super) fn steepness(ground: &HeightField, sea: f64) -> f64 {
    const SIDE: usize = 96;
    let step = ground.half() * 2.0 / SIDE as f64;
    let place = |number: usize| {
        let at = DVec2::new((number % SIDE) as f64, (number / SIDE) as f64) + 0.5;
        ground.to_cells(at * step - ground.half())
    };
    let land = (0..SIDE * SIDE).map(place);
    let land = land.filter(|cell| ground.height(*cell) > sea);
    let mut slopes: Vec<f64> = land.map(|cell| ground.slope(cell, LIE).length()).collect();
    slopes.sort_by(f64::total_cmp);
    let median = slopes.get(slopes.len() / 2).copied();
    (median.unwrap_or(0.0) / USUAL_SLOPE).clamp(1.0, 5.0)
}

/// A unit normal, tilted by bumps whose gradient in space is `bump`.
fn tilted(normal: DVec3, bump: DVec3) -> DVec3 {
    let along = bump - normal * bump.dot(normal);
    (normal - along).normalize()
}

/// The unit normal of terrain with this slope.
fn upright(slope: DVec2) -> DVec3 {
    DVec3::new(-slope.x, 1.0, -slope.y).normalize()
}
