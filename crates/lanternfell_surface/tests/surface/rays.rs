//! Compares rays and segments with a test of every triangle.

use proptest::prelude::*;

use super::*;

/// A straight line for times from 0 to 1.
#[derive(Debug, Clone, Copy)]
struct Way {
    from: DVec3,
    along: DVec3,
}

impl Way {
    fn at(&self, time: f64) -> DVec3 {
        self.from + time * self.along
    }

    /// Returns the height above the surface at a time. There are several values on an edge.
    fn above(&self, surface: &Surface<'_>, holes: &HoleMask, time: f64) -> Vec<f64> {
        let point = self.at(time);
        let heights = slow_heights(surface, holes, DVec2::new(point.x, point.z));
        heights.into_iter().map(|height| point.y - height).collect()
    }

    /// Returns the time at which the line passes through a triangle, at least `margin` inside its
    /// edges (Möller and Trumbore).
    fn through(&self, [a, b, c]: [DVec3; 3], margin: f64) -> Option<f64> {
        let (ab, ac, away) = (b - a, c - a, self.from - a);
        let across = self.along.cross(ac);
        let whole = ab.dot(across);
        let turn = away.cross(ab);
        let (u, v) = (away.dot(across) / whole, self.along.dot(turn) / whole);
        let time = ac.dot(turn) / whole;
        let inside = u >= margin && v >= margin && u + v <= 1.0 - margin;
        (inside && (0.0..=1.0).contains(&time)).then_some(time)
    }

    /// Returns the time at which the line first passes through a triangle, at least `margin` inside
    /// its edges.
    fn first(&self, surface: &Surface<'_>, holes: &HoleMask, margin: f64) -> Option<f64> {
        triangles(surface, holes)
            .filter_map(|(_, _, triangle)| self.through(triangle, margin))
            .min_by(f64::total_cmp)
    }
}

/// Returns a random segment: free, along grid lines and diagonals, level, vertical, or from cell to
/// cell.
fn any_segment(surface: &Surface<'_>, rng: &mut SeededRng) -> (Vec3, Vec3) {
    let (mut from, mut to) = (any_point(surface, rng), any_point(surface, rng));
    let spacing = surface.scale().spacing;
    let cell = |rng: &mut SeededRng| {
        let (columns, rows) = (surface.map().width(), surface.map().height());
        surface.vertex(
            rng.below(columns as u64) as usize,
            rng.below(rows as u64) as usize,
        )
    };
    match rng.below(9) {
        0 => to.x = from.x,
        1 => to.z = from.z,
        2 => (to.x, to.z) = (from.x, from.z),
        3 => to.y = from.y,
        4 => {
            from = cell(rng);
            from.y += spacing;
            let turn = if rng.percent(50) { 1.0 } else { -1.0 };
            let reach = spacing * rng.between(-9.0, 9.0) as f32;
            to = from + Vec3::new(reach, rng.between(-3.0, 3.0) as f32 * spacing, turn * reach);
        }
        5 => (from, to) = (cell(rng), cell(rng)),
        6 => {
            to = cell(rng);
            from = to + (to - from) * 0.5;
        }
        7 => {
            // Along a grid line, at the height of a cell.
            from = cell(rng);
            to = Vec3::new(from.x, from.y, -from.z + spacing);
        }
        _ => {}
    }
    (from, to)
}

/// Checks the hit of a segment.
fn check(surface: &Surface<'_>, holes: &HoleMask, (from, to): (Vec3, Vec3), rng: &mut SeededRng) {
    let way = Way {
        from: from.as_dvec3(),
        along: (to.as_dvec3() - from.as_dvec3()),
    };
    let scene = || {
        format!(
            "{:?} {:?}: {from} to {to}",
            surface.map().size(),
            surface.scale()
        )
    };
    let coordinates = from.abs().max(to.abs()).max_element();
    let large = largest(surface).max(f64::from(coordinates));
    let tiny = large * 2.0_f64.powi(-44);
    let hit = surface.cast_segment(from, to);
    let length = way.along.length();
    let expected = way.first(surface, holes, 1e-9);
    let end = hit.map_or(1.0, |hit| f64::from(hit.distance) / length);

    if let Some(hit) = hit {
        // The hit is on its triangle and on the segment, and its normal points up.
        let corners = surface.triangle(hit.square, hit.half).map(Vec3::as_dvec3);
        assert!(!holes.is_hole(hit.square.0, hit.square.1), "{}", scene());
        assert!(
            (hit.normal.as_dvec3() - up(corners)).length() < 1e-6,
            "{}",
            scene()
        );
        let point = hit.point.as_dvec3();
        let flat = DVec2::new(point.x, point.z);
        let unit = large * f64::from(f32::EPSILON);
        let steep = 1.0 + up(corners).x.hypot(up(corners).z) / up(corners).y;
        let off = (point.y - plane(corners, flat)).abs();
        assert!(off <= unit * steep, "{}: {hit:?} is off by {off}", scene());
        assert!(
            inside(corners, flat) > -1e-4,
            "{}: {hit:?} is outside its triangle",
            scene()
        );
        assert!(
            way.at(end).distance(point) <= 4.0 * unit,
            "{}: {hit:?}",
            scene()
        );
    }
    // No triangle was passed before the hit, or at all.
    if let Some(expected) = expected {
        let triangle = triangles(surface, holes)
            .find(|(_, _, triangle)| way.through(*triangle, 1e-9) == Some(expected));
        let speed = up(triangle.unwrap().2).dot(way.along).abs();
        let blur = 2.0 * tiny / speed + 2.0 * f64::from(f32::EPSILON);
        assert!(
            end <= expected + blur,
            "{}: {hit:?}, but {expected} of {end}",
            scene()
        );
    }
    // Before the hit, the segment stays on the same side, unless there are holes.
    if holes.count() == 0 {
        let mut side = None;
        for _ in 0..40 {
            let time = rng.unit() * end * 0.999_999;
            for above in way.above(surface, holes, time) {
                let blur = tiny + 1e-6 * end * way.along.y.abs();
                if above.abs() > blur {
                    let found = above > 0.0;
                    assert_eq!(*side.get_or_insert(found), found, "{}: {hit:?}", scene());
                }
            }
        }
    }
}

#[test]
fn segments_match_test_of_every_triangle() {
    let mut rng = random(10);
    let mut hits = 0;
    for round in 0..300 {
        let scale = scale(SCALES[round % SCALES.len()]);
        let map = ground(any_size(&mut rng), round % 4 == 0, &mut rng);
        let holes = any_holes(map.size(), [0, 0, 10, 60][round / 6 % 4], &mut rng);
        let pyramid = HeightPyramid::of(&map, &go()).unwrap();
        let bare = Surface::new(&map, scale).with_holes(&holes).unwrap();
        let surface = bare.with_pyramid(&pyramid).unwrap();
        for _ in 0..40 {
            let (from, to) = any_segment(&surface, &mut rng);
            check(&surface, &holes, (from, to), &mut rng);
            let hit = surface.cast_segment(from, to);
            hits += u32::from(hit.is_some());
            // The pyramid does not change the result.
            assert_eq!(
                bare.cast_segment(from, to),
                hit,
                "{:?} {from} {to}",
                map.size()
            );
        }
    }
    assert!(hits > 3000, "{hits}");
}

/// From above to below there is always a hit, even when aimed at cells, grid lines or diagonals.
#[test]
fn no_ray_slips_through() {
    let mut rng = random(11);
    for round in 0..60 {
        let scale = scale(SCALES[round % SCALES.len()]);
        let map = ground(any_size(&mut rng), round % 2 == 0, &mut rng);
        let pyramid = HeightPyramid::of(&map, &go()).unwrap();
        let surface = Surface::new(&map, scale).with_pyramid(&pyramid).unwrap();
        let (low, high) = map.range();
        let span = scale.spacing.max((high - low) * scale.relief);
        for _ in 0..2000 {
            let (a, b) = (any_place(&surface, &mut rng), any_place(&surface, &mut rng));
            let lift = span * [1e-3, 1.0, 100.0][rng.below(3) as usize];
            let above = Vec3::new(a.x, high * scale.relief + lift, a.y);
            let below = Vec3::new(b.x, low * scale.relief - lift, b.y);
            let ends = if rng.percent(50) {
                (above, below)
            } else {
                (below, above)
            };
            let hit = surface.cast_segment(ends.0, ends.1);
            assert!(hit.is_some(), "{:?} {scale:?}: {ends:?}", map.size());
            let ray = surface.cast_ray(ends.0, ends.1 - ends.0, f32::INFINITY);
            // The difference is rounded, so the ray may miss the very edge of the map.
            let edge = surface.half_extent();
            let inner = ends.1.x.abs() < 0.999 * edge.x && ends.1.z.abs() < 0.999 * edge.y;
            assert!(
                ray.is_some() || !inner,
                "{:?} {scale:?}: {ends:?}",
                map.size()
            );
        }
    }
}

#[test]
fn vertical_rays_match_height() {
    let mut rng = random(12);
    for parts in SCALES {
        let map = ground(size(40, 23), false, &mut rng);
        let pyramid = HeightPyramid::of(&map, &go()).unwrap();
        let surface = Surface::new(&map, scale(parts))
            .with_pyramid(&pyramid)
            .unwrap();
        let sky = 2.0 * parts.1.max(parts.0);
        for _ in 0..500 {
            let at = any_place(&surface, &mut rng);
            let height = surface.height(at).unwrap();
            let down = surface.cast_ray(Vec3::new(at.x, sky, at.y), Vec3::NEG_Y, f32::INFINITY);
            let up = surface.cast_ray(Vec3::new(at.x, -sky, at.y), Vec3::Y * 3.0, 3.0 * sky);
            for hit in [down.unwrap(), up.unwrap()] {
                let off = (hit.point.y - height).abs();
                assert!(off <= f32::EPSILON * sky, "{at}: {hit:?}, {height}");
                assert_eq!((hit.point.x, hit.point.z), (at.x, at.y));
                assert_eq!((hit.square, hit.half), surface.triangle_at(at).unwrap());
            }
            assert_eq!(
                surface.cast_ray(Vec3::new(at.x, sky, at.y), Vec3::Y, f32::INFINITY),
                None
            );
        }
    }
}

#[test]
fn ray_from_surface_hits_at_distance_zero() {
    let map = Heightmap::from_fn(size(5, 5), |x, y| ((x * y) % 3) as f32).unwrap();
    let surface = Surface::new(&map, scale((1.0, 1.0)));
    for (column, row) in [(0, 0), (2, 2), (4, 4), (1, 3)] {
        let on = surface.vertex(column, row);
        for direction in [Vec3::Y, Vec3::NEG_Y, Vec3::X, Vec3::new(1.0, 2.0, -3.0)] {
            let inwards = direction
                * if column == 4 {
                    Vec3::new(-1.0, 1.0, 1.0)
                } else {
                    Vec3::ONE
                };
            let hit = surface.cast_ray(on, inwards, 9.0).unwrap();
            assert_eq!(
                (hit.distance, hit.point),
                (0.0, on),
                "{column}, {row}: {inwards}"
            );
        }
    }
}

#[test]
fn ray_hits_peak_and_face_that_it_touches() {
    // One peak of height 1 in the middle of a plain.
    let map = Heightmap::from_fn(size(5, 5), |x, y| f32::from(u8::from(x == 2 && y == 2))).unwrap();
    let pyramid = HeightPyramid::of(&map, &go()).unwrap();
    let surface = Surface::new(&map, scale((1.0, 1.0)))
        .with_pyramid(&pyramid)
        .unwrap();
    let over = surface
        .cast_ray(Vec3::new(-2.0, 1.0, 0.0), Vec3::X, 9.0)
        .unwrap();
    assert_eq!((over.distance, over.point), (2.0, Vec3::Y));
    assert_eq!(
        surface.cast_ray(Vec3::new(-2.0, 1.000_001, 0.0), Vec3::X, 9.0),
        None
    );
    // In the plane of the plain, from outside the map.
    for z in [-1.7, -1.0, 2.0, -2.0] {
        let plain = surface
            .cast_ray(Vec3::new(-3.0, 0.0, z), Vec3::X, 9.0)
            .unwrap();
        assert_eq!(
            (plain.distance, plain.point),
            (1.0, Vec3::new(-2.0, 0.0, z))
        );
    }
    // Up its edge, in the adjacent faces.
    let up = surface.cast_segment(Vec3::new(-1.5, -0.5, 0.0), Vec3::new(0.5, 1.5, 0.0));
    let up = up.unwrap();
    assert_eq!(up.point, Vec3::new(-1.0, 0.0, 0.0));
    assert_eq!(
        surface.cast_ray(Vec3::new(-2.0, 0.5, 2.0), Vec3::new(1.0, 0.0, -1.0), 1.4),
        None
    );
}

#[test]
fn distant_rays_keep_precision() {
    let mut rng = random(13);
    let map = ground(size(30, 30), false, &mut rng);
    let pyramid = HeightPyramid::of(&map, &go()).unwrap();
    let surface = Surface::new(&map, scale((1.0, 5.0)))
        .with_pyramid(&pyramid)
        .unwrap();
    let mut hits = 0;
    for _ in 0..1000 {
        let target = any_place(&surface, &mut rng) * 0.9;
        let target = Vec3::new(target.x, surface.height(target).unwrap(), target.y);
        let away = Vec3::new(
            rng.between(-1e5, 1e5) as f32,
            1e5,
            rng.between(-1e5, 1e5) as f32,
        );
        let eye = target + away;
        // The ray may continue where the terrain falls off behind the target.
        let Some(hit) = surface.cast_segment(eye, target - (eye - target) * 1e-3) else {
            continue;
        };
        hits += 1;
        // The coordinates of the eye are rounded to 1/256 m, and steep terrain is hit earlier.
        let seen = hit.point.as_dvec3() - eye.as_dvec3();
        let aimed = target.as_dvec3() - eye.as_dvec3();
        let off = seen.cross(aimed).length() / aimed.length();
        assert!(off < 0.02, "{eye} to {target}: {hit:?}, {off}");
        assert!(hit.point.y >= -0.01 && hit.point.y <= 5.01, "{hit:?}");
    }
    assert!(hits > 900, "{hits}");
}

#[test]
fn rays_respect_limits_and_invalid_numbers() {
    let map = Heightmap::flat(size(9, 9));
    let surface = Surface::new(&map, scale((1.0, 1.0)));
    let from = Vec3::new(0.3, 2.0, 0.1);
    assert_eq!(surface.cast_ray(from, Vec3::NEG_Y, 1.999), None);
    assert_eq!(
        surface.cast_ray(from, Vec3::NEG_Y, 2.0).unwrap().distance,
        2.0
    );
    let bad = [Vec3::ZERO, Vec3::NAN, Vec3::INFINITY];
    for direction in bad {
        assert_eq!(surface.cast_ray(from, direction, 9.0), None, "{direction}");
    }
    assert_eq!(surface.cast_ray(Vec3::NAN, Vec3::NEG_Y, 9.0), None);
    for distance in [-1.0, f32::NAN] {
        assert_eq!(
            surface.cast_ray(from, Vec3::NEG_Y, distance),
            None,
            "{distance}"
        );
    }
    assert_eq!(surface.cast_segment(from, from), None);
    for tiny in [1e-30, 1e-45, 1e38] {
        let hit = surface.cast_ray(from, Vec3::NEG_Y * tiny, 9.0).unwrap();
        assert_eq!(hit.distance, 2.0, "{tiny}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_segment_matches_any_map(
        (columns, rows) in (2_u64..12, 2_u64..12),
        seed: u64,
        parts in prop::sample::select(SCALES.to_vec()),
        percent in prop::sample::select(vec![0_u32, 0, 30]),
    ) {
        let mut rng = random(seed);
        let map = ground(size(columns, rows), seed % 2 == 0, &mut rng);
        let holes = any_holes(map.size(), percent, &mut rng);
        let surface = Surface::new(&map, scale(parts)).with_holes(&holes).unwrap();
        for _ in 0..10 {
            let segment = any_segment(&surface, &mut rng);
            check(&surface, &holes, segment, &mut rng);
        }
    }

    /// No numbers cause a panic.
    #[test]
    fn any_numbers_are_accepted(
        spacing in prop::num::f32::ANY,
        relief in prop::num::f32::ANY,
        heights in prop::collection::vec(-f32::MAX..f32::MAX, 9),
        numbers in prop::array::uniform8(prop::num::f32::ANY),
    ) {
        let map = Heightmap::from_heights(size(3, 3), heights).unwrap();
        let pyramid = HeightPyramid::of(&map, &go()).unwrap();
        let surface = Surface::new(&map, Scale { spacing, relief });
        let [a, b, c, d, e, f, max, radius] = numbers;
        let (p, q) = (Vec3::new(a, b, c), Vec3::new(d, e, f));
        for surface in [surface, surface.with_pyramid(&pyramid).unwrap()] {
            let _ = surface.cast_ray(p, q, max);
            let _ = surface.cast_segment(p, q);
            let _ = surface.cast_sphere(p, radius, q, max);
            let _ = surface.line_of_sight(p, q);
            let _ = surface.normal(Vec2::new(a, c));
        }
    }
}
