//! Blockers, and the cells below them.

use bevy::prelude::*;
use lanternfell_random::SeededRng;
use lanternfell_torchlight::prelude::*;

use crate::common::*;

const HERE: IVec2 = IVec2::new(4, 3);

fn app_with_map() -> (App, Entity) {
    let mut app = app();
    let map = app.world_mut().spawn(settled(9, 7)).id();
    app.update();
    (app, map)
}

/// The cell including blockers, and the map's own cell.
fn cells_at(app: &App, entity: Entity, at: IVec2) -> (Cell, Cell) {
    let map = map(app, entity);
    (map.grid().cell(at), map.cell(at))
}

fn block(app: &mut App, at: IVec2, cell: Cell) -> Entity {
    let blocker = (LightBlocker::new(cell), LightCell::from(at));
    app.world_mut().spawn(blocker).id()
}

#[test]
fn blocker_covers_its_cell() {
    let (mut app, map) = app_with_map();
    block(&mut app, HERE, Cell::WALL);
    app.update();
    assert_eq!(cells_at(&app, map, HERE), (Cell::WALL, Cell::OPEN));
    assert_eq!(
        cells_at(&app, map, HERE + IVec2::X),
        (Cell::OPEN, Cell::OPEN)
    );
}

#[test]
fn blocker_blocks_light() {
    let (mut app, map) = app_with_map();
    // A corridor.
    map_mut(&mut app, map)
        .fill(|cell| if cell.y == 3 { Cell::OPEN } else { Cell::WALL })
        .unwrap();
    app.world_mut().spawn((lamp(), LightCell::new(1, 3)));
    app.update();
    let behind = IVec2::new(7, 3);
    let open = crate::common::map(&app, map).grid().luminance(behind);
    block(&mut app, HERE, Cell::WALL);
    updates(&mut app, 4);
    let blocked = crate::common::map(&app, map).grid().luminance(behind);
    assert!(open > 0.05 && blocked < 0.02 * open, "{open} {blocked}");
}

#[test]
fn moving_a_blocker_restores_the_cell() {
    let (mut app, map) = app_with_map();
    let glass = Cell::glass(Vec3::new(1.0, 0.5, 0.0));
    map_mut(&mut app, map).set_cell(HERE, glass).unwrap();
    let blocker = block(&mut app, HERE, Cell::smoke(0.5));
    app.update();
    assert_eq!(
        cells_at(&app, map, HERE),
        (glass.behind(&Cell::smoke(0.5)), glass)
    );
    let there = HERE + IVec2::new(2, -1);
    app.world_mut()
        .entity_mut(blocker)
        .insert(LightCell::from(there));
    app.update();
    assert_eq!(cells_at(&app, map, HERE), (glass, glass));
    assert_eq!(cells_at(&app, map, there), (Cell::smoke(0.5), Cell::OPEN));
}

#[test]
fn removing_a_blocker_restores_the_cell() {
    let ways: [fn(&mut App, Entity); 5] = [
        |app, blocker| app.world_mut().entity_mut(blocker).despawn(),
        |app, blocker| {
            app.world_mut().entity_mut(blocker).remove::<LightBlocker>();
        },
        |app, blocker| {
            app.world_mut().entity_mut(blocker).remove::<LightCell>();
        },
        |app, blocker| {
            app.world_mut()
                .entity_mut(blocker)
                .insert(LightCell(Vec2::NAN));
        },
        |app, blocker| {
            let nowhere = InTorchlightMap(Entity::PLACEHOLDER);
            app.world_mut().entity_mut(blocker).insert(nowhere);
        },
    ];
    for (way, go) in ways.into_iter().enumerate() {
        let (mut app, map) = app_with_map();
        let blocker = block(&mut app, HERE, Cell::WALL);
        app.update();
        assert_eq!(cells_at(&app, map, HERE).0, Cell::WALL, "way {way}");
        go(&mut app, blocker);
        app.update();
        assert_eq!(
            cells_at(&app, map, HERE),
            (Cell::OPEN, Cell::OPEN),
            "way {way}"
        );
    }
}

#[test]
fn blockers_in_one_cell_combine() {
    let (mut app, map) = app_with_map();
    let first = block(&mut app, HERE, Cell::smoke(0.5));
    let second = block(&mut app, HERE, Cell::smoke(0.25));
    app.update();
    assert_eq!(cells_at(&app, map, HERE).0.transparency, Vec3::splat(0.375));
    app.world_mut().entity_mut(first).despawn();
    app.update();
    assert_eq!(cells_at(&app, map, HERE).0.transparency, Vec3::splat(0.75));
    app.world_mut().entity_mut(second).despawn();
    app.update();
    assert_eq!(cells_at(&app, map, HERE).0, Cell::OPEN);
}

#[test]
fn cells_below_a_blocker_can_change() {
    let (mut app, map) = app_with_map();
    let blocker = block(&mut app, HERE, Cell::smoke(0.5));
    app.update();
    let red = Cell::wall(Vec3::X);
    let dim = Cell::new(0.5, 0.0);
    for (base, both) in [
        (dim, Vec3::splat(0.25)),
        (red, Vec3::ZERO),
        (Cell::OPEN, Vec3::splat(0.5)),
    ] {
        map_mut(&mut app, map).set_cell(HERE, base).unwrap();
        let now = cells_at(&app, map, HERE);
        assert_eq!((now.0.transparency, now.1), (both, base), "over {base:?}");
        app.update();
        assert_eq!(cells_at(&app, map, HERE), now, "over {base:?}");
    }
    // The same if all cells are replaced.
    map_mut(&mut app, map).fill(|_| dim).unwrap();
    assert_eq!(cells_at(&app, map, HERE).0.transparency, Vec3::splat(0.25));
    map_mut(&mut app, map).set_cells(vec![red; 63]).unwrap();
    app.world_mut().entity_mut(blocker).despawn();
    app.update();
    assert_eq!(cells_at(&app, map, HERE), (red, red));
}

#[test]
fn rejected_cells_change_nothing() {
    let (mut app, map) = app_with_map();
    block(&mut app, HERE, Cell::WALL);
    app.update();
    let mut light_map = map_mut(&mut app, map);
    assert!(light_map.set_cell(HERE, Cell::new(f32::NAN, 0.0)).is_err());
    assert!(light_map.set_cell(HERE, Cell::new(2.0, 0.0)).is_err());
    assert!(light_map.set_cells(vec![Cell::OPEN; 3]).is_err());
    assert!(light_map.fill(|_| Cell::new(-1.0, 0.0)).is_err());
    assert!(
        light_map
            .set_cell(IVec2::new(9, 0), Cell::BLACK_WALL)
            .is_err()
    );
    assert_eq!(cells_at(&app, map, HERE), (Cell::WALL, Cell::OPEN));
}

#[test]
fn blocker_covers_a_replaced_map() {
    let (mut app, map) = app_with_map();
    let blocker = block(&mut app, HERE, Cell::WALL);
    app.update();
    app.world_mut()
        .entity_mut(map)
        .insert(TorchlightMap::new(grid(9, 7)));
    app.update();
    assert_eq!(cells_at(&app, map, HERE), (Cell::WALL, Cell::OPEN));
    // A clone distinguishes blockers from cells too.
    let clone = crate::common::map(&app, map).clone();
    app.world_mut().entity_mut(blocker).despawn();
    *map_mut(&mut app, map) = clone;
    assert_eq!(cells_at(&app, map, HERE), (Cell::WALL, Cell::OPEN));
    app.update();
    assert_eq!(cells_at(&app, map, HERE), (Cell::OPEN, Cell::OPEN));
}

/// Compares with a simple model: the map's own cells, combined with each blocker.
#[test]
fn random_changes_match_a_simple_model() {
    let mut rng = SeededRng::new(7, b"blockers");
    let mut below = |n: u64| rng.below(n) as usize;
    let kinds = [
        Cell::OPEN,
        Cell::WALL,
        Cell::smoke(0.5),
        Cell::new(0.25, 0.5),
    ];
    let (mut app, map) = app_with_map();
    let mut bases = vec![Cell::OPEN; 63];
    let mut blockers: Vec<(Entity, IVec2, Cell)> = Vec::new();
    for round in 0..400 {
        let at = IVec2::new(below(9) as i32, below(7) as i32);
        let kind = kinds[below(4)];
        match below(4) {
            0 => {
                bases[(at.y * 9 + at.x) as usize] = kind;
                map_mut(&mut app, map).set_cell(at, kind).unwrap();
            }
            1 => blockers.push((block(&mut app, at, kind), at, kind)),
            2 if !blockers.is_empty() => {
                let (blocker, ..) = blockers.swap_remove(below(blockers.len() as u64));
                app.world_mut().entity_mut(blocker).despawn();
            }
            _ if !blockers.is_empty() => {
                let place = below(blockers.len() as u64);
                blockers[place].1 = at;
                app.world_mut()
                    .entity_mut(blockers[place].0)
                    .insert(LightCell::from(at));
            }
            _ => {}
        }
        if below(3) > 0 {
            continue;
        }
        app.update();
        blockers.sort_by_key(|blocker| blocker.0.index_u32());
        for at in cells(&grid(9, 7)) {
            let base = bases[(at.y * 9 + at.x) as usize];
            let here = blockers.iter().filter(|blocker| blocker.1 == at);
            let over = here
                .map(|blocker| blocker.2)
                .reduce(|first, next| first.behind(&next));
            let both = over.map_or(base, |over| base.behind(&over));
            assert_eq!(cells_at(&app, map, at), (both, base), "round {round}, {at}");
        }
    }
}
