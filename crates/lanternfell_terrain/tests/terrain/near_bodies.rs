//! Colliders around bodies.

use std::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_rapier3d::prelude::*;
use lanternfell_terrain::{TerrainColliderRegion, prelude::*};

use lanternfell_terrain_test_support::terrain::*;

/// The distance around bodies, in meters.
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

/// A body that stays where it is placed.
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
    // Its global transform is updated one frame later.
    app.update();
    app.update();
}

fn regions(app: &mut App) -> Vec<Entity> {
    let world = app.world_mut();
    let mut regions = world.query_filtered::<Entity, With<TerrainColliderRegion>>();
    regions.iter(world).collect()
}

/// The heights of the colliders at a position, and that of the terrain.
fn heights(app: &mut App, at: Vec3) -> (Vec<f32>, f32) {
    let asked = ask(app, move |terrains| terrains.height(at)).unwrap();
    let world = app.world_mut();
    let mut colliders =
        world.query_filtered::<(&Collider, &GlobalTransform), With<TerrainColliderRegion>>();
    let from = at.with_y(100.0);
    let met = colliders.iter(world).filter_map(|(collider, transform)| {
        let (_, turn, place) = transform.to_scale_rotation_translation();
        let fall = collider.cast_ray(place, turn, from, Vec3::NEG_Y, 200.0, true)?;
        Some(100.0 - fall)
    });
    (met.collect(), asked)
}

/// Checks that there is at least one collider, and that all of them have the height of the terrain. For some frames
/// there may be two.
#[track_caller]
fn assert_met(app: &mut App, at: Vec3) {
    let (met, asked) = heights(app, at);
    assert!(!met.is_empty(), "no collider at {at}");
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
fn colliders_exist_only_around_bodies() {
    let mut app = app_with_bodies();
    let terrain = land(&mut app, TerrainCollider::AroundBodies(DISTANCE));
    assert!(!app.world().entity(terrain).contains::<Collider>());
    assert_eq!(regions(&mut app).len(), 0, "there are no bodies");
    let places = [Vec3::new(-200.0, 9.0, 30.0), Vec3::new(140.0, 9.0, -90.0)];
    let bodies = places.map(|at| spawn_body(&mut app, at));
    move_to(&mut app, bodies[0], places[0]);
    assert_eq!(regions(&mut app).len(), 2);
    for at in places {
        assert_land(&mut app, at);
    }
    assert!(heights(&mut app, Vec3::ZERO).0.is_empty());
    // Teleports one body next to the other.
    move_to(&mut app, bodies[0], places[1] + Vec3::X * 5.0);
    update_until(&mut app, |app| regions(app).len() == 1);
    assert_land(&mut app, places[1] + Vec3::X * 5.0);
    for body in bodies {
        app.world_mut().despawn(body);
    }
    update_until(&mut app, |app| regions(app).is_empty());
}

#[test]
fn walking_body_has_a_collider_in_every_frame() {
    let mut app = app_with_bodies();
    land(&mut app, TerrainCollider::AroundBodies(DISTANCE));
    let start = Vec3::new(-340.03, 9.0, -60.07);
    let body = spawn_body(&mut app, start);
    move_to(&mut app, body, start);
    let mut seen = regions(&mut app);
    for step in 0..900 {
        let at = start + Vec3::new(0.75, 0.0, 0.1) * step as f32;
        app.world_mut()
            .get_mut::<Transform>(body)
            .unwrap()
            .translation = at;
        app.update();
        assert_met(&mut app, at);
        seen.extend(regions(&mut app));
        seen.sort();
        seen.dedup();
    }
    assert!(seen.len() > 5, "too few regions: {}", seen.len());
}

#[test]
fn colliders_change_and_disappear_with_the_terrain() {
    let mut app = app_with_bodies();
    let terrain = land(&mut app, TerrainCollider::AroundBodies(DISTANCE));
    let at = Vec3::new(30.0, 9.0, 40.0);
    let body = spawn_body(&mut app, at);
    move_to(&mut app, body, at);
    change_recipe(&mut app, terrain, |recipe| recipe.seed = 9);
    // In each frame the collider matches the terrain that queries use.
    update_until(&mut app, |app| {
        assert_land(app, at);
        answers(app).ready.len() == 2
    });
    let mut set = |collider: Option<TerrainCollider>| {
        let mut entity = app.world_mut().entity_mut(terrain);
        match collider {
            Some(collider) => entity.insert(collider),
            None => entity.remove::<TerrainCollider>(),
        };
        wait_until_ready(&mut app);
        app.update();
        let whole = app.world().entity(terrain).contains::<Collider>();
        (whole, regions(&mut app).len())
    };
    let around = |distance| Some(TerrainCollider::AroundBodies(distance));
    assert_eq!(set(Some(TerrainCollider::Whole)), (true, 0));
    assert_eq!(set(None), (false, 0));
    assert_eq!(set(around(f32::NAN)), (false, 1));
    assert_eq!(set(None), (false, 0));
    assert_eq!(set(Some(TerrainCollider::Automatic)), (true, 0));
    assert_eq!(set(around(DISTANCE)), (false, 1));
    app.world_mut().entity_mut(terrain).remove::<Terrain>();
    app.update();
    assert_eq!(regions(&mut app).len(), 0);
}

#[test]
fn despawned_region_is_rebuilt() {
    let mut app = app_with_bodies();
    land(&mut app, TerrainCollider::AroundBodies(DISTANCE));
    let at = Vec3::new(-20.0, 9.0, 70.0);
    let body = spawn_body(&mut app, at);
    move_to(&mut app, body, at);
    let region = regions(&mut app)[0];
    app.world_mut().despawn(region);
    app.update();
    assert_met(&mut app, at);
    update_until(&mut app, |app| regions(app).len() == 1);
    assert_land(&mut app, at);
}

#[test]
fn crowd_has_colliders_in_the_frame_it_spawns() {
    let mut app = app_with_bodies();
    land(&mut app, TerrainCollider::AroundBodies(DISTANCE));
    // Spread over the whole terrain, so that all share one region.
    let crowd: Vec<Vec3> = (0..60)
        .map(|k| Vec3::new(-330.0 + 11.0 * k as f32, 9.0, (k % 7) as f32 * 60.0 - 200.0))
        .collect();
    for &at in &crowd {
        spawn_body(&mut app, at);
    }
    // Their global transforms are updated one frame later.
    app.update();
    app.update();
    for &at in &crowd {
        assert_met(&mut app, at);
    }
    update_until(&mut app, |app| regions(app).len() == 1);
    for &at in &crowd {
        assert_met(&mut app, at);
    }
}

#[test]
fn body_on_endless_terrain_has_a_collider_in_every_frame() {
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
    update_until(&mut app, |app| !regions(app).is_empty());
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
        let mut regions = world.query::<&TerrainColliderRegion>();
        grounds.extend(regions.iter(world).map(|region| region.terrain));
        grounds.sort();
        grounds.dedup();
        // Bodies do not move this far while a region is generated.
        if step % 80 == 0 {
            wait_until_ready(&mut app);
        }
    }
    assert!(grounds.len() > 2, "the region never changed");
    update_until(&mut app, |app| regions(app).len() == 1);
}
