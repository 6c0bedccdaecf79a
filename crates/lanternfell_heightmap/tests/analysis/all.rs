//! Checks for all measures: pinned hashes, threads, cancellation and invalid parameters.

use super::*;

type Measure = (
    &'static str,
    fn(&Heightmap, &Progress) -> Result<Heightmap, GenerateError>,
);

/// A number as a flat map, so that its bits can be compared.
fn number(value: f64) -> Heightmap {
    map_of(size(2, 2), |_, _| value.clamp(-1e30, 1e30))
}

const MEASURES: [Measure; 17] = [
    ("slope", |map, progress| {
        Slope::default().of(map, SCALE, progress)
    }),
    ("rise", |map, progress| {
        Slope {
            unit: SlopeUnit::RiseOverRun,
        }
        .of(map, SCALE, progress)
    }),
    ("aspect", |map, progress| Aspect.of(map, progress)),
    ("hillshade", |map, progress| {
        Hillshade::default().of(map, SCALE, progress)
    }),
    ("four suns", |map, progress| {
        let hillshade = Hillshade {
            multidirectional: true,
            ..Hillshade::default()
        };
        hillshade.of(map, SCALE, progress)
    }),
    ("profile", |map, progress| {
        Curvature {
            kind: CurvatureKind::Profile,
        }
        .of(map, SCALE, progress)
    }),
    ("plan", |map, progress| {
        Curvature {
            kind: CurvatureKind::Plan,
        }
        .of(map, SCALE, progress)
    }),
    ("mean curvature", |map, progress| {
        Curvature::default().of(map, SCALE, progress)
    }),
    ("sky", |map, progress| {
        SkyView::default().of(map, SCALE, progress)
    }),
    ("ruggedness", |map, progress| {
        ruggedness(map, SCALE, progress)
    }),
    ("position", |map, progress| {
        TopographicPositionIndex::default().of(map, SCALE, progress)
    }),
    ("coast distance", |map, progress| {
        CoastDistance { sea_level: 0.2 }.of(map, SCALE, progress)
    }),
    ("normals", |map, progress| {
        let normals = normals(map, SCALE, progress)?;
        assert!(
            normals
                .iter()
                .all(|normal| (normal.length() - 1.0).abs() < 1e-5)
        );
        Ok(
            Heightmap::from_heights(map.size(), normals.iter().map(|n| n.x + n.z).collect())
                .unwrap(),
        )
    }),
    ("normal map", |map, progress| {
        let picture = NormalMap {
            axes: NormalAxes::World,
        }
        .of(map, SCALE, progress)?;
        Ok(number(
            picture.bytes().iter().map(|&byte| f64::from(byte)).sum(),
        ))
    }),
    ("statistics", |map, progress| {
        let found = Statistics::of(map, progress)?;
        Ok(number(found.deviation + found.mean + found.median))
    }),
    ("regions", |map, progress| {
        let regions = FindRegions {
            sea_level: 0.2,
            ..FindRegions::default()
        }
        .of(map, progress)?;
        Ok(number(
            regions
                .islands()
                .first()
                .map_or(0.0, |island| island.cells as f64),
        ))
    }),
    ("coast", |map, progress| {
        Ok(number(coast_length(map, 0.2, SCALE, progress)?))
    }),
];

#[test]
fn golden_hashes() {
    let golden = [
        ("slope", 0x372d_c0d2_6065_173e),
        ("rise", 0x3b82_5864_772f_7676),
        ("aspect", 0x1aa8_e862_9359_8e98),
        ("hillshade", 0xbebb_e8b4_00ca_1b1e),
        ("four suns", 0x2fac_c9c4_372c_230c),
        ("profile", 0x824e_bb73_a157_6c32),
        ("plan", 0xa401_f547_60be_71b5),
        ("mean curvature", 0x7d5d_e504_8cc0_ac41),
        ("sky", 0x50c4_e440_3eb4_5b4a),
        ("ruggedness", 0x6cfb_d2f7_04f3_8dac),
        ("position", 0x40e2_46a9_5c9f_dac9),
        ("coast distance", 0x6e8a_dcf3_9a53_f0ff),
        ("normals", 0xc93c_4239_bf34_8bdd),
        ("normal map", 0x4fa2_9d36_ccc7_8a95),
        ("statistics", 0xcc85_883d_073d_f445),
        ("regions", 0x72c9_994a_bf72_ea75),
        ("coast", 0x15ab_7dcf_579e_9ddd),
    ];
    let map = island(96, 64);
    let found = MEASURES.map(|(name, measure)| (name, fnv(&measure(&map, &go()).unwrap())));
    assert_golden(found, &golden);
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let map = island(150, 140);
    for (name, measure) in MEASURES {
        same_on_any_threads(name, || measure(&map, &go()).unwrap());
    }
}

#[test]
fn canceled_work_stops() {
    let map = island(20, 20);
    for (name, measure) in MEASURES {
        minds_its_progress(name, |progress| measure(&map, progress));
    }
    let progress = go();
    progress.cancel();
    assert!(Histogram::of(&map, 4, &progress).is_err());
    assert!(Hypsometry::of(&map, 4, &progress).is_err());
}

#[test]
fn small_and_extreme_maps_give_finite_results() {
    let wild = [
        f32::MAX,
        f32::MIN,
        0.0,
        f32::MIN,
        f32::MAX,
        1e-45,
        3.0,
        -0.0,
        f32::MAX,
    ];
    let maps = [
        Heightmap::flat(size(2, 2)),
        Heightmap::from_heights(size(2, 2), vec![f32::MAX, f32::MIN, f32::MIN, f32::MAX]).unwrap(),
        Heightmap::from_heights(size(3, 3), wild.to_vec()).unwrap(),
        Heightmap::from_heights(size(2, 3), wild[..6].to_vec()).unwrap(),
        map_of(size(3, 2), |x, _| x * 1e-44),
    ];
    for (number, map) in maps.iter().enumerate() {
        for (name, measure) in MEASURES {
            let measured = measure(map, &go()).unwrap();
            assert!(
                measured.heights().iter().all(|z| z.is_finite()),
                "{name} of map {number}"
            );
        }
        let scale = Scale {
            spacing: f32::MIN_POSITIVE,
            relief: 100_000.0,
        };
        let steep = [
            Slope::default().of(map, scale, &go()).unwrap(),
            Hillshade {
                multidirectional: true,
                z_factor: 1000.0,
                ..Hillshade::default()
            }
            .of(map, scale, &go())
            .unwrap(),
            SkyView::default().of(map, scale, &go()).unwrap(),
            Curvature {
                kind: CurvatureKind::Plan,
            }
            .of(map, scale, &go())
            .unwrap(),
            ruggedness(
                map,
                Scale {
                    spacing: 1.0,
                    relief: 100_000.0,
                },
                &go(),
            )
            .unwrap(),
        ];
        assert!(
            steep
                .iter()
                .all(|map| map.heights().iter().all(|z| z.is_finite())),
            "map {number}"
        );
        let statistics = Statistics::of(map, &go()).unwrap();
        assert!(
            statistics.deviation.is_finite() && statistics.mean.is_finite(),
            "map {number}: {statistics:?}"
        );
        assert!(
            Hypsometry::of(map, 5, &go()).unwrap().integral.is_finite(),
            "map {number}"
        );
        let counts = Histogram::of(map, 5, &go()).unwrap().counts;
        assert_eq!(
            counts.iter().sum::<u64>(),
            map.size().cells() as u64,
            "map {number}"
        );
        for contour in contours(map, &[-1.0, 0.0, f32::MAX], &go()).unwrap() {
            assert!(
                contour.points.iter().all(|point| point.is_finite()),
                "map {number}"
            );
        }
    }
}

#[test]
fn errors_name_parameters_out_of_range() {
    let map = Heightmap::flat(size(3, 3));
    let refused = |result: Result<Heightmap, GenerateError>, words: &str| {
        let error = result.unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    let bad = Scale {
        spacing: 0.0,
        relief: 1.0,
    };
    refused(Slope::default().of(&map, bad, &go()), "scale: spacing is 0");
    refused(ruggedness(&map, bad, &go()), "scale: spacing");
    let hillshade = Hillshade::default();
    for (hillshade, words) in [
        (
            Hillshade {
                azimuth: 400.0,
                ..hillshade
            },
            "azimuth is 400, but must be from -360 to 360",
        ),
        (
            Hillshade {
                altitude: f64::NAN,
                ..hillshade
            },
            "altitude is NaN",
        ),
        (
            Hillshade {
                z_factor: 0.0,
                ..hillshade
            },
            "z_factor is 0",
        ),
    ] {
        refused(hillshade.of(&map, UNIT, &go()), words);
    }
    for directions in [0, 2, 5, 66] {
        refused(
            SkyView { directions }.of(&map, UNIT, &go()),
            "an even number from 4 to 64",
        );
    }
    refused(
        TopographicPositionIndex { radius: 0 }.of(&map, UNIT, &go()),
        "radius is 0",
    );
    let sea_level = f32::NAN;
    refused(
        CoastDistance { sea_level }.of(&map, UNIT, &go()),
        "sea_level is NaN",
    );
    let find = FindRegions {
        sea_level,
        ..FindRegions::default()
    };
    assert!(find.of(&map, &go()).is_err());
    assert!(contours(&map, &[0.0, f32::INFINITY], &go()).is_err());
    assert!(percentiles(&map, &[101.0], &go()).is_err());
    assert!(percentiles(&map, &[50.0; 1001], &go()).is_err());
    assert!(Histogram::of(&map, 0, &go()).is_err());
    assert!(Histogram::within(&map, 3, (1.0, 1.0), &go()).is_err());
    assert!(Histogram::within(&map, 3, (0.0, f32::NAN), &go()).is_err());
    assert!(Hypsometry::of(&map, 0, &go()).is_err());
}

#[test]
fn parameters_are_read_from_ron() {
    let hillshade: Hillshade = ron::from_str("(azimuth: 300)").unwrap();
    assert_eq!(
        hillshade,
        Hillshade {
            azimuth: 300.0,
            ..Hillshade::default()
        }
    );
    assert!(ron::from_str::<Hillshade>("(sun: 3)").is_err());
    let slope: Slope = ron::from_str("(unit: RiseOverRun)").unwrap();
    assert_eq!(slope.unit, SlopeUnit::RiseOverRun);
}
