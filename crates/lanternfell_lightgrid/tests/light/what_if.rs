//! `WhatIf` gives the same light as a copy of the grid, and leaves no trace afterwards.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::common::{
    SceneRng, bits, lamp,
    report::{Case, assert_same_light},
    scenes::{any_change, any_grid},
};
use glam::UVec2;
use lanternfell_lightgrid::{
    Cell, IVec2, LightBands, LightError, LightGrid, LightSettings, Neighborhood, PathOptions,
    Source, Vec2, Vec3, WhatIf,
};

/// A change that both kinds of grids support.
#[derive(Debug, Clone, Copy)]
enum Change {
    Cell(IVec2, Cell),
    PutOut(usize),
    Move(usize, Source),
    Add(Source),
    Clear,
}

impl Change {
    fn any(rng: &mut SceneRng, grid: &LightGrid) -> Self {
        let which = rng.below(4) as usize;
        let kinds = [Cell::OPEN, Cell::WALL, Cell::BLACK_WALL, Cell::smoke(0.3)];
        let colored = Cell::glass(rng.color());
        let at = rng.place(grid);
        let source = Source::at(at.as_vec2() + Vec2::new(rng.unit(), 0.0), rng.color());
        match rng.below(8) {
            0..=2 => Self::Cell(at, rng.one_of(&kinds)),
            3 => Self::Cell(at, colored),
            4 => Self::PutOut(which),
            5 => Self::Move(which, source),
            6 => Self::Add(source),
            _ => Self::Clear,
        }
    }

    fn ask(self, what_if: &mut WhatIf<'_>) -> Result<(), LightError> {
        match self {
            Self::Cell(at, cell) => what_if.set_cell(at, cell),
            Self::PutOut(n) => what_if.extinguish(n),
            Self::Move(n, source) => what_if.set_source(n, source),
            Self::Add(source) => {
                let mut sources = what_if.sources().to_vec();
                sources.push(source);
                what_if.set_sources(&sources)
            }
            Self::Clear => what_if.set_sources(&[]),
        }
    }

    fn make(self, grid: &mut LightGrid) {
        let mut sources = grid.sources().to_vec();
        match self {
            Self::Cell(at, cell) => grid.set_cell(at, cell).unwrap(),
            Self::PutOut(n) => {
                if let Some(source) = sources.get_mut(n) {
                    source.light = Vec3::ZERO;
                }
            }
            Self::Move(n, source) => {
                if let Some(old) = sources.get_mut(n) {
                    *old = source;
                }
            }
            Self::Add(source) => sources.push(source),
            Self::Clear => sources.clear(),
        }
        grid.set_sources(&sources).unwrap();
    }
}

/// A grid in any state: settled, on the way, with pending changes, or new.
fn any_state(rng: &mut SceneRng) -> LightGrid {
    let mut grid = any_grid(rng);
    let direct = rng.one_of(&[0.0, 0.0, 0.4]);
    let settings = LightSettings {
        direct,
        ..*grid.settings()
    };
    grid.set_settings(settings).unwrap();
    for _ in 0..rng.below(4) {
        match rng.below(5) {
            0 | 1 => {
                grid.settle(1e-4);
            }
            2 => grid.step(rng.below(12)),
            3 => {
                grid.settle_within(1e-4, rng.below(6));
            }
            _ => any_change(rng, &mut grid),
        }
        if rng.chance(0.5) {
            grid.drain_changes(|_, _, _| {});
        }
    }
    grid
}

fn drained(grid: &mut LightGrid) -> Vec<(UVec2, UVec2)> {
    let mut all = Vec::new();
    grid.drain_changes(|_, first, size| all.push((first, size)));
    all
}

/// Fails unless both grids are equal in everything visible, and remain so.
fn assert_same(grid: &mut LightGrid, other: &mut LightGrid, rng: &mut SceneRng) {
    let seed = rng.bits();
    assert_same_light(grid, other, "immediately");
    assert_eq!(grid.cells(), other.cells());
    assert_eq!(grid.sources(), other.sources());
    assert_eq!(grid.residual(), other.residual());
    assert_eq!(
        grid.tiles().collect::<Vec<_>>(),
        other.tiles().collect::<Vec<_>>()
    );
    assert_eq!(drained(grid), drained(other));
    let mut settled = Vec::new();
    for grid in [&mut *grid, &mut *other] {
        let mut rng = rng.with_seed(seed);
        for _ in 0..4 {
            match rng.below(3) {
                0 => settled.push(grid.settle(1e-4)),
                1 => grid.step(1 + rng.below(9)),
                _ => any_change(&mut rng, grid),
            }
        }
    }
    let (first, second) = settled.split_at(settled.len() / 2);
    assert_eq!(first, second);
    assert_same_light(grid, other, "later");
    assert_eq!(drained(grid), drained(other));
}

#[test]
fn what_if_equals_copy_and_is_reverted() {
    assert_as_a_copy_and_then_as_before(&mut SceneRng::on_squares(1));
}

#[test]
fn what_if_equals_copy_and_is_reverted_on_hexagons() {
    assert_as_a_copy_and_then_as_before(&mut SceneRng::on_hexagons(1));
}

fn assert_as_a_copy_and_then_as_before(rng: &mut SceneRng) {
    for n in 0..400 {
        let mut grid = any_state(rng);
        let _case = Case::new(format_args!("grid {n}, {:?}", grid.settings()));
        let mut untouched = grid.clone();
        for _ in 0..=rng.below(2) {
            let mut copy = grid.clone();
            let mut what_if = grid.what_if();
            for _ in 0..=rng.below(4) {
                let change = Change::any(rng, &what_if);
                // Some changes refer to sources that do not exist.
                let _ = change.ask(&mut what_if);
                change.make(&mut copy);
                if rng.chance(0.4) {
                    let settled = what_if.settle_within(1e-4, 1 + 100 * rng.below(3));
                    assert!(settled.sweeps <= 201);
                    copy.settle_within(1e-4, settled.sweeps.max(1));
                }
            }
            assert_eq!(what_if.settle(1e-5), copy.settle(1e-5));
            assert_same_light(&what_if, &copy, "if");
        }
        assert_same(&mut grid, &mut untouched, rng);
    }
}

#[test]
fn unused_what_if_changes_nothing() {
    for mut rng in [SceneRng::on_squares(2), SceneRng::on_hexagons(2)] {
        assert_nothing_happens(&mut rng);
    }
}

fn assert_nothing_happens(rng: &mut SceneRng) {
    for n in 0..60 {
        let mut grid = any_state(rng);
        let _case = Case::new(format_args!("grid {n}"));
        let mut untouched = grid.clone();
        drop(grid.what_if());
        let mut what_if = grid.what_if();
        let change = Change::any(rng, &what_if);
        let _ = change.ask(&mut what_if);
        drop(what_if);
        assert_same(&mut grid, &mut untouched, rng);
    }
}

/// A house with two rooms, a door and two lamps.
fn house() -> LightGrid {
    house_of(Neighborhood::default())
}

fn house_of(neighborhood: Neighborhood) -> LightGrid {
    let settings = LightSettings {
        neighborhood,
        ..LightSettings::default()
    };
    let mut grid = LightGrid::new(80, 60, settings).unwrap();
    grid.fill(|cell| if cell.x == 40 { Cell::WALL } else { Cell::OPEN })
        .unwrap();
    grid.set_sources(&[lamp(30, 30), lamp(10, 10)]).unwrap();
    grid.settle(1e-4);
    grid
}

#[test]
fn pending_changes_survive_what_if() {
    let own: [fn(&mut LightGrid); 4] = [
        |grid| grid.set_ambient(0, Vec3::splat(0.2)).unwrap(),
        |grid| grid.set_sources(&[lamp(20, 20)]).unwrap(),
        |grid| grid.set_cell(IVec2::new(31, 30), Cell::WALL).unwrap(),
        |grid| grid.darken(),
    ];
    let mut rng = SceneRng::on_squares(3);
    let squares = own.map(|own| (own, Neighborhood::default()));
    let hexagons = own.map(|own| (own, Neighborhood::Hexagonal));
    for (n, (own, neighborhood)) in squares.into_iter().chain(hexagons).enumerate() {
        let _case = Case::new(n);
        let mut grid = house_of(neighborhood);
        own(&mut grid);
        let mut untouched = grid.clone();
        let before = bits(&grid);
        let mut what_if = grid.what_if();
        what_if.extinguish(0).unwrap();
        what_if.settle(1e-4);
        assert_ne!(bits(&what_if), before);
        drop(what_if);
        assert_eq!(bits(&grid), before);
        assert_same(&mut grid, &mut untouched, &mut rng);
        grid.settle(1e-4);
        untouched.settle(1e-4);
        assert_same_light(&grid, &untouched, "with pending changes");
    }
}

#[test]
fn what_if_supports_all_queries() {
    for neighborhood in Neighborhood::ALL {
        let _case = Case::new(format_args!("{neighborhood:?}"));
        assert_all_can_be_asked(house_of(neighborhood));
    }
}

fn assert_all_can_be_asked(mut grid: LightGrid) {
    let before = bits(&grid);
    let (door, behind) = (IVec2::new(40, 30), IVec2::new(43, 30));
    let mut what_if = grid.what_if();
    what_if.set_cell(door, Cell::OPEN).unwrap();
    what_if.settle(1e-4);
    assert!(what_if.line_of_sight(IVec2::new(30, 30), behind));
    let who = what_if.contributions(behind, 1e-4).unwrap();
    assert_eq!(who.main_source(), Some(0));
    let floor = |cell: IVec2| !what_if.is_opaque(cell);
    let way = what_if.darkest_path(IVec2::new(5, 50), behind, &PathOptions::default(), floor);
    let way = way.unwrap();
    assert!(way.cells.contains(&door));
    let exposure = what_if.exposure(way.cells, &LightBands::default()).unwrap();
    assert!(exposure.greatest > 0.0);
    drop(what_if);
    assert_eq!(bits(&grid), before);
}

#[test]
fn what_if_is_reverted_on_panic() {
    let mut grid = house();
    let before = bits(&grid);
    let asks = AssertUnwindSafe(|| {
        let mut what_if = grid.what_if();
        what_if.extinguish(0).unwrap();
        what_if.settle(1e-4);
        assert_eq!(what_if.sources()[0].light, Vec3::ZERO);
        panic!("in the caller");
    });
    assert!(catch_unwind(asks).is_err());
    assert_eq!(bits(&grid), before);
    assert_eq!(grid.sources(), [lamp(30, 30), lamp(10, 10)]);
}

#[test]
fn rejects_invalid_changes() {
    let mut grid = house();
    let before = bits(&grid);
    let mut what_if = grid.what_if();
    for index in [2, usize::MAX] {
        let error = LightError::NoSource { index, count: 2 };
        assert_eq!(what_if.extinguish(index), Err(error.clone()));
        assert_eq!(what_if.set_source(index, lamp(1, 1)), Err(error.clone()));
        let text = format!("source index is {index}, but the grid has 2 sources, counted from 0");
        assert_eq!(error.to_string(), text);
    }
    let absurd = Source::at(Vec2::new(f32::NAN, 0.0), Vec3::ONE);
    assert!(what_if.set_source(0, absurd).is_err());
    assert!(what_if.set_sources(&[absurd]).is_err());
    let outside = what_if.set_cell(IVec2::new(80, 0), Cell::WALL);
    assert!(matches!(outside, Err(LightError::Outside { .. })));
    let opaque = Cell::new(f32::NAN, 0.0);
    assert!(what_if.set_cell(IVec2::ONE, opaque).is_err());
    what_if.settle(1e-4);
    assert_eq!(bits(&what_if), before);
    drop(what_if);
    assert_eq!(bits(&grid), before);
}
