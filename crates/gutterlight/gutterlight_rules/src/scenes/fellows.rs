//! Tests of cooperation between guards, and of each kind's behavior.

use super::*;
use crate::{Door, Duty, FixtureKind, Tile, sight};

#[test]
fn lamplighter_relights_dark_lamps() {
    let map = "
        ####################
        #p........i.......@#
        ####################";
    let mut world = dark(map);
    let id = turn(&mut world, GuardKind::Lamplighter, Direction::East);
    let burns = |world: &World| {
        let mut lamps = world.floor().fixtures.iter();
        lamps.any(|lamp| lamp.kind == FixtureKind::Sconce && lamp.burning)
    };
    assert!(!burns(&world));
    let mut said = false;
    for _ in 0..40 {
        let events = wait(&mut world, 1);
        said |= says(&events, Bark::LampOut);
        if burns(&world) {
            break;
        }
    }
    assert!(burns(&world));
    assert!(said, "the lamplighter says so");
    assert_eq!(alert_state(&world, id), AlertState::Calm);
}

#[test]
fn lamplighter_runs_for_help() {
    let map = "
        ####################
        #..................#
        #s.....p...@.......#
        #..................#
        ####################";
    let mut world = scene(map);
    let sentry = turn(&mut world, GuardKind::Sentry, Direction::West);
    let id = turn(&mut world, GuardKind::Lamplighter, Direction::East);
    wait_until(&mut world, 8, id, |guard| {
        guard.alert_state == AlertState::Fleeing
    });
    let health = world.state.thief.health;
    wait_until(&mut world, 10, id, |guard| guard.at.x < 5);
    assert_eq!(world.state.thief.health, health);
    assert!(!alert_state(&world, sentry).is_unaware(), "help comes");
}

#[test]
fn hound_follows_a_trail_in_the_dark() {
    let map = "
        ###############
        #............h#
        #.#############
        #.#
        #.########
        #@.......#
        ##########";
    let mut world = dark(map);
    let hound = turn(&mut world, GuardKind::Hound, Direction::East);
    world.state.thief.at = IVec2::new(10, 1);
    world.guard_mut(hound).sleep = 0;
    settle(&mut world);
    // Out of smelling distance, along the corridor and around two corners.
    for way in [Direction::West; 8] {
        act(&mut world, Action::Sneak(way));
    }
    world.guard_mut(hound).at = IVec2::new(8, 1);
    for way in [
        Direction::West,
        Direction::South,
        Direction::South,
        Direction::South,
        Direction::South,
    ] {
        act(&mut world, Action::Sneak(way));
    }
    wait_until(&mut world, 60, hound, |guard| {
        guard.alert_state == AlertState::Chasing
    });
    assert!(steps_to_thief(&world, hound) <= 3);
}

fn steps_to_thief(world: &World, id: GuardId) -> u32 {
    crate::steps_between(world.guard(id).at, world.state.thief.at)
}

#[test]
fn water_holds_no_scent() {
    let map = "
        ##################
        #.....~~~~....@..#
        ##################";
    let mut world = dark(map);
    world.state.thief.at = IVec2::new(2, 1);
    settle(&mut world);
    for _ in 0..12 {
        act(&mut world, Action::Walk(Direction::East));
    }
    let scent = &world.floor().scent;
    assert!((3..6).all(|x| scent[IVec2::new(x, 1)] > 0));
    assert!(
        (6..10).all(|x| scent[IVec2::new(x, 1)] == 0),
        "in the water"
    );
    assert!((10..15).all(|x| scent[IVec2::new(x, 1)] > 0));
}

#[test]
fn lit_body_is_found_and_mourned() {
    let map = "
        ####################
        #s.....s.!.........#
        ############......@#
                   #########";
    let mut world = dark(map);
    turn(&mut world, GuardKind::Sentry, Direction::East);
    world.guard_mut(1).set_alert_state(AlertState::Unconscious);
    world.guard_mut(1).sleep = 4000;
    wait(&mut world, 1);
    assert_eq!(world.guard(0).mourns, 0b10);
    assert!(world.guard(0).vigilance > 0);
    assert!(!alert_state(&world, 0).is_unaware());
    // The sentry walks there and wakes its comrade.
    wait_until(&mut world, 60, 1, |guard| {
        guard.alert_state != AlertState::Unconscious
    });
}

#[test]
fn dark_body_is_not_found_from_afar() {
    let map = "
        ####################
        #s.....s..........@#
        ####################";
    let mut world = dark(map);
    turn(&mut world, GuardKind::Sentry, Direction::East);
    world.guard_mut(1).duty = Duty::Patrol;
    world.guard_mut(1).set_alert_state(AlertState::Dead);
    wait(&mut world, 10);
    assert_eq!(world.guard(0).mourns, 0);
    assert_eq!(alert_state(&world, 0), AlertState::Calm);
}

#[test]
fn absence_from_a_lit_post_is_noticed() {
    let map = "
        #######################
        #w....!s.............@#
        #######################";
    let mut world = dark(map);
    let watchman = the(&world, GuardKind::Watchman);
    let sentry = the(&world, GuardKind::Sentry);
    let guard = world.guard_mut(watchman);
    guard.duty = Duty::Patrol;
    guard.route = vec![IVec2::new(4, 1), IVec2::new(1, 1)];
    // The sentry was carried off into the dark.
    let guard = world.guard_mut(sentry);
    guard.at = IVec2::new(20, 1);
    guard.set_alert_state(AlertState::Dead);
    let mut missed = false;
    for _ in 0..12 {
        let events = wait(&mut world, 1);
        missed |= says(&events, Bark::WhereIsHe);
    }
    assert!(missed);
    assert!(world.guard(watchman).mourns & (1 << sentry) != 0);
}

#[test]
fn calm_guards_close_doors_behind_them() {
    let map = "
        ############
        #w..+.....@#
        ############";
    let mut world = dark(map);
    let id = the(&world, GuardKind::Watchman);
    world.guard_mut(id).duty = Duty::Patrol;
    world.guard_mut(id).route = vec![IVec2::new(7, 1), IVec2::new(1, 1)];
    wait_until(&mut world, 8, id, |guard| guard.at.x == 4);
    assert_eq!(world.floor().tile(IVec2::new(4, 1)), Tile::Door(Door::Open));
    wait_until(&mut world, 4, id, |guard| guard.at.x > 4);
    assert_eq!(
        world.floor().tile(IVec2::new(4, 1)),
        Tile::Door(Door::Closed)
    );
}

#[test]
fn hounds_open_no_doors_and_guards_no_locks() {
    for (letter, kind, door) in [
        ('h', GuardKind::Hound, '+'),
        ('w', GuardKind::Watchman, 'X'),
    ] {
        let map = format!("############\n#{letter}..{door}.....@#\n############");
        let mut world = dark(&map);
        let id = the(&world, kind);
        world.guard_mut(id).duty = Duty::Patrol;
        world.guard_mut(id).route = vec![IVec2::new(7, 1), IVec2::new(1, 1)];
        for _ in 0..30 {
            wait(&mut world, 1);
            assert!(world.guard(id).at.x < 4, "{kind:?}");
        }
    }
}

#[test]
fn guards_swap_cells_in_narrow_corridors() {
    let map = "
        ####################
        #w........w.......@#
        ####################";
    let mut world = dark(map);
    for (id, route) in [(0, [10, 1]), (1, [1, 10])] {
        let guard = world.guard_mut(id);
        guard.duty = Duty::Patrol;
        guard.route = route.map(|x| IVec2::new(x, 1)).into();
    }
    let mut ends = [false; 2];
    for _ in 0..60 {
        let before = [0, 1].map(|id| world.guard(id).at.x);
        wait(&mut world, 1);
        let [left, right] = [0, 1].map(|id| world.guard(id).at.x);
        assert_ne!(left, right, "two guards are in one cell");
        for (now, before) in [left, right].into_iter().zip(before) {
            assert!(now.abs_diff(before) <= 2, "{before} to {now}");
        }
        ends[0] |= left == 10;
        ends[1] |= right == 1;
    }
    assert_eq!(ends, [true; 2], "both reach their waypoints");
}

#[test]
fn swapping_in_a_doorway_leaves_the_door_open() {
    let map = "
        ####################
        #w....../w........@#
        ####################";
    let mut world = dark(map);
    for (id, x, goal) in [(0, 7, 11), (1, 8, 1)] {
        let guard = world.guard_mut(id);
        guard.duty = Duty::Patrol;
        guard.at = IVec2::new(x, 1);
        guard.route = vec![IVec2::new(goal, 1)];
    }
    settle(&mut world);
    assert!(sight::sees(&world, IVec2::new(8, 1)));
    let mut events = Vec::new();
    while world.guard(0).at.x < world.guard(1).at.x {
        events.extend(wait(&mut world, 1));
        assert!(events.len() < 99, "they do not move");
    }
    let turned = |event: &GameEvent| matches!(event, GameEvent::Turned { .. });
    assert!(!events.iter().any(turned), "{events:?}");
}

#[test]
fn guard_that_bumps_into_the_thief_is_sure() {
    let map = "
        ############
        #s....@....#
        ############";
    let mut world = dark(map);
    let id = turn(&mut world, GuardKind::Sentry, Direction::East);
    world.guard_mut(id).route = vec![IVec2::new(9, 1), IVec2::new(1, 1)];
    wait_until(&mut world, 20, id, |guard| {
        guard.alert_state == AlertState::Chasing
    });
    assert_eq!(steps_to_thief(&world, id), 1);
}

#[test]
fn lit_torch_on_the_floor_is_taken() {
    let map = "
        ####################
        #s......T.........@#
        ####################";
    let mut world = dark(map);
    let id = turn(&mut world, GuardKind::Sentry, Direction::East);
    wait_until(&mut world, 30, id, |guard| guard.at == IVec2::new(8, 1));
    wait(&mut world, 3);
    assert!(world.floor().items.is_empty(), "{:?}", world.floor().items);
}

#[test]
fn searchers_spread_out() {
    let map = "
        ##############################
        #............................#
        #....s.......................#
        #..........................@.#
        #....s.......................#
        #............................#
        ##############################";
    let mut world = dark(map);
    let place = IVec2::new(10, 3);
    for id in [0, 1] {
        let guard = world.guard_mut(id);
        guard.at = place + IVec2::new(0, i32::from(id));
        guard.point_of_interest = Some(place);
        guard.set_alert_state(AlertState::Searching);
    }
    let mut apart = 0;
    let mut beats = 0;
    while alert_state(&world, 0) == AlertState::Searching
        && alert_state(&world, 1) == AlertState::Searching
    {
        wait(&mut world, 1);
        apart += crate::steps_between(world.guard(0).at, world.guard(1).at);
        beats += 1;
    }
    let searches = u32::from(world.rules.awareness.searching_ticks / crate::BEAT);
    assert!(beats >= searches, "{beats}");
    assert!(
        apart / beats >= 4,
        "{} steps apart on average",
        apart / beats
    );
}

#[test]
fn sentry_returns_to_its_post_and_looks_around() {
    let map = "
        ##############
        #s..........@#
        ##############";
    let mut world = dark(map);
    let id = the(&world, GuardKind::Sentry);
    world.guard_mut(id).watch = Direction::East;
    world.guard_mut(id).at = IVec2::new(6, 1);
    let mut ways = std::collections::BTreeSet::new();
    wait_until(&mut world, 20, id, |guard| guard.at == guard.home);
    for _ in 0..40 {
        wait(&mut world, 1);
        ways.insert(world.guard(id).facing);
    }
    assert!(
        ways.iter().all(|way| way.apart(Direction::East) <= 1),
        "{ways:?}"
    );
    assert!(ways.len() > 1, "the sentry looks around");
}
