//! Compares swept spheres with stepping by the clearance.

use super::*;

/// Returns the point of a triangle that is closest to `point`: in the face or on an edge.
fn closest(point: DVec3, triangle: [DVec3; 3]) -> DVec3 {
    let [a, b, c] = triangle;
    let normal = up(triangle);
    let foot = point - normal * normal.dot(point - a);
    let inner = |p: DVec3, q: DVec3| (q - p).cross(foot - p).dot(normal) >= 0.0;
    if inner(a, b) && inner(b, c) && inner(c, a) {
        return foot;
    }
    let on_edge = |(p, q): (DVec3, DVec3)| {
        let part = (point - p).dot(q - p) / (q - p).length_squared();
        p.lerp(q, part.clamp(0.0, 1.0))
    };
    let edges = [(a, b), (b, c), (c, a)].map(on_edge);
    let nearer = |p: &DVec3, q: &DVec3| {
        let away = |p: &DVec3| p.distance_squared(point);
        away(p).total_cmp(&away(q))
    };
    edges.into_iter().min_by(nearer).unwrap()
}

/// Returns the distance from a point to the surface.
fn clearance(triangles: &[[DVec3; 3]], point: DVec3) -> f64 {
    let away = triangles
        .iter()
        .map(|triangle| closest(point, *triangle).distance(point));
    away.fold(f64::INFINITY, f64::min)
}

/// The result of stepping by the clearance (Hart, *Sphere Tracing*, 1996).
enum Stepped {
    /// The sphere touches at this time, and came clearly nearer.
    Touches(f64),
    /// The sphere is never as near as its radius.
    Passes,
    /// The sphere grazes, so the result is unclear.
    Unclear,
}

fn step(triangles: &[[DVec3; 3]], from: DVec3, unit: DVec3, radius: f64, most: f64) -> Stepped {
    let mut time = 0.0;
    for _ in 0..4000 {
        let free = clearance(triangles, from + time * unit) - radius;
        if free < 1e-9 {
            return Stepped::Touches(time);
        }
        time += free;
        if time > most {
            return Stepped::Passes;
        }
    }
    Stepped::Unclear
}

#[test]
fn spheres_match_stepping() {
    let mut rng = random(30);
    let (mut touched, mut passed) = (0, 0);
    for round in 0..80 {
        let map = ground(
            size(2 + rng.below(14), 2 + rng.below(14)),
            round % 4 == 0,
            &mut rng,
        );
        let holes = any_holes(map.size(), [0, 30][round % 2], &mut rng);
        let pyramid = HeightPyramid::of(&map, &go()).unwrap();
        let bare = Surface::new(&map, scale([(1.0, 1.0), (0.3, 0.7), (2.0, 5.0)][round % 3]));
        let bare = bare.with_holes(&holes).unwrap();
        let surface = bare.with_pyramid(&pyramid).unwrap();
        let all: Vec<_> = triangles(&surface, &holes)
            .map(|(_, _, corners)| corners)
            .collect();
        for _ in 0..12 {
            let (from, to) = (any_point(&surface, &mut rng), any_point(&surface, &mut rng));
            let radius = [0.01, 0.2, 1.0, 6.0][rng.below(4) as usize] as f32;
            let most = 2.0 * from.distance(to);
            let hit = surface.cast_sphere(from, radius, to - from, most);
            // The pyramid only skips what is not hit. Among equal hits it may find another one.
            let plain = bare.cast_sphere(from, radius, to - from, most);
            assert_eq!(plain.map(|hit| hit.distance), hit.map(|hit| hit.distance));
            let unit = (to - from).as_dvec3().normalize();
            let scene = || format!("{:?} {from} to {to}, {radius}: {hit:?}", map.size());
            let radius = f64::from(radius);
            match step(&all, from.as_dvec3(), unit, radius, most.into()) {
                Stepped::Touches(time) => {
                    let hit = hit.unwrap_or_else(|| panic!("{} for {time}", scene()));
                    // Stepping stops slightly early, and less slightly if the sphere grazes.
                    let found = f64::from(hit.distance);
                    assert!(
                        (found - time).abs() < 1e-3 * (1.0 + found),
                        "{} for {time}",
                        scene()
                    );
                    let middle = from.as_dvec3() + found * unit;
                    let off = middle.distance(hit.point.as_dvec3()) - radius;
                    assert!(off < 1e-5 * (1.0 + found), "{}: off by {off}", scene());
                    assert!(clearance(&all, hit.point.as_dvec3()) < 1e-5, "{}", scene());
                    if found > 0.0 {
                        assert!(clearance(&all, middle) > radius - 1e-5, "{}", scene());
                        let out = (middle - hit.point.as_dvec3()) / radius;
                        let bent = hit.normal.as_dvec3().distance(out);
                        assert!(bent < 1e-5 * (1.0 + found) / radius, "{}", scene());
                    }
                    touched += 1;
                }
                Stepped::Passes => {
                    assert!(hit.is_none(), "{}", scene());
                    passed += 1;
                }
                Stepped::Unclear => {}
            }
        }
    }
    assert!(touched > 400 && passed > 50, "{touched}, {passed}");
}

#[test]
fn sphere_rests_on_faces_edges_and_corners() {
    let map = Heightmap::from_fn(size(5, 5), |x, y| f32::from(u8::from(x == 2 && y == 2))).unwrap();
    let surface = Surface::new(&map, scale((1.0, 1.0)));
    let drop = |x: f32, z: f32, radius| {
        surface
            .cast_sphere(Vec3::new(x, 9.0, z), radius, Vec3::NEG_Y, 20.0)
            .unwrap()
    };
    let peak = drop(0.0, 0.0, 0.5);
    assert_eq!(
        (peak.distance, peak.point, peak.normal),
        (7.5, Vec3::Y, Vec3::Y)
    );
    let plain = drop(-1.75, 1.75, 0.125);
    assert_eq!((plain.distance, plain.normal), (8.875, Vec3::Y));
    assert!(plain.point.y.abs() < 1e-12, "{plain:?}");
    // Over the border, it touches with its side.
    let edge = drop(2.3, 0.0, 0.5);
    assert!(
        (edge.distance - (9.0 - 0.4)).abs() < 1e-6 && edge.point.x == 2.0,
        "{edge:?}"
    );
    assert_eq!(
        surface.cast_sphere(Vec3::new(2.6, 9.0, 0.0), 0.5, Vec3::NEG_Y, 20.0),
        None
    );
    // The same from below.
    let below = surface
        .cast_sphere(Vec3::new(-1.5, -3.0, -1.5), 1.0, Vec3::Y, 20.0)
        .unwrap();
    assert_eq!((below.distance, below.normal), (2.0, Vec3::NEG_Y));
    // A radius of 0 is a ray, and a touch at the start has distance 0.
    let ray = surface.cast_ray(Vec3::new(0.2, 5.0, 0.1), Vec3::NEG_Y, 9.0);
    assert_eq!(
        surface.cast_sphere(Vec3::new(0.2, 5.0, 0.1), 0.0, Vec3::NEG_Y, 9.0),
        ray
    );
    let stuck = surface
        .cast_sphere(Vec3::new(-1.5, 0.25, 0.5), 0.5, Vec3::Y, 9.0)
        .unwrap();
    assert_eq!((stuck.distance, stuck.normal), (0.0, Vec3::Y));
    for radius in [-1.0, f32::NAN, f32::INFINITY] {
        assert_eq!(
            surface.cast_sphere(Vec3::Y, radius, Vec3::NEG_Y, 9.0),
            None,
            "{radius}"
        );
    }
}

#[test]
fn small_spheres_do_not_slip_through() {
    let mut rng = random(31);
    for round in 0..30 {
        let scale = scale(SCALES[round % SCALES.len()]);
        let map = ground(any_size(&mut rng), round % 2 == 0, &mut rng);
        let pyramid = HeightPyramid::of(&map, &go()).unwrap();
        let surface = Surface::new(&map, scale).with_pyramid(&pyramid).unwrap();
        let (low, high) = map.range();
        let span = scale.spacing.max((high - low) * scale.relief);
        for _ in 0..300 {
            let (a, b) = (
                any_place(&surface, &mut rng),
                any_place(&surface, &mut rng) * 0.999,
            );
            let above = Vec3::new(a.x, high * scale.relief + span, a.y);
            let below = Vec3::new(b.x, low * scale.relief - span, b.y);
            let radius = span * [1e-6, 1e-3, 0.1][rng.below(3) as usize];
            let hit = surface.cast_sphere(above, radius, below - above, f32::INFINITY);
            let ray = surface
                .cast_ray(above, below - above, f32::INFINITY)
                .unwrap();
            let hit = hit.unwrap_or_else(|| panic!("{scale:?} {above} {below} {radius}"));
            assert!(hit.distance <= ray.distance, "{hit:?} {ray:?}");
        }
    }
}
