//! The collider for `avian3d`.

use std::time::Duration;

use avian3d::prelude::*;
use bevy::{prelude::*, time::TimeUpdateStrategy};
use lanternfell_terrain::prelude::*;

use crate::crowd::*;
use lanternfell_terrain_test_support::terrain::*;

fn avian_app() -> App {
    app_with((TerrainPlugin, PhysicsPlugins::default(), |app: &mut App| {
        let frame = Duration::from_secs(1) / FRAMES_A_SECOND;
        app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    }))
}

fn island(app: &mut App, collider: TerrainCollider) -> Entity {
    let scale = Scale {
        spacing: 1.0,
        relief: 25.0,
    };
    let terrain = Terrain::new(hills(150, 130, 4)).with_scale(scale);
    spawn_ready(app, (terrain, collider))
}

#[test]
fn collider_matches_queries() {
    let mut app = avian_app();
    let terrain = island(&mut app, TerrainCollider::Automatic);
    assert_eq!(
        app.world().get::<RigidBody>(terrain),
        Some(&RigidBody::Static)
    );
    let ground = ground(&app, terrain).clone();
    let collider = app.world().get::<Collider>(terrain).unwrap();
    for point in points_over(&ground, 8, 100_000) {
        let from = point.with_y(50.0);
        let Some((fall, _)) =
            collider.cast_ray(Vec3::ZERO, Quat::IDENTITY, from, Vec3::NEG_Y, 100.0, true)
        else {
            assert!(is_on_edge(&ground, point), "a hole at {point}");
            continue;
        };
        let asked = ground.surface().height(point.xz()).unwrap();
        assert!(
            (50.0 - fall - asked).abs() < 1e-4,
            "{} and {asked} at {point}",
            50.0 - fall
        );
    }
}

#[test]
fn no_collider_without_avian_plugins() {
    let mut app = app();
    let terrain = island(&mut app, TerrainCollider::Automatic);
    assert!(!app.world().entity(terrain).contains::<Collider>());
    assert!(!app.world().entity(terrain).contains::<RigidBody>());
}

/// On a single collider, and on colliders around the bodies.
#[test]
fn bodies_come_to_rest_on_the_terrain() {
    for collider in [TerrainCollider::Whole, TerrainCollider::AroundBodies(8.0)] {
        let mut app = avian_app();
        let terrain = island(&mut app, collider);
        let points = points_over(&ground(&app, terrain).clone(), 11, 30);
        let bodies: Vec<Entity> = points
            .into_iter()
            .map(|point| {
                let place = Transform::from_translation((point * 0.8).with_y(40.0));
                let body = (RigidBody::Dynamic, Collider::capsule(0.35, 1.1));
                let still = (LockedAxes::ROTATION_LOCKED, Friction::new(2.0));
                app.world_mut().spawn((body, still, place)).id()
            })
            .collect();
        let gap = |app: &mut App, body: Entity| {
            let at = app.world().get::<Transform>(body).unwrap().translation;
            let height = ask(app, move |terrains| terrains.height(at));
            at.y - 0.9 - height.unwrap_or_else(|| panic!("left the map at {at}"))
        };
        for frame in 0..300 {
            app.update();
            for &body in &bodies {
                let gap = gap(&mut app, body);
                assert!(
                    gap > -0.1,
                    "frame {frame}, {collider:?}: a body is {gap} m above the terrain"
                );
            }
        }
        for &body in &bodies {
            let gap = gap(&mut app, body);
            assert!(gap < 1.5, "{collider:?}: still {gap} m above the terrain");
        }
    }
}

/// A body of the crowd. Bodies do not collide with each other.
fn spawn_body(app: &mut App, body: Body) -> Entity {
    let shape = if body.stands {
        Collider::capsule(body.radius, 2.0 * HALF_CAPSULE)
    } else {
        Collider::sphere(body.radius)
    };
    let friction = match body.friction {
        0.0 => Friction::ZERO.with_combine_rule(CoefficientCombine::Min),
        friction => Friction::new(friction),
    };
    let mut entity = app.world_mut().spawn((
        (RigidBody::Dynamic, shape, friction),
        Restitution::ZERO.with_combine_rule(CoefficientCombine::Min),
        LinearVelocity(body.velocity),
        CollisionLayers::from_bits(2, !2),
        Transform::from_translation(body.at),
    ));
    if body.stands {
        entity.insert(LockedAxes::ROTATION_LOCKED);
    }
    entity.id()
}

/// The engine loses contacts for a step, and has no extension point to restore them: of 670 bodies on a flat plane, a
/// dozen move by more than 1 mm.
const ON_ONE_TERRAIN: Bounds = Bounds {
    deepest: 2e-2,
    balls: 3e-3,
    capsules: 1e-2,
};

#[test]
fn no_body_of_a_crowd_falls_through_or_jumps() {
    for slope in SLOPES {
        let mut app = avian_app();
        let place = Transform::from_translation(MIDDLE_HEIGHT);
        spawn_ready(&mut app, (plane(slope), place));
        let mut crowd = Crowd::spawn(&mut app, slope, BODIES, OnLines::BallsOnSlopes, spawn_body);
        crowd.watch(&mut app);
        crowd.assert_none_jumps(&app, ON_ONE_TERRAIN, &slope.to_string());
    }
}

/// Two terrains with common outermost cells are two heightfields, and neither knows the triangles of the other. At the
/// border a few of 400 bodies are thrown up by some centimeters, but none falls between the two.
#[test]
fn no_body_falls_between_adjacent_terrains() {
    let mut app = avian_app();
    for x in [-80.0, 80.0] {
        let place = Transform::from_translation(MIDDLE_HEIGHT + x * Vec3::X);
        spawn_ready(&mut app, (plane(Vec2::ZERO), place));
    }
    let mut crowd = Crowd::spawn(
        &mut app,
        Vec2::ZERO,
        400,
        OnLines::BallsOnSlopes,
        spawn_body,
    );
    crowd.watch(&mut app);
    let bounds = Bounds {
        balls: 0.1,
        capsules: 0.1,
        ..ON_ONE_TERRAIN
    };
    crowd.assert_none_jumps(&app, bounds, "the border");
}

/// Without friction, over all kinds of edges.
#[test]
fn bodies_slide_smoothly_on_flat_terrain() {
    let mut app = avian_app();
    let flat = Operation::Flat { height: 0.5 };
    let recipe = Recipe::beginning_with(MapSize::new(150, 150).unwrap(), 1, "flat", flat);
    let scale = Scale {
        spacing: 1.0,
        relief: 10.0,
    };
    spawn_ready(&mut app, Terrain::new(recipe).with_scale(scale));
    let mut bodies = Vec::new();
    for turn in 0..64 {
        let heading = Vec3::X.rotate_y(turn as f32 * 0.0982 + 0.01);
        let (shape, height) = match turn % 2 {
            0 => (Collider::capsule(0.35, 1.1), 0.9),
            _ => (Collider::sphere(0.5), 0.5),
        };
        let start = Vec3::new(0.13, 5.0 + height, 0.29) - 30.0 * heading;
        let body = (
            (RigidBody::Dynamic, shape, Mass(50.0)),
            (LinearVelocity(8.0 * heading), LockedAxes::ROTATION_LOCKED),
            Friction::ZERO.with_combine_rule(CoefficientCombine::Min),
            CollisionLayers::from_bits(2, !2),
            Transform::from_translation(start),
        );
        let body = app.world_mut().spawn(body).id();
        bodies.push((body, 8.0 * heading, height, (f32::MAX, f32::MIN)));
    }
    for frame in 0..360 {
        app.update();
        for (body, _, height, (lowest, highest)) in &mut bodies {
            let gap = app.world().get::<Transform>(*body).unwrap().translation.y - 5.0 - *height;
            if frame > 10 {
                (*lowest, *highest) = (lowest.min(gap), highest.max(gap));
            }
        }
    }
    for (body, heading, _, (lowest, highest)) in bodies {
        let speed = app.world().get::<LinearVelocity>(body).unwrap().0;
        assert!(
            highest - lowest < 1e-3,
            "{heading}: the body hops by {} m",
            highest - lowest
        );
        assert!((speed - heading).length() < 0.01, "{heading}: {speed}");
    }
}
