//! Every filter against its definition, written down the slow way, and what must hold for
//! all of them.

mod common;

use common::fnv;
use lanternfell_heightmap::{
    Cancelled, Draws, Filter, GenerateError, Heightmap, Islands, MapSize, Mask, Progress, Recipe,
    Site,
    erosion::{Droplets, Fluvial, Talus},
    filter::{
        Clamp, Curve, Dig, Edges, Kernel, Linear, Mound, Resampling, Shape, Sharpen, Smooth,
        Stretch, Terrace, Warp,
    },
};
use proptest::prelude::*;

fn size(width: u64, height: u64) -> MapSize {
    MapSize::new(width, height).unwrap()
}

fn map_of(size: MapSize, height: impl Fn(usize, usize) -> f32) -> Heightmap {
    let cells = (0..size.cells()).map(|i| height(i % size.width(), i / size.width()));
    Heightmap::from_heights(size, cells.collect()).unwrap()
}

/// Land with all that a filter may meet: slopes, levels, needles.
fn land(size: MapSize, seed: u64) -> Heightmap {
    let mut islands = Islands {
        scale: 20.0,
        ..Islands::default()
    };
    islands.octaves = 4;
    let map = islands.generate(size, seed, &Progress::default()).unwrap();
    let mut draws = Draws::new(seed, b"test    ");
    let cells = map
        .into_heights()
        .into_iter()
        .map(|z| match draws.below(12) {
            0 => draws.unit() as f32,
            1 | 2 => 0.5,
            _ => z,
        });
    Heightmap::from_heights(size, cells.collect()).unwrap()
}

/// Random heights and sizes, also very small ones.
fn any_map(draws: &mut Draws) -> Heightmap {
    let size = size(2 + draws.below(60), 2 + draws.below(40));
    land(size, draws.word())
}

fn done(filter: &Filter, map: &Heightmap) -> Heightmap {
    let mut map = map.clone();
    let (site, progress) = (Site::new(map.size(), 9), Progress::default());
    filter.apply(&mut map, &site, &progress).unwrap();
    assert_eq!(progress.fraction(), 1.0, "{filter:?}");
    map
}

/// The height of the nearest cell of the map.
fn near(map: &Heightmap, x: i64, y: i64) -> f64 {
    let within = |at: i64, count: usize| at.clamp(0, count as i64 - 1) as usize;
    f64::from(map.get(within(x, map.width()), within(y, map.height())))
}

/// All heights up to `reach` around a cell.
fn around(map: &Heightmap, x: usize, y: usize, reach: i64) -> Vec<f64> {
    let span = || -reach..=reach;
    let cells = span().flat_map(|dy| span().map(move |dx| (dx, dy)));
    cells
        .map(|(dx, dy)| near(map, x as i64 + dx, y as i64 + dy))
        .collect()
}

fn mirrored(map: &Heightmap) -> Heightmap {
    let (right, bottom) = (map.width() - 1, map.height() - 1);
    map_of(map.size(), |x, y| map.get(right - x, bottom - y))
}

fn furthest(a: &Heightmap, b: &Heightmap) -> f64 {
    assert_eq!(a.size(), b.size());
    let pairs = a.heights().iter().zip(b.heights());
    pairs
        .map(|(a, b)| (f64::from(*a) - f64::from(*b)).abs())
        .fold(0.0, f64::max)
}

/// One of each, and of those with several ways one of each way.
fn every_filter() -> Vec<Filter> {
    let area = Terrace {
        equal_areas: true,
        ..Terrace::default()
    };
    vec![
        Filter::Normalise,
        Filter::Stretch(Stretch::default()),
        Filter::Flatten(1.5),
        Filter::Clamp(Clamp { min: 0.2, max: 0.8 }),
        Filter::Linear(Linear {
            scale: 0.5,
            offset: 0.25,
        }),
        Filter::Invert,
        Filter::Turbulence(0.5),
        Filter::Curve(Curve(vec![(0.0, 0.0), (0.5, 0.2), (1.0, 1.0)])),
        Filter::Terrace(Terrace::default()),
        Filter::Terrace(area),
        Filter::Smooth(Smooth::Box(3)),
        Filter::Smooth(Smooth::Gaussian(1.5)),
        Filter::Smooth(Smooth::Gaussian(7.0)),
        Filter::Smooth(Smooth::Median(1)),
        Filter::Smooth(Smooth::Median(3)),
        Filter::Smooth(Smooth::Conservative(1.0)),
        Filter::Sharpen(Sharpen::default()),
        Filter::Kernel(Kernel::default()),
        Filter::Warp(Warp::default()),
        Filter::Island(Mask::Radial),
        Filter::Shape(Shape::default()),
        Filter::Edges(Edges::default()),
        Filter::Mound(Mound::default()),
        Filter::Dig(Dig::default()),
        Filter::Seamless(0.25),
    ]
}

#[test]
fn every_filter_has_its_name() {
    // Erosion has tests of its own.
    let erosion = [
        Filter::Droplets(Droplets::default()),
        Filter::Talus(Talus::default()),
        Filter::Fluvial(Fluvial::default()),
    ];
    let all = every_filter();
    let mut names: Vec<_> = all.iter().chain(&erosion).map(Filter::name).collect();
    names.dedup();
    assert_eq!(names, Filter::NAMES);
}

#[test]
fn concise_text_is_enough_and_comes_back() {
    let texts = [
        ("Normalise", Filter::Normalise),
        ("Stretch(())", Filter::Stretch(Stretch::default())),
        ("Flatten(1.5)", Filter::Flatten(1.5)),
        (
            "Clamp((max: 0.5))",
            Filter::Clamp(Clamp { min: 0.0, max: 0.5 }),
        ),
        (
            "Linear((scale: 2))",
            Filter::Linear(Linear {
                scale: 2.0,
                offset: 0.0,
            }),
        ),
        ("Invert", Filter::Invert),
        ("Turbulence(0.5)", Filter::Turbulence(0.5)),
        (
            "Curve([(0, 0), (0.5, 0.2), (1, 1)])",
            Filter::Curve(Curve(vec![(0.0, 0.0), (0.5, 0.2), (1.0, 1.0)])),
        ),
        (
            "Terrace((levels: 12))",
            Filter::Terrace(Terrace {
                levels: 12,
                ..Terrace::default()
            }),
        ),
        (
            "Smooth(Gaussian(2.5))",
            Filter::Smooth(Smooth::Gaussian(2.5)),
        ),
        ("Smooth(Box(3))", Filter::Smooth(Smooth::Box(3))),
        ("Smooth(Median(2))", Filter::Smooth(Smooth::Median(2))),
        (
            "Smooth(Conservative(1))",
            Filter::Smooth(Smooth::Conservative(1.0)),
        ),
        ("Sharpen(())", Filter::Sharpen(Sharpen::default())),
        ("Kernel(())", Filter::Kernel(Kernel::default())),
        ("Warp(())", Filter::Warp(Warp::default())),
        ("Island(Radial)", Filter::Island(Mask::Radial)),
        ("Shape(())", Filter::Shape(Shape::default())),
        ("Edges(())", Filter::Edges(Edges::default())),
        ("Mound(())", Filter::Mound(Mound::default())),
        ("Dig(())", Filter::Dig(Dig::default())),
        ("Seamless(0.25)", Filter::Seamless(0.25)),
    ];
    for (text, filter) in texts {
        assert_eq!(ron::from_str(text), Ok(filter.clone()), "{text}");
        filter.validate().unwrap();
        let recipe = Recipe::default().with_filter(filter);
        assert_eq!(Recipe::from_ron(&recipe.to_ron()), Ok(recipe));
    }
    for wrong in [
        "Terrace((steps: 12))",
        "Clamp((minimum: 0))",
        "Curve([])extra",
        "Smooth((gaussian: 2))",
        "Blur",
        "Edges((nort: true))",
        "Shape((path: []))",
    ] {
        assert!(ron::from_str::<Filter>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn what_is_out_of_range_is_refused_by_name() {
    let out_of_range = [
        (
            "Stretch((low: 60, high: 50))",
            "stretch: low is 60",
            "from 0 to 50",
        ),
        (
            "Stretch((high: 101))",
            "stretch: high is 101",
            "from 0 to 100",
        ),
        ("Clamp((min: 2))", "clamp: min is 2", "to 1"),
        ("Linear((scale: 1e9))", "linear: scale", "1000000"),
        ("Turbulence(1.5)", "turbulence is 1.5", "from 0 to 1"),
        ("Curve([(0, 0)])", "curve: points is 1", "from 2 to 64"),
        ("Curve([(0, 0), (0, 1)])", "curve: x is 0", "above"),
        (
            "Curve([(0, 0), (1e-170, 1)])",
            "curve: x is",
            "at least 0.000000001 above",
        ),
        ("Curve([(0, 0), (1, 1e7)])", "curve: y", "1000000"),
        (
            "Terrace((levels: 1))",
            "terrace: levels is 1",
            "from 2 to 256",
        ),
        (
            "Terrace((sharpness: -1))",
            "terrace: sharpness is -1",
            "from 0 to 1",
        ),
        ("Smooth(Box(1025))", "smooth: box is 1025", "from 0 to 1024"),
        ("Smooth(Gaussian(-1))", "smooth: gaussian is -1", "from 0"),
        ("Smooth(Median(65))", "smooth: median is 65", "from 0 to 64"),
        (
            "Smooth(Conservative(inf))",
            "smooth: conservative is inf",
            "from 0 to 100",
        ),
        (
            "Sharpen((amount: 101))",
            "sharpen: amount is 101",
            "from 0 to 100",
        ),
        ("Kernel((weights: [1, 1]))", "kernel: weights is 2", "9, 25"),
        ("Kernel((low: 2, high: 1))", "kernel: low is 2", "to 1"),
        ("Warp((scale: 0.5))", "warp: scale is 0.5", "from 1"),
        ("Warp((octaves: 9))", "warp: octaves is 9", "from 1 to 8"),
        ("Shape((paths: []))", "shape: points is 0", "from 1 to 4096"),
        (
            "Shape((paths: [[(17, 0)]]))",
            "shape: x is 17",
            "from -16 to 16",
        ),
        (
            "Shape((falloff: NaN))",
            "shape: falloff is NaN",
            "from 0 to 16",
        ),
        (
            "Edges((width: -1))",
            "edges: width is -1",
            "from 0 to 16384",
        ),
        ("Mound((radius: 17))", "mound: radius is 17", "from 0 to 16"),
        ("Dig((path: [(0, 0)]))", "dig: path is 1", "from 2 to 16"),
        (
            "Dig((depth: (0, NaN)))",
            "dig: depth is NaN",
            "from -1000000",
        ),
        ("Seamless(0)", "seamless is 0", "above 0 and at most 0.5"),
    ];
    for (text, what, allowed) in out_of_range {
        let filter: Filter = ron::from_str(text).unwrap();
        let mut map = land(size(9, 7), 1);
        let before = map.clone();
        let site = Site::new(map.size(), 0);
        let result = filter.apply(&mut map, &site, &Progress::default());
        let Err(GenerateError::Param(error)) = result else {
            panic!("{text} was accepted");
        };
        let words = error.to_string();
        assert!(
            words.contains(what) && words.contains(allowed),
            "{text}: {words}"
        );
        assert_eq!(map, before);
    }
}

#[test]
fn any_finite_height_may_come_in_and_only_finite_ones_come_out() {
    let extremes = [
        f32::MAX,
        f32::MIN,
        f32::MIN_POSITIVE,
        -1e-45,
        -0.0,
        0.0,
        1.0,
        -3e38,
    ];
    let mut filters = every_filter();
    filters.push(Filter::Linear(Linear {
        scale: -1e6,
        offset: 1e6,
    }));
    // The ends of ranges, and what is nearly nothing.
    let kernel = |weights: &[f64]| {
        let weights = weights.to_vec();
        Filter::Kernel(Kernel {
            weights,
            ..Kernel::default()
        })
    };
    filters.extend([
        kernel(&[0.0; 9]),
        kernel(&[-1000.0; 81]),
        kernel(&[1.0, 0.0, 0.0, 0.0, -1.0 + 1e-12, 0.0, 0.0, 0.0, 0.0]),
        kernel(&[0.0, 0.0, 0.0, 0.0, f64::from_bits(1), 0.0, 0.0, 0.0, 0.0]),
        Filter::Curve(Curve(vec![
            (0.0, 0.0),
            (1e-9, 1.0),
            (1.0, -1e6),
            (1e6, 1e6),
        ])),
        Filter::Curve(Curve(vec![(-1e6, 1e6), (0.0, -1e6), (1e-9, 1e6)])),
        Filter::Flatten(16.0),
        Filter::Turbulence(0.0),
        Filter::Turbulence(1.0),
        Filter::Linear(Linear {
            scale: 0.0,
            offset: -1e6,
        }),
        Filter::Clamp(Clamp { min: 0.5, max: 0.5 }),
        Filter::Smooth(Smooth::Box(100)),
        Filter::Smooth(Smooth::Conservative(0.0)),
        Filter::Edges(Edges {
            width: 1.0,
            ..Edges::default()
        }),
        Filter::Mound(Mound {
            radius: 1e-300,
            height: 1e6,
            ..Mound::default()
        }),
        Filter::Dig(Dig {
            path: vec![(0.5, 0.5); 16],
            radius: (0.0, 16.0),
            depth: (1e6, -1e6),
        }),
        Filter::Shape(Shape {
            paths: vec![vec![(0.5, 0.5); 9]],
            radius: 0.0,
            falloff: 1e-300,
            ..Shape::default()
        }),
        Filter::Seamless(1e-300),
        Filter::Seamless(0.5),
    ]);
    filters.push(Filter::Smooth(Smooth::Conservative(100.0)));
    filters.push(Filter::Sharpen(Sharpen {
        sigma: 9.0,
        amount: 100.0,
    }));
    for filter in filters {
        for size in [size(2, 2), size(3, 2), size(2, 9), size(70, 41)] {
            let mut draws = Draws::new(size.cells() as u64, b"test    ");
            let cells = (0..size.cells()).map(|_| extremes[draws.below(8) as usize]);
            let map = Heightmap::from_heights(size, cells.collect()).unwrap();
            let result = done(&filter, &map);
            assert!(result.heights().iter().all(|z| z.is_finite()), "{filter:?}");
        }
    }
}

#[test]
fn heights_from_zero_to_one_stay_there() {
    let leave = ["sharpen", "kernel", "mound", "dig"];
    for filter in every_filter() {
        if !leave.contains(&filter.name()) {
            let (low, high) = done(&filter, &land(size(70, 50), 3)).range();
            assert!(low >= 0.0 && high <= 1.0, "{filter:?}: {low} to {high}");
        }
    }
}

#[test]
fn cancelled_filters_stop() {
    let progress = Progress::default();
    progress.cancel();
    for filter in every_filter() {
        let mut map = land(size(90, 80), 1);
        let site = Site::new(map.size(), 0);
        let result = filter.apply(&mut map, &site, &progress);
        assert_eq!(result, Err(Cancelled.into()), "{filter:?}");
    }
    let map = land(size(90, 80), 1);
    assert_eq!(
        map.resampled(size(40, 40), Resampling::Bicubic, &progress),
        Err(Cancelled)
    );
    assert_eq!(
        map.clone().multiply_by_mask(&map, &progress),
        Err(Cancelled)
    );
}

#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let map = land(size(203, 150), 5);
    let with = |threads, work: &(dyn Fn() -> Heightmap + Sync)| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(work)
    };
    for filter in every_filter() {
        let one = with(1, &|| done(&filter, &map));
        for threads in [2, 7] {
            assert!(one == with(threads, &|| done(&filter, &map)), "{filter:?}");
        }
    }
    let small = || {
        let progress = Progress::default();
        map.resampled(size(77, 210), Resampling::Bicubic, &progress)
            .unwrap()
    };
    assert_eq!(with(1, &small), with(7, &small));
}

/// Were these to change, every recipe that uses them would.
#[test]
fn the_bits_are_pinned() {
    let map = land(size(120, 90), 42);
    let hashes: Vec<u64> = every_filter()
        .iter()
        .map(|filter| fnv(&done(filter, &map)))
        .collect();
    assert_eq!(hashes, PINNED, "{hashes:#x?}");
}

const PINNED: [u64; 25] = [
    0xb353_6d6a_dc2c_ead0,
    0x5b43_949f_e8b1_71ab,
    0xdb31_8fde_492a_52cb,
    0xf7ad_90dc_bf87_3778,
    0xc587_0229_f1c2_1f94,
    0x590b_fc58_97a5_9e2f,
    0x820f_20ca_8370_46b6,
    0x13cc_c79f_a81b_8b2c,
    0x15fe_8cc6_4e0b_7e55,
    0x4d8d_d0fe_f8d7_c5e3,
    0xfb8c_ce58_3fea_d1eb,
    0xacf5_e2b9_f585_7f6a,
    0xe747_4564_2620_f387,
    0x70bc_511b_a2de_bb3b,
    0x28a5_9633_914d_4afb,
    0x2057_05a3_fb0f_24df,
    0x8e75_71fc_324e_c7f8,
    0xd6ac_3a9b_a1ff_e3ca,
    0xa722_e8ca_0738_12da,
    0xcfef_92ed_ccd5_7525,
    0x1047_dd0a_66bf_703c,
    0x4a39_2a2f_59f9_bad7,
    0xcdfa_bb0b_8114_ce9e,
    0xb020_1c73_fdf9_6e79,
    0xab4a_305a_6e35_a124,
];

// Levels.

#[test]
fn normalising_twice_is_normalising_once() {
    let mut draws = Draws::new(1, b"test    ");
    for _ in 0..50 {
        let once = done(&Filter::Normalise, &any_map(&mut draws));
        assert_eq!(done(&Filter::Normalise, &once), once);
        let whole = Stretch {
            low: 0.0,
            high: 100.0,
        };
        assert_eq!(done(&Filter::Stretch(whole), &once), once);
    }
}

#[test]
fn a_stretch_is_the_sorted_map_s() {
    let mut draws = Draws::new(2, b"test    ");
    for _ in 0..60 {
        let map = any_map(&mut draws);
        let high = draws.between(0.0, 100.0);
        let low = draws.between(0.0, high);
        let mut sorted = map.heights().to_vec();
        sorted.sort_by(f32::total_cmp);
        let at = |percent: f64| {
            let rank = (percent / 100.0 * (sorted.len() - 1) as f64).round();
            f64::from(sorted[rank as usize])
        };
        let expected = map_of(map.size(), |x, y| {
            let above = f64::from(map.get(x, y)) - at(low);
            if at(high) > at(low) {
                (above / (at(high) - at(low))).clamp(0.0, 1.0) as f32
            } else if above > 0.0 {
                1.0
            } else {
                0.0
            }
        });
        assert_eq!(
            done(&Filter::Stretch(Stretch { low, high }), &map),
            expected
        );
    }
    let flat = map_of(size(4, 3), |_, _| 0.7);
    let stretched = done(&Filter::Stretch(Stretch::default()), &flat);
    assert_eq!(stretched.heights(), [0.0; 12]);
}

#[test]
fn levels_follow_their_formulas() {
    let map = map_of(size(2, 2), |x, y| [-1.0, 0.25, 0.5, 3.0][x + 2 * y]);
    let heights = |filter: &str| {
        let filter: Filter = ron::from_str(filter).unwrap();
        done(&filter, &map).into_heights()
    };
    assert_eq!(heights("Clamp((min: 0.3, max: 0.4))"), [0.3, 0.3, 0.4, 0.4]);
    assert_eq!(
        heights("Linear((scale: 2, offset: 1))"),
        [-1.0, 1.5, 2.0, 7.0]
    );
    assert_eq!(heights("Invert"), [2.0, 0.75, 0.5, -2.0]);
    assert_eq!(heights("Turbulence(0.5)"), [3.0, 0.5, 0.0, 5.0]);
    assert_eq!(heights("Turbulence(0)"), [1.0, 0.25, 0.5, 3.0]);
    assert_eq!(
        heights("Turbulence(0.75)"),
        [7.0 / 3.0, 2.0 / 3.0, 1.0 / 3.0, 3.0]
    );
}

#[test]
fn inverting_twice_changes_nothing() {
    let map = land(size(50, 40), 4);
    let twice = done(&Filter::Invert, &done(&Filter::Invert, &map));
    assert!(furthest(&twice, &map) <= 6e-8, "rounded once at most");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_curve_goes_through_its_points_and_turns_only_there(
        steps in prop::collection::vec((0.001_f64..0.3, -0.5_f64..0.5), 2..20),
    ) {
        let mut at = (-0.5, 0.0);
        let mut points = vec![at];
        for (dx, dy) in steps {
            // Also a level now and then.
            at = (at.0 + dx, at.1 + if dy.abs() < 0.1 { 0.0 } else { dy });
            points.push(at);
        }
        let curve = Filter::Curve(Curve(points.clone()));
        let first = points[0].0;
        let last = points[points.len() - 1].0;
        let of = |heights: Vec<f32>| {
            let size = size(heights.len() as u64 / 2, 2);
            done(&curve, &Heightmap::from_heights(size, heights).unwrap()).into_heights()
        };
        let through = of(points.iter().chain(&points).map(|&(x, _)| x as f32).collect());
        for (z, &(_, y)) in through.iter().zip(&points) {
            // The point is rounded to an f32, on a slope of up to 3 * 0.5 / 0.001.
            prop_assert!((f64::from(*z) - y).abs() < 2e-4, "{z} for {y}");
        }
        for pair in points.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let inside = |k: u32| (a.0 + (b.0 - a.0) * f64::from(k) / 63.0) as f32;
            let between = of((0..64).map(inside).collect());
            let rises = between.is_sorted_by(|p, q| p <= q || (p - q).abs() < 2e-4 && b.1 >= a.1);
            let falls = between.is_sorted_by(|p, q| p >= q || (p - q).abs() < 2e-4 && b.1 <= a.1);
            prop_assert!(if b.1 >= a.1 { rises } else { falls }, "{a:?} to {b:?}: {between:?}");
        }
        let beyond = of(vec![first as f32 - 1.0, -9e9, last as f32 + 1.0, 9e9]);
        let ends = [points[0].1, points[points.len() - 1].1].map(|y| y as f32);
        prop_assert_eq!(beyond, [ends[0], ends[0], ends[1], ends[1]]);
    }
}

#[test]
fn a_straight_curve_is_a_straight_line() {
    let map = land(size(40, 30), 8);
    let line = Filter::Curve(Curve(vec![
        (0.0, 0.0),
        (0.25, 0.25),
        (0.6, 0.6),
        (1.0, 1.0),
    ]));
    assert!(furthest(&done(&line, &map), &map) < 1e-7);
    assert!(furthest(&done(&Filter::Curve(Curve::default()), &map), &map) < 1e-7);
}

/// The heights from 0 to 1 in so many steps, as a map.
fn ramp(steps: u64) -> Heightmap {
    map_of(size(steps, 2), |x, _| x as f32 / (steps - 1) as f32)
}

#[test]
fn terraces_rise_from_level_to_level() {
    let ramp = ramp(1201);
    for levels in [2, 3, 7, 256] {
        for sharpness in [0.0, 0.4, 0.9, 1.0] {
            for equal_areas in [false, true] {
                let terrace = Terrace {
                    levels,
                    sharpness,
                    equal_areas,
                };
                let map = done(&Filter::Terrace(terrace), &ramp);
                assert!(map.row(0).is_sorted(), "{terrace:?}");
                assert_eq!((map.get(0, 0), map.get(1200, 0)), (0.0, 1.0));
                if sharpness == 0.0 {
                    assert_eq!(map, ramp);
                }
                if sharpness == 1.0 && levels == 7 {
                    let mut steps = map.row(0).to_vec();
                    steps.dedup();
                    // Half-way up a vertical riser is half-way up.
                    steps.retain(|z| (z * 6.0 - (z * 6.0).round()).abs() < 1e-3);
                    assert_eq!(steps.len(), 7, "{steps:?}");
                }
            }
        }
    }
    let sharp = |sharpness| {
        let terrace = Terrace {
            levels: 5,
            sharpness,
            equal_areas: false,
        };
        done(&Filter::Terrace(terrace), &ramp)
    };
    let (soft, hard) = (sharp(0.5), sharp(0.8));
    for x in 0..1201 {
        let nearest = (ramp.get(x, 0) * 4.0).round() / 4.0;
        let from = |map: &Heightmap| (map.get(x, 0) - nearest).abs();
        assert!(from(&hard) <= from(&soft) + 1e-6 && from(&soft) <= from(&ramp) + 1e-6);
    }
}

#[test]
fn terraces_by_area_have_equal_areas() {
    let map = done(&Filter::Flatten(4.0), &ramp(1001));
    let terrace = Terrace {
        levels: 6,
        sharpness: 1.0,
        equal_areas: true,
    };
    let stepped = done(&Filter::Terrace(terrace), &map);
    let mut counts = vec![(stepped.get(0, 0), 0)];
    for &z in stepped.row(0) {
        match counts.last_mut() {
            Some((level, count)) if *level == z => *count += 1,
            _ => counts.push((z, 1)),
        }
    }
    counts.retain(|&(_, count)| count > 2);
    assert_eq!(counts.len(), 6, "{counts:?}");
    // A tread reaches half-way to the next in height; the curve rises ever faster.
    for (k, &(level, _)) in counts.iter().enumerate() {
        let quantile = (k as f32 / 5.0).powi(4);
        assert!((level - quantile).abs() < 1e-5, "{level}, not {quantile}");
    }
    let lake = map_of(
        size(20, 20),
        |x, y| if y < 13 { 0.25 } else { x as f32 / 19.0 },
    );
    let result = done(&Filter::Terrace(terrace), &lake);
    assert_eq!(result.get(3, 3), 0.25);
    assert!(result.heights().iter().all(|z| (0.0..=1.0).contains(z)));
}

// Smoothing.

#[test]
fn the_box_is_the_mean_of_its_cells() {
    let mut draws = Draws::new(3, b"test    ");
    for _ in 0..60 {
        let map = any_map(&mut draws);
        let reach = draws.below(12) as i64;
        let smooth = done(&Filter::Smooth(Smooth::Box(reach as u32)), &map);
        let exact = map_of(map.size(), |x, y| {
            let cells = around(&map, x, y, reach);
            (cells.iter().sum::<f64>() / cells.len() as f64) as f32
        });
        // One rounding to f32, and whole units of 2^-30.
        assert!(furthest(&smooth, &exact) <= 6.1e-8, "reach {reach}");
    }
}

/// Sums of whole numbers leave nothing behind, however large what has passed.
#[test]
fn a_box_forgets_what_has_left_it() {
    let map = map_of(size(300, 40), |x, _| if x < 20 { 1.0 } else { 0.001 });
    let smooth = done(&Filter::Smooth(Smooth::Box(4)), &map);
    let behind = &smooth.row(20)[24..];
    assert!(behind.iter().all(|z| z.to_bits() == behind[0].to_bits()));
    assert!((behind[0] - 0.001).abs() < 1e-9);
    for radius in [40, 1024] {
        let wide = done(&Filter::Smooth(Smooth::Box(radius)), &map);
        assert!(wide.row(0).is_sorted_by(|a, b| a >= b));
    }
}

#[test]
fn the_gaussian_is_the_sum_under_the_bell() {
    let mut draws = Draws::new(4, b"test    ");
    for sigma in [0.3, 1.0, 2.5, 4.9, 5.1, 8.0, 20.0] {
        let map = any_map(&mut draws);
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
fn a_very_wide_gaussian_is_the_mean() {
    let map = land(size(40, 30), 3);
    let smooth = done(&Filter::Smooth(Smooth::Gaussian(1024.0)), &map);
    let (low, high) = smooth.range();
    // Beyond the border the outermost cells go on, so the corners' mean it is.
    assert!(high - low < 0.02, "{low} to {high}");
}

#[test]
fn the_median_is_the_middle_of_the_sorted_cells() {
    let mut draws = Draws::new(5, b"test    ");
    for case in 0..60 {
        let map = any_map(&mut draws);
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
fn the_largest_median_crosses_tiles_too() {
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
        assert_eq!(f64::from(smooth.get(x, y)), cells[cells.len() / 2]);
    }
}

#[test]
fn conservative_smoothing_clamps_to_the_neighbours() {
    let mut draws = Draws::new(6, b"test    ");
    for case in 0..40 {
        let map = any_map(&mut draws);
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
fn smoothing_keeps_levels_and_stays_in_the_map_s_range() {
    let mut draws = Draws::new(7, b"test    ");
    for smooth in smoothing().map(Filter::Smooth) {
        for height in [0.0, 0.1, -7.3, 1e-30, 3e38, f32::MIN_POSITIVE / 8.0] {
            let flat = map_of(size(33, 21), |_, _| height);
            assert_eq!(done(&smooth, &flat), flat, "{smooth:?}");
        }
        for _ in 0..10 {
            let map = any_map(&mut draws);
            let ((low, high), (least, most)) = (map.range(), done(&smooth, &map).range());
            assert!(least >= low && most <= high, "{smooth:?}");
        }
    }
}

#[test]
fn a_mirrored_map_is_smoothed_to_the_mirrored_result() {
    let mut draws = Draws::new(8, b"test    ");
    for smooth in smoothing().map(Filter::Smooth) {
        for _ in 0..10 {
            let map = any_map(&mut draws);
            let smooth_first = mirrored(&done(&smooth, &map));
            assert!(done(&smooth, &mirrored(&map)) == smooth_first, "{smooth:?}");
        }
    }
}

#[test]
fn sharpening_adds_what_a_blur_takes() {
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
        assert_eq!(done(&Filter::Sharpen(Sharpen { sigma, amount }), &map), map);
    }
}

#[test]
fn a_kernel_is_a_weighted_mean_of_heights_in_its_range() {
    let mut draws = Draws::new(9, b"test    ");
    for case in 0..40 {
        let map = any_map(&mut draws);
        let side = [3, 5, 7, 9][case % 4];
        let mut weights: Vec<f64> = (0..side * side).map(|_| draws.between(-1.0, 2.0)).collect();
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
        assert!(furthest(&result, &exact) < 1e-5);
    }
    let mean = done(&Filter::Kernel(Kernel::default()), &land(size(30, 20), 1));
    let boxed = done(&Filter::Smooth(Smooth::Box(1)), &land(size(30, 20), 1));
    assert!(furthest(&mean, &boxed) < 1e-7);
}

// Warp.

#[test]
fn a_warp_of_no_distance_changes_nothing() {
    let still = Warp {
        distance: 0.0,
        ..Warp::default()
    };
    let map = land(size(50, 40), 6);
    assert_eq!(done(&Filter::Warp(still), &map), map);
}

#[test]
fn a_warp_moves_land_no_further_than_its_distance() {
    let warp = Warp {
        scale: 15.0,
        distance: 6.0,
        octaves: 3,
    };
    // On slopes to the east and to the south the height says where it came from.
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
            .apply(&mut map, &Site::new(size, seed), &Progress::default())
            .unwrap();
        fnv(&map)
    });
    assert!(seeds[0] == seeds[1] && seeds[1] != seeds[2]);
}

// Masks.

#[test]
fn a_shape_is_the_distance_to_its_lines() {
    let mut draws = Draws::new(10, b"test    ");
    for case in 0..60 {
        let size = size(2 + draws.below(90), 2 + draws.below(90));
        let mut place = || (draws.between(-0.2, 1.2), draws.between(-0.2, 1.2));
        let paths: Vec<Vec<(f64, f64)>> = (0..1 + case % 3)
            .map(|_| (0..1 + case % 7).map(|_| place()).collect())
            .collect();
        let shape = Shape {
            paths,
            closed: case % 2 == 0,
            radius: draws.between(0.0, 0.1),
            falloff: draws.between(0.0, 0.5),
        };
        let mask = shape.mask(size, &Progress::default()).unwrap();
        let exact = map_of(size, |x, y| drawn(&shape, size, (x as f64, y as f64)));
        assert!(furthest(&mask, &exact) < 1e-6, "{shape:?} on {size:?}");
        let land = land(size, 1);
        let masked = done(&Filter::Shape(shape), &land);
        let product = map_of(size, |x, y| land.get(x, y) * mask.get(x, y));
        assert!(furthest(&masked, &product) < 2e-7);
    }
}

/// The definition: every line, every cell.
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
fn a_shape_falls_off_evenly_with_the_distance() {
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
    // Two paths, one in the other: what is inside both is outside.
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
fn edges_reach_their_level_on_chosen_sides_only() {
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
        assert_eq!(result.row(y)[10..], map.row(y)[10..]);
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
fn a_mound_is_a_paraboloid() {
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
fn a_bed_follows_its_curve() {
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
    // A curve of three points passes through the mean of its middle and its ends' mean.
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
fn a_mask_of_any_size_multiplies() {
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

// Other sizes.

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
fn the_same_size_is_the_same_map_and_corners_stay() {
    let mut draws = Draws::new(11, b"test    ");
    for _ in 0..30 {
        let map = any_map(&mut draws);
        for way in WAYS {
            assert_eq!(resampled(&map, map.size(), way), map);
            let size = size(2 + draws.below(90), 2 + draws.below(90));
            let result = resampled(&map, size, way);
            let corners = |map: &Heightmap| {
                let (x, y) = (map.width() - 1, map.height() - 1);
                [map.get(0, 0), map.get(x, 0), map.get(0, y), map.get(x, y)]
            };
            assert_eq!(corners(&result), corners(&map), "{way:?} to {size:?}");
            let ((low, high), (least, most)) = (map.range(), result.range());
            assert!(least >= low && most <= high);
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
    let mut draws = Draws::new(12, b"test    ");
    for _ in 0..60 {
        let mut any = || size(2 + draws.below(90), 2 + draws.below(90));
        let (from, to) = (any(), any());
        for way in [Resampling::Bilinear, Resampling::Bicubic] {
            let off = furthest(&resampled(&plane(from), to, way), &plane(to));
            assert!(off < 3e-7, "{way:?}, {from:?} to {to:?}: {off}");
        }
    }
}

#[test]
fn enlarging_goes_through_the_old_cells() {
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
        // The very crests lie between the cells, above the highest of them.
        let exact = slope(x as f64 / 10.0);
        let off = (fine.get(x, 0) - exact).abs();
        assert!(off < 1e-3 || exact.abs() > 0.97, "{off} at {x}");
    }
}

#[test]
fn reducing_does_not_pick_single_cells() {
    // The finest checkerboard has no land that a coarser map could show.
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
fn crops_and_repeats_have_the_cells_they_should() {
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
        assert!(map.repeated(columns, rows).is_err());
    }
}

/// Lines close together beside their fall-off, about equally far from most cells.
#[test]
fn dense_drawings_are_as_exact_as_others() {
    let mut draws = Draws::new(12, b"test    ");
    let whole = size(150, 90);
    let ones = map_of(whole, |_, _| 1.0);
    for (spread, points) in [(0.05, 200), (0.0, 40), (0.3, 120), (1e-7, 60)] {
        let mut place = || {
            let mut at = || 0.4 + draws.between(0.0, 1.0) * spread;
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
fn a_seamless_map_fits_beside_itself() {
    // The steepest step between neighbours, within the map and across its border.
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
        assert!(steps(&slope).1 > 0.5);
        for share in [1e-9, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5] {
            let seamless = done(&Filter::Seamless(share), &slope);
            let (within, across) = steps(&seamless);
            assert!(
                across <= within * 1.1,
                "{share}: {across}, but {within} within"
            );
            assert_eq!(
                seamless.get(width as usize / 2, height as usize / 2),
                slope.get(width as usize / 2, height as usize / 2)
            );
        }
    }
    let flat = map_of(size(9, 7), |_, _| 0.3);
    assert_eq!(done(&Filter::Seamless(0.5), &flat), flat);
}

// In a recipe.

#[test]
fn a_recipe_uses_the_new_filters_and_blends() {
    let text = r#"(
        version: 2,
        size: (64, 48),
        seed: 5,
        steps: {
            "islands": Generate(by: Islands(())),
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
