//! The distribution of the drawn lines, and the roughness that results from it.

use super::*;

/// The range of the heights according to Shankel: about 2 to 2.5 times the square root of the
/// number of lines.
#[test]
fn range_grows_with_the_square_root_of_lines() {
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
        // A cell is raised with a probability of 1/2. The standard error of 20 maps is 3.5.
        assert!((mean - 500.0).abs() < 10.0, "{distribution:?}: {mean}");
    }
}

/// The mean squared difference of neighbors in the selected cells.
fn roughness(sums: &[i64], side: usize, region: impl Fn(usize, usize) -> bool) -> f64 {
    let (mut squares, mut number) = (0.0, 0.0);
    for y in 1..side {
        for x in 1..side {
            if region(x, y) {
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

/// The ratio of the roughness in the center of the map to that at its border, over several seeds.
/// This is approximately the ratio of the number of lines that cross them.
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
fn two_points_are_rougher_in_the_center() {
    let two_points = rougher_in_the_center(LineDistribution::TwoPoints);
    assert!((1.7..2.6).contains(&two_points), "two points: {two_points}");
    let angles = rougher_in_the_center(LineDistribution::AngleDistance);
    assert!(
        (0.85..1.15).contains(&angles),
        "angle and distance: {angles}"
    );
}

/// If the center were always on the same side, every map would be a dome or a bowl.
#[test]
fn angle_lines_raise_the_center_half_of_the_time() {
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

/// An independent implementation of the documented order and formulas.
#[test]
fn draws_follow_the_documented_order() {
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

/// Every drawn line is valid, on the smallest and on the largest map.
#[test]
fn drawn_lines_are_valid() {
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
