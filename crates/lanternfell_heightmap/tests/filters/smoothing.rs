//! Filters that read neighboring cells.

use super::*;

#[test]
fn box_is_the_mean_of_its_cells() {
    let mut rng = SeededRng::new(3, b"test    ");
    for _ in 0..60 {
        let map = any_map(&mut rng);
        let reach = rng.below(12) as i64;
        let smooth = done(&Filter::Smooth(Smooth::Box(reach as u32)), &map);
        let exact = map_of(map.size(), |x, y| {
            let cells = around(&map, x, y, reach);
            (cells.iter().sum::<f64>() / cells.len() as f64) as f32
        });
        // One rounding to `f32`, and units of 2^-30.
        assert!(furthest(&smooth, &exact) <= 6.1e-8, "reach {reach}");
    }
}

/// Integer sums leave no residue, however large the previous heights were.
#[test]
fn box_leaves_no_residue() {
    let map = map_of(size(300, 40), |x, _| if x < 20 { 1.0 } else { 0.001 });
    let smooth = done(&Filter::Smooth(Smooth::Box(4)), &map);
    let behind = &smooth.row(20)[24..];
    assert!(behind.iter().all(|z| z.to_bits() == behind[0].to_bits()));
    assert!((behind[0] - 0.001).abs() < 1e-9);
    for radius in [40, 1024] {
        let wide = done(&Filter::Smooth(Smooth::Box(radius)), &map);
        assert!(wide.row(0).is_sorted_by(|a, b| a >= b), "{radius}");
    }
}

#[test]
fn gaussian_matches_the_weighted_sum() {
    let mut rng = SeededRng::new(4, b"test    ");
    for sigma in [0.3, 1.0, 2.5, 4.9, 5.1, 8.0, 20.0] {
        let map = any_map(&mut rng);
        let smooth = done(&Filter::Smooth(Smooth::Gaussian(sigma)), &map);
        let reach = (7.0 * sigma).ceil() as i64;
        let bell: Vec<f64> = (-reach..=reach)
            .map(|k| (-0.5 * (k as f64 / sigma).powi(2)).exp())
            .collect();
        let whole: f64 = bell.iter().sum();
        let pass = |map: &Heightmap, east: i64, south: i64| {
            map_of(map.size(), |x, y| {
                let cell = |k: i64| near(map, x as i64 + k * east, y as i64 + k * south);
                let sum: f64 = (-reach..=reach).zip(&bell).map(|(k, w)| w * cell(k)).sum();
                (sum / whole) as f32
            })
        };
        let exact = pass(&pass(&map, 1, 0), 0, 1);
        let off = furthest(&smooth, &exact);
        assert!(off < 2e-5, "sigma {sigma}: {off}");
    }
}

#[test]
fn very_wide_gaussian_is_nearly_flat() {
    let map = land(size(40, 30), 3);
    let smooth = done(&Filter::Smooth(Smooth::Gaussian(1024.0)), &map);
    let (low, high) = smooth.range();
    // Beyond the border the outermost cells continue, so the result is the mean of the corners.
    assert!(high - low < 0.02, "{low} to {high}");
}

#[test]
fn median_matches_the_sorted_cells() {
    let mut rng = SeededRng::new(5, b"test    ");
    for case in 0..60 {
        let map = any_map(&mut rng);
        let reach = [1, 2, 3, 5, 9, 16][case % 6];
        let smooth = done(&Filter::Smooth(Smooth::Median(reach)), &map);
        let exact = map_of(map.size(), |x, y| {
            let mut cells = around(&map, x, y, i64::from(reach));
            cells.sort_by(f64::total_cmp);
            cells[cells.len() / 2] as f32
        });
        assert_eq!(smooth, exact, "reach {reach} on {:?}", map.size());
    }
}

#[test]
fn largest_median_is_exact_across_tiles() {
    let map = land(size(300, 140), 7);
    let smooth = done(&Filter::Smooth(Smooth::Median(64)), &map);
    for (x, y) in [
        (0, 0),
        (127, 70),
        (128, 128),
        (255, 127),
        (256, 3),
        (299, 139),
    ] {
        let mut cells = around(&map, x, y, 64);
        cells.sort_by(f64::total_cmp);
        assert_eq!(
            f64::from(smooth.get(x, y)),
            cells[cells.len() / 2],
            "{x}, {y}"
        );
    }
}

#[test]
fn conservative_smoothing_clamps_to_the_neighbors() {
    let mut rng = SeededRng::new(6, b"test    ");
    for case in 0..40 {
        let map = any_map(&mut rng);
        let slack = [0.0, 1.0, 1.5, 4.0][case % 4];
        let smooth = done(&Filter::Smooth(Smooth::Conservative(slack)), &map);
        let exact = map_of(map.size(), |x, y| {
            let (mut low, mut high) = (f64::MAX, f64::MIN);
            for (dx, dy) in [
                (-1, -1),
                (0, -1),
                (1, -1),
                (-1, 0),
                (1, 0),
                (-1, 1),
                (0, 1),
                (1, 1),
            ] {
                let (u, v) = (x as i64 + dx, y as i64 + dy);
                if (0..map.width() as i64).contains(&u) && (0..map.height() as i64).contains(&v) {
                    low = low.min(near(&map, u, v));
                    high = high.max(near(&map, u, v));
                }
            }
            let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
            let here = near(&map, x as i64, y as i64);
            here.clamp(middle - slack * half, middle + slack * half) as f32
        });
        let allowed = if slack == 1.0 { 0.0 } else { 2e-7 };
        assert!(furthest(&smooth, &exact) <= allowed, "slack {slack}");
    }
}

fn smoothing() -> [Smooth; 6] {
    [
        Smooth::Box(4),
        Smooth::Gaussian(1.7),
        Smooth::Gaussian(9.0),
        Smooth::Median(1),
        Smooth::Median(4),
        Smooth::Conservative(1.0),
    ]
}

#[test]
fn smoothing_stays_in_the_range_of_the_map() {
    let mut rng = SeededRng::new(7, b"test    ");
    for smooth in smoothing().map(Filter::Smooth) {
        for height in [0.0, 0.1, -7.3, 1e-30, 3e38, f32::MIN_POSITIVE / 8.0] {
            let flat = map_of(size(33, 21), |_, _| height);
            assert_eq!(done(&smooth, &flat), flat, "{smooth:?}");
        }
        for _ in 0..10 {
            let map = any_map(&mut rng);
            let ((low, high), (least, most)) = (map.range(), done(&smooth, &map).range());
            assert!(least >= low && most <= high, "{smooth:?}");
        }
    }
}

#[test]
fn smoothing_is_symmetric() {
    let mut rng = SeededRng::new(8, b"test    ");
    for smooth in smoothing().map(Filter::Smooth) {
        for _ in 0..10 {
            let map = any_map(&mut rng);
            let smooth_first = mirrored(&done(&smooth, &map));
            assert!(done(&smooth, &mirrored(&map)) == smooth_first, "{smooth:?}");
        }
    }
}

#[test]
fn sharpen_matches_its_formula() {
    let map = land(size(60, 40), 2);
    let blurred = done(&Filter::Smooth(Smooth::Gaussian(3.0)), &map);
    let sharp = done(
        &Filter::Sharpen(Sharpen {
            sigma: 3.0,
            amount: 0.75,
        }),
        &map,
    );
    let exact = map_of(map.size(), |x, y| {
        let z = map.get(x, y);
        z + 0.75 * (z - blurred.get(x, y))
    });
    assert!(furthest(&sharp, &exact) < 3e-7);
    for (sigma, amount) in [(3.0, 0.0), (0.0, 5.0)] {
        assert_eq!(
            done(&Filter::Sharpen(Sharpen { sigma, amount }), &map),
            map,
            "sigma {sigma}, amount {amount}"
        );
    }
}

#[test]
fn kernel_matches_the_weighted_mean() {
    let mut rng = SeededRng::new(9, b"test    ");
    for case in 0..40 {
        let map = any_map(&mut rng);
        let side = [3, 5, 7, 9][case % 4];
        let mut weights: Vec<f64> = (0..side * side).map(|_| rng.between(-1.0, 2.0)).collect();
        if case % 8 == 0 {
            let sum: f64 = weights.iter().skip(1).sum();
            weights[0] = -sum;
        }
        let sum: f64 = weights.iter().sum();
        let divisor = if case % 8 == 0 { 1.0 } else { sum };
        let kernel = Kernel {
            weights: weights.clone(),
            low: 0.3,
            high: 0.6,
        };
        let result = done(&Filter::Kernel(kernel), &map);
        let exact = map_of(map.size(), |x, y| {
            let cells = around(&map, x, y, side / 2);
            if (0.3_f32..=0.6).contains(&map.get(x, y)) {
                let sum: f64 = cells.iter().zip(&weights).map(|(z, w)| z * w).sum();
                (sum / divisor) as f32
            } else {
                map.get(x, y)
            }
        });
        assert!(furthest(&result, &exact) < 1e-5, "case {case}");
    }
    let mean = done(&Filter::Kernel(Kernel::default()), &land(size(30, 20), 1));
    let boxed = done(&Filter::Smooth(Smooth::Box(1)), &land(size(30, 20), 1));
    assert!(furthest(&mean, &boxed) < 1e-7);
}

#[test]
fn warp_with_zero_distance_changes_nothing() {
    let still = Warp {
        distance: 0.0,
        ..Warp::default()
    };
    let map = land(size(50, 40), 6);
    assert_eq!(done(&Filter::Warp(still), &map), map);
}

#[test]
fn warp_offset_is_at_most_its_distance() {
    let warp = Warp {
        scale: 15.0,
        distance: 6.0,
        octaves: 3,
    };
    // On slopes to the east and to the south, the height shows the position that was read.
    let size = size(80, 60);
    let sloped = |east: f32, south: f32| map_of(size, |x, y| east * x as f32 + south * y as f32);
    let mut moved = [0.0_f32; 2];
    for (slope, moved) in [sloped(1.0, 0.0), sloped(0.0, 1.0)].iter().zip(&mut moved) {
        let warped = done(&Filter::Warp(warp), slope);
        for (from, to) in warped.heights().iter().zip(slope.heights()) {
            *moved = moved.max((from - to).abs());
        }
    }
    assert!(moved.iter().all(|&m| (2.0..=6.0).contains(&m)), "{moved:?}");
    let seeds = [1, 1, 2].map(|seed| {
        let mut map = sloped(1.0, 0.3);
        Filter::Warp(warp)
            .apply(
                &mut map,
                &FilterContext::new(size, seed),
                &Progress::default(),
            )
            .unwrap();
        fnv(&map)
    });
    assert!(seeds[0] == seeds[1] && seeds[1] != seeds[2]);
}
