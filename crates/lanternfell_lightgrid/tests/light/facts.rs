//! Known properties of the light: bounds, symmetries, walls, conservation, and fading.

use std::collections::{BTreeMap, VecDeque};

use crate::common::{
    SceneRng, apart, brightest, draw, lamp, lights, oracle::weight, places, report::Case,
    scenes::any_grid,
};
use lanternfell_lightgrid::{
    Cell, Falloff, IVec2, LightGrid, LightSettings, Neighborhood, Source, Vec2, Vec3, hexagonal,
};

/// Steps set light below this to zero.
const DARK: f32 = crate::common::oracle::DARK as f32;

/// Every neighborhood with every kind of wall.
fn rules() -> impl Iterator<Item = (Neighborhood, Cell)> {
    with_walls(&Neighborhood::ALL)
}

fn with_walls(
    neighborhoods: &'static [Neighborhood],
) -> impl Iterator<Item = (Neighborhood, Cell)> {
    let walls = [
        Cell::BLACK_WALL,
        Cell::new(0.0, 0.5),
        Cell::WALL,
        Cell::wall(Vec3::new(1.0, 0.5, 0.0)),
    ];
    neighborhoods
        .iter()
        .flat_map(move |&neighborhood| walls.map(|wall| (neighborhood, wall)))
}

fn settings(neighborhood: Neighborhood, decay: f32) -> LightSettings {
    let falloff = Falloff::Decay(decay);
    LightSettings {
        neighborhood,
        falloff,
        direct: 0.0,
    }
}

/// A cave with random walls. Few walls make wide and connected caves, many walls make rooms that
/// touch at corners.
fn cave(rng: &mut SceneRng, neighborhood: Neighborhood, wall: Cell, decay: f32) -> LightGrid {
    let (width, height) = (3 + rng.below(40), 3 + rng.below(40));
    let mut grid = LightGrid::new(width, height, settings(neighborhood, decay)).unwrap();
    let open = rng.one_of(&[0.5, 0.6, 0.8]);
    let cell = |_| if rng.chance(open) { Cell::OPEN } else { wall };
    grid.fill(cell).unwrap();
    grid
}

fn any_lamps(rng: &mut SceneRng, grid: &LightGrid) -> Vec<Source> {
    let lamps = 1 + rng.below(4);
    let lamp = |_| Source::new(rng.place(grid), rng.color() * 2.0);
    (0..lamps).map(lamp).collect()
}

#[test]
fn light_is_between_zero_and_brightest_source() {
    let mut rng = SceneRng::new(1);
    for (neighborhood, wall) in rules() {
        for decay in [0.0, 1e-6, 0.02, 1.0] {
            let _case = Case::new(format_args!("{neighborhood:?}, {wall:?}, decay {decay}"));
            let mut grid = cave(&mut rng, neighborhood, wall, decay);
            let lamps = any_lamps(&mut rng, &grid);
            let most = lamps
                .iter()
                .fold(Vec3::ZERO, |most, lamp| most.max(lamp.light));
            grid.set_sources(&lamps).unwrap();
            for _ in 0..20 {
                grid.step(7);
                for light in lights(&grid) {
                    let is_between = light.cmpge(Vec3::ZERO).all() && light.cmple(most).all();
                    assert!(is_between, "{light}, at most {most}");
                }
            }
        }
    }
}

#[test]
fn light_of_source_between_cells_is_not_above_its_strength() {
    let mut rng = SceneRng::new(2);
    for _ in 0..200 {
        let neighborhood = rng.one_of(&Neighborhood::ALL);
        let decay = rng.one_of(&[0.0, 1e-9, 1e-7, 1e-3]);
        let mut grid = LightGrid::new(6, 6, settings(neighborhood, decay)).unwrap();
        let at = Vec2::new(2.0 + rng.unit(), 2.0 + rng.unit());
        let light = rng.color();
        grid.set_sources(&[Source::at(at, light)]).unwrap();
        grid.step(20);
        assert!(
            brightest(&lights(&grid)).cmple(light).all(),
            "{light} at {at}"
        );
    }
}

#[test]
fn adding_a_light_darkens_nothing() {
    let mut rng = SceneRng::new(3);
    for _ in 0..80 {
        let mut less = any_grid(&mut rng);
        let mut more = less.clone();
        let place = rng.place(&less).as_vec2() + rng.unit();
        let mut sources = less.sources().to_vec();
        let another = Source::at(place, rng.color());
        sources.insert(rng.below(sources.len() as u32 + 1) as usize, another);
        more.set_sources(&sources).unwrap();
        for _ in 0..10 {
            less.step(3);
            more.step(3);
            for (less, more) in lights(&less).into_iter().zip(lights(&more)) {
                assert!(
                    less.cmple(more).all(),
                    "{less} without, {more} with {another:?}"
                );
            }
        }
        if less.decay() < 0.002 {
            continue;
        }
        less.settle(1e-4);
        more.settle(1e-4);
        for (less, more) in lights(&less).into_iter().zip(lights(&more)) {
            assert!(
                less.cmple(more + 3e-4).all(),
                "{less} without, {more} with {another:?}"
            );
        }
    }
}

#[test]
fn candle_next_to_torch_does_not_darken() {
    let candle = Source::new(IVec2::new(6, 5), Vec3::splat(0.1));
    for neighborhood in Neighborhood::ALL {
        let _case = Case::new(format_args!("{neighborhood:?}"));
        let mut grid = LightGrid::new(11, 11, settings(neighborhood, 0.05)).unwrap();
        grid.set_sources(&[lamp(5, 5)]).unwrap();
        grid.settle(1e-4);
        let without = grid.light(candle.cell());
        grid.set_sources(&[lamp(5, 5), candle]).unwrap();
        grid.settle(1e-4);
        assert_eq!(grid.light(candle.cell()), without);
    }
}

/// The number of steps in which light reaches each cell from a cell. Light moves from cells that
/// are not opaque to their neighbors, but not diagonally between two opaque cells, unless the
/// target is opaque.
fn steps_from(grid: &LightGrid, from: IVec2) -> BTreeMap<(i32, i32), u32> {
    let neighborhood = grid.settings().neighborhood;
    let is_hexagonal = neighborhood == Neighborhood::Hexagonal;
    let mut steps = BTreeMap::from([((from.y, from.x), 0)]);
    let mut next = VecDeque::from([(from, 0)]);
    while let Some((cell, n)) = next.pop_front() {
        if grid.is_opaque(cell) {
            continue;
        }
        for step in (-1..=1).flat_map(|y| (-1..=1).map(move |x| IVec2::new(x, y))) {
            let to = cell + step;
            let is_diagonal = step.x != 0 && step.y != 0 && !is_hexagonal;
            let between = [IVec2::new(cell.x, to.y), IVec2::new(to.x, cell.y)];
            let is_cut = between.into_iter().all(|cell| grid.is_opaque(cell));
            let is_near = weight(neighborhood, cell, step) > 0.0;
            let passes = is_near && (!is_diagonal || grid.is_opaque(to) || !is_cut);
            if passes && grid.contains(to) && !steps.contains_key(&(to.y, to.x)) {
                steps.insert((to.y, to.x), n + 1);
                next.push_back((to, n + 1));
            }
        }
    }
    steps
}

#[test]
fn light_reaches_exactly_the_connected_cells() {
    let mut rng = SceneRng::new(5);
    for (neighborhood, wall) in rules() {
        for _ in 0..12 {
            let mut grid = cave(&mut rng, neighborhood, wall, 1e-4);
            let open: Vec<IVec2> = places(&grid)
                .filter(|&cell| !grid.is_opaque(cell))
                .collect();
            if open.is_empty() {
                continue;
            }
            let torch = rng.one_of(&open);
            let steps = steps_from(&grid, torch);
            let light = Vec3::splat(Source::MAX_LIGHT);
            grid.set_sources(&[Source::new(torch, light)]).unwrap();
            let mut settled = grid.clone();
            settled.settle(0.1);
            grid.step(200);
            for cell in places(&grid) {
                let what = || format!("{cell} from {torch}\n{}", grid.dump());
                match steps.get(&(cell.y, cell.x)) {
                    None => {
                        assert_eq!(grid.light(cell), Vec3::ZERO, "{}", what());
                        assert_eq!(settled.light(cell), Vec3::ZERO, "{}", what());
                    }
                    // Further away the light may be below the cutoff.
                    Some(..=4) => assert!(grid.light(cell).x > 0.0, "{}", what()),
                    Some(_) => {}
                }
            }
        }
    }
}

#[test]
fn walls_touching_at_corners_do_not_leak() {
    let diamond = [
        "...........",
        ".....#.....",
        "....#.#....",
        "...#...#...",
        "..#.....#..",
        "...#...#...",
        "....#.#....",
        ".....#.....",
        "...........",
    ];
    for (neighborhood, wall) in with_walls(&Neighborhood::SQUARE) {
        let mut grid = LightGrid::new(11, 9, settings(neighborhood, 0.0)).unwrap();
        draw(&mut grid, wall, &diamond);
        grid.set_sources(&[lamp(5, 4)]).unwrap();
        grid.step(300);
        for cell in places(&grid) {
            let away = (cell - IVec2::new(5, 4)).abs().element_sum();
            assert!(
                grid.light(cell) == Vec3::ZERO || away <= 3,
                "{cell}\n{}",
                grid.dump()
            );
            assert!(
                grid.light(cell).x > 0.0 || away >= 3,
                "{cell}\n{}",
                grid.dump()
            );
        }
    }
}

#[test]
fn inner_corners_are_lit_except_with_four_neighbors() {
    let room = ["#####", "#...#", "#...#", "#...#", "#####"];
    for (neighborhood, wall) in with_walls(&Neighborhood::SQUARE) {
        let _case = Case::new(format_args!("{neighborhood:?}, {wall:?}"));
        let mut grid = LightGrid::new(5, 5, settings(neighborhood, 0.05)).unwrap();
        draw(&mut grid, wall, &room);
        grid.set_sources(&[lamp(2, 2)]).unwrap();
        grid.settle(1e-4);
        for corner in [(0, 0), (4, 0), (0, 4), (4, 4)] {
            let light = grid.light(corner.into()).x;
            assert_eq!(
                light > 0.0,
                neighborhood != Neighborhood::Four,
                "{}",
                grid.dump()
            );
        }
        assert!(grid.light(IVec2::new(2, 0)).x > 0.0);
    }
}

#[test]
fn ring_of_hexagons_does_not_leak() {
    let middle = IVec2::new(6, 7);
    for (neighborhood, wall) in with_walls(&[Neighborhood::Hexagonal]) {
        for radius in [1, 2, 4] {
            let _case = Case::new(format_args!("{wall:?}, radius {radius}"));
            let mut grid = LightGrid::new(13, 15, settings(neighborhood, 0.0)).unwrap();
            let away = |cell| hexagonal::distance(cell, middle);
            let cell = |at| if away(at) == radius { wall } else { Cell::OPEN };
            grid.fill(cell).unwrap();
            grid.set_sources(&[lamp(middle.x, middle.y)]).unwrap();
            let mut settled = grid.clone();
            settled.settle(1e-4);
            grid.step(300);
            for grid in [&grid, &settled] {
                for cell in places(grid) {
                    let is_lit = grid.light(cell).x > 0.0;
                    assert_eq!(is_lit, away(cell) <= radius, "{cell}\n{}", grid.dump());
                }
            }
        }
    }
}

/// The denominator of the average of a cell, if all cells have albedo 1, times the transparency of
/// the cell.
fn capacity(grid: &LightGrid, cell: IVec2) -> f64 {
    let neighborhood = grid.settings().neighborhood;
    let mut below = 0.0;
    for step in (-1..=1).flat_map(|y| (-1..=1).map(move |x| IVec2::new(x, y))) {
        let is_diagonal = step.x != 0 && step.y != 0 && neighborhood != Neighborhood::Hexagonal;
        let between = [IVec2::new(step.x, 0), IVec2::new(0, step.y)];
        if !(is_diagonal && between.into_iter().all(|side| grid.is_opaque(cell + side))) {
            below +=
                weight(neighborhood, cell, step) * f64::from(grid.cell(cell + step).transparency.x);
        }
    }
    below * f64::from(grid.cell(cell).transparency.x)
}

#[test]
fn light_is_conserved_without_decay() {
    let mut rng = SceneRng::new(6);
    for neighborhood in Neighborhood::ALL {
        for n in 0..10 {
            let mut grid = cave(&mut rng, neighborhood, Cell::WALL, 0.0);
            for cell in places(&grid) {
                if n % 2 == 0 && rng.chance(0.2) {
                    grid.set_cell(cell, Cell::new(rng.unit(), 1.0)).unwrap();
                }
            }
            let torch = rng.place(&grid);
            grid.set_cell(torch, Cell::OPEN).unwrap();
            grid.set_sources(&[Source::new(torch, Vec3::splat(4.0))])
                .unwrap();
            // Until no reachable cell is below the cutoff.
            grid.step(2000);
            grid.set_sources(&[]).unwrap();
            let sum = |grid: &LightGrid| -> f64 {
                let part = |cell| capacity(grid, cell) * f64::from(grid.light(cell).x);
                places(grid).map(part).sum()
            };
            grid.step(1);
            let before = sum(&grid);
            for _ in 0..10 {
                grid.step(20);
                assert!((sum(&grid) / before - 1.0).abs() < 1e-5, "{}", grid.dump());
            }
        }
    }
}

/// Light is only lost where a cell is below 1/65536: a part of the rim in a small room, and finally
/// all of it on wide open ground.
#[test]
fn light_below_cutoff_is_lost() {
    for neighborhood in Neighborhood::ALL {
        let flash = |side: u32| {
            let mut grid = LightGrid::gray(side, side, settings(neighborhood, 0.0)).unwrap();
            let middle = side as i32 / 2;
            grid.set_sources(&[lamp(middle, middle)]).unwrap();
            grid.step(1);
            grid.set_sources(&[]).unwrap();
            let sum = |grid: &LightGrid| -> f64 {
                let part = |cell| capacity(grid, cell) * f64::from(grid.light(cell).x);
                places(grid).map(part).sum()
            };
            let before = sum(&grid);
            grid.step(20_000);
            sum(&grid) / before
        };
        let (narrow, wide) = (flash(40), flash(301));
        assert!(
            (0.8..0.95).contains(&narrow),
            "{neighborhood:?}: {narrow} is left"
        );
        assert_eq!(wide, 0.0, "{neighborhood:?}");
    }
}

/// Steps drop light below 1/65536, and end at most 1/65536 divided by the decay below the settled
/// light.
#[test]
fn steps_end_within_bound_below_settled_light() {
    for neighborhood in Neighborhood::ALL {
        for decay in [0.002, 0.01, 0.05, 0.3] {
            let mut stepped = LightGrid::gray(90, 20, settings(neighborhood, decay)).unwrap();
            stepped.set_sources(&[lamp(2, 10)]).unwrap();
            let mut settled = stepped.clone();
            let error = settled.settle(1e-5).error;
            stepped.step((20.0 / decay) as u32);
            let cells = lights(&settled).into_iter().zip(lights(&stepped));
            let below = cells.map(|(settled, stepped)| settled.x - stepped.x);
            let below = below.fold(f32::MIN, f32::max);
            assert!(
                below <= DARK / decay + error,
                "{neighborhood:?}, decay {decay}: {below}"
            );
        }
    }
}

#[test]
fn frosted_glass_conserves_light() {
    for neighborhood in Neighborhood::ALL {
        for passes in [0.5, 1e-2, 1e-4, 1e-6, 1e-7] {
            let mut grid = LightGrid::new(6, 6, settings(neighborhood, 0.0)).unwrap();
            grid.fill(|_| Cell::new(passes, 1.0)).unwrap();
            grid.set_ambient(0, Vec3::ONE).unwrap();
            grid.step(1);
            grid.set_ambient(0, Vec3::ZERO).unwrap();
            grid.step(10);
            let apart = apart(&lights(&grid), &[Vec3::ONE; 36]);
            assert!(apart < 1e-5, "{neighborhood:?}, {passes}: {apart}");
        }
    }
}

#[test]
fn light_fades_at_least_by_decay() {
    let mut rng = SceneRng::new(7);
    for (neighborhood, wall) in rules() {
        for decay in [0.02, 0.2] {
            let _case = Case::new(format_args!("{neighborhood:?}, {wall:?}, decay {decay}"));
            let mut grid = cave(&mut rng, neighborhood, wall, decay);
            let lamps = any_lamps(&mut rng, &grid);
            grid.set_sources(&lamps).unwrap();
            grid.step(60);
            grid.set_sources(&[]).unwrap();
            let mut before = brightest(&lights(&grid));
            let lives = (f32::ln(2.0 / DARK) / decay) as u32 + 2;
            for _ in 0..lives {
                grid.step(1);
                let after = brightest(&lights(&grid));
                let most = before * (1.0 - decay) * (1.0 + 1e-6);
                assert!(after.cmple(most).all(), "{after}, at most {most}");
                before = after;
            }
            assert_eq!(before, Vec3::ZERO);
            grid.step(1);
            assert!(!grid.tiles().any(|tile| tile.awake));
        }
    }
}

#[test]
fn even_light_fades_exactly_by_decay() {
    let mut rng = SceneRng::new(8);
    for neighborhood in Neighborhood::ALL {
        for decay in [0.01, 0.1, 0.5] {
            let mut grid = cave(&mut rng, neighborhood, Cell::WALL, decay);
            grid.set_ambient(0, Vec3::ONE).unwrap();
            grid.step(1);
            grid.set_ambient(0, Vec3::ZERO).unwrap();
            for n in 1..12 {
                grid.step(1);
                let wanted = libm::powf(1.0 - decay, n as f32);
                for cell in places(&grid).filter(|&cell| !grid.is_opaque(cell)) {
                    let light = grid.light(cell).x;
                    assert!((light / wanted - 1.0).abs() < 1e-5, "{light}, not {wanted}");
                }
            }
        }
    }
}

#[test]
fn black_corridor_dims_by_two_minus_sqrt_three() {
    let corridor = [
        "####################",
        "#..................#",
        "####################",
    ];
    let mut grid = LightGrid::new(20, 3, settings(Neighborhood::Four, 0.0)).unwrap();
    draw(&mut grid, Cell::BLACK_WALL, &corridor);
    let torch = Source::new(IVec2::new(1, 1), Vec3::splat(64.0));
    grid.set_sources(&[torch]).unwrap();
    let mut settled = grid.clone();
    settled.settle(1e-5);
    grid.step(100);
    for grid in [&grid, &settled] {
        for x in 1..7 {
            let light = |x| grid.light(IVec2::new(x, 1)).x;
            let dims = light(x + 1) / light(x);
            assert!(
                (dims - (2.0 - f32::sqrt(3.0))).abs() < 1e-3,
                "{dims} at {x}"
            );
        }
    }
}

#[test]
fn grid_without_lights_stays_dark() {
    let mut rng = SceneRng::new(9);
    for n in 0..20 {
        let mut grid = any_grid(&mut rng);
        grid.set_sources(&[Source::new(IVec2::ZERO, -Vec3::ONE)])
            .unwrap();
        for region in 0..=255 {
            grid.set_ambient(region, Vec3::ZERO).unwrap();
        }
        grid.step(10);
        grid.settle(1e-4);
        assert_eq!(brightest(&lights(&grid)), Vec3::ZERO, "grid {n}");
    }
}
