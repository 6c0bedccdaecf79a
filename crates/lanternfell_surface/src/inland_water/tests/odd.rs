//! Tests with unusual maps, invalid parameters, threads and cancellation.

use super::{super::InlandWater, Case};
use lanternfell_heightmap::{
    Canceled, GenerateError, Heightmap, MapSize, Progress, Scale, SeededRng, hydrology::Hydrology,
};

const SCALE: Scale = Scale {
    spacing: 10.0,
    relief: 100.0,
};

#[test]
fn accepts_unusual_maps() {
    let mut rng = SeededRng::new(9, b"odd maps");
    let water = InlandWater {
        source_area: 1.0,
        lake_min_area: 0.0,
        lake_min_depth: 0.01,
        ..InlandWater::default()
    };
    let wide = InlandWater {
        width_factor: 100.0,
        depth_factor: 10.0,
        specific_discharge: 1000.0,
        ..water
    };
    let mut wet = 0;
    for (width, height) in [(2, 2), (2, 300), (300, 2), (3, 400), (31, 30), (60, 60)] {
        let size = MapSize::new(width, height).unwrap();
        for kind in 0..7 {
            let map = Heightmap::from_fn(size, |x, y| match kind {
                0 => 0.0,
                1 => rng.unit() as f32,
                2 => [f32::MIN, f32::MAX, 0.0][rng.below(3) as usize],
                3 => f32::MAX * rng.unit() as f32,
                4 => x as f32 * 1e-3 + (y as f32 * 0.1 - 1.0).powi(2),
                5 => 1e-40 * rng.unit() as f32,
                _ => y as f32 * 0.01 - 3.0 * f32::from(u8::from(x % 9 == 4)),
            });
            let map = map.unwrap();
            for (border, sea_level) in [
                (true, None),
                (false, None),
                (true, Some(0.3)),
                (false, Some(f32::MAX)),
            ] {
                let hydrology = Hydrology { sea_level, border };
                for (water, scale) in [
                    (water, SCALE),
                    (wide, SCALE),
                    (
                        wide,
                        Scale {
                            spacing: 1e-3,
                            relief: 1e5,
                        },
                    ),
                    (
                        water,
                        Scale {
                            spacing: 1e5,
                            relief: 1e-3,
                        },
                    ),
                ] {
                    let mut map = map.clone();
                    let waters = water
                        .carve(&mut map, scale, &hydrology, &Progress::default())
                        .unwrap();
                    assert!(map.heights().iter().all(|z| z.is_finite()));
                    wet += usize::from(!waters.is_empty());
                    for river in waters.rivers() {
                        for point in &river.points {
                            assert!(point.position.iter().all(|meters| meters.is_finite()));
                            waters.at(point.position[0], point.position[2]);
                        }
                    }
                    if sea_level == Some(f32::MAX) {
                        assert!(waters.is_empty());
                    }
                }
            }
        }
    }
    assert!(wet > 50, "{wet}");
}

#[test]
fn invalid_parameters_are_named() {
    let mut map = Heightmap::flat(MapSize::new(8, 8).unwrap());
    let mut invalid_parameter = |water: InlandWater, scale: Scale, sea: f32| {
        let hydrology = Hydrology {
            sea_level: Some(sea),
            border: true,
        };
        match water.carve(&mut map, scale, &hydrology, &Progress::default()) {
            Err(GenerateError::Param(error)) => error.name,
            other => panic!("{other:?}"),
        }
    };
    let default = InlandWater::default();
    for bad in [f64::NAN, -1.0, 1e13] {
        for (name, water) in [
            (
                "source_area",
                InlandWater {
                    source_area: bad,
                    ..default
                },
            ),
            (
                "specific_discharge",
                InlandWater {
                    specific_discharge: bad,
                    ..default
                },
            ),
            (
                "width_factor",
                InlandWater {
                    width_factor: bad,
                    ..default
                },
            ),
            (
                "width_exponent",
                InlandWater {
                    width_exponent: bad,
                    ..default
                },
            ),
            (
                "depth_factor",
                InlandWater {
                    depth_factor: bad,
                    ..default
                },
            ),
            (
                "depth_exponent",
                InlandWater {
                    depth_exponent: bad,
                    ..default
                },
            ),
            (
                "roughness",
                InlandWater {
                    roughness: bad,
                    ..default
                },
            ),
            (
                "bank_slope",
                InlandWater {
                    bank_slope: bad,
                    ..default
                },
            ),
            (
                "lake_min_area",
                InlandWater {
                    lake_min_area: bad,
                    ..default
                },
            ),
            (
                "lake_min_depth",
                InlandWater {
                    lake_min_depth: bad,
                    ..default
                },
            ),
        ] {
            assert_eq!(invalid_parameter(water, SCALE, 0.0), name, "{bad}");
        }
    }
    assert_eq!(
        invalid_parameter(
            default,
            Scale {
                spacing: 0.0,
                ..SCALE
            },
            0.0
        ),
        "spacing"
    );
    assert_eq!(invalid_parameter(default, SCALE, f32::NAN), "sea_level");
}

#[test]
fn settings_deserialize_by_name() {
    let read: InlandWater = ron::from_str("(source_area: 5000, bank_slope: 1)").unwrap();
    let expected = InlandWater {
        source_area: 5000.0,
        bank_slope: 1.0,
        ..InlandWater::default()
    };
    assert_eq!(read, expected);
    assert!(ron::from_str::<InlandWater>("(gorges: 1)").is_err());
}

#[test]
fn canceled_work_keeps_map() {
    let case = Case::preset("rolling-hills", 193, 3, None);
    assert!(!case.waters.rivers().is_empty());
    for steps in 0..9 {
        // The listener cancels the work, each time at a later point.
        let shared = std::sync::Arc::new(std::sync::Mutex::new(None::<Progress>));
        let (for_listener, until) = (shared.clone(), steps as f32 / 10.0);
        let progress = Progress::with_listener(move |done| {
            if let (true, Some(progress)) = (done >= until, &*for_listener.lock().unwrap()) {
                progress.cancel();
            }
        });
        *shared.lock().unwrap() = Some(progress.clone());
        let mut map = case.before.clone();
        let result = InlandWater::default().carve(&mut map, case.scale, &case.hydrology, &progress);
        *shared.lock().unwrap() = None;
        assert_eq!(
            result.unwrap_err(),
            GenerateError::Canceled(Canceled),
            "{until}"
        );
        assert_eq!(map, case.before);
    }
}

#[cfg(feature = "parallel")]
#[test]
fn result_does_not_depend_on_threads() {
    let generate = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let case = pool
            .unwrap()
            .install(|| Case::preset("alpine", 257, 2, None));
        (case.map, case.waters)
    };
    let (map, waters) = generate(1);
    assert!(waters.rivers().len() > 5 && waters.lakes().len() > 2);
    for threads in [2, 5] {
        let (again, same) = generate(threads);
        assert_eq!(again, map);
        assert_eq!(same, waters);
    }
}
