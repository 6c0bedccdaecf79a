//! What moves on the collider never falls through it.

use std::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_rapier3d::prelude::*;
use lanternfell::{
    heightmap::{Heightmap, SeededRng},
    prelude::*,
};

use crate::common::*;

/// A capsule of a person's size, in metres.
const RADIUS: f32 = 0.35;
const LENGTH: f32 = 1.1;
const FEET: f32 = LENGTH / 2.0 + RADIUS;
const FRAMES_A_SECOND: u32 = 60;

fn physics_app() -> App {
    app_with((
        TerrainPlugin,
        RapierPhysicsPlugin::<NoUserData>::default(),
        |app: &mut App| {
            let frame = Duration::from_secs(1) / FRAMES_A_SECOND;
            app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
        },
    ))
}

/// Rugged enough to have steep slopes, ridges and hollows.
fn island(app: &mut App) -> Entity {
    let recipe = hills(150, 130, 4);
    let scale = Scale {
        spacing: 1.0,
        relief: 25.0,
    };
    spawn_ready(app, Terrain::new(recipe).with_scale(scale))
}

/// How high the feet of a capsule are above the ground below its middle. On a slope this is
/// more than the distance between the two, so it is never below 0 on the ground.
fn clearance(app: &mut App, body: Entity) -> f32 {
    let at = app.world().get::<Transform>(body).unwrap().translation;
    let ground = ask(app, move |terrains| terrains.height(at));
    at.y - FEET - ground.unwrap_or_else(|| panic!("left the map at {at}"))
}

#[test]
fn bodies_that_drop_come_to_rest_on_the_ground() {
    let mut app = physics_app();
    let terrain = island(&mut app);
    let points = points_over(&ground(&app, terrain).clone(), 11, 24);
    let bodies: Vec<Entity> = points
        .into_iter()
        // Slopes slide: not from the very edge of the map.
        .map(|point| point * 0.8 + Vec3::Y * 40.0)
        .map(|from| {
            let body = (
                RigidBody::Dynamic,
                Collider::capsule_y(LENGTH / 2.0, RADIUS),
            );
            let still = (LockedAxes::ROTATION_LOCKED, Friction::coefficient(2.0));
            app.world_mut()
                .spawn((body, still, Transform::from_translation(from)))
                .id()
        })
        .collect();
    for frame in 0..6 * FRAMES_A_SECOND {
        app.update();
        for &body in &bodies {
            let gap = clearance(&mut app, body);
            assert!(gap > -0.1, "frame {frame}: {gap} m deep in the ground");
        }
    }
    for &body in &bodies {
        let gap = clearance(&mut app, body);
        assert!(gap < 1.5, "still {gap} m above the ground");
    }
}

#[test]
fn one_who_walks_all_over_it_stays_on_the_ground() {
    let mut app = physics_app();
    let terrain = island(&mut app);
    let goals = points_over(&ground(&app, terrain).clone(), 12, 12);
    let start = goals[0] * 0.9 + Vec3::Y * 27.0;
    let body = app
        .world_mut()
        .spawn((
            Transform::from_translation(start),
            Collider::capsule_y(LENGTH / 2.0, RADIUS),
            RigidBody::KinematicPositionBased,
            KinematicCharacterController {
                offset: CharacterLength::Absolute(0.03),
                max_slope_climb_angle: 60_f32.to_radians(),
                snap_to_ground: Some(CharacterLength::Absolute(0.4)),
                ..default()
            },
        ))
        .id();
    let (mut walked, mut fall, mut on_the_ground) = (0.0, 0.0, 0);
    for goal in goals {
        let goal = goal * 0.9;
        for frame in 0..5 * FRAMES_A_SECOND {
            let from = app.world().get::<Transform>(body).unwrap().translation;
            let way = ((goal - from) * Vec3::new(1.0, 0.0, 1.0)).normalize_or_zero();
            let output = app.world().get::<KinematicCharacterControllerOutput>(body);
            let grounded = output.is_some_and(|output| output.grounded);
            on_the_ground += u32::from(grounded);
            let seconds = 1.0 / FRAMES_A_SECOND as f32;
            fall = if grounded { 0.0 } else { fall } - 19.0 * seconds;
            // As fast as one runs in games, so that a step is long.
            let step = (way * 11.0 + Vec3::Y * fall) * seconds;
            let mut controller = app
                .world_mut()
                .get_mut::<KinematicCharacterController>(body)
                .unwrap();
            controller.translation = Some(step);
            app.update();
            let gap = clearance(&mut app, body);
            assert!(gap > -0.01, "frame {frame}: {gap} m deep in the ground");
            let to = app.world().get::<Transform>(body).unwrap().translation;
            walked += from.distance(to);
        }
    }
    assert!(walked > 200.0, "walked only {walked} m");
    assert!(
        on_the_ground > 1000,
        "on the ground in only {on_the_ground} frames"
    );
}

/// Over flat ground a body without friction slides as on ice: no edge between two triangles, and no
/// border between two squares, makes it hop or slows it.
#[test]
fn nothing_trips_on_flat_ground() {
    for heading in [
        Vec3::X,
        Vec3::new(0.6, 0.0, 0.8),
        Vec3::new(-1.0, 0.0, 1.0).normalize(),
    ] {
        for shape in [
            Collider::capsule_y(LENGTH / 2.0, RADIUS),
            Collider::ball(FEET),
        ] {
            let mut app = physics_app();
            let flat = Operation::Flat { height: 0.5 };
            let recipe = Recipe::beginning_with(MapSize::new(150, 150).unwrap(), 1, "flat", flat);
            let scale = Scale {
                spacing: 1.0,
                relief: 10.0,
            };
            let terrain = spawn_ready(&mut app, Terrain::new(recipe).with_scale(scale));
            assert_eq!(ground(&app, terrain).map().range(), (0.5, 0.5));
            let start = Vec3::new(0.13, 5.0 + FEET, 0.29) - 30.0 * heading;
            let body = (slider(shape, 8.0 * heading), LockedAxes::ROTATION_LOCKED);
            let body = app
                .world_mut()
                .spawn((body, Transform::from_translation(start)))
                .id();
            let (mut lowest, mut highest) = (f32::MAX, f32::MIN);
            for frame in 0..6 * FRAMES_A_SECOND {
                app.update();
                if frame > 10 {
                    let gap = clearance(&mut app, body);
                    (lowest, highest) = (lowest.min(gap), highest.max(gap));
                }
            }
            let speed = app.world().get::<Velocity>(body).unwrap().linear;
            assert!(
                highest - lowest < 1e-3,
                "{heading}: it hops by {} m",
                highest - lowest
            );
            assert!(
                (speed - 8.0 * heading).length() < 0.01,
                "{heading}: {speed}"
            );
        }
    }
}

/// A body that nothing slows and that does not bounce.
fn slider(shape: Collider, velocity: Vec3) -> impl Bundle {
    (
        RigidBody::Dynamic,
        shape,
        Velocity::linear(velocity),
        Friction {
            coefficient: 0.0,
            combine_rule: CoefficientCombineRule::Min,
        },
        Restitution {
            coefficient: 0.0,
            combine_rule: CoefficientCombineRule::Min,
        },
        Damping {
            linear_damping: 0.0,
            angular_damping: 0.0,
        },
    )
}

/// Many bodies that go all ways over the squares of a plane, and how far each was from it.
struct Crowd {
    /// The plane's normal; it goes through the origin.
    up: Vec3,
    bodies: Vec<(Entity, Gap)>,
}

/// How far a body is from the plane, and by how much that changed at most within a frame: slowly it does, since a
/// ball that rolls faster sinks in deeper.
#[derive(Default)]
struct Gap {
    last: f32,
    largest_jump: f32,
}

/// A moment of settling, and three seconds that count.
const SETTLING: u32 = FRAMES_A_SECOND / 2;
const COUNTING: u32 = 3 * FRAMES_A_SECOND;

impl Crowd {
    /// Balls, some of which roll, and capsules that slide, over a plane through the origin: it rises by
    /// `slope` along x and z. None meets another.
    fn spawn(app: &mut App, slope: Vec2, count: usize) -> Self {
        let up = Vec3::new(-slope.x, 1.0, -slope.y).normalize();
        let mut rng = SeededRng::new(slope.to_angle().to_bits().into(), b"crowd   ");
        let mut between = |low: f64, high: f64| rng.between(low, high) as f32;
        let bodies = (0..count).map(|number| {
            let radius = between(0.2, 0.6);
            let heading = match number % 4 {
                // Along both axes, the diagonals, and any way.
                0 => std::f32::consts::FRAC_PI_2 * (number / 4 % 4) as f32,
                1 => std::f32::consts::FRAC_PI_4 * (1 + 2 * (number / 4 % 4)) as f32,
                _ => between(0.0, 6.3),
            };
            let speed = between(0.5, 8.0);
            let way = Vec3::new(heading.cos(), 0.0, heading.sin());
            let way = (way - up * way.dot(up)).normalize() * speed;
            let flat = Vec2::new(between(-20.0, 20.0), between(-20.0, 20.0)).round();
            let stands = number % 2 == 0;
            // On a line of the grid, or off it. On slopes that are planes to the last digit the engine loses the
            // contact of a capsule within rounding of an edge.
            let flat = if number % 3 == 0 && (slope == Vec2::ZERO || !stands) {
                flat
            } else {
                flat + between(0.0, 1.0)
            };
            let foot = Vec3::new(flat.x, flat.dot(slope), flat.y) + up * radius;
            let (shape, at) = if stands {
                (Collider::capsule_y(0.5, radius), foot + 0.5 * Vec3::Y)
            } else {
                (Collider::ball(radius), foot)
            };
            let alone = CollisionGroups::new(Group::GROUP_2, !Group::GROUP_2);
            let place = Transform::from_translation(at);
            let mut body =
                app.world_mut()
                    .spawn((slider(shape, way), alone, place, Foot { radius, stands }));
            if stands {
                body.insert(LockedAxes::ROTATION_LOCKED);
            } else if number % 8 == 1 {
                body.insert(Friction::coefficient(0.7));
            }
            (body.id(), Gap::default())
        });
        Self {
            up,
            bodies: bodies.collect(),
        }
    }

    fn watch(&mut self, app: &mut App) {
        for frame in 0..SETTLING + COUNTING {
            app.update();
            for (body, before) in &mut self.bodies {
                let foot = app.world().get::<Foot>(*body).unwrap();
                let at = app.world().get::<Transform>(*body).unwrap().translation;
                let gap = (at - foot.above()).dot(self.up) - foot.radius;
                assert!(gap > -0.01, "frame {frame}: it falls through at {at}");
                if frame >= SETTLING {
                    let jump = (gap - before.last).abs();
                    before.largest_jump = before.largest_jump.max(jump);
                }
                before.last = gap;
            }
        }
    }

    fn assert_none_jumps(&self, app: &App, case: &str) {
        for (body, Gap { largest_jump, .. }) in &self.bodies {
            // The engine loses the contact of a body that is within rounding of an edge, for a frame or two: in one
            // it falls by 2.7 mm.
            let stands = app.world().get::<Foot>(*body).unwrap().stands;
            let most = if stands { 1e-2 } else { 3e-3 };
            assert!(
                *largest_jump < most,
                "{case}: {body} jumps by {largest_jump} m"
            );
        }
    }
}

/// The sphere on which a body stands.
#[derive(Component)]
struct Foot {
    radius: f32,
    /// Whether it is the lower one of a capsule.
    stands: bool,
}

impl Foot {
    fn above(&self) -> Vec3 {
        if self.stands {
            0.5 * Vec3::Y
        } else {
            Vec3::ZERO
        }
    }
}

/// A land of squares of a metre that is a plane through the origin, rising by `slope` along x and z.
fn plane(slope: Vec2) -> Terrain {
    const CELLS: u64 = 161;
    const RELIEF: f32 = 256.0;
    let size = MapSize::new(CELLS, CELLS).unwrap();
    let middle = (CELLS / 2) as f32;
    let heights = (0..size.cells()).map(|cell| {
        let at = Vec2::new(
            (cell % CELLS as usize) as f32,
            (cell / CELLS as usize) as f32,
        );
        0.5 + slope.dot(at - middle) / RELIEF
    });
    let map = Heightmap::from_heights(size, heights.collect()).unwrap();
    Terrain::new(map).with_scale(Scale {
        spacing: 1.0,
        relief: RELIEF,
    })
}

/// As the crowd's planes, it goes through the origin.
const MIDDLE_HEIGHT: Vec3 = Vec3::new(0.0, -128.0, 0.0);

#[test]
fn of_two_thousand_bodies_none_falls_through_or_jumps() {
    for slope in [Vec2::ZERO, Vec2::new(0.125, 0.0), Vec2::new(-0.25, 0.125)] {
        let mut app = physics_app();
        let place = Transform::from_translation(MIDDLE_HEIGHT);
        spawn_ready(&mut app, (plane(slope), place));
        let mut crowd = Crowd::spawn(&mut app, slope, 670);
        crowd.watch(&mut app);
        crowd.assert_none_jumps(&app, &slope.to_string());
    }
}

/// Over the border between two terrains that have their outermost cells in common, too.
#[test]
fn nothing_trips_where_one_terrain_ends_and_another_begins() {
    let mut app = physics_app();
    for x in [-80.0, 80.0] {
        let place = Transform::from_translation(MIDDLE_HEIGHT + x * Vec3::X);
        spawn_ready(&mut app, (plane(Vec2::ZERO), place));
    }
    let mut crowd = Crowd::spawn(&mut app, Vec2::ZERO, 400);
    crowd.watch(&mut app);
    crowd.assert_none_jumps(&app, "the border");
}
