//! Land around bodies, where a collider for all of it would be too much.

use std::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_rapier3d::prelude::*;
use lanternfell_terrain::{TerrainColliderWindow, prelude::*};

use lanternfell_terrain_test_support::terrain::*;

/// Metres of land around bodies.
const DISTANCE: f32 = 20.0;

fn app_with_bodies() -> App {
    app_with((
        TerrainPlugin,
        RapierPhysicsPlugin::<NoUserData>::default(),
        |app: &mut App| {
            let frame = Duration::from_millis(16);
            app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
        },
    ))
}

fn land(app: &mut App, collider: TerrainCollider) -> Entity {
    let scale = Scale {
        spacing: 1.0,
        relief: 20.0,
    };
    let terrain = Terrain::new(hills(700, 500, 6)).with_scale(scale);
    spawn_ready(app, (terrain, collider))
}

/// A body that stays where it is put.
fn spawn_body(app: &mut App, at: Vec3) -> Entity {
    let body = (RigidBody::KinematicPositionBased, Collider::ball(0.5));
    app.world_mut()
        .spawn((body, Transform::from_translation(at)))
        .id()
}

fn move_to(app: &mut App, body: Entity, at: Vec3) {
    app.world_mut()
        .get_mut::<Transform>(body)
        .unwrap()
        .translation = at;
    // Its place in the world is known one frame later.
    app.update();
    app.update();
}

fn windows(app: &mut App) -> Vec<Entity> {
    let world = app.world_mut();
    let mut windows = world.query_filtered::<Entity, With<TerrainColliderWindow>>();
    windows.iter(world).collect()
}

/// The height of the colliders there, and that of the ground.
fn heights(app: &mut App, at: Vec3) -> (Vec<f32>, f32) {
    let asked = ask(app, move |terrains| terrains.height(at)).unwrap();
    let world = app.world_mut();
    let mut colliders =
        world.query_filtered::<(&Collider, &GlobalTransform), With<TerrainColliderWindow>>();
    let from = at.with_y(100.0);
    let met = colliders.iter(world).filter_map(|(collider, transform)| {
        let (_, turn, place) = transform.to_scale_rotation_translation();
        let fall = collider.cast_ray(place, turn, from, Vec3::NEG_Y, 200.0, true)?;
        Some(100.0 - fall)
    });
    (met.collect(), asked)
}

/// There is land, and be it twice for some frames, it is the same.
#[track_caller]
fn assert_met(app: &mut App, at: Vec3) {
    let (met, asked) = heights(app, at);
    assert!(!met.is_empty(), "no land at {at}");
    assert!(
        met.iter().all(|met| (met - asked).abs() < 1e-3),
        "{met:?}, but {asked} at {at}"
    );
}

#[track_caller]
fn assert_land(app: &mut App, at: Vec3) {
    for (x, z) in [
        (0.0, 0.0),
        (1.0, 0.3),
        (-1.0, 0.7),
        (0.2, 1.0),
        (-0.9, -1.0),
    ] {
        let near = at + Vec3::new(x, 0.0, z) * 0.4 * DISTANCE;
        let (met, asked) = heights(app, near);
        assert_eq!(met.len(), 1, "at {near}");
        assert!(
            (met[0] - asked).abs() < 1e-3,
            "{met:?}, but {asked} at {near}"
        );
    }
}

#[test]
fn there_is_land_around_every_body_and_nowhere_else() {
    let mut app = app_with_bodies();
    let terrain = land(&mut app, TerrainCollider::AroundBodies(DISTANCE));
    assert!(!app.world().entity(terrain).contains::<Collider>());
    assert_eq!(windows(&mut app).len(), 0, "nobody is there");
    let places = [Vec3::new(-200.0, 9.0, 30.0), Vec3::new(140.0, 9.0, -90.0)];
    let bodies = places.map(|at| spawn_body(&mut app, at));
    move_to(&mut app, bodies[0], places[0]);
    assert_eq!(windows(&mut app).len(), 2);
    for at in places {
        assert_land(&mut app, at);
    }
    assert!(heights(&mut app, Vec3::ZERO).0.is_empty());
    // Suddenly elsewhere, and near each other.
    move_to(&mut app, bodies[0], places[1] + Vec3::X * 5.0);
    update_until(&mut app, |app| windows(app).len() == 1);
    assert_land(&mut app, places[1] + Vec3::X * 5.0);
    for body in bodies {
        app.world_mut().despawn(body);
    }
    update_until(&mut app, |app| windows(app).is_empty());
}

#[test]
fn who_walks_across_it_has_land_in_every_frame() {
    let mut app = app_with_bodies();
    land(&mut app, TerrainCollider::AroundBodies(DISTANCE));
    let start = Vec3::new(-340.03, 9.0, -60.07);
    let body = spawn_body(&mut app, start);
    move_to(&mut app, body, start);
    let mut seen = windows(&mut app);
    for step in 0..900 {
        let at = start + Vec3::new(0.75, 0.0, 0.1) * step as f32;
        app.world_mut()
            .get_mut::<Transform>(body)
            .unwrap()
            .translation = at;
        app.update();
        assert_met(&mut app, at);
        seen.extend(windows(&mut app));
        seen.sort();
        seen.dedup();
    }
    assert!(
        seen.len() > 5,
        "new ones were made on the way: {}",
        seen.len()
    );
}

#[test]
fn it_changes_with_the_ground_and_goes_with_it() {
    let mut app = app_with_bodies();
    let terrain = land(&mut app, TerrainCollider::AroundBodies(DISTANCE));
    let at = Vec3::new(30.0, 9.0, 40.0);
    let body = spawn_body(&mut app, at);
    move_to(&mut app, body, at);
    change_recipe(&mut app, terrain, |recipe| recipe.seed = 9);
    // In each frame it is the ground that is asked.
    update_until(&mut app, |app| {
        assert_land(app, at);
        answers(app).ready.len() == 2
    });
    let mut set = |collider: TerrainCollider| {
        *app.world_mut().get_mut::<TerrainCollider>(terrain).unwrap() = collider;
        wait_until_ready(&mut app);
        app.update();
        let whole = app.world().entity(terrain).contains::<Collider>();
        (whole, windows(&mut app).len())
    };
    assert_eq!(set(TerrainCollider::Whole), (true, 0));
    assert_eq!(set(TerrainCollider::None), (false, 0));
    assert_eq!(set(TerrainCollider::AroundBodies(f32::NAN)), (false, 1));
    assert_eq!(set(TerrainCollider::Automatic), (true, 0));
    assert_eq!(set(TerrainCollider::AroundBodies(DISTANCE)), (false, 1));
    app.world_mut().entity_mut(terrain).remove::<Terrain>();
    app.update();
    assert_eq!(windows(&mut app).len(), 0);
}

#[test]
fn a_window_that_somebody_despawns_is_made_again() {
    let mut app = app_with_bodies();
    land(&mut app, TerrainCollider::AroundBodies(DISTANCE));
    let at = Vec3::new(-20.0, 9.0, 70.0);
    let body = spawn_body(&mut app, at);
    move_to(&mut app, body, at);
    let window = windows(&mut app)[0];
    app.world_mut().despawn(window);
    app.update();
    assert_met(&mut app, at);
    update_until(&mut app, |app| windows(app).len() == 1);
    assert_land(&mut app, at);
}

#[test]
fn a_crowd_that_is_suddenly_there_has_land_in_the_same_frame() {
    let mut app = app_with_bodies();
    land(&mut app, TerrainCollider::AroundBodies(DISTANCE));
    // From one end to the other, so that all have one window together.
    let crowd: Vec<Vec3> = (0..60)
        .map(|k| Vec3::new(-330.0 + 11.0 * k as f32, 9.0, (k % 7) as f32 * 60.0 - 200.0))
        .collect();
    for &at in &crowd {
        spawn_body(&mut app, at);
    }
    // Their places in the world are known one frame later.
    app.update();
    app.update();
    for &at in &crowd {
        assert_met(&mut app, at);
    }
    update_until(&mut app, |app| windows(app).len() == 1);
    for &at in &crowd {
        assert_met(&mut app, at);
    }
}

#[test]
fn on_endless_ground_a_body_has_land_in_every_frame() {
    let mut app = app_with_bodies();
    let scale = Scale {
        spacing: 2.0,
        relief: 60.0,
    };
    let noise = FractalNoise::default();
    let recipe = Recipe {
        scale: Some(scale),
        ..Recipe::new(MapSize::default(), 5, noise)
    };
    let mut ground = EndlessTerrain::new(recipe);
    ground.distance = 200.0;
    app.world_mut()
        .spawn((ground, TerrainCollider::AroundBodies(DISTANCE)));
    let start = Vec3::new(50_000.3, 9.0, -7.0);
    let body = spawn_body(&mut app, start);
    app.world_mut().entity_mut(body).insert(TerrainViewer);
    update_until(&mut app, |app| !windows(app).is_empty());
    let mut grounds = Vec::new();
    for step in 0..1500 {
        let at = start - Vec3::X * 0.8 * step as f32;
        app.world_mut()
            .get_mut::<Transform>(body)
            .unwrap()
            .translation = at;
        app.update();
        assert_met(&mut app, at);
        let world = app.world_mut();
        let mut windows = world.query::<&TerrainColliderWindow>();
        grounds.extend(windows.iter(world).map(|window| window.terrain));
        grounds.sort();
        grounds.dedup();
        // Nobody walks so far while a window of the ground is made.
        if step % 80 == 0 {
            wait_until_ready(&mut app);
        }
    }
    assert!(grounds.len() > 2, "the ground changed on the way");
    update_until(&mut app, |app| windows(app).len() == 1);
}
