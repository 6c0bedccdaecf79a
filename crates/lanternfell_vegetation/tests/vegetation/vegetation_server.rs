//! Without a renderer, colliders and custom plants have the same positions as with one.

use std::collections::BTreeSet;

use bevy::{math::DVec2, prelude::*};
use bevy_rapier3d::prelude::*;
use lanternfell_terrain::{EditTerrain, TerrainEdit, edits::Brush, prelude::*};
use lanternfell_vegetation::{DrawnVegetation, PlantCollider, VegetationChunk, prelude::*};

use crate::{vegetation::*, vegetation_endless};
use lanternfell_terrain_test_support::terrain::*;

fn server() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .add_plugins((TerrainPlugin, VegetationPlugin))
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default());
    started(app)
}

/// Kind and position (as bits) of each trunk with a collider.
fn trunks(app: &mut App) -> Vec<(PlantKind, [u32; 3])> {
    let world = app.world_mut();
    let mut solids = world.query::<(&PlantCollider, &Transform, &Collider)>();
    let mut trunks: Vec<_> = solids
        .iter(world)
        .map(|(solid, place, _)| {
            let PlantLook::Grown(kind) = solid.look else {
                panic!("no model grows here");
            };
            (kind, place.translation.to_array().map(f32::to_bits))
        })
        .collect();
    trunks.sort();
    trunks
}

/// The trunks around a body on a fixed terrain.
fn trunks_around_a_body(app: &mut App) -> Vec<(PlantKind, [u32; 3])> {
    app.world_mut().spawn((land(1), forest(3)));
    let body = (RigidBody::KinematicPositionBased, Collider::ball(0.3));
    let at = Transform::from_xyz(20.0, 15.0, 20.0);
    app.world_mut().spawn((body, at));
    let mut before = Vec::new();
    update_until(app, |app| {
        for _ in 0..20 {
            app.update();
        }
        let now = trunks(app);
        std::mem::replace(&mut before, now.clone()) == now && !now.is_empty()
    });
    before
}

#[test]
fn colliders_match_those_with_a_renderer() {
    let mut server = server();
    let met = trunks_around_a_body(&mut server);
    assert!(met.len() > 4, "{met:?}");
    let world = server.world_mut();
    let mut drawn =
        world.query_filtered::<(), Or<(With<DrawnVegetation>, With<VegetationChunk>)>>();
    assert_eq!(drawn.iter(world).count(), 0);
    let mut seeing = app_with_plants_and(|app| {
        app.add_plugins(RapierPhysicsPlugin::<NoUserData>::default());
    });
    assert_eq!(met, trunks_around_a_body(&mut seeing));
}

/// A stroke raises the terrain under some trunks. Their colliders are replaced, the others stay the same entities.
#[test]
fn colliders_follow_edits_and_stay_elsewhere() {
    const RADIUS: f32 = 9.0;
    let mut app = server();
    trunks_around_a_body(&mut app);
    let solids = |app: &mut App| -> Vec<(Entity, Vec3)> {
        let world = app.world_mut();
        let mut solids =
            world.query_filtered::<(Entity, &Transform), (With<PlantCollider>, With<Collider>)>();
        let places = solids.iter(world);
        places
            .map(|(entity, place)| (entity, place.translation))
            .collect()
    };
    let before = solids(&mut app);
    let world = app.world_mut();
    let entity = world
        .query_filtered::<Entity, With<Terrain>>()
        .single(world)
        .unwrap();
    let center = before[0].1.xz();
    let edit = TerrainEdit::stroke(Brush::Raise { mm: 3000 }, RADIUS, [center]);
    app.world_mut().trigger(EditTerrain {
        entity,
        author: 1,
        edit,
    });
    update_until(&mut app, |app| {
        let now = solids(app);
        now.len() == before.len() && !now.contains(&before[0])
    });
    let after = solids(&mut app);
    let (mut lifted, mut same) = (0, 0);
    for &(solid, old) in &before {
        match after.iter().find(|(other, _)| *other == solid) {
            Some((_, new)) => {
                assert!(*new == old);
                same += 1;
            }
            None => {
                assert!(old.xz().distance(center) < RADIUS + 1.0, "{old}");
                let new = after.iter().find(|(_, new)| new.xz() == old.xz());
                assert!(new.is_some_and(|(_, new)| new.y > old.y), "{old}");
                lifted += 1;
            }
        }
    }
    assert!(lifted > 0 && same > 3, "{lifted}, {same}");
}

/// There is no camera: terrain and plants spawn around viewers.
#[test]
fn custom_plants_spawn_around_viewers() {
    use vegetation_endless::{FAR, STEP, endless, expected, frame, huts_and_grass, seen};

    let mut app = server();
    let viewer = app.world_mut().spawn(TerrainViewer).id();
    app.world_mut().spawn((endless(), huts_and_grass()));
    update_until(&mut app, |app| {
        seen(app, DVec2::ZERO) == expected(DVec2::ZERO)
    });
    for x in (0..=FAR).step_by(STEP) {
        let mut place = app.world_mut().get_mut::<Transform>(viewer).unwrap();
        place.translation.x = x as f32;
        let around = DVec2::new(x as f64, 0.0);
        for _ in 0..6 {
            frame(&mut app);
            assert_eq!(seen(&mut app, around), expected(around), "{x}");
        }
    }
}

/// A body stands in a forest while regions change around a walking viewer.
#[test]
fn colliders_stay_when_regions_change() {
    use vegetation_endless::{FAR, STEP, endless, frame};

    let mut app = server();
    let viewer = app.world_mut().spawn(TerrainViewer).id();
    let body = (RigidBody::KinematicPositionBased, Collider::ball(0.3));
    let at = DVec2::new(40.0, 0.0);
    app.world_mut().spawn((
        body,
        Transform::from_translation(at.as_vec2().extend(30.0).xzy()),
    ));
    app.world_mut().spawn((endless(), forest(3)));
    let mut met = BTreeSet::new();
    update_until(&mut app, |app| {
        for _ in 0..20 {
            app.update();
        }
        let now = trunks_near(app, at);
        std::mem::replace(&mut met, now.clone()) == now && !now.is_empty()
    });
    let regions = |app: &mut App| {
        let world = app.world_mut();
        let mut regions = world.query_filtered::<Entity, With<TerrainRegion>>();
        regions.iter(world).collect::<BTreeSet<_>>()
    };
    let first = regions(&mut app);
    for x in (0..=FAR).step_by(STEP) {
        let mut place = app.world_mut().get_mut::<Transform>(viewer).unwrap();
        place.translation.x = x as f32;
        for _ in 0..6 {
            frame(&mut app);
            assert_eq!(trunks_near(&mut app, at), met, "{x}");
        }
    }
    update_until(&mut app, |app| {
        assert_eq!(trunks_near(app, at), met);
        regions(app).is_disjoint(&first)
    });
}

/// Positions of trunks near a point on the plane, in whole centimeters.
fn trunks_near(app: &mut App, around: DVec2) -> BTreeSet<(i64, i64)> {
    let world = app.world_mut();
    let mut solids = world.query_filtered::<&GlobalTransform, With<PlantCollider>>();
    let places = solids
        .iter(world)
        .map(|place| place.translation().xz().as_dvec2());
    let near = places.filter(|place| place.distance(around) < 12.0);
    near.map(vegetation_endless::rounded).collect()
}
