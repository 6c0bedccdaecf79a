//! Lamps of one color, for which the solver computes only the brightest color, against the oracle.

use crate::common::{
    SceneRng, bits, lights, places,
    report::assert_same_light,
    rest::{assert_settles, rounding},
};
use lanternfell_lightgrid::{
    Cell, Falloff, IVec2, LightGrid, LightSettings, LightWorker, Neighborhood, Source, Vec2, Vec3,
};

/// The last bits of products of these are rounded.
const TINTS: [Vec3; 4] = [
    Vec3::new(1.0, 0.8, 0.6),
    Vec3::new(0.3, 0.7, 0.9),
    Vec3::new(0.0, 1.0, 0.333),
    Vec3::new(0.0, 0.0, 2.0),
];

fn grid_of(rng: &mut SceneRng, neighborhood: Neighborhood) -> LightGrid {
    let settings = LightSettings {
        neighborhood,
        falloff: Falloff::Decay(rng.one_of(&[0.02, 0.1])),
        direct: 0.0,
    };
    let mut grid = LightGrid::new(1 + rng.below(40), 1 + rng.below(30), settings).unwrap();
    grid.fill(|_| any_cell(rng)).unwrap();
    grid
}

/// A cell that treats all colors alike.
fn any_cell(rng: &mut SceneRng) -> Cell {
    match rng.below(8) {
        0 | 1 => Cell::WALL,
        2 => Cell {
            transparency: Vec3::splat(rng.unit()),
            albedo: Vec3::splat(rng.unit()),
        },
        _ => Cell::OPEN,
    }
}

/// Lamps, and sometimes darkness, of one tint in many strengths.
fn any_lamps(rng: &mut SceneRng, grid: &LightGrid, tint: Vec3) -> Vec<Source> {
    let mut lamps: Vec<Source> = (0..rng.below(6))
        .map(|_| {
            let at = rng.place(grid).as_vec2() + Vec2::new(rng.unit(), rng.unit()) - 0.5;
            let strength = 0.1 + rng.unit();
            let sign = if rng.chance(0.15) { -1.0 } else { 1.0 };
            Source {
                at,
                ..Source::new(IVec2::ZERO, tint * strength * sign)
            }
        })
        .collect();
    let again = lamps
        .iter()
        .copied()
        .filter(|_| rng.chance(0.3))
        .collect::<Vec<_>>();
    lamps.extend(again);
    lamps
}

#[test]
fn shaded_light_matches_oracle_after_changes() {
    let mut rng = SceneRng::new(7);
    for neighborhood in Neighborhood::ALL {
        for n in 0..12 {
            let mut grid = grid_of(&mut rng, neighborhood);
            let mut tint = rng.one_of(&TINTS);
            for round in 0..12 {
                match rng.below(15) {
                    0 => tint = rng.one_of(&TINTS),
                    1 => grid.step(rng.below(3)),
                    2 => grid.darken(),
                    3 => grid.set_ambient(0, Vec3::splat(0.1) * rng.unit()).unwrap(),
                    4 => grid.set_ambient(0, Vec3::ZERO).unwrap(),
                    5 => {
                        let glass = Cell {
                            transparency: Vec3::new(0.9, 0.5, 0.1),
                            albedo: Vec3::ZERO,
                        };
                        grid.set_cell(rng.place(&grid), glass).unwrap();
                    }
                    6..=8 => grid.fill(|_| any_cell(&mut rng)).unwrap(),
                    9 => {
                        let settings = LightSettings {
                            falloff: Falloff::Decay(rng.one_of(&[0.02, 0.1])),
                            ..*grid.settings()
                        };
                        grid.set_settings(settings).unwrap();
                    }
                    10 => {
                        let text = ron::to_string(&grid).unwrap();
                        grid = ron::from_str(&text).unwrap();
                    }
                    _ => {
                        let cell = any_cell(&mut rng);
                        grid.set_cell(rng.place(&grid), cell).unwrap();
                    }
                }
                let mut lamps = any_lamps(&mut rng, &grid, tint);
                if rng.chance(0.2) {
                    lamps.push(Source::new(rng.place(&grid), rng.color()));
                }
                grid.set_sources(&lamps).unwrap();
                if rng.chance(0.2) {
                    grid.settle_within(1e-3, 3);
                }
                // Sometimes with a coarse tolerance first.
                if rng.chance(0.3) {
                    grid.settle(rng.one_of(&[1.0, 0.1]));
                }
                let tolerance = f32::max(1e-4, rounding(&grid));
                assert_settles(&mut grid, tolerance, &format!("grid {n}, round {round}"));
            }
        }
    }
}

#[test]
fn colors_are_proportional_and_lamps_exact() {
    let tint = Vec3::new(0.7, 0.9, 0.31);
    let strengths = [0.37, 1.0, 0.61];
    let mut grid = LightGrid::new(40, 30, LightSettings::default()).unwrap();
    let at = |n: usize| IVec2::new(6 + 13 * n as i32, 9 + 4 * n as i32);
    for n in 0..40 {
        // A wall with a door.
        let wall = IVec2::new(17, n);
        if grid.contains(wall) && n != 15 {
            grid.set_cell(wall, Cell::WALL).unwrap();
        }
    }
    for moved in 0..3 {
        let place = |n: usize| at(n) + IVec2::new(moved, 0);
        let lamps = [0, 1, 2].map(|n| Source::new(place(n), tint * strengths[n]));
        grid.set_sources(&lamps).unwrap();
        grid.settle(1e-3);
        for lamp in &lamps {
            assert_eq!(grid.light(lamp.at.as_ivec2()), lamp.light);
        }
        let held = [0, 1, 2].map(place);
        for cell in places(&grid).filter(|cell| !held.contains(cell)) {
            let light = grid.light(cell);
            let wanted = light.y * tint / tint.y;
            let off = (light - wanted).abs();
            assert!(
                off.max_element() <= 1e-6 * light.y,
                "{cell}: {light}, not {wanted}"
            );
            assert!(light.y > 0.0, "{cell} is dark");
        }
    }
}

/// A color that was solved separately is only as accurate as it was requested then.
#[test]
fn lamps_of_another_color_leave_no_trace() {
    for (first, second) in [
        (Vec3::new(1.0, 0.5, 0.5), Vec3::new(1.0, 0.52, 0.5)),
        (Vec3::ONE, Vec3::X),
        (Vec3::new(0.2, 0.9, 1.0), Vec3::new(1.0, 0.2, 0.9)),
    ] {
        let mut grid = LightGrid::new(40, 30, LightSettings::default()).unwrap();
        let at = IVec2::new(20, 15);
        grid.set_sources(&[Source::new(at, first)]).unwrap();
        grid.settle(1e-3);
        grid.set_sources(&[Source::new(at, second)]).unwrap();
        for tolerance in [1.0, 0.1] {
            grid.settle(tolerance);
        }
        assert_settles(&mut grid, 1e-3, &format!("{first}, then {second}"));
    }
}

/// Whether all light is a multiple of red light, as after solving shades.
fn is_shaded(grid: &LightGrid, lamp: Vec3) -> bool {
    let parts = lamp / lamp.x;
    let held: Vec<IVec2> = grid
        .sources()
        .iter()
        .map(|lamp| lamp.at.as_ivec2())
        .collect();
    let mut others = places(grid).filter(|cell| !held.contains(cell));
    others.all(|cell| grid.light(cell) == grid.light(cell).x * parts)
}

#[test]
fn shades_resume_after_separate_solving() {
    let torch = Vec3::new(1.0, 0.75, 0.3);
    let mut grid = LightGrid::new(40, 30, LightSettings::default()).unwrap();
    let mut rounds = 0;
    // A few sweeps at a time, like an app with limited time.
    let mut move_torch = |grid: &mut LightGrid| {
        rounds += 1;
        let torch = Source::new(IVec2::new(5 + rounds % 30, 9), torch);
        grid.set_sources(&[torch]).unwrap();
        while !grid.settle_within(1e-3, 6).at_rest {}
    };
    move_torch(&mut grid);
    assert!(is_shaded(&grid, torch), "at the beginning");
    let lantern = Source::new(IVec2::new(20, 20), Vec3::new(0.2, 0.6, 0.9));
    grid.set_sources(&[lantern]).unwrap();
    grid.settle(1e-3);
    move_torch(&mut grid);
    assert!(!is_shaded(&grid, torch), "lamps of two colors");
    for _ in 0..20 {
        move_torch(&mut grid);
    }
    assert!(is_shaded(&grid, torch), "after some settling");
    grid.step(3);
    assert!(!is_shaded(&grid, torch), "after steps");
    for _ in 0..20 {
        move_torch(&mut grid);
    }
    assert!(is_shaded(&grid, torch), "after steps and some settling");
}

/// Gray light is solved in one color, so white light must be the same bit for bit.
#[test]
fn white_light_equals_gray_light() {
    let mut rng = SceneRng::new(8);
    for neighborhood in Neighborhood::ALL {
        let mut grid = grid_of(&mut rng, neighborhood);
        let mut gray = LightGrid::gray(grid.width(), grid.height(), *grid.settings()).unwrap();
        gray.set_cells(grid.cells().to_vec()).unwrap();
        for _ in 0..8 {
            let lamps = any_lamps(&mut rng, &grid, Vec3::ONE);
            for grid in [&mut grid, &mut gray] {
                grid.set_sources(&lamps).unwrap();
                grid.settle(1e-3);
            }
            let red =
                |lights: Vec<[u32; 3]>| lights.iter().map(|light| light[0]).collect::<Vec<_>>();
            assert_eq!(red(bits(&grid)), red(bits(&gray)));
            for light in lights(&grid) {
                assert_eq!(light, Vec3::splat(light.x));
            }
        }
    }
}

/// Neither a `WhatIf` nor a worker must affect later results.
#[test]
fn what_if_and_worker_do_not_change_later_bits() {
    let mut rng = SceneRng::new(9);
    for neighborhood in Neighborhood::ALL {
        let mut grid = grid_of(&mut rng, neighborhood);
        let mut asked = grid.clone();
        let mut shown = grid.clone();
        let mut worker = LightWorker::new(&mut shown);
        for round in 0..10 {
            let tint = TINTS[usize::from(round > 6)];
            let lamps = any_lamps(&mut rng, &grid, tint);
            for grid in [&mut grid, &mut asked, &mut shown] {
                grid.set_sources(&lamps).unwrap();
            }
            grid.settle(1e-3);
            asked.settle(1e-3);
            let text = ron::to_string(&grid).unwrap();
            let loaded: LightGrid = ron::from_str(&text).unwrap();
            assert_same_light(&grid, &loaded, format!("round {round}, loaded"));
            let mut question = asked.what_if();
            let other = any_lamps(&mut rng, &grid, Vec3::new(0.1, 0.2, 1.0));
            question.set_sources(&other).unwrap();
            question.settle(1e-3);
            drop(question);
            assert_same_light(&grid, &asked, format!("round {round}, asked"));
            if round < 4 {
                worker.follow(&mut shown);
                worker.settle(1e-3);
                worker.finish();
                worker.publish(&mut shown);
            } else {
                shown.settle(1e-3);
            }
            assert_same_light(&grid, &shown, format!("round {round}, settled"));
        }
    }
}

/// Light that does not fade contains the colors of all previous lamps.
#[test]
fn light_without_decay_keeps_its_color() {
    let settings = LightSettings {
        falloff: Falloff::Decay(0.0),
        direct: 0.0,
        ..LightSettings::default()
    };
    let mut grid = LightGrid::new(20, 15, settings).unwrap();
    let at = IVec2::new(10, 7);
    for (at, light) in [(at, Vec3::Z), (at, Vec3::X), (at + IVec2::X, Vec3::X)] {
        grid.set_sources(&[Source::new(at, light)]).unwrap();
        grid.settle(1e-3);
    }
    for light in lights(&grid) {
        assert!(light.z > 0.9, "{light}: no longer as blue as it was");
    }
}
