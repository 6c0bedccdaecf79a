//! Catchments by D-infinity, compared with the definition of Tarboton (1997).

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, SQRT_2, TAU};

use super::*;
use lanternfell_heightmap::hydrology::FlowRouting;

/// The facets of table 1 in Tarboton (1997): the steps to e1 and e2, and the factors `a_c` and `a_f` of the angle.
/// The x axis points east, the y axis south, and angles are counterclockwise from the east.
const FACETS: [((i64, i64), (i64, i64), f64, f64); 8] = [
    ((1, 0), (1, -1), 0.0, 1.0),
    ((0, -1), (1, -1), 1.0, -1.0),
    ((0, -1), (-1, -1), 1.0, 1.0),
    ((-1, 0), (-1, -1), 2.0, -1.0),
    ((-1, 0), (-1, 1), 2.0, 1.0),
    ((0, 1), (-1, 1), 3.0, -1.0),
    ((0, 1), (1, 1), 3.0, 1.0),
    ((1, 0), (1, 1), 4.0, -1.0),
];

/// The receivers of a cell that is no outlet, and their shares.
fn receivers(drainage: &Drainage, cell: usize) -> Vec<(usize, f64)> {
    let size = drainage.size();
    let (width, height) = (size.width() as i64, size.height() as i64);
    let levels = drainage.filled().heights();
    let at = |(dx, dy): (i64, i64)| {
        let (x, y) = (cell as i64 % width + dx, cell as i64 / width + dy);
        let on_map = (0..width).contains(&x) && (0..height).contains(&y);
        on_map.then_some((y * width + x) as usize)
    };
    let mut best = (0.0, 0.0);
    // Clockwise from the east, as the library: of equal slopes, its first one wins.
    for (first, second, angles, sign) in FACETS.into_iter().rev() {
        let (Some(first), Some(second)) = (at(first), at(second)) else {
            continue;
        };
        let [e0, e1, e2] = [cell, first, second].map(|cell| f64::from(levels[cell]));
        let (s1, s2) = (e0 - e1, e1 - e2);
        let (mut r, mut s) = (s2.atan2(s1), s1.hypot(s2));
        if r < 0.0 {
            (r, s) = (0.0, s1);
        } else if r > FRAC_PI_4 {
            (r, s) = (FRAC_PI_4, (e0 - e2) / SQRT_2);
        }
        if s > best.0 * (1.0 + 1e-12) {
            best = (s, (TAU - (sign * r + angles * FRAC_PI_2)) % TAU);
        }
    }
    if best.0 == 0.0 {
        return receiver(drainage, cell)
            .map(|to| (to, 1.0))
            .into_iter()
            .collect();
    }
    let steps = [
        (1, 0),
        (1, 1),
        (0, 1),
        (-1, 1),
        (-1, 0),
        (-1, -1),
        (0, -1),
        (1, -1),
    ];
    let sector = best.1 / FRAC_PI_4;
    let near = (sector + 1e-9).floor();
    let share = (sector - near).max(0.0);
    let share = if share < 1e-6 { 0.0 } else { share };
    let to = |sector: f64| at(steps[sector as usize % 8]);
    let mut receivers = vec![(to(near).unwrap(), 1.0 - share)];
    if share > 0.0 {
        receivers.push((to(near + 1.0).unwrap(), share));
    }
    receivers
}

fn catchments(drainage: &Drainage, routing: FlowRouting) -> Vec<f64> {
    drainage.catchments(routing, &Progress::default()).unwrap()
}

#[test]
fn areas_match_definition() {
    let mut shared = 0;
    for_each_case(|case, water, ground| {
        let drainage = drain(water, ground);
        let found = catchments(&drainage, FlowRouting::DInfinity);
        let cells = found.len();
        let outlet: Vec<bool> = (0..cells)
            .map(|cell| is_outlet(water, ground, cell))
            .collect();
        let to: Vec<_> = (0..cells)
            .map(|cell| {
                if outlet[cell] {
                    Vec::new()
                } else {
                    receivers(&drainage, cell)
                }
            })
            .collect();
        shared += to.iter().filter(|to| to.len() == 2).count();
        // Water moves one cell per round until all of it has left.
        let (mut moving, mut expected) = (vec![1.0; cells], vec![0.0; cells]);
        for _ in 0..=cells {
            let mut next = vec![0.0; cells];
            for (cell, to) in to.iter().enumerate() {
                expected[cell] += moving[cell];
                to.iter()
                    .for_each(|&(to, share)| next[to] += moving[cell] * share);
            }
            moving = next;
        }
        assert!(
            moving.iter().all(|&left| left == 0.0),
            "{case}: water runs in a circle"
        );
        for (cell, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert!(
                (found - expected).abs() < 1e-3,
                "{case}: cell {cell}: {found}, not {expected}"
            );
        }
    });
    assert!(shared > 1000, "{shared}");
}

#[test]
fn areas_that_leave_the_map_sum_to_all_cells() {
    let check = |case: &str, water: Hydrology, ground: &Heightmap| {
        let drainage = drain(water, ground);
        for routing in [FlowRouting::D8, FlowRouting::DInfinity] {
            let areas = catchments(&drainage, routing);
            let outlets = drainage
                .outlets()
                .map(|(x, y)| areas[y * ground.width() + x]);
            // Exactly, without a tolerance.
            assert_eq!(
                outlets.sum::<f64>(),
                areas.len() as f64,
                "{case}, {routing:?}"
            );
        }
    };
    for_each_case(check);
    for water in SEAS {
        check("islands", water, &islands(size(300, 200)));
    }
}

#[test]
fn d8_counts_cells() {
    for_each_case(|case, water, ground| {
        let drainage = drain(water, ground);
        let areas = drainage.areas(&Progress::default()).unwrap();
        let areas: Vec<f64> = areas.into_iter().map(f64::from).collect();
        assert_eq!(catchments(&drainage, FlowRouting::D8), areas, "{case}");
    });
}

/// On a cone, the catchment of a cell at distance r from the top is r / 2 per cell of width, in every direction.
/// Tarboton (1997), section 4.
#[test]
fn cone_drains_evenly_in_all_directions() {
    const SIDE: usize = 201;
    let height = |cell: usize| {
        let off = |at: usize| (at as f32 - 100.0).powi(2);
        500.0 - (off(cell % SIDE) + off(cell / SIDE)).sqrt()
    };
    let size = size(SIDE as u64, SIDE as u64);
    let cone = Heightmap::from_heights(size, (0..size.cells()).map(height).collect()).unwrap();
    let drainage = drain(Hydrology::default(), &cone);
    let error = |routing| {
        let areas = catchments(&drainage, routing);
        let (mut sum, mut count) = (0.0, 0.0);
        for (cell, area) in areas.iter().enumerate() {
            let (x, y) = ((cell % SIDE) as f64 - 100.0, (cell / SIDE) as f64 - 100.0);
            let distance = x.hypot(y);
            if (40.0..95.0).contains(&distance) {
                // In each step all water moves by one column, or by one row, in any direction. So the strip
                // that drains to a cell is narrower at an angle.
                let width = x.abs().max(y.abs()) / distance;
                sum += (area / (width * 0.5 * distance) - 1.0).powi(2);
                count += 1.0;
            }
        }
        (sum / count).sqrt()
    };
    let (d8, dinf) = (error(FlowRouting::D8), error(FlowRouting::DInfinity));
    assert!(dinf < 0.35 && dinf < 0.4 * d8, "{dinf}, with D8 {d8}");
}

#[test]
fn work_can_be_canceled_and_reports_progress() {
    let map = islands(size(300, 200));
    let drainage = drain(Hydrology::default(), &map);
    let progress = Progress::default();
    drainage
        .catchments(FlowRouting::DInfinity, &progress)
        .unwrap();
    assert_eq!(progress.fraction(), 1.0);
    progress.cancel();
    assert!(
        drainage
            .catchments(FlowRouting::DInfinity, &progress)
            .is_err()
    );
}
