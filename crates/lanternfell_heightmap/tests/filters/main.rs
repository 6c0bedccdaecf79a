//! Compares every filter with a simple implementation of its definition, and checks properties of
//! all filters. Erosion is also a filter.

#[path = "../common/mod.rs"]
mod common;
mod erosion;
mod levels;
mod masks;
mod sizes;
mod smoothing;
mod stream_power;

use common::fnv;
use lanternfell_heightmap::{
    Canceled, Filter, FilterContext, FractalNoise, GenerateError, Heightmap, MapSize, Mask,
    Progress, Recipe, SeededRng,
    erosion::{GlacialErosion, HydraulicErosion, StreamPowerErosion, ThermalErosion, WindErosion},
    filter::{
        Clamp, Curve, Dig, Edges, Kernel, Linear, Mound, Resampling, Shape, Sharpen, Smooth,
        Stretch, Terrace, Warp,
    },
};
use lanternfell_test_support::assert_golden;
use proptest::prelude::*;

fn size(width: u64, height: u64) -> MapSize {
    MapSize::new(width, height).unwrap()
}

fn map_of(size: MapSize, height: impl Fn(usize, usize) -> f32) -> Heightmap {
    let cells = (0..size.cells()).map(|i| height(i % size.width(), i / size.width()));
    Heightmap::from_heights(size, cells.collect()).unwrap()
}

/// Terrain with everything that affects filters: slopes, level areas and spikes.
fn land(size: MapSize, seed: u64) -> Heightmap {
    let mut islands = FractalNoise {
        scale: 20.0,
        ..FractalNoise::default()
    };
    islands.octaves = 4;
    let map = islands.generate(size, seed, &Progress::default()).unwrap();
    let mut rng = SeededRng::new(seed, b"test    ");
    let cells = map.into_heights().into_iter().map(|z| match rng.below(12) {
        0 => rng.unit() as f32,
        1 | 2 => 0.5,
        _ => z,
    });
    Heightmap::from_heights(size, cells.collect()).unwrap()
}

/// Random heights and sizes, including very small ones.
fn any_map(rng: &mut SeededRng) -> Heightmap {
    let size = size(2 + rng.below(60), 2 + rng.below(40));
    land(size, rng.word())
}

fn done(filter: &Filter, map: &Heightmap) -> Heightmap {
    let mut map = map.clone();
    let (context, progress) = (FilterContext::new(map.size(), 9), Progress::default());
    filter.apply(&mut map, &context, &progress).unwrap();
    assert_eq!(progress.fraction(), 1.0, "{filter:?}");
    map
}

/// The height of the nearest cell of the map.
fn near(map: &Heightmap, x: i64, y: i64) -> f64 {
    let within = |at: i64, count: usize| at.clamp(0, count as i64 - 1) as usize;
    f64::from(map.get(within(x, map.width()), within(y, map.height())))
}

/// All heights within `reach` of a cell.
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

/// One of each filter, and one of each method for filters that have several.
fn every_filter() -> Vec<Filter> {
    let area = Terrace {
        equal_areas: true,
        ..Terrace::default()
    };
    vec![
        Filter::Normalize,
        Filter::Stretch(Stretch::default()),
        Filter::Gamma(1.5),
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
fn names_match_the_filters() {
    // Erosion has separate tests.
    let erosion = [
        Filter::HydraulicErosion(HydraulicErosion::default()),
        Filter::ThermalErosion(ThermalErosion::default()),
        Filter::StreamPowerErosion(StreamPowerErosion::default()),
        Filter::GlacialErosion(GlacialErosion::default()),
        Filter::WindErosion(WindErosion::default()),
    ];
    let all = every_filter();
    let mut names: Vec<_> = all.iter().chain(&erosion).map(Filter::name).collect();
    names.dedup();
    assert_eq!(names, Filter::NAMES);
}

#[test]
fn filters_round_trip_through_ron() {
    let texts = [
        ("Normalize", Filter::Normalize),
        ("Stretch(())", Filter::Stretch(Stretch::default())),
        ("Gamma(1.5)", Filter::Gamma(1.5)),
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
        assert_eq!(Recipe::from_ron(&recipe.to_ron()), Ok(recipe), "{text}");
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
fn errors_name_parameters_out_of_range() {
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
        let filter: Filter = ron::from_str(text).expect(text);
        let mut map = land(size(9, 7), 1);
        let before = map.clone();
        let context = FilterContext::new(map.size(), 0);
        let result = filter.apply(&mut map, &context, &Progress::default());
        let Err(GenerateError::Param(error)) = result else {
            panic!("{text} was accepted");
        };
        let words = error.to_string();
        assert!(
            words.contains(what) && words.contains(allowed),
            "{text}: {words}"
        );
        assert_eq!(map, before, "{text}");
    }
}

#[test]
fn filters_keep_heights_finite() {
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
    // Parameters at the ends of their ranges, and almost zero.
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
        Filter::Gamma(16.0),
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
            let mut rng = SeededRng::new(size.cells() as u64, b"test    ");
            let cells = (0..size.cells()).map(|_| extremes[rng.below(8) as usize]);
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
fn canceled_filters_stop() {
    let progress = Progress::default();
    progress.cancel();
    for filter in every_filter() {
        let mut map = land(size(90, 80), 1);
        let context = FilterContext::new(map.size(), 0);
        let result = filter.apply(&mut map, &context, &progress);
        assert_eq!(result, Err(Canceled.into()), "{filter:?}");
    }
    let map = land(size(90, 80), 1);
    assert_eq!(
        map.resampled(size(40, 40), Resampling::Bicubic, &progress),
        Err(Canceled)
    );
    assert_eq!(map.clone().multiply_by_mask(&map, &progress), Err(Canceled));
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

/// If these bits changed, every recipe that uses the filters would change.
#[test]
fn maps_match_pinned_hashes() {
    let map = land(size(120, 90), 42);
    let filters = every_filter();
    let hashes = filters
        .iter()
        .map(|filter| (filter.name(), fnv(&done(filter, &map))));
    assert_golden(hashes, &PINNED);
}

const PINNED: [(&str, u64); 25] = [
    ("normalize", 0xfba4_a625_3193_5331),
    ("stretch", 0xebea_e1fd_c50a_dbed),
    ("gamma", 0x5d07_e2a1_25ed_4842),
    ("clamp", 0xeef1_2934_ce3f_fef0),
    ("linear", 0x3e71_d6e3_e30d_780c),
    ("invert", 0xf957_1e25_8c92_fe08),
    ("turbulence", 0x53d7_cf47_35a6_f2fe),
    ("curve", 0xdf91_3585_a188_fb8d),
    ("terrace", 0x7eb6_839c_3019_c51c),
    ("terrace", 0x1262_4815_6219_00f2),
    ("smooth", 0x339d_82e7_9305_1c74),
    ("smooth", 0x2ba5_c0ff_5f8a_faf3),
    ("smooth", 0x5ffc_34ab_e3b2_7bab),
    ("smooth", 0xae44_e191_9cdf_9bad),
    ("smooth", 0x86bd_8c7a_8805_5a60),
    ("smooth", 0x2180_ff9f_5bdc_d4b7),
    ("sharpen", 0x1a3b_e62e_8038_7631),
    ("kernel", 0xe52a_9c11_3d2b_0bbd),
    ("warp", 0x47a6_6f5c_82cf_7f07),
    ("island", 0x1558_1f66_a642_4a9a),
    ("shape", 0xab9d_5ea7_ed3f_ca60),
    ("edges", 0xe796_b28f_97d0_f662),
    ("mound", 0x580d_2053_063e_ea39),
    ("dig", 0xd0fd_ceb7_3344_03ff),
    ("seamless", 0x94b3_c28c_f948_a5ac),
];
