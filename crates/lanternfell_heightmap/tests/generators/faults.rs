//! Compares fault formation with its definition, cell by cell, and with its known properties.

mod definition;
mod erosion;
mod lines;
mod parameters;

use crate::common::fnv;
use lanternfell_heightmap::{
    FaultErosion, FaultLine, Faults, GenerateError, Generator, LineDistribution, MapSize, Profile,
    Progress, SeededRng,
};
use lanternfell_test_support::assert_golden;
use proptest::prelude::*;

const ONE: f64 = Faults::ONE as f64;

fn size(width: u64, height: u64) -> MapSize {
    MapSize::new(width, height).unwrap()
}

fn sum(faults: &Faults, size: MapSize, lines: &[FaultLine]) -> Vec<i64> {
    faults.sum(size, lines, &Progress::default()).unwrap()
}

fn any_size(rng: &mut SeededRng) -> MapSize {
    size(2 + rng.below(60), 2 + rng.below(60))
}

fn any_faults(rng: &mut SeededRng) -> Faults {
    Faults {
        lines: 1 + rng.below(60) as u32,
        profile: [Profile::Step, Profile::Linear, Profile::Cosine][rng.below(3) as usize],
        width: [0.0, 0.3, 1.0, 7.3, 40.0][rng.below(5) as usize],
        displacement_first: [1.0, 3.0, 1000.0, 0.001][rng.below(4) as usize],
        displacement_last: [1.0, 0.25, 0.0][rng.below(3) as usize],
        distribution: [LineDistribution::TwoPoints, LineDistribution::AngleDistance]
            [rng.below(2) as usize],
        erosion: None,
    }
}

/// The height that line `index` of `total` adds, from the definition.
fn displacement(faults: &Faults, index: usize, total: usize) -> f64 {
    let (first, last) = (faults.displacement_first, faults.displacement_last);
    first + (last - first) * index as f64 / (total - 1).max(1) as f64
}

/// The fraction of the displacement that is added to a cell, from the definition.
fn share(faults: &Faults, line: &FaultLine, x: usize, y: usize) -> f64 {
    if faults.profile == Profile::Step || faults.width == 0.0 {
        return f64::from(u8::from(line.raises(x as u32, y as u32)));
    }
    let [x1, y1] = line.start().map(|units| f64::from(units) / 256.0);
    let [x2, y2] = line.end().map(|units| f64::from(units) / 256.0);
    let (dx, dy) = (x2 - x1, y2 - y1);
    let distance = ((x as f64 - x1) * dy - (y as f64 - y1) * dx) / (dx * dx + dy * dy).sqrt();
    let t = (0.5 + distance / faults.width).clamp(0.0, 1.0);
    match faults.profile {
        Profile::Cosine => 0.5 * (1.0 - libm::cos(core::f64::consts::PI * t)),
        _ => t,
    }
}

/// The bits of whole maps, which must be the same on every machine.
#[test]
fn maps_match_pinned_hashes() {
    let step = Faults::default();
    let variants = [
        step.clone(),
        Faults {
            displacement_first: 8.0,
            ..step.clone()
        },
        Faults {
            distribution: LineDistribution::AngleDistance,
            ..step.clone()
        },
        Faults {
            profile: Profile::Linear,
            ..step.clone()
        },
        Faults {
            profile: Profile::Cosine,
            ..step.clone()
        },
        Faults {
            erosion: Some(FaultErosion::default()),
            ..step
        },
    ];
    let hashes = variants.map(|faults| {
        let map = faults.generate(size(120, 90), 42, &Progress::default());
        fnv(&map.unwrap())
    });
    let names = PINNED.map(|(name, _)| name);
    assert_golden(names.into_iter().zip(hashes), &PINNED);
}

const PINNED: [(&str, u64); 6] = [
    ("default", 0x465b_4b8c_4cba_e37d),
    ("displacement 8", 0x3926_ab77_7edb_eb20),
    ("angle and distance", 0x37ec_69e2_6617_2166),
    ("linear", 0xdb22_ec86_3a93_b0f8),
    ("cosine", 0x232a_f5cf_8482_4d39),
    ("eroded", 0xbc58_53a3_36c3_6ca9),
];

#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let map = |faults: &Faults, threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let generate = || faults.generate(size(203, 150), 5, &Progress::default());
        pool.build().unwrap().install(generate).unwrap()
    };
    let mut faults = Faults::default();
    for profile in [Profile::Step, Profile::Linear, Profile::Cosine] {
        faults.profile = profile;
        for erosion in [None, Some(FaultErosion::default())] {
            faults.erosion = erosion;
            assert_eq!(map(&faults, 1), map(&faults, 2), "{faults:?}");
            assert_eq!(map(&faults, 1), map(&faults, 7), "{faults:?}");
        }
    }
}

#[test]
fn map_without_lines_is_flat() {
    for erosion in [None, Some(FaultErosion::default())] {
        let faults = Faults {
            erosion,
            ..Faults::default()
        };
        let map = faults
            .evaluate(size(5, 4), &[], &Progress::default())
            .unwrap();
        assert!(map.heights().iter().all(|&z| z == 0.0), "{faults:?}");
    }
}

#[test]
fn canceled_work_stops_and_progress_completes() {
    for erosion in [None, Some(FaultErosion::default())] {
        let faults = Faults {
            erosion,
            ..Faults::default()
        };
        let progress = Progress::default();
        progress.cancel();
        let result = faults.generate(size(50, 50), 1, &progress);
        assert!(
            matches!(result, Err(GenerateError::Canceled(_))),
            "{faults:?}"
        );
        let finished = Progress::default();
        faults.generate(size(50, 50), 1, &finished).unwrap();
        assert!((finished.fraction() - 1.0).abs() < 1e-4, "{faults:?}");
    }
}
