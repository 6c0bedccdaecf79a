//! Compares hydraulic, thermal, glacial and wind erosion with their definitions and known properties.

mod conservation;
mod dunes;
mod glaciers;
mod hydraulic;
mod parameters;
mod plainly;
mod slides;

use crate::common::fnv;
use lanternfell_heightmap::{
    FilterContext, FractalNoise, GenerateError, Heightmap, MapSize, Progress, Scale, SeededRng,
    Variant,
    erosion::{GlacialErosion, HydraulicErosion, ThermalErosion, WindErosion},
};
use lanternfell_test_support::assert_golden;

fn size(width: u64, height: u64) -> MapSize {
    MapSize::new(width, height).unwrap()
}

fn map(size: MapSize, heights: Vec<f32>) -> Heightmap {
    Heightmap::from_heights(size, heights).unwrap()
}

/// A mountainous map.
fn mountains(size: MapSize, seed: u64) -> Heightmap {
    let islands = FractalNoise {
        scale: 90.0,
        variant: Variant::Ridged,
        ..FractalNoise::default()
    };
    islands.generate(size, seed, &Progress::default()).unwrap()
}

/// A smooth slope that descends to the east.
fn plane(size: MapSize) -> Heightmap {
    let height = |k: usize| 1.0 - (k % size.width()) as f32 / size.width() as f32;
    map(size, (0..size.cells()).map(height).collect())
}

fn sum(map: &Heightmap) -> f64 {
    map.heights().iter().map(|&z| f64::from(z)).sum()
}

fn rained(rain: &HydraulicErosion, map: &Heightmap, context: &FilterContext) -> Heightmap {
    let mut map = map.clone();
    rain.erode(&mut map, context, &Progress::default()).unwrap();
    map
}

fn slid(talus: &ThermalErosion, map: &Heightmap, context: &FilterContext) -> Heightmap {
    let mut map = map.clone();
    talus
        .erode(&mut map, context, &Progress::default())
        .unwrap();
    map
}

fn frozen(ice: &GlacialErosion, map: &Heightmap, context: &FilterContext) -> Heightmap {
    let mut map = map.clone();
    ice.erode(&mut map, context, &Progress::default()).unwrap();
    map
}

fn blown(wind: &WindErosion, map: &Heightmap, context: &FilterContext) -> Heightmap {
    let mut map = map.clone();
    wind.erode(&mut map, context, &Progress::default()).unwrap();
    map
}

/// Runs `work` on this number of threads.
fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().unwrap().install(work)
}

#[test]
fn number_of_threads_does_not_matter() {
    let size = size(300, 280);
    let (map, context) = (mountains(size, 3), FilterContext::new(size, 3));
    let rain = HydraulicErosion {
        density: 0.1,
        lifetime: 40,
        coarsest: 200,
        ..HydraulicErosion::default()
    };
    let talus = ThermalErosion {
        angle: 10.0,
        ..ThermalErosion::default()
    };
    let both = || (rained(&rain, &map, &context), slid(&talus, &map, &context));
    let one = on_threads(1, both);
    for threads in [2, 7] {
        assert!(on_threads(threads, both) == one, "{threads} threads");
    }
}

/// A change of these bits would change saved worlds.
#[test]
fn erosion_matches_pinned_hashes() {
    let size = size(200, 150);
    let (map, context) = (mountains(size, 7), FilterContext::new(size, 7));
    let rain = |radius| HydraulicErosion {
        density: 0.2,
        radius,
        coarsest: 128,
        ..HydraulicErosion::default()
    };
    let talus = ThermalErosion {
        angle: 20.0,
        ..ThermalErosion::default()
    };
    let hydraulic = |name, radius| (name, fnv(&rained(&rain(radius), &map, &context)));
    let found = [
        hydraulic("hydraulic, radius 1", 1.0),
        hydraulic("hydraulic, radius 2", 2.0),
        hydraulic("hydraulic, radius 3", 3.0),
        hydraulic("hydraulic, radius 8", 8.0),
        ("thermal", fnv(&slid(&talus, &map, &context))),
        ("glacial", fnv(&frozen(&glaciers::ICE, &map, &context))),
        ("wind", fnv(&blown(&dunes::SHORT, &map, &context))),
    ];
    let pinned = [
        ("hydraulic, radius 1", 0x2cda_8361_8637_0816),
        ("hydraulic, radius 2", 0x8943_f66d_a869_b186),
        ("hydraulic, radius 3", 0x7eb6_c709_6d0e_e100),
        ("hydraulic, radius 8", 0x8aad_1a64_8ac0_6302),
        ("thermal", 0x89d0_5899_a83e_e039),
        ("glacial", 0x6e96_33b8_cff9_0e75),
        ("wind", 0xae9b_a5ea_2c62_cda6),
    ];
    assert_golden(found, &pinned);
}

#[test]
fn flat_maps_stay_flat() {
    for height in [0.0, 0.3, -5e20, 1e-42, f32::MAX] {
        let size = size(70, 40);
        let flat = map(size, vec![height; size.cells()]);
        let context = FilterContext::new(size, 1);
        assert_eq!(rained(&HydraulicErosion::default(), &flat, &context), flat);
        assert_eq!(slid(&ThermalErosion::default(), &flat, &context), flat);
    }
}

/// Any finite heights, on the smallest and narrowest maps, at extreme scales.
#[test]
fn heights_stay_finite() {
    let mut rng = SeededRng::new(3, b"test    ");
    let heights = [f32::MIN, f32::MAX, 0.0, -0.0, 1.0, 1e-45, -1e-38, 1e30, 0.5];
    for round in 0..60 {
        let size = [size(2, 2), size(2, 40), size(33, 3), size(20, 20)][round % 4];
        let any = (0..size.cells()).map(|_| *rng.pick(&heights).unwrap());
        let ground = map(size, any.collect());
        let scales = [1e-30, 1.0, Scale::MAX];
        let scale = Scale {
            spacing: *rng.pick(&scales).unwrap(),
            relief: *rng.pick(&scales).unwrap(),
        };
        let context = FilterContext {
            scale,
            ..FilterContext::new(size, 5)
        };
        let talus = ThermalErosion {
            angle: rng.between(0.0, 89.0),
            passes: 20,
            rate: rng.unit(),
        };
        let (low, high) = ground.range();
        let rain = hydraulic::any_rain(&mut rng);
        for after in [
            rained(&rain, &ground, &context),
            slid(&talus, &ground, &context),
        ] {
            assert!(after.heights().iter().all(|z| (low..=high).contains(z)));
        }
        for after in [
            frozen(&glaciers::ICE, &ground, &context),
            blown(&dunes::SHORT, &ground, &context),
        ] {
            assert!(after.heights().iter().all(|z| z.is_finite()), "{scale:?}");
        }
    }
}

#[test]
fn canceled_work_stops() {
    let size = size(64, 64);
    let context = FilterContext::new(size, 1);
    let before = mountains(size, 1);
    let canceled = Progress::default();
    canceled.cancel();
    let mut map = before.clone();
    let rain = HydraulicErosion::default().erode(&mut map, &context, &canceled);
    let slide = ThermalErosion::default().erode(&mut map, &context, &canceled);
    assert!(matches!(rain, Err(GenerateError::Canceled(_))));
    assert!(matches!(slide, Err(GenerateError::Canceled(_))));
    let traced = HydraulicErosion::default().erode_traced(&mut map, &context, &canceled);
    assert!(traced.is_err() && map == before);
    let (rain, slide) = (Progress::default(), Progress::default());
    HydraulicErosion::default()
        .erode(&mut map, &context, &rain)
        .unwrap();
    ThermalErosion::default()
        .erode(&mut map, &context, &slide)
        .unwrap();
    assert_eq!((rain.fraction(), slide.fraction()), (1.0, 1.0));
}

/// Canceled by another thread during the work. The map must not change.
#[test]
fn running_work_can_be_canceled() {
    let size = size(256, 256);
    let (map, context) = (mountains(size, 1), FilterContext::new(size, 1));
    let rain = HydraulicErosion {
        density: 64.0,
        ..HydraulicErosion::default()
    };
    let progress = Progress::default();
    let watcher = progress.clone();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while watcher.fraction() == 0.0 {
                std::thread::yield_now();
            }
            watcher.cancel();
        });
        let mut half = map.clone();
        assert!(rain.erode(&mut half, &context, &progress).is_err());
        assert!(half == map);
    });
    assert!(progress.fraction() < 0.5);
}
