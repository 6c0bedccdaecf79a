//! Statistics, histograms, percentiles, hypsometry and topographic position.

use super::*;

#[test]
fn percentiles_match_the_sorted_cells() {
    let mut rng = SeededRng::new(21, b"test    ");
    for round in 0..60 {
        let size = any_size(&mut rng);
        let mut map = noise(&mut rng, size);
        if round % 3 == 0 {
            // Includes many equal heights, and negative ones.
            map = map_of(map.size(), |x, y| {
                f64::from(map.get(x as usize, y as usize) * 8.0).floor() - 4.0
            });
        }
        let mut sorted = map.heights().to_vec();
        sorted.sort_by(f32::total_cmp);
        let percents: Vec<f64> = (0..=40).map(|k| 2.5 * f64::from(k)).collect();
        let found = percentiles(&map, &percents, &go()).unwrap();
        for (percent, found) in percents.iter().zip(found) {
            let place = percent / 100.0 * (sorted.len() - 1) as f64;
            let below = f64::from(sorted[place.floor() as usize]);
            let above = f64::from(sorted[place.ceil() as usize]);
            assert!(
                (found - (below + (above - below) * place.fract())).abs() < 1e-9,
                "round {round}: {found} at {percent} %"
            );
        }
    }
    let empty = percentiles(&Heightmap::flat(size(2, 2)), &[], &go()).unwrap();
    assert!(empty.is_empty());
}

#[test]
fn statistics_are_exact_far_from_zero() {
    let mut rng = SeededRng::new(22, b"test    ");
    for offset in [0, 1_000_000, -7] {
        let whole = |rng: &mut SeededRng| rng.below(64) as i64;
        let size = any_size(&mut rng);
        let cells: Vec<i64> = (0..size.cells())
            .map(|_| whole(&mut rng) + offset)
            .collect();
        let heights = cells.iter().map(|&z| z as f32).collect();
        let map = Heightmap::from_heights(size, heights).unwrap();
        let found = Statistics::of(&map, &go()).unwrap();
        let (n, sum) = (cells.len() as i64, cells.iter().sum::<i64>());
        let squares = cells.iter().map(|z| (z * n - sum).pow(2)).sum::<i64>();
        assert!(
            (found.mean - sum as f64 / n as f64).abs() < 1e-9,
            "from {offset}"
        );
        let deviation = (squares as f64 / n as f64).sqrt() / n as f64;
        assert!((found.deviation - deviation).abs() < 1e-9, "from {offset}");
        assert_eq!(
            found.min,
            *cells.iter().min().unwrap() as f32,
            "from {offset}"
        );
        assert_eq!(
            found.max,
            *cells.iter().max().unwrap() as f32,
            "from {offset}"
        );
        let mut sorted = cells;
        sorted.sort_unstable();
        let median = (sorted[(n as usize - 1) / 2] + sorted[n as usize / 2]) as f64 / 2.0;
        assert_eq!(found.median, median, "from {offset}");
    }
}

#[test]
fn histograms_count_every_cell_once() {
    let mut rng = SeededRng::new(23, b"test    ");
    let map = noise(&mut rng, size(40, 33));
    let histogram = Histogram::of(&map, 17, &go()).unwrap();
    assert_eq!(histogram.counts.iter().sum::<u64>(), 40 * 33);
    assert_eq!((histogram.below, histogram.above), (0, 0));
    let quarters = Histogram::within(&map, 2, (0.25, 0.75), &go()).unwrap();
    let count =
        |wanted: &dyn Fn(f32) -> bool| map.heights().iter().filter(|&&z| wanted(z)).count() as u64;
    assert_eq!(quarters.below, count(&|z| z < 0.25));
    assert_eq!(quarters.above, count(&|z| z > 0.75));
    let expected = [
        count(&|z| (0.25..0.5).contains(&z)),
        count(&|z| (0.5..=0.75).contains(&z)),
    ];
    assert_eq!(quarters.counts, expected);
    let flat = Histogram::of(&Heightmap::flat(size(3, 2)), 4, &go()).unwrap();
    assert_eq!(flat.counts, [6, 0, 0, 0]);
}

#[test]
fn hypsometric_curve_is_the_fraction_above() {
    let mut rng = SeededRng::new(24, b"test    ");
    for steps in [1, 7, 100] {
        let map = noise(&mut rng, size(30, 20));
        let curve = Hypsometry::of(&map, steps, &go()).unwrap();
        assert_eq!(
            (curve.levels.len(), curve.shares.len()),
            (steps + 1, steps + 1),
            "{steps} steps"
        );
        for (&level, &share) in curve.levels.iter().zip(&curve.shares) {
            assert_eq!(share, map.share_above(level), "{steps} steps, {level}");
        }
        assert_eq!(curve.shares[steps], 0.0, "{steps} steps");
    }
    // The curve of a wedge is straight.
    let wedge = Hypsometry::of(&map_of(size(101, 3), |x, _| x), 10, &go()).unwrap();
    assert_eq!(wedge.integral, 0.5);
    assert!((wedge.shares[5] - 0.5).abs() < 0.01);
    // Thousands of levels are the same number.
    let close = map_of(size(9, 9), |x, _| {
        if x > 3.0 {
            1.0
        } else {
            f64::from(1_f32.next_down())
        }
    });
    let curve = Hypsometry::of(&close, 10_000, &go()).unwrap();
    for (&level, &share) in curve.levels.iter().zip(&curve.shares) {
        assert_eq!(share, close.share_above(level), "{level}");
    }
    let flat = Hypsometry::of(&Heightmap::flat(size(3, 2)), 3, &go()).unwrap();
    assert_eq!((flat.integral, flat.shares), (0.5, vec![0.0; 4]));
}

#[test]
fn position_is_relative_to_the_mean_of_the_square() {
    let mut rng = SeededRng::new(61, b"test    ");
    for radius in [1, 3, 8, 70, 1000] {
        let map = noise(&mut rng, size(40, 150));
        let position = TopographicPositionIndex { radius }
            .of(&map, SCALE, &go())
            .unwrap();
        let reach = radius as usize;
        for (x, y) in inner(&map, 0).step_by(17) {
            let columns = x.saturating_sub(reach)..(x + reach + 1).min(40);
            let rows = y.saturating_sub(reach)..(y + reach + 1).min(150);
            let count = (columns.len() * rows.len()) as f64;
            let cells = rows.flat_map(|j| columns.clone().map(move |i| (i, j)));
            let sum: f64 = cells.map(|(i, j)| f64::from(map.get(i, j))).sum();
            let expected = 30.0 * (f64::from(map.get(x, y)) - sum / count);
            assert_near(position.get(x, y), expected, 1e-5, "position");
        }
    }
}
