//! Everything that belongs to new terrain is in place in the frame in which it becomes ready.

use bevy::prelude::*;
use lanternfell_terrain::prelude::*;

use lanternfell_terrain_test_support::terrain::*;

#[test]
fn change_in_update_is_followed_in_the_same_frame() {
    let mut app = app();
    app.add_systems(Update, |mut commands: Commands, mut done: Local<bool>| {
        if !std::mem::replace(&mut *done, true) {
            commands.spawn(Terrain::new(hills(90, 70, 3)));
        }
    });
    app.update();
    let mut asked = app.world_mut().query::<&TerrainProgress>();
    assert_eq!(asked.iter(app.world()).count(), 1);
}

#[test]
fn transforms_of_new_chunks_are_propagated() {
    let mut app = drawing_app();
    let place = Transform::from_xyz(40.0, 7.0, -30.0);
    let terrain = spawn_ready(&mut app, (Terrain::new(hills(200, 170, 3)), place));
    let mut chunks = app
        .world_mut()
        .query_filtered::<(&Transform, &GlobalTransform), With<TerrainChunk>>();
    let mut count = 0;
    for (local, global) in chunks.iter(app.world()) {
        let expected = place * *local;
        assert_eq!(global.translation(), expected.translation, "of {terrain}");
        count += 1;
    }
    assert!(count > 1, "{count} chunks");
}

#[test]
fn snapped_entity_stands_on_new_terrain() {
    let mut app = app();
    let at = Transform::from_xyz(5.0, 500.0, 6.0);
    let sheep = app.world_mut().spawn((at, SnapToGround::default())).id();
    let terrain = spawn_ready(&mut app, Terrain::new(hills(90, 70, 3)));
    let height = ground(&app, terrain).surface().height(Vec2::new(5.0, 6.0));
    let drawn = app.world().get::<GlobalTransform>(sheep).unwrap();
    assert!((drawn.translation().y - height.unwrap()).abs() < 1e-3);
}

#[cfg(feature = "rapier")]
#[test]
fn physics_knows_the_collider_of_new_terrain() {
    use bevy_rapier3d::prelude::*;
    let mut app = app_with((TerrainPlugin, RapierPhysicsPlugin::<NoUserData>::default()));
    let terrain = spawn_ready(&mut app, Terrain::new(hills(90, 70, 3)));
    assert!(app.world().get::<RapierColliderHandle>(terrain).is_some());
}
