//! The sky view factor.

use super::*;

/// Walks from the cell to the border in every direction.
fn marched_sky(map: &Heightmap, steepness: f64, directions: u32, (x, y): (usize, usize)) -> f64 {
    let mut sum = 0.0;
    for k in 0..directions {
        let angle = (f64::from(k) + 0.5) * core::f64::consts::TAU / f64::from(directions);
        let (east, south) = (angle.cos(), angle.sin());
        let step = 1.0 / east.abs().max(south.abs());
        let mut steepest = 0.0_f64;
        for i in 1.. {
            let along = f64::from(i) * step;
            let at = (x as f64 + along * east, y as f64 + along * south);
            let Some(height) = bilinear(map, at.0, at.1) else {
                break;
            };
            let rise = (height - f64::from(map.get(x, y))) * steepness;
            steepest = steepest.max(rise / along);
        }
        sum += 1.0 / (1.0 + steepest * steepest);
    }
    sum / f64::from(directions)
}

#[test]
fn sky_view_matches_a_walk_to_every_horizon() {
    let map = island(70, 50);
    let scale = Scale {
        spacing: 1.0,
        relief: 25.0,
    };
    for directions in [8, 16] {
        let sky = SkyView { directions }.of(&map, scale, &go()).unwrap();
        let (mut sum, mut worst, mut count) = (0.0, 0.0_f64, 0);
        for (x, y) in inner(&map, 0).step_by(3) {
            let off = f64::from(sky.get(x, y)) - marched_sky(&map, 25.0, directions, (x, y));
            worst = worst.max(off.abs());
            sum += off;
            count += 1;
        }
        let mean = sum / f64::from(count);
        assert!(
            worst < 0.08 && mean.abs() < 0.004,
            "{directions}: {worst}, {mean}"
        );
    }
}

#[test]
fn sky_view_is_at_most_one() {
    for directions in (4..=64).step_by(2) {
        let sky = SkyView { directions };
        let (_, most) = sky
            .of(&Heightmap::flat(size(17, 9)), UNIT, &go())
            .unwrap()
            .range();
        assert!(most <= 1.0 && most > 0.999_99, "{most} of {directions}");
    }
}

#[test]
fn sky_view_of_a_plane_matches_the_formula() {
    // Tilted by 45 degrees: the slope of the horizon at angle `a` from the steepest direction is
    // `cos a`.
    let map = map_of(size(50, 40), |x, _| x);
    let sky = SkyView { directions: 64 }.of(&map, UNIT, &go()).unwrap();
    let expected = (0..64).fold(0.0, |sum, k| {
        let rise = f64::cos((f64::from(k) + 0.5) * core::f64::consts::TAU / 64.0).max(0.0);
        sum + 1.0 / (1.0 + rise * rise) / 64.0
    });
    assert_near(sky.get(20, 20), expected, 1e-4, "a plane");
    // The same after a rotation by 90 degrees.
    let turned = map_of(size(40, 50), |_, y| -y);
    let sky = SkyView { directions: 64 }.of(&turned, UNIT, &go()).unwrap();
    assert_near(sky.get(20, 20), expected, 1e-4, "a plane, turned");
}

#[test]
fn distant_walls_hide_the_sky() {
    // Walls at both ends of a wide valley, as high as they are far away.
    let map = map_of(size(401, 9), |x, _| {
        if x == 0.0 || x == 400.0 { 200.0 } else { 0.0 }
    });
    let sky = SkyView { directions: 4 }.of(&map, UNIT, &go()).unwrap();
    // The four directions leave this narrow valley before they reach its ends.
    assert_eq!(sky.get(200, 4), 1.0);
    let map = map_of(size(401, 401), |x, _| {
        if x == 0.0 || x == 400.0 { 200.0 } else { 0.0 }
    });
    let sky = SkyView { directions: 4 }.of(&map, UNIT, &go()).unwrap();
    // Each of the four directions reaches its wall after 200 sqrt 2 cells, so tan^2 of the horizon
    // is 1/2.
    assert_near(sky.get(200, 200), 1.0 / 1.5, 1e-3, "in the middle");
}
