//! Drawn shapes, edges, mounds, channels and masks.

use super::*;

#[test]
fn shape_matches_the_distance_to_its_lines() {
    let mut rng = SeededRng::new(10, b"test    ");
    for case in 0..60 {
        let size = size(2 + rng.below(90), 2 + rng.below(90));
        let mut place = || (rng.between(-0.2, 1.2), rng.between(-0.2, 1.2));
        let paths: Vec<Vec<(f64, f64)>> = (0..1 + case % 3)
            .map(|_| (0..1 + case % 7).map(|_| place()).collect())
            .collect();
        let shape = Shape {
            paths,
            closed: case % 2 == 0,
            radius: rng.between(0.0, 0.1),
            falloff: rng.between(0.0, 0.5),
        };
        let mask = shape.mask(size, &Progress::default()).unwrap();
        let exact = map_of(size, |x, y| drawn(&shape, size, (x as f64, y as f64)));
        assert!(furthest(&mask, &exact) < 1e-6, "{shape:?} on {size:?}");
        let land = land(size, 1);
        let masked = done(&Filter::Shape(shape), &land);
        let product = map_of(size, |x, y| land.get(x, y) * mask.get(x, y));
        assert!(
            furthest(&masked, &product) < 2e-7,
            "case {case} on {size:?}"
        );
    }
}

/// The definition: every line on every cell.
fn drawn(shape: &Shape, size: MapSize, (x, y): (f64, f64)) -> f32 {
    let side = (size.shorter_side() - 1) as f64;
    let cells = |&(u, v): &(f64, f64)| {
        let (width, height) = (size.width() as f64, size.height() as f64);
        (u * (width - 1.0), v * (height - 1.0))
    };
    let (mut least, mut inside) = (f64::MAX, false);
    for path in &shape.paths {
        let places: Vec<(f64, f64)> = path.iter().map(cells).collect();
        let lines = if shape.closed || path.len() == 1 {
            path.len()
        } else {
            path.len() - 1
        };
        for k in 0..lines {
            let ((ax, ay), (bx, by)) = (places[k], places[(k + 1) % path.len()]);
            let (dx, dy) = (bx - ax, by - ay);
            let length = dx * dx + dy * dy;
            let t = if length > 0.0 {
                ((x - ax) * dx + (y - ay) * dy) / length
            } else {
                0.0
            };
            let t = t.clamp(0.0, 1.0);
            least = least.min((x - ax - t * dx).hypot(y - ay - t * dy));
            if shape.closed && (ay <= y) != (by <= y) && x >= ax + (y - ay) / dy * dx {
                inside = !inside;
            }
        }
    }
    let beyond = least - shape.radius * side;
    let t = beyond / (shape.falloff * side);
    if inside || beyond <= 0.0 {
        1.0
    } else if t < 1.0 {
        (1.0 - t * t * (3.0 - 2.0 * t)) as f32
    } else {
        0.0
    }
}

#[test]
fn shape_decreases_with_the_distance() {
    let dot = Shape {
        paths: vec![vec![(0.5, 0.5)]],
        radius: 0.1,
        falloff: 0.3,
        ..Shape::default()
    };
    let mask = dot.mask(size(201, 201), &Progress::default()).unwrap();
    assert!(mask.row(100)[..=100].is_sorted());
    assert!(mask.row(100)[100..].is_sorted_by(|a, b| a >= b));
    assert!(mask.row(100)[80..=120].iter().all(|&z| z == 1.0));
    assert!(mask.row(100)[..20].iter().all(|&z| z == 0.0));
    // Two nested paths: the area inside both is outside the shape.
    let square = |a: f64, b: f64| vec![(a, a), (b, a), (b, b), (a, b)];
    let lake = Shape {
        paths: vec![square(0.1, 0.9), square(0.4, 0.6)],
        falloff: 0.0,
        ..Shape::default()
    };
    let mask = lake.mask(size(101, 101), &Progress::default()).unwrap();
    assert_eq!(
        [5, 20, 50, 70].map(|x| mask.get(x, 50)),
        [0.0, 1.0, 0.0, 1.0]
    );
}

#[test]
fn edges_reach_their_level_only_on_chosen_sides() {
    let map = land(size(60, 50), 3);
    let edges = Edges {
        width: 10.0,
        level: 0.25,
        north: true,
        west: true,
        east: false,
        south: false,
    };
    let result = done(&Filter::Edges(edges), &map);
    assert!(result.row(0).iter().all(|&z| z == 0.25));
    assert!((0..50).all(|y| result.get(0, y) == 0.25));
    for y in 10..50 {
        assert_eq!(result.row(y)[10..], map.row(y)[10..], "row {y}");
    }
    let t: f64 = 0.3;
    let share = t * t * (3.0 - 2.0 * t);
    let z = 0.25 + (f64::from(map.get(30, 3)) - 0.25) * share;
    assert!((f64::from(result.get(30, 3)) - z).abs() < 1e-7);
    let rim = Edges {
        width: 0.0,
        ..Edges::default()
    };
    let result = done(&Filter::Edges(rim), &map);
    assert!(
        result
            .row(0)
            .iter()
            .chain(result.row(49))
            .all(|&z| z == 0.0)
    );
    assert_eq!(result.row(1)[1..59], map.row(1)[1..59]);
}

#[test]
fn mound_is_a_paraboloid() {
    let map = land(size(61, 41), 3);
    let mound = Mound {
        at: (0.25, 0.5),
        radius: 0.4,
        height: -0.3,
    };
    let result = done(&Filter::Mound(mound), &map);
    let exact = map_of(map.size(), |x, y| {
        let (dx, dy) = (x as f64 - 15.0, y as f64 - 20.0);
        let inside = 1.0 - (dx * dx + dy * dy) / 256.0;
        (near(&map, x as i64, y as i64) - 0.3 * inside.max(0.0)) as f32
    });
    assert!(furthest(&result, &exact) < 1e-6);
    let none = Mound {
        radius: 0.0,
        ..mound
    };
    assert_eq!(done(&Filter::Mound(none), &map), map);
}

#[test]
fn channel_follows_its_curve() {
    let map = map_of(size(101, 101), |_, _| 1.0);
    let straight = Dig {
        path: vec![(0.2, 0.5), (0.8, 0.5)],
        radius: (0.1, 0.2),
        depth: (0.5, 1.0),
    };
    let result = done(&Filter::Dig(straight), &map);
    for (x, y) in [
        (20, 50),
        (50, 50),
        (80, 50),
        (50, 60),
        (35, 45),
        (10, 50),
        (9, 50),
        (96, 50),
    ] {
        let t = ((x as f64 - 20.0) / 60.0).clamp(0.0, 1.0);
        let (dx, dy) = (x as f64 - 20.0 - 60.0 * t, y as f64 - 50.0);
        let share = dx.hypot(dy) / (10.0 + 10.0 * t);
        let bed = (1.0 - share * share).max(0.0);
        let exact = 1.0 - (0.5 + 0.5 * t) * bed * bed;
        assert!(
            (f64::from(result.get(x, y)) - exact).abs() < 1e-6,
            "({x}, {y})"
        );
    }
    // A curve of three points goes through the mean of its middle point and the mean of its ends.
    let bent = Dig {
        path: vec![(0.1, 0.1), (0.9, 0.1), (0.9, 0.9)],
        radius: (0.03, 0.03),
        depth: (0.5, 0.5),
    };
    let result = done(&Filter::Dig(bent), &map);
    assert!((result.get(70, 30) - 0.5).abs() < 1e-3);
    assert!((result.get(10, 10) - 0.5).abs() < 1e-3);
    assert_eq!(result.get(90, 10), 1.0);
}

#[test]
fn mask_of_any_size_multiplies() {
    let map = land(size(41, 31), 3);
    let mask = map_of(size(5, 3), |x, _| x as f32 / 4.0);
    let mut result = map.clone();
    result
        .multiply_by_mask(&mask, &Progress::default())
        .unwrap();
    let exact = map_of(map.size(), |x, y| map.get(x, y) * (x as f32 / 40.0));
    assert!(furthest(&result, &exact) < 1e-7);
    let mut same = map.clone();
    same.multiply_by_mask(&map, &Progress::default()).unwrap();
    assert_eq!(
        same,
        map_of(map.size(), |x, y| map.get(x, y) * map.get(x, y))
    );
}
