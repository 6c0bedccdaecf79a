//! What a map is like, against slow and obvious versions of the same, and against shapes
//! of which everything is known.

mod common;

use common::fnv;
use lanternfell_heightmap::{
    Cancelled, Draws, GenerateError, Heightmap, Hills, MapSize, Progress, Scale,
    analysis::{
        Aspect, CoastDistance, Connectivity, Contour, Curvature, CurvatureKind, FindRegions,
        Hillshade, Histogram, Hypsometry, NormalAxes, NormalMap, Position, Region, SkyView, Slope,
        SlopeUnit, Statistics, coast_length, contours, normals, percentiles, ruggedness,
    },
};

/// Cells 2 metres wide, and a height of 1 is 30 metres.
const SCALE: Scale = Scale {
    spacing: 2.0,
    relief: 30.0,
};

/// Heights are metres, cells a metre wide.
const UNIT: Scale = Scale {
    spacing: 1.0,
    relief: 1.0,
};

fn go() -> Progress {
    Progress::default()
}

fn size(width: u64, height: u64) -> MapSize {
    MapSize::new(width, height).unwrap()
}

fn map_of(size: MapSize, height: impl Fn(f64, f64) -> f64) -> Heightmap {
    let cells = 0..size.cells();
    let place = |i: usize| ((i % size.width()) as f64, (i / size.width()) as f64);
    let heights = cells.map(|i| height(place(i).0, place(i).1) as f32);
    Heightmap::from_heights(size, heights.collect()).unwrap()
}

/// Every cell drawn alone.
fn noise(draws: &mut Draws, size: MapSize) -> Heightmap {
    let heights = (0..size.cells()).map(|_| draws.unit() as f32).collect();
    Heightmap::from_heights(size, heights).unwrap()
}

fn any_size(draws: &mut Draws) -> MapSize {
    size(2 + draws.below(30), 2 + draws.below(30))
}

fn island(width: u64, height: u64) -> Heightmap {
    let hills = Hills {
        island: true,
        radius_max: width.min(height) as f64 / 6.0,
        ..Hills::default()
    };
    hills.generate(size(width, height), 11, &go()).unwrap()
}

/// The cells that are not within `margin` of the border.
fn inner(map: &Heightmap, margin: usize) -> impl Iterator<Item = (usize, usize)> {
    let (width, height) = (map.width(), map.height());
    (margin..height - margin).flat_map(move |y| (margin..width - margin).map(move |x| (x, y)))
}

fn assert_near(found: f32, expected: f64, tolerance: f64, what: &str) {
    let off = (f64::from(found) - expected).abs();
    assert!(off <= tolerance, "{what}: {found}, not {expected}");
}

// Slopes, normals, curvature, light.

#[test]
fn a_plane_is_measured_alike_up_to_its_border() {
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
            Position { radius: 1 }
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
fn a_flat_map_has_neither_slope_nor_aspect() {
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
fn a_cone_faces_away_from_its_tip() {
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
        // The slope over the radius, along the contour; a cone's side is straight.
        assert_near(plan.get(x, y), 0.5 / radius, 0.02 / radius, "plan");
        assert_near(profile.get(x, y), 0.0, 0.02 / radius, "profile");
    }
}

#[test]
fn a_paraboloid_has_its_own_curvature() {
    // z = -(a x^2 + b y^2) / 2 bends by a along x and b along y; the fit is exact.
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
fn mirrored_land_is_measured_mirrored() {
    let mut draws = Draws::new(8, b"test    ");
    let land = noise(&mut draws, size(12, 8));
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
        assert!((sum - 360.0).abs() < 1e-3 || sum.abs() < 1e-3);
    }
}

#[test]
fn the_sun_lights_what_faces_it() {
    let from = |azimuth| Hillshade {
        azimuth,
        ..Hillshade::default()
    };
    // A slope of 45 degrees, facing west: the sun stands straight above it, or along it.
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
fn four_suns_leave_no_side_black() {
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

// The sky.

/// Heights between cells, bilinearly; `None` beside the map.
fn bilinear(map: &Heightmap, x: f64, y: f64) -> Option<f64> {
    let (right, bottom) = ((map.width() - 1) as f64, (map.height() - 1) as f64);
    if !(0.0..=right).contains(&x) || !(0.0..=bottom).contains(&y) {
        return None;
    }
    let (column, row) = (x.floor().min(right - 1.0), y.floor().min(bottom - 1.0));
    let (u, v) = (x - column, y - row);
    let get = |dx, dy| f64::from(map.get(column as usize + dx, row as usize + dy));
    let north = get(0, 0) * (1.0 - u) + get(1, 0) * u;
    Some(north * (1.0 - v) + (get(0, 1) * (1.0 - u) + get(1, 1) * u) * v)
}

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
fn the_sky_is_what_a_march_to_every_horizon_sees() {
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
fn nothing_sees_more_than_the_whole_sky() {
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
fn a_plane_sees_its_own_sky() {
    // Tilted by 45 degrees: the horizon uphill at `a` from the steepest is `cos a`.
    let map = map_of(size(50, 40), |x, _| x);
    let sky = SkyView { directions: 64 }.of(&map, UNIT, &go()).unwrap();
    let expected = (0..64).fold(0.0, |sum, k| {
        let rise = f64::cos((f64::from(k) + 0.5) * core::f64::consts::TAU / 64.0).max(0.0);
        sum + 1.0 / (1.0 + rise * rise) / 64.0
    });
    assert_near(sky.get(20, 20), expected, 1e-4, "a plane");
    // A quarter turned, it is the same.
    let turned = map_of(size(40, 50), |_, y| -y);
    let sky = SkyView { directions: 64 }.of(&turned, UNIT, &go()).unwrap();
    assert_near(sky.get(20, 20), expected, 1e-4, "a plane, turned");
}

#[test]
fn far_mountains_hide_the_sky_as_near_ones_do() {
    // A wall of a height of its distance, at both ends of a wide valley.
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
    // Each of the four runs 200 sqrt 2 to its wall: tan^2 of the horizon is 1/2.
    assert_near(sky.get(200, 200), 1.0 / 1.5, 1e-3, "in the middle");
}

// Numbers.

#[test]
fn percentiles_are_those_of_the_sorted_cells() {
    let mut draws = Draws::new(21, b"test    ");
    for round in 0..60 {
        let size = any_size(&mut draws);
        let mut map = noise(&mut draws, size);
        if round % 3 == 0 {
            // Many equal ones, and negative ones.
            map = map_of(map.size(), |x, y| {
                f64::from(map.get(x as usize, y as usize) * 8.0).floor() - 4.0
            });
        }
        let mut sorted = map.heights().to_vec();
        sorted.sort_by(f32::total_cmp);
        let percents: Vec<f64> = (0..=40).map(|k| 2.5 * f64::from(k)).collect();
        let found = percentiles(&map, &percents, &go()).unwrap();
        for (percent, found) in percents.iter().zip(found) {
            let place = percent / 100.0 * (sorted.len() - 1) as f64;
            let below = f64::from(sorted[place.floor() as usize]);
            let above = f64::from(sorted[place.ceil() as usize]);
            assert!((found - (below + (above - below) * place.fract())).abs() < 1e-9);
        }
    }
    let empty = percentiles(&Heightmap::flat(size(2, 2)), &[], &go()).unwrap();
    assert!(empty.is_empty());
}

#[test]
fn statistics_are_exact_far_from_zero() {
    let mut draws = Draws::new(22, b"test    ");
    for offset in [0, 1_000_000, -7] {
        let whole = |draws: &mut Draws| draws.below(64) as i64;
        let size = any_size(&mut draws);
        let cells: Vec<i64> = (0..size.cells())
            .map(|_| whole(&mut draws) + offset)
            .collect();
        let heights = cells.iter().map(|&z| z as f32).collect();
        let map = Heightmap::from_heights(size, heights).unwrap();
        let found = Statistics::of(&map, &go()).unwrap();
        let (n, sum) = (cells.len() as i64, cells.iter().sum::<i64>());
        let squares = cells.iter().map(|z| (z * n - sum).pow(2)).sum::<i64>();
        assert!((found.mean - sum as f64 / n as f64).abs() < 1e-9);
        let deviation = (squares as f64 / n as f64).sqrt() / n as f64;
        assert!((found.deviation - deviation).abs() < 1e-9);
        assert_eq!(found.min, *cells.iter().min().unwrap() as f32);
        assert_eq!(found.max, *cells.iter().max().unwrap() as f32);
        let mut sorted = cells;
        sorted.sort_unstable();
        let median = (sorted[(n as usize - 1) / 2] + sorted[n as usize / 2]) as f64 / 2.0;
        assert_eq!(found.median, median);
    }
}

#[test]
fn histograms_count_every_cell_once() {
    let mut draws = Draws::new(23, b"test    ");
    let map = noise(&mut draws, size(40, 33));
    let histogram = Histogram::of(&map, 17, &go()).unwrap();
    assert_eq!(histogram.counts.iter().sum::<u64>(), 40 * 33);
    assert_eq!((histogram.below, histogram.above), (0, 0));
    let quarters = Histogram::within(&map, 2, (0.25, 0.75), &go()).unwrap();
    let count =
        |wanted: &dyn Fn(f32) -> bool| map.heights().iter().filter(|&&z| wanted(z)).count() as u64;
    assert_eq!(quarters.below, count(&|z| z < 0.25));
    assert_eq!(quarters.above, count(&|z| z > 0.75));
    let expected = [
        count(&|z| (0.25..0.5).contains(&z)),
        count(&|z| (0.5..=0.75).contains(&z)),
    ];
    assert_eq!(quarters.counts, expected);
    let flat = Histogram::of(&Heightmap::flat(size(3, 2)), 4, &go()).unwrap();
    assert_eq!(flat.counts, [6, 0, 0, 0]);
}

#[test]
fn the_hypsometric_curve_is_the_share_above() {
    let mut draws = Draws::new(24, b"test    ");
    for steps in [1, 7, 100] {
        let map = noise(&mut draws, size(30, 20));
        let curve = Hypsometry::of(&map, steps, &go()).unwrap();
        assert_eq!(
            (curve.levels.len(), curve.shares.len()),
            (steps + 1, steps + 1)
        );
        for (&level, &share) in curve.levels.iter().zip(&curve.shares) {
            assert_eq!(share, map.share_above(level));
        }
        assert_eq!(curve.shares[steps], 0.0);
    }
    // A wedge: the curve is straight.
    let wedge = Hypsometry::of(&map_of(size(101, 3), |x, _| x), 10, &go()).unwrap();
    assert_eq!(wedge.integral, 0.5);
    assert!((wedge.shares[5] - 0.5).abs() < 0.01);
    // Thousands of levels are one number.
    let close = map_of(size(9, 9), |x, _| {
        if x > 3.0 {
            1.0
        } else {
            f64::from(1_f32.next_down())
        }
    });
    let curve = Hypsometry::of(&close, 10_000, &go()).unwrap();
    for (&level, &share) in curve.levels.iter().zip(&curve.shares) {
        assert_eq!(share, close.share_above(level));
    }
    let flat = Hypsometry::of(&Heightmap::flat(size(3, 2)), 3, &go()).unwrap();
    assert_eq!((flat.integral, flat.shares), (0.5, vec![0.0; 4]));
}

// Land and water.

/// Floods from each cell that is not yet part of a region.
fn flooded(map: &Heightmap, find: FindRegions) -> Vec<u32> {
    let (width, height) = (map.width() as i32, map.height() as i32);
    let land = |x: i32, y: i32| map.get(x as usize, y as usize) > find.sea_level;
    let mut labels = vec![u32::MAX; map.size().cells()];
    let mut count = 0;
    for first in 0..labels.len() {
        if labels[first] != u32::MAX {
            continue;
        }
        labels[first] = count;
        let mut open = vec![(first as i32 % width, first as i32 / width)];
        while let Some((x, y)) = open.pop() {
            let corners = land(x, y) == (find.connectivity == Connectivity::Eight);
            for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
                let (nx, ny) = (x + dx, y + dy);
                let reached = corners || dx == 0 || dy == 0;
                if !reached || nx < 0 || ny < 0 || nx >= width || ny >= height {
                    continue;
                }
                let label = &mut labels[(ny * width + nx) as usize];
                if *label == u32::MAX && land(nx, ny) == land(x, y) {
                    *label = count;
                    open.push((nx, ny));
                }
            }
        }
        count += 1;
    }
    labels
}

#[test]
fn regions_are_what_a_flood_reaches() {
    let mut draws = Draws::new(31, b"test    ");
    for round in 0..200 {
        let size = any_size(&mut draws);
        let map = noise(&mut draws, size);
        let connectivity = [Connectivity::Four, Connectivity::Eight][round % 2];
        let find = FindRegions {
            sea_level: draws.unit() as f32,
            connectivity,
        };
        let regions = find.of(&map, &go()).unwrap();
        assert_eq!(regions.labels(), flooded(&map, find));
        let mut cells = vec![Vec::new(); regions.list().len()];
        for (x, y) in inner(&map, 0) {
            cells[regions.at(x, y).label as usize].push((x, y));
        }
        for (cells, region) in cells.iter().zip(regions.list()) {
            let columns = || cells.iter().map(|cell| cell.0);
            let rows = || cells.iter().map(|cell| cell.1);
            let border = |&(x, y): &(usize, usize)| {
                x == 0 || y == 0 || x == size.width() - 1 || y == size.height() - 1
            };
            let expected = Region {
                label: region.label,
                land: map.get(cells[0].0, cells[0].1) > find.sea_level,
                cells: cells.len() as u64,
                columns: (columns().min().unwrap(), columns().max().unwrap()),
                rows: (rows().min().unwrap(), rows().max().unwrap()),
                touches_border: cells.iter().any(border),
            };
            assert_eq!(*region, expected);
        }
    }
}

#[test]
fn a_lake_on_an_island_is_neither_ocean_nor_land() {
    let ring = |x: f64, y: f64| {
        let radius = f64::hypot(x - 20.0, y - 20.0);
        f64::from(u8::from((6.0..14.0).contains(&radius)))
    };
    // And a skerry of two cells.
    let map = map_of(size(41, 41), |x, y| {
        if y == 2.0 && x < 4.0 && x > 1.0 {
            1.0
        } else {
            ring(x, y)
        }
    });
    let regions = FindRegions::default().of(&map, &go()).unwrap();
    let islands = regions.islands();
    assert_eq!(islands.len(), 2);
    assert!(islands[0].cells > islands[1].cells && islands[1].cells == 2);
    assert_eq!(islands[1].columns, (2, 3));
    assert_eq!(islands[1].area(SCALE), 8.0);
    let lakes = regions.lakes();
    assert_eq!(lakes.len(), 1);
    assert_eq!(*regions.at(20, 20), lakes[0]);
    assert!(regions.at(0, 0).touches_border && !regions.at(0, 0).land);
}

/// Every cell of the other kind, one by one.
fn nearest(map: &Heightmap, sea_level: f32, (x, y): (usize, usize)) -> Option<f64> {
    let land = map.get(x, y) > sea_level;
    let others = inner(map, 0).filter(|&(i, j)| (map.get(i, j) > sea_level) != land);
    let squares = others.map(|(i, j)| i.abs_diff(x).pow(2) + j.abs_diff(y).pow(2));
    squares.min().map(|square| (square as f64).sqrt())
}

#[test]
fn the_nearest_coast_is_the_nearest_of_all_cells() {
    let mut draws = Draws::new(41, b"test    ");
    for _ in 0..60 {
        let size = any_size(&mut draws);
        let map = noise(&mut draws, size);
        // Often nearly all land or nearly all sea.
        let sea_level = [0.02, 0.5, 0.97, 0.995, 2.0][draws.below(5) as usize];
        let distance = CoastDistance { sea_level }.of(&map, SCALE, &go()).unwrap();
        for (x, y) in inner(&map, 0) {
            let diagonal = f64::hypot(size.width() as f64, size.height() as f64);
            let cells = nearest(&map, sea_level, (x, y)).map_or(diagonal, |d| d - 0.5);
            let sign = if map.get(x, y) > sea_level { 1.0 } else { -1.0 };
            assert_eq!(distance.get(x, y), (sign * 2.0 * cells) as f32);
        }
    }
}

#[test]
fn the_longest_maps_have_a_far_coast() {
    for (width, height) in [(16_384, 2), (2, 16_384)] {
        let far = |x: f64, y: f64| if x + y == 0.0 { 1.0 } else { 0.0 };
        let map = map_of(size(width, height), far);
        let distance = CoastDistance::default().of(&map, UNIT, &go()).unwrap();
        let last = distance.get(map.width() - 1, map.height() - 1);
        assert_eq!(last, -(f64::hypot(16_383.0, 1.0) - 0.5) as f32);
    }
}

// Contours.

/// The pieces of all contours within each square, straight from the four corners.
fn square_pieces(map: &Heightmap, level: f32) -> f64 {
    let mut length = 0.0;
    for (x, y) in (0..map.width() - 1).flat_map(|x| (0..map.height() - 1).map(move |y| (x, y))) {
        // Clockwise from the north-west.
        let places = [(0, 0), (1, 0), (1, 1), (0, 1)];
        let heights = places.map(|(dx, dy)| f64::from(map.get(x + dx, y + dy)));
        let level = f64::from(level);
        let land = heights.map(|z| z > level);
        let crossing = |k: usize| {
            let other = (k + 1) % 4;
            let part = (level - heights[k]) / (heights[other] - heights[k]);
            let (a, b) = (places[k], places[other]);
            let mix = |a: usize, b: usize| a as f64 + (b as f64 - a as f64) * part;
            (mix(a.0, b.0), mix(a.1, b.1))
        };
        let between = |a: usize, b: usize| {
            let (a, b) = (crossing(a), crossing(b));
            f64::hypot(a.0 - b.0, a.1 - b.1)
        };
        let crossed: Vec<usize> = (0..4).filter(|&k| land[k] != land[(k + 1) % 4]).collect();
        length += match crossed[..] {
            [] => 0.0,
            [a, b] => between(a, b),
            _ => {
                // Around the corners that the middle is not like.
                let middle = heights.iter().sum::<f64>() > 4.0 * level;
                let alone: Vec<usize> = (0..4).filter(|&k| land[k] != middle).collect();
                alone.iter().map(|&k| between((k + 3) % 4, k)).sum()
            }
        };
    }
    length
}

fn check_contour(map: &Heightmap, contour: &Contour) {
    assert!(contour.points.len() >= 2);
    let on_border = |x: f64, y: f64| {
        x == 0.0 || y == 0.0 || x == (map.width() - 1) as f64 || y == (map.height() - 1) as f64
    };
    let (first, last) = (contour.points[0], contour.points[contour.points.len() - 1]);
    assert!(first != last || contour.points.len() > 2);
    if !contour.closed {
        assert!(on_border(first.x, first.y) && on_border(last.x, last.y));
    }
    for point in &contour.points {
        // On a line between two cells, where the height is the level.
        assert!(point.x.fract() == 0.0 || point.y.fract() == 0.0);
        let height = bilinear(map, point.x, point.y).unwrap();
        assert!((height - f64::from(contour.level)).abs() < 1e-9);
    }
    for ends in contour.points.windows(2) {
        assert!(ends[0] != ends[1] && ends[0].distance(ends[1]) < 1.5);
    }
}

#[test]
fn contours_are_the_pieces_of_all_squares() {
    let mut draws = Draws::new(51, b"test    ");
    for round in 0..100 {
        let size = any_size(&mut draws);
        let mut map = noise(&mut draws, size);
        if round % 4 == 0 {
            // Whole heights: many cells are exactly as high as the level.
            map = map_of(size, |x, y| {
                f64::from(map.get(x as usize, y as usize) * 4.0).floor()
            });
        }
        for level in [0.1, 0.5, 1.0, 2.0] {
            let lines = contours(&map, &[level], &go()).unwrap();
            lines.iter().for_each(|line| check_contour(&map, line));
            let length: f64 = lines.iter().map(Contour::length).sum();
            let expected = square_pieces(&map, level);
            assert!((length - expected).abs() < 1e-8, "{length}, not {expected}");
            let metres = coast_length(&map, level, SCALE, &go()).unwrap();
            assert!((metres - 2.0 * expected).abs() < 1e-7);
        }
    }
}

/// Corners of which the sum depends on the order in which they are summed: the two lines
/// through such a square must agree on whether they meet, or a line never ends.
#[test]
fn lines_through_saddles_that_rounding_decides_end() {
    let squares = [
        [1.0, -1e30, -0.5, 1e30],
        [1e-17, -0.5, -5e-18, 0.5],
        [-0.5, 1e30, 1.0, -1e30],
    ];
    let mut draws = Draws::new(52, b"test    ");
    let heights = [1.0, 1e30, 0.5, 1e-17, 3e-17];
    for round in 0..400 {
        let mut cells: Vec<f32> = (0..36)
            .map(|_| {
                let sign = if draws.below(2) == 0 { 1.0 } else { -1.0 };
                sign * heights[draws.below(5) as usize]
            })
            .collect();
        if let Some(corners) = squares.get(round) {
            cells.fill(-1.0);
            for (k, &z) in corners.iter().enumerate() {
                cells[6 * (2 + k / 2) + 2 + k % 2] = z;
            }
        }
        let map = Heightmap::from_heights(size(6, 6), cells).unwrap();
        let is_land = |x: usize, y: usize| map.get(x, y) > 0.0;
        let along = (0..30).filter(|k| is_land(k % 5, k / 5) != is_land(k % 5 + 1, k / 5));
        let down = (0..30).filter(|k| is_land(k % 6, k / 6) != is_land(k % 6, k / 6 + 1));
        let crossings = along.count() + down.count();
        let lines = contours(&map, &[0.0], &go()).unwrap();
        let points: usize = lines.iter().map(|line| line.points.len()).sum();
        assert!(points <= crossings, "{points} points of {crossings}");
        assert!(coast_length(&map, 0.0, SCALE, &go()).unwrap().is_finite());
    }
}

#[test]
fn rings_of_a_cone_are_circles_and_those_of_a_plane_straight() {
    let cone = map_of(size(201, 201), |x, y| {
        100.0 - f64::hypot(x - 100.0, y - 100.0)
    });
    let levels = [10.0, 40.0, 60.0];
    let rings = contours(&cone, &levels, &go()).unwrap();
    assert_eq!(rings.len(), 3);
    for (ring, level) in rings.iter().zip(levels) {
        let radius = f64::from(100.0 - level);
        assert!(ring.closed && ring.level == level);
        let circle = core::f64::consts::TAU * radius;
        assert!((ring.length() / circle - 1.0).abs() < 2e-3);
        assert!((ring.area() / (0.5 * circle * radius) - 1.0).abs() < 2e-3);
    }
    // A crater is a ring of land around one of water.
    let crater = map_of(size(101, 101), |x, y| {
        -(f64::hypot(x - 50.0, y - 50.0) - 30.0).abs()
    });
    let rings = contours(&crater, &[-10.0], &go()).unwrap();
    let areas: Vec<f64> = rings.iter().map(Contour::area).collect();
    assert!(
        areas.len() == 2 && areas[0] > 5000.0 && areas[1] < -1200.0,
        "{areas:?}"
    );

    let plane = map_of(size(31, 21), |x, y| 0.5 * x + 0.25 * y);
    let lines = contours(&plane, &[7.0], &go()).unwrap();
    assert_eq!(lines.len(), 1);
    // To the south, with the higher land, in the east, on its left.
    assert_eq!(lines[0].points[0].to_array(), [14.0, 0.0]);
    assert!((lines[0].length() - f64::hypot(10.0, 20.0)).abs() < 1e-9);
}

#[test]
fn every_island_has_one_ring_around_it() {
    let mut draws = Draws::new(52, b"test    ");
    for _ in 0..50 {
        let size = any_size(&mut draws);
        let mut map = noise(&mut draws, size);
        // Sea all around, and no saddles: two by two cells alike.
        map = map_of(size, |x, y| {
            let (x, y) = (x as usize & !3, y as usize & !3);
            let edge = x < 4 || y < 4 || x + 8 > size.width() || y + 8 > size.height();
            if edge { 0.0 } else { map.get(x, y).into() }
        });
        let rings = contours(&map, &[0.9], &go()).unwrap();
        assert!(rings.iter().all(|ring| ring.closed));
        let around = rings.iter().filter(|ring| ring.area() > 0.0).count();
        let find = FindRegions {
            sea_level: 0.9,
            ..FindRegions::default()
        };
        // Diagonal neighbours may be joined by the middle of a square, which is below.
        assert_eq!(around, find.of(&map, &go()).unwrap().islands().len());
    }
}

// Position.

#[test]
fn the_position_is_above_the_mean_of_the_square() {
    let mut draws = Draws::new(61, b"test    ");
    for radius in [1, 3, 8, 70, 1000] {
        let map = noise(&mut draws, size(40, 150));
        let position = Position { radius }.of(&map, SCALE, &go()).unwrap();
        let reach = radius as usize;
        for (x, y) in inner(&map, 0).step_by(17) {
            let columns = x.saturating_sub(reach)..(x + reach + 1).min(40);
            let rows = y.saturating_sub(reach)..(y + reach + 1).min(150);
            let count = (columns.len() * rows.len()) as f64;
            let cells = rows.flat_map(|j| columns.clone().map(move |i| (i, j)));
            let sum: f64 = cells.map(|(i, j)| f64::from(map.get(i, j))).sum();
            let expected = 30.0 * (f64::from(map.get(x, y)) - sum / count);
            assert_near(position.get(x, y), expected, 1e-5, "position");
        }
    }
}

// All of them.

type Measure = (
    &'static str,
    fn(&Heightmap, &Progress) -> Result<Heightmap, GenerateError>,
);

/// A number as a map of one height, to be compared by its bits.
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
        Position::default().of(map, SCALE, progress)
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
    let golden: [u64; 17] = [
        0x372d_c0d2_6065_173e,
        0x3b82_5864_772f_7676,
        0x1aa8_e862_9359_8e98,
        0xbebb_e8b4_00ca_1b1e,
        0x2fac_c9c4_372c_230c,
        0x824e_bb73_a157_6c32,
        0xa401_f547_60be_71b5,
        0x7d5d_e504_8cc0_ac41,
        0x50c4_e440_3eb4_5b4a,
        0x6cfb_d2f7_04f3_8dac,
        0x40e2_46a9_5c9f_dac9,
        0x6e8a_dcf3_9a53_f0ff,
        0xc93c_4239_bf34_8bdd,
        0x4fa2_9d36_ccc7_8a95,
        0xcc85_883d_073d_f445,
        0x72c9_994a_bf72_ea75,
        0x15ab_7dcf_579e_9ddd,
    ];
    let map = island(96, 64);
    let found = MEASURES.map(|(_, measure)| fnv(&measure(&map, &go()).unwrap()));
    assert!(found == golden, "{found:#x?}");
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let map = island(150, 140);
    for (name, measure) in MEASURES {
        let maps = [1, 2, 7].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build()
                .unwrap()
                .install(|| measure(&map, &go()).unwrap())
        });
        assert!(maps[0] == maps[1] && maps[0] == maps[2], "{name}");
    }
}

#[test]
fn cancelled_work_stops() {
    let map = island(20, 20);
    for (name, measure) in MEASURES {
        let progress = go();
        progress.cancel();
        let result = measure(&map, &progress);
        assert_eq!(result, Err(Cancelled.into()), "{name}");
        let progress = go();
        measure(&map, &progress).unwrap();
        assert!(
            progress.fraction() > 0.999,
            "{name}: {}",
            progress.fraction()
        );
    }
    let progress = go();
    progress.cancel();
    assert!(Histogram::of(&map, 4, &progress).is_err());
    assert!(Hypsometry::of(&map, 4, &progress).is_err());
}

#[test]
fn the_smallest_and_the_wildest_maps_are_measured() {
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
    for map in &maps {
        for (name, measure) in MEASURES {
            let measured = measure(map, &go()).unwrap();
            assert!(measured.heights().iter().all(|z| z.is_finite()), "{name}");
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
                .all(|map| map.heights().iter().all(|z| z.is_finite()))
        );
        let statistics = Statistics::of(map, &go()).unwrap();
        assert!(statistics.deviation.is_finite() && statistics.mean.is_finite());
        assert!(Hypsometry::of(map, 5, &go()).unwrap().integral.is_finite());
        let counts = Histogram::of(map, 5, &go()).unwrap().counts;
        assert_eq!(counts.iter().sum::<u64>(), map.size().cells() as u64);
        for contour in contours(map, &[-1.0, 0.0, f32::MAX], &go()).unwrap() {
            assert!(contour.points.iter().all(|point| point.is_finite()));
        }
    }
}

#[test]
fn parameters_out_of_range_are_refused_by_name() {
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
    refused(Position { radius: 0 }.of(&map, UNIT, &go()), "radius is 0");
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
fn parameters_are_read_from_files() {
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
