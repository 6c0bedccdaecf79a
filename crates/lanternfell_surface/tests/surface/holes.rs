//! Tests of hole masks and of surfaces with holes.

use proptest::prelude::*;

use super::*;
use lanternfell_heightmap::{GenerateError, HoleMaskError};

#[test]
fn masks_match_list_of_squares() {
    let mut rng = random(40);
    for _ in 0..60 {
        let size = any_size(&mut rng);
        let (columns, rows) = (size.width() - 1, size.height() - 1);
        let mut mask = HoleMask::none(size);
        let mut slow = vec![false; columns * rows];
        for _ in 0..20 {
            let hole = rng.percent(60);
            let place = |rng: &mut SeededRng| rng.below(36) as usize;
            match rng.below(3) {
                0 => {
                    let (x, y) = (
                        place(&mut rng)..place(&mut rng),
                        place(&mut rng)..place(&mut rng),
                    );
                    mask.set_rect(x.clone(), y.clone(), hole);
                    set(&mut slow, columns, hole, |c, r| {
                        x.contains(&c) && y.contains(&r)
                    });
                }
                1 => {
                    let center = Vec2::new(
                        rng.between(-4.0, 34.0) as f32,
                        rng.between(-4.0, 34.0) as f32,
                    );
                    let radius = rng.between(-1.0, 12.0) as f32;
                    mask.set_disc(center, radius, hole);
                    set(&mut slow, columns, hole, |c, r| {
                        let middle = DVec2::new(c as f64 + 0.5, r as f64 + 0.5);
                        radius >= 0.0 && middle.distance(center.as_dvec2()) <= f64::from(radius)
                    });
                }
                _ => {
                    let (x, y) = (place(&mut rng), place(&mut rng));
                    let fits = x < columns && y < rows;
                    assert_eq!(mask.set(x, y, hole).is_ok(), fits);
                    set(&mut slow, columns, hole, |c, r| (c, r) == (x, y));
                }
            }
        }
        let same = |(square, &hole)| mask.is_hole(square % columns, square / columns) == hole;
        assert!(slow.iter().enumerate().all(same), "{size:?}");
        assert_eq!(mask.count(), slow.iter().filter(|&&hole| hole).count());
        assert!(
            !mask.is_hole(columns, 0) && !mask.is_hole(0, rows) && !mask.is_hole(usize::MAX, 0)
        );
        let again = HoleMask::from_fn(size, |column, row| slow[row * columns + column]);
        assert_eq!(again, mask);
        let holes = (0..slow.len()).filter(|&square| slow[square]);
        let holes: Vec<_> = holes
            .map(|square| (square % columns, square / columns))
            .collect();
        assert_eq!(mask.iter().collect::<Vec<_>>(), holes);
        let place = |rng: &mut SeededRng| rng.below(36) as usize;
        let (x, y) = (
            place(&mut rng)..place(&mut rng),
            place(&mut rng)..place(&mut rng),
        );
        let inside = holes.iter().filter(|(c, r)| x.contains(c) && y.contains(r));
        assert_eq!(
            mask.count_in(x.clone(), y.clone()),
            inside.count(),
            "{x:?}, {y:?}"
        );
        let text = ron::to_string(&mask).unwrap();
        assert_eq!(ron::from_str::<HoleMask>(&text).unwrap(), mask, "{text}");
    }
}

fn set(slow: &mut [bool], columns: usize, hole: bool, inside: impl Fn(usize, usize) -> bool) {
    for (square, is) in slow.iter_mut().enumerate() {
        if inside(square % columns, square / columns) {
            *is = hole;
        }
    }
}

#[test]
fn resampled_mask_has_same_holes() {
    let mut rng = random(43);
    for _ in 0..200 {
        let (old, new) = (any_size(&mut rng), any_size(&mut rng));
        let mask = any_holes(old, 30, &mut rng);
        let resampled = mask.resampled(new);
        assert_eq!(resampled.size(), new);
        let squares = |size: MapSize| DVec2::new(size.width() as f64, size.height() as f64) - 1.0;
        for row in 0..new.height() - 1 {
            for column in 0..new.width() - 1 {
                let middle = DVec2::new(column as f64 + 0.5, row as f64 + 0.5);
                // The middle may be on a line, except for rounding.
                let at = middle * squares(old) / squares(new) + 1e-9;
                let expected = mask.is_hole(at.x as usize, at.y as usize);
                assert_eq!(
                    resampled.is_hole(column, row),
                    expected,
                    "{old:?} to {new:?}"
                );
            }
        }
        assert_eq!(mask.resampled(old), mask);
    }
}

#[test]
fn from_map_opens_squares_with_high_mean() {
    let mut rng = random(41);
    for (width, height) in [(2, 2), (3, 7), (700, 130)] {
        let map = ground(size(width, height), false, &mut rng);
        let holes = HoleMask::from_map(&map, 0.5, &go()).unwrap();
        let expected = HoleMask::from_fn(map.size(), |x, y| {
            let cell = |dx, dy| f64::from(map.get(x + dx, y + dy));
            cell(0, 0) + cell(1, 0) + (cell(0, 1) + cell(1, 1)) > 2.0
        });
        assert_eq!(holes, expected);
    }
    let map = ground(size(300, 300), false, &mut rng);
    measures::same_on_any_threads("holes", || HoleMask::from_map(&map, 0.5, &go()).unwrap());
    measures::minds_its_progress("holes", |progress| -> Result<_, GenerateError> {
        HoleMask::from_map(&map, 0.5, progress)
    });
    let error = HoleMask::from_map(&map, f32::NAN, &go())
        .unwrap_err()
        .to_string();
    assert_eq!(error, "hole mask: threshold is NaN, but must be finite");
}

#[test]
fn mask_takes_one_bit_per_square() {
    let mask = HoleMask::none(size(1025, 1025));
    assert_eq!(mask.bytes(), 1024 * 1024 / 8);
    assert!(mask.bytes() * 32 <= 4 * 1025 * 1025);
}

#[test]
fn serializes_runs_and_rejects_invalid_ones() {
    let mut mask = HoleMask::none(size(5, 4));
    mask.set_rect(1..3, 1..2, true);
    mask.set(1, 2, true).unwrap();
    let text = ron::to_string(&mask).unwrap();
    assert_eq!(text, "(size:(5,4),runs:[5,2,2,1,2])");
    assert_eq!(mask.runs(), [5, 2, 2, 1, 2]);
    assert_eq!(
        HoleMask::from_runs(mask.size(), &mask.runs()).as_ref(),
        Ok(&mask)
    );
    let refused = |runs: &str| {
        let text = format!("(size: (5, 4), runs: {runs})");
        ron::from_str::<HoleMask>(&text)
            .unwrap_err()
            .code
            .to_string()
    };
    for (runs, found) in [
        ("[]", 0),
        ("[5, 2, 2, 1, 3]", 13),
        ("[4294967295, 4294967295]", 8_589_934_590_u64),
    ] {
        let expected = HoleMaskError::Runs {
            found,
            expected: 12,
        };
        assert_eq!(refused(runs), expected.to_string());
    }
    assert!(ron::from_str::<HoleMask>("(size: (5, 4), runs: [14, -2])").is_err());
    let text = "(size: (16384, 16384), runs: [1])";
    assert!(ron::from_str::<HoleMask>(text).is_err());
    let error = mask.set(4, 0, true).unwrap_err().to_string();
    assert_eq!(
        error,
        "square (4, 0) is outside the map, which has 4x3 squares"
    );
}

#[test]
fn queries_are_none_only_over_holes() {
    let mut rng = random(42);
    for round in 0..40 {
        let map = ground(any_size(&mut rng), false, &mut rng);
        let holes = any_holes(map.size(), 40, &mut rng);
        let pyramid = HeightPyramid::of(&map, &go()).unwrap();
        let whole = Surface::new(&map, scale(SCALES[round % SCALES.len()]));
        let surface = whole
            .with_holes(&holes)
            .unwrap()
            .with_pyramid(&pyramid)
            .unwrap();
        let high = 2.0 * map.range().1 * surface.scale().relief + surface.scale().spacing;
        for _ in 0..100 {
            let at = any_place(&whole, &mut rng);
            let ((column, row), _) = whole.triangle_at(at).unwrap();
            let hole = holes.is_hole(column, row);
            let expected = |answer: Option<f32>| answer.filter(|_| !hole);
            assert_eq!(surface.height(at), expected(whole.height(at)));
            assert_eq!(surface.slope(at), expected(whole.slope(at)));
            assert_eq!(surface.normal(at).is_none(), hole);
            assert_eq!(surface.face_normal(at).is_none(), hole);
            let down = surface.cast_ray(Vec3::new(at.x, high, at.y), Vec3::NEG_Y, f32::INFINITY);
            assert_eq!(down.is_none(), hole, "{at}");
        }
    }
}

#[test]
fn rejects_masks_and_pyramids_of_other_sizes() {
    let map = Heightmap::flat(size(6, 6));
    let surface = Surface::new(&map, scale((1.0, 1.0)));
    let holes = HoleMask::none(size(5, 6));
    let error = surface.with_holes(&holes).unwrap_err().to_string();
    assert_eq!(
        error,
        "the hole mask is for a map of 5x6 cells, but the map has 6x6"
    );
    let other = HeightPyramid::of(&Heightmap::flat(size(6, 7)), &go()).unwrap();
    let error = surface.with_pyramid(&other).unwrap_err().to_string();
    assert_eq!(
        error,
        "the height pyramid is for a map of 6x7 cells, but the map has 6x6"
    );
}

proptest! {
    #[test]
    fn deserializing_never_panics(
        sides in (0_u64..20_000, 0_u64..20_000),
        runs in prop::collection::vec(any::<u32>(), 0..6),
    ) {
        let text = format!("(size: {sides:?}, runs: {runs:?})");
        if let Ok(mask) = ron::from_str::<HoleMask>(&text) {
            prop_assert_eq!((mask.size().width() as u64, mask.size().height() as u64), sides);
        }
    }
}
