//! Pointers on the land.

use bevy::{camera::visibility::InheritedVisibility, prelude::*};
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

/// An app with a terrain, and a pointer that looks straight down from over `(3, 5)`.
fn picked() -> (App, Entity) {
    let mut app = app();
    app.add_message::<PointerHits>();
    let entity = spawn_ready(&mut app, Terrain::new(hills(90, 70, 3)));
    // Bevy's systems for visibility do not run here.
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
fn a_pointer_has_the_exact_point_of_the_ground() {
    let (mut app, entity) = picked();
    let hits = hits(&mut app);
    let [(hit, data)] = hits[0].picks.as_slice() else {
        panic!("one pick for one pointer, not {hits:?}");
    };
    assert_eq!(*hit, entity);
    let expected = ask(&mut app, |terrains| {
        terrains.height(Vec3::new(3.0, 0.0, 5.0))
    })
    .unwrap();
    let point = data.position.expect("where it is");
    assert!(
        point.distance(Vec3::new(3.0, expected, 5.0)) < 1e-4,
        "{point}"
    );
    assert!((data.depth - (90.0 - expected)).abs() < 1e-3);
}

#[test]
fn land_that_is_not_to_be_picked_is_not() {
    let (mut app, entity) = picked();
    app.world_mut()
        .entity_mut(entity)
        .insert((Pickable::IGNORE, InheritedVisibility::VISIBLE));
    assert!(hits(&mut app).is_empty());
    app.world_mut()
        .entity_mut(entity)
        .insert((Pickable::default(), InheritedVisibility::HIDDEN));
    assert!(hits(&mut app).is_empty(), "hidden land was picked");
    app.world_mut()
        .entity_mut(entity)
        .insert(InheritedVisibility::VISIBLE);
    assert_eq!(hits(&mut app).len(), 1);
}
