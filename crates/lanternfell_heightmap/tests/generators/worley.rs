//! Compares Worley noise with a search over all points, and checks that it tiles.

use lanternfell_heightmap::{
    Heightmap, MapSize, Metric, Progress, SeededRng, Worley, WorleyFeature,
};
use lanternfell_random::Fnv1a;
use lanternfell_test_support::assert_golden;

const FEATURES: [WorleyFeature; 3] = [
    WorleyFeature::F1,
    WorleyFeature::F2,
    WorleyFeature::F2MinusF1,
];

const METRICS: [Metric; 3] = [Metric::Euclidean, Metric::Manhattan, Metric::Chebyshev];

fn map(worley: &Worley, (width, height): (u64, u64), seed: u64) -> Heightmap {
    let size = MapSize::new(width, height).unwrap();
    worley.generate(size, seed, &Progress::default()).unwrap()
}

fn distance(metric: Metric, [ax, ay]: [f64; 2], [bx, by]: [f64; 2]) -> f64 {
    let (dx, dy) = ((ax - bx).abs(), (ay - by).abs());
    match metric {
        Metric::Euclidean => dx.hypot(dy),
        Metric::Manhattan => dx + dy,
        Metric::Chebyshev => dx.max(dy),
    }
}

/// A height by searching all points of the surrounding squares, in `f64`.
fn plainly(worley: &Worley, drawn: u64, (x, y): (u64, u64)) -> f64 {
    let here = [x as f64, y as f64];
    let [column, row] = here.map(|place| (place / worley.scale).floor() as i64);
    let squares = (column - 6..=column + 6).flat_map(|c| (row - 6..=row + 6).map(move |r| (c, r)));
    let mut found: Vec<f64> = squares
        .map(|(c, r)| distance(worley.metric, here, worley.point(drawn, c, r)) / worley.scale)
        .collect();
    found.sort_by(f64::total_cmp);
    let (most, most_of_second) = match worley.metric {
        Metric::Euclidean => (2.0_f64.sqrt(), 2.5_f64.sqrt()),
        Metric::Manhattan => (2.0, 2.0),
        Metric::Chebyshev => (1.0, 1.5),
    };
    match worley.feature {
        WorleyFeature::F1 => found[0] / most,
        WorleyFeature::F2 => found[1] / most_of_second,
        WorleyFeature::F2MinusF1 => (found[1] - found[0]) / most_of_second,
    }
}

#[test]
fn heights_match_brute_force() {
    let mut rng = SeededRng::new(1, b"test    ");
    for round in 0..90 {
        let scale = [1.0, 1.37, 4.0, 9.3, 33.0][rng.below(5) as usize];
        let worley = Worley {
            feature: FEATURES[round % 3],
            metric: METRICS[round / 3 % 3],
            scale,
            jitter: [0.0, 0.4, 1.0][rng.below(3) as usize],
            period: None,
        };
        let (seed, size) = (rng.word(), (1 + rng.below(70), 2 + rng.below(20)));
        let size = (size.0.max(2), size.1);
        let made = map(&worley, size, seed);
        let drawn = worley.draw(made.size(), seed);
        for y in 0..size.1 {
            for x in 0..size.0 {
                let (found, exact) = (
                    f64::from(made.get(x as usize, y as usize)),
                    plainly(&worley, drawn, (x, y)),
                );
                let words = format!("{worley:?} at {x}, {y}: {found}, not {exact}");
                assert!((found - exact).abs() < 1e-6, "{words}");
                assert!((0.0..=1.0).contains(&found), "{words}");
            }
        }
    }
}

#[test]
fn points_are_within_their_squares() {
    let worley = Worley::default();
    for square in -50..50 {
        let [x, y] = worley.point(9, square, -3 * square);
        let [x, y] = [x / worley.scale, y / worley.scale];
        assert!(
            (square as f64..=square as f64 + 1.0).contains(&x),
            "{square}: {x}"
        );
        assert!(
            (-3.0 * square as f64..=1.0 - 3.0 * square as f64).contains(&y),
            "{square}: {y}"
        );
    }
}

#[test]
fn points_without_jitter_are_a_lattice() {
    let worley = Worley {
        jitter: 0.0,
        scale: 8.0,
        ..Worley::default()
    };
    let made = map(&worley, (64, 64), 3);
    assert_eq!((made.get(4, 4), made.get(12, 60)), (0.0, 0.0));
    assert_eq!(made.get(0, 0), made.get(8, 8));
    assert!((made.get(0, 0) - 0.5).abs() < 1e-6);
}

#[test]
fn period_repeats_exactly_without_seams() {
    for (scale, period) in [
        (8.0, 24_u32),
        (10.0, 10),
        (31.5, 63),
        (5.0, 25),
        (64.0, 128),
    ] {
        for feature in FEATURES {
            let worley = Worley {
                scale,
                feature,
                period: Some(period),
                ..Worley::default()
            };
            let (made, period) = (map(&worley, (150, 140), 5), period as usize);
            for y in 0..140 {
                for x in 0..150 {
                    let z = made.get(x % period, y % period);
                    assert_eq!(made.get(x, y).to_bits(), z.to_bits(), "{worley:?}");
                }
            }
            // A distance changes by at most the distance to the next cell.
            let steepest = 2.0 / scale as f32;
            let rows = made.heights().chunks_exact(150);
            let steps = rows.flat_map(|row| row.windows(2).map(|z| (z[1] - z[0]).abs()));
            let most = steps.fold(0.0_f32, f32::max);
            assert!(most <= steepest, "{worley:?}: a step of {most}");
        }
    }
}

/// Repeated points count like all others. The brute-force search finds them through the wrapped
/// squares.
#[test]
fn short_periods_match_brute_force() {
    for squares in 1..4 {
        let worley = Worley {
            scale: 12.0,
            feature: WorleyFeature::F2,
            period: Some(12 * squares),
            ..Worley::default()
        };
        let made = map(&worley, (40, 40), 2);
        let drawn = worley.draw(made.size(), 2);
        for (x, y) in (0..36).flat_map(|x| (0..36).map(move |y| (x, y))) {
            let exact = plainly(&worley, drawn, (x, y));
            let found = f64::from(made.get(x as usize, y as usize));
            assert!(
                (found - exact).abs() < 1e-6,
                "{squares}: {found}, not {exact}"
            );
        }
    }
}

#[test]
fn maps_match_pinned_hashes() {
    let usual = Worley {
        scale: 23.7,
        ..Worley::default()
    };
    let kinds = METRICS
        .into_iter()
        .zip(FEATURES)
        .map(|(metric, feature)| Worley {
            metric,
            feature,
            ..usual.clone()
        });
    let tile = Worley {
        scale: 16.0,
        period: Some(80),
        ..usual.clone()
    };
    let hashes = kinds
        .map(|worley| (worley, (301, 203)))
        .chain([(tile, (100, 90))])
        .map(|(worley, size)| Fnv1a::of_floats(map(&worley, size, 7).heights()));
    let names = ["euclidean f1", "manhattan f2", "chebyshev f2-f1", "tile"];
    assert_golden(names.into_iter().zip(hashes), &PINNED);
}

const PINNED: [(&str, u64); 4] = [
    ("euclidean f1", 0xce37_e640_840f_888a),
    ("manhattan f2", 0xaba4_dc70_ee9b_3c1f),
    ("chebyshev f2-f1", 0x9349_a418_5b9b_9d16),
    ("tile", 0x1d85_540d_5d47_4716),
];

#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let worley = Worley::default();
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build()
            .unwrap()
            .install(|| map(&worley, (200, 150), 4))
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn errors_name_parameters_out_of_range() {
    let size = MapSize::new(8, 8).unwrap();
    let refused = |worley: Worley| worley.validate(size).unwrap_err().to_string();
    let scale = refused(Worley {
        scale: 0.5,
        ..Worley::default()
    });
    assert_eq!(scale, "worley: scale is 0.5, but must be from 1 to 1000000");
    let period = refused(Worley {
        period: Some(100),
        ..Worley::default()
    });
    assert_eq!(
        period,
        "worley: period is 100, but must be a multiple of the scale (64); a scale of 50 would \
         fit"
    );
    let zero = refused(Worley {
        period: Some(0),
        ..Worley::default()
    });
    assert!(
        zero.contains("period is 0, but must be from 1 to 1000000"),
        "{zero}"
    );
}
