//! Tests of the proof: each test breaks a valid floor and expects the flaw.

use super::{loops::only_cell, *};
use crate::{Direction, Duty, Ground, Guard, GuardKind, Placed, drawing, generate::drawn};

const STONE: Tile = Tile::Ground(Ground::Stone);

/// The flaw of a drawn floor after it was broken.
fn broken(depth: usize, by: impl FnOnce(&mut Floor)) -> Option<Flaw> {
    let rules = Rules::standard();
    let mut floor = drawn::floor(&rules, depth);
    assert!(prove(&rules, Difficulty::Thief, depth, &floor).is_ok());
    by(&mut floor);
    prove(&rules, Difficulty::Thief, depth, &floor).err()
}

fn find(floor: &Floor, wanted: impl Fn(Tile) -> bool) -> IVec2 {
    let mut cells = floor.tiles.cells();
    cells
        .find(|&at| wanted(floor.tile(at)))
        .expect("such a tile")
}

fn key(floor: &mut Floor) -> &mut Placed {
    let mut items = floor.items.iter_mut();
    items
        .find(|placed| placed.item == Item::Key)
        .expect("a key")
}

/// A cell in a wide room with nothing in it or around it.
fn bare(floor: &Floor) -> IVec2 {
    let empty = |at: IVec2| {
        matches!(floor.tile(at), Tile::Ground(_))
            && floor.item_at(at).is_none()
            && floor.fixture_at(at).is_none()
            && floor.guard_at(at).is_none()
    };
    let mut cells = floor.tiles.cells();
    let wide = |at: IVec2| Direction::ALL.into_iter().all(|way| empty(at + way.step()));
    cells
        .find(|&at| empty(at) && wide(at))
        .expect("a wide room")
}

#[test]
fn detects_grids_of_another_size() {
    let flaw = broken(1, |floor| floor.scent = Plane::new(5, 5, 0));
    assert_eq!(flaw, Some(Flaw::Sizes));
    let flaw = broken(1, |floor| floor.memory = Plane::new(40, 5, None));
    assert_eq!(flaw, Some(Flaw::Sizes));
}

#[test]
fn detects_open_border() {
    for tile in [STONE, Tile::Door(Door::Locked)] {
        let at = IVec2::new(0, 7);
        let flaw = broken(1, |floor| floor.tiles[at] = tile);
        assert_eq!(flaw, Some(Flaw::Border(at)));
    }
}

#[test]
fn detects_misplaced_stairs() {
    let up = Some(Flaw::Goal("the stairs up"));
    let down = Some(Flaw::Goal("the stairs down"));
    let second = |floor: &mut Floor, stairs| {
        let at = bare(floor);
        floor.tiles[at] = stairs;
    };
    assert_eq!(broken(1, |floor| floor.tiles[floor.up] = STONE), up);
    assert_eq!(broken(1, |floor| second(floor, Tile::StairsUp)), up);
    assert_eq!(broken(1, |floor| second(floor, Tile::StairsDown)), down);
    assert_eq!(broken(1, |floor| floor.down = None), down);
    assert_eq!(broken(4, |floor| floor.down = Some(floor.up)), down);
}

#[test]
fn detects_missing_and_extra_ember() {
    let flaw = Some(Flaw::Goal("the Ember"));
    let ember = |floor: &mut Floor| {
        let at = bare(floor);
        floor.items.push(Placed {
            at,
            item: Item::Ember,
        });
    };
    assert_eq!(broken(3, ember), flaw);
    assert_eq!(broken(4, ember), flaw);
    let none = |floor: &mut Floor| floor.items.retain(|placed| placed.item != Item::Ember);
    assert_eq!(broken(4, none), flaw);
}

#[test]
fn detects_unreachable_things() {
    let pocket = IVec2::new(36, 2);
    let flaw = broken(1, |floor| floor.tiles[pocket] = STONE);
    assert_eq!(flaw, Some(Flaw::Unreachable("a cell", pocket)));
    // A vault behind solid rock.
    let flaw = broken(1, |floor| floor.tiles[pocket] = Tile::Door(Door::Locked));
    assert_eq!(flaw, Some(Flaw::Unreachable("a cell", pocket)));
    // Walled-in stairs.
    let mut goal = IVec2::ZERO;
    let flaw = broken(1, |floor| {
        goal = floor.down.expect("stairs down");
        for way in Direction::ALL {
            floor.tiles[goal + way.step()] = Tile::Wall;
        }
    });
    assert_eq!(flaw, Some(Flaw::Unreachable("the goal", goal)));
    // A brazier on a treasure.
    let mut at = IVec2::ZERO;
    let flaw = broken(1, |floor| {
        at = bare(floor);
        let item = Item::Treasure(1);
        floor.items.push(Placed { at, item });
        floor.fixtures.push(lamp(FixtureKind::Brazier, at));
    });
    assert_eq!(flaw, Some(Flaw::Unreachable("treasure", at)));
    // A guard with a waypoint in the vault.
    let mut vault = IVec2::ZERO;
    let flaw = broken(1, |floor| {
        vault = find(floor, |tile| tile == Tile::Door(Door::Locked)) + IVec2::X;
        floor.guards[0].route.push(vault);
    });
    assert_eq!(flaw, Some(Flaw::Unreachable("a guard's goal", vault)));
}

#[test]
fn detects_stairs_that_are_too_close() {
    let flaw = broken(1, |floor| {
        let down = floor
            .down
            .replace(floor.up + IVec2::X * 4)
            .expect("stairs down");
        floor.tiles[down] = STONE;
        floor.tiles[floor.up + IVec2::X * 4] = Tile::StairsDown;
    });
    assert_eq!(
        flaw,
        Some(Flaw::Near {
            steps: 4,
            least: 20
        })
    );
}

#[test]
fn detects_a_single_path() {
    let map = |between: &str| {
        let (wall, rock) = ("#".repeat(12), "#".repeat(10));
        format!(
            "
            {rock}{wall}{rock}
            #<.......#{wall}#........#
            #........+............+........#
            #........#{wall}#........#
            #........#{wall}#........#
            #..t.....{between}.......>#
            {rock}{wall}{rock}"
        )
    };
    let rules = Rules::standard();
    let flaw = |between: &str| {
        let floor = drawing::parse(&rules, &map(between))
            .expect("a drawing")
            .floor;
        prove(&rules, Difficulty::Thief, 1, &floor).err()
    };
    assert_eq!(
        flaw("##############."),
        Some(Flaw::OneWay(IVec2::new(9, 2)))
    );
    assert_eq!(flaw("+............+."), None);
}

#[test]
fn detects_locks_without_a_key() {
    let lost = |floor: &mut Floor| floor.items.retain(|placed| placed.item != Item::Key);
    assert!(matches!(broken(1, lost), Some(Flaw::NoKey(_))));
    let inside = |floor: &mut Floor| {
        let door = find(floor, |tile| tile == Tile::Door(Door::Locked));
        key(floor).at = door + IVec2::X;
    };
    assert!(matches!(broken(1, inside), Some(Flaw::NoKey(_))));
}

fn lamp(kind: FixtureKind, at: IVec2) -> Fixture {
    Fixture {
        kind,
        at,
        burning: true,
        spare: false,
    }
}

#[test]
fn detects_misplaced_lamps() {
    let wrong = |kind, place: &dyn Fn(&Floor) -> IVec2| {
        let mut at = IVec2::ZERO;
        let flaw = broken(1, |floor| {
            at = place(floor);
            floor.fixtures.push(lamp(kind, at));
        });
        assert_eq!(flaw, Some(Flaw::Lamp(kind, at)));
    };
    wrong(FixtureKind::Sconce, &|floor| {
        find(floor, |tile| tile == Tile::Wall)
    });
    wrong(FixtureKind::Sconce, &|floor| floor.up);
    wrong(FixtureKind::Crystal, &|floor| floor.fixtures[0].at);
    // Moonlight behind a closed shutter.
    let mut at = IVec2::ZERO;
    let flaw = broken(1, |floor| {
        at = bare(floor);
        floor.tiles[at - IVec2::Y] = Tile::Shutter { open: false };
        floor.fixtures.push(lamp(FixtureKind::Moonlight, at));
    });
    assert_eq!(flaw, Some(Flaw::Lamp(FixtureKind::Moonlight, at)));
    // A brazier in the only doorway of a room.
    let flaw = broken(1, |floor| {
        let door = IVec2::new(15, 5);
        assert_eq!(floor.tile(door), Tile::Door(Door::Closed));
        floor.tiles[door] = STONE;
        floor.fixtures.push(lamp(FixtureKind::Brazier, door));
    });
    assert!(
        matches!(flaw, Some(Flaw::Unreachable("a cell", _))),
        "{flaw:?}"
    );
}

#[test]
fn detects_too_many_lamps() {
    let flaw = broken(1, |floor| {
        let at = bare(floor);
        floor.fixtures.resize(256, lamp(FixtureKind::Fungus, at));
    });
    assert_eq!(flaw, Some(Flaw::Lamps(256)));
}

#[test]
fn detects_misplaced_items() {
    let wrong = |place: &dyn Fn(&Floor) -> IVec2| {
        let mut at = IVec2::ZERO;
        let flaw = broken(1, |floor| {
            at = place(floor);
            let item = Item::Treasure(1);
            floor.items.push(Placed { at, item });
        });
        assert_eq!(flaw, Some(Flaw::Item(at)));
    };
    wrong(&|floor| floor.up);
    wrong(&|floor| floor.items[0].at);
    wrong(&|floor| find(floor, |tile| tile == Tile::Wall));
    wrong(&|floor| find(floor, |tile| tile == Tile::Door(Door::Closed)));
    wrong(&|_| IVec2::new(-1, 3));
}

#[test]
fn detects_misplaced_guards() {
    let wrong = |place: &dyn Fn(&Floor) -> IVec2| {
        let mut at = IVec2::ZERO;
        let flaw = broken(1, |floor| {
            at = place(floor);
            floor.guards.push(sentry(at));
        });
        assert_eq!(flaw, Some(Flaw::Guard(at)));
    };
    wrong(&|floor| find(floor, |tile| tile == Tile::Wall));
    wrong(&|floor| floor.guards[0].at);
    wrong(&|floor| find(floor, |tile| tile == Tile::Door(Door::Closed)));
    wrong(&|floor| find(floor, |tile| tile == Tile::Door(Door::Locked)) + IVec2::X);
    let leg = broken(1, |floor| floor.guards[0].leg = 9);
    assert!(matches!(leg, Some(Flaw::Guard(_))));
}

fn sentry(at: IVec2) -> Guard {
    Guard::new(GuardKind::Sentry, Duty::Post, at, Direction::North)
}

#[test]
fn detects_guards_at_the_stairs() {
    let mut at = IVec2::ZERO;
    let near = broken(1, |floor| {
        at = floor.up + IVec2::X * 7;
        floor.guards.push(sentry(at));
    });
    assert_eq!(near, Some(Flaw::GuardNear(at)));
    let sees = broken(1, |floor| {
        at = floor.up + IVec2::X * 10;
        floor.guards.push(sentry(at));
    });
    assert_eq!(sees, Some(Flaw::GuardSees(at)));
    // A curtain hides the stairs from the guard.
    let behind = broken(1, |floor| {
        floor.tiles[at - IVec2::X] = Tile::Curtain { open: false };
        floor.guards.push(sentry(at));
    });
    assert_eq!(behind, None);
}

#[test]
fn detects_floors_without_a_dark_path() {
    let flaw = broken(1, |floor| {
        let cells: Vec<IVec2> = floor.tiles.cells().collect();
        for at in cells.into_iter().step_by(2) {
            let free = matches!(floor.tile(at), Tile::Ground(_));
            if free && floor.fixture_at(at).is_none() && floor.fixtures.len() < 255 {
                floor.fixtures.push(lamp(FixtureKind::Sconce, at));
            }
        }
    });
    assert!(
        matches!(flaw, Some(Flaw::NoDarkWay { share: 60.. })),
        "{flaw:?}"
    );
}

#[test]
fn detects_missing_fuel() {
    let flaw = broken(1, |floor| {
        floor
            .items
            .retain(|placed| !matches!(placed.item, Item::Torch(_)));
    });
    assert!(
        matches!(
            flaw,
            Some(Flaw::Fuel {
                fuel: 0,
                needed: 30..
            })
        ),
        "{flaw:?}"
    );
    // Torches behind a lock do not count.
    let flaw = broken(1, |floor| {
        let door = find(floor, |tile| tile == Tile::Door(Door::Locked));
        let torch = |placed: &&mut Placed| matches!(placed.item, Item::Torch(_));
        let torches = floor.items.iter_mut().filter(torch);
        for (torch, aside) in torches.zip([0, 2]) {
            torch.at = door + IVec2::X * (1 + aside);
        }
    });
    assert!(matches!(flaw, Some(Flaw::Fuel { fuel: 0, .. })), "{flaw:?}");
    // On the first floor, the torch in the thief's hand is enough.
    let flaw = broken(0, |floor| {
        floor
            .items
            .retain(|placed| !matches!(placed.item, Item::Torch(_)));
    });
    assert_eq!(flaw, None);
}

/// Compares with a search that removes each cell of the path in turn.
#[test]
fn only_cell_matches_brute_force() {
    let rules = Rules::standard();
    let mut found = 0;
    for seed in 0..40 {
        let Some(floor) = crate::generate::build(&rules, seed, Difficulty::Thief, 3, 0) else {
            continue;
        };
        let ways = Ways::new(&floor);
        let goal = floor.down.expect("stairs down");
        let Some(cells) = way(&floor, floor.up, goal, |at| ways.toll(at)) else {
            continue;
        };
        let mut all = vec![floor.up];
        all.extend(cells.iter().rev());
        let is_only = |at: IVec2| {
            let toll = |next: IVec2| ways.toll(next).filter(|_| next != at);
            way(&floor, floor.up, goal, toll).is_none()
        };
        let last = all.len() - 1;
        let expected = all[6..last].iter().copied().find(|&at| is_only(at));
        assert_eq!(
            only_cell(&floor, &ways, &all, 6, last),
            expected,
            "seed {seed}"
        );
        found += usize::from(expected.is_some());
    }
    assert!(found > 0);
}
