//! Tests of sight, and of how guards become sure.

use super::*;
use crate::{Duty, Lantern, guard};

const HALL: &str = "
    ##############################
    #............................#
    #s..........@................#
    #............................#
    ##############################";

#[test]
fn guard_in_the_dark_sees_a_lit_thief_from_afar() {
    let mut world = scene(HALL);
    turn(&mut world, GuardKind::Sentry, Direction::East);
    assert_eq!(band(&world), LightBand::Blazing);
    assert!(is_seen(&world, GuardKind::Sentry));
}

#[test]
fn hidden_thief_is_seen_only_from_the_next_cell() {
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
        "right in front of the sentry"
    );
    // The sentry sees that someone is there. After a few beats it is sure of the thief.
    wait(&mut world, 1);
    let gain = world.rules.awareness.beside;
    assert_eq!(world.guard(sentry).awareness, gain);
    wait(&mut world, u32::from(guard::SURE / gain));
    assert_eq!(alert_state(&world, sentry), AlertState::Chasing);
}

#[test]
fn visible_thief_in_the_next_cell_is_recognized_at_once() {
    let mut world = scene(HALL);
    let sentry = turn(&mut world, GuardKind::Sentry, Direction::East);
    world.state.thief.at = world.guard(sentry).at + Direction::East.step();
    settle(&mut world);
    wait(&mut world, 1);
    assert_eq!(alert_state(&world, sentry), AlertState::Chasing);
}

#[test]
fn guards_see_only_inside_their_cone() {
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
fn bands_have_their_sight_distances() {
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
fn awareness_rises_faster_in_light_and_nearby() {
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
fn solid_tiles_block_sight() {
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
fn smoke_blocks_sight_until_it_thins() {
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
    // Smoke thins out after a while.
    let sentry = the(&world, GuardKind::Sentry);
    wait_until(&mut world, 40, sentry, |guard| guard.awareness > 0);
}

#[test]
fn alert_states_rise_and_calm_down() {
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
        "the sentry searches at the noise"
    );
    wait_until(&mut world, 40, sentry, |guard| {
        guard.alert_state == AlertState::Calm
    });
    assert!(world.guard(sentry).vigilance > 0, "vigilance stays");
    wait_until(&mut world, 60, sentry, |guard| guard.at == guard.home);
}

#[test]
fn suspicion_passes() {
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
        "the sentry did not walk"
    );
}

#[test]
fn chase_kills_a_thief_who_stands_still() {
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
fn chase_catches_a_slow_thief() {
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
    panic!("the thief walked away from a chase");
}

#[test]
fn lost_chase_searches_the_last_known_cell() {
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
    // The thief is far away in the dark.
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
    assert!(was_there, "the sentry went to {last}");
    assert_eq!(alert_state(&world, sentry), AlertState::Searching);
}

#[test]
fn lantern_light_reveals_a_thief_nearby() {
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
        "the watchman sees nothing without its lantern"
    );
}

#[test]
fn sleeping_guards_see_nothing() {
    let mut world = scene(HALL);
    let sentry = turn(&mut world, GuardKind::Sentry, Direction::East);
    world.guard_mut(sentry).duty = Duty::Sleep;
    wait(&mut world, 10);
    assert!(world.guard(sentry).is_asleep());
    assert_eq!(world.guard(sentry).awareness, 0);
}

#[test]
fn guards_without_eyes_see_nothing() {
    for kind in [GuardKind::Listener, GuardKind::Hound] {
        let letter = if kind == GuardKind::Hound { 'h' } else { 'l' };
        let mut world = scene(&HALL.replace('s', &letter.to_string()));
        let id = turn(&mut world, kind, Direction::East);
        wait(&mut world, 10);
        assert_eq!(alert_state(&world, id), AlertState::Calm, "{kind:?}");
    }
}

#[test]
fn cloak_lowers_the_band_by_one() {
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
    assert_eq!(band(&world), LightBand::Blazing, "the cloak hides no torch");
}
