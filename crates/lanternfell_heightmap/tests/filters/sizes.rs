//! Resampling, cropping, repeating and tileable maps, and filters in a recipe.

use super::*;

const WAYS: [Resampling; 3] = [
    Resampling::Nearest,
    Resampling::Bilinear,
    Resampling::Bicubic,
];

fn resampled(map: &Heightmap, size: MapSize, way: Resampling) -> Heightmap {
    let progress = Progress::default();
    let result = map.resampled(size, way, &progress).unwrap();
    assert_eq!(progress.fraction(), 1.0);
    result
}

#[test]
fn same_size_changes_nothing_and_corners_stay() {
    let mut rng = SeededRng::new(11, b"test    ");
    for round in 0..30 {
        let map = any_map(&mut rng);
        for way in WAYS {
            assert_eq!(
                resampled(&map, map.size(), way),
                map,
                "{way:?} in round {round}"
            );
            let size = size(2 + rng.below(90), 2 + rng.below(90));
            let result = resampled(&map, size, way);
            let corners = |map: &Heightmap| {
                let (x, y) = (map.width() - 1, map.height() - 1);
                [map.get(0, 0), map.get(x, 0), map.get(0, y), map.get(x, y)]
            };
            assert_eq!(corners(&result), corners(&map), "{way:?} to {size:?}");
            let ((low, high), (least, most)) = (map.range(), result.range());
            assert!(least >= low && most <= high, "{way:?} to {size:?}");
        }
    }
}

#[test]
fn planes_stay_planes() {
    let plane = |size: MapSize| {
        let (right, bottom) = ((size.width() - 1) as f32, (size.height() - 1) as f32);
        map_of(size, |x, y| {
            0.2 + 0.5 * (x as f32 / right) - 0.2 * (y as f32 / bottom)
        })
    };
    let mut rng = SeededRng::new(12, b"test    ");
    for _ in 0..60 {
        let mut any = || size(2 + rng.below(90), 2 + rng.below(90));
        let (from, to) = (any(), any());
        for way in [Resampling::Bilinear, Resampling::Bicubic] {
            let off = furthest(&resampled(&plane(from), to, way), &plane(to));
            assert!(off < 3e-7, "{way:?}, {from:?} to {to:?}: {off}");
        }
    }
}

#[test]
fn enlarged_map_contains_the_old_cells() {
    let map = land(size(20, 15), 5);
    for way in WAYS {
        let large = resampled(&map, size(58, 43), way);
        let thinned = map_of(map.size(), |x, y| large.get(3 * x, 3 * y));
        assert_eq!(thinned, map, "{way:?}");
    }
    let slope = |x: f64| (0.3 * x).sin() as f32;
    let wave = map_of(size(40, 2), |x, _| slope(x as f64));
    let fine = resampled(&wave, size(391, 2), Resampling::Bicubic);
    for x in 20..371 {
        // The exact crests are between the cells, above the highest of them.
        let exact = slope(x as f64 / 10.0);
        let off = (fine.get(x, 0) - exact).abs();
        assert!(off < 1e-3 || exact.abs() > 0.97, "{off} at {x}");
    }
}

#[test]
fn reduced_map_averages_cells() {
    // The mean of the finest checkerboard is 0.5 everywhere.
    let board = map_of(size(161, 161), |x, y| ((x + y) % 2) as f32);
    for way in [Resampling::Bilinear, Resampling::Bicubic] {
        for side in [41, 33, 23] {
            let small = resampled(&board, size(side, side), way);
            let last = side as usize - 1;
            for y in 2..last - 1 {
                for &z in &small.row(y)[2..last - 1] {
                    assert!((z - 0.5).abs() < 0.02, "{way:?} to {side}: {z}");
                }
            }
        }
    }
}

#[test]
fn cropped_and_repeated_maps_have_the_right_cells() {
    let map = land(size(30, 20), 4);
    let part = map.cropped((7, 11), size(10, 9)).unwrap();
    assert_eq!(part, map_of(size(10, 9), |x, y| map.get(7 + x, 11 + y)));
    assert_eq!(map.cropped((0, 0), map.size()), Ok(map.clone()));
    for (at, part) in [
        ((21, 0), size(10, 5)),
        ((0, 0), size(31, 5)),
        ((usize::MAX, 0), size(2, 2)),
    ] {
        let error = map.cropped(at, part).unwrap_err().to_string();
        assert!(error.starts_with("crop: x"), "{error}");
    }
    assert!(
        map.cropped((0, 12), size(10, 9))
            .unwrap_err()
            .to_string()
            .contains("at most 11")
    );

    let many = map.repeated(3, 2).unwrap();
    assert_eq!(many, map_of(size(90, 40), |x, y| map.get(x % 30, y % 20)));
    assert_eq!(map.repeated(1, 1), Ok(map.clone()));
    for (columns, rows) in [(0, 1), (1, 0), (1000, 1), (usize::MAX, 1)] {
        assert!(map.repeated(columns, rows).is_err(), "{columns} x {rows}");
    }
}

/// Many lines close together, at about the same distance from most cells.
#[test]
fn dense_drawings_are_exact() {
    let mut rng = SeededRng::new(12, b"test    ");
    let whole = size(150, 90);
    let ones = map_of(whole, |_, _| 1.0);
    for (spread, points) in [(0.05, 200), (0.0, 40), (0.3, 120), (1e-7, 60)] {
        let mut place = || {
            let mut at = || 0.4 + rng.between(0.0, 1.0) * spread;
            (at(), at())
        };
        let path: Vec<(f64, f64)> = (0..points).map(|_| place()).collect();
        let cells: Vec<(f64, f64)> = path.iter().map(|(x, y)| (x * 149.0, y * 89.0)).collect();
        let shape = Shape {
            paths: vec![path],
            closed: false,
            radius: 0.0,
            falloff: 1.5,
        };
        let mask = done(&Filter::Shape(shape), &ones);
        let to_line = |(a, b): ((f64, f64), (f64, f64)), x: f64, y: f64| {
            let (dx, dy) = (b.0 - a.0, b.1 - a.1);
            let square = dx * dx + dy * dy;
            let along = (x - a.0) * dx + (y - a.1) * dy;
            let share = if square > 0.0 { along / square } else { 0.0 };
            let share = share.clamp(0.0, 1.0);
            f64::hypot(x - a.0 - share * dx, y - a.1 - share * dy)
        };
        for y in 0..90 {
            for x in 0..150 {
                let lines = cells.windows(2).map(|ends| (ends[0], ends[1]));
                let distance = lines
                    .map(|line| to_line(line, x as f64, y as f64))
                    .fold(f64::MAX, f64::min);
                let t = (distance / (1.5 * 89.0)).min(1.0);
                let expected = 1.0 - t * t * (3.0 - 2.0 * t);
                let found = f64::from(mask.get(x, y));
                assert!((found - expected).abs() < 1e-6, "{found}, not {expected}");
            }
        }
    }
}

#[test]
fn seamless_map_is_tileable() {
    // The largest step between neighbors, within the map and across its border.
    let steps = |map: &Heightmap| {
        let (width, height) = (map.width(), map.height());
        let step =
            |a: (usize, usize), b: (usize, usize)| (map.get(a.0, a.1) - map.get(b.0, b.1)).abs();
        let across = (0..height)
            .map(|y| step((0, y), (width - 1, y)))
            .chain((0..width).map(|x| step((x, 0), (x, height - 1))))
            .fold(0.0, f32::max);
        let within = (0..height)
            .flat_map(|y| (1..width).map(move |x| ((x, y), (x - 1, y))))
            .chain((1..height).flat_map(|y| (0..width).map(move |x| ((x, y), (x, y - 1)))))
            .map(|(a, b)| step(a, b))
            .fold(0.0, f32::max);
        (within, across)
    };
    for (width, height) in [(64, 48), (65, 47), (101, 100)] {
        let slope = map_of(size(width, height), |x, y| {
            (x as f32 / width as f32 + (0.4 * y as f32).sin() * 0.1) * 0.8 + 0.1
        });
        assert!(steps(&slope).1 > 0.5, "{width}x{height}");
        for share in [1e-9, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5] {
            let seamless = done(&Filter::Seamless(share), &slope);
            let (within, across) = steps(&seamless);
            assert!(
                across <= within * 1.1,
                "{share}: {across}, but {within} within"
            );
            assert_eq!(
                seamless.get(width as usize / 2, height as usize / 2),
                slope.get(width as usize / 2, height as usize / 2),
                "{width}x{height}: {share}"
            );
        }
    }
    let flat = map_of(size(9, 7), |_, _| 0.3);
    assert_eq!(done(&Filter::Seamless(0.5), &flat), flat);
}

#[test]
fn recipe_with_filters_and_blends_generates() {
    let text = r#"(
        version: 1,
        size: (64, 48),
        seed: 5,
        steps: {
            "islands": Generate(by: FractalNoise(())),
            "faults": Generate(by: Faults((lines: 50))),
            "steps": Filter(of: "faults", by: [Smooth(Gaussian(2)), Terrace((levels: 6))]),
            "land": Blend(ground: "islands", layer: "steps", how: SmoothMax(0.2)),
            "edged": Filter(of: "land", by: [Warp((scale: 20, distance: 4)), Edges((width: 8))]),
        },
    )"#;
    let recipe = Recipe::from_ron(text).unwrap();
    let map = recipe.generate(&Progress::default()).unwrap();
    assert!(map.row(0).iter().all(|&z| z == 0.0));
    assert_eq!(map, recipe.generate(&Progress::default()).unwrap());
    let wrong = Recipe::from_ron(&text.replace("SmoothMax(0.2)", "SmoothMax(-1)"));
    let error = wrong.unwrap_err().to_string();
    assert!(
        error.starts_with("step `land`: ") && error.contains("width"),
        "{error}"
    );
}
