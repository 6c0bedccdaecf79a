//! Tests of the alarm: what each bell does, and how bells fall silent.

use super::*;
use crate::{Duty, act, ai::alarm, floor::Floor};

const HALL: &str = "
    ##############################
    #<.......w.........w........>#
    #............................#
    #............@...............#
    ##############################";

/// A scene in which this many bells ring.
fn ringing(map: &str, bells: u32) -> World {
    let mut world = dark(map);
    let ticks = world.rules.alarm.bell_ticks;
    world.floor_mut().alarm.fright = bells * ticks;
    world
}

/// Rings one more bell.
fn ring(world: &mut World) {
    let mut rules = Rules::clone(&world.rules);
    rules.alarm.seen = rules.alarm.bell_ticks;
    world.rules = std::sync::Arc::new(rules);
    let at = world.state.thief.at;
    alarm::seen(world, at);
}

fn without_thief(world: &mut World) -> IVec2 {
    // No guard finds the thief in a corner of rock.
    let at = world.state.thief.at;
    world.state.thief.at = IVec2::ZERO;
    at
}

fn hunters(floor: &Floor) -> usize {
    let guards = floor.guards.iter();
    guards.filter(|guard| guard.duty == Duty::Hunt).count()
}

#[test]
fn sighting_rings_a_bell_that_wakes_sleepers() {
    let map = "
        ####################
        #..s........@......#
        ################+###
        #w.................#
        ####################";
    let mut world = scene(map);
    let sentry = turn(&mut world, GuardKind::Sentry, Direction::East);
    let sleeper = the(&world, GuardKind::Watchman);
    world.guard_mut(sleeper).duty = Duty::Sleep;
    assert_eq!((world.view().bells(), world.view().never_seen()), (0, true));
    let mut events = Vec::new();
    for _ in 0..20 {
        events.extend(wait(&mut world, 1));
        if alert_state(&world, sentry) == AlertState::Chasing {
            break;
        }
    }
    let rings = GameEvent::Bells {
        bells: 1,
        risen: true,
    };
    assert!(events.contains(&rings), "{events:?}");
    assert_eq!(
        (world.view().bells(), world.view().never_seen()),
        (1, false)
    );
    assert!(!world.guard(sleeper).is_asleep());
    assert_eq!(world.view().tally().bells, 1);
}

#[test]
fn bells_fall_silent_after_calm_but_not_in_a_chase() {
    let mut world = ringing(HALL, 1);
    let id = the(&world, GuardKind::Watchman);
    without_thief(&mut world);
    world.guard_mut(id).alert_state = AlertState::Chasing;
    alarm::go_on(&mut world, 4);
    let beats = world.rules.alarm.bell_ticks / 4;
    assert_eq!(world.floor().alarm.fright, 4 * beats);
    world.guard_mut(id).alert_state = AlertState::Calm;
    for _ in 1..beats {
        alarm::go_on(&mut world, 4);
    }
    assert_eq!(world.view().bells(), 1);
    assert!(world.events.is_empty());
    alarm::go_on(&mut world, 4);
    let silent = GameEvent::Bells {
        bells: 0,
        risen: false,
    };
    assert_eq!(world.events, [silent]);
}

#[test]
fn at_most_four_bells_ring() {
    let mut world = ringing(HALL, 0);
    for bells in [1, 2, 3, 4, 4, 4] {
        ring(&mut world);
        assert_eq!(world.view().bells(), bells);
    }
    assert_eq!(world.check_invariants(), Ok(()));
}

#[test]
fn spare_lamps_are_lit_at_the_second_bell() {
    let map = "
        ##############################
        #w..................i.......@#
        ##############################";
    let mut world = ringing(map, 0);
    without_thief(&mut world);
    let id = turn(&mut world, GuardKind::Watchman, Direction::East);
    world.floor_mut().fixtures[0].spare = true;
    ring(&mut world);
    alarm::go_on(&mut world, 4);
    ai::glance::glance_about(&mut world, id, false);
    assert_eq!(world.guard(id).lamp, None, "at the first bell");
    ring(&mut world);
    assert_eq!(world.guard(id).lamp, Some(0), "at the second");
    for _ in 0..60 {
        ai::beat::act(&mut world, 4);
    }
    assert!(world.floor().fixtures[0].burning);
    // When all is calm again, no guard minds that it is dark.
    world.floor_mut().fixtures[0].burning = false;
    world.floor_mut().alarm.fright = 0;
    assert!(!alarm::should_burn(&world, 0));
}

#[test]
fn patrols_pair_up_while_three_bells_ring() {
    let apart = |bells: u32| {
        let mut world = ringing(HALL, bells);
        without_thief(&mut world);
        for (id, route) in [(0, [2, 12]), (1, [18, 27])] {
            let guard = world.guard_mut(id);
            guard.duty = Duty::Patrol;
            guard.route = route.map(|x| IVec2::new(x, 2)).into();
        }
        let mut most = 0;
        for beat in 0..120 {
            ai::beat::act(&mut world, 4);
            if beat > 40 {
                let (one, other) = (world.guard(0).at, world.guard(1).at);
                most = most.max(crate::steps_between(one, other));
            }
        }
        most
    };
    assert!(apart(2) > 10, "{}", apart(2));
    assert!(apart(3) <= 4, "{}", apart(3));
}

/// Lets followers arrive and guards act, as in a turn.
fn arrive_and_act(world: &mut World, ticks: u16) {
    act::stairs::arrive_followers(world, ticks);
    ai::beat::act(world, ticks);
}

#[test]
fn hunter_arrives_at_the_fourth_bell_and_gives_up() {
    let mut world = ringing(HALL, 3);
    world.floor_mut().guards.clear();
    let thief = without_thief(&mut world);
    world.state.thief.at = thief;
    ring(&mut world);
    ring(&mut world);
    assert_eq!(world.state.followers.len(), 1, "only one hunter");
    // The torch is out, and no guard is near the thief until the hunter arrives.
    let ticks = world.rules.alarm.hunter_ticks;
    arrive_and_act(&mut world, ticks - 4);
    assert_eq!(hunters(world.floor()), 0);
    arrive_and_act(&mut world, 4);
    assert_eq!(hunters(world.floor()), 1);
    let stairs = world.floor().down.expect("stairs");
    let far = crate::steps_between(world.guard(0).at, stairs);
    assert!(far <= 1, "by the farther stairs");
    wait_until(&mut world, 60, 0, |guard| {
        guard.alert_state == AlertState::Chasing
    });
    assert_eq!(world.check_invariants(), Ok(()));
    without_thief(&mut world);
    world.guard_mut(0).set_alert_state(AlertState::Calm);
    let ticks = world.rules.alarm.bell_ticks;
    world.floor_mut().alarm.fright = 3 * ticks + 4;
    alarm::go_on(&mut world, 4);
    assert_eq!(hunters(world.floor()), 0, "the hunt is over");
}

/// A hunter that arrives after the bells fell silent is an ordinary guard.
#[test]
fn late_hunter_does_not_hunt_without_bells() {
    let mut world = ringing(HALL, 3);
    world.floor_mut().guards.clear();
    ring(&mut world);
    assert_eq!(world.state.followers.len(), 1);
    without_thief(&mut world);
    world.floor_mut().alarm.fright = 0;
    let ticks = world.rules.alarm.hunter_ticks;
    arrive_and_act(&mut world, ticks);
    assert_eq!(world.floor().guards.len(), 1, "the hunter still arrives");
    assert_eq!(hunters(world.floor()), 0);
}

#[test]
fn hunt_ends_while_the_thief_is_away() {
    let mut world = ringing(HALL, 4);
    let mut below = world.floor().clone();
    below.guards[0].duty = Duty::Hunt;
    world.state.floors.push(below);
    world.floor_mut().guards.clear();
    world.state.tick = 4 * world.rules.alarm.bell_ticks;
    world.state.thief.at = world.floor().down.expect("stairs");
    settle(&mut world);
    world
        .act(Action::Climb)
        .expect("the thief is on the stairs");
    assert_eq!((world.view().depth(), world.view().bells()), (1, 0));
    assert_eq!(hunters(world.floor()), 0);
}

#[test]
fn bells_sharpen_sight() {
    // Far enough that the guard cannot become sure at once.
    let wall = "#".repeat(24);
    let hall = format!("{wall}\n#s{}@#\n{wall}", ".".repeat(20));
    let sure = |bells: u32| {
        let mut world = ringing(&hall, bells);
        let id = turn(&mut world, GuardKind::Sentry, Direction::East);
        set_torch(&mut world, true);
        wait(&mut world, 1);
        world.guard(id).awareness
    };
    let (calm, ringing) = (sure(0), sure(2));
    let share = u32::from(ringing) * 100 / u32::from(calm);
    let wanted = 100 + 2 * Rules::standard().alarm.sharper;
    assert!(share.abs_diff(wanted) <= 2, "{calm} and {ringing}");
}
