//! Compares with the direct sum of every line on every cell.

use super::*;

/// The definition: every line on every cell.
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
fn steps_match_the_definition_exactly() {
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

/// Ramps also match, except that each part is rounded to a unit.
#[test]
fn profiles_match_the_definition() {
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
fn heights_are_stretched_sums() {
    let mut rng = SeededRng::new(3, b"test    ");
    for seed in 0..100 {
        let size = any_size(&mut rng);
        let faults = any_faults(&mut rng);
        let lines = faults.draw(size, seed);
        let mut fine = faults.clone();
        // A map is summed with the precision for a larger displacement of at least 1.
        while (1e-9..1.0).contains(&fine.displacement_first.max(fine.displacement_last)) {
            fine.displacement_first *= 2.0;
            fine.displacement_last *= 2.0;
        }
        let sums = sum(&fine, size, &lines);
        let (low, high) = (*sums.iter().min().unwrap(), *sums.iter().max().unwrap());
        let map = faults.evaluate(size, &lines, &Progress::default()).unwrap();
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

#[test]
fn band_goes_from_exactly_zero_to_exactly_one() {
    // A line to the north along x = 20, which raises the west.
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
fn band_without_width_is_a_step() {
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
fn displacement_decreases_from_first_to_last() {
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

/// Tests displacements from the smallest to the largest, with every profile.
#[test]
fn only_the_ratio_of_displacements_matters() {
    let mut rng = SeededRng::new(12, b"test    ");
    for seed in 0..200 {
        let size = any_size(&mut rng);
        let erosion = (seed % 4 == 0).then(|| FaultErosion {
            every: 1 + rng.below(20) as u32,
            strength: rng.between(0.0, 0.6),
        });
        let (larger, ratio) = (10_f64.powf(rng.between(-5.9, 3.0)), rng.unit());
        let faults = Faults {
            lines: 1 + rng.below(300) as u32,
            displacement_first: larger,
            displacement_last: (larger * ratio).max(1e-6),
            erosion,
            ..any_faults(&mut rng)
        };
        // The same ratio, with both displacements within the allowed range.
        let ratio = faults.displacement_last / faults.displacement_first;
        let other = Faults {
            displacement_first: 1000.0,
            displacement_last: 1000.0 * ratio,
            ..faults.clone()
        };
        let map = |faults: &Faults| faults.generate(size, seed, &Progress::default()).unwrap();
        let (one, other) = (map(&faults), map(&other));
        let allowed = if faults.erosion.is_some() { 2e-5 } else { 1e-6 };
        for (a, b) in one.heights().iter().zip(other.heights()) {
            assert!((a - b).abs() < allowed, "{a}, {b}: {faults:?} of {size:?}");
        }
    }
}

/// The sum of a million of the largest displacements does not overflow.
#[test]
fn largest_sum_does_not_overflow() {
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

fn line() -> impl Strategy<Value = FaultLine> {
    let point = || [-9_000..9_000, -9_000..9_000];
    let lines = (point(), point()).prop_map(|(start, end)| FaultLine::new(start, end));
    lines.prop_filter_map("the points are the same", Result::ok)
}

proptest! {
    #[test]
    fn order_of_equal_lines_does_not_matter(
        lines in prop::collection::vec(line(), 1..30),
        profile in prop::sample::select(vec![Profile::Step, Profile::Linear, Profile::Cosine]),
    ) {
        let faults = Faults { profile, ..Faults::default() };
        let reversed: Vec<FaultLine> = lines.iter().rev().copied().collect();
        prop_assert_eq!(sum(&faults, size(30, 30), &lines), sum(&faults, size(30, 30), &reversed));
    }

    #[test]
    fn line_and_its_reverse_raise_all_other_cells(line in line()) {
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
