//! Tests of how guards change their alert states, and when they must not.

use super::*;
use crate::{Duty, Item, Placed, Torch, act};

#[test]
fn blocked_patrols_turn_back() {
    let map = "
        ####################
        #w....s...........@#
        ####################";
    let mut world = dark(map);
    turn(&mut world, GuardKind::Sentry, Direction::West);
    let id = the(&world, GuardKind::Watchman);
    let guard = world.guard_mut(id);
    guard.duty = Duty::Patrol;
    guard.route = vec![IVec2::new(12, 1), IVec2::new(1, 1)];
    wait_until(&mut world, 20, id, |guard| guard.at.x == 5);
    // The watchman cannot pass, and continues with its route.
    wait_until(&mut world, 30, id, |guard| guard.at.x == 1);
    wait_until(&mut world, 30, id, |guard| guard.at.x == 5);
}

#[test]
fn blocked_investigation_ends() {
    let map = "
        ####################
        #w....s...........@#
        ####################";
    let mut world = dark(map);
    turn(&mut world, GuardKind::Sentry, Direction::West);
    let id = the(&world, GuardKind::Watchman);
    let guard = world.guard_mut(id);
    guard.set_alert_state(AlertState::Investigating);
    guard.point_of_interest = Some(IVec2::new(12, 1));
    wait_until(&mut world, 80, id, |guard| {
        guard.alert_state == AlertState::Calm
    });
}

#[test]
fn sighting_extends_a_search() {
    let map = "
        ####################
        #s...!...@.........#
        ####################";
    let mut world = dark(map);
    let id = turn(&mut world, GuardKind::Sentry, Direction::East);
    assert!(band(&world) >= LightBand::Dim);
    world.state.thief.at = IVec2::new(5, 1);
    settle(&mut world);
    let search = world.rules.awareness.searching_ticks;
    let guard = world.guard_mut(id);
    guard.set_alert_state(AlertState::Searching);
    guard.ticks = search - 1;
    guard.point_of_interest = Some(IVec2::new(1, 1));
    assert!(ai::perceive::guard_sees(&world, id));
    wait(&mut world, 1);
    assert_ne!(alert_state(&world, id), AlertState::Calm);
    assert!(world.guard(id).ticks < search);
}

#[test]
fn woken_guard_is_no_longer_mourned() {
    let map = "
        ####################
        #s.....s.!.........#
        ############......@#
                   #########";
    let mut world = dark(map);
    turn(&mut world, GuardKind::Sentry, Direction::East);
    let knock_out = |world: &mut World| {
        world.guard_mut(1).set_alert_state(AlertState::Unconscious);
        world.guard_mut(1).sleep = 4000;
    };
    knock_out(&mut world);
    wait(&mut world, 1);
    assert_eq!(world.guard(0).mourns, 0b10);
    wait_until(&mut world, 60, 1, |guard| {
        guard.alert_state != AlertState::Unconscious
    });
    assert_eq!(world.guard(0).mourns, 0);
}

#[test]
fn no_guard_is_sure_at_once_from_afar() {
    let map = "
        ####################
        #s.......@.........#
        ####################";
    let mut world = scene(map);
    let id = turn(&mut world, GuardKind::Sentry, Direction::East);
    world.guard_mut(id).vigilance = 5;
    assert_eq!(band(&world), LightBand::Blazing);
    wait(&mut world, 1);
    assert!(world.guard(id).awareness > 0);
    assert_ne!(alert_state(&world, id), AlertState::Chasing);
    wait_until(&mut world, 4, id, |guard| {
        guard.alert_state == AlertState::Chasing
    });
}

#[test]
fn torch_does_not_distract_from_a_visible_thief() {
    let map = "
        ####################
        #s....!..@.........#
        #..................#
        ####################";
    let mut world = dark(map);
    let id = turn(&mut world, GuardKind::Sentry, Direction::East);
    let torch = Torch {
        lit: true,
        fuel: 200,
    };
    world.floor_mut().items.push(Placed {
        at: IVec2::new(4, 1),
        item: Item::Torch(torch),
    });
    settle(&mut world);
    assert!(ai::perceive::guard_sees(&world, id));
    wait(&mut world, 1);
    assert_eq!(
        world.guard(id).point_of_interest,
        Some(world.state.thief.at)
    );
}

#[test]
fn lanterns_are_relit_only_when_calm() {
    let map = "
        ####################
        #w................@#
        ####################";
    let mut world = dark(map);
    let id = turn(&mut world, GuardKind::Watchman, Direction::West);
    let out = crate::Lantern::Out(8);
    world.guard_mut(id).lantern = out;
    world.guard_mut(id).set_alert_state(AlertState::Suspicious);
    wait(&mut world, 3);
    assert_eq!(world.guard(id).lantern, out);
    world.guard_mut(id).set_alert_state(AlertState::Calm);
    wait(&mut world, 3);
    assert_eq!(world.guard(id).lantern, crate::Lantern::Lit);
}

#[test]
fn searching_hound_follows_a_fresh_trail() {
    let map = "
        ####################
        #h................@#
        ####################";
    let mut world = dark(map);
    let id = turn(&mut world, GuardKind::Hound, Direction::East);
    wait(&mut world, 6);
    let guard = world.guard_mut(id);
    guard.set_alert_state(AlertState::Searching);
    guard.point_of_interest = Some(IVec2::new(1, 1));
    // The trail leads away from the hound.
    let tick = world.state.tick;
    for x in 2..10 {
        world.floor_mut().scent[IVec2::new(x, 1)] = tick - 10 + x.unsigned_abs();
    }
    wait(&mut world, 1);
    assert_eq!(alert_state(&world, id), AlertState::Investigating);
}

#[test]
fn fleeing_lamplighter_alerts_a_comrade() {
    let map = "
        ####################
        #s....p...........@#
        ####################";
    let mut world = dark(map);
    let sentry = turn(&mut world, GuardKind::Sentry, Direction::West);
    let id = the(&world, GuardKind::Lamplighter);
    let guard = world.guard_mut(id);
    guard.set_alert_state(AlertState::Fleeing);
    guard.point_of_interest = Some(IVec2::new(18, 1));
    wait_until(&mut world, 12, sentry, |guard| {
        guard.alert_state == AlertState::Investigating
    });
    assert_eq!(
        world.guard(sentry).point_of_interest,
        Some(IVec2::new(18, 1))
    );
}

#[test]
fn arriving_followers_only_know_the_stairs() {
    let map = "
        ####################
        #>.................#
        #.................@#
        ####################";
    let mut world = dark(map);
    let stairs = IVec2::new(1, 1);
    let mut guard = Guard::new(GuardKind::Watchman, Duty::Patrol, stairs, Direction::East);
    guard.set_alert_state(AlertState::Chasing);
    guard.point_of_interest = Some(stairs);
    world.state.thief.at = IVec2::new(18, 2);
    world.state.followers.push((guard, 0));
    settle(&mut world);
    act::stairs::arrive_followers(&mut world, 0);
    let id = the(&world, GuardKind::Watchman);
    assert_eq!(world.guard(id).point_of_interest, Some(stairs));
}
