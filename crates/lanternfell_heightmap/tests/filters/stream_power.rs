//! Tests stream power erosion: geomorphological measurements, and the properties of all filters.

use crate::common::fnv;
use lanternfell_heightmap::{
    Canceled, FilterContext, FractalNoise, GenerateError, Heightmap, Hills, MapSize, Progress,
    erosion::StreamPowerErosion,
    hydrology::{Hydrology, Rivers},
};
use lanternfell_test_support::assert_golden;

fn size(width: u64, height: u64) -> MapSize {
    MapSize::new(width, height).unwrap()
}

fn islands(size: MapSize) -> Heightmap {
    let islands = FractalNoise {
        scale: 0.5 * size.shorter_side() as f64,
        ..FractalNoise::default()
    };
    islands.generate(size, 7, &Progress::default()).unwrap()
}

/// A plateau of height 1 in a sea.
fn plateau(side: usize) -> Heightmap {
    let size = size(side as u64, side as u64);
    let height = |cell: usize| {
        let (x, y) = (cell % side, cell / side);
        let coast = x == 0 || y == 0 || x + 1 == side || y + 1 == side;
        f32::from(u8::from(!coast))
    };
    Heightmap::from_heights(size, (0..side * side).map(height).collect()).unwrap()
}

fn eroded(fluvial: StreamPowerErosion, map: &Heightmap, seed: u64) -> Heightmap {
    let mut map = map.clone();
    let context = FilterContext::new(map.size(), seed);
    fluvial
        .erode(&mut map, &context, &Progress::default())
        .unwrap();
    map
}

fn with_sea(sea_level: f32) -> StreamPowerErosion {
    StreamPowerErosion {
        sea_level: Some(sea_level),
        ..StreamPowerErosion::default()
    }
}

/// The slope of the least-squares line through these points.
fn trend(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let covariance: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    let variance: f64 = points.iter().map(|p| (p.0 - x) * (p.0 - x)).sum();
    covariance / variance
}

#[test]
fn coast_and_range_do_not_change() {
    let map = islands(size(200, 150));
    for sea in [FractalNoise::SEA_LEVEL, 0.3] {
        for seed in 0..3 {
            let after = eroded(with_sea(sea), &map, seed);
            for (&after, &before) in after.heights().iter().zip(map.heights()) {
                assert_eq!(after > sea, before > sea);
                assert!(before > sea || after == before);
            }
            assert!(after.range().0 >= map.range().0 && after.range().1 <= map.range().1);
        }
    }
}

#[test]
fn more_strength_cuts_deeper() {
    let map = islands(size(128, 128));
    let mean = |strength| {
        let fluvial = StreamPowerErosion {
            strength,
            ..with_sea(FractalNoise::SEA_LEVEL)
        };
        let after = eroded(fluvial, &map, 1);
        after.heights().iter().map(|&z| f64::from(z)).sum::<f64>()
    };
    let means = [0.0, 0.25, 0.5, 0.75, 1.0].map(mean);
    assert!(means.is_sorted_by(|a, b| a > b), "{means:?}");
    let fluvial = StreamPowerErosion {
        strength: 0.0,
        ..StreamPowerErosion::default()
    };
    assert_eq!(eroded(fluvial, &map, 1), map);
}

#[test]
fn longer_hillslopes_are_smoother() {
    let map = islands(size(128, 128));
    let roughness = |hillslope| {
        let fluvial = StreamPowerErosion {
            hillslope,
            ..StreamPowerErosion::default()
        };
        let after = eroded(fluvial, &map, 1);
        let bend = |y: usize, x: usize| {
            let sides = after.get(x - 1, y) + after.get(x + 1, y);
            f64::from((sides - 2.0 * after.get(x, y)).abs())
        };
        let rows = (0..128).flat_map(|y| (1..127).map(move |x| (y, x)));
        rows.map(|(y, x)| bend(y, x)).sum::<f64>()
    };
    let found = [0.0, 0.01, 0.03, 0.1].map(roughness);
    assert!(found.is_sorted_by(|a, b| a > b), "{found:?}");
}

#[test]
fn result_has_no_closed_basins() {
    let map = islands(size(150, 120));
    let after = eroded(StreamPowerErosion::default(), &map, 3);
    let water = Hydrology::default();
    let drainage = water.drain(&after, &Progress::default()).unwrap();
    assert_eq!(drainage.filled(), &after, "there are lakes");
    let before = water.drain(&map, &Progress::default()).unwrap();
    assert_ne!(before.filled(), &map, "there were none to begin with");
}

/// Stock and Montgomery (1999) measured exponents from -0.4 to -0.7 around the world.
#[test]
fn slopes_decrease_with_the_root_of_the_catchment() {
    let fluvial = StreamPowerErosion {
        hillslope: 0.0,
        ..with_sea(0.0)
    };
    let progress = Progress::default();
    let map = eroded(fluvial, &plateau(200), 5);
    let water = Hydrology {
        sea_level: Some(0.0),
        border: true,
    };
    let drainage = water.drain(&map, &progress).unwrap();
    let areas = drainage.areas(&progress).unwrap();
    let mut points = Vec::new();
    for (cell, &area) in areas.iter().enumerate() {
        let (x, y) = (cell % 200, cell / 200);
        if let Some((ox, oy)) = drainage.receiver(x, y)
            && area > 10
        {
            let distance = (x as f64 - ox as f64).hypot(y as f64 - oy as f64);
            let slope = f64::from(map.get(x, y) - map.get(ox, oy)) / distance;
            let uplift = f64::from(1.0 - map.get(x, y));
            points.push((f64::from(area).ln(), (slope / uplift).ln()));
        }
    }
    assert!(points.len() > 2000);
    let exponent = trend(&points);
    assert!((-0.6..-0.4).contains(&exponent), "{exponent}");
}

/// The documented meaning of `strength`, as the median of all rivers, which have not quite reached
/// equilibrium.
#[test]
fn strength_matches_the_equilibrium() {
    for strength in [0.2, 0.35, 0.5, 0.8, 1.0] {
        let fluvial = StreamPowerErosion {
            strength,
            hillslope: 0.0,
            sea_level: Some(0.0),
        };
        let progress = Progress::default();
        let map = eroded(fluvial, &plateau(160), 5);
        let water = Hydrology {
            sea_level: Some(0.0),
            border: true,
        };
        let drainage = water.drain(&map, &progress).unwrap();
        let areas = drainage.areas(&progress).unwrap();
        let mut factors = Vec::new();
        for (cell, &area) in areas.iter().enumerate() {
            let (x, y) = (cell % 160, cell / 160);
            if let Some((ox, oy)) = drainage.receiver(x, y)
                && area > 10
            {
                let distance = (x as f64 - ox as f64).hypot(y as f64 - oy as f64);
                let slope = f64::from(map.get(x, y) - map.get(ox, oy)) / distance;
                let below = f64::from(1.0 - map.get(x, y));
                factors.push(below / (f64::from(area).sqrt() * slope));
            }
        }
        factors.sort_by(f64::total_cmp);
        let median = factors[factors.len() / 2];
        let ratio = median / (16.0 * strength * strength);
        assert!((0.8..1.25).contains(&ratio), "{strength}: {ratio}");
    }
}

/// Hack (1957): the length of rivers is proportional to their catchment to the power of 0.5 to 0.6.
#[test]
fn rivers_follow_hacks_law() {
    let progress = Progress::default();
    let mut points = Vec::new();
    for seed in 0..3 {
        let map = eroded(with_sea(0.0), &plateau(256), seed);
        let water = Hydrology {
            sea_level: Some(0.0),
            border: true,
        };
        let drainage = water.drain(&map, &progress).unwrap();
        let rivers = Rivers {
            share: 0.0,
            ..Rivers::default()
        };
        for river in rivers.lines(&drainage, &progress).unwrap() {
            let steps = river.points.windows(2);
            let length: f32 = steps
                .map(|w| (w[1].x - w[0].x).hypot(w[1].y - w[0].y))
                .sum();
            let area = river.points[river.points.len() - 1].area;
            if area > 50 {
                points.push((f64::from(area).ln(), f64::from(length).ln()));
            }
        }
    }
    assert!(points.len() > 200);
    let exponent = trend(&points);
    assert!((0.48..0.65).contains(&exponent), "{exponent}");
}

#[test]
fn river_profiles_are_concave() {
    let progress = Progress::default();
    let map = eroded(with_sea(0.0), &plateau(256), 1);
    let drainage = Hydrology::default().drain(&map, &progress).unwrap();
    let rivers = Rivers::default().lines(&drainage, &progress).unwrap();
    let long: Vec<_> = rivers
        .iter()
        .filter(|river| river.points.len() > 60)
        .collect();
    assert!(long.len() >= 5);
    for river in long {
        let height = |at: usize| {
            let point = river.points[at];
            map.get(point.x as usize, point.y as usize)
        };
        let last = river.points.len() - 1;
        let middle = height(last / 2);
        let even = 0.5 * (height(0) + height(last));
        assert!(middle < 0.9 * even, "{middle}, {even}");
    }
}

/// Reduces a map: each cell is the mean of a block of this many cells per side.
fn coarser(map: &Heightmap, block: usize) -> Heightmap {
    let (width, height) = (map.width() / block, map.height() / block);
    let mean = |cell: usize| {
        let (x, y) = (cell % width * block, cell / width * block);
        let rows = (y..y + block).map(|y| &map.row(y)[x..x + block]);
        let sum: f32 = rows.flatten().sum();
        sum / (block * block) as f32
    };
    let heights = (0..width * height).map(mean).collect();
    Heightmap::from_heights(size(width as u64, height as u64), heights).unwrap()
}

#[test]
fn finer_map_has_the_same_large_valleys() {
    let map = islands(size(256, 256));
    let fine = coarser(&eroded(StreamPowerErosion::default(), &map, 4), 8);
    // The variance of the difference, because finer valleys lower the whole terrain.
    let off = |seed| {
        let coarse = eroded(StreamPowerErosion::default(), &coarser(&map, 2), seed);
        let coarse = coarser(&coarse, 4);
        let pairs = fine.heights().iter().zip(coarse.heights());
        let off: Vec<f32> = pairs.map(|(a, b)| a - b).collect();
        let mean = off.iter().sum::<f32>() / off.len() as f32;
        off.iter()
            .map(|off| (off - mean) * (off - mean))
            .sum::<f32>()
    };
    let (same, other) = (off(4), off(5));
    assert!(same < 0.4 * other, "{same}, {other}");
}

#[test]
fn valleys_depend_on_the_seed() {
    let map = islands(size(90, 70));
    let fluvial = StreamPowerErosion::default();
    assert_eq!(eroded(fluvial, &map, 1), eroded(fluvial, &map, 1));
    assert_ne!(eroded(fluvial, &map, 1), eroded(fluvial, &map, 2));
}

#[test]
fn small_narrow_and_flat_maps_work() {
    for (width, height) in [(2, 2), (2, 300), (300, 2), (3, 70), (65, 64)] {
        for fluvial in [StreamPowerErosion::default(), with_sea(0.3), with_sea(0.5)] {
            let map = islands(size(width, height));
            let after = eroded(fluvial, &map, 1);
            let (low, high) = map.range();
            assert!(after.heights().iter().all(|z| (low..=high).contains(z)));
        }
    }
    let flat = Heightmap::from_heights(size(9, 9), vec![0.7; 81]).unwrap();
    assert_eq!(eroded(StreamPowerErosion::default(), &flat, 1), flat);
    let drowned = islands(size(40, 40));
    assert_eq!(eroded(with_sea(1.0), &drowned, 1), drowned);
}

#[test]
fn heights_stay_finite() {
    let mut heights = islands(size(70, 70)).into_heights();
    heights[700] = f32::MAX;
    heights[701] = f32::MIN;
    heights[3000] = -0.0;
    let map = Heightmap::from_heights(size(70, 70), heights).unwrap();
    for fluvial in [
        StreamPowerErosion::default(),
        with_sea(0.0),
        with_sea(f32::MIN),
        with_sea(3e38),
    ] {
        let after = eroded(fluvial, &map, 1);
        assert!(after.heights().iter().all(|z| z.is_finite()));
    }
    // High above zero `f32` has few steps, but land must stay land.
    let high: Vec<f32> = islands(size(70, 70))
        .heights()
        .iter()
        .map(|z| 9e5 + z)
        .collect();
    let sea = 9e5 + 0.5;
    let map = Heightmap::from_heights(size(70, 70), high).unwrap();
    let after = eroded(with_sea(sea), &map, 1);
    let pairs = after.heights().iter().zip(map.heights());
    assert!(
        pairs
            .into_iter()
            .all(|(after, before)| (*after > sea) == (*before > sea))
    );
}

#[test]
fn errors_name_parameters_out_of_range() {
    let default = StreamPowerErosion::default();
    let wrong = [
        (
            "strength",
            StreamPowerErosion {
                strength: 1.1,
                ..default
            },
        ),
        (
            "strength",
            StreamPowerErosion {
                strength: f64::NAN,
                ..default
            },
        ),
        (
            "hillslope",
            StreamPowerErosion {
                hillslope: -0.1,
                ..default
            },
        ),
        ("sea_level", with_sea(f32::INFINITY)),
    ];
    for (name, fluvial) in wrong {
        let mut map = islands(size(20, 20));
        let context = FilterContext::new(map.size(), 1);
        let error = fluvial
            .erode(&mut map, &context, &Progress::default())
            .unwrap_err();
        assert!(error.to_string().contains(name), "{error}");
        assert_eq!(map, islands(size(20, 20)));
    }
    assert_eq!(ron::from_str::<StreamPowerErosion>("()").unwrap(), default);
    assert!(ron::from_str::<StreamPowerErosion>("(strenght: 0.2)").is_err());
}

#[test]
fn work_can_be_canceled_and_completes() {
    let before = islands(size(150, 100));
    let mut map = before.clone();
    let context = FilterContext::new(map.size(), 1);
    let progress = Progress::default();
    StreamPowerErosion::default()
        .erode(&mut map, &context, &progress)
        .unwrap();
    assert_eq!(progress.fraction(), 1.0);
    progress.cancel();
    let mut map = before.clone();
    let result = StreamPowerErosion::default().erode(&mut map, &context, &progress);
    assert_eq!(result, Err(GenerateError::Canceled(Canceled)));
    assert_eq!(map, before);
}

#[test]
fn number_of_threads_does_not_matter() {
    let map = islands(size(203, 150));
    let with_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build()
            .unwrap()
            .install(|| eroded(StreamPowerErosion::default(), &map, 5))
    };
    assert_eq!(with_threads(1), with_threads(2));
    assert_eq!(with_threads(1), with_threads(7));
}

#[test]
fn maps_match_pinned_hashes() {
    let progress = Progress::default();
    let hills = Hills {
        island: true,
        ..Hills::default()
    };
    let hills = hills.generate(size(200, 150), 42, &progress).unwrap();
    let hashes = [
        eroded(StreamPowerErosion::default(), &islands(size(300, 200)), 42),
        eroded(with_sea(0.04), &hills, 42),
        eroded(with_sea(0.0), &plateau(64), 42),
    ];
    let names = PINNED.map(|(name, _)| name);
    let hashes = hashes.map(|map| fnv(&map));
    assert_golden(names.into_iter().zip(hashes), &PINNED);
}

const PINNED: [(&str, u64); 3] = [
    ("default", 0x4ba3_d229_07d3_f6eb),
    ("hills in the sea", 0xa2e9_d8a0_96b3_a4f7),
    ("plateau", 0x1cf1_77be_ccfb_a4c5),
];
