//! Buoyancy: the force and torque of water on a floating body.
//!
//! Problem: a raft should ride on the visible waves, with any physics engine.
//!
//! Idea: the body is divided into a few parts, each with a center and a volume. The water surface above each center
//! determines how much of the part is submerged. The part is pushed up by the weight of the water that it displaces
//! (Archimedes), along the normal of the surface because pressure increases away from it. Drag acts on the part's
//! velocity relative to the water. The sum over all parts is one force and one torque, which the app passes to its
//! physics engine.
//!
//! ```text
//!         ~~~~~\_
//!   +---+---+---+ ~\__      the parts on the left are deeper than those on the right,
//!   | • | • | • |    ~~~    so the upward force is larger there, and the body turns with the wave
//!   +---+---+---+
//! ```

use bevy::prelude::*;

use super::WaterHit;

/// Density of sea water in kilograms per cubic meter, at the surface at 15 °C (Gill 1982).
const DENSITY: f32 = 1026.0;

/// Meters per second squared.
const GRAVITY: f32 = 9.81;

/// The shape of a floating body in its local space, from which [`push`](Self::push) computes its buoyancy and drag.
///
/// It works with any physics engine: in each physics step, pass the body's velocities to [`push`](Self::push), and
/// apply the returned force and torque. With `bevy_rapier3d`:
///
/// ```
/// use bevy::prelude::*;
/// use bevy_rapier3d::prelude::*;
/// use lanternfell_terrain::prelude::*;
///
/// /// Width, height and length in meters.
/// const SIZE: Vec3 = Vec3::new(2.4, 0.34, 3.4);
///
/// /// Spawns a raft. Add this with `app.add_observer(launch)`: before the terrain is ready, there is no water.
/// fn launch(_: On<TerrainReady>, water: WaterQuery, mut commands: Commands) {
///     let at = Vec3::new(-170.0, 0.0, 170.0);
///     commands.spawn((
///         Buoyancy::cuboid(SIZE, UVec3::new(4, 2, 4)),
///         Transform::from_translation(at.with_y(water.height(at).unwrap_or_default() + 0.5)),
///         RigidBody::Dynamic,
///         Collider::cuboid(SIZE.x / 2.0, SIZE.y / 2.0, SIZE.z / 2.0),
///         // Kilograms per cubic meter. Sea water has 1026.
///         ColliderMassProperties::Density(460.0),
///         (ReadMassProperties::default(), Velocity::default(), ExternalForce::default()),
///     ));
/// }
///
/// /// Add this to `Update`, or to `FixedUpdate` if rapier runs in the fixed schedule.
/// fn float(
///     water: WaterQuery,
///     mut bodies: Query<(&Buoyancy, &Transform, &Velocity, &ReadMassProperties, &mut ExternalForce)>,
/// ) {
///     for (buoyancy, place, velocity, mass, mut force) in &mut bodies {
///         let motion = BodyVelocity {
///             center_of_mass: place.transform_point(mass.get().local_center_of_mass),
///             linear: velocity.linear,
///             angular: velocity.angular,
///         };
///         let push = buoyancy.push(place, &motion, |at| water.hit(at));
///         (force.force, force.torque) = (push.force, push.torque);
///     }
/// }
/// # App::new().add_observer(launch).add_systems(Update, float);
/// ```
///
/// - Set the body's density. Physics engines assume 1 kg/m³ by default, for which the simulation becomes unstable.
/// - Gravity is assumed to be 9.81 m/s², the default of rapier and avian. The density of the water is 1026 kg/m³.
/// - `examples/raft.rs` is a complete program with a fixed timestep.
#[derive(Component, Reflect, Debug, Clone, PartialEq)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub struct Buoyancy {
    /// The center of each part, in meters.
    parts: Vec<Vec3>,
    /// The size of each part along the axes, in meters.
    part: Vec3,
    /// The drag coefficient, in newtons per kilogram of displaced water and meter per second of relative velocity
    /// (1/s). Default: 1.2. Negative values and `NaN` count as 0.
    ///
    /// A value above the number of physics steps per second makes the body jitter.
    pub drag: f32,
}

/// The velocity of a body, in world space.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BodyVelocity {
    /// The center of mass, around which the body rotates.
    pub center_of_mass: Vec3,
    /// The velocity of the center of mass, in meters per second.
    pub linear: Vec3,
    /// The angular velocity around each axis, in radians per second.
    pub angular: Vec3,
}

/// The force of the water on a body at one moment, in world space.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BuoyancyForce {
    /// The force in newtons.
    pub force: Vec3,
    /// The torque around the center of mass, in newton meters.
    pub torque: Vec3,
    /// The submerged fraction of the body, from 0 to 1.
    pub submerged: f32,
}

impl Buoyancy {
    /// Creates a box of `size` meters around the entity's origin, divided into `parts` along each axis.
    ///
    /// `parts` is clamped to 1 to 32 per axis. 4 x 4 horizontal parts are enough for a raft; a body longer than the
    /// waves needs more. Sizes that are not positive and finite are replaced by 1 mm.
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

    /// Computes the force and torque of the water on the body at `place` with the given `motion`.
    ///
    /// Call this in each step of the physics engine, and apply the force and torque for that step. `water` is called
    /// once per part with the part's center in world space; pass [`WaterQuery::hit`](crate::WaterQuery::hit).
    pub fn push(
        &self,
        place: &Transform,
        motion: &BodyVelocity,
        water: impl Fn(Vec3) -> Option<WaterHit>,
    ) -> BuoyancyForce {
        let mut sum = BuoyancyForce::default();
        let drag = self.drag.max(0.0);
        let part = self.part * place.scale.abs();
        // The height of a part from its lowest to its highest corner, in its current rotation.
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

    /// A raft with half the density of water, on which only gravity and the water act.
    struct Raft {
        hull: Buoyancy,
        place: Transform,
        motion: BodyVelocity,
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
                hull: Buoyancy::cuboid(SIZE, UVec3::new(4, 1, 4)),
                place,
                motion: BodyVelocity::default(),
                mass,
                inertia: sums * (mass / 12.0),
            }
        }

        fn step(
            &mut self,
            seconds: f32,
            water: impl Fn(Vec3) -> Option<WaterHit>,
        ) -> BuoyancyForce {
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
    fn half_dense_body_floats_level_and_half_submerged() {
        let fallen = Transform::from_xyz(5.0, 13.0, 2.0).with_rotation(Quat::from_rotation_z(0.5));
        let mut raft = Raft::new(fallen);
        let mut push = BuoyancyForce::default();
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
        // No force pushes it sideways.
        assert!(raft.place.translation.xz().distance(Vec2::new(5.0, 2.0)) < 0.5);
    }

    #[test]
    fn lying_pole_submerges_within_its_thickness() {
        let pole = Buoyancy::cuboid(Vec3::new(0.3, 4.0, 0.3), UVec3::new(1, 8, 1));
        let lying = |y| {
            Transform::from_xyz(0.0, y, 0.0)
                .with_rotation(Quat::from_rotation_z(std::f32::consts::FRAC_PI_2))
        };
        let submerged =
            |place: &Transform| pole.push(place, &BodyVelocity::default(), still).submerged;
        for (y, expected) in [(10.16, 0.0), (10.0, 0.5), (9.925, 0.75), (9.84, 1.0)] {
            assert!((submerged(&lying(y)) - expected).abs() < 0.01, "at {y}");
        }
        // Twice the size along each axis gives eight times the force.
        let push = |scale| {
            let place = Transform::from_scale(Vec3::splat(scale));
            pole.push(&place, &BodyVelocity::default(), still).force.y
        };
        assert!((push(2.0) / push(1.0) - 8.0).abs() < 1e-3);
    }

    #[test]
    fn rides_on_a_long_wave() {
        // 60 meters long, 1 meter from trough to crest, with the phase speed of such waves.
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
    fn no_force_without_water() {
        let hull = Buoyancy::cuboid(Vec3::ONE, UVec3::ONE);
        let push = hull.push(&Transform::IDENTITY, &BodyVelocity::default(), |_| None);
        assert_eq!(push, BuoyancyForce::default());
    }

    #[test]
    fn invalid_sizes_give_finite_forces() {
        let size = Vec3::new(f32::NAN, f32::INFINITY, -1.0);
        let mut hull = Buoyancy::cuboid(size, UVec3::ZERO);
        hull.drag = f32::NAN;
        let push = hull.push(&Transform::IDENTITY, &BodyVelocity::default(), still);
        assert!(
            push.force.is_finite() && push.torque.is_finite(),
            "{push:?}"
        );
    }
}
