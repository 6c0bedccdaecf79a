//! Levels of detail follow the cameras.

use bevy::prelude::*;
use lanternfell::{prelude::*, terrain::TerrainChunk};

use crate::{common::*, drawn::positions};

/// 4 x 4 chunks of 64 m.
fn terrain() -> (Terrain, TerrainDetail) {
    (
        Terrain::new(hills(257, 257, 1)),
        TerrainDetail { distance: 50.0 },
    )
}

/// A point 1 m above the ground beside the westernmost chunks, near the middle of them.
const WEST: Vec3 = Vec3::new(-129.0, 20.0, 10.0);

fn spawn_camera(app: &mut App, at: Vec3) -> Entity {
    app.world_mut()
        .spawn((Camera3d::default(), Transform::from_translation(at)))
        .id()
}

fn move_to(app: &mut App, entity: Entity, at: Vec3) {
    app.world_mut()
        .get_mut::<Transform>(entity)
        .unwrap()
        .translation = at;
    settle(app);
}

/// Transforms reach the levels one frame later.
fn settle(app: &mut App) {
    app.update();
    app.update();
}

/// The level of each chunk, with the x of its middle.
fn levels(app: &mut App) -> Vec<(f32, usize)> {
    let world = app.world_mut();
    let mut chunks = world.query::<(&TerrainChunk, &Mesh3d, &bevy::camera::primitives::Aabb)>();
    let mut levels: Vec<_> = chunks
        .iter(world)
        .map(|(chunk, mesh, bounds)| {
            let level = chunk.levels.iter().position(|level| *level == mesh.0);
            (
                bounds.center.x,
                level.expect("a chunk shows one of its levels"),
            )
        })
        .collect();
    levels.sort_by(|a, b| a.0.total_cmp(&b.0));
    levels
}

fn all(app: &mut App, expected: usize) -> bool {
    levels(app).iter().all(|&(_, level)| level == expected)
}

#[test]
fn near_chunks_are_fine_and_far_ones_coarse() {
    let mut app = app();
    spawn_ready(&mut app, terrain());
    let camera = spawn_camera(&mut app, WEST);
    settle(&mut app);
    let west_to_east = levels(&mut app);
    assert_eq!(west_to_east.len(), 16);
    // The nearest column is within 50 m only for those chunks that are also near along z.
    assert!(west_to_east[..4].iter().any(|&(_, level)| level == 0));
    // The easternmost is 193 m away: beyond 100 m, and mostly within 200 m.
    assert!(
        west_to_east[12..]
            .iter()
            .all(|&(_, level)| level == 2 || level == 3)
    );
    let mean = |column: usize| {
        let levels = west_to_east[4 * column..][..4]
            .iter()
            .map(|&(_, level)| level as f32);
        levels.sum::<f32>() / 4.0
    };
    assert!(
        (0..3).all(|column| mean(column) <= mean(column + 1)),
        "{west_to_east:?}"
    );
    move_to(&mut app, camera, Vec3::new(1e5, 10.0, 0.0));
    assert!(all(&mut app, LEVELS - 1));
    move_to(&mut app, camera, WEST);
    assert_eq!(levels(&mut app), west_to_east);
}

#[test]
fn each_level_begins_twice_as_far_as_the_one_before() {
    let mut app = app();
    spawn_ready(&mut app, terrain());
    let camera = spawn_camera(&mut app, Vec3::ZERO);
    // From the east, so far outside that all chunks' distances are alike.
    for (distance, expected) in [(0.0, 0), (75.0, 1), (150.0, 2), (300.0, 3), (600.0, 4)] {
        move_to(&mut app, camera, Vec3::new(128.0 + distance, 1.0, 32.0));
        let nearest = levels(&mut app).last().map(|&(x, _)| x).unwrap();
        let column = levels(&mut app).into_iter().filter(|&(x, _)| x == nearest);
        let finest = column.map(|(_, level)| level).min();
        assert_eq!(finest, Some(expected), "{distance} m away");
    }
}

#[test]
fn distances_grow_with_the_terrain() {
    let mut app = app();
    let (mut terrain, detail) = terrain();
    terrain.scale = Some(Scale {
        spacing: 4.0,
        ..scale_of(&terrain)
    });
    let place = Transform::from_scale(Vec3::splat(10.0));
    spawn_ready(&mut app, (terrain, detail, place));
    // 50 cells of 4 m, ten times as large: the finest level reaches 2 km far.
    let east = 128.0 * 4.0 * 10.0;
    let camera = spawn_camera(&mut app, Vec3::new(east + 1_500.0, 1.0, 300.0));
    settle(&mut app);
    assert!(levels(&mut app).iter().any(|&(_, level)| level == 0));
    move_to(&mut app, camera, Vec3::new(east + 3_000.0, 1.0, 300.0));
    assert!(levels(&mut app).iter().all(|&(_, level)| level > 0));
}

#[test]
fn the_nearest_camera_that_draws_decides() {
    let mut app = app();
    spawn_ready(&mut app, terrain());
    let far = Vec3::new(1e5, 10.0, 0.0);
    spawn_camera(&mut app, far);
    let near = spawn_camera(&mut app, WEST);
    settle(&mut app);
    assert!(!all(&mut app, LEVELS - 1), "the far camera decided");
    app.world_mut().get_mut::<Camera>(near).unwrap().is_active = false;
    settle(&mut app);
    assert!(all(&mut app, LEVELS - 1), "one that does not draw decided");
}

#[test]
fn all_detail_everywhere_can_be_had() {
    let mut app = app();
    let entity = spawn_ready(&mut app, terrain());
    let camera = spawn_camera(&mut app, Vec3::new(1e5, 10.0, 0.0));
    settle(&mut app);
    assert!(all(&mut app, LEVELS - 1));
    for (distance, expected) in [(f32::INFINITY, 0), (0.0, LEVELS - 1), (1e6, 0)] {
        app.world_mut()
            .get_mut::<TerrainDetail>(entity)
            .unwrap()
            .distance = distance;
        settle(&mut app);
        assert!(all(&mut app, expected), "at {distance}");
    }
    app.world_mut().entity_mut(camera).despawn();
    settle(&mut app);
    assert!(all(&mut app, 0), "without a camera nothing changes");
}

#[test]
fn coarser_meshes_are_smaller_and_keep_the_corners() {
    let mut app = app();
    spawn_ready(&mut app, terrain());
    let world = app.world_mut();
    let mut chunks = world.query::<&TerrainChunk>();
    let meshes = world.resource::<Assets<Mesh>>();
    for chunk in chunks.iter(world) {
        let levels: Vec<&Mesh> = chunk
            .levels
            .iter()
            .map(|level| meshes.get(level).unwrap())
            .collect();
        let triangles = |mesh: &Mesh| mesh.indices().unwrap().len() / 3;
        for pair in levels.windows(2) {
            let (fine, coarse) = (triangles(pair[0]), triangles(pair[1]));
            assert!(coarse * 2 < fine, "{fine}, then {coarse} triangles");
        }
        let corner = positions(levels[0])[0];
        assert!(levels.iter().all(|mesh| positions(mesh)[0] == corner));
    }
}
