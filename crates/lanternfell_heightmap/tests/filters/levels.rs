//! Filters that change each height independently.

use super::*;

#[test]
fn normalize_is_idempotent() {
    let mut rng = SeededRng::new(1, b"test    ");
    for round in 0..50 {
        let once = done(&Filter::Normalize, &any_map(&mut rng));
        assert_eq!(done(&Filter::Normalize, &once), once, "round {round}");
        let whole = Stretch {
            low: 0.0,
            high: 100.0,
        };
        assert_eq!(done(&Filter::Stretch(whole), &once), once, "round {round}");
    }
}

#[test]
fn stretch_matches_the_sorted_map() {
    let mut rng = SeededRng::new(2, b"test    ");
    for round in 0..60 {
        let map = any_map(&mut rng);
        let high = rng.between(0.0, 100.0);
        let low = rng.between(0.0, high);
        let mut sorted = map.heights().to_vec();
        sorted.sort_by(f32::total_cmp);
        let at = |percent: f64| {
            let rank = (percent / 100.0 * (sorted.len() - 1) as f64).round();
            f64::from(sorted[rank as usize])
        };
        let expected = map_of(map.size(), |x, y| {
            let above = f64::from(map.get(x, y)) - at(low);
            if at(high) > at(low) {
                (above / (at(high) - at(low))).clamp(0.0, 1.0) as f32
            } else if above > 0.0 {
                1.0
            } else {
                0.0
            }
        });
        assert_eq!(
            done(&Filter::Stretch(Stretch { low, high }), &map),
            expected,
            "round {round}, {low} to {high} %"
        );
    }
    let flat = map_of(size(4, 3), |_, _| 0.7);
    let stretched = done(&Filter::Stretch(Stretch::default()), &flat);
    assert_eq!(stretched.heights(), [0.0; 12]);
}

#[test]
fn levels_match_their_formulas() {
    let map = map_of(size(2, 2), |x, y| [-1.0, 0.25, 0.5, 3.0][x + 2 * y]);
    let heights = |filter: &str| {
        let filter: Filter = ron::from_str(filter).unwrap();
        done(&filter, &map).into_heights()
    };
    assert_eq!(heights("Clamp((min: 0.3, max: 0.4))"), [0.3, 0.3, 0.4, 0.4]);
    assert_eq!(
        heights("Linear((scale: 2, offset: 1))"),
        [-1.0, 1.5, 2.0, 7.0]
    );
    assert_eq!(heights("Invert"), [2.0, 0.75, 0.5, -2.0]);
    assert_eq!(heights("Turbulence(0.5)"), [3.0, 0.5, 0.0, 5.0]);
    assert_eq!(heights("Turbulence(0)"), [1.0, 0.25, 0.5, 3.0]);
    assert_eq!(
        heights("Turbulence(0.75)"),
        [7.0 / 3.0, 2.0 / 3.0, 1.0 / 3.0, 3.0]
    );
}

#[test]
fn inverting_twice_changes_nothing() {
    let map = land(size(50, 40), 4);
    let twice = done(&Filter::Invert, &done(&Filter::Invert, &map));
    assert!(furthest(&twice, &map) <= 6e-8, "rounded once at most");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn curve_goes_through_its_points_and_is_monotonic_between(
        steps in prop::collection::vec((0.001_f64..0.3, -0.5_f64..0.5), 2..20),
    ) {
        let mut at = (-0.5, 0.0);
        let mut points = vec![at];
        for (dx, dy) in steps {
            // Includes level segments.
            at = (at.0 + dx, at.1 + if dy.abs() < 0.1 { 0.0 } else { dy });
            points.push(at);
        }
        let curve = Filter::Curve(Curve(points.clone()));
        let first = points[0].0;
        let last = points[points.len() - 1].0;
        let of = |heights: Vec<f32>| {
            let size = size(heights.len() as u64 / 2, 2);
            done(&curve, &Heightmap::from_heights(size, heights).unwrap()).into_heights()
        };
        let through = of(points.iter().chain(&points).map(|&(x, _)| x as f32).collect());
        for (z, &(_, y)) in through.iter().zip(&points) {
            // The point is rounded to an `f32`, on a slope of up to 3 * 0.5 / 0.001.
            prop_assert!((f64::from(*z) - y).abs() < 2e-4, "{z} for {y}");
        }
        for pair in points.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let inside = |k: u32| (a.0 + (b.0 - a.0) * f64::from(k) / 63.0) as f32;
            let between = of((0..64).map(inside).collect());
            let rises = between.is_sorted_by(|p, q| p <= q || (p - q).abs() < 2e-4 && b.1 >= a.1);
            let falls = between.is_sorted_by(|p, q| p >= q || (p - q).abs() < 2e-4 && b.1 <= a.1);
            prop_assert!(if b.1 >= a.1 { rises } else { falls }, "{a:?} to {b:?}: {between:?}");
        }
        let beyond = of(vec![first as f32 - 1.0, -9e9, last as f32 + 1.0, 9e9]);
        let ends = [points[0].1, points[points.len() - 1].1].map(|y| y as f32);
        prop_assert_eq!(beyond, [ends[0], ends[0], ends[1], ends[1]]);
    }
}

#[test]
fn straight_curve_changes_nothing() {
    let map = land(size(40, 30), 8);
    let line = Filter::Curve(Curve(vec![
        (0.0, 0.0),
        (0.25, 0.25),
        (0.6, 0.6),
        (1.0, 1.0),
    ]));
    assert!(furthest(&done(&line, &map), &map) < 1e-7);
    assert!(furthest(&done(&Filter::Curve(Curve::default()), &map), &map) < 1e-7);
}

/// A map that rises from 0 to 1 in this number of steps.
fn ramp(steps: u64) -> Heightmap {
    map_of(size(steps, 2), |x, _| x as f32 / (steps - 1) as f32)
}

#[test]
fn terraces_have_levels_and_risers() {
    let ramp = ramp(1201);
    for levels in [2, 3, 7, 256] {
        for sharpness in [0.0, 0.4, 0.9, 1.0] {
            for equal_areas in [false, true] {
                let terrace = Terrace {
                    levels,
                    sharpness,
                    equal_areas,
                };
                let map = done(&Filter::Terrace(terrace), &ramp);
                assert!(map.row(0).is_sorted(), "{terrace:?}");
                assert_eq!((map.get(0, 0), map.get(1200, 0)), (0.0, 1.0), "{terrace:?}");
                if sharpness == 0.0 {
                    assert_eq!(map, ramp, "{terrace:?}");
                }
                if sharpness == 1.0 && levels == 7 {
                    let mut steps = map.row(0).to_vec();
                    steps.dedup();
                    // The middle of a vertical riser is halfway up, so drop it.
                    steps.retain(|z| (z * 6.0 - (z * 6.0).round()).abs() < 1e-3);
                    assert_eq!(steps.len(), 7, "{steps:?}");
                }
            }
        }
    }
    let sharp = |sharpness| {
        let terrace = Terrace {
            levels: 5,
            sharpness,
            equal_areas: false,
        };
        done(&Filter::Terrace(terrace), &ramp)
    };
    let (soft, hard) = (sharp(0.5), sharp(0.8));
    for x in 0..1201 {
        let nearest = (ramp.get(x, 0) * 4.0).round() / 4.0;
        let from = |map: &Heightmap| (map.get(x, 0) - nearest).abs();
        assert!(
            from(&hard) <= from(&soft) + 1e-6 && from(&soft) <= from(&ramp) + 1e-6,
            "cell {x}"
        );
    }
}

#[test]
fn terraces_by_area_have_equal_areas() {
    let map = done(&Filter::Gamma(4.0), &ramp(1001));
    let terrace = Terrace {
        levels: 6,
        sharpness: 1.0,
        equal_areas: true,
    };
    let stepped = done(&Filter::Terrace(terrace), &map);
    let mut counts = vec![(stepped.get(0, 0), 0)];
    for &z in stepped.row(0) {
        match counts.last_mut() {
            Some((level, count)) if *level == z => *count += 1,
            _ => counts.push((z, 1)),
        }
    }
    counts.retain(|&(_, count)| count > 2);
    assert_eq!(counts.len(), 6, "{counts:?}");
    // A tread extends halfway to the next one in height. The slope of the curve increases
    // continuously.
    for (k, &(level, _)) in counts.iter().enumerate() {
        let quantile = (k as f32 / 5.0).powi(4);
        assert!((level - quantile).abs() < 1e-5, "{level}, not {quantile}");
    }
    let lake = map_of(
        size(20, 20),
        |x, y| if y < 13 { 0.25 } else { x as f32 / 19.0 },
    );
    let result = done(&Filter::Terrace(terrace), &lake);
    assert_eq!(result.get(3, 3), 0.25);
    assert!(result.heights().iter().all(|z| (0.0..=1.0).contains(z)));
}
