//! Transforms that a terrain can not have, and scale 0.

use bevy::{prelude::*, time::TimeUpdateStrategy};
use lanternfell_terrain::prelude::*;

use lanternfell_terrain_test_support::{
    log::{count_messages, warnings},
    terrain::*,
};

fn set(app: &mut App, entity: Entity, transform: Transform) {
    *app.world_mut().get_mut::<Transform>(entity).unwrap() = transform;
    app.update();
}

/// Reported: with scale (-1, 1, 1) the terrain was rendered in pieces, had no collider, and nothing was logged.
#[test]
fn mirrored_terrain_keeps_its_last_valid_transform() {
    let mut app = drawing_app();
    let valid = Transform::from_xyz(3.0, 1.0, 2.0).with_scale(Vec3::splat(1.5));
    let bundle = (Terrain::new(hills(50, 40, 1)), Name::new("moor"), valid);
    let terrain = spawn_ready(&mut app, bundle);
    let said = warnings(&mut app, |app, _| {
        for scale in [
            Vec3::new(-1.0, 1.0, 1.0),
            Vec3::new(1.0, -1.0, 1.0),
            Vec3::NAN,
        ] {
            set(app, terrain, Transform::from_scale(scale));
            assert_eq!(app.world().get::<Transform>(terrain), Some(&valid));
            let global = app.world().get::<GlobalTransform>(terrain).unwrap();
            assert_eq!(global.affine(), valid.compute_affine());
        }
        // A rotation, and a terrain of no size.
        for scale in [Vec3::new(-1.0, 1.0, -1.0), Vec3::ZERO, Vec3::ONE] {
            let other = Transform::from_scale(scale);
            set(app, terrain, other);
            assert_eq!(app.world().get::<Transform>(terrain), Some(&other));
        }
    });
    let named = count_messages(&said, &["terrain moor", "[-1, 1, 1]", "mirror"]);
    assert_eq!((named, said.len()), (1, 1), "{said:?}");
}

#[test]
fn terrain_that_spawns_mirrored_is_not_mirrored() {
    let mut app = app();
    let place = Transform::from_xyz(3.0, 1.0, 2.0).with_scale(Vec3::new(2.0, 2.0, -2.0));
    let terrain = spawn_ready(&mut app, (Terrain::new(hills(50, 40, 1)), place));
    let expected = Transform::from_xyz(3.0, 1.0, 2.0).with_scale(Vec3::splat(2.0));
    assert_eq!(app.world().get::<Transform>(terrain), Some(&expected));
    let nowhere = Transform::from_xyz(f32::NAN, 0.0, 0.0);
    let terrain = spawn_ready(&mut app, (Terrain::new(hills(50, 40, 1)), nowhere));
    assert_eq!(
        app.world().get::<Transform>(terrain),
        Some(&Transform::IDENTITY)
    );
}

#[test]
fn mirrored_parent_is_reported_once() {
    let mut app = app();
    let parent = app.world_mut().spawn(Transform::default()).id();
    let terrain = (
        Terrain::new(hills(50, 40, 1)),
        Name::new("moor"),
        ChildOf(parent),
    );
    spawn_ready(&mut app, terrain);
    let said = warnings(&mut app, |app, _| {
        for x in [-1.0, 1.0, -2.0] {
            set(app, parent, Transform::from_scale(Vec3::new(x, 1.0, 1.0)));
        }
    });
    let named = count_messages(&said, &["a parent mirrors terrain moor"]);
    assert_eq!((named, said.len()), (1, 1), "{said:?}");
}

/// The ways in which a terrain can have no collider for a while, and come back.
fn unusable() -> [Vec3; 2] {
    [Vec3::ZERO, Vec3::new(1.0, 0.0, 1.0)]
}

/// A fixed frame time, so that fixed schedules run.
fn frames(app: &mut App) {
    let frame = std::time::Duration::from_secs(1) / 60;
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
}

/// Reported: with scale 0 and back, the collider never came back with rapier.
#[cfg(feature = "rapier")]
#[test]
fn rapier_collider_returns_after_scale_zero() {
    use bevy::ecs::system::RunSystemOnce;
    use bevy_rapier3d::prelude::*;
    let height = |app: &mut App| {
        let cast = |physics: ReadRapierContext| {
            let (from, filter) = (Vec3::Y * 1000.0, QueryFilter::default());
            let context = physics.single().unwrap();
            let hit = context.cast_ray(from, Vec3::NEG_Y, 2000.0, true, filter);
            hit.map(|(_, fall)| 1000.0 - fall)
        };
        app.world_mut().run_system_once(cast).unwrap()
    };
    for collider in [TerrainCollider::Whole, TerrainCollider::AroundBodies(20.0)] {
        for scale in unusable() {
            for is_parent in [false, true] {
                let plugins = (TerrainPlugin, RapierPhysicsPlugin::<NoUserData>::default());
                let mut app = app_with((plugins, frames));
                // Regions exist around bodies.
                let body = (
                    RigidBody::KinematicPositionBased,
                    Transform::from_xyz(1.0, 9.0, 0.0),
                );
                app.world_mut().spawn(body);
                let parent = app.world_mut().spawn(Transform::default()).id();
                let terrain = (Terrain::new(hills(90, 80, 2)), collider, ChildOf(parent));
                let terrain = spawn_ready(&mut app, terrain);
                let scaled = if is_parent { parent } else { terrain };
                update_until(&mut app, |app| height(app).is_some());
                let before = height(&mut app);
                for _ in 0..3 {
                    set(&mut app, scaled, Transform::from_scale(scale));
                    app.update();
                    assert_eq!(height(&mut app), None, "{collider:?}, {scale}");
                    set(&mut app, scaled, Transform::IDENTITY);
                    app.update();
                    app.update();
                    assert_eq!(height(&mut app), before, "{collider:?}, {scale}");
                }
                // New terrain while the scale is 0.
                set(&mut app, scaled, Transform::from_scale(scale));
                set_recipe(&mut app, terrain, hills(90, 80, 3));
                wait_until_ready(&mut app);
                assert_eq!(height(&mut app), None, "{collider:?}, {scale}");
                set(&mut app, scaled, Transform::IDENTITY);
                app.update();
                app.update();
                let asked = ask(&mut app, |terrains| terrains.height(Vec3::ZERO)).unwrap();
                let met = height(&mut app).unwrap();
                assert!(
                    (met - asked).abs() < 1e-3,
                    "{collider:?}, {scale}: {met}, {asked}"
                );
            }
        }
    }
}

#[test]
fn avian_collider_returns_after_scale_zero() {
    use avian3d::prelude::*;
    use bevy::ecs::system::RunSystemOnce;
    let height = |app: &mut App| {
        let cast = |physics: SpatialQuery| {
            let filter = SpatialQueryFilter::default();
            let hit = physics.cast_ray(Vec3::Y * 1000.0, Dir3::NEG_Y, 2000.0, true, &filter);
            hit.map(|hit| 1000.0 - hit.distance)
        };
        app.world_mut().run_system_once(cast).unwrap()
    };
    for scale in unusable() {
        let mut app = app_with((TerrainPlugin, PhysicsPlugins::default(), frames));
        let terrain = (Terrain::new(hills(90, 80, 2)), TerrainCollider::Whole);
        let terrain = spawn_ready(&mut app, terrain);
        update_until(&mut app, |app| height(app).is_some());
        let before = height(&mut app);
        for _ in 0..3 {
            set(&mut app, terrain, Transform::from_scale(scale));
            app.update();
            assert!(!has::<Collider>(&app, terrain), "{scale}");
            set(&mut app, terrain, Transform::IDENTITY);
            for _ in 0..3 {
                app.update();
            }
            assert_eq!(height(&mut app), before, "{scale}");
        }
    }
}
