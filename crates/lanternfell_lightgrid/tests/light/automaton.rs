//! Steps of the automaton against the oracle. Optimizations (sleeping tiles, separate colors, many
//! steps per call) must not change any bit.

use crate::common::{
    SceneRng, apart, bits, follow, lamp, lights,
    oracle::{DARK, Oracle},
    places,
    report::{Case, assert_same_light},
    scenes::{any_change, any_grid},
    unlit_copy,
};
use glam::DVec3;
use lanternfell_lightgrid::{
    Cell, Falloff, IVec2, LightGrid, LightSettings, Neighborhood, Source, Vec2, Vec3, hexagonal,
};

/// The brightest light that sources demand or that is present.
fn brightest(grid: &LightGrid) -> f64 {
    let sources = grid
        .sources()
        .iter()
        .map(|source| source.light.abs().max_element());
    let light = lights(grid).into_iter().map(Vec3::max_element);
    f64::from(sources.chain(light).fold(1.0, f32::max))
}

/// Fails unless the light of the grid matches the oracle, except for rounding. Light at the cutoff
/// may exist in one and not in the other. `flips` is the tolerance for this, in units of the
/// cutoff.
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

/// Copies the light of cells at the cutoff from the grid to the oracle.
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
fn steps_match_oracle() {
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
fn steps_match_oracle_during_changes() {
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
fn moving_lamp_wakes_sleeping_tiles() {
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
        assert_alike(&grid, &oracle, 2.0, "moving lamp");
    }
}

#[test]
fn lamp_between_cells_adapts_to_walls() {
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
    // Behind the corner formed by both walls, the lamp lights nothing.
    grid.set_cell(between[0], Cell::WALL).unwrap();
    grid.set_cell(between[1], Cell::WALL).unwrap();
    grid.darken();
    grid.step(1);
    assert_eq!(grid.light(IVec2::new(5, 5)), Vec3::ZERO);
}

#[test]
fn single_and_batched_steps_are_equal() {
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
fn tile_size_does_not_change_bits() {
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
fn tile_size_can_change_at_any_time() {
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
fn gray_light_equals_one_color() {
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
fn gray_grid_uses_luminance_of_colors() {
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
fn clones_are_independent() {
    let mut rng = SceneRng::new(7);
    for n in 0..20 {
        let _case = Case::new(format_args!("grid {n}"));
        let mut grid = any_grid(&mut rng);
        grid.step(9);
        let (before, mut clone) = (bits(&grid), grid.clone());
        assert!(bits(&clone) == before, "the clone changed with the grid");
        any_change(&mut rng, &mut clone);
        clone.step(20);
        clone.settle(1e-3);
        assert!(bits(&grid) == before, "the grid changed with its clone");
        let mut another = grid.clone();
        another.step(5);
        grid.step(5);
        assert_same_light(&grid, &another, "the same steps");
    }
}

#[test]
fn order_of_cells_and_sources_does_not_matter() {
    let mut rng = SceneRng::new(8);
    for n in 0..20 {
        let mut grid = any_grid(&mut rng);
        let mut other = unlit_copy(&grid);
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
fn darkened_grid_equals_new_grid() {
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
fn light_flows_one_cell_per_step() {
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
                // The first step only lights the lamp's own cell.
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
fn zero_steps_change_nothing() {
    let mut grid = LightGrid::new(9, 9, LightSettings::default()).unwrap();
    grid.set_sources(&[lamp(4, 4)]).unwrap();
    grid.step(0);
    assert_eq!(apart(&lights(&grid), &[Vec3::ZERO; 81]), 0.0);
}
