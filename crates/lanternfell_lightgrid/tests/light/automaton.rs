//! The automaton's steps against its definition, and that how they are computed (tiles that
//! sleep, colors apart, many steps at once) can not be told from the bits.

use crate::common::{
    SceneRng, anew, apart, bits, follow, lamp, lights,
    oracle::{DARK, Oracle},
    places,
    report::{Case, assert_same_light},
    scenes::{any_change, any_grid},
};
use glam::DVec3;
use lanternfell_lightgrid::{
    Cell, Falloff, IVec2, LightGrid, LightSettings, Neighborhood, Source, Vec2, Vec3, hexagonal,
};

/// The brightest light that anything in the grid asks for.
fn brightest(grid: &LightGrid) -> f64 {
    let sources = grid
        .sources()
        .iter()
        .map(|source| source.light.abs().max_element());
    let light = lights(grid).into_iter().map(Vec3::max_element);
    f64::from(sources.chain(light).fold(1.0, f32::max))
}

/// Fails where the grid's light is not the oracle's, but for rounding. Light that is as
/// bright as the faintest that there is may be there in one and not in the other: by so
/// much, then, they are apart around it.
fn assert_alike(grid: &LightGrid, oracle: &Oracle, flips: f64, what: &str) {
    let rounding = 5e-7 * brightest(grid);
    for (cell, wanted) in places(grid).zip(&oracle.light) {
        let light = grid.light(cell).as_dvec3();
        let apart = (light - wanted).abs();
        let allowed = 1e-5 * *wanted + DVec3::splat(rounding + flips * DARK);
        assert!(
            apart.cmple(allowed).all(),
            "{what}: {light} at {cell}, but the oracle says {wanted}; {:?}",
            grid.settings()
        );
    }
}

/// Where a cell is at the edge of what is visible, takes the grid's word for it.
fn forgive_the_faintest(oracle: &mut Oracle, grid: &LightGrid) {
    for (light, wanted) in lights(grid).into_iter().zip(&mut oracle.light) {
        let (light, is) = (light.as_dvec3(), *wanted);
        let flipped = light.cmpeq(DVec3::ZERO) | is.cmpeq(DVec3::ZERO);
        let faint = (light.max(is) - DARK)
            .abs()
            .cmplt(DVec3::splat(1e-4 * DARK));
        *wanted = DVec3::select(flipped & faint, light, is);
    }
}

#[test]
fn each_step_is_the_definition_s() {
    let mut rng = SceneRng::new(1);
    for n in 0..300 {
        let mut grid = any_grid(&mut rng);
        for _ in 0..6 {
            for _ in 0..3 {
                let mut oracle = Oracle::of(&grid);
                oracle.step();
                grid.step(1);
                forgive_the_faintest(&mut oracle, &grid);
                assert_alike(&grid, &oracle, 0.0, &format!("grid {n}"));
            }
            grid.step(rng.below(12));
            any_change(&mut rng, &mut grid);
        }
    }
}

#[test]
fn many_steps_are_the_definition_s_while_lamps_and_walls_move() {
    let mut rng = SceneRng::new(2);
    for n in 0..60 {
        let mut grid = any_grid(&mut rng);
        let mut oracle = Oracle::of(&grid);
        for steps in [1, 2, 7, 40, 1, 3] {
            (0..steps).for_each(|_| oracle.step());
            grid.step(steps);
            assert_alike(&grid, &oracle, 2.0, &format!("grid {n}, {steps} steps"));
            any_change(&mut rng, &mut grid);
            oracle.follow(&grid);
        }
    }
}

#[test]
fn a_lamp_carried_through_a_great_sleeping_grid_wakes_what_it_comes_to() {
    for neighborhood in Neighborhood::ALL {
        let settings = LightSettings {
            neighborhood,
            ..LightSettings::default()
        };
        let mut grid = LightGrid::gray(150, 40, settings).unwrap();
        let column = |cell: IVec2| cell.x % 20 == 10 && cell.y % 5 != 2;
        grid.fill(|cell| if column(cell) { Cell::WALL } else { Cell::OPEN })
            .unwrap();
        let mut oracle = Oracle::of(&grid);
        for n in 0..40 {
            grid.set_sources(&[lamp(3 + 3 * n, 20 - n / 3)]).unwrap();
            oracle.follow(&grid);
            oracle.step();
            grid.step(1);
        }
        assert_alike(&grid, &oracle, 2.0, "a lamp that walks");
    }
}

#[test]
fn a_lamp_between_cells_takes_note_of_walls_that_come_and_go_around_it() {
    let settings = LightSettings::default();
    let mut grid = LightGrid::new(9, 9, settings).unwrap();
    grid.set_sources(&[Source::at(Vec2::new(4.2, 4.3), Vec3::ONE)])
        .unwrap();
    let between = [IVec2::new(5, 4), IVec2::new(4, 5)];
    for cell in [Cell::WALL, Cell::OPEN] {
        for at in between {
            grid.set_cell(at, cell).unwrap();
            let mut oracle = Oracle::of(&grid);
            oracle.step();
            grid.step(1);
            assert_alike(&grid, &oracle, 0.0, "walls");
        }
    }
    // Behind the corner that they make it lights nothing.
    grid.set_cell(between[0], Cell::WALL).unwrap();
    grid.set_cell(between[1], Cell::WALL).unwrap();
    grid.darken();
    grid.step(1);
    assert_eq!(grid.light(IVec2::new(5, 5)), Vec3::ZERO);
}

#[test]
fn steps_can_be_taken_one_by_one_or_at_once() {
    let mut rng = SceneRng::new(3);
    for n in 0..60 {
        let mut together = any_grid(&mut rng);
        let mut apart = together.clone();
        for _ in 0..5 {
            let (first, second) = (rng.below(5), rng.below(40));
            together.step(first + second);
            apart.step(first);
            apart.step(second);
            assert_same_light(&together, &apart, format_args!("grid {n}"));
            any_change(&mut rng, &mut together);
            follow(&mut apart, &together);
        }
    }
}

#[test]
fn tiles_change_no_bit() {
    let mut rng = SceneRng::new(4);
    for n in 0..30 {
        let grid = any_grid(&mut rng);
        let sizes = [4, 5, 8, 32, 1000];
        let mut grids = sizes.map(|size| {
            let mut grid = grid.clone();
            grid.set_tile_size(size);
            grid
        });
        for round in 0..8 {
            let (changes, steps) = (rng.bits(), rng.below(30));
            let settles = rng.chance(0.4);
            for grid in &mut grids {
                any_change(&mut SceneRng::new(changes), grid);
                if settles {
                    grid.settle(1e-3);
                } else {
                    grid.step(steps);
                }
            }
            for (size, other) in sizes.iter().zip(&grids) {
                let case = format!("grid {n}, round {round} ({settles}), tiles of {size}");
                assert_same_light(other, &grids[0], case);
            }
        }
    }
}

#[test]
fn tiles_can_be_changed_at_any_time() {
    let mut rng = SceneRng::new(5);
    for n in 0..40 {
        let mut grid = any_grid(&mut rng);
        let mut other = grid.clone();
        for _ in 0..6 {
            let (changes, steps) = (rng.bits(), rng.below(20));
            other.set_tile_size(4 + rng.below(40));
            for grid in [&mut grid, &mut other] {
                any_change(&mut SceneRng::new(changes), grid);
                grid.step(steps);
            }
            assert_same_light(&grid, &other, format_args!("grid {n}"));
        }
    }
}

#[test]
fn gray_light_is_as_one_color_of_three() {
    let mut rng = SceneRng::new(6);
    for n in 0..30 {
        let original = any_grid(&mut rng);
        let settings = *original.settings();
        let (width, height) = (original.width(), original.height());
        let mut grids = [
            LightGrid::gray(width, height, settings).unwrap(),
            LightGrid::new(width, height, settings).unwrap(),
        ];
        for grid in &mut grids {
            let even = |color: Vec3| Vec3::splat(color.x);
            let cell = |cell: Cell| Cell {
                transparency: even(cell.transparency),
                albedo: even(cell.albedo),
            };
            grid.fill(|at| cell(original.cell(at))).unwrap();
            let mut sources = original.sources().to_vec();
            sources
                .iter_mut()
                .for_each(|source| source.light = even(source.light));
            grid.set_sources(&sources).unwrap();
            grid.set_ambient(0, even(original.ambient(0))).unwrap();
        }
        for round in 0..4 {
            for grid in &mut grids {
                if round % 2 == 0 {
                    grid.step(11);
                } else {
                    grid.settle(1e-3);
                }
            }
            assert_same_light(&grids[0], &grids[1], format_args!("grid {n}, {round}"));
        }
    }
}

#[test]
fn a_gray_grid_takes_the_luminance_of_colors() {
    let mut grid = LightGrid::gray(5, 5, LightSettings::default()).unwrap();
    let color = Vec3::new(0.2, 0.9, 0.4);
    let luminance = color.dot(lanternfell_lightgrid::LUMINANCE);
    let mut red = lamp(2, 2);
    red.light = color;
    grid.set_sources(&[red]).unwrap();
    grid.step(1);
    assert_eq!(grid.light(IVec2::splat(2)), Vec3::splat(luminance));
    assert_eq!(grid.luminance(IVec2::splat(2)), luminance);
}

#[test]
fn a_clone_goes_its_own_way() {
    let mut rng = SceneRng::new(7);
    for n in 0..20 {
        let _case = Case::new(format_args!("grid {n}"));
        let mut grid = any_grid(&mut rng);
        grid.step(9);
        let (before, mut clone) = (bits(&grid), grid.clone());
        assert!(bits(&clone) == before, "another light than its own");
        any_change(&mut rng, &mut clone);
        clone.step(20);
        clone.settle(1e-3);
        assert!(bits(&grid) == before, "changed with its clone");
        let mut another = grid.clone();
        another.step(5);
        grid.step(5);
        assert_same_light(&grid, &another, "the same steps");
    }
}

#[test]
fn cells_and_sources_can_be_given_in_any_order() {
    let mut rng = SceneRng::new(8);
    for n in 0..20 {
        let mut grid = any_grid(&mut rng);
        let mut other = anew(&grid);
        other.fill(|_| Cell::OPEN).unwrap();
        let mut cells: Vec<IVec2> = places(&grid).collect();
        cells.reverse();
        for cell in cells {
            other.set_cell(cell, grid.cell(cell)).unwrap();
        }
        let sources: Vec<_> = grid.sources().iter().rev().copied().collect();
        other.set_sources(&sources).unwrap();
        for grid in [&mut grid, &mut other] {
            grid.step(20);
        }
        assert_same_light(&grid, &other, format_args!("grid {n}"));
    }
}

#[test]
fn after_darkness_a_grid_is_as_new() {
    let mut rng = SceneRng::new(9);
    for n in 0..20 {
        let _case = Case::new(format_args!("grid {n}"));
        let grid = any_grid(&mut rng);
        let (mut fresh, mut darkened) = (grid.clone(), grid.clone());
        darkened.step(rng.below(60));
        darkened.darken();
        assert_eq!(
            apart(&lights(&darkened), &vec![Vec3::ZERO; grid.cells().len()]),
            0.0
        );
        for grid in [&mut fresh, &mut darkened] {
            grid.step(15);
        }
        assert_same_light(&fresh, &darkened, "fresh and darkened");
    }
}

#[test]
fn light_flows_one_cell_a_step() {
    for neighborhood in Neighborhood::ALL {
        let _case = Case::new(format_args!("{neighborhood:?}"));
        let falloff = Falloff::Decay(0.0);
        let settings = LightSettings {
            neighborhood,
            falloff,
            direct: 0.0,
        };
        let mut grid = LightGrid::new(41, 41, settings).unwrap();
        let center = IVec2::splat(20);
        let strong = Vec3::splat(Source::MAX_LIGHT);
        grid.set_sources(&[Source::new(center, strong)]).unwrap();
        for steps in 1..6 {
            grid.step(1);
            for cell in places(&grid) {
                let away = (cell - center).abs();
                let away = match neighborhood {
                    Neighborhood::Four => away.element_sum(),
                    Neighborhood::Hexagonal => hexagonal::distance(cell, center) as i32,
                    _ => away.max_element(),
                };
                // The first step lights the lamp.
                assert_eq!(
                    grid.light(cell).x > 0.0,
                    away < steps,
                    "{cell} after {steps}"
                );
            }
        }
    }
}

#[test]
fn no_step_is_no_step() {
    let mut grid = LightGrid::new(9, 9, LightSettings::default()).unwrap();
    grid.set_sources(&[lamp(4, 4)]).unwrap();
    grid.step(0);
    assert_eq!(apart(&lights(&grid), &[Vec3::ZERO; 81]), 0.0);
}
