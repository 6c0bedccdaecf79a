//! The meshes of roads are on the terrain, and follow it.

use bevy::prelude::*;
use lanternfell_terrain::{
    PathMesh, TerrainPath, TerrainPlatform,
    edits::{Bank, Brush, Earthwork, PathHeights, Pavement},
    prelude::*,
};

use lanternfell_terrain_test_support::{
    drawn::{positions, vectors},
    terrain::*,
};

use crate::edit_updates::terrain;

fn road() -> TerrainPath {
    let line = [[-150.0, 40.0], [0.0, -60.0], [160.0, 50.0]];
    TerrainPath::new(10.0, line.map(|[x, z]| Vec3::new(x, 15.0, z)))
}

/// Waits until the terrain is up to date, and then for the mesh of another path, so that no task is behind.
fn settle(app: &mut App, terrain: Entity) {
    app.update();
    update_until(app, |app| count::<With<TerrainProgress>>(app) == 0);
    app.update();
    if !has::<TerrainSurface>(app, terrain) {
        return;
    }
    for _ in 0..3 {
        let footpath = TerrainPath {
            earthwork: Earthwork::None,
            pavement: Pavement {
                plants: true,
                ..default()
            },
            ..road()
        };
        let last = app
            .world_mut()
            .spawn((footpath, PathMesh::default(), ChildOf(terrain)))
            .id();
        update_until(app, |app| handle(app, last).is_some());
        app.world_mut().despawn(last);
        app.update();
        update_until(app, |app| count::<With<TerrainProgress>>(app) == 0);
    }
}

fn handle(app: &App, path: Entity) -> Option<Handle<Mesh>> {
    app.world().get::<Mesh3d>(path).map(|mesh| mesh.0.clone())
}

fn mesh(app: &App, path: Entity) -> &Mesh {
    let mesh = handle(app, path).expect("the path has a mesh");
    app.world().resource::<Assets<Mesh>>().get(&mesh).unwrap()
}

/// Checks that all vertices are above the terrain by the lift of the mesh, or slightly more where the terrain bends. Returns
/// the lowest and the highest one in its local space.
fn check_on_terrain(app: &App, terrain: Entity, path: Entity) -> [f32; 2] {
    let place = app.world().get::<Transform>(path).unwrap().compute_affine();
    let ground = ground(app, terrain);
    let lift = app.world().get::<PathMesh>(path).unwrap().lift;
    let (mesh, mut range) = (mesh(app, path), [f32::INFINITY, f32::NEG_INFINITY]);
    let normals = vectors(mesh, Mesh::ATTRIBUTE_NORMAL);
    let mut more = 0.0;
    for (at, normal) in positions(mesh).into_iter().zip(normals) {
        let at = place.transform_point3(at);
        let height = ground.surface().height(at.xz()).unwrap();
        let above = at.y - height - lift;
        assert!((-1e-3..1.0).contains(&above), "{at} above {height}");
        more += above;
        let normal = (place.matrix3.inverse().transpose() * normal).normalize();
        assert!(normal.y > 0.0, "{normal} at {at}");
        range = [range[0].min(at.y), range[1].max(at.y)];
    }
    let up = positions(mesh);
    let mean = more / up.len() as f32;
    assert!(mean < 0.03, "{mean} m more than the lift");
    for corners in mesh.indices().unwrap().iter().collect::<Vec<_>>().chunks(3) {
        let [a, b, c] = [0, 1, 2].map(|corner| place.transform_point3(up[corners[corner]]));
        assert!((b - a).cross(c - a).y > 0.0);
    }
    range
}

#[test]
fn mesh_is_on_the_bed_wherever_the_path_is() {
    let mut app = app();
    let entity = spawn_ready(&mut app, terrain());
    let bundle = (road(), PathMesh { lift: 0.5 }, ChildOf(entity));
    let path = app.world_mut().spawn(bundle).id();
    settle(&mut app, entity);
    check_on_terrain(&app, entity, path);
    let first = handle(&app, path);
    for place in [
        Transform::from_xyz(20.0, 0.0, -30.0).with_rotation(Quat::from_rotation_y(2.0)),
        Transform::from_scale(Vec3::new(0.5, 2.0, 1.2)),
        // Mirrored.
        Transform::from_scale(Vec3::new(-1.0, 1.0, 1.0)),
    ] {
        *app.world_mut().get_mut(path).unwrap() = place;
        settle(&mut app, entity);
        check_on_terrain(&app, entity, path);
        assert_ne!(handle(&app, path), first);
    }
}

#[test]
fn mesh_is_replaced_only_when_the_terrain_below_it_changes() {
    let mut app = app();
    let entity = spawn_ready(&mut app, (terrain(), TerrainEdits::default()));
    let footpath = TerrainPath {
        earthwork: Earthwork::None,
        heights: PathHeights::Points,
        ..road()
    };
    let bundle = (footpath, PathMesh { lift: 0.5 }, ChildOf(entity));
    let path = app.world_mut().spawn(bundle).id();
    settle(&mut app, entity);
    let [_, highest] = check_on_terrain(&app, entity, path);
    let first = handle(&app, path);
    let hill = TerrainPlatform {
        bank: Bank {
            slope: 0.5,
            reach: 90.0,
        },
        ..default()
    };
    let platform = |x: f32, z: f32| Transform::from_xyz(x, 60.0, z);
    let bundle = (hill, platform(-250.0, -120.0), ChildOf(entity));
    let platform_entity = app.world_mut().spawn(bundle).id();
    settle(&mut app, entity);
    assert_eq!(handle(&app, path), first);
    *app.world_mut().get_mut(platform_entity).unwrap() = platform(0.0, -60.0);
    settle(&mut app, entity);
    let [_, now] = check_on_terrain(&app, entity, path);
    assert!(
        (60.5..60.7).contains(&now) && highest < 50.0,
        "{now}, {highest}"
    );
    // The terrain is generated again.
    set_recipe(&mut app, entity, hills(330, 200, 9));
    settle(&mut app, entity);
    check_on_terrain(&app, entity, path);
}

#[test]
fn mesh_is_removed_with_its_path_or_terrain() {
    let mut app = app();
    let meshes = |app: &App| app.world().resource::<Assets<Mesh>>().len();
    for step in 0..4 {
        let entity = spawn_ready(&mut app, terrain());
        settle(&mut app, entity);
        let before = meshes(&app);
        let bundle = (road(), PathMesh::default(), ChildOf(entity));
        let path = app.world_mut().spawn(bundle).id();
        settle(&mut app, entity);
        assert!(handle(&app, path).is_some());
        let mut to_change = app.world_mut().entity_mut(path);
        match step {
            0 => drop(to_change.remove::<PathMesh>()),
            1 => drop(to_change.remove::<TerrainPath>()),
            2 => drop(to_change.remove::<ChildOf>()),
            _ => {
                app.world_mut().entity_mut(entity).remove::<Terrain>();
            }
        }
        settle(&mut app, entity);
        assert_eq!(handle(&app, path), None, "{step}");
        if step < 2 {
            assert_eq!(meshes(&app), before);
        }
        app.world_mut().despawn(entity);
        app.world_mut().try_despawn(path).ok();
    }
}

#[test]
fn invalid_paths_have_no_mesh() {
    let mut app = app();
    let entity = spawn_ready(&mut app, terrain());
    for (path, lift, scale) in [
        (TerrainPath::new(f32::NAN, [Vec3::ZERO, Vec3::X]), 0.1, 1.0),
        (TerrainPath::default(), 0.1, 1.0),
        (
            TerrainPath::new(5.0, [Vec3::splat(9e4), Vec3::splat(9.1e4)]),
            0.1,
            1.0,
        ),
        (road(), f32::NAN, 1.0),
        (road(), 0.1, 0.0),
    ] {
        let place = Transform::from_scale(Vec3::splat(scale));
        let bundle = (path, PathMesh { lift }, place, ChildOf(entity));
        let path = app.world_mut().spawn(bundle).id();
        settle(&mut app, entity);
        assert_eq!(handle(&app, path), None);
        app.world_mut().despawn(path);
    }
}

#[test]
fn terrain_does_not_cover_the_mesh_between_vertices() {
    let mut app = app();
    let scale = Scale {
        spacing: 1.0,
        relief: 30.0,
    };
    let terrain = Terrain::new(hills(330, 200, 5)).with_scale(scale);
    let entity = spawn_ready(&mut app, terrain);
    let embankment = TerrainPath {
        earthwork: Earthwork::Fill,
        offset: 3.0,
        ..road()
    };
    for path in [road(), embankment] {
        let bundle = (path, PathMesh::default(), ChildOf(entity));
        let path = app.world_mut().spawn(bundle).id();
        settle(&mut app, entity);
        let ground = ground(&app, entity);
        let mesh = mesh(&app, path);
        let (at, mut count) = (positions(mesh), 0);
        let corners: Vec<usize> = mesh.indices().unwrap().iter().collect();
        for corners in corners.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|corner| at[corners[corner]]);
            for [u, v] in [
                [0.33, 0.33],
                [0.5, 0.0],
                [0.5, 0.5],
                [0.6, 0.3],
                [0.2, 0.2],
                [0.75, 0.0],
            ] {
                let point = u * a + v * b + (1.0 - u - v) * c;
                let height = ground.surface().height(point.xz()).unwrap();
                assert!(point.y > height - 0.005, "{point} below {height}");
                count += 1;
            }
        }
        assert!(count > 10_000);
        app.world_mut().despawn(path);
    }
}

#[test]
fn mesh_follows_when_path_and_terrain_change_together() {
    let mut app = app();
    let entity = spawn_ready(&mut app, (terrain(), TerrainEdits::default()));
    let bundle = (road(), PathMesh::default(), ChildOf(entity));
    let path = app.world_mut().spawn(bundle).id();
    settle(&mut app, entity);
    for step in 0..30 {
        let x = 3.0 * step as f32;
        app.world_mut()
            .get_mut::<Transform>(path)
            .unwrap()
            .translation
            .x = x;
        let at = Vec2::new(x, -60.0);
        let stroke = ground(&app, entity).local_stroke(Brush::Raise { mm: 900 }, 20.0, [at]);
        let mut edits = app.world_mut().get_mut::<TerrainEdits>(entity).unwrap();
        edits.stroke(1, stroke.unwrap()).unwrap();
        app.update();
    }
    settle(&mut app, entity);
    check_on_terrain(&app, entity, path);
    // Other terrain, and another lift.
    let high = Transform::from_xyz(0.0, 70.0, 0.0);
    let other = spawn_ready(&mut app, (Terrain::new(hills(330, 330, 2)), high));
    app.world_mut()
        .entity_mut(path)
        .insert((ChildOf(other), PathMesh { lift: 2.0 }));
    settle(&mut app, other);
    check_on_terrain(&app, other, path);
    app.world_mut().get_mut::<PathMesh>(path).unwrap().lift = 0.5;
    settle(&mut app, other);
    check_on_terrain(&app, other, path);
}
