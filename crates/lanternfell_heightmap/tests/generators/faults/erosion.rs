//! Erosion between the lines.

use super::*;

/// The definition of the erosion, in `f64` and one cell after the other.
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
fn erosion_matches_the_definition() {
    let mut rng = SeededRng::new(4, b"test    ");
    for seed in 0..60 {
        // Maps can be wider than the blocks of columns that are swept together.
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
        let map = faults.evaluate(size, &lines, &Progress::default()).unwrap();
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
