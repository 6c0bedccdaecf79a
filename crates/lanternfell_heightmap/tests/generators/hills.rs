//! Compares the hill algorithm with its definition, cell by cell, and with its known properties.

use crate::common::fnv;
use lanternfell_heightmap::{
    GenerateError, Generator, Heightmap, Hill, Hills, MapSize, Progress, SeededRng,
};
use lanternfell_test_support::assert_golden;
use proptest::prelude::*;

const CELL: i64 = Hill::CELL as i64;

/// The definition: every hill on every cell.
fn direct(size: MapSize, hills: &[Hill]) -> Vec<i64> {
    let mut sums = vec![0; size.cells()];
    for hill in hills {
        let (cx, cy, r) = (hill.x() as i64, hill.y() as i64, hill.radius() as i64);
        for (i, sum) in sums.iter_mut().enumerate() {
            let dx = (i % size.width()) as i64 * CELL - cx;
            let dy = (i / size.width()) as i64 * CELL - cy;
            *sum += (r * r - dx * dx - dy * dy).max(0);
        }
    }
    sums
}

fn size(width: u64, height: u64) -> MapSize {
    MapSize::new(width, height).unwrap()
}

fn sum(size: MapSize, hills: &[Hill]) -> Vec<i64> {
    Hills::sum(size, hills, &Progress::default()).unwrap()
}

fn raise(size: MapSize, hills: &[Hill]) -> Heightmap {
    let evaluated = Hills::default().evaluate(size, hills, &Progress::default());
    evaluated.unwrap()
}

/// Random parameters that are valid for the size.
fn any_hills(rng: &mut SeededRng, size: MapSize) -> Hills {
    let island = rng.below(2) == 1;
    let half = 0.5 * (size.shorter_side() - 1) as f64;
    let radius_max = rng.unit() * if island { half } else { 60.0 };
    Hills {
        count: 1 + rng.below(40) as u32,
        radius_min: rng.unit() * radius_max,
        radius_max,
        island,
        bays: rng.unit(),
    }
}

fn any_size(rng: &mut SeededRng) -> MapSize {
    size(2 + rng.below(50), 2 + rng.below(50))
}

#[test]
fn sums_match_the_definition_exactly() {
    let mut rng = SeededRng::new(1, b"test    ");
    for seed in 0..400 {
        let size = any_size(&mut rng);
        let hills = any_hills(&mut rng, size);
        let drawn = hills.draw(size, seed);
        assert_eq!(
            sum(size, &drawn),
            direct(size, &drawn),
            "{hills:?} on {size:?}"
        );
    }
}

#[test]
fn extreme_hills_are_summed_exactly() {
    let far = Hill::REACH;
    let corners = [
        (0.0, 0.0),
        (far, far),
        (-far, 5.0),
        (16_383.0, 1.0),
        (-0.004, 0.0),
    ];
    for size in [size(2, 2), size(16_384, 2), size(2, 1_000), size(17, 9)] {
        for radius in [0.0, 0.004, 1.0, 255.996, Hill::MAX_RADIUS] {
            let hills = corners.map(|(x, y)| Hill::from_cells(x, y, radius).unwrap());
            assert_eq!(sum(size, &hills), direct(size, &hills), "radius {radius}");
        }
    }
}

#[test]
fn heights_are_stretched_sums() {
    let mut rng = SeededRng::new(2, b"test    ");
    for seed in 0..100 {
        let size = any_size(&mut rng);
        let drawn = any_hills(&mut rng, size).draw(size, seed);
        let sums = direct(size, &drawn);
        let (low, high) = (*sums.iter().min().unwrap(), *sums.iter().max().unwrap());
        for (z, sum) in raise(size, &drawn).heights().iter().zip(&sums) {
            let exact = (sum - low) as f64 / (high - low).max(1) as f64;
            assert!((f64::from(*z) - exact).abs() < 2e-7, "{z}, not {exact}");
            assert_eq!(*z == 0.0, *sum == low || exact < 1e-7, "{z} for {exact}");
        }
    }
}

/// A million hills that all cover the map have a large common part. This must neither cost
/// precision nor overflow.
#[test]
fn largest_sum_does_not_overflow() {
    let size = size(3, 2);
    let top = Hill::from_cells(0.0, 0.0, Hill::MAX_RADIUS).unwrap();
    let hills = vec![top; Hills::MAX_COUNT as usize];
    let count = i64::from(Hills::MAX_COUNT);
    let peak = (Hill::MAX_RADIUS as i64 * CELL).pow(2);
    let expected = [0, 1, 4, 1, 2, 5].map(|square| count * (peak - square * CELL * CELL));
    assert_eq!(sum(size, &hills), expected);
    assert_eq!(
        raise(size, &hills).heights(),
        [1.0, 0.8, 0.2, 0.8, 0.6, 0.0]
    );
}

#[test]
fn island_border_is_zero() {
    for (width, height) in [(2, 2), (3, 2), (64, 64), (65, 64), (31, 90), (120, 40)] {
        let size = size(width, height);
        let half = 0.5 * (size.shorter_side() - 1) as f64;
        let hills = Hills {
            count: 300,
            radius_min: 0.5 * half,
            radius_max: half,
            island: true,
            bays: 0.0,
        };
        for seed in 0..20 {
            let sums = sum(size, &hills.draw(size, seed));
            for (i, sum) in sums.iter().enumerate() {
                let (x, y) = (i % size.width(), i / size.width());
                let edge = x == 0 || y == 0 || x == size.width() - 1 || y == size.height() - 1;
                assert!(!edge || *sum == 0, "({x}, {y}) of {width}x{height}: {sum}");
            }
            assert!(
                width < 31 || sums.iter().any(|&sum| sum > 0),
                "{width}x{height}, seed {seed}"
            );
        }
    }
}

/// On a map that is not square, an island is an ellipse with the width and height of the map.
#[test]
fn island_fills_the_ellipse_of_the_map() {
    let size = size(201, 101);
    let hills = Hills {
        count: 20_000,
        radius_min: 1.0,
        radius_max: 1.0,
        island: true,
        bays: 0.0,
    };
    let (mut west, mut north) = (f64::MAX, f64::MAX);
    let (mut mean_x, mut mean_y) = (0.0, 0.0);
    for hill in hills.draw(size, 3) {
        let in_cells = |units: i32| f64::from(units) / CELL as f64;
        let (x, y) = (in_cells(hill.x()), in_cells(hill.y()));
        let (along, across) = ((x - 100.0) / 99.0, (y - 50.0) / 49.0);
        assert!(along * along + across * across < 1.0, "({x}, {y})");
        (west, north) = (west.min(x), north.min(y));
        (mean_x, mean_y) = (mean_x + x / 20_000.0, mean_y + y / 20_000.0);
    }
    assert!(
        west < 1.5 && north < 1.3,
        "nothing near the edges: {west}, {north}"
    );
    assert!((mean_x - 100.0).abs() < 1.0 && (mean_y - 50.0).abs() < 0.5);
}

#[test]
fn hills_may_cross_the_border() {
    let (size, hills) = (size(100, 60), Hills::default());
    let drawn = hills.draw(size, 1);
    let inside = |center: i32, cells: i64| (0..cells * CELL).contains(&i64::from(center));
    let outside = |hill: &&Hill| !inside(hill.x(), 100) || !inside(hill.y(), 60);
    assert!(drawn.iter().filter(outside).count() > 40);
    assert!(raise(size, &drawn).row(0).iter().any(|&z| z > 0.0));
    for hill in &drawn {
        let (r, reach) = (hill.radius(), |cells: i32| {
            cells * Hill::CELL + hill.radius()
        });
        assert!((512..=40 * 256).contains(&r), "{hill:?}");
        assert!(
            (-r..=reach(100)).contains(&hill.x()) && (-r..=reach(60)).contains(&hill.y()),
            "{hill:?}"
        );
    }
}

/// An independent implementation of the documented order and formulas.
#[test]
fn draws_follow_the_documented_order() {
    let size = size(90, 70);
    let mut hills = Hills {
        count: 50,
        radius_min: 3.0,
        radius_max: 20.5,
        island: false,
        bays: 0.0,
    };
    let mut rng = SeededRng::new(9, b"hills   ");
    for hill in hills.draw(size, 9) {
        let r = 768 + rng.below(5248 - 768 + 1) as i32;
        let x = rng.below(90 * 256 + 2 * r as u64 + 1) as i32 - r;
        let y = rng.below(70 * 256 + 2 * r as u64 + 1) as i32 - r;
        assert_eq!(hill, Hill::new(x, y, r).unwrap());
    }
    hills.island = true;
    let mut rng = SeededRng::new(9, b"hills   ");
    for hill in hills.draw(size, 9) {
        let r = 768 + rng.below(5248 - 768 + 1) as i32;
        let angle = core::f64::consts::TAU * rng.unit();
        let share = rng.unit();
        let x = 89 * 128 + (libm::cos(angle) * share * f64::from(89 * 128 - r)) as i32;
        let y = 69 * 128 + (libm::sin(angle) * share * f64::from(69 * 128 - r)) as i32;
        assert_eq!(hill, Hill::new(x, y, r).unwrap());
    }
}

/// The bits of whole maps, which must be the same on every machine.
#[test]
fn maps_match_pinned_hashes() {
    let (plain, size) = (Hills::default(), size(120, 90));
    let island = Hills {
        island: true,
        ..plain.clone()
    };
    let dense = Hills {
        count: 5_000,
        radius_max: 200.0,
        ..plain.clone()
    };
    let hashes = [plain, island, dense].map(|hills| {
        let map = hills.generate(size, 42, &Progress::default()).unwrap();
        fnv(&map)
    });
    let names = PINNED.map(|(name, _)| name);
    assert_golden(names.into_iter().zip(hashes), &PINNED);
}

const PINNED: [(&str, u64); 3] = [
    ("default", 0xd058_bd1e_e591_e5fc),
    ("island", 0xf1e3_3c43_ee70_b37f),
    ("dense", 0x5204_94df_b972_1d2f),
];

#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let size = size(203, 150);
    let map = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let generate = || Hills::default().generate(size, 5, &Progress::default());
        pool.build().unwrap().install(generate).unwrap()
    };
    assert_eq!(map(1), map(2));
    assert_eq!(map(1), map(7));
}

#[test]
fn map_without_hills_is_flat() {
    assert!(raise(size(5, 4), &[]).heights().iter().all(|&z| z == 0.0));
    let points = Hills {
        radius_min: 0.0,
        radius_max: 0.0,
        ..Hills::default()
    };
    let map = points
        .generate(size(5, 4), 1, &Progress::default())
        .unwrap();
    assert!(map.heights().iter().all(|&z| z == 0.0));
}

#[test]
fn errors_name_parameters_out_of_range() {
    let text = |hills: Hills, side| {
        let result = hills.generate(size(side, 400), 1, &Progress::default());
        result.unwrap_err().to_string()
    };
    let default = Hills::default;
    let cases = [
        (
            Hills {
                count: 0,
                ..default()
            },
            "hills: count is 0, but must be from 1 to 1000000",
        ),
        (
            Hills {
                radius_max: 9e3,
                ..default()
            },
            "hills: radius_max is 9000, but must be from 0 to 8192",
        ),
        (
            Hills {
                radius_min: 128.0,
                radius_max: 200.0,
                island: true,
                ..default()
            },
            "hills: radius_min is 128, but must be at most 127.5 \
             (half of the map's shorter side) when island is true",
        ),
        (
            Hills {
                radius_min: 41.0,
                ..default()
            },
            "hills: radius_min is 41, but must be from 0 to radius_max, which is 40",
        ),
        (
            Hills {
                radius_min: -1.0,
                ..default()
            },
            "hills: radius_min is -1, but must be from 0 to radius_max, which is 40",
        ),
        (
            Hills {
                radius_min: f64::NAN,
                ..default()
            },
            "hills: radius_min is NaN, but must be from 0 to radius_max, which is 40",
        ),
        (
            Hills {
                radius_max: f64::INFINITY,
                ..default()
            },
            "hills: radius_max is inf, but must be from 0 to 8192",
        ),
    ];
    for (hills, expected) in cases {
        assert_eq!(text(hills, 256), expected);
    }
    let largest = Hills {
        radius_max: 127.5,
        island: true,
        ..Hills::default()
    };
    assert!(largest.validate(size(256, 400)).is_ok());
}

/// `draw` is public and returns no error, so it must accept any parameters.
#[test]
fn draw_clamps_parameters_out_of_range() {
    for (radius_min, radius_max) in [(f64::NAN, -5.0), (1e300, 2.0), (0.0, 1e300)] {
        for island in [false, true] {
            let hills = Hills {
                count: 100,
                radius_min,
                radius_max,
                island,
                bays: radius_max,
            };
            for hill in hills.draw(size(2, 2), 1) {
                assert!(
                    Hill::new(hill.x(), hill.y(), hill.radius()).is_ok(),
                    "{hill:?} of {hills:?}"
                );
            }
        }
    }
}

#[test]
fn rejects_too_many_hills() {
    let one = Hill::from_cells(0.0, 0.0, 1.0).unwrap();
    let hills = vec![one; Hills::MAX_COUNT as usize + 1];
    let error = Hills::default()
        .evaluate(size(2, 2), &hills, &Progress::default())
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "hills: count is 1000001, but must be at most 1000000"
    );
}

#[test]
fn canceled_work_stops() {
    let progress = Progress::default();
    progress.cancel();
    let result = Hills::default().generate(size(50, 50), 1, &progress);
    assert!(matches!(result, Err(GenerateError::Canceled(_))));
    let finished = Progress::default();
    Hills::default()
        .generate(size(50, 50), 1, &finished)
        .unwrap();
    assert_eq!(finished.fraction(), 1.0);
}

#[test]
fn parameters_can_be_set_by_name_and_read_from_ron() {
    let mut generator = Generator::from_name("hills").unwrap();
    for (name, value) in [
        ("count", "7"),
        ("radius_min", "1.5"),
        ("radius_max", "9"),
        ("island", "true"),
    ] {
        generator.set(name, value).unwrap();
    }
    let text = "(count: 7, radius_min: 1.5, radius_max: 9, island: true)";
    let read: Hills = ron::from_str(text).unwrap();
    assert_eq!(generator, Generator::Hills(read));
    assert_eq!(ron::from_str::<Hills>("()").unwrap(), Hills::default());
    assert!(ron::from_str::<Hills>("(radius: 3)").is_err());
}

fn hill_on_map() -> impl Strategy<Value = Hill> {
    (-4_000..12_000, -4_000..12_000, 0..5_000)
        .prop_map(|(x, y, radius)| Hill::new(x, y, radius).unwrap())
}

proptest! {
    #[test]
    fn order_of_hills_does_not_matter(
        hills in prop::collection::vec(hill_on_map(), 1..30),
    ) {
        let reversed: Vec<Hill> = hills.iter().rev().copied().collect();
        prop_assert_eq!(sum(size(30, 30), &hills), sum(size(30, 30), &reversed));
    }

    #[test]
    fn additional_hill_lowers_no_cell(
        hills in prop::collection::vec(hill_on_map(), 1..30),
    ) {
        let before = sum(size(30, 30), &hills[1..]);
        let after = sum(size(30, 30), &hills);
        prop_assert!(before.iter().zip(&after).all(|(before, after)| before <= after));
    }

    #[test]
    fn mirrored_hills_give_the_mirrored_map(
        hills in prop::collection::vec(hill_on_map(), 1..20),
    ) {
        let last = 24 * Hill::CELL;
        let mirror = |hill: &Hill| Hill::new(last - hill.x(), hill.y(), hill.radius()).unwrap();
        let mirrored: Vec<Hill> = hills.iter().map(mirror).collect();
        let mut sums = sum(size(25, 25), &hills);
        sums.chunks_mut(25).for_each(<[i64]>::reverse);
        prop_assert_eq!(sums, sum(size(25, 25), &mirrored));
    }
}

/// The fraction of land in the largest ellipse that fits on the map.
fn share_of_ellipse(hills: &Hills, seed: u64) -> f64 {
    let map = hills
        .generate(size(128, 128), seed, &Progress::default())
        .unwrap();
    map.share_above(0.04) / core::f64::consts::FRAC_PI_4
}

#[test]
fn bays_reduce_land_and_keep_the_border() {
    for seed in 0..10 {
        let round = Hills {
            count: 400,
            radius_max: 20.0,
            island: true,
            ..Hills::default()
        };
        let cut = Hills {
            bays: 0.8,
            ..round.clone()
        };
        let (before, after) = (share_of_ellipse(&round, seed), share_of_ellipse(&cut, seed));
        assert!(after < 0.8 * before, "seed {seed}: {before} to {after}");
        // Bays do not add draws: radii stay the same, and hills only move towards the center.
        let drawn = |hills: &Hills| hills.draw(size(128, 128), seed);
        let moved = drawn(&round).into_iter().zip(drawn(&cut));
        for (was, is) in moved {
            assert_eq!(was.radius(), is.radius());
            let off = |hill: Hill| {
                let middle = 127 * Hill::CELL / 2;
                f64::from(hill.x() - middle).hypot(f64::from(hill.y() - middle))
            };
            assert!(off(is) <= off(was) + 2.0, "seed {seed}: {was:?} to {is:?}");
        }
        let map = cut
            .generate(size(128, 128), seed, &Progress::default())
            .unwrap();
        assert!(map.row(0).iter().chain(map.row(127)).all(|&z| z == 0.0));
    }
}

/// The largest hills of the defaults are larger than a small island.
#[test]
fn island_hills_fit_on_the_map() {
    let island = Hills {
        island: true,
        ..Hills::default()
    };
    for (width, height) in [(5, 5), (5, 90), (20, 20), (64, 48), (79, 79)] {
        let size = MapSize::new(width, height).unwrap();
        assert_eq!(island.validate(size), Ok(()));
        let half = (size.shorter_side() - 1) as f64 / 2.0;
        let hills = island.draw(size, 5);
        assert!(
            hills
                .iter()
                .all(|hill| f64::from(hill.radius()) <= half * f64::from(Hill::CELL))
        );
        let map = island.generate(size, 5, &Progress::default()).unwrap();
        let (w, h) = (size.width(), size.height());
        for at in 0..w.max(h) {
            let (x, y) = (at.min(w - 1), at.min(h - 1));
            let border = [
                map.get(x, 0),
                map.get(x, h - 1),
                map.get(0, y),
                map.get(w - 1, y),
            ];
            assert_eq!(border, [0.0; 4], "{width} x {height}");
        }
    }
}
