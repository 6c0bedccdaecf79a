//! Spawning a terrain.

use bevy::{camera::primitives::Aabb, prelude::*};
use lanternfell_terrain::{TerrainChunk, prelude::*};

use lanternfell_terrain_test_support::{drawn::positions, terrain::*};

#[test]
fn spawned_terrain_is_ready_once() {
    let mut app = app();
    let recipe = slow_hills(1);
    let entity = app.world_mut().spawn(Terrain::new(recipe.clone())).id();
    app.update();
    assert!(has::<TerrainProgress>(&app, entity) && !has::<TerrainSurface>(&app, entity));
    let mut fraction = 0.0;
    update_until(&mut app, |app| {
        let Some(generating) = app.world().get::<TerrainProgress>(entity) else {
            return true;
        };
        assert!(
            (fraction..=1.0).contains(&generating.fraction()),
            "the progress decreased"
        );
        fraction = generating.fraction();
        assert!(answers(app).ready.is_empty() && !has::<TerrainSurface>(app, entity));
        false
    });
    assert!(fraction > 0.0, "there was no progress");
    assert!(same_bits(ground(&app, entity).map(), &map_of(&recipe)));
    for _ in 0..10 {
        app.update();
    }
    assert_eq!(answers(&app).ready, [entity]);
    assert!(answers(&app).failed.is_empty());
}

#[test]
fn chunks_are_visible_when_ready_is_triggered() {
    #[derive(Resource, Default)]
    struct Seen(usize);
    let mut app = app();
    app.init_resource::<Seen>().add_observer(
        |ready: On<TerrainReady>,
         finished: Query<(), (With<TerrainSurface>, Without<TerrainProgress>)>,
         chunks: Query<(&TerrainChunk, &ChildOf, &Visibility)>,
         mut seen: ResMut<Seen>| {
            assert!(finished.contains(ready.entity));
            assert_eq!(chunks.iter().count(), 6);
            for (chunk, parent, visibility) in &chunks {
                assert_eq!(chunk.terrain, ready.entity);
                assert_eq!(parent.parent(), ready.entity);
                assert_eq!(visibility, Visibility::Inherited);
            }
            seen.0 += 1;
        },
    );
    spawn_ready(&mut app, Terrain::new(hills(130, 70, 1)));
    assert_eq!(app.world().resource::<Seen>().0, 1);
}

#[cfg(feature = "rapier")]
#[test]
fn collider_exists_when_ready_is_triggered() {
    use bevy_rapier3d::prelude::Collider;
    #[derive(Resource, Default)]
    struct Seen(usize);
    let mut app = app();
    app.init_resource::<Seen>().add_observer(
        |ready: On<TerrainReady>, colliders: Query<&Collider>, mut seen: ResMut<Seen>| {
            assert!(colliders.contains(ready.entity));
            seen.0 += 1;
        },
    );
    spawn_ready(&mut app, Terrain::new(hills(20, 30, 1)));
    assert_eq!(app.world().resource::<Seen>().0, 1);
}

#[test]
fn chunks_are_children_with_meshes() {
    let mut app = app();
    let (width, height) = (130, 70);
    let place = Transform::from_xyz(5.0, 1.0, -3.0);
    let terrain = Terrain::new(hills(width, height, 1));
    let entity = spawn_ready(&mut app, (terrain, place));
    let world = app.world_mut();
    let mut chunks = world.query::<(&TerrainChunk, &ChildOf, &Mesh3d, &Aabb, &Transform)>();
    let meshes = world.resource::<Assets<Mesh>>();
    let mut number = 0;
    for (chunk, child_of, mesh, bounds, transform) in chunks.iter(world) {
        assert_eq!(child_of.parent(), entity, "chunk {number}");
        assert_eq!(chunk.terrain, entity, "chunk {number}");
        assert_eq!(transform.translation.y, 0.0, "chunk {number}");
        let vertices = positions(meshes.get(&mesh.0).unwrap());
        let inside = |vertex: &Vec3| {
            vertex.cmpge((bounds.min() - 1e-3).into()).all()
                && vertex.cmple((bounds.max() + 1e-3).into()).all()
        };
        assert!(vertices.iter().all(inside), "chunk {number}");
        // Relative to their own corner, so that they are exact anywhere.
        let far = |vertex: &Vec3| vertex.x > 64.0 || vertex.z > 64.0;
        assert!(!vertices.iter().any(far), "chunk {number}");
        number += 1;
    }
    let across = |cells: u64| (cells as usize - 1).div_ceil(CHUNK_SIDE);
    assert_eq!(number, across(width) * across(height));
    assert_eq!(shown_chunks(&mut app).len(), number);
    assert_eq!(app.world().resource::<Assets<Mesh>>().len(), number);
}

#[test]
fn spawns_the_smallest_map() {
    let mut app = app();
    let entity = spawn_ready(&mut app, Terrain::new(hills(2, 2, 1)));
    assert_eq!(ground(&app, entity).map().heights().len(), 4);
    assert_eq!(shown_chunks(&mut app).len(), 1);
}

#[test]
fn queries_work_without_assets_and_transforms() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TerrainPlugin));
    let mut app = started(app);
    let entity = spawn_ready(&mut app, Terrain::new(hills(40, 30, 1)));
    assert_eq!(answers(&app).ready, [entity]);
    assert_eq!(count::<With<TerrainChunk>>(&mut app), 0);
    let expected = ground(&app, entity).surface().height(Vec2::new(3.0, 2.0));
    assert!(expected.is_some());
    assert_eq!(
        ask(&mut app, |terrains| terrains
            .height(Vec3::new(3.0, 9.0, 2.0))),
        expected
    );
    app.world_mut().entity_mut(entity).despawn();
    app.update();
    assert_eq!(count::<With<Transform>>(&mut app), 0);
}
