//! The settled light against the state in which the oracle comes to rest.

use crate::common::{
    SceneRng, apart, draw, lamp, lights,
    oracle::Oracle,
    report::{Case, assert_same_light},
    rest::{assert_settles, brightest, rounding},
    scenes::{any_change, any_grid_of},
};
use lanternfell_lightgrid::{
    Cell, Falloff, IVec2, LightGrid, LightSettings, Neighborhood, Settled, Source, Vec3,
};

const DECAYS: [f32; 4] = [0.002, 0.02, 0.1, 0.5];

fn settings(neighborhood: Neighborhood, decay: f32) -> LightSettings {
    LightSettings {
        neighborhood,
        falloff: Falloff::Decay(decay),
        direct: 0.0,
    }
}

/// A tolerance that is not far below rounding.
fn any_tolerance(rng: &mut SceneRng, grid: &LightGrid) -> f32 {
    rounding(grid).max(rng.one_of(&[1e-2, 1e-3, 1e-4]))
}

/// Fails unless another step changes so little that the light is within the tolerance of rest: a
/// step reduces the difference between any two lights by the factor `1 - decay`.
fn assert_rests(grid: &LightGrid, tolerance: f32, what: &str) {
    let apart = Oracle::of(grid).residual() as f32 / grid.decay();
    let allowed = tolerance + rounding(grid);
    assert!(
        apart <= allowed,
        "{what}: {apart} apart; {:?}",
        grid.settings()
    );
}

#[test]
fn settled_light_matches_oracle() {
    let mut rng = SceneRng::new(1);
    for neighborhood in Neighborhood::ALL {
        for decay in DECAYS {
            for n in 0..6 {
                let (width, height) = (1 + rng.below(16), 1 + rng.below(16));
                let settings = settings(neighborhood, decay);
                let mut grid = any_grid_of(&mut rng, width, height, settings);
                for round in 0..3 {
                    let tolerance = any_tolerance(&mut rng, &grid);
                    let what = format!("grid {n}, round {round}, {tolerance}");
                    assert_settles(&mut grid, tolerance, &what);
                    change_all_but_settings(&mut rng, &mut grid);
                    grid.step(rng.below(3));
                }
            }
        }
    }
}

fn change_all_but_settings(rng: &mut SceneRng, grid: &mut LightGrid) {
    let settings = *grid.settings();
    any_change(rng, grid);
    grid.set_settings(settings).unwrap();
}

#[test]
fn settled_light_matches_oracle_on_large_grids() {
    let mut rng = SceneRng::new(2);
    for neighborhood in Neighborhood::ALL {
        for decay in DECAYS {
            for n in 0..3 {
                let settings = settings(neighborhood, decay);
                let (width, height) = (40 + rng.below(90), 30 + rng.below(60));
                let mut grid = any_grid_of(&mut rng, width, height, settings);
                for round in 0..4 {
                    let what = format!("{width} x {height}, grid {n}, round {round}");
                    let tolerance = any_tolerance(&mut rng, &grid);
                    assert!(grid.settle(tolerance).at_rest, "{what}");
                    assert_rests(&grid, tolerance, &what);
                    change_all_but_settings(&mut rng, &mut grid);
                }
            }
        }
    }
}

#[test]
fn settled_light_is_correct_after_settings_change() {
    let mut rng = SceneRng::new(3);
    let mut grid = any_grid_of(&mut rng, 60, 40, LightSettings::default());
    for round in 0..40 {
        let rule = settings(rng.one_of(&Neighborhood::ALL), rng.one_of(&DECAYS));
        grid.set_settings(rule).unwrap();
        let tolerance = any_tolerance(&mut rng, &grid);
        assert!(grid.settle(tolerance).at_rest, "round {round}");
        assert_rests(&grid, tolerance, &format!("round {round}"));
        any_change(&mut rng, &mut grid);
    }
}

#[test]
fn many_steps_approach_settled_light() {
    let mut rng = SceneRng::new(4);
    for neighborhood in Neighborhood::ALL {
        for decay in [0.02, 0.2] {
            let _case = Case::new(format_args!("{neighborhood:?}, decay {decay}"));
            let mut grid = any_grid_of(&mut rng, 40, 34, settings(neighborhood, decay));
            let mut stepped = grid.clone();
            grid.settle(1e-4);
            stepped.step((14.0 / decay) as u32);
            // The automaton drops light below the cutoff.
            let dropped = 1.0 / 65536.0 / decay;
            assert!(apart(&lights(&grid), &lights(&stepped)) < 1e-4 + dropped);
        }
    }
}

fn assert_does_nothing(settled: Settled, what: &str) {
    assert!(
        settled.sweeps == 0 && settled.at_rest,
        "{what}: {settled:?}"
    );
}

#[test]
fn settling_again_does_nothing() {
    let mut rng = SceneRng::new(5);
    for neighborhood in Neighborhood::ALL {
        for decay in DECAYS {
            let _case = Case::new(format_args!("{neighborhood:?}, decay {decay}"));
            let mut grid = any_grid_of(&mut rng, 70, 40, settings(neighborhood, decay));
            grid.settle(1e-3);
            let before = grid.clone();
            assert_does_nothing(grid.settle(1e-3), "again");
            // The same for a larger tolerance, and after setting everything to the present values.
            assert_does_nothing(grid.settle(1e-2), "larger tolerance");
            let (cells, sources) = (grid.cells().to_vec(), grid.sources().to_vec());
            grid.set_settings(*grid.settings()).unwrap();
            grid.set_cell(IVec2::new(3, 4), cells[4 * 70 + 3]).unwrap();
            grid.set_sources(&sources).unwrap();
            grid.set_ambient(0, grid.ambient(0)).unwrap();
            assert_does_nothing(grid.settle(1e-3), "again");
            assert_same_light(&grid, &before, "settled again");
        }
    }
}

#[test]
fn cell_cache_follows_split_and_merge_of_media() {
    let mut rng = SceneRng::new(11);
    let rule = settings(Neighborhood::Isotropic, 0.02);
    let mut grid = LightGrid::new(40, 36, rule).unwrap();
    grid.set_sources(&[lamp(7, 9), lamp(30, 20)]).unwrap();
    assert_settles(&mut grid, 1e-4, "one medium");
    for glass in [Vec3::new(0.9, 0.4, 0.1), Vec3::new(0.0, 1.0, 0.5)] {
        let at = IVec2::new(rng.below(40) as i32, rng.below(36) as i32);
        grid.set_cell(at, Cell::glass(glass)).unwrap();
        assert_settles(&mut grid, 1e-4, "one medium per color");
        grid.set_cell(IVec2::new(12, 9), Cell::WALL).unwrap();
        assert_settles(&mut grid, 1e-4, "with a wall");
        grid.set_cells(vec![Cell::OPEN; 40 * 36]).unwrap();
        assert_settles(&mut grid, 1e-4, "one medium again");
    }
}

/// Lamps and ambient light that are too faint for the first tolerance.
#[test]
fn smaller_tolerance_reveals_faint_light() {
    for ambient in [Vec3::ZERO, Vec3::splat(0.004)] {
        let mut grid = LightGrid::new(70, 40, settings(Neighborhood::Isotropic, 0.1)).unwrap();
        let faint = Source::new(IVec2::new(60, 30), Vec3::splat(0.008));
        grid.set_sources(&[lamp(3, 4), faint]).unwrap();
        grid.set_ambient(0, ambient).unwrap();
        grid.settle(0.1);
        assert_settles(&mut grid, 1e-4, &format!("{ambient}"));
    }
}

#[test]
fn comes_to_rest_for_every_tolerance() {
    for decay in [0.0, 0.002, 0.02, 0.05] {
        for strength in [1.0, 8.0, 64.0] {
            for tolerance in [1e-2, 1e-3, 1e-4, 1e-5, 1e-6] {
                let rule = settings(Neighborhood::Isotropic, decay);
                let mut grid = LightGrid::gray(40, 40, rule).unwrap();
                let strong = Vec3::splat(strength);
                grid.set_sources(&[Source::new(IVec2::splat(20), strong)])
                    .unwrap();
                grid.settle(tolerance);
                // It may take two calls if the decay does not limit the light.
                grid.settle(tolerance);
                let what = format!("decay {decay}, strength {strength}, {tolerance}");
                assert_does_nothing(grid.settle(tolerance), &what);
            }
        }
    }
}

#[test]
fn smaller_tolerance_continues() {
    let mut rng = SceneRng::new(6);
    for _ in 0..5 {
        let rule = settings(Neighborhood::Isotropic, 0.01);
        let mut grid = any_grid_of(&mut rng, 30, 20, rule);
        for tolerance in [1e-1, 1e-2, 1e-3, 1e-4] {
            let tolerance = f32::max(tolerance, rounding(&grid));
            assert_settles(&mut grid, tolerance, "smaller tolerance");
        }
    }
}

#[test]
fn light_is_between_zero_and_brightest_source() {
    let mut rng = SceneRng::new(7);
    for neighborhood in Neighborhood::ALL {
        for decay in DECAYS {
            let _case = Case::new(format_args!("{neighborhood:?}, decay {decay}"));
            let mut grid = any_grid_of(&mut rng, 50, 30, settings(neighborhood, decay));
            for _ in 0..4 {
                grid.settle(1e-3);
                // Cells close to their average are left alone, even if they are slightly above.
                let most = brightest(&grid) + 1e-3;
                let light = lights(&grid);
                assert!(light.iter().all(|light| light.min_element() >= 0.0));
                assert!(light.iter().all(|light| light.max_element() <= most));
                change_all_but_settings(&mut rng, &mut grid);
            }
        }
    }
}

#[test]
fn removed_torch_leaves_darkness() {
    let mut rng = SceneRng::new(8);
    for neighborhood in Neighborhood::ALL {
        for decay in DECAYS {
            let _case = Case::new(format_args!("{neighborhood:?}, decay {decay}"));
            let mut grid = any_grid_of(&mut rng, 50, 30, settings(neighborhood, decay));
            grid.set_ambient(0, Vec3::ZERO).unwrap();
            for region in [1, 7, 255] {
                grid.set_ambient(region, Vec3::ZERO).unwrap();
            }
            grid.set_sources(&[lamp(20, 10), lamp(30, 12)]).unwrap();
            grid.settle(1e-3);
            grid.set_sources(&[]).unwrap();
            assert!(grid.settle(1e-3).at_rest);
            let brightest = lights(&grid).into_iter().map(Vec3::max_element);
            assert!(brightest.fold(0.0, f32::max) <= 1e-3);
        }
    }
}

#[test]
fn closed_mirror_room_without_decay_is_as_bright_as_torch() {
    let room = [
        "##########################",
        "#......#.................#",
        "#......#....###..........#",
        "#...........###....#######",
        "#......#.................#",
        "#......#.........#.......#",
        "##########################",
    ];
    for neighborhood in Neighborhood::ALL {
        let _case = Case::new(format_args!("{neighborhood:?}"));
        let mut grid = LightGrid::new(26, 7, settings(neighborhood, 0.0)).unwrap();
        draw(&mut grid, Cell::WALL, &room);
        grid.set_sources(&[lamp(1, 1)]).unwrap();
        grid.settle(1e-4);
        for (cell, light) in crate::common::places(&grid).zip(lights(&grid)) {
            if !grid.is_opaque(cell) {
                assert!(
                    light.cmple(Vec3::ONE).all() && light.x > 0.98,
                    "{light} at {cell}"
                );
            }
        }
    }
}

#[test]
fn settling_without_decay_ends_with_infinite_error() {
    let mut rng = SceneRng::new(9);
    for neighborhood in Neighborhood::ALL {
        for n in 0..8 {
            let _case = Case::new(format_args!("{neighborhood:?}, grid {n}"));
            let mut grid = any_grid_of(&mut rng, 40, 30, settings(neighborhood, 0.0));
            let settled = grid.settle(1e-3);
            assert!(settled.sweeps <= LightGrid::MAX_SWEEPS);
            let most = brightest(&grid) + 1e-3;
            assert!(
                lights(&grid)
                    .iter()
                    .all(|light| light.max_element() <= most)
            );
        }
    }
}

#[test]
fn steps_stay_near_settled_light() {
    let mut rng = SceneRng::new(10);
    for neighborhood in Neighborhood::ALL {
        for decay in DECAYS {
            let _case = Case::new(format_args!("{neighborhood:?}, decay {decay}"));
            let mut grid = any_grid_of(&mut rng, 40, 30, settings(neighborhood, decay));
            grid.settle(1e-3);
            let settled = lights(&grid);
            let dropped = 1.0 / 65536.0 / decay;
            for _ in 0..5 {
                grid.step(10);
                let allowed = 2e-3 + dropped + rounding(&grid);
                assert!(apart(&settled, &lights(&grid)) <= allowed);
            }
        }
    }
}

#[test]
fn moved_lamp_needs_few_sweeps() {
    let rule = settings(Neighborhood::Isotropic, 0.05);
    let mut grid = LightGrid::new(200, 60, rule).unwrap();
    let far = Source::new(IVec2::new(190, 30), Vec3::ONE);
    grid.set_sources(&[lamp(20, 30), far]).unwrap();
    grid.settle(1e-3);
    grid.drain_changes(|_, _, _| ());
    grid.set_sources(&[lamp(21, 30), far]).unwrap();
    let settled = grid.settle(1e-3);
    assert!(settled.reached && settled.sweeps < 30, "{settled:?}");
    grid.drain_changes(|_, first, _| assert!(first.x < 100));
}

#[test]
fn moved_lamp_with_large_radius_needs_few_sweeps() {
    for (radius, most) in [(12.0, 60), (40.0, 300), (60.0, 500), (100.0, 900)] {
        let settings = LightSettings {
            falloff: Falloff::Radius(radius),
            ..LightSettings::default()
        };
        let mut grid = LightGrid::gray(128, 128, settings).unwrap();
        for x in [50, 51] {
            let lamp = Source::new(IVec2::new(x, 60), Vec3::ONE);
            grid.set_sources(&[lamp]).unwrap();
            let settled = grid.settle(1e-3);
            assert!(
                settled.at_rest && settled.sweeps < most,
                "{radius}: {settled:?}"
            );
        }
    }
}

#[test]
fn limited_sweeps_reach_same_result() {
    let mut grid = LightGrid::gray(60, 60, LightSettings::default()).unwrap();
    grid.set_sources(&[Source::new(IVec2::splat(30), Vec3::ONE)])
        .unwrap();
    let mut whole = grid.clone();
    whole.settle(1e-4);
    let first = grid.settle_within(1e-4, 5);
    let unfinished = Settled {
        sweeps: 5,
        at_rest: false,
        error: f32::INFINITY,
        reached: false,
    };
    assert_eq!(first, unfinished);
    let calls = (0..50).position(|_| grid.settle_within(1e-4, 5).at_rest);
    assert!(calls.is_some_and(|calls| calls > 2), "{calls:?}");
    for y in 0..60 {
        for x in 0..60 {
            let cell = IVec2::new(x, y);
            assert!(
                (grid.luminance(cell) - whole.luminance(cell)).abs() < 2e-4,
                "{cell}"
            );
        }
    }
}

/// The settled light of a lamp of strength 1 on an open square with `side` cells along each side,
/// in `f64`.
fn open_square(side: usize, lamp: (usize, usize), grid: &LightGrid) -> Vec<f64> {
    // The weight of an edge, and those of the western and eastern corners for even and odd rows.
    let (edge, corners) = match grid.settings().neighborhood {
        Neighborhood::Four => (1.0, [[0.0; 2]; 2]),
        Neighborhood::Eight => (1.0, [[1.0; 2]; 2]),
        Neighborhood::Isotropic => (4.0, [[1.0; 2]; 2]),
        Neighborhood::Hexagonal => (1.0, [[1.0, 0.0], [0.0, 1.0]]),
    };
    let decay = f64::from(grid.decay());
    let (keep, stride) = (1.0 - decay, side + 2);
    // The square is surrounded by a ring that counts nowhere and stays dark.
    let inside = |i: usize| f64::from(u8::from(i >= 1 && i <= side));
    let mut light = vec![0.0; stride * stride];
    let lamp = (lamp.1 + 1) * stride + lamp.0 + 1;
    light[lamp] = 1.0;
    // The relaxation for this decay, or for the slowest wave that fits into the square.
    let slowest = decay.max(2e-5);
    let relaxation = 2.0 / (1.0 + (slowest * (2.0 - slowest)).sqrt());
    let mut most = 1.0;
    while most > 1e-4 * decay {
        most = 0.0;
        for i in (1..=side).flat_map(|y| (1..=side).map(move |x| y * stride + x)) {
            let (x, y) = (i % stride, i / stride);
            let columns = inside(x - 1) + inside(x + 1);
            let rows = inside(y - 1) + inside(y + 1);
            // Because of the ring, the first row is row 1.
            let [west, east] = corners[(y + 1) % 2];
            let sides = west * inside(x - 1) + east * inside(x + 1);
            let below = edge * (1.0 + columns + rows) + sides * rows;
            let (north, south) = (i - stride, i + stride);
            let edges = light[i - 1] + light[i + 1] + light[north] + light[south];
            let west = west * (light[north - 1] + light[south - 1]);
            let east = east * (light[north + 1] + light[south + 1]);
            let average = keep * (edge * (light[i] + edges) + west + east) / below;
            if i != lamp {
                let off = average - light[i];
                most = f64::max(most, off.abs());
                light[i] += relaxation * off / (1.0 - keep * edge / below);
            }
        }
    }
    let rows = light.chunks(stride).skip(1).take(side);
    rows.flat_map(|row| row[1..=side].to_vec()).collect()
}

/// Open ground of 140 x 140 cells with a radius of 128 cells and more. Where rounding prevents an
/// accurate result, the reported error includes it.
#[test]
fn reported_error_holds_for_large_radius() {
    use Neighborhood::{Eight, Four, Hexagonal, Isotropic};
    for (neighborhood, radius, at) in [
        (Isotropic, 12.0, 0),
        (Four, 24.0, 70),
        (Isotropic, 64.0, 70),
        (Eight, 90.0, 0),
        (Isotropic, 128.0, 0),
        (Four, 128.0, 70),
        (Isotropic, 1000.0, 0),
        (Hexagonal, 12.0, 70),
        (Hexagonal, 128.0, 0),
    ] {
        let settings = LightSettings {
            falloff: Falloff::Radius(radius),
            neighborhood,
            direct: 0.0,
        };
        let mut grid = LightGrid::gray(140, 140, settings).unwrap();
        grid.set_sources(&[lamp(at, at)]).unwrap();
        let calls = (1..9).find(|_| grid.settle(1e-3).at_rest);
        let settled = grid.settle(1e-3);
        let wanted = open_square(140, (at as usize, at as usize), &grid);
        let cells = lights(&grid).into_iter().zip(&wanted);
        let apart = cells.map(|(light, wanted)| (f64::from(light.x) - wanted).abs());
        let apart = apart.fold(0.0, f64::max) as f32;
        let what = format!(
            "{neighborhood:?}, radius {radius}, at {at}: {apart}, {settled:?} after {calls:?} calls"
        );
        assert!(settled.at_rest && apart <= settled.error, "{what}");
        assert_eq!(settled.reached, radius < 30.0, "{what}");
    }
}

/// Light that hardly fades, in rooms with walls, mirrors and lamps of all kinds. The reported error
/// must be correct, and `reached` must only be true where the tolerance is reached. A sweep of the
/// oracle reduces the difference between any two lights at least by the factor `1 - decay`, so the
/// oracle has a bound on its own error.
#[test]
fn reported_error_holds_for_tiny_decay() {
    const NEAR: f64 = 1e-3;
    let mut rng = SceneRng::new(12);
    for neighborhood in Neighborhood::ALL {
        for decay in [1.0 / 4097.0, 1.0 / 6000.0, 1.0 / 16_384.0] {
            for n in 0..4 {
                let (width, height) = (2 + rng.below(8), 2 + rng.below(8));
                let mut grid = any_grid_of(&mut rng, width, height, settings(neighborhood, decay));
                for tolerance in [1e-2, 1e-3] {
                    let calls = (1..9).find(|_| grid.settle(tolerance).at_rest);
                    let settled = grid.settle(tolerance);
                    let mut oracle = Oracle::of(&grid);
                    oracle.rest(NEAR);
                    let wanted: Vec<Vec3> =
                        oracle.light.iter().map(|light| light.as_vec3()).collect();
                    let apart = apart(&lights(&grid), &wanted) - NEAR as f32;
                    let what = format!(
                        "{neighborhood:?}, {decay}, grid {n}: {apart}, {settled:?} after {calls:?}"
                    );
                    assert!(settled.at_rest && apart <= settled.error, "{what}");
                    let is_near = settled.error <= 2.0 * tolerance;
                    assert_eq!(settled.reached, is_near, "{what}");
                }
            }
        }
    }
}
