//! Buoyancy: what water does to a body that is in it.
//!
//! Problem: a raft shall ride on the waves that are seen, with any physics engine.
//!
//! Idea: the body is a few parts, each a volume around a point. A part is as far under water as the surface there says,
//! and is pushed up by the weight of the water that it displaces (Archimedes), along the surface's normal, since pressure
//! grows away from the surface; and the water drags at it by how fast the part moves through it. The sum of all is one
//! force and one torque, which the app hands to its engine.
//!
//! ```text
//!         ~~~~~\_
//!   +---+---+---+ ~\__      parts on the left are deep, on the right hardly:
//!   | • | • | • |    ~~~    up on the left more than on the right, so the body turns with the wave
//!   +---+---+---+
//! ```

use bevy::prelude::*;

use super::WaterHit;

/// Kilograms in a cubic metre of sea water, at the surface at 15 degrees (Gill 1982).
const DENSITY: f32 = 1026.0;

/// Metres per second squared.
const GRAVITY: f32 = 9.81;

/// The body of something that floats, in its own frame.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_terrain::prelude::*;
///
/// // Of a physics engine: where a body's center of mass is, its velocities, and what pushes it.
/// # #[derive(Component)] struct Body { center: Vec3, linear: Vec3, angular: Vec3, force: Vec3, torque: Vec3 }
/// fn float(water: WaterQuery, mut hulls: Query<(&Hull, &Transform, &mut Body)>) {
///     for (hull, place, mut body) in &mut hulls {
///         let motion = BodyMotion { center_of_mass: body.center, linear: body.linear, angular: body.angular };
///         let push = hull.push(place, &motion, |at| water.hit(at));
///         (body.force, body.torque) = (push.force, push.torque);
///     }
/// }
/// # bevy::ecs::system::assert_is_system(float);
/// ```
#[derive(Component, Reflect, Debug, Clone, PartialEq)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub struct Hull {
    /// The middle of each part, in metres.
    parts: Vec<Vec3>,
    /// How large each part is along the axes, in metres.
    part: Vec3,
    /// How strongly water brakes what moves through it, in newtons for each kilogram of displaced water and each metre
    /// per second: per second, then. 1.2 by default; what is no number or below 0 counts as 0, and more than a physics
    /// engine has steps in a second makes it tremble.
    pub drag: f32,
}

/// How a body moves, in the world.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BodyMotion {
    /// Around which it turns.
    pub center_of_mass: Vec3,
    /// Of that point, in metres per second.
    pub linear: Vec3,
    /// Radians per second, around each axis.
    pub angular: Vec3,
}

/// What water does to a body at one moment, in the world.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct WaterPush {
    /// In newtons.
    pub force: Vec3,
    /// Around the center of mass, in newton metres.
    pub torque: Vec3,
    /// How much of the body is under water, from 0 to 1.
    pub submerged: f32,
}

impl Hull {
    /// A box of that size in metres around the entity's middle, in as many parts along each axis; at least one. Four
    /// by four are enough for a raft: what is longer than its waves needs more.
    pub fn cuboid(size: Vec3, parts: UVec3) -> Self {
        let parts = parts.clamp(UVec3::ONE, UVec3::splat(32));
        let is_size = size.is_finite_mask() & size.cmpgt(Vec3::ZERO);
        let size = Vec3::select(is_size, size, Vec3::splat(1e-3));
        let part = size / parts.as_vec3();
        let middles = (0..parts.x).flat_map(|x| {
            let rows = (0..parts.y).flat_map(move |y| (0..parts.z).map(move |z| (y, z)));
            rows.map(move |(y, z)| UVec3::new(x, y, z))
        });
        let place = |at: UVec3| (at.as_vec3() + 0.5) * part - 0.5 * size;
        Self {
            parts: middles.map(place).collect(),
            part,
            drag: 1.2,
        }
    }

    /// What the water does to the body there, moving so. Ask it in each step of the physics engine, and hand the force
    /// and the torque to it for that step.
    pub fn push(
        &self,
        place: &Transform,
        motion: &BodyMotion,
        water: impl Fn(Vec3) -> Option<WaterHit>,
    ) -> WaterPush {
        let mut sum = WaterPush::default();
        let drag = self.drag.max(0.0);
        let part = self.part * place.scale.abs();
        // From its lowest corner to its highest, as it is turned.
        let tall = Mat3::from_quat(place.rotation).row(1).abs().dot(part);
        for middle in &self.parts {
            let at = place.transform_point(*middle);
            let Some(hit) = water(at) else { continue };
            let under = ((hit.point.y - at.y) / tall + 0.5).clamp(0.0, 1.0);
            let arm = at - motion.center_of_mass;
            let through = motion.linear + motion.angular.cross(arm) - hit.velocity;
            let mass = DENSITY * part.element_product() * under;
            let force = mass * (GRAVITY * hit.normal - drag * through);
            sum.force += force;
            sum.torque += arm.cross(force);
            sum.submerged += under / self.parts.len() as f32;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A raft of half the water's density, that moves by nothing but weight and water.
    struct Raft {
        hull: Hull,
        place: Transform,
        motion: BodyMotion,
        mass: f32,
        inertia: Vec3,
    }

    const SIZE: Vec3 = Vec3::new(3.0, 0.5, 2.0);

    impl Raft {
        fn new(place: Transform) -> Self {
            let mass = 0.5 * DENSITY * SIZE.x * SIZE.y * SIZE.z;
            let squares = SIZE * SIZE;
            let sums = Vec3::new(
                squares.y + squares.z,
                squares.x + squares.z,
                squares.x + squares.y,
            );
            Self {
                hull: Hull::cuboid(SIZE, UVec3::new(4, 1, 4)),
                place,
                motion: BodyMotion::default(),
                mass,
                inertia: sums * (mass / 12.0),
            }
        }

        fn step(&mut self, seconds: f32, water: impl Fn(Vec3) -> Option<WaterHit>) -> WaterPush {
            self.motion.center_of_mass = self.place.translation;
            let push = self.hull.push(&self.place, &self.motion, water);
            let weight = Vec3::NEG_Y * self.mass * GRAVITY;
            self.motion.linear += (push.force + weight) / self.mass * seconds;
            let turn = self.place.rotation;
            let spun = turn.inverse() * push.torque / self.inertia;
            self.motion.angular += turn * spun * seconds;
            self.place.translation += self.motion.linear * seconds;
            let spin = Quat::from_scaled_axis(self.motion.angular * seconds);
            self.place.rotation = (spin * turn).normalize();
            push
        }
    }

    fn still(at: Vec3) -> Option<WaterHit> {
        Some(WaterHit {
            terrain: Entity::PLACEHOLDER,
            point: at.with_y(10.0),
            normal: Vec3::Y,
            velocity: Vec3::ZERO,
            depth: 30.0,
        })
    }

    #[test]
    fn what_is_half_as_dense_floats_half_under_water_and_level() {
        let fallen = Transform::from_xyz(5.0, 13.0, 2.0).with_rotation(Quat::from_rotation_z(0.5));
        let mut raft = Raft::new(fallen);
        let mut push = WaterPush::default();
        for _ in 0..3000 {
            push = raft.step(1.0 / 60.0, still);
        }
        assert!(
            (raft.place.translation.y - 10.0).abs() < 0.01,
            "{:?}",
            raft.place
        );
        assert!((push.submerged - 0.5).abs() < 0.02);
        assert!((raft.place.up().y - 1.0).abs() < 1e-4);
        assert!(raft.motion.linear.length() < 1e-3);
        // Nothing pushes it aside.
        assert!(raft.place.translation.xz().distance(Vec2::new(5.0, 2.0)) < 0.5);
    }

    #[test]
    fn a_pole_that_lies_is_as_thin_as_it_is() {
        let pole = Hull::cuboid(Vec3::new(0.3, 4.0, 0.3), UVec3::new(1, 8, 1));
        let lying = |y| {
            Transform::from_xyz(0.0, y, 0.0)
                .with_rotation(Quat::from_rotation_z(std::f32::consts::FRAC_PI_2))
        };
        let submerged =
            |place: &Transform| pole.push(place, &BodyMotion::default(), still).submerged;
        for (y, expected) in [(10.16, 0.0), (10.0, 0.5), (9.925, 0.75), (9.84, 1.0)] {
            assert!((submerged(&lying(y)) - expected).abs() < 0.01, "at {y}");
        }
        // Twice as large in each direction, eight times the push.
        let push = |scale| {
            let place = Transform::from_scale(Vec3::splat(scale));
            pole.push(&place, &BodyMotion::default(), still).force.y
        };
        assert!((push(2.0) / push(1.0) - 8.0).abs() < 1e-3);
    }

    #[test]
    fn it_rides_on_a_long_wave() {
        // 60 metres long, 1 metre high from trough to crest, as fast as such waves are.
        let k = std::f32::consts::TAU / 60.0;
        let pace = (GRAVITY * k).sqrt();
        let wave = |at: Vec3, time: f32| {
            let phase = k * at.x - pace * time;
            let slope = -0.5 * k * phase.sin();
            Some(WaterHit {
                terrain: Entity::PLACEHOLDER,
                point: at.with_y(0.5 * phase.cos()),
                normal: Vec3::new(-slope, 1.0, 0.0).normalize(),
                velocity: 0.5 * pace * Vec3::new(phase.cos(), phase.sin(), 0.0),
                depth: 100.0,
            })
        };
        let mut raft = Raft::new(Transform::IDENTITY);
        let mut furthest: f32 = 0.0;
        for step in 0..3600 {
            let time = step as f32 / 60.0;
            raft.step(1.0 / 60.0, |at| wave(at, time));
            let surface = wave(raft.place.translation, time).unwrap();
            if step > 600 {
                let off = raft.place.translation.y - surface.point.y;
                furthest = furthest.max(off.abs());
                assert!(raft.place.up().dot(surface.normal) > 0.995, "at {time}");
            }
        }
        assert!(furthest < 0.08, "{furthest}");
    }

    #[test]
    fn on_dry_land_there_is_no_push() {
        let hull = Hull::cuboid(Vec3::ONE, UVec3::ONE);
        let push = hull.push(&Transform::IDENTITY, &BodyMotion::default(), |_| None);
        assert_eq!(push, WaterPush::default());
    }

    #[test]
    fn any_hull_is_pushed_by_numbers() {
        let size = Vec3::new(f32::NAN, f32::INFINITY, -1.0);
        let mut hull = Hull::cuboid(size, UVec3::ZERO);
        hull.drag = f32::NAN;
        let push = hull.push(&Transform::IDENTITY, &BodyMotion::default(), still);
        assert!(
            push.force.is_finite() && push.torque.is_finite(),
            "{push:?}"
        );
    }
}
