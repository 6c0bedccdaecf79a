//! Rain on the windward and the lee side.

use super::*;

/// A round mountain of height 1 in a sea at 0.5.
fn mountain(side: u64) -> Heightmap {
    let middle = (side - 1) as f64 / 2.0;
    map_of(size(side, side), |x, y| {
        let radius = f64::hypot(x - middle, y - middle) / middle;
        (1.0 - radius).max(0.4)
    })
}

/// The mean of the cells within `reach` of a point. Lengths are in sides of the map, and the point
/// is relative to the center.
fn mean_near(map: &Heightmap, (east, south): (f64, f64), reach: f64) -> f64 {
    let side = map.width() as f64;
    let middle = (side - 1.0) / 2.0;
    let (mut sum, mut count) = (0.0, 0.0);
    for (i, &z) in map.heights().iter().enumerate() {
        let x = (i % map.width()) as f64 - middle - east * side;
        let y = (i / map.width()) as f64 - middle - south * side;
        if f64::hypot(x, y) <= reach * side {
            sum += f64::from(z);
            count += 1.0;
        }
    }
    sum / count
}

#[test]
fn windward_side_is_wetter_than_lee_side() {
    let map = mountain(160);
    let mut found = Vec::new();
    for wind_from in [0.0, 20.0, 45.0, 90.0, 137.0, 180.0, 270.0, 315.0, -45.0] {
        let rain = Rain {
            wind_from,
            ..Rain::default()
        }
        .of(&map, 0.5, &go())
        .unwrap();
        let (east, south) = (wind_from.to_radians().sin(), -wind_from.to_radians().cos());
        let at = |part: f64| mean_near(&rain, (part * east, part * south), 0.03);
        let (windward, lee, shadow) = (at(0.15), at(-0.15), at(-0.22));
        assert!(windward > 2.0 * lee, "{wind_from}: {windward}, {lee}");
        // Less than over the sea upwind of the mountain.
        assert!(
            shadow < 0.6 * at(0.35),
            "{wind_from}: {shadow}, {}",
            at(0.35)
        );
        found.push((windward, lee, shadow));
    }
    // The mountain is round, so all directions must give the same result.
    for (windward, lee, shadow) in &found {
        assert!((windward / found[0].0 - 1.0).abs() < 0.03, "{found:?}");
        assert!((lee / found[0].1 - 1.0).abs() < 0.03, "{found:?}");
        assert!((shadow / found[0].2 - 1.0).abs() < 0.05, "{found:?}");
    }
}

#[test]
fn rain_rotates_with_the_map() {
    let mut rng = SeededRng::new(1, b"test    ");
    let size = size(24, 24);
    let heights = (0..size.cells()).map(|_| rng.unit() as f32).collect();
    let map = Heightmap::from_heights(size, heights).unwrap();
    let turned = map_of(size, |x, y| map.get(y as usize, 23 - x as usize).into());
    for wind_from in [10.0, 70.0, 100.0] {
        let rain = |map, wind_from| {
            Rain {
                wind_from,
                ..Rain::default()
            }
            .of(map, 0.5, &go())
            .unwrap()
        };
        let (one, other) = (rain(&map, wind_from), rain(&turned, wind_from + 90.0));
        for (x, y) in (0..24).flat_map(|x| (0..24).map(move |y| (x, y))) {
            let (a, b) = (other.get(x, y), one.get(y, 23 - x));
            assert!((a / b - 1.0).abs() < 1e-3, "{x}, {y}: {a}, {b}");
        }
    }
}

#[test]
fn rain_does_not_depend_on_resolution() {
    let rain = |side| Rain::default().of(&mountain(side), 0.5, &go()).unwrap();
    // The last map is averaged down.
    let rains = [100, 300, 1500].map(rain);
    for at in [
        (0.2, 0.0),
        (-0.2, 0.0),
        (0.0, 0.2),
        (0.0, -0.2),
        (0.0, 0.0),
        (-0.4, 0.0),
    ] {
        let found = rains.each_ref().map(|rain| mean_near(rain, at, 0.03));
        assert!(
            (found[0] / found[1] - 1.0).abs() < 0.05,
            "{at:?}: {found:?}"
        );
        assert!(
            (found[2] / found[1] - 1.0).abs() < 0.05,
            "{at:?}: {found:?}"
        );
    }
}

#[test]
fn rain_over_sea_is_uniform() {
    let sea = Heightmap::flat(size(60, 40));
    let full = Rain {
        humidity: 1.0,
        fetch: 0.001,
        ..Rain::default()
    };
    for &rain in full.of(&sea, 0.5, &go()).unwrap().heights() {
        assert!((rain / 2000.0 - 1.0).abs() < 0.03, "{rain}");
    }
    let dry = Rain {
        humidity: 0.0,
        fetch: 100.0,
        ..Rain::default()
    };
    assert!(dry.of(&sea, 0.5, &go()).unwrap().range().1 < 1.0);
}

#[test]
fn land_dries_out_downwind_of_the_sea() {
    let land = map_of(size(200, 50), |x, _| if x < 5.0 { 0.0 } else { 0.5001 });
    let rain = Rain {
        wind_from: 270.0,
        ..Rain::default()
    }
    .of(&land, 0.5, &go())
    .unwrap();
    let row = &rain.row(25)[5..];
    assert!(row.windows(2).all(|pair| pair[1] <= pair[0] * 1.0001));
    assert!(row[194] < 0.7 * row[0]);
    let dry = Rain {
        wind_from: 270.0,
        inland: 0.0,
        ..Rain::default()
    };
    assert!(dry.of(&land, 0.5, &go()).unwrap().get(199, 25) < 0.8 * row[194]);
}

#[test]
fn endless_land_has_no_wet_border() {
    let plain = map_of(size(120, 80), |_, _| 0.5001);
    // Higher in the south, and with hills: no border may stand out.
    let hills = map_of(size(120, 80), |x, y| {
        0.6 + 0.0005 * y + 0.02 * f64::sin(x / 9.0) * f64::sin(y / 7.0)
    });
    for wind_from in [0.0, 60.0, 180.0, 240.0, 300.0] {
        let rain = |map: &Heightmap| {
            Rain {
                wind_from,
                ..Rain::default()
            }
            .of(map, 0.5, &go())
            .unwrap()
        };
        let (low, high) = rain(&plain).range();
        assert!(high < 1.02 * low, "{wind_from}: {low} to {high}");
        let (low, high) = rain(&hills).range();
        assert!(high < 2.0 * low, "{wind_from}: {low} to {high}");
    }
}
