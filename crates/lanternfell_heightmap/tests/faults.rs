//! Fault formation against its definition, cell by cell, and the facts known of it.

mod common;
#[path = "common/golden.rs"]
mod golden;

use common::fnv;
use golden::assert_golden;
use lanternfell_heightmap::{
    FaultErosion, FaultLine, Faults, GenerateError, Generator, LineDistribution, MapSize, Profile,
    Progress, SeededRng,
};
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

/// What line `index` of `total` lifts, from the definition.
fn displacement(faults: &Faults, index: usize, total: usize) -> f64 {
    let (first, last) = (faults.displacement_first, faults.displacement_last);
    first + (last - first) * index as f64 / (total - 1).max(1) as f64
}

/// The share of the displacement that a cell gets, from the definition.
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

/// The definition: every line, every cell.
fn direct(faults: &Faults, size: MapSize, lines: &[FaultLine]) -> Vec<f64> {
    let mut heights = vec![0.0; size.cells()];
    for (index, line) in lines.iter().enumerate() {
        let lift = displacement(faults, index, lines.len());
        for (i, height) in heights.iter_mut().enumerate() {
            *height += lift * share(faults, line, i % size.width(), i / size.width());
        }
    }
    heights
}

#[test]
fn steps_are_the_definition_s_bit_for_bit() {
    let mut rng = SeededRng::new(1, b"test    ");
    for seed in 0..300 {
        let size = any_size(&mut rng);
        let faults = Faults {
            profile: Profile::Step,
            ..any_faults(&mut rng)
        };
        let lines = faults.draw(size, seed);
        let mut expected = vec![0; size.cells()];
        for (index, line) in lines.iter().enumerate() {
            let lift = (displacement(&faults, index, lines.len()) * ONE).round() as i64;
            for (i, sum) in expected.iter_mut().enumerate() {
                let (x, y) = (i % size.width(), i / size.width());
                *sum += lift * i64::from(line.raises(x as u32, y as u32));
            }
        }
        assert_eq!(
            sum(&faults, size, &lines),
            expected,
            "{faults:?} on {size:?}"
        );
    }
}

/// Ramps too, but for the rounding of each part to a unit.
#[test]
fn every_profile_is_the_definition_s() {
    let mut rng = SeededRng::new(2, b"test    ");
    for seed in 0..300 {
        let size = any_size(&mut rng);
        let faults = any_faults(&mut rng);
        let lines = faults.draw(size, seed);
        let sums = sum(&faults, size, &lines);
        let highest = faults.displacement_first.max(faults.displacement_last);
        let rounding = lines.len() as f64 * (1.0 / ONE + 1e-11 * highest);
        for (sum, expected) in sums.iter().zip(direct(&faults, size, &lines)) {
            let height = *sum as f64 / ONE;
            assert!(
                (height - expected).abs() <= rounding,
                "{height}, not {expected}: {faults:?}"
            );
        }
    }
}

#[test]
fn heights_are_the_stretched_sums() {
    let mut rng = SeededRng::new(3, b"test    ");
    for seed in 0..100 {
        let size = any_size(&mut rng);
        let faults = any_faults(&mut rng);
        let lines = faults.draw(size, seed);
        let sums = sum(&faults, size, &lines);
        let (low, high) = (*sums.iter().min().unwrap(), *sums.iter().max().unwrap());
        let map = faults.lift(size, &lines, &Progress::default()).unwrap();
        assert_eq!(
            map.range(),
            (0.0, if high > low { 1.0 } else { 0.0 }),
            "seed {seed}: {faults:?}"
        );
        for (z, sum) in map.heights().iter().zip(&sums) {
            let exact = (sum - low) as f64 / (high - low).max(1) as f64;
            assert!((f64::from(*z) - exact).abs() < 2e-7, "{z}, not {exact}");
        }
    }
}

/// Lines at the limits of what is accepted, on the longest maps.
#[test]
fn extreme_lines_are_summed_exactly() {
    let reach = FaultLine::REACH;
    let coordinates = [-reach, -1, 0, 1, 128, 256, 2 * 256 + 1, 16_383 * 256, reach];
    let mut lines = Vec::new();
    for (i, &x1) in coordinates.iter().enumerate() {
        for (j, &y1) in coordinates.iter().enumerate() {
            let [x2, y2] = [
                coordinates[(i + 2 * j + 1) % 9],
                coordinates[(2 * i + j + 4) % 9],
            ];
            lines.extend(FaultLine::new([x1, y1], [x2, y2]));
            lines.extend(FaultLine::new([x1, y1], [x1, y2]));
            lines.extend(FaultLine::new([x1, y1], [x2, y1]));
        }
    }
    for size in [size(2, 2), size(16_384, 2), size(2, 16_384), size(9, 7)] {
        let sums = sum(&Faults::default(), size, &lines);
        for (i, sum) in sums.iter().enumerate() {
            let (x, y) = ((i % size.width()) as u32, (i / size.width()) as u32);
            let raised = lines.iter().filter(|line| line.raises(x, y)).count();
            assert_eq!(*sum, raised as i64 * Faults::ONE, "({x}, {y}) of {size:?}");
        }
    }
}

/// Shankel's range: about 2 to 2.5 times the root of the number of lines, not in
/// proportion to it.
#[test]
fn the_range_grows_as_the_root_of_the_lines() {
    let size = size(128, 128);
    for count in [100, 400, 1600] {
        let faults = Faults {
            lines: count,
            ..Faults::default()
        };
        let ranges = (0..12).map(|seed| {
            let sums = sum(&faults, size, &faults.draw(size, seed));
            let (low, high) = (*sums.iter().min().unwrap(), *sums.iter().max().unwrap());
            assert!(
                low >= 0 && high <= i64::from(count) * Faults::ONE,
                "{count} lines, seed {seed}: {low} to {high}"
            );
            (high - low) as f64 / ONE
        });
        let mean = ranges.sum::<f64>() / 12.0 / f64::from(count).sqrt();
        assert!(
            (1.9..2.6).contains(&mean),
            "{count} lines: {mean} times the root"
        );
    }
}

#[test]
fn half_of_the_lines_raise_a_cell() {
    for distribution in [LineDistribution::TwoPoints, LineDistribution::AngleDistance] {
        let faults = Faults {
            distribution,
            ..Faults::default()
        };
        let size = size(60, 90);
        let mean = |seed| {
            let sums = sum(&faults, size, &faults.draw(size, seed));
            sums.iter().map(|&sum| sum as f64 / ONE).sum::<f64>() / sums.len() as f64
        };
        let mean = (0..20).map(mean).sum::<f64>() / 20.0;
        // A cell is raised with probability 1/2: 3.5 is the standard error of 20 maps.
        assert!((mean - 500.0).abs() < 10.0, "{distribution:?}: {mean}");
    }
}

/// The mean squared difference of neighbors, in a window of cells.
fn roughness(sums: &[i64], side: usize, window: impl Fn(usize, usize) -> bool) -> f64 {
    let (mut squares, mut number) = (0.0, 0.0);
    for y in 1..side {
        for x in 1..side {
            if window(x, y) {
                let here = sums[y * side + x];
                for there in [sums[y * side + x - 1], sums[(y - 1) * side + x]] {
                    squares += ((here - there) as f64 / ONE).powi(2);
                    number += 1.0;
                }
            }
        }
    }
    squares / number
}

/// How much rougher the map's center is than its border, over several seeds: about how
/// many more lines cross it.
fn rougher_in_the_center(distribution: LineDistribution) -> f64 {
    const SIDE: usize = 96;
    let faults = Faults {
        lines: 2000,
        distribution,
        ..Faults::default()
    };
    let size = size(SIDE as u64, SIDE as u64);
    let inner = |at: usize| (SIDE * 2 / 5..SIDE * 3 / 5).contains(&at);
    let outer = |at: usize| !(5..SIDE - 4).contains(&at);
    let (mut center, mut border) = (0.0, 0.0);
    for seed in 0..6 {
        let sums = sum(&faults, size, &faults.draw(size, seed));
        center += roughness(&sums, SIDE, |x, y| inner(x) && inner(y));
        border += roughness(&sums, SIDE, |x, y| outer(x) || outer(y));
    }
    center / border
}

#[test]
fn two_points_are_rough_in_the_center_and_angles_everywhere() {
    let two_points = rougher_in_the_center(LineDistribution::TwoPoints);
    assert!((1.7..2.6).contains(&two_points), "two points: {two_points}");
    let angles = rougher_in_the_center(LineDistribution::AngleDistance);
    assert!(
        (0.85..1.15).contains(&angles),
        "angle and distance: {angles}"
    );
}

/// With the center always on one side, every map would be a dome or a bowl.
#[test]
fn lines_at_an_angle_raise_the_center_as_often_as_not() {
    let faults = Faults {
        distribution: LineDistribution::AngleDistance,
        ..Faults::default()
    };
    let lines = faults.draw(size(101, 101), 1);
    let raising = lines.iter().filter(|line| line.raises(50, 50)).count();
    assert!((430..570).contains(&raising), "{raising} of 1000");
    let crossing = lines.iter().filter(|line| {
        let corners = [(0, 0), (100, 0), (0, 100), (100, 100)];
        let raised = corners.iter().filter(|(x, y)| line.raises(*x, *y)).count();
        (1..4).contains(&raised)
    });
    let crossing = crossing.count();
    assert!(
        (860..940).contains(&crossing),
        "{crossing} of 1000 cross the map"
    );
}

#[test]
fn a_band_runs_from_exactly_nothing_to_exactly_the_whole() {
    // North along x = 20: the west is raised.
    let line = FaultLine::from_cells([20.0, 9.0], [20.0, 0.0]).unwrap();
    for profile in [Profile::Linear, Profile::Cosine] {
        let faults = Faults {
            profile,
            width: 10.0,
            ..Faults::default()
        };
        let sums = sum(&faults, size(40, 3), &[line]);
        let row = &sums[40..80];
        assert!(row[..=15].iter().all(|&sum| sum == Faults::ONE), "{row:?}");
        assert!(row[25..].iter().all(|&sum| sum == 0), "{row:?}");
        assert_eq!(row[20], Faults::ONE / 2, "{profile:?}");
        assert!(row[15..=25].is_sorted_by(|a, b| a > b), "{row:?}");
    }
}

#[test]
fn a_band_without_width_is_a_step() {
    let step = Faults::default();
    let lines = step.draw(size(30, 20), 4);
    for profile in [Profile::Linear, Profile::Cosine] {
        let band = Faults {
            profile,
            width: 0.0,
            ..Faults::default()
        };
        assert_eq!(
            sum(&band, size(30, 20), &lines),
            sum(&step, size(30, 20), &lines),
            "{profile:?}"
        );
    }
}

#[test]
fn the_displacement_falls_from_the_first_to_the_last() {
    let east = FaultLine::from_cells([1.5, 0.0], [1.5, 9.0]).unwrap();
    let faults = Faults {
        displacement_first: 5.0,
        displacement_last: 1.0,
        ..Faults::default()
    };
    let highest = |lines: &[FaultLine]| sum(&faults, size(4, 2), lines)[3] as f64 / ONE;
    assert_eq!(highest(&[east]), 5.0);
    assert_eq!(highest(&[east; 2]), 6.0);
    assert_eq!(highest(&[east; 3]), 9.0);
    assert_eq!(highest(&[]), 0.0);
}

/// The definition of the erosion, in f64 and one height after the other.
fn direct_with_erosion(faults: &Faults, size: MapSize, lines: &[FaultLine]) -> Vec<f64> {
    let erosion = faults.erosion.clone().unwrap();
    let k = f64::from(erosion.strength as f32);
    let (width, height) = (size.width(), size.height());
    let mut map = vec![0.0; size.cells()];
    for (index, line) in lines.iter().enumerate() {
        let lift = displacement(faults, index, lines.len());
        for (i, z) in map.iter_mut().enumerate() {
            *z += lift * share(faults, line, i % width, i / width);
        }
        if (index + 1) % erosion.every as usize == 0 {
            for y in 0..height {
                sweep(&mut map, k, (0..width).map(|x| y * width + x));
                sweep(&mut map, k, (0..width).rev().map(|x| y * width + x));
            }
            for x in 0..width {
                sweep(&mut map, k, (0..height).map(|y| y * width + x));
                sweep(&mut map, k, (0..height).rev().map(|y| y * width + x));
            }
        }
    }
    map
}

fn sweep(map: &mut [f64], k: f64, cells: impl Iterator<Item = usize>) {
    let mut before = None;
    for cell in cells {
        if let Some(before) = before {
            map[cell] = k * before + (1.0 - k) * map[cell];
        }
        before = Some(map[cell]);
    }
}

#[test]
fn erosion_is_the_definition_s() {
    let mut rng = SeededRng::new(4, b"test    ");
    for seed in 0..60 {
        // Wider than the blocks of columns that are swept together.
        let size = size(2 + rng.below(150), 2 + rng.below(40));
        let faults = Faults {
            erosion: Some(FaultErosion {
                every: 1 + rng.below(12) as u32,
                strength: [0.0, 0.2, 0.6][rng.below(3) as usize],
            }),
            displacement_first: 1.0,
            displacement_last: 0.5,
            ..any_faults(&mut rng)
        };
        let lines = faults.draw(size, seed);
        let map = faults.lift(size, &lines, &Progress::default()).unwrap();
        let expected = direct_with_erosion(&faults, size, &lines);
        let low = expected.iter().copied().fold(f64::MAX, f64::min);
        let high = expected.iter().copied().fold(f64::MIN, f64::max);
        if high - low < 1e-3 {
            continue;
        }
        for (z, expected) in map.heights().iter().zip(&expected) {
            let expected = (expected - low) / (high - low);
            assert!(
                (f64::from(*z) - expected).abs() < 2e-5,
                "{z}, not {expected}: {faults:?}"
            );
        }
    }
}

#[test]
fn erosion_smooths() {
    let size = size(80, 80);
    let slopes = |faults: &Faults| {
        let map = faults.generate(size, 6, &Progress::default()).unwrap();
        let steps = map
            .heights()
            .windows(2)
            .map(|pair| f64::from((pair[0] - pair[1]).abs()));
        steps.sum::<f64>()
    };
    let sharp = Faults::default();
    let smooth = Faults {
        erosion: Some(FaultErosion::default()),
        ..Faults::default()
    };
    assert!(slopes(&smooth) < 0.7 * slopes(&sharp));
}

/// The documented order and formulas, written down a second time.
#[test]
fn draws_come_in_the_documented_order() {
    let mut faults = Faults {
        lines: 50,
        ..Faults::default()
    };
    let mut rng = SeededRng::new(9, b"faults  ");
    for line in faults.draw(size(90, 70), 9) {
        let start = [89, 69].map(|last| rng.below(last * 256 + 1) as i32);
        let end = [89, 69].map(|last| rng.below(last * 256 + 1) as i32);
        assert_eq!(line, FaultLine::new(start, end).unwrap());
    }
    faults.distribution = LineDistribution::AngleDistance;
    let mut rng = SeededRng::new(9, b"faults  ");
    let reach = (44.5_f64 * 44.5 + 34.5 * 34.5).sqrt();
    for line in faults.draw(size(90, 70), 9) {
        let angle = core::f64::consts::TAU * rng.unit();
        let distance = rng.between(-reach, reach);
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        let nearest = [44.5 + distance * cos, 34.5 + distance * sin];
        let start = [nearest[0] + reach * sin, nearest[1] - reach * cos];
        let end = [nearest[0] - reach * sin, nearest[1] + reach * cos];
        let expected = FaultLine::from_cells(start, end).unwrap();
        for (a, b) in [
            (line.start(), expected.start()),
            (line.end(), expected.end()),
        ] {
            assert!(
                (a[0] - b[0]).abs() <= 1 && (a[1] - b[1]).abs() <= 1,
                "{line:?}"
            );
        }
    }
}

/// On the smallest and the largest map, every line drawn is one that could be made.
#[test]
fn drawn_lines_are_valid_lines() {
    for distribution in [LineDistribution::TwoPoints, LineDistribution::AngleDistance] {
        let faults = Faults {
            lines: 100_000,
            distribution,
            ..Faults::default()
        };
        for size in [size(2, 2), size(16_384, 16_384), size(2, 16_384)] {
            for line in faults.draw(size, 1) {
                assert_eq!(
                    FaultLine::new(line.start(), line.end()),
                    Ok(line),
                    "{distribution:?} on {size:?}"
                );
            }
        }
    }
}

/// The bits of whole maps, as every machine must give them.
#[test]
fn the_maps_are_pinned() {
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
fn without_lines_the_map_is_flat() {
    for erosion in [None, Some(FaultErosion::default())] {
        let faults = Faults {
            erosion,
            ..Faults::default()
        };
        let map = faults.lift(size(5, 4), &[], &Progress::default()).unwrap();
        assert!(map.heights().iter().all(|&z| z == 0.0), "{faults:?}");
    }
}

#[test]
fn parameters_out_of_range_are_named() {
    let default = Faults::default;
    let erosion = |every, strength| Some(FaultErosion { every, strength });
    let cases = [
        (
            Faults {
                lines: 0,
                ..default()
            },
            "lines is 0, but must be from 1 to 1000000",
        ),
        (
            Faults {
                lines: u32::MAX,
                ..default()
            },
            "lines is 4294967295, but must be from 1",
        ),
        (
            Faults {
                width: -1.0,
                ..default()
            },
            "width is -1, but must be from 0 to 32768",
        ),
        (
            Faults {
                width: f64::NAN,
                ..default()
            },
            "width is NaN, but must be from 0 to 32768",
        ),
        (
            Faults {
                displacement_first: f64::INFINITY,
                ..default()
            },
            "displacement_first is inf, but must be 0, or from 0.000001 to 1000",
        ),
        (
            Faults {
                displacement_last: -0.5,
                ..default()
            },
            "displacement_last is -0.5, but must be 0, or from 0.000001 to 1000",
        ),
        (
            Faults {
                displacement_first: 1e-11,
                ..Faults::default()
            },
            "displacement_first is 1e-11, but must be 0, or from 0.000001 to 1000",
        ),
        (
            Faults {
                erosion: erosion(0, 0.5),
                ..default()
            },
            "erosion_every is 0, but must be from 1 to 4294967295",
        ),
        (
            Faults {
                erosion: erosion(1, 1.0),
                ..default()
            },
            "erosion_strength is 1, but must be from 0 to 0.99",
        ),
    ];
    for (faults, expected) in cases {
        let error = faults
            .generate(size(20, 20), 1, &Progress::default())
            .unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with(&format!("faults: {expected}")), "{text}");
        // The deed alone checks its parameters as well.
        let lines = default().draw(size(20, 20), 1);
        assert!(
            faults.lines != 1000
                || faults
                    .lift(size(9, 9), &lines, &Progress::default())
                    .is_err(),
            "{expected}"
        );
    }
}

#[test]
fn too_many_lines_are_refused() {
    let line = FaultLine::new([0, 0], [1, 1]).unwrap();
    let lines = vec![line; Faults::MAX_LINES as usize + 1];
    let mut faults = Faults::default();
    for erosion in [None, Some(FaultErosion::default())] {
        faults.erosion = erosion;
        let error = faults
            .lift(size(2, 2), &lines, &Progress::default())
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "faults: lines is 1000001, but must be at most 1000000",
            "{faults:?}"
        );
    }
}

/// The least displacement that is allowed is enough for a map.
#[test]
fn the_least_displacement_lifts() {
    let faults = Faults {
        displacement_first: 1e-6,
        displacement_last: 1e-6,
        ..Faults::default()
    };
    let map = faults.generate(size(20, 20), 1, &Progress::default());
    assert_eq!(map.unwrap().range(), (0.0, 1.0));
}

/// A million of the greatest displacements fit.
#[test]
fn the_greatest_sum_fits() {
    let line = FaultLine::from_cells([0.5, 0.0], [0.5, 1.0]).unwrap();
    let lines = vec![line; Faults::MAX_LINES as usize];
    for profile in [Profile::Step, Profile::Linear, Profile::Cosine] {
        let faults = Faults {
            displacement_first: 1000.0,
            displacement_last: 1000.0,
            profile,
            width: 1.0,
            ..Faults::default()
        };
        let whole = 1_000_000_000 * Faults::ONE;
        assert_eq!(
            sum(&faults, size(3, 2), &lines),
            [0, whole, whole, 0, whole, whole],
            "{profile:?}"
        );
    }
}

#[test]
fn cancelled_work_stops_and_finished_work_is_whole() {
    for erosion in [None, Some(FaultErosion::default())] {
        let faults = Faults {
            erosion,
            ..Faults::default()
        };
        let progress = Progress::default();
        progress.cancel();
        let result = faults.generate(size(50, 50), 1, &progress);
        assert!(
            matches!(result, Err(GenerateError::Cancelled(_))),
            "{faults:?}"
        );
        let finished = Progress::default();
        faults.generate(size(50, 50), 1, &finished).unwrap();
        assert!((finished.fraction() - 1.0).abs() < 1e-4, "{faults:?}");
    }
}

#[test]
fn parameters_are_set_by_name_and_read_from_a_recipe() {
    let mut generator = Generator::from_name("faults").unwrap();
    for (name, value) in [
        ("lines", "7"),
        ("profile", "cosine"),
        ("width", "3.5"),
        ("displacement_first", "2"),
        ("displacement_last", "0.5"),
        ("distribution", "angle-distance"),
        ("erosion_every", "3"),
        ("erosion_strength", "0.1"),
    ] {
        generator.set(name, value).unwrap();
    }
    let text = "(lines: 7, profile: Cosine, width: 3.5, displacement_first: 2, \
                displacement_last: 0.5, distribution: AngleDistance, \
                erosion: Some((every: 3, strength: 0.1)))";
    assert_eq!(generator, Generator::Faults(ron::from_str(text).unwrap()));
    assert_eq!(ron::from_str::<Faults>("()").unwrap(), Faults::default());
    assert!(ron::from_str::<Faults>("(line: 3)").is_err());
    let error = generator.set("profile", "sine").unwrap_err().to_string();
    assert_eq!(
        error,
        "faults: profile is `sine`, but must be step, linear or cosine"
    );
    // A wrong value does not switch the erosion on.
    let mut plain = Generator::from_name("faults").unwrap();
    plain.set("erosion_every", "often").unwrap_err();
    assert_eq!(plain, Generator::Faults(Faults::default()));
}

fn line() -> impl Strategy<Value = FaultLine> {
    let point = || [-9_000..9_000, -9_000..9_000];
    let lines = (point(), point()).prop_map(|(start, end)| FaultLine::new(start, end));
    lines.prop_filter_map("the points are the same", Result::ok)
}

proptest! {
    #[test]
    fn the_order_of_equal_lines_plays_no_part(
        lines in prop::collection::vec(line(), 1..30),
        profile in prop::sample::select(vec![Profile::Step, Profile::Linear, Profile::Cosine]),
    ) {
        let faults = Faults { profile, ..Faults::default() };
        let reversed: Vec<FaultLine> = lines.iter().rev().copied().collect();
        prop_assert_eq!(sum(&faults, size(30, 30), &lines), sum(&faults, size(30, 30), &reversed));
    }

    #[test]
    fn a_line_and_its_reverse_raise_everything_off_the_line(line in line()) {
        let reverse = FaultLine::new(line.end(), line.start()).unwrap();
        let faults = Faults::default();
        let sums = sum(&faults, size(30, 30), &[line, reverse]);
        for (i, sum) in sums.iter().enumerate() {
            let (x, y) = ((i % 30) as u32, (i / 30) as u32);
            let on_the_line = !line.raises(x, y) && !reverse.raises(x, y);
            prop_assert_eq!(*sum, if on_the_line { 0 } else { Faults::ONE }, "{}, {}", x, y);
        }
        let ramp = Faults { profile: Profile::Cosine, width: 5.0, ..Faults::default() };
        let sums = sum(&ramp, size(30, 30), &[line, reverse]);
        prop_assert!(sums.iter().all(|sum| (sum - Faults::ONE).abs() <= 1));
    }
}
