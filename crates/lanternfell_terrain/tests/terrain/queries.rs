//! `TerrainQuery` returns the rendered surface.

use bevy::prelude::*;
use lanternfell_terrain::{TerrainChunk, heightmap::analysis::CurvatureKind, prelude::*};

use lanternfell_terrain_test_support::{
    drawn::{Drawn, positions, vectors},
    terrain::*,
};

/// Terrains with different scales and transforms.
fn placed() -> [(Terrain, Transform); 4] {
    let terrain = |recipe: Recipe, spacing, relief| {
        Terrain::new(recipe).with_scale(Scale { spacing, relief })
    };
    let turn = Quat::from_rotation_y;
    [
        (Terrain::new(hills(65, 65, 1)), Transform::default()),
        (
            terrain(hills(90, 41, 2), 2.5, 20.0),
            Transform::from_xyz(300.0, -20.0, 77.0),
        ),
        (
            terrain(hills(41, 150, 3), 0.5, 9.0),
            Transform::from_xyz(-3.0, 6.0, 2.0).with_rotation(turn(2.4)),
        ),
        (
            terrain(hills(70, 70, 4), 1.0, 12.0),
            Transform::from_xyz(40.0, 1.0, -30.0)
                .with_rotation(turn(-0.7))
                .with_scale(Vec3::splat(1.7)),
        ),
    ]
}

#[test]
fn heights_match_rendered_triangles() {
    for (terrain, place) in placed() {
        let case = case(&terrain);
        let mut app = app();
        let entity = spawn_ready(&mut app, (terrain.clone(), place));
        let drawn = Drawn::new(&mut app, entity);
        let tolerance = 1e-3 * scale_of(&terrain).relief * place.scale.y;
        for point in points_over(&ground(&app, entity).clone(), 5, 300) {
            let at = place.transform_point(point);
            let height = ask(&mut app, move |terrains| terrains.height(at)).unwrap();
            let expected = drawn.height(Vec2::new(at.x, at.z)).unwrap();
            assert!(
                (height - expected).abs() < tolerance,
                "{case}, {at}: {height}, drawn at {expected}"
            );
            let above = at + Vec3::Y * 1000.0;
            let again = ask(&mut app, move |terrains| terrains.height(above)).unwrap();
            assert!(
                (height - again).abs() < tolerance,
                "{case}, {at}: the result depends on y"
            );
        }
    }
}

#[test]
fn normals_match_the_mesh() {
    for (terrain, place) in placed() {
        let case = case(&terrain);
        let mut app = app();
        let entity = spawn_ready(&mut app, (terrain, place));
        for point in points_over(&ground(&app, entity).clone(), 6, 100) {
            let at = place.transform_point(point);
            let normal = ask(&mut app, move |terrains| terrains.normal(at)).unwrap();
            assert!(
                normal.is_normalized() && normal.y > 0.0,
                "{case}, {at}: {normal}"
            );
        }
        for (vertex, normal) in vertices_within(&mut app, 60) {
            let at = place.transform_point(vertex);
            let answer = ask(&mut app, move |terrains| terrains.normal(at)).unwrap();
            let expected = place.rotation * normal;
            assert!(
                answer.distance(expected) < 0.01,
                "{case}, {at}: {answer}, drawn as {expected}"
            );
        }
    }
}

/// In world space: scaling a terrain keeps slopes and reduces curvature.
#[test]
fn slopes_and_curvatures_match_the_surface() {
    for (terrain, place) in placed() {
        let case = case(&terrain);
        let mut app = app();
        let entity = spawn_ready(&mut app, (terrain, place));
        let ground = ground(&app, entity).clone();
        let surface = ground.surface();
        let mut steep = 0;
        for point in points_over(&ground, 9, 100) {
            // Skips points near an edge between triangles, where rounding may select either.
            let on_square = (point.xz() + surface.half_extent()) / surface.scale().spacing;
            let part = on_square.fract();
            if (part.x + part.y - 1.0).abs().min(part.min_element()) < 0.02 {
                continue;
            }
            let at = place.transform_point(point);
            let kind = CurvatureKind::Mean;
            let (slope, bend) = ask(&mut app, move |terrains| {
                (
                    terrains.slope(at).unwrap(),
                    terrains.curvature(at, kind).unwrap(),
                )
            });
            let expected = surface.slope(point.xz()).unwrap();
            assert!(
                (slope - expected).abs() < 0.01,
                "{case}, {at}: {slope} and not {expected}"
            );
            let expected = surface.curvature(point.xz(), kind).unwrap() / place.scale.y;
            assert!(
                (bend - expected).abs() < 1e-3,
                "{case}, {at}: {bend} and not {expected}"
            );
            steep += usize::from(slope > 5.0);
        }
        assert!(steep > 10, "{case}: {steep} points are steep");
        let beyond = place.transform_point(Vec3::X * 1000.0);
        let none = ask(&mut app, move |terrains| {
            let bend = terrains.curvature(beyond, CurvatureKind::Mean);
            (terrains.slope(beyond), bend)
        });
        assert_eq!(none, (None, None), "{case}");
    }
}

/// Several overlapping terrains: each point gives the highest.
#[test]
fn batch_equals_single_queries() {
    let mut app = app();
    for (terrain, place) in placed() {
        spawn_ready(&mut app, (terrain, place));
    }
    let mut points: Vec<Vec3> = (0..400)
        .map(|k| {
            Vec3::new(
                (k % 20) as f32 * 21.0 - 80.0,
                0.0,
                (k / 20) as f32 * 11.0 - 90.0,
            )
        })
        .collect();
    points.push(Vec3::NAN);
    let (single, batch) = ask(&mut app, move |terrains| {
        let single: Vec<_> = points.iter().map(|&at| terrains.hit(at)).collect();
        // Previous values in the output are overwritten. The additional element stays unchanged.
        let before = single.iter().flatten().next().copied();
        let mut batch = vec![before; points.len() + 1];
        terrains.hits(&points, &mut batch);
        assert_eq!(batch.pop(), Some(before));
        (single, batch)
    });
    assert_eq!(single, batch);
    let mut hit: Vec<Entity> = single.iter().flatten().map(|hit| hit.terrain).collect();
    hit.sort();
    hit.dedup();
    assert_eq!(hit.len(), 4, "not all terrains were hit");
    assert!(single.iter().any(Option::is_none));
}

/// Some vertices of the first chunk with their normals, away from the chunk's border.
fn vertices_within(app: &mut App, number: usize) -> Vec<(Vec3, Vec3)> {
    let world = app.world_mut();
    let mut chunks = world.query_filtered::<(&Mesh3d, &Transform), With<TerrainChunk>>();
    let (mesh, place) = chunks.iter(world).next().unwrap();
    let mesh = world.resource::<Assets<Mesh>>().get(&mesh.0).unwrap();
    let origin = place.translation;
    let vertices: Vec<Vec3> = positions(mesh).into_iter().map(|v| v + origin).collect();
    let normals = vectors(mesh, Mesh::ATTRIBUTE_NORMAL);
    let (low, high) = vertices
        .iter()
        .fold((Vec3::MAX, Vec3::MIN), |(low, high), &vertex| {
            (low.min(vertex), high.max(vertex))
        });
    let inside = |(vertex, _): &(Vec3, Vec3)| {
        (low.x + 0.01..high.x - 0.01).contains(&vertex.x)
            && (low.z + 0.01..high.z - 0.01).contains(&vertex.z)
    };
    let all: Vec<_> = vertices.into_iter().zip(normals).filter(inside).collect();
    let step = (all.len() / number).max(1);
    all.into_iter().step_by(step).collect()
}

#[test]
fn returns_none_outside_the_terrain() {
    for (terrain, place) in placed() {
        let case = case(&terrain);
        let mut app = app();
        let entity = spawn_ready(&mut app, (terrain, place));
        let edge = ground(&app, entity).surface().half_extent();
        for (x, z, inside) in [
            (0.999, 0.0, true),
            (1.001, 0.0, false),
            (-0.999, -0.999, true),
            (0.0, -1.001, false),
            (5.0, 5.0, false),
            (f32::NAN, 0.0, false),
            (f32::INFINITY, 0.0, false),
        ] {
            let at = place.transform_point(Vec3::new(x * edge.x, 0.0, z * edge.y));
            let answers = ask(&mut app, move |terrains| {
                [
                    terrains.hit(at).is_some(),
                    terrains.height(at).is_some(),
                    terrains.normal(at).is_some(),
                    terrains.water_depth(at).is_some(),
                ]
            });
            assert_eq!(answers, [inside; 4], "{case}, at {x}, {z}");
        }
    }
}

#[test]
fn water_level_and_depth_match_settings() {
    for (terrain, place) in placed() {
        let case = case(&terrain);
        let mut app = app();
        let entity = spawn_ready(&mut app, (terrain.clone(), place));
        for level in [None, Some(0.3), Some(0.0), Some(1.0)] {
            app.world_mut().get_mut::<Water>(entity).unwrap().level = level;
            let share = level.unwrap_or(terrain.recipe().unwrap().water_level());
            let expected = place.translation.y + share * scale_of(&terrain).relief * place.scale.y;
            let (mut dry, mut wet) = (0, 0);
            for point in points_over(&ground(&app, entity).clone(), 7, 100) {
                let at = place.transform_point(point);
                let hit = ask(&mut app, move |terrains| terrains.hit(at)).unwrap();
                let stands = hit.water_level.unwrap();
                assert!(
                    (stands - expected).abs() < 1e-3,
                    "{case}, level {level:?}, {at}: {stands}, but should be {expected}"
                );
                let depth = (expected - hit.point.y).max(0.0);
                assert!(
                    (hit.water_depth() - depth).abs() < 1e-3,
                    "{case}, level {level:?}, {at}: {hit:?}, {depth} m deep"
                );
                let asked = ask(&mut app, move |terrains| terrains.water_depth(at));
                assert_eq!(
                    asked,
                    Some(hit.water_depth()),
                    "{case}, level {level:?}, {at}"
                );
                *(if depth > 0.0 { &mut wet } else { &mut dry }) += 1;
            }
            match level {
                Some(0.0) => assert_eq!(wet, 0, "{case}"),
                Some(1.0) => assert!(dry < 5, "{case}: {dry} dry"),
                _ => assert!(
                    dry > 0 && wet > 0,
                    "{case}, level {level:?}: {dry} dry and {wet} wet"
                ),
            }
        }
    }
}

#[test]
fn hidden_water_is_not_reported() {
    let mut app = app();
    let entity = spawn_ready(&mut app, Terrain::new(hills(65, 65, 1)));
    app.world_mut().get_mut::<Water>(entity).unwrap().level = Some(0.9);
    let ask_middle = |app: &mut App| {
        ask(app, |terrains| {
            terrains
                .hit(Vec3::ZERO)
                .map(|hit| (hit.water_level, hit.water_depth()))
        })
    };
    assert!(ask_middle(&mut app).unwrap().0.is_some());
    app.world_mut().entity_mut(entity).remove::<Water>();
    assert_eq!(ask_middle(&mut app), Some((None, 0.0)));
}

#[test]
fn moved_terrain_uses_its_new_transform() {
    let mut app = app();
    let entity = spawn_ready(&mut app, Terrain::new(hills(65, 65, 1)));
    let before = ask(&mut app, |terrains| terrains.height(Vec3::ZERO)).unwrap();
    let place = Transform::from_xyz(500.0, 7.0, 0.0);
    *app.world_mut().get_mut::<Transform>(entity).unwrap() = place;
    app.update();
    assert_eq!(ask(&mut app, |terrains| terrains.height(Vec3::ZERO)), None);
    let after = ask(&mut app, move |terrains| terrains.height(place.translation)).unwrap();
    assert!((after - before - 7.0).abs() < 1e-3);
}
