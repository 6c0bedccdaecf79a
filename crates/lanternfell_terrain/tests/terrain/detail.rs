//! The level of detail follows the cameras.

use bevy::{platform::collections::HashMap, prelude::*};
use lanternfell_terrain::{TerrainChunk, prelude::*};

use lanternfell_terrain_test_support::{
    drawn::{Drawn, positions, vectors},
    terrain::*,
};

/// 8 x 8 squares of 64 m at the finest level.
fn terrain() -> Terrain {
    Terrain::new(hills(513, 513, 1))
}

/// A small map with steep hills. With this error, the level of detail varies within the map.
const MANY_PIXELS: TerrainDetail = TerrainDetail {
    pixel_error: 120.0,
    memory: 64 << 20,
    tangents: false,
};

/// Slightly above the terrain at the western border.
const WEST: Vec3 = Vec3::new(-258.0, 60.0, 10.0);
const FAR: Vec3 = Vec3::new(1e5, 10.0, 0.0);

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
    wait_until_settled(app);
}

/// The x of the corner and the level of each shown chunk, from west to east.
fn levels(app: &mut App) -> Vec<(f32, u32)> {
    let shown = shown_chunks(app);
    let world = app.world();
    let level = |&chunk: &Entity| {
        let place = world.get::<Transform>(chunk).unwrap().translation.x;
        (place, world.get::<TerrainChunk>(chunk).unwrap().level)
    };
    let mut levels: Vec<_> = shown.iter().map(level).collect();
    levels.sort_by(|a, b| a.0.total_cmp(&b.0));
    levels
}

fn finest(app: &mut App) -> u32 {
    levels(app).iter().map(|&(_, level)| level).max().unwrap()
}

fn drawn(app: &App, entity: Entity) -> DrawnDetail {
    *app.world()
        .get(entity)
        .expect("a rendered terrain has a DrawnDetail")
}

#[test]
fn nearby_terrain_is_finer_than_distant_terrain() {
    let mut app = app();
    let entity = spawn_ready(&mut app, (terrain(), MANY_PIXELS));
    assert_eq!(levels(&mut app).len(), 2, "there is no camera");
    let camera = spawn_camera(&mut app, WEST);
    wait_until_settled(&mut app);
    let seen = levels(&mut app);
    let mean = |levels: &[(f32, u32)]| {
        levels.iter().map(|&(_, level)| level as f32).sum::<f32>() / levels.len() as f32
    };
    let (west, east) = seen.split_at(seen.partition_point(|&(x, _)| x < 0.0));
    assert!(mean(west) > mean(east) + 0.5, "{seen:?}");
    assert!(drawn(&app, entity).pixel_error <= 120.0);
    move_to(&mut app, camera, FAR);
    assert_eq!(levels(&mut app).len(), 2);
    move_to(&mut app, camera, WEST);
    assert!(drawn(&app, entity).pixel_error <= 120.0);
}

/// Neighbors of different levels have the same vertices along their border, so there is no gap.
#[test]
fn levels_join_without_cracks() {
    for edits in [TerrainEdits::default(), deep_and_high()] {
        assert_no_cracks((terrain(), edits));
    }
}

fn assert_no_cracks(terrain: impl Bundle) {
    let mut app = app();
    let entity = spawn_ready(&mut app, (terrain, MANY_PIXELS));
    spawn_camera(&mut app, WEST);
    wait_until_settled(&mut app);
    let different: Vec<u32> = levels(&mut app).iter().map(|&(_, level)| level).collect();
    assert!(different.iter().max() > different.iter().min());
    let mut sides: HashMap<[[u32; 3]; 2], i32> = HashMap::default();
    let bits = |place: Vec3| (place + 0.0).to_array().map(f32::to_bits);
    for [a, b, c] in Drawn::new(&mut app, entity).triangles() {
        if (b - a).cross(c - a).y == 0.0 {
            continue; // a wall
        }
        for [from, to] in [[a, b], [b, c], [c, a]] {
            let (from, to) = (bits(from), bits(to));
            let (key, times) = if from < to {
                ([from, to], 1)
            } else {
                ([to, from], -1)
            };
            *sides.entry(key).or_default() += times;
        }
    }
    let border = 256.0;
    for (side, times) in sides {
        let [[ax, _, az], [bx, _, bz]] = side.map(|place| place.map(f32::from_bits));
        let at_border = (ax == bx && ax.abs() == border) || (az == bz && az.abs() == border);
        assert!(
            times == 0 || at_border,
            "a crack from {ax}, {az} to {bx}, {bz}"
        );
    }
}

#[test]
fn all_active_cameras_are_considered() {
    let mut app = app();
    spawn_ready(&mut app, (terrain(), MANY_PIXELS));
    spawn_camera(&mut app, FAR);
    wait_until_settled(&mut app);
    let coarse = finest(&mut app);
    let near = spawn_camera(&mut app, WEST);
    wait_until_settled(&mut app);
    assert!(
        finest(&mut app) > coarse,
        "only the first camera was considered"
    );
    app.world_mut().get_mut::<Camera>(near).unwrap().is_active = false;
    wait_until_settled(&mut app);
    assert_eq!(
        finest(&mut app),
        coarse,
        "an inactive camera was considered"
    );
}

#[test]
fn scaled_terrain_has_the_same_detail_at_scaled_distance() {
    let mut counts = Vec::new();
    for scale in [1.0, 10.0] {
        let mut app = app();
        let place = Transform::from_scale(Vec3::splat(scale));
        spawn_ready(&mut app, (terrain(), MANY_PIXELS, place));
        spawn_camera(&mut app, WEST * scale);
        wait_until_settled(&mut app);
        counts.push(levels(&mut app).len());
    }
    assert_eq!(counts[0], counts[1]);
}

#[test]
fn less_memory_gives_a_larger_reported_error() {
    let mut app = app();
    let detail = |memory| TerrainDetail {
        pixel_error: 0.2,
        memory,
        ..default()
    };
    let entity = spawn_ready(&mut app, (terrain(), detail(64 << 20)));
    spawn_camera(&mut app, WEST);
    wait_until_settled(&mut app);
    let all = drawn(&app, entity);
    assert!(all.pixel_error <= 0.2 && all.bytes <= 64 << 20, "{all:?}");
    *app.world_mut().get_mut::<TerrainDetail>(entity).unwrap() = detail(4 << 20);
    wait_until_settled(&mut app);
    let less = drawn(&app, entity);
    assert!(less.bytes <= 4 << 20 && less.pixel_error > 0.2, "{less:?}");
    assert!(
        less.patches > 10 && less.triangles < all.triangles,
        "{less:?}"
    );
}

/// The meshes never exceed the memory limit: while one cut replaces another, with new terrain, and while replaced
/// chunks are being despawned, which takes several frames with the larger limit.
#[test]
fn memory_limit_holds_while_cameras_move() {
    for (memory, pixel_error) in [(6 << 20, 0.5), (40 << 20, 0.05)] {
        let mut app = app();
        let detail = TerrainDetail {
            pixel_error,
            memory,
            ..default()
        };
        let entity = spawn_ready(&mut app, (terrain(), detail));
        let camera = spawn_camera(&mut app, WEST);
        let mut most = 0;
        let mut step = |app: &mut App| {
            app.update();
            most = most.max(mesh_bytes(app));
        };
        for jump in 0..12 {
            let at = Vec3::new(
                -250.0 + 100.0 * (jump % 6) as f32,
                40.0,
                200.0 - 90.0 * (jump % 5) as f32,
            );
            app.world_mut()
                .get_mut::<Transform>(camera)
                .unwrap()
                .translation = at;
            (0..3).for_each(|_| step(&mut app));
            if jump % 6 == 5 {
                change_recipe(&mut app, entity, |recipe| recipe.seed += 9);
            }
            update_until(&mut app, |app| {
                step(app);
                let world = app.world();
                let refining = world
                    .get::<DrawnDetail>(entity)
                    .is_some_and(|drawn| drawn.refining);
                !refining && !has::<TerrainProgress>(app, entity)
            });
        }
        assert!(most > memory / 3 && most <= memory, "{most} of {memory}");
    }
}

/// The size in bytes of all chunks, shown or not.
fn mesh_bytes(app: &mut App) -> usize {
    let world = app.world_mut();
    let mut chunks = world.query_filtered::<&Mesh3d, With<TerrainChunk>>();
    let meshes = world.resource::<Assets<Mesh>>();
    let bytes = |mesh: &Mesh| {
        let vertex = mesh.get_vertex_size() as usize;
        vertex * mesh.count_vertices() + 2 * mesh.indices().unwrap().len()
    };
    chunks
        .iter(world)
        .map(|mesh| bytes(meshes.get(&mesh.0).unwrap()))
        .sum()
}

#[test]
fn zero_pixel_error_renders_every_cell() {
    let mut app = app();
    let entity = spawn_ready(&mut app, (terrain(), MANY_PIXELS));
    let camera = spawn_camera(&mut app, FAR);
    wait_until_settled(&mut app);
    assert_eq!(levels(&mut app).len(), 2);
    let set = |app: &mut App, pixel_error| {
        app.world_mut()
            .get_mut::<TerrainDetail>(entity)
            .unwrap()
            .pixel_error = pixel_error;
        wait_until_settled(app);
        levels(app).len()
    };
    assert_eq!(set(&mut app, 0.0), 64);
    assert_eq!(set(&mut app, 1e9), 2);
    assert_eq!(set(&mut app, 0.0), 64);
    app.world_mut().entity_mut(camera).despawn();
    wait_until_settled(&mut app);
    assert_eq!(levels(&mut app).len(), 64, "there is no camera any more");
}

#[test]
fn normals_match_the_map_at_every_level() {
    let mut app = app();
    let entity = spawn_ready(&mut app, (terrain(), MANY_PIXELS));
    spawn_camera(&mut app, WEST);
    wait_until_settled(&mut app);
    let ground = ground(&app, entity).clone();
    let world = app.world_mut();
    let mut chunks = world.query_filtered::<(&Mesh3d, &Transform), With<TerrainChunk>>();
    let meshes = world.resource::<Assets<Mesh>>();
    for (mesh, place) in chunks.iter(world) {
        let mesh = meshes.get(&mesh.0).unwrap();
        let normals = vectors(mesh, Mesh::ATTRIBUTE_NORMAL);
        for (vertex, normal) in positions(mesh).into_iter().zip(normals).step_by(17) {
            let cell = (vertex + place.translation).xz() + 256.0;
            let expected = ground
                .surface()
                .vertex_normal(cell.x as usize, cell.y as usize);
            assert_eq!(normal, expected, "at {cell}");
        }
    }
}

/// Either all shown chunks have tangents or none, the terrain is visible in every frame, and the memory limit holds.
#[test]
fn tangents_change_for_all_chunks_at_once() {
    let mut app = app();
    let entity = spawn_ready(&mut app, (terrain(), TerrainDetail::default()));
    spawn_camera(&mut app, WEST);
    wait_until_settled(&mut app);
    let before = drawn(&app, entity);
    let has_tangents = |app: &mut App| -> Option<bool> {
        let chunks = shown_chunks(app);
        let meshes = app.world().resource::<Assets<Mesh>>();
        let mut has = chunks.iter().map(|&chunk| {
            let mesh = &app.world().get::<Mesh3d>(chunk).unwrap().0;
            meshes
                .get(mesh)
                .unwrap()
                .contains_attribute(Mesh::ATTRIBUTE_TANGENT)
        });
        let first = has.next()?;
        has.all(|other| other == first).then_some(first)
    };
    for tangents in [true, false] {
        let mut detail = app.world_mut().get_mut::<TerrainDetail>(entity).unwrap();
        detail.tangents = tangents;
        let memory = detail.memory;
        update_until(&mut app, |app| {
            assert!(mesh_bytes(app) <= memory);
            has_tangents(app).expect("all chunks have the same layout") == tangents
        });
        wait_until_settled(&mut app);
        assert!(drawn(&app, entity).pixel_error <= before.pixel_error.max(1.0));
    }
}
