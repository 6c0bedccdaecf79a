//! Slopes, normals, curvature and hillshade.

use super::*;

#[test]
fn plane_has_constant_measures_up_to_the_border() {
    for (east, south) in [(0.3, -0.2), (-0.01, 0.0), (0.0, 0.05), (2.0, 1.0)] {
        let map = map_of(size(7, 5), |x, y| 5.0 + east * x + south * y);
        let (e, s) = (east * 15.0, south * 15.0);
        let rise = f64::sqrt(e * e + s * s);
        let all = |measured: Heightmap, expected: f64, what: &str| {
            let tolerance = 2e-4 * expected.abs().max(1.0);
            for &z in measured.heights() {
                assert_near(z, expected, tolerance, what);
            }
        };
        let unit = SlopeUnit::RiseOverRun;
        all(Slope { unit }.of(&map, SCALE, &go()).unwrap(), rise, "rise");
        let degrees = rise.atan().to_degrees();
        all(
            Slope::default().of(&map, SCALE, &go()).unwrap(),
            degrees,
            "slope",
        );
        let facing = f64::atan2(-e, s).to_degrees().rem_euclid(360.0);
        all(Aspect.of(&map, &go()).unwrap(), facing, "aspect");
        for kind in [
            CurvatureKind::Profile,
            CurvatureKind::Plan,
            CurvatureKind::Mean,
        ] {
            all(
                Curvature { kind }.of(&map, SCALE, &go()).unwrap(),
                0.0,
                "curvature",
            );
        }
        all(
            TopographicPositionIndex { radius: 1 }
                .of(&map_of(size(3, 3), |_, _| 7.0), SCALE, &go())
                .unwrap(),
            0.0,
            "position",
        );
        all(
            ruggedness(&map, SCALE, &go()).unwrap(),
            2.0 * rise * f64::sqrt(6.0),
            "roughness",
        );
        for normal in normals(&map, SCALE, &go()).unwrap() {
            let length = (1.0 + rise * rise).sqrt();
            assert_near(normal.x, -e / length, 1e-4, "x");
            assert_near(normal.y, 1.0 / length, 1e-4, "y");
            assert_near(normal.z, -s / length, 1e-4, "z");
        }
    }
}

#[test]
fn flat_map_has_no_slope_and_aspect() {
    let map = Heightmap::flat(size(4, 3));
    assert_eq!(Slope::default().of(&map, SCALE, &go()).unwrap(), map);
    assert_eq!(Curvature::default().of(&map, SCALE, &go()).unwrap(), map);
    assert_eq!(Aspect.of(&map, &go()).unwrap().range(), (-1.0, -1.0));
    assert_eq!(
        SkyView::default().of(&map, SCALE, &go()).unwrap().range(),
        (1.0, 1.0)
    );
    let up = NormalMap::default().of(&map, SCALE, &go()).unwrap();
    assert_eq!(up.pixel(3, 2), [128, 128, 255]);
}

#[test]
fn cone_has_radial_aspect() {
    let map = map_of(size(61, 61), |x, y| -0.5 * f64::hypot(x - 30.0, y - 30.0));
    let slope = Slope::default().of(&map, UNIT, &go()).unwrap();
    let aspect = Aspect.of(&map, &go()).unwrap();
    let plan = Curvature {
        kind: CurvatureKind::Plan,
    }
    .of(&map, UNIT, &go())
    .unwrap();
    let profile = Curvature {
        kind: CurvatureKind::Profile,
    }
    .of(&map, UNIT, &go())
    .unwrap();
    for (x, y) in inner(&map, 1) {
        let (east, south) = (x as f64 - 30.0, y as f64 - 30.0);
        let radius = f64::hypot(east, south);
        if radius < 8.0 {
            continue;
        }
        assert_near(slope.get(x, y), 0.5_f64.atan().to_degrees(), 0.2, "slope");
        let facing = f64::atan2(east, -south).to_degrees().rem_euclid(360.0);
        let off = (f64::from(aspect.get(x, y)) - facing).abs();
        assert!(off.min(360.0 - off) < 0.3, "aspect at {x}, {y}");
        // Along the contour the curvature is the slope divided by the radius. Down the slope it is
        // 0, because the side of a cone is straight.
        assert_near(plan.get(x, y), 0.5 / radius, 0.02 / radius, "plan");
        assert_near(profile.get(x, y), 0.0, 0.02 / radius, "profile");
    }
}

#[test]
fn paraboloid_has_its_known_curvature() {
    // z = -(a x^2 + b y^2) / 2 has curvature a along x and b along y. The fit is exact.
    let (a, b) = (0.02, 0.006);
    let map = map_of(size(41, 31), |x, y| {
        let (x, y) = (x - 20.0, y - 15.0);
        -0.5 * (a * x * x + b * y * y)
    });
    let curvature = |kind| Curvature { kind }.of(&map, UNIT, &go()).unwrap();
    let (profile, plan) = (
        curvature(CurvatureKind::Profile),
        curvature(CurvatureKind::Plan),
    );
    let mean = curvature(CurvatureKind::Mean);
    for (x, y) in inner(&map, 1) {
        let (east, south) = (a * (x as f64 - 20.0), b * (y as f64 - 15.0));
        let square = east * east + south * south;
        let (along, across) = if square > 0.0 {
            let along = (a * east * east + b * south * south) / square;
            (along, a + b - along)
        } else {
            (0.5 * (a + b), 0.5 * (a + b))
        };
        assert_near(profile.get(x, y), along, 2e-5, "profile");
        assert_near(plan.get(x, y), across, 2e-5, "plan");
        assert_near(mean.get(x, y), 0.5 * (a + b), 2e-5, "mean");
    }
}

#[test]
fn measures_are_symmetric() {
    let mut rng = SeededRng::new(8, b"test    ");
    let land = noise(&mut rng, size(12, 8));
    let mirrored = map_of(land.size(), |x, y| {
        land.get(11 - x as usize, y as usize).into()
    });
    let measures: [fn(&Heightmap) -> Heightmap; 6] = [
        |map| Slope::default().of(map, SCALE, &go()).unwrap(),
        |map| Curvature::default().of(map, SCALE, &go()).unwrap(),
        |map| ruggedness(map, SCALE, &go()).unwrap(),
        |map| CoastDistance::default().of(map, SCALE, &go()).unwrap(),
        |map| SkyView::default().of(map, SCALE, &go()).unwrap(),
        |map| {
            let kind = CurvatureKind::Plan;
            Curvature { kind }.of(map, SCALE, &go()).unwrap()
        },
    ];
    for (number, measure) in measures.iter().enumerate() {
        let (one, other) = (measure(&land), measure(&mirrored));
        let name = &format!("measure {number}");
        for (x, y) in inner(&land, 0) {
            assert_near(one.get(x, y), other.get(11 - x, y).into(), 3e-4, name);
        }
    }
    // Facing east becomes facing west.
    let (one, other) = (
        Aspect.of(&land, &go()).unwrap(),
        Aspect.of(&mirrored, &go()).unwrap(),
    );
    for (x, y) in inner(&land, 0) {
        let sum = one.get(x, y) + other.get(11 - x, y);
        assert!(
            (sum - 360.0).abs() < 1e-3 || sum.abs() < 1e-3,
            "{x}, {y}: {sum}"
        );
    }
}

#[test]
fn hillshade_depends_on_the_direction_to_the_sun() {
    let from = |azimuth| Hillshade {
        azimuth,
        ..Hillshade::default()
    };
    // A slope of 45 degrees that faces west. The sun is perpendicular to it, or parallel.
    let map = map_of(size(5, 4), |x, _| x);
    let shade = |hillshade: Hillshade| hillshade.of(&map, UNIT, &go()).unwrap().get(2, 2);
    assert_near(shade(from(270.0)), 1.0, 1e-6, "facing the sun");
    assert_near(shade(from(90.0)), 0.0, 1e-6, "facing away");
    assert_near(shade(from(0.0)), 0.5, 1e-6, "aside");
    let steep = Hillshade {
        z_factor: 1000.0,
        ..from(270.0)
    };
    assert_near(shade(steep), f64::sqrt(0.5), 1e-3, "a wall");
    let flat = Heightmap::flat(size(3, 3));
    for multidirectional in [false, true] {
        let low = Hillshade {
            altitude: 30.0,
            multidirectional,
            ..Hillshade::default()
        };
        assert_near(
            low.of(&flat, UNIT, &go()).unwrap().get(1, 1),
            0.5,
            1e-6,
            "flat",
        );
    }
}

#[test]
fn multidirectional_hillshade_leaves_no_side_black() {
    let cone = map_of(size(41, 41), |x, y| -f64::hypot(x - 20.0, y - 20.0));
    let shade = |multidirectional| {
        let hillshade = Hillshade {
            multidirectional,
            ..Hillshade::default()
        };
        hillshade.of(&cone, UNIT, &go()).unwrap()
    };
    let (one, four) = (shade(false), shade(true));
    assert_near(one.get(33, 33), 0.0, 0.01, "behind");
    assert!(four.get(33, 33) > 0.2, "{}", four.get(33, 33));
    assert!(four.get(7, 7) > four.get(33, 33));
}
