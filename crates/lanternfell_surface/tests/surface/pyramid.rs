//! Tests of the height pyramid.

use lanternfell_surface::NumbersError;

use super::*;

#[test]
fn pyramid_covers_map_and_is_small() {
    let mut rng = random(50);
    for (width, height) in [(2, 2), (9, 9), (10, 2), (300, 17), (129, 257)] {
        let map = ground(size(width, height), false, &mut rng);
        let pyramid = HeightPyramid::of(&map, &go()).unwrap();
        assert_eq!((pyramid.range(), pyramid.size()), (map.range(), map.size()));
    }
    let map = Heightmap::flat(size(1025, 1025));
    let pyramid = HeightPyramid::of(&map, &go()).unwrap();
    let share = pyramid.bytes() as f64 / (4.0 * 1025.0 * 1025.0);
    assert!(share < 1.0 / 23.9, "{share}");
    measures::same_on_any_threads("pyramid", || HeightPyramid::of(&map, &go()).unwrap());
    measures::minds_its_progress("pyramid", |progress| HeightPyramid::of(&map, progress));
}

#[test]
fn update_equals_new_pyramid() {
    let mut rng = random(51);
    for _ in 0..200 {
        let mut map = ground(size(2 + rng.below(60), 2 + rng.below(60)), false, &mut rng);
        let mut pyramid = HeightPyramid::of(&map, &go()).unwrap();
        for _ in 0..5 {
            let mut range = |length: usize| {
                let start = rng.below(length as u64) as usize;
                start..start + 1 + rng.below(12) as usize
            };
            let (columns, rows) = (range(map.width()), range(map.height()));
            for row in rows.start..rows.end.min(map.height()) {
                for column in columns.start..columns.end.min(map.width()) {
                    map.set(column, row, rng.between(-3.0, 3.0) as f32).unwrap();
                }
            }
            pyramid.update(&map, columns.clone(), rows.clone()).unwrap();
            let fresh = HeightPyramid::of(&map, &go()).unwrap();
            assert!(pyramid == fresh, "{:?} {columns:?} {rows:?}", map.size());
        }
    }
    let map = Heightmap::flat(size(9, 9));
    let mut pyramid = HeightPyramid::of(&map, &go()).unwrap();
    let before = pyramid.clone();
    pyramid.update(&map, 5..5, 0..usize::MAX).unwrap();
    pyramid.update(&map, 100..200, 0..1).unwrap();
    assert!(pyramid == before);
    assert!(
        pyramid
            .update(&Heightmap::flat(size(9, 8)), 0..1, 0..1)
            .is_err()
    );
}

#[test]
fn pyramid_round_trips_through_numbers() {
    let mut rng = random(52);
    for (width, height) in [(2, 2), (9, 8), (10, 300), (200, 64)] {
        let map = ground(size(width, height), false, &mut rng);
        let pyramid = HeightPyramid::of(&map, &go()).unwrap();
        let numbers: Vec<f32> = pyramid.numbers().collect();
        assert_eq!(
            HeightPyramid::from_numbers(map.size(), &numbers),
            Ok(pyramid)
        );
        for wrong in [&numbers[1..], &[numbers.as_slice(), &[0.0, 1.0]].concat()] {
            let error = HeightPyramid::from_numbers(map.size(), wrong).unwrap_err();
            assert!(matches!(error, NumbersError::Count { .. }), "{error}");
        }
        for index in 0..numbers.len() {
            // Below the lowest or above the highest height.
            let beyond = [9.0, -9.0][index % 2];
            for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, beyond] {
                let mut numbers = numbers.clone();
                numbers[index] = wrong;
                let error = HeightPyramid::from_numbers(map.size(), &numbers).unwrap_err();
                assert!(matches!(error, NumbersError::Value { .. }), "{error}");
            }
        }
    }
}
