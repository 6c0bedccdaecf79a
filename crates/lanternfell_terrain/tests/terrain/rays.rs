//! Ray casts, sphere casts and lines of sight, compared with each rendered triangle.

use bevy::prelude::*;
use lanternfell_terrain::{heightmap::SeededRng, prelude::*};

use lanternfell_terrain_test_support::{drawn::Drawn, terrain::*};

fn places() -> [Transform; 3] {
    let turned = Quat::from_rotation_y(0.7);
    [
        Transform::IDENTITY,
        Transform::from_xyz(-30.0, 12.0, 70.0).with_rotation(turned),
        Transform::from_xyz(5.0, -3.0, 0.0)
            .with_rotation(turned)
            .with_scale(Vec3::splat(2.5)),
    ]
}

/// Rays that start above, in and below the terrain, in any direction.
fn rays(place: &Transform, count: usize) -> Vec<Ray3d> {
    let mut rng = SeededRng::new(11, b"rays    ");
    let mut unit = move || 2.0 * rng.unit() as f32 - 1.0;
    let ray = |_| {
        let origin = Vec3::new(50.0 * unit(), 8.0 + 12.0 * unit(), 40.0 * unit());
        let along = Vec3::new(unit(), unit() - 0.3, unit());
        let direction = Dir3::new(along).unwrap_or(Dir3::NEG_Y);
        Ray3d::new(place.transform_point(origin), direction)
    };
    (0..count).map(ray).collect()
}

/// The distance along a ray to a triangle (Moeller and Trumbore, from both sides).
fn meets(ray: &Ray3d, [a, b, c]: [Vec3; 3]) -> Option<f32> {
    let (origin, direction) = (ray.origin.as_dvec3(), ray.direction.as_dvec3());
    let (a, b, c) = (a.as_dvec3(), b.as_dvec3(), c.as_dvec3());
    let (ab, ac) = (b - a, c - a);
    let across = direction.cross(ac);
    let part = 1.0 / ab.dot(across);
    let from_a = origin - a;
    let u = from_a.dot(across) * part;
    let along = from_a.cross(ab);
    let v = direction.dot(along) * part;
    let distance = ac.dot(along) * part;
    let slack = 1e-9;
    let inside = u >= -slack && v >= -slack && u + v <= 1.0 + slack && distance >= 0.0;
    inside.then_some(distance as f32)
}

#[test]
fn rays_hit_rendered_triangles() {
    let cases = places().map(|place| (place, TerrainEdits::default()));
    let edited = places().map(|place| (place, deep_and_high()));
    for (place, edits) in cases.into_iter().chain(edited) {
        let mut app = app();
        let entity = spawn_ready(&mut app, (Terrain::new(hills(90, 70, 3)), edits, place));
        let drawn = Drawn::new(&mut app, entity);
        // Without the vertical skirts around the map, which are not part of the surface.
        let upright = |[a, b, c]: &[Vec3; 3]| (*b - *a).cross(*c - *a).y.abs() < 1e-6;
        let ground: Vec<_> = drawn
            .triangles()
            .filter(|triangle| !upright(triangle))
            .collect();
        let reach = 60.0;
        let mut hits = 0;
        for ray in rays(&place, 300) {
            let nearest = ground.iter().filter_map(|triangle| meets(&ray, *triangle));
            let expected = nearest
                .min_by(f32::total_cmp)
                .filter(|&distance| distance <= reach);
            let answer = ask(&mut app, move |terrains| terrains.cast_ray(ray, reach));
            let Some(hit) = answer else {
                assert!(
                    expected.is_none_or(|distance| distance > reach - 1e-3),
                    "{ray:?} missed"
                );
                continue;
            };
            hits += 1;
            let expected = expected.unwrap_or_else(|| panic!("{ray:?} hits no rendered triangle"));
            assert!(
                (hit.distance - expected).abs() < 2e-3,
                "{ray:?}: {} for {expected}",
                hit.distance
            );
            assert!(
                hit.point.distance(ray.get_point(hit.distance)) < 2e-3,
                "{ray:?}"
            );
            assert!(
                (hit.normal.length() - 1.0).abs() < 1e-4 && hit.normal.y > 0.0,
                "{ray:?}"
            );
            assert_eq!(hit.terrain, entity);
        }
        assert!((50..290).contains(&hits), "{hits} of 300 rays hit");
    }
}

#[test]
fn ray_hits_the_nearest_terrain() {
    let mut app = app();
    let low = spawn_ready(&mut app, Terrain::new(hills(60, 60, 1)));
    let high = Transform::from_xyz(0.0, 100.0, 0.0);
    let high = spawn_ready(&mut app, (Terrain::new(hills(60, 60, 2)), high));
    let cast = |app: &mut App, from: f32, direction: Dir3| {
        let ray = Ray3d::new(Vec3::new(1.3, from, 2.1), direction);
        ask(app, move |terrains| terrains.cast_ray(ray, 1e4)).map(|hit| hit.terrain)
    };
    assert_eq!(cast(&mut app, 300.0, Dir3::NEG_Y), Some(high));
    assert_eq!(cast(&mut app, 60.0, Dir3::NEG_Y), Some(low));
    assert_eq!(cast(&mut app, 60.0, Dir3::Y), Some(high));
    assert_eq!(cast(&mut app, 300.0, Dir3::Y), None);
}

#[test]
fn sphere_stops_on_the_surface() {
    for place in places() {
        let mut app = app();
        spawn_ready(&mut app, (Terrain::new(hills(90, 70, 3)), place));
        let scale = place.scale.x;
        for (x, z) in [(0.0, 0.0), (13.0, -20.0), (-31.0, 9.0)] {
            let from = place.transform_point(Vec3::new(x, 60.0, z));
            let radius = 0.8 * scale;
            let ray = Ray3d::new(from, Dir3::NEG_Y);
            let hit = ask(&mut app, move |terrains| {
                terrains.cast_sphere(ray, radius, 1e3)
            })
            .unwrap();
            let middle = ray.get_point(hit.distance);
            assert!(
                (middle.distance(hit.point) - radius).abs() < 1e-3 * scale,
                "{middle}"
            );
            assert!(
                (middle - hit.point).normalize().distance(hit.normal) < 1e-2,
                "{middle}"
            );
            let below = ask(&mut app, move |terrains| terrains.height(middle)).unwrap();
            assert!(
                middle.y - below >= radius - 1e-3 * scale,
                "the sphere is inside the terrain at {middle}"
            );
        }
    }
}

#[test]
fn hills_block_the_line_of_sight() {
    let mut app = app();
    spawn_ready(&mut app, Terrain::new(hills(120, 120, 3)));
    let mut rng = SeededRng::new(4, b"looks   ");
    let mut seen = [0, 0];
    for _ in 0..200 {
        let mut stand = || {
            let mut unit = || 100.0 * (rng.unit() as f32 - 0.5);
            Vec3::new(unit(), 0.0, unit())
        };
        let (from, to) = (stand(), stand());
        let (sees, blocked) = ask(&mut app, move |terrains| {
            let eye = |at: Vec3| at.with_y(terrains.height(at).unwrap() + 1.0);
            let (from, to) = (eye(from), eye(to));
            let ray = Ray3d::new(from, Dir3::new(to - from).unwrap());
            let blocked = terrains.cast_ray(ray, from.distance(to)).is_some();
            (terrains.line_of_sight(from, to), blocked)
        });
        assert_eq!(sees, !blocked, "from {from} to {to}");
        seen[usize::from(sees)] += 1;
    }
    assert!(seen[0] > 20 && seen[1] > 20, "{seen:?}");
}
