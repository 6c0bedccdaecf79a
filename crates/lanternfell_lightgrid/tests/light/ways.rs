//! The darkest path between two cells against a simple relaxation algorithm, and the light along a
//! path.

use std::cell::Cell as StdCell;

use crate::common::{
    SceneRng, draw, lamp, oracle::hexagon_middle, places, report::Case, scenes::any_grid,
};
use lanternfell_lightgrid::{
    Cell, DarkPath, Diagonals, Exposure, IVec2, LightBand, LightBands, LightError, LightGrid,
    LightSettings, Neighborhood, PathError, PathOptions, Source, Vec3, hexagonal, line,
};

const DIAGONALS: [Diagonals; 3] = [
    Diagonals::Never,
    Diagonals::RoundCorners,
    Diagonals::InTheOpen,
];

fn settings(neighborhood: Neighborhood) -> LightSettings {
    LightSettings {
        neighborhood,
        ..LightSettings::default()
    }
}

/// In units of 1/65,536 of a cell.
const STRAIGHT: u64 = 65_536;
const DIAGONAL: u64 = 92_681;

/// The cost of a step, or `None` if the character cannot take it.
fn step_cost(
    grid: &LightGrid,
    walk: &PathOptions,
    (from, step): (IVec2, IVec2),
    can_enter: &impl Fn(IVec2) -> bool,
) -> Option<u64> {
    let enters = |cell: IVec2| grid.contains(cell) && can_enter(cell);
    let is_diagonal = !is_hexagonal(grid) && step.x != 0 && step.y != 0;
    let sides = [IVec2::new(step.x, 0), IVec2::new(0, step.y)];
    let free = sides
        .into_iter()
        .filter(|&side| enters(from + side))
        .count();
    let allowed = !is_diagonal
        || match walk.diagonals {
            Diagonals::Never => false,
            Diagonals::RoundCorners => free >= 1,
            Diagonals::InTheOpen => free == 2,
        };
    let light = walk.weight * grid.luminance(from + step) * STRAIGHT as f32;
    let length = if is_diagonal { DIAGONAL } else { STRAIGHT };
    (allowed && enters(from + step)).then_some(length + light as u64)
}

fn is_hexagonal(grid: &LightGrid) -> bool {
    grid.settings().neighborhood.is_hexagonal()
}

/// The steps from a cell to its neighbors.
fn steps(grid: &LightGrid, from: IVec2) -> impl Iterator<Item = IVec2> + use<> {
    let is_hexagonal = is_hexagonal(grid);
    let all = (-1..=1).flat_map(|y| (-1..=1).map(move |x| IVec2::new(x, y)));
    all.filter(move |&step| {
        let apart = hexagon_middle(from + step).distance(hexagon_middle(from));
        step != IVec2::ZERO && (!is_hexagonal || apart < 1.1)
    })
}

/// The cost of the cheapest path from a cell to every other cell, row by row.
fn cheapest(
    grid: &LightGrid,
    walk: &PathOptions,
    from: IVec2,
    can_enter: &impl Fn(IVec2) -> bool,
) -> Vec<Option<u64>> {
    let place = |cell: IVec2| (cell.y * grid.width() as i32 + cell.x) as usize;
    let mut costs = vec![None; grid.cells().len()];
    costs[place(from)] = Some(0);
    let mut changed = true;
    while core::mem::take(&mut changed) {
        for cell in places(grid) {
            let Some(here) = costs[place(cell)] else {
                continue;
            };
            for step in steps(grid, cell) {
                if let Some(cost) = step_cost(grid, walk, (cell, step), can_enter) {
                    let there = &mut costs[place(cell + step)];
                    if there.is_none_or(|known: u64| here + cost < known) {
                        *there = Some(here + cost);
                        changed = true;
                    }
                }
            }
        }
    }
    costs
}

/// The cost of a path, step by step. Fails if it is not a valid path.
fn cost_of(
    grid: &LightGrid,
    walk: &PathOptions,
    way: &DarkPath,
    can_enter: &impl Fn(IVec2) -> bool,
) -> u64 {
    let costs = way.cells.windows(2).map(|pair| {
        let step = pair[1] - pair[0];
        assert!(steps(grid, pair[0]).any(|any| any == step), "{way:?}");
        step_cost(grid, walk, (pair[0], step), can_enter).unwrap()
    });
    costs.sum()
}

fn any_walk(rng: &mut SceneRng) -> PathOptions {
    PathOptions {
        weight: rng.one_of(&[0.0, 0.5, 4.0, 100.0, PathOptions::MAX_WEIGHT]),
        diagonals: rng.one_of(&DIAGONALS),
        ..PathOptions::default()
    }
}

#[test]
fn path_is_cheapest() {
    assert_no_way_is_cheaper(&mut SceneRng::on_squares(1));
}

#[test]
fn path_is_cheapest_on_hexagons() {
    assert_no_way_is_cheaper(&mut SceneRng::on_hexagons(1));
}

fn assert_no_way_is_cheaper(rng: &mut SceneRng) {
    let (mut found, mut none) = (0, 0);
    for n in 0..300 {
        let mut grid = any_grid(rng);
        grid.step(30);
        let walk = any_walk(rng);
        let _case = Case::new(format_args!("grid {n}, {walk:?}"));
        // Other cells than walls may be blocked too, for example by water.
        let barred = rng.one_of(&[0.0, 0.1, 0.3]);
        let barred: Vec<bool> = places(&grid).map(|_| rng.chance(barred)).collect();
        let width = grid.width() as i32;
        let can_enter =
            |cell: IVec2| !grid.is_opaque(cell) && !barred[(cell.y * width + cell.x) as usize];
        let from = rng.place(&grid);
        let costs = cheapest(&grid, &walk, from, &can_enter);
        for _ in 0..8 {
            let to = rng.place(&grid);
            match (
                grid.darkest_path(from, to, &walk, can_enter),
                costs[(to.y * width + to.x) as usize],
            ) {
                (Ok(way), Some(cost)) => {
                    found += 1;
                    assert_eq!(way.cells.first(), Some(&from));
                    assert_eq!(way.cells.last(), Some(&to));
                    assert_eq!(cost_of(&grid, &walk, &way, &can_enter), cost);
                    assert_eq!(way.cost, cost as f64 / STRAIGHT as f64);
                    let lengths = way.cells.windows(2).map(|pair| {
                        let step = (pair[1] - pair[0]).abs();
                        if !is_hexagonal(&grid) && step.x + step.y == 2 {
                            2.0_f64.sqrt()
                        } else {
                            1.0
                        }
                    });
                    let length: f64 = lengths.sum();
                    assert!((f64::from(way.length) - length).abs() < 1e-3 + 1e-5 * length);
                    assert!(way.expanded as usize <= grid.cells().len());
                }
                (Err(PathError::NoPath { from: a, to: b }), None) => {
                    none += 1;
                    assert_eq!((a, b), (from, to));
                }
                (way, cost) => panic!("{way:?}, but {cost:?} from {from} to {to}"),
            }
        }
    }
    assert!(found > 300 && none > 300, "{found} ways, {none} none");
}

/// A hall with two lamps and pillars.
fn hall() -> LightGrid {
    hall_of(Neighborhood::default())
}

fn hall_of(neighborhood: Neighborhood) -> LightGrid {
    let mut grid = LightGrid::new(40, 24, settings(neighborhood)).unwrap();
    grid.fill(|cell| {
        let pillar = cell.x % 6 == 3 && cell.y % 5 == 2;
        if pillar { Cell::WALL } else { Cell::OPEN }
    })
    .unwrap();
    let second = Source::new(IVec2::new(28, 15), Vec3::new(1.0, 0.6, 0.3));
    grid.set_sources(&[lamp(14, 10), second]).unwrap();
    grid.settle(1e-4);
    grid
}

#[test]
fn higher_weight_gives_longer_and_darker_path() {
    for neighborhood in Neighborhood::ALL {
        let _case = Case::new(format_args!("{neighborhood:?}"));
        assert_heavier_is_longer_and_darker(&hall_of(neighborhood));
    }
}

fn assert_heavier_is_longer_and_darker(grid: &LightGrid) {
    let (from, to) = (IVec2::new(1, 12), IVec2::new(38, 12));
    let mut before: Option<(f32, f32)> = None;
    for weight in [0.0, 0.3, 1.0, 3.0, 10.0, 30.0, 300.0, 10_000.0] {
        let _case = Case::new(format_args!("{weight}"));
        let walk = PathOptions {
            weight,
            ..PathOptions::default()
        };
        let way = grid
            .darkest_path(from, to, &walk, |cell| !grid.is_opaque(cell))
            .unwrap();
        let entered = way.cells[1..].iter().copied();
        let light = grid.exposure(entered, &LightBands::default()).unwrap().sum;
        let cost = f64::from(way.length + weight * light);
        assert!((cost - way.cost).abs() < 1e-3 + 1e-5 * cost);
        if let Some((length, brighter)) = before {
            assert!(way.length >= length && light <= brighter + 1e-4);
        } else {
            assert!(way.length < 40.0);
        }
        before = Some((way.length, light));
    }
}

/// The drawing with the cells of the path from `a` to `b` marked as `o`.
fn drawn(picture: &[&str], diagonals: Diagonals) -> Result<Vec<String>, PathError> {
    drawn_on(Neighborhood::default(), picture, diagonals)
}

fn drawn_on(
    neighborhood: Neighborhood,
    picture: &[&str],
    diagonals: Diagonals,
) -> Result<Vec<String>, PathError> {
    let size = IVec2::new(picture[0].len() as i32, picture.len() as i32);
    let mut grid = LightGrid::gray(size.x as u32, size.y as u32, settings(neighborhood)).unwrap();
    draw(&mut grid, Cell::WALL, picture);
    let at = |cell: IVec2| picture[cell.y as usize].as_bytes()[cell.x as usize];
    let find = |sign| places(&grid).find(|&cell| at(cell) == sign).unwrap();
    let walk = PathOptions {
        diagonals,
        ..PathOptions::default()
    };
    let can_enter = |cell: IVec2| at(cell) != b'#';
    let way = grid.darkest_path(find(b'a'), find(b'b'), &walk, can_enter)?;
    let mut rows: Vec<Vec<u8>> = picture.iter().map(|row| row.as_bytes().to_vec()).collect();
    for cell in &way.cells[1..way.cells.len() - 1] {
        rows[cell.y as usize][cell.x as usize] = b'o';
    }
    let rows = rows.into_iter().map(String::from_utf8);
    Ok(rows.map(Result::unwrap).collect())
}

#[test]
fn diagonal_steps_follow_options() {
    let room = ["a.#.", "..#.", "#...", "...b"];
    let [never, round, open] = DIAGONALS.map(|diagonals| drawn(&room, diagonals).unwrap());
    assert_eq!(round, ["a.#.", ".o#.", "#.o.", "...b"]);
    // The others go down before they go east.
    for way in [never, open] {
        assert_eq!((&way[1][1..2], &way[2][1..2]), ("o", "o"));
    }
    let gap = ["a#.", "#..", "..b"];
    for diagonals in DIAGONALS {
        let way = drawn(&gap, diagonals);
        assert!(
            matches!(way, Err(PathError::NoPath { .. })),
            "{diagonals:?}"
        );
    }
    let corner = ["a..", "#..", "#b."];
    let [never, round, open] = DIAGONALS.map(|diagonals| drawn(&corner, diagonals).unwrap());
    assert_eq!(never, ["ao.", "#o.", "#b."]);
    assert_eq!(round, ["a..", "#o.", "#b."]);
    assert_eq!(open, ["ao.", "#o.", "#b."]);
}

#[test]
fn path_among_equals_is_pinned() {
    let open = ["a.....", "......", "......", ".....b"];
    let [never, round, in_the_open] = DIAGONALS.map(|diagonals| drawn(&open, diagonals).unwrap());
    assert_eq!(round, in_the_open);
    // Pinned, because it must not depend on the machine.
    assert_eq!(never, PINNED_STRAIGHT);
    assert_eq!(round, PINNED_DIAGONAL);
}

const PINNED_STRAIGHT: [&str; 4] = ["aooooo", ".....o", ".....o", ".....b"];
const PINNED_DIAGONAL: [&str; 4] = ["a.....", ".o....", "..o...", "...oob"];

#[test]
fn path_among_equals_is_pinned_on_hexagons() {
    // Odd rows are shifted half a cell to the east.
    let open = ["a.....", "......", "......", ".....b"];
    let gap = ["a.#.", ".#..", "..#.", "#..b"];
    for diagonals in DIAGONALS {
        let drawn = |picture| drawn_on(Neighborhood::Hexagonal, picture, diagonals).unwrap();
        // Pinned, because it must not depend on the machine or on the options for squares.
        assert_eq!(drawn(&open), PINNED_ON_HEXAGONS);
        assert_eq!(drawn(&gap), PINNED_ROUND_HEXAGONS);
    }
    // The south-eastern cell is a neighbor of a cell in an odd row, but not of one in an even row.
    let door = ["a.#.", ".#..", "#..b"];
    let drawn = |picture| drawn_on(Neighborhood::Hexagonal, picture, Diagonals::default());
    assert_eq!(drawn(&door).unwrap(), ["a.#.", "o#..", "#oob"]);
    assert!(matches!(
        drawn_on(Neighborhood::Isotropic, &door, Diagonals::default()),
        Err(PathError::NoPath { .. })
    ));
    let shut = drawn(&["a#..", "#...", "...b"]);
    assert!(matches!(shut, Err(PathError::NoPath { .. })));
}

const PINNED_ON_HEXAGONS: [&str; 4] = ["aoooo.", "....o.", ".....o", ".....b"];
const PINNED_ROUND_HEXAGONS: [&str; 4] = ["a.#.", "o#..", ".o#.", "#oob"];

#[test]
fn search_in_the_dark_is_direct_on_hexagons() {
    let grid = LightGrid::gray(31, 30, settings(Neighborhood::Hexagonal)).unwrap();
    for from in [IVec2::new(15, 14), IVec2::new(15, 15)] {
        for to in places(&grid) {
            let way = grid
                .darkest_path(from, to, &PathOptions::default(), |_| true)
                .unwrap();
            let steps = hexagonal::distance(from, to);
            assert_eq!(way.cells.len() as u32, steps + 1, "{from}, {to}");
            assert_eq!((way.length, way.expanded), (steps as f32, steps));
        }
    }
}

#[test]
fn path_to_start_has_one_cell() {
    let grid = hall();
    let wall = IVec2::new(3, 2);
    for cell in [IVec2::ZERO, wall] {
        let walk = PathOptions {
            most_expanded: 0,
            ..PathOptions::default()
        };
        let way = grid.darkest_path(cell, cell, &walk, |_| false).unwrap();
        let expected = DarkPath {
            cells: vec![cell],
            length: 0.0,
            cost: 0.0,
            expanded: 0,
        };
        assert_eq!(way, expected);
    }
}

#[test]
fn path_may_start_but_not_end_in_wall() {
    let grid = hall();
    let (wall, floor) = (IVec2::new(3, 2), IVec2::new(20, 20));
    let can_enter = |cell| !grid.is_opaque(cell);
    let way = grid.darkest_path(wall, floor, &PathOptions::default(), can_enter);
    assert_eq!(way.unwrap().cells[0], wall);
    let way = grid.darkest_path(floor, wall, &PathOptions::default(), can_enter);
    let error = way.unwrap_err();
    assert_eq!(
        error,
        PathError::NoPath {
            from: floor,
            to: wall
        }
    );
    assert_eq!(error.to_string(), "no path leads from (20, 20) to (3, 2)");
}

#[test]
fn can_enter_is_called_only_inside_grid() {
    let grid = hall();
    let asked = StdCell::new(0);
    let can_enter = |cell| {
        asked.set(asked.get() + 1);
        assert!(grid.contains(cell));
        true
    };
    let far = IVec2::new(39, 23);
    grid.darkest_path(IVec2::ZERO, far, &PathOptions::default(), can_enter)
        .unwrap();
    assert!(asked.get() > 8);
}

#[test]
fn rejects_ends_outside_grid_and_invalid_weights() {
    let grid = hall();
    let inside = IVec2::new(5, 5);
    for outside in [
        IVec2::new(-1, 0),
        IVec2::new(40, 0),
        IVec2::new(0, 24),
        IVec2::MIN,
        IVec2::MAX,
    ] {
        for (from, to) in [(inside, outside), (outside, inside), (outside, outside)] {
            let way = grid.darkest_path(from, to, &PathOptions::default(), |_| true);
            let expected = LightError::Outside {
                cell: outside,
                width: 40,
                height: 24,
            };
            assert_eq!(way, Err(PathError::Input(expected)));
        }
    }
    for weight in [f32::NAN, f32::INFINITY, -1.0, -1e-30, 65_537.0] {
        let walk = PathOptions {
            weight,
            ..PathOptions::default()
        };
        let error = grid
            .darkest_path(inside, inside, &walk, |_| true)
            .unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("walk.weight is"), "{text}");
        assert!(text.ends_with("must be from 0 to 65536"), "{text}");
    }
}

#[test]
fn search_gives_up_at_limit() {
    let grid = hall();
    let (from, to) = (IVec2::new(1, 12), IVec2::new(38, 12));
    let can_enter = |cell| !grid.is_opaque(cell);
    let way = grid
        .darkest_path(from, to, &PathOptions::default(), can_enter)
        .unwrap();
    let within = |most_expanded| {
        let walk = PathOptions {
            most_expanded,
            ..PathOptions::default()
        };
        grid.darkest_path(from, to, &walk, can_enter)
    };
    assert_eq!(within(way.expanded), Ok(way.clone()));
    for most_expanded in [0, 1, way.expanded - 1] {
        assert_eq!(
            within(most_expanded),
            Err(PathError::GaveUp { most_expanded })
        );
    }
}

#[test]
fn maximum_light_and_weight_do_not_overflow() {
    let mut grid = LightGrid::new(64, 64, LightSettings::default()).unwrap();
    grid.set_ambient(0, Vec3::splat(Source::MAX_LIGHT)).unwrap();
    grid.settle(1e-3);
    let walk = PathOptions {
        weight: PathOptions::MAX_WEIGHT,
        diagonals: Diagonals::Never,
        ..PathOptions::default()
    };
    let way = grid
        .darkest_path(IVec2::ZERO, IVec2::splat(63), &walk, |_| true)
        .unwrap();
    assert!((way.cost / (126.0 * (65_536.0 * 64.0 + 1.0)) - 1.0).abs() < 1e-6);
}

#[test]
fn exposure_matches_each_cell() {
    for mut rng in [SceneRng::on_squares(2), SceneRng::on_hexagons(2)] {
        assert_exposure_is_that_of_each_cell(&mut rng);
    }
}

fn assert_exposure_is_that_of_each_cell(rng: &mut SceneRng) {
    for n in 0..60 {
        let mut grid = any_grid(rng);
        grid.step(20);
        let bands = LightBands::default();
        let cells: Vec<IVec2> = (0..rng.below(40)).map(|_| rng.place(&grid)).collect();
        let _case = Case::new(format_args!("grid {n}, {cells:?}"));
        let exposure = grid.exposure(cells.iter().copied(), &bands).unwrap();
        let light = |cell: &IVec2| grid.luminance(*cell);
        let greatest = cells.iter().map(light).fold(0.0, f32::max);
        let first = cells.iter().find(|cell| light(cell) == greatest);
        assert_eq!(exposure.brightest, first.copied());
        assert_eq!(exposure.greatest, greatest);
        let sum: f32 = cells.iter().map(light).sum();
        assert!((exposure.sum - sum).abs() <= 1e-5 * (1.0 + sum));
        assert_eq!(exposure.cells() as usize, cells.len());
        for band in LightBand::ALL {
            let is_at_least = |cell: &&IVec2| grid.band(**cell, &bands, None) >= band;
            let count = cells.iter().filter(is_at_least).count();
            assert_eq!(exposure.at_least(band) as usize, count);
            let share = count as f32 / cells.len().max(1) as f32;
            assert_eq!(exposure.share(band), share);
        }
        let mean = exposure.sum / cells.len().max(1) as f32;
        assert_eq!(exposure.mean(), mean);
    }
}

#[test]
fn exposure_of_hexagonal_line_peaks_at_lamp() {
    let mut grid = LightGrid::new(40, 24, settings(Neighborhood::Hexagonal)).unwrap();
    grid.set_sources(&[lamp(20, 9)]).unwrap();
    grid.settle(1e-4);
    let bands = LightBands::default();
    for (from, to) in [((2, 3), (37, 15)), ((12, 22), (26, 1)), ((3, 10), (36, 10))] {
        let line = || hexagonal::line(from.into(), to.into());
        let exposure = grid.exposure(line(), &bands).unwrap();
        let steps = hexagonal::distance(from.into(), to.into());
        assert_eq!(exposure.cells(), steps + 1);
        let away = |cell: IVec2| hexagon_middle(cell).distance(hexagon_middle(IVec2::new(20, 9)));
        let nearest = line().map(away).fold(f64::INFINITY, f64::min);
        let brightest = away(exposure.brightest.unwrap());
        assert!((brightest - nearest).abs() < 1e-6, "{brightest}, {nearest}");
        assert!(exposure.share(LightBand::Lit) < 0.5);
    }
}

#[test]
fn exposure_of_empty_path_is_dark() {
    let exposure = hall().exposure([], &LightBands::default()).unwrap();
    assert_eq!(exposure, Exposure::default());
    assert_eq!((exposure.mean(), exposure.cells()), (0.0, 0));
    assert_eq!(exposure.share(LightBand::Hidden), 0.0);
}

#[test]
fn exposure_rejects_cells_outside_grid() {
    let grid = hall();
    let bands = LightBands::default();
    // Regardless of how far it would continue.
    let far = line(IVec2::new(5, 5), IVec2::new(i32::MIN, 5));
    let error = LightError::Outside {
        cell: IVec2::new(-1, 5),
        width: 40,
        height: 24,
    };
    assert_eq!(grid.exposure(far, &bands), Err(error));
    let falling = LightBands {
        from: [0.1, f32::NAN, 0.5],
        ..bands
    };
    let error = grid.exposure([IVec2::ONE], &falling).unwrap_err();
    assert!(
        error.to_string().starts_with("bands.from is NaN"),
        "{error}"
    );
}
