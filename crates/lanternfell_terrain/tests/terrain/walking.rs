//! Bodies never fall through the collider.

use std::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_rapier3d::prelude::*;
use lanternfell_terrain::{
    edits::{Brush, Edits, StampImage, Stroke},
    prelude::*,
};

use crate::crowd::*;
use lanternfell_terrain_test_support::terrain::*;

/// A capsule of a person's size, in meters.
const RADIUS: f32 = 0.35;
const LENGTH: f32 = 1.1;
const FEET: f32 = LENGTH / 2.0 + RADIUS;

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

/// Rugged terrain with steep slopes, ridges and hollows.
fn island(app: &mut App) -> Entity {
    let recipe = hills(150, 130, 4);
    let scale = Scale {
        spacing: 1.0,
        relief: 25.0,
    };
    spawn_ready(app, Terrain::new(recipe).with_scale(scale))
}

/// The height of a capsule's feet above the terrain below its center. On a slope this is more than the distance between
/// the two, so it is never below 0 on the terrain.
fn clearance(app: &mut App, body: Entity) -> f32 {
    let at = app.world().get::<Transform>(body).unwrap().translation;
    let ground = ask(app, move |terrains| terrains.height(at));
    at.y - FEET - ground.unwrap_or_else(|| panic!("left the map at {at}"))
}

#[test]
fn dropped_bodies_come_to_rest_on_the_terrain() {
    let mut app = physics_app();
    let terrain = island(&mut app);
    let points = points_over(&ground(&app, terrain).clone(), 11, 24);
    let bodies: Vec<Entity> = points
        .into_iter()
        // Away from the edge of the map, because bodies slide down slopes.
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
            assert!(
                gap > -0.1,
                "frame {frame}: a body is {gap} m above the terrain"
            );
        }
    }
    for &body in &bodies {
        let gap = clearance(&mut app, body);
        assert!(gap < 1.5, "still {gap} m above the terrain");
    }
}

#[test]
fn character_controller_stays_on_the_terrain() {
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
            // A typical running speed in games, so that a step is long.
            let step = (way * 11.0 + Vec3::Y * fall) * seconds;
            let mut controller = app
                .world_mut()
                .get_mut::<KinematicCharacterController>(body)
                .unwrap();
            controller.translation = Some(step);
            app.update();
            let gap = clearance(&mut app, body);
            assert!(
                gap > -0.01,
                "frame {frame}: a body is {gap} m above the terrain"
            );
            let to = app.world().get::<Transform>(body).unwrap().translation;
            walked += from.distance(to);
        }
    }
    assert!(walked > 200.0, "walked only {walked} m");
    assert!(
        on_the_ground > 1000,
        "on the terrain in only {on_the_ground} frames"
    );
}

/// On flat terrain a body without friction slides smoothly: it does not hop or slow down at edges between triangles or
/// squares.
#[test]
fn bodies_slide_smoothly_on_flat_terrain() {
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
                "{heading}: the body hops by {} m",
                highest - lowest
            );
            assert!(
                (speed - 8.0 * heading).length() < 0.01,
                "{heading}: {speed}"
            );
        }
    }
}

/// A body without friction, damping or restitution.
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

/// A body of the crowd. Bodies do not collide with each other.
fn spawn_body(app: &mut App, body: Body) -> Entity {
    let shape = if body.stands {
        Collider::capsule_y(HALF_CAPSULE, body.radius)
    } else {
        Collider::ball(body.radius)
    };
    let alone = CollisionGroups::new(Group::GROUP_2, !Group::GROUP_2);
    let place = Transform::from_translation(body.at);
    let mut entity = app
        .world_mut()
        .spawn((slider(shape, body.velocity), alone, place));
    if body.stands {
        entity.insert(LockedAxes::ROTATION_LOCKED);
    }
    if body.friction > 0.0 {
        entity.insert(Friction::coefficient(body.friction));
    }
    entity.id()
}

/// One millimeter, over all kinds of edges.
const BOUNDS: Bounds = Bounds {
    deepest: 1e-2,
    balls: 1e-3,
    capsules: 1e-3,
};

#[test]
fn no_body_of_a_crowd_falls_through_or_jumps() {
    for slope in SLOPES {
        let mut app = physics_app();
        let place = Transform::from_translation(MIDDLE_HEIGHT);
        spawn_ready(&mut app, (plane(slope), place));
        let mut crowd = Crowd::spawn(&mut app, slope, BODIES, OnLines::All, spawn_body);
        crowd.watch(&mut app);
        crowd.assert_none_jumps(&app, BOUNDS, &slope.to_string());
    }
}

/// The terrain had pits and hills, which were undone. Then it is raised by 2 m, one square after the other.
#[test]
fn no_body_of_a_crowd_jumps_on_edited_terrain() {
    for slope in SLOPES {
        let mut app = physics_app();
        let place = Transform::from_translation(MIDDLE_HEIGHT - 2.0 * Vec3::Y);
        let entity = spawn_ready(&mut app, (plane(slope), place, deep_and_high()));
        let mut edit = |change: &dyn Fn(&mut Edits)| {
            change(&mut app.world_mut().get_mut::<TerrainEdits>(entity).unwrap());
            wait_until_ready(&mut app);
        };
        edit(&|edits| while edits.undo(1).unwrap().is_some() {});
        let image = StampImage::new(2, [2000; 4]).unwrap();
        // Squares of 41 x 41 cells.
        for square in 0..16 {
            let middle = [square % 4, square / 4].map(|index| 256 * (41 * index + 20));
            let brush = Brush::Stamp {
                image: image.clone(),
            };
            let raise = Stroke::along(brush, 20 * 256, [middle]);
            edit(&|edits| {
                edits.stroke(1, raise.clone()).unwrap();
            });
        }
        let mut crowd = Crowd::spawn(&mut app, slope, BODIES, OnLines::All, spawn_body);
        crowd.watch(&mut app);
        crowd.assert_none_jumps(&app, BOUNDS, &slope.to_string());
    }
}

/// With four substeps per frame, as in games with fast bodies.
#[test]
fn no_body_jumps_with_substeps() {
    for slope in SLOPES {
        let mut app = physics_app();
        app.insert_resource(TimestepMode::Fixed {
            dt: 1.0 / FRAMES_A_SECOND as f32,
            substeps: 4,
        });
        let place = Transform::from_translation(MIDDLE_HEIGHT);
        spawn_ready(&mut app, (plane(slope), place));
        let mut crowd = Crowd::spawn(&mut app, slope, BODIES, OnLines::All, spawn_body);
        crowd.watch(&mut app);
        crowd.assert_none_jumps(&app, BOUNDS, &slope.to_string());
    }
}

/// Over the border between two terrains with common outermost cells.
#[test]
fn bodies_slide_smoothly_between_adjacent_terrains() {
    let mut app = physics_app();
    for x in [-80.0, 80.0] {
        let place = Transform::from_translation(MIDDLE_HEIGHT + x * Vec3::X);
        spawn_ready(&mut app, (plane(Vec2::ZERO), place));
    }
    let mut crowd = Crowd::spawn(&mut app, Vec2::ZERO, 400, OnLines::All, spawn_body);
    crowd.watch(&mut app);
    crowd.assert_none_jumps(&app, BOUNDS, "the border");
}
