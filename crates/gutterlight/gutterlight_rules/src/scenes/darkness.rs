//! Tests of darkness: lamps that stay out, lamplighters, and perks for the dark.

use super::*;
use crate::{Duty, FixtureKind, Perk, Sound, Tool, guard::Lantern};

/// Whether the first sconce burns.
fn burns(world: &World) -> bool {
    let mut lamps = world.floor().fixtures.iter();
    lamps.any(|lamp| lamp.kind == FixtureKind::Sconce && lamp.burning)
}

/// Whether this sound was made in sight.
fn made(events: &[GameEvent], wanted: Sound) -> bool {
    let is =
        |event: &GameEvent| matches!(event, GameEvent::Sounded { sound, .. } if *sound == wanted);
    events.iter().any(is)
}

const WATCHED: &str = "
    ######################
    #s.......!..........@#
    ######################";

#[test]
fn guards_need_a_flame_to_light_lamps() {
    for (letter, relit) in [("s", false), ("w", true)] {
        let mut world = dark(&WATCHED.replace('s', letter));
        let kind = world.guard(0).kind;
        turn(&mut world, kind, Direction::East);
        world.floor_mut().fixtures[0].burning = false;
        turn::settle_in(&mut world);
        wait(&mut world, 40);
        assert_eq!(burns(&world), relit, "{kind:?}");
    }
}

#[test]
fn doused_lantern_lights_nothing() {
    let mut world = dark(&WATCHED.replace('s', "w"));
    let id = turn(&mut world, GuardKind::Watchman, Direction::East);
    world.floor_mut().fixtures[0].burning = false;
    world.guard_mut(id).lantern = Lantern::Out(400);
    turn::settle_in(&mut world);
    wait(&mut world, 40);
    assert!(!burns(&world));
    // Once the lantern burns again, the guard lights the lamp.
    world.guard_mut(id).lantern = Lantern::Lit;
    wait(&mut world, 40);
    assert!(burns(&world));
}

#[test]
fn lamplighter_relights_a_lamp_out_of_sight() {
    let map = "
        ######################
        #p........#..........#
        #.........+..........#
        #.........#..i......@#
        ######################";
    let mut world = dark(map);
    let id = turn(&mut world, GuardKind::Lamplighter, Direction::South);
    let home = world.guard(id).home;
    assert!(!crate::sight::in_line(&world, home, IVec2::new(13, 3)));
    wait_until(&mut world, 60, id, |guard| guard.at.x > 10);
    for _ in 0..20 {
        act(&mut world, Action::Wait);
    }
    assert!(burns(&world));
}

const NEXT_TO_LAMP: &str = "
    ######################
    #w.......!@..........#
    ######################";

#[test]
fn wet_fingers_douse_silently_and_for_good() {
    for wet in [false, true] {
        let mut world = dark(NEXT_TO_LAMP);
        turn(&mut world, GuardKind::Watchman, Direction::West);
        if wet {
            world.state.thief.perks.push(Perk::WetFingers);
        }
        let events = act(&mut world, Action::Douse(Direction::West));
        assert_eq!(made(&events, Sound::Hiss), !wet);
        assert_eq!(ai::alarm::should_burn(&world, 0), !wet);
    }
}

#[test]
fn lamps_behind_locks_are_ignored() {
    let map = "
        ####################
        #p.......X...i.....#
        ####################
        #@#
        ###";
    let mut world = dark(map);
    let id = turn(&mut world, GuardKind::Lamplighter, Direction::East);
    world.guard_mut(id).duty = Duty::Patrol;
    world.guard_mut(id).route = vec![IVec2::new(8, 1), IVec2::new(1, 1)];
    let mut ends = [false; 2];
    for _ in 0..60 {
        let events = wait(&mut world, 1);
        assert!(!says(&events, Bark::LampOut), "the lamp cannot be reached");
        let x = world.guard(id).at.x;
        ends = [ends[0] || x == 8, ends[1] || (ends[0] && x == 1)];
    }
    assert_eq!(ends, [true; 2], "the lamplighter walks its route");
}

#[test]
fn night_walker_opens_doors_quietly() {
    let reach = |perk: bool, gait: fn(Direction) -> Action| {
        let mut world = dark("#######\n#..@+.#\n#######");
        if perk {
            world.state.thief.perks.push(Perk::NightWalker);
        }
        let walks = world.view().walk_loudness();
        let events = act(&mut world, gait(Direction::East));
        let door = |event: &GameEvent| match event {
            GameEvent::Sounded {
                sound: Sound::Door,
                reach,
                ..
            } => Some(*reach),
            _ => None,
        };
        (walks, events.iter().find_map(door).expect("a door"))
    };
    let (loud, walked) = reach(false, Action::Walk);
    let (soft, at_night) = reach(true, Action::Walk);
    let (_, sneaked) = reach(false, Action::Sneak);
    assert!(soft < loud && at_night < walked);
    assert_eq!(at_night, sneaked);
}

#[test]
fn night_walker_walks_quietly_in_the_dark() {
    let map = "
        ###########
        #@........#
        ###########";
    let reach = |perk: bool, lit: bool, gait: fn(Direction) -> Action| {
        let mut world = dark(map);
        set_torch(&mut world, lit);
        if perk {
            world.state.thief.perks.push(Perk::NightWalker);
        }
        let events = act(&mut world, gait(Direction::East));
        events.iter().find_map(|event| match event {
            GameEvent::Sounded { reach, .. } => Some(*reach),
            _ => None,
        })
    };
    let sneak = reach(false, false, Action::Sneak);
    let walk = reach(false, false, Action::Walk);
    assert!(sneak < walk);
    assert_eq!(reach(true, false, Action::Walk), sneak, "in the dark");
    assert_eq!(reach(true, true, Action::Walk), walk, "in the light");
    assert!(reach(true, false, Action::Run) > walk, "running");
}

#[test]
fn no_traces_hides_bodies_and_noise() {
    let map = "
        ####################
        #s.....w!..........#
        #......@...........#
        ####################";
    for perk in [false, true] {
        let mut world = dark(map);
        turn(&mut world, GuardKind::Sentry, Direction::East);
        let id = turn(&mut world, GuardKind::Watchman, Direction::East);
        let sentry = the(&world, GuardKind::Sentry);
        if perk {
            world.state.thief.perks.push(Perk::NoTraces);
        }
        let events = act(&mut world, Action::Takedown(Direction::North));
        assert_eq!(alert_state(&world, id), AlertState::Unconscious);
        assert_eq!(made(&events, Sound::Fall), !perk);
        assert_eq!(world.guard(id).stowed, perk);
        // The thief is gone. The body lies under a lamp, in the sentry's sight.
        world.state.thief.at = IVec2::new(18, 2);
        world.guard_mut(sentry).set_alert_state(AlertState::Calm);
        world.guard_mut(sentry).awareness = 0;
        wait(&mut world, 8);
        assert_eq!(world.guard(sentry).mourns != 0, !perk);
        // A guard that wakes up is no longer hidden.
        world.guard_mut(id).sleep = 1;
        wait(&mut world, 2);
        assert!(!world.guard(id).stowed);
        assert_eq!(world.check_invariants(), Ok(()));
    }
}

#[test]
fn water_vial_wets_cloth_or_is_thrown() {
    let mut world = dark("######\n#@...#\n######");
    let tool = Tool::WaterVial;
    world.state.thief.tools[0] = Some(crate::Stack { tool, count: 2 });
    let pour = Action::Use { slot: 0 };
    assert_eq!(world.act(pour), Err(crate::Refusal::NoCloth));
    world.state.thief.cloth = 10;
    act(&mut world, pour);
    assert_eq!(world.state.thief.cloth, 10 + world.rules.tools.water_cloth);
    assert_eq!(world.view().tally().used(tool), 1);
    let at = IVec2::new(3, 1);
    set_torch(&mut world, true);
    act(&mut world, Action::Throw { slot: 0, at });
    assert_eq!(world.view().tally().used(tool), 2);
    assert_eq!(world.state.thief.tools[0], None);
}
