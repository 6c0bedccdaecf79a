//! The contributions to the light of a cell, against the light of each source alone.

use crate::common::{
    SceneRng, draw, lamp,
    oracle::Oracle,
    places,
    report::Case,
    scenes::{any_change, any_grid, any_grid_of},
};
use glam::DVec3;
use lanternfell_lightgrid::{
    Cell, Contributions, Falloff, IVec2, LightError, LightGrid, LightSettings, Neighborhood,
    Source, Vec2, Vec3, hexagonal,
};

fn settings(neighborhood: Neighborhood, decay: f32) -> LightSettings {
    LightSettings {
        neighborhood,
        falloff: Falloff::Decay(decay),
        direct: 0.0,
    }
}

/// What determines the light of a cell in one color.
#[derive(Clone, Copy, PartialEq)]
enum Held {
    Free,
    Source(usize),
    Ambient,
    Black,
}

/// The settled light as a linear problem: what holds each cell, and which darkness takes light from
/// it.
struct Linear {
    settled: Oracle,
    held: Vec<[Held; 3]>,
    dark: Vec<[Option<usize>; 3]>,
}

impl Linear {
    /// `None` if rounding could decide what holds a cell.
    fn of(grid: &LightGrid) -> Option<Self> {
        let mut settled = Oracle::of(grid);
        settled.rest(1e-9);
        let alone: Vec<Oracle> = grid
            .sources()
            .iter()
            .map(|&source| {
                let mut alone = grid.clone();
                alone.set_sources(&[source]).unwrap();
                Oracle::of(&alone)
            })
            .collect();
        let (mut held, mut dark) = (Vec::new(), Vec::new());
        for (index, cell) in places(grid).enumerate() {
            let average = settled.average_of(&settled.light, cell);
            let first_with = |of: &dyn Fn(&Oracle) -> f64, most: f64| {
                (most > 0.0).then(|| alone.iter().position(|oracle| of(oracle) == most).unwrap())
            };
            let (mut holders, mut darks) = ([Held::Free; 3], [None; 3]);
            for color in 0..3 {
                let floor = settled.ambient[index][color];
                let lamp = settled.held[index][color];
                let taken = settled.dark[index][color];
                let average = average[color];
                let asked = lamp.max(floor);
                let all = asked.max(average);
                let unsure = |a: f64, b: f64| (a - b).abs() < 2e-3;
                if (asked > 0.0 && unsure(asked, average)) || (taken > 0.0 && unsure(all, taken)) {
                    return None;
                }
                let source = first_with(&|oracle| oracle.held[index][color], lamp);
                darks[color] = first_with(&|oracle| oracle.dark[index][color], taken);
                holders[color] = match source {
                    _ if taken > 0.0 && all <= taken => Held::Black,
                    Some(source) if lamp >= average && lamp >= floor => Held::Source(source),
                    _ if floor > 0.0 && floor >= average => Held::Ambient,
                    _ => Held::Free,
                };
            }
            held.push(holders);
            dark.push(darks);
        }
        Some(Self {
            settled,
            held,
            dark,
        })
    }

    /// The light of one source alone, or of the ambient light of one region alone, with all other
    /// held cells dark. Computed by updating cell after cell until nothing changes.
    fn part(&self, grid: &LightGrid, source: Option<usize>, region: Option<u8>) -> Vec<DVec3> {
        let mut light = vec![DVec3::ZERO; self.held.len()];
        loop {
            let mut change = 0.0_f64;
            for (index, cell) in places(grid).enumerate() {
                let average = self.settled.average_of(&light, cell);
                let mut next = DVec3::ZERO;
                for color in 0..3 {
                    let own = match self.held[index][color] {
                        Held::Free => average[color],
                        Held::Source(n) if Some(n) == source => self.settled.held[index][color],
                        Held::Ambient if Some(grid.region(cell)) == region => {
                            self.settled.ambient[index][color]
                        }
                        Held::Source(_) | Held::Ambient | Held::Black => 0.0,
                    };
                    let takes = self.held[index][color] != Held::Black
                        && source.is_some()
                        && self.dark[index][color] == source;
                    let taken = if takes {
                        self.settled.dark[index][color]
                    } else {
                        0.0
                    };
                    next[color] = own - taken;
                }
                change = change.max((next - light[index]).abs().max_element());
                light[index] = next;
            }
            if change < 1e-9 {
                return light;
            }
        }
    }
}

fn brightest(grid: &LightGrid) -> f32 {
    let lights = grid.lights().map(Vec3::max_element);
    lights.fold(1.0, f32::max)
}

/// The tolerance for parts.
const TOLERANCE: f32 = 1e-4;

#[test]
fn parts_equal_light_of_each_source_alone() {
    assert_parts_are_light_alone(&mut SceneRng::on_squares(1));
}

#[test]
fn parts_equal_light_of_each_source_alone_on_hexagons() {
    assert_parts_are_light_alone(&mut SceneRng::on_hexagons(1));
}

fn assert_parts_are_light_alone(rng: &mut SceneRng) {
    let mut compared = 0;
    for n in 0..220 {
        let decay = rng.one_of(&[0.02, 0.1, 0.5]);
        let settings = settings(rng.neighborhood(), decay);
        let (width, height) = (1 + rng.below(14), 1 + rng.below(14));
        let mut grid = any_grid_of(rng, width, height, settings);
        let settled = grid.settle(1e-6);
        let _case = Case::new(format_args!(
            "grid {n}, {settings:?}, {:?}\n{}",
            grid.sources(),
            grid.dump()
        ));
        let Some(linear) = Linear::of(&grid) else {
            continue;
        };
        let sources = 0..grid.sources().len();
        let sources: Vec<Vec<DVec3>> = sources
            .map(|source| linear.part(&grid, Some(source), None))
            .collect();
        let mut regions: Vec<u8> = places(&grid).map(|cell| grid.region(cell)).collect();
        regions.sort_unstable();
        regions.dedup();
        let ambient: Vec<(u8, Vec<DVec3>)> = regions
            .into_iter()
            .map(|region| (region, linear.part(&grid, None, Some(region))))
            .collect();
        let allowed = TOLERANCE + settled.error + 1e-5 * brightest(&grid);
        for (index, cell) in places(&grid).enumerate() {
            if index % 3 != 0 {
                continue;
            }
            let found = grid.contributions(cell, TOLERANCE).unwrap();
            assert_eq!(found.light, grid.light(cell));
            assert!(
                found.rest.abs().max_element() <= allowed,
                "{cell}: {found:?}"
            );
            for (part, alone) in found.sources.iter().zip(&sources) {
                let apart = (part.as_dvec3() - alone[index]).abs().max_element() as f32;
                assert!(apart <= allowed, "{cell}: {found:?}, {}", alone[index]);
            }
            for (region, alone) in &ambient {
                let part = found.ambient.iter().find(|(of, _)| of == region);
                let part = part.map_or(Vec3::ZERO, |&(_, part)| part);
                let apart = (part.as_dvec3() - alone[index]).abs().max_element() as f32;
                assert!(apart <= allowed, "{cell}, {region}: {found:?}");
            }
            compared += 1;
        }
    }
    assert!(compared > 2000, "{compared}");
}

fn sum(found: &Contributions) -> Vec3 {
    let ambient = found.ambient.iter().map(|&(_, part)| part);
    found.sources.iter().copied().chain(ambient).sum()
}

#[test]
fn parts_sum_to_light() {
    assert_they_add_up(&mut SceneRng::on_squares(2));
}

#[test]
fn parts_sum_to_light_on_hexagons() {
    assert_they_add_up(&mut SceneRng::on_hexagons(2));
}

fn assert_they_add_up(rng: &mut SceneRng) {
    for n in 0..120 {
        let mut grid = any_grid(rng);
        let direct = rng.one_of(&[0.0, 0.0, 0.3, 1.0]);
        let settings = LightSettings {
            direct,
            ..*grid.settings()
        };
        grid.set_settings(settings).unwrap();
        let settled = grid.settle(1e-5);
        let _case = Case::new(format_args!("grid {n}, {settings:?}\n{}", grid.dump()));
        for _ in 0..6 {
            let cell = rng.place(&grid);
            let found = grid.contributions(cell, TOLERANCE).unwrap();
            assert_eq!(found.sources.len(), grid.sources().len());
            let apart = (sum(&found) + found.rest - found.light).abs().max_element();
            assert!(apart <= 1e-4 * brightest(&grid), "{cell}: {found:?}");
            if grid.decay() >= 0.002 {
                let allowed = TOLERANCE + settled.error + 2e-5 * brightest(&grid);
                let rest = found.rest.abs().max_element();
                assert!(rest <= allowed, "{cell}: {found:?}, {allowed}");
            }
        }
    }
}

/// Three rooms in a row: two with a lamp each and a door between them, and one without a door.
fn rooms() -> LightGrid {
    rooms_of(LightSettings::default())
}

fn rooms_of(settings: LightSettings) -> LightGrid {
    let picture = [
        "###################",
        "#.....#.....#.....#",
        "#.....#.....#.....#",
        "#...........#.....#",
        "#.....#.....#.....#",
        "###################",
    ];
    let mut grid = LightGrid::new(19, 6, settings).unwrap();
    draw(&mut grid, Cell::wall(Vec3::new(0.9, 0.5, 0.2)), &picture);
    let green = Source::new(IVec2::new(9, 1), Vec3::new(0.1, 0.9, 0.2));
    let far = Source::at(Vec2::new(15.3, 2.6), Vec3::splat(2.0));
    grid.set_sources(&[lamp(2, 2), green, far]).unwrap();
    grid.settle(1e-5);
    grid
}

#[test]
fn only_lamp_has_all_light() {
    let mut grid = rooms();
    let far = IVec2::new(14, 4);
    let found = grid.contributions(far, 1e-5).unwrap();
    assert!((found.sources[2] - found.light).abs().max_element() < 1e-4);
    assert_eq!(found.sources[..2], [Vec3::ZERO; 2]);
    assert_eq!(found.main_source(), Some(2));
    assert!((found.share(2) - 1.0).abs() < 1e-3);
    assert_eq!(
        (found.share(0), found.share(3), found.share(usize::MAX)),
        (0.0, 0.0, 0.0)
    );
    grid.set_sources(&[lamp(2, 2)]).unwrap();
    grid.settle(1e-5);
    let dark = grid.contributions(far, 1e-5).unwrap();
    assert_eq!(
        (dark.light, dark.main_source(), dark.share(0)),
        (Vec3::ZERO, None, 0.0)
    );
}

#[test]
fn wall_is_lit_by_lamps_of_its_room() {
    let grid = rooms();
    let found = grid.contributions(IVec2::new(0, 2), 1e-5).unwrap();
    assert!(grid.is_opaque(IVec2::new(0, 2)) && found.light.x > 0.1);
    assert_eq!(found.main_source(), Some(0));
    assert!(found.rest.abs().max_element() < 1e-4);
    // A wall does not receive light from the room behind an opaque wall.
    assert_eq!(found.sources[2], Vec3::ZERO);
}

#[test]
fn part_is_derivative_of_light() {
    for neighborhood in Neighborhood::ALL {
        let _case = Case::new(format_args!("{neighborhood:?}"));
        assert_adds_so_much(&rooms_of(LightSettings {
            neighborhood,
            ..LightSettings::default()
        }));
    }
}

fn assert_adds_so_much(grid: &LightGrid) {
    for cell in places(grid).filter(|cell| (cell.x + cell.y) % 3 == 0) {
        let found = grid.contributions(cell, 1e-5).unwrap();
        for n in 0..3 {
            let _case = Case::new(format_args!("{cell}, source {n}"));
            let mut stronger = grid.clone();
            let mut sources = grid.sources().to_vec();
            sources[n].light *= 1.05;
            stronger.set_sources(&sources).unwrap();
            stronger.settle(1e-5);
            let more = (stronger.light(cell) - grid.light(cell)) / 0.05;
            assert!((more - found.sources[n]).abs().max_element() < 2e-3);
        }
    }
}

#[test]
fn removing_lamp_loses_at_most_its_part() {
    assert_no_more_is_missing(&mut SceneRng::on_squares(3));
}

#[test]
fn removing_lamp_loses_at_most_its_part_on_hexagons() {
    assert_no_more_is_missing(&mut SceneRng::on_hexagons(3));
}

fn assert_no_more_is_missing(rng: &mut SceneRng) {
    for n in 0..40 {
        let (width, height) = (1 + rng.below(24), 1 + rng.below(24));
        let settings = settings(rng.neighborhood(), rng.one_of(&[0.02, 0.2]));
        let mut grid = any_grid_of(rng, width, height, settings);
        let slack = 3e-4 + 2.0 * grid.settle(1e-5).error + 1e-4 * brightest(&grid);
        let lamps = 0..grid.sources().len();
        for lamp in lamps.filter(|&lamp| grid.sources()[lamp].light.min_element() >= 0.0) {
            let mut without = grid.clone();
            let mut sources = grid.sources().to_vec();
            sources[lamp].light = Vec3::ZERO;
            without.set_sources(&sources).unwrap();
            without.settle(1e-5);
            for _ in 0..4 {
                let cell = rng.place(&grid);
                let _case = Case::new(format_args!("grid {n}, {cell}, source {lamp}"));
                let part = grid.contributions(cell, 1e-5).unwrap().sources[lamp];
                let missing = grid.light(cell) - without.light(cell);
                assert!(
                    (missing - part).max_element() <= slack,
                    "{missing} of {part}"
                );
            }
        }
    }
}

#[test]
fn outshone_lamp_has_no_part() {
    let mut grid = LightGrid::new(20, 20, LightSettings::default()).unwrap();
    let candle = Source::new(IVec2::new(11, 10), Vec3::splat(0.05));
    let weaker = Source::new(IVec2::new(10, 10), Vec3::splat(0.5));
    grid.set_sources(&[candle, weaker, lamp(10, 10), lamp(10, 10)])
        .unwrap();
    grid.settle(1e-5);
    for cell in [IVec2::new(11, 10), IVec2::new(10, 10), IVec2::new(3, 12)] {
        let found = grid.contributions(cell, 1e-5).unwrap();
        let none = Vec3::ZERO;
        assert_eq!(found.sources[..2], [none, none], "{cell}");
        assert_eq!(found.sources[3], none, "{cell}");
        assert!(found.share(2) > 0.99, "{cell}");
    }
}

#[test]
fn darkness_has_negative_part() {
    for (strength, direct) in [(-0.05, 0.0), (-64.0, 0.0), (-0.05, 0.5), (-64.0, 0.5)] {
        let _case = Case::new(format_args!("{strength}, {direct}"));
        let settings = LightSettings {
            direct,
            ..LightSettings::default()
        };
        let mut grid = LightGrid::new(20, 20, settings).unwrap();
        let darkness = Source::new(IVec2::new(12, 10), Vec3::splat(strength));
        grid.set_sources(&[lamp(10, 10), darkness]).unwrap();
        grid.settle(1e-5);
        for cell in [IVec2::new(12, 10), IVec2::new(14, 10)] {
            let found = grid.contributions(cell, 1e-5).unwrap();
            assert!(found.rest.abs().max_element() < 1e-3, "{found:?}");
            if strength == -64.0 {
                assert_eq!(found.sources[1], Vec3::ZERO);
            } else {
                assert!(found.sources[1].max_element() < 0.0, "{found:?}");
            }
            let is_black = strength == -64.0 && cell == IVec2::new(12, 10);
            assert_eq!(found.sources[0] == Vec3::ZERO, is_black);
        }
    }
}

#[test]
fn ambient_light_has_part_of_its_region() {
    for direct in [0.0, 0.4] {
        let settings = LightSettings {
            direct,
            ..LightSettings::default()
        };
        let mut grid = LightGrid::new(24, 12, settings).unwrap();
        for cell in places(&grid).filter(|cell| cell.x < 8) {
            grid.set_region(cell, 3).unwrap();
        }
        let sky = Vec3::new(0.5, 0.6, 0.8);
        grid.set_ambient(3, sky).unwrap();
        grid.set_sources(&[lamp(20, 6)]).unwrap();
        grid.settle(1e-5);
        let yard = grid.contributions(IVec2::new(2, 2), 1e-5).unwrap();
        assert_eq!(yard.ambient.len(), 1);
        assert_eq!(yard.ambient[0].0, 3);
        assert!((yard.ambient[0].1 - sky).abs().max_element() < 1e-3);
        let cave = grid.contributions(IVec2::new(11, 6), 1e-5).unwrap();
        assert!(cave.ambient[0].1.min_element() > 0.01 && cave.share(0) > 0.01);
        assert!(cave.rest.abs().max_element() < 1e-3);
    }
}

#[test]
fn straight_light_is_divided_in_proportion() {
    let settings = LightSettings {
        direct: 1.0,
        ..LightSettings::default()
    };
    let alone = |lamps: &[Source]| {
        let mut grid = LightGrid::new(30, 20, settings).unwrap();
        grid.set_sources(lamps).unwrap();
        grid.settle(1e-5);
        grid
    };
    let lamps = [
        lamp(8, 10),
        Source::new(IVec2::new(20, 9), Vec3::new(1.0, 0.4, 0.0)),
    ];
    let both = alone(&lamps);
    let each = lamps.map(|lamp| alone(&[lamp]));
    for cell in places(&both).step_by(7) {
        let _case = Case::new(format_args!("{cell}"));
        let found = both.contributions(cell, 1e-5).unwrap();
        let [a, b] = [each[0].light(cell), each[1].light(cell)];
        let share = a / (a + b).max(Vec3::splat(1e-9));
        let wanted = both.light(cell) * share;
        assert!((found.sources[0] - wanted).abs().max_element() < 1e-5);
        assert!(found.rest.abs().max_element() < 1e-5);
    }
}

/// The straight light of one source alone.
fn straight(grid: &LightGrid, source: Source) -> Vec<Vec3> {
    let mut alone = grid.clone();
    let settings = LightSettings {
        direct: 1.0,
        ..*grid.settings()
    };
    alone.set_settings(settings).unwrap();
    alone.set_sources(&[source]).unwrap();
    alone.step(1);
    alone.lights().collect()
}

#[test]
fn mixed_light_of_lamps_between_cells_is_divided_by_kind() {
    let mut rng = SceneRng::new(7);
    let mut compared = 0;
    for n in 0..40 {
        let direct = rng.one_of(&[0.3, 1.0]);
        let mixed = LightSettings {
            direct,
            ..settings(Neighborhood::ALL[n % 4], 0.1)
        };
        let mut grid = LightGrid::new(13, 12, mixed).unwrap();
        let kinds = [Cell::OPEN, Cell::OPEN, Cell::OPEN, Cell::WALL];
        grid.fill(|_| rng.one_of(&kinds)).unwrap();
        let lamps: Vec<Source> = (0..3)
            .map(|_| {
                let at = Vec2::new(rng.unit(), rng.unit()) * Vec2::new(12.0, 11.0);
                Source::at(at, 0.2 + rng.color())
            })
            .collect();
        grid.set_sources(&lamps).unwrap();
        let slack = TOLERANCE + grid.settle(1e-6).error + 1e-5;
        let _case = Case::new(format_args!(
            "grid {n}, {mixed:?}, {lamps:?}\n{}",
            grid.dump()
        ));
        let mut flowing = grid.clone();
        flowing
            .set_settings(LightSettings {
                direct: 0.0,
                ..mixed
            })
            .unwrap();
        flowing.settle(1e-6);
        let Some(linear) = Linear::of(&flowing) else {
            continue;
        };
        let flows = [0, 1, 2].map(|lamp| linear.part(&flowing, Some(lamp), None));
        let straight = [0, 1, 2].map(|lamp| straight(&grid, lamps[lamp]));
        // The light of all lamps, added one after the other.
        let most = lamps
            .iter()
            .fold(0.0, |most: f32, lamp| most.max(lamp.light.max_element()));
        for (index, cell) in places(&grid).enumerate() {
            let found = grid.contributions(cell, TOLERANCE).unwrap();
            let alone = [0, 1, 2].map(|lamp| straight[lamp][index]);
            let all = alone
                .iter()
                .fold(Vec3::ZERO, |sum, &more| sum + more - sum * more / most);
            let sum: Vec3 = alone.iter().sum();
            for lamp in 0..3 {
                let share = alone[lamp] * all / sum.max(Vec3::splat(1e-9));
                let wanted = flows[lamp][index].as_vec3() * (1.0 - direct) + share * direct;
                let apart = (found.sources[lamp] - wanted).abs().max_element();
                assert!(apart <= slack, "{cell}: {found:?}, {wanted} of {lamp}");
            }
            assert!(found.rest.abs().max_element() <= slack, "{cell}: {found:?}");
            compared += 1;
        }
    }
    assert!(compared > 40 * 13 * 12 / 2, "{compared}");
}

#[test]
fn lamp_between_three_hexagons_holds_all_three() {
    for y in [10.5, 11.5] {
        let settings = settings(Neighborhood::Hexagonal, 0.05);
        let mut grid = LightGrid::new(24, 24, settings).unwrap();
        let lamps = [Source::at(Vec2::new(10.25, y), Vec3::ONE), lamp(18, 11)];
        grid.set_sources(&lamps).unwrap();
        grid.settle(1e-6);
        let parts = |cell| grid.contributions(cell, 1e-6).unwrap().sources;
        // In cells that hold a share of the source, other lamps have no part.
        let held: Vec<IVec2> = places(&grid)
            .filter(|&cell| parts(cell)[1] == Vec3::ZERO)
            .collect();
        assert_eq!(held.len(), 3, "{held:?}");
        for &cell in &held {
            assert!(
                held.iter()
                    .all(|&other| hexagonal::distance(cell, other) <= 1)
            );
            assert_eq!(parts(cell)[0], grid.light(cell));
        }
        let far = parts(IVec2::new(14, 11));
        assert!(far[0].x > 0.03 && far[1].x > 0.03, "{far:?}");
    }
}

#[test]
fn light_of_removed_lamp_is_rest() {
    let mut grid = rooms();
    let cell = IVec2::new(4, 3);
    grid.set_sources(&[]).unwrap();
    grid.step(1);
    let found = grid.contributions(cell, 1e-5).unwrap();
    assert!(found.light.min_element() > 0.1);
    assert_eq!((found.rest, found.main_source()), (found.light, None));
}

#[test]
fn room_without_decay_ends_search() {
    let mut grid = LightGrid::new(9, 9, settings(Neighborhood::Eight, 0.0)).unwrap();
    grid.fill(|cell| {
        if cell == IVec2::splat(4) {
            Cell::OPEN
        } else {
            Cell::WALL
        }
    })
    .unwrap();
    grid.set_sources(&[lamp(4, 4)]).unwrap();
    grid.settle(1e-4);
    grid.set_sources(&[]).unwrap();
    grid.settle(1e-4);
    let found = grid.contributions(IVec2::splat(4), 1e-4).unwrap();
    assert_eq!((found.light, found.rest), (Vec3::ONE, Vec3::ONE));
    // A whole hall of such cells, where the sweeps do not converge.
    grid.fill(|_| Cell::OPEN).unwrap();
    grid.settle(1e-4);
    let found = grid.contributions(IVec2::splat(4), 1e-4).unwrap();
    assert_eq!(found.rest, found.light);
    grid.set_sources(&[lamp(1, 7)]).unwrap();
    grid.settle(1e-4);
    let found = grid.contributions(IVec2::splat(4), 1e-4).unwrap();
    assert!(
        (found.sources[0] - 1.0).abs().max_element() < 2e-3,
        "{found:?}"
    );
}

#[test]
fn pending_changes_are_rest() {
    assert_changes_are_the_rest_s(&mut SceneRng::on_squares(5));
}

#[test]
fn pending_changes_are_rest_on_hexagons() {
    assert_changes_are_the_rest_s(&mut SceneRng::on_hexagons(5));
}

fn assert_changes_are_the_rest_s(rng: &mut SceneRng) {
    for n in 0..150 {
        let mut grid = any_grid(rng);
        let settings = LightSettings {
            direct: rng.one_of(&[0.0, 0.5, 1.0]),
            ..*grid.settings()
        };
        grid.set_settings(settings).unwrap();
        grid.settle_within(1e-3, rng.below(40));
        for _ in 0..3 {
            any_change(rng, &mut grid);
        }
        if rng.chance(0.3) {
            grid.set_sources(&[]).unwrap();
        }
        let _case = Case::new(format_args!("grid {n}, {settings:?}"));
        for _ in 0..4 {
            let cell = rng.place(&grid);
            let found = grid.contributions_within(cell, 1e-3, 200).unwrap();
            assert_eq!(found.light, grid.light(cell));
            assert_eq!(found.sources.len(), grid.sources().len());
            let all = sum(&found) + found.rest;
            let most = found
                .sources
                .iter()
                .fold(1.0, |most: f32, part| most.max(part.abs().max_element()));
            assert!((all - found.light).abs().max_element() <= 1e-5 * most * brightest(&grid));
        }
    }
}

#[test]
fn fewer_sweeps_leave_more_rest() {
    let grid = rooms();
    let cell = IVec2::new(5, 4);
    let rests = [0, 4, 12, 200].map(|sweeps| {
        let found = grid.contributions_within(cell, 1e-5, sweeps).unwrap();
        found.rest.abs().max_element()
    });
    assert_eq!(rests[0], grid.light(cell).max_element());
    assert!(rests[1] < rests[0] && rests[3] < 1e-4, "{rests:?}");
}

#[test]
fn rejects_cells_outside_grid_and_accepts_any_tolerance() {
    let grid = rooms();
    for cell in [IVec2::new(-1, 0), IVec2::new(19, 0), IVec2::MIN, IVec2::MAX] {
        let error = LightError::Outside {
            cell,
            width: 19,
            height: 6,
        };
        assert_eq!(grid.contributions(cell, 1e-3), Err(error));
    }
    let cell = IVec2::new(4, 3);
    let best = grid.contributions(cell, 1e-6);
    for tolerance in [f32::NAN, -1.0, 0.0, f32::NEG_INFINITY, 1e-30] {
        assert_eq!(grid.contributions(cell, tolerance), best);
    }
    assert!(grid.contributions(cell, f32::INFINITY).is_ok());
}
