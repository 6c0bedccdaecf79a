//! Picking of the terrain.

use bevy::{
    camera::visibility::{InheritedVisibility, RenderLayers},
    prelude::*,
};
use bevy_picking::{
    Pickable,
    backend::{
        PointerHits,
        ray::{RayId, RayMap},
    },
    pointer::PointerId,
};
use lanternfell_terrain::prelude::*;

use lanternfell_terrain_test_support::terrain::*;

/// An app with a terrain, and a pointer that looks straight down at `(3, 5)`.
fn picked() -> (App, Entity) {
    let mut app = app();
    app.add_message::<PointerHits>();
    let entity = spawn_ready(&mut app, Terrain::new(hills(90, 70, 3)));
    // Bevy's visibility systems do not run here.
    app.world_mut()
        .entity_mut(entity)
        .insert(InheritedVisibility::VISIBLE);
    let camera = app.world_mut().spawn(Camera::default()).id();
    let mut rays = RayMap::default();
    let ray = Ray3d::new(Vec3::new(3.0, 90.0, 5.0), Dir3::NEG_Y);
    rays.map.insert(RayId::new(camera, PointerId::Mouse), ray);
    app.insert_resource(rays);
    (app, entity)
}

fn hits(app: &mut App) -> Vec<PointerHits> {
    app.world_mut()
        .resource_mut::<Messages<PointerHits>>()
        .clear();
    app.update();
    let messages = app.world().resource::<Messages<PointerHits>>();
    let mut cursor = messages.get_cursor();
    cursor.read(messages).cloned().collect()
}

#[test]
fn pointer_hits_the_exact_point() {
    let (mut app, entity) = picked();
    let hits = hits(&mut app);
    let [(hit, data)] = hits[0].picks.as_slice() else {
        panic!("expected one pick for one pointer, got {hits:?}");
    };
    assert_eq!(*hit, entity);
    let expected = ask(&mut app, |terrains| {
        terrains.height(Vec3::new(3.0, 0.0, 5.0))
    })
    .unwrap();
    let point = data.position.expect("the hit has a position");
    assert!(
        point.distance(Vec3::new(3.0, expected, 5.0)) < 1e-4,
        "{point}"
    );
    assert!((data.depth - (90.0 - expected)).abs() < 1e-3);
}

#[test]
fn ignored_and_hidden_terrain_is_not_picked() {
    let (mut app, entity) = picked();
    app.world_mut()
        .entity_mut(entity)
        .insert((Pickable::IGNORE, InheritedVisibility::VISIBLE));
    assert!(hits(&mut app).is_empty());
    app.world_mut()
        .entity_mut(entity)
        .insert((Pickable::default(), InheritedVisibility::HIDDEN));
    assert!(hits(&mut app).is_empty(), "hidden terrain was picked");
    app.world_mut()
        .entity_mut(entity)
        .insert(InheritedVisibility::VISIBLE);
    assert_eq!(hits(&mut app).len(), 1);
}

#[test]
fn terrain_on_other_layers_than_the_camera_is_not_picked() {
    let (mut app, entity) = picked();
    let layer = RenderLayers::layer(1);
    app.world_mut().entity_mut(entity).insert(layer.clone());
    assert!(hits(&mut app).is_empty());
    let world = app.world_mut();
    let mut cameras = world.query_filtered::<Entity, With<Camera>>();
    let camera = cameras.single(world).unwrap();
    world.entity_mut(camera).insert(layer);
    assert_eq!(hits(&mut app).len(), 1);
}
