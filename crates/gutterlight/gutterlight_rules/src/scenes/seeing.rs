//! Who sees whom, and how sure guards become.

use super::*;
use crate::{Duty, Lantern, guard};

const HALL: &str = "
    ##############################
    #............................#
    #s..........@................#
    #............................#
    ##############################";

#[test]
fn a_guard_in_the_dark_sees_a_lit_thief_from_afar() {
    let mut world = scene(HALL);
    turn(&mut world, GuardKind::Sentry, Direction::East);
    assert_eq!(band(&world), LightBand::Blazing);
    assert!(is_seen(&world, GuardKind::Sentry));
}

#[test]
fn nobody_sees_a_thief_in_the_dark_but_from_the_next_cell() {
    let mut world = dark(HALL);
    let sentry = turn(&mut world, GuardKind::Sentry, Direction::East);
    assert_eq!(band(&world), LightBand::Hidden);
    assert!(!ai::perceive::guard_sees(&world, sentry));
    wait(&mut world, 20);
    assert_eq!(alert_state(&world, sentry), AlertState::Calm);
    assert_eq!(world.guard(sentry).awareness, 0);

    world.state.thief.at = world.guard(sentry).at + Direction::East.step();
    settle(&mut world);
    assert!(
        ai::perceive::guard_sees(&world, sentry),
        "in front of its nose"
    );
    // Someone is there; in a few beats it is clear who.
    wait(&mut world, 1);
    let beside = world.rules.awareness.beside;
    assert_eq!(world.guard(sentry).awareness, beside);
    wait(&mut world, u32::from(guard::SURE / beside));
    assert_eq!(alert_state(&world, sentry), AlertState::Chasing);
}

#[test]
fn whoever_is_not_hidden_is_surely_seen_in_the_next_cell() {
    let mut world = scene(HALL);
    let sentry = turn(&mut world, GuardKind::Sentry, Direction::East);
    world.state.thief.at = world.guard(sentry).at + Direction::East.step();
    settle(&mut world);
    wait(&mut world, 1);
    assert_eq!(alert_state(&world, sentry), AlertState::Chasing);
}

#[test]
fn a_guard_does_not_see_what_is_behind_it() {
    let mut world = scene(HALL);
    for facing in Direction::ALL {
        let sentry = turn(&mut world, GuardKind::Sentry, facing);
        let ahead = facing.apart(Direction::East) <= 1;
        assert_eq!(
            ai::perceive::guard_sees(&world, sentry),
            ahead,
            "facing {facing:?}"
        );
    }
}

#[test]
fn each_band_is_seen_from_its_distance() {
    let mut world = dark(HALL);
    let sentry = turn(&mut world, GuardKind::Sentry, Direction::East);
    let from = world.guard(sentry).at;
    for band in LightBand::ALL {
        let reach = ai::perceive::sight_distance(&world, GuardKind::Sentry, band) as i32;
        for steps in 1..=26 {
            let at = from + IVec2::new(steps, 0);
            let seen = ai::perceive::would_see(&world, sentry, at, band);
            assert_eq!(seen, steps <= reach, "{band:?} at {steps}");
        }
    }
}

#[test]
fn awareness_rises_faster_in_more_light_and_nearer_by() {
    let gain = |map: &str, lit: bool| {
        let mut world = if lit { scene(map) } else { dark(map) };
        let id = turn(&mut world, GuardKind::Sentry, Direction::East);
        wait(&mut world, 1);
        world.guard(id).awareness
    };
    let near = "
        ##################
        #s...@...........#
        ##################";
    let far = "
        ##################
        #s..........@....#
        ##################";
    let dim = "
        ##################
        #s...@..f........#
        ##################";
    let (near_lit, far_lit, near_dim) = (gain(near, true), gain(far, true), gain(dim, false));
    assert!(near_lit > far_lit, "{near_lit} near, {far_lit} far");
    assert!(
        near_lit > near_dim,
        "{near_lit} in light, {near_dim} in dim light"
    );
    assert!(near_dim > 0 && far_lit > 0);
    assert!(near_lit < 1000, "never at once");
}

#[test]
fn a_wall_a_closed_door_and_a_curtain_stand_in_the_way_of_eyes() {
    for (between, seen) in [
        ('.', true),
        ('#', false),
        ('+', false),
        ('/', true),
        ('{', false),
        ('}', true),
        ('%', true),
        ('=', true),
        ('O', false),
    ] {
        let map = format!("##############\n#s....{between}...@...#\n##############");
        let mut world = scene(&map);
        turn(&mut world, GuardKind::Sentry, Direction::East);
        assert_eq!(is_seen(&world, GuardKind::Sentry), seen, "{between:?}");
    }
}

#[test]
fn smoke_shields() {
    let mut world = scene(HALL);
    turn(&mut world, GuardKind::Sentry, Direction::East);
    assert!(is_seen(&world, GuardKind::Sentry));
    for y in 1..4 {
        let at = IVec2::new(6, y);
        world
            .floor_mut()
            .smoke
            .push(crate::floor::Smoke { at, density: 100 });
    }
    settle(&mut world);
    assert!(!is_seen(&world, GuardKind::Sentry));
    // Until it thins.
    let sentry = the(&world, GuardKind::Sentry);
    wait_until(&mut world, 40, sentry, |guard| guard.awareness > 0);
}

#[test]
fn a_guard_goes_through_its_moods_and_calms_down() {
    let mut world = dark(HALL);
    let sentry = turn(&mut world, GuardKind::Sentry, Direction::East);
    let suspicious = world.rules.awareness.suspicious;
    let place = IVec2::new(9, 2);
    world.state.thief.at = IVec2::new(27, 1);
    awareness::notice(&mut world, sentry, place, u32::from(suspicious), 999);
    wait(&mut world, 1);
    assert_eq!(alert_state(&world, sentry), AlertState::Suspicious);
    let investigating = world.rules.awareness.investigating;
    awareness::notice(&mut world, sentry, place, u32::from(investigating), 999);
    wait(&mut world, 1);
    assert_eq!(alert_state(&world, sentry), AlertState::Investigating);
    wait_until(&mut world, 20, sentry, |guard| {
        guard.alert_state == AlertState::Searching
    });
    assert_eq!(
        world.guard(sentry).at,
        place,
        "it searches where it was sent"
    );
    wait_until(&mut world, 40, sentry, |guard| {
        guard.alert_state == AlertState::Calm
    });
    assert!(world.guard(sentry).vigilance > 0, "it does not forget");
    wait_until(&mut world, 60, sentry, |guard| guard.at == guard.home);
}

#[test]
fn a_suspicion_that_comes_to_nothing_passes() {
    let mut world = dark(HALL);
    let sentry = turn(&mut world, GuardKind::Sentry, Direction::East);
    let suspicious = world.rules.awareness.suspicious;
    awareness::notice(
        &mut world,
        sentry,
        IVec2::new(4, 2),
        u32::from(suspicious),
        999,
    );
    wait(&mut world, 1);
    assert_eq!(alert_state(&world, sentry), AlertState::Suspicious);
    wait_until(&mut world, 12, sentry, |guard| {
        guard.alert_state == AlertState::Calm
    });
    assert_eq!(
        world.guard(sentry).at,
        world.guard(sentry).home,
        "it did not walk"
    );
}

#[test]
fn a_chase_catches_and_wounds_a_thief_who_stands_still() {
    let mut world = scene(HALL);
    let sentry = turn(&mut world, GuardKind::Sentry, Direction::East);
    wait_until(&mut world, 10, sentry, |guard| {
        guard.alert_state == AlertState::Chasing
    });
    assert_eq!(world.state.tally.times_seen, 1);
    let health = world.state.thief.health;
    for _ in 0..30 {
        if world.state.thief.health < health {
            break;
        }
        act(&mut world, Action::Wait);
    }
    assert!(world.state.thief.health < health);
    while world.state.ending.is_none() {
        act(&mut world, Action::Wait);
    }
    assert_eq!(
        world.state.ending,
        Some(crate::Ending::Slain(GuardKind::Sentry))
    );
    assert_eq!(world.act(Action::Wait), Err(crate::Refusal::GameOver));
}

#[test]
fn a_thief_who_dawdles_is_caught_up_with() {
    let long = "
        ##################################################
        #s...@...........................................#
        ##################################################";
    let mut world = scene(long);
    let sentry = turn(&mut world, GuardKind::Sentry, Direction::East);
    wait_until(&mut world, 6, sentry, |guard| {
        guard.alert_state == AlertState::Chasing
    });
    let health = world.state.thief.health;
    for beat in 0..40 {
        let action = match beat % 3 {
            0 => Action::Wait,
            _ => Action::Walk(Direction::East),
        };
        act(&mut world, action);
        if world.state.thief.health < health {
            return;
        }
    }
    panic!("he walked away from a chase");
}

#[test]
fn a_chase_that_loses_sight_goes_to_the_last_known_place_and_searches() {
    let map = "
        ####################
        #s.......@.........#
        ##########.#########
                 #.#
                 #.####
                 #....#
                 ######";
    let mut world = scene(map);
    let sentry = turn(&mut world, GuardKind::Sentry, Direction::East);
    wait_until(&mut world, 6, sentry, |guard| {
        guard.alert_state == AlertState::Chasing
    });
    let last = world
        .guard(sentry)
        .point_of_interest
        .expect("a last known place");
    // Gone, far away in the dark.
    world.state.thief.at = IVec2::new(13, 5);
    set_torch(&mut world, false);
    let mut was_there = false;
    for _ in 0..30 {
        was_there |= world.guard(sentry).at == last;
        if alert_state(&world, sentry) == AlertState::Searching {
            break;
        }
        act(&mut world, Action::Wait);
    }
    assert!(was_there, "it went to {last}");
    assert_eq!(alert_state(&world, sentry), AlertState::Searching);
}

#[test]
fn a_guard_in_its_own_lantern_light_sees_who_comes_near() {
    let map = "
        ##############################
        #w.........................@.#
        ##############################";
    let mut world = dark(map);
    let watchman = turn(&mut world, GuardKind::Watchman, Direction::East);
    assert!(!ai::perceive::guard_sees(&world, watchman));
    world.state.thief.at = world.guard(watchman).at + IVec2::new(3, 0);
    settle(&mut world);
    assert!(band(&world) >= LightBand::Dim, "{:?}", band(&world));
    assert!(ai::perceive::guard_sees(&world, watchman));
    world.guard_mut(watchman).lantern = Lantern::None;
    settle(&mut world);
    assert!(
        !ai::perceive::guard_sees(&world, watchman),
        "without its lantern it is as blind"
    );
}

#[test]
fn sleepers_see_nothing() {
    let mut world = scene(HALL);
    let sentry = turn(&mut world, GuardKind::Sentry, Direction::East);
    world.guard_mut(sentry).duty = Duty::Sleep;
    wait(&mut world, 10);
    assert!(world.guard(sentry).is_asleep());
    assert_eq!(world.guard(sentry).awareness, 0);
}

#[test]
fn the_blind_see_nothing() {
    for kind in [GuardKind::Listener, GuardKind::Hound] {
        let letter = if kind == GuardKind::Hound { 'h' } else { 'l' };
        let mut world = scene(&HALL.replace('s', &letter.to_string()));
        let id = turn(&mut world, kind, Direction::East);
        wait(&mut world, 10);
        assert_eq!(alert_state(&world, id), AlertState::Calm, "{kind:?}");
    }
}

#[test]
fn the_cloak_makes_its_wearer_one_band_darker() {
    let map = "
        ##################
        #@....!..........#
        ##################";
    let mut world = dark(map);
    let bare = band(&world);
    assert!(bare > LightBand::Hidden);
    world.state.thief.cloaked = true;
    settle(&mut world);
    assert!(band(&world) < bare);
    set_torch(&mut world, true);
    assert_eq!(band(&world), LightBand::Blazing, "it hides no torch");
}
