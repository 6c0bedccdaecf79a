//! Contours and the length of coasts.

use super::*;

/// The total length of all contour pieces within each square, computed directly from its four
/// corners.
fn square_pieces(map: &Heightmap, level: f32) -> f64 {
    let mut length = 0.0;
    for (x, y) in (0..map.width() - 1).flat_map(|x| (0..map.height() - 1).map(move |y| (x, y))) {
        // Clockwise from the north-west.
        let places = [(0, 0), (1, 0), (1, 1), (0, 1)];
        let heights = places.map(|(dx, dy)| f64::from(map.get(x + dx, y + dy)));
        let level = f64::from(level);
        let land = heights.map(|z| z > level);
        let crossing = |k: usize| {
            let other = (k + 1) % 4;
            let part = (level - heights[k]) / (heights[other] - heights[k]);
            let (a, b) = (places[k], places[other]);
            let mix = |a: usize, b: usize| a as f64 + (b as f64 - a as f64) * part;
            (mix(a.0, b.0), mix(a.1, b.1))
        };
        let between = |a: usize, b: usize| {
            let (a, b) = (crossing(a), crossing(b));
            f64::hypot(a.0 - b.0, a.1 - b.1)
        };
        let crossed: Vec<usize> = (0..4).filter(|&k| land[k] != land[(k + 1) % 4]).collect();
        length += match crossed[..] {
            [] => 0.0,
            [a, b] => between(a, b),
            _ => {
                // Around the corners that are on the other side of the level than the center.
                let middle = heights.iter().sum::<f64>() > 4.0 * level;
                let alone: Vec<usize> = (0..4).filter(|&k| land[k] != middle).collect();
                alone.iter().map(|&k| between((k + 3) % 4, k)).sum()
            }
        };
    }
    length
}

fn check_contour(map: &Heightmap, contour: &Contour) {
    assert!(contour.points.len() >= 2);
    let on_border = |x: f64, y: f64| {
        x == 0.0 || y == 0.0 || x == (map.width() - 1) as f64 || y == (map.height() - 1) as f64
    };
    let (first, last) = (contour.points[0], contour.points[contour.points.len() - 1]);
    assert!(first != last || contour.points.len() > 2);
    if !contour.closed {
        assert!(on_border(first.x, first.y) && on_border(last.x, last.y));
    }
    for point in &contour.points {
        // On a line between two cells, at the height of the level.
        assert!(point.x.fract() == 0.0 || point.y.fract() == 0.0, "{point}");
        let height = bilinear(map, point.x, point.y).unwrap();
        assert!(
            (height - f64::from(contour.level)).abs() < 1e-9,
            "at {point}: {height}"
        );
    }
    for ends in contour.points.windows(2) {
        assert!(
            ends[0] != ends[1] && ends[0].distance(ends[1]) < 1.5,
            "{ends:?}"
        );
    }
}

#[test]
fn contours_match_the_pieces_of_all_squares() {
    let mut rng = SeededRng::new(51, b"test    ");
    for round in 0..100 {
        let size = any_size(&mut rng);
        let mut map = noise(&mut rng, size);
        if round % 4 == 0 {
            // Integer heights: many cells are exactly at the level.
            map = map_of(size, |x, y| {
                f64::from(map.get(x as usize, y as usize) * 4.0).floor()
            });
        }
        for level in [0.1, 0.5, 1.0, 2.0] {
            let lines = contours(&map, &[level], &go()).unwrap();
            lines.iter().for_each(|line| check_contour(&map, line));
            let length: f64 = lines.iter().map(Contour::length).sum();
            let expected = square_pieces(&map, level);
            assert!(
                (length - expected).abs() < 1e-8,
                "round {round} at {level}: {length}, not {expected}"
            );
            let meters = coast_length(&map, level, SCALE, &go()).unwrap();
            assert!(
                (meters - 2.0 * expected).abs() < 1e-7,
                "round {round} at {level}: {meters}"
            );
        }
    }
}

/// Corners whose sum depends on the order of the additions. The two lines through such a square
/// must agree on whether they meet, or a line would never end.
#[test]
fn lines_through_rounding_dependent_saddles_end() {
    let squares = [
        [1.0, -1e30, -0.5, 1e30],
        [1e-17, -0.5, -5e-18, 0.5],
        [-0.5, 1e30, 1.0, -1e30],
    ];
    let mut rng = SeededRng::new(52, b"test    ");
    let heights = [1.0, 1e30, 0.5, 1e-17, 3e-17];
    for round in 0..400 {
        let mut cells: Vec<f32> = (0..36)
            .map(|_| {
                let sign = if rng.below(2) == 0 { 1.0 } else { -1.0 };
                sign * heights[rng.below(5) as usize]
            })
            .collect();
        if let Some(corners) = squares.get(round) {
            cells.fill(-1.0);
            for (k, &z) in corners.iter().enumerate() {
                cells[6 * (2 + k / 2) + 2 + k % 2] = z;
            }
        }
        let map = Heightmap::from_heights(size(6, 6), cells).unwrap();
        let is_land = |x: usize, y: usize| map.get(x, y) > 0.0;
        let along = (0..30).filter(|k| is_land(k % 5, k / 5) != is_land(k % 5 + 1, k / 5));
        let down = (0..30).filter(|k| is_land(k % 6, k / 6) != is_land(k % 6, k / 6 + 1));
        let crossings = along.count() + down.count();
        let lines = contours(&map, &[0.0], &go()).unwrap();
        let points: usize = lines.iter().map(|line| line.points.len()).sum();
        assert!(
            points <= crossings,
            "round {round}: {points} points of {crossings}"
        );
        assert!(
            coast_length(&map, 0.0, SCALE, &go()).unwrap().is_finite(),
            "round {round}"
        );
    }
}

#[test]
fn contours_of_cones_are_circles_and_of_planes_straight() {
    let cone = map_of(size(201, 201), |x, y| {
        100.0 - f64::hypot(x - 100.0, y - 100.0)
    });
    let levels = [10.0, 40.0, 60.0];
    let rings = contours(&cone, &levels, &go()).unwrap();
    assert_eq!(rings.len(), 3);
    for (ring, level) in rings.iter().zip(levels) {
        let radius = f64::from(100.0 - level);
        assert!(ring.closed && ring.level == level, "{level}");
        let circle = core::f64::consts::TAU * radius;
        assert!((ring.length() / circle - 1.0).abs() < 2e-3, "{level}");
        assert!(
            (ring.area() / (0.5 * circle * radius) - 1.0).abs() < 2e-3,
            "{level}"
        );
    }
    // A crater is a ring of land around a ring of water.
    let crater = map_of(size(101, 101), |x, y| {
        -(f64::hypot(x - 50.0, y - 50.0) - 30.0).abs()
    });
    let rings = contours(&crater, &[-10.0], &go()).unwrap();
    let areas: Vec<f64> = rings.iter().map(Contour::area).collect();
    assert!(
        areas.len() == 2 && areas[0] > 5000.0 && areas[1] < -1200.0,
        "{areas:?}"
    );

    let plane = map_of(size(31, 21), |x, y| 0.5 * x + 0.25 * y);
    let lines = contours(&plane, &[7.0], &go()).unwrap();
    assert_eq!(lines.len(), 1);
    // To the south, with the higher terrain, in the east, on its left.
    assert_eq!(lines[0].points[0].to_array(), [14.0, 0.0]);
    assert!((lines[0].length() - f64::hypot(10.0, 20.0)).abs() < 1e-9);
}

#[test]
fn every_island_has_one_outer_ring() {
    let mut rng = SeededRng::new(52, b"test    ");
    for round in 0..50 {
        let size = any_size(&mut rng);
        let mut map = noise(&mut rng, size);
        // Sea all around. Equal blocks of cells avoid saddles.
        map = map_of(size, |x, y| {
            let (x, y) = (x as usize & !3, y as usize & !3);
            let edge = x < 4 || y < 4 || x + 8 > size.width() || y + 8 > size.height();
            if edge { 0.0 } else { map.get(x, y).into() }
        });
        let rings = contours(&map, &[0.9], &go()).unwrap();
        assert!(rings.iter().all(|ring| ring.closed), "round {round}");
        let around = rings.iter().filter(|ring| ring.area() > 0.0).count();
        let find = FindRegions {
            sea_level: 0.9,
            ..FindRegions::default()
        };
        // Diagonal neighbors may be joined by the center of a square, which is below.
        assert_eq!(
            around,
            find.of(&map, &go()).unwrap().islands().len(),
            "round {round}"
        );
    }
}
