//! Tests of hearing.

use super::*;
use crate::{Duty, Ground, Sound, sound, sound_source::SoundSource};

const CORRIDOR: &str = "
    ##############################
    #@..s........................#
    ##############################";

/// A dark corridor with a sentry that looks away from the thief.
fn behind_a_sentry(map: &str) -> (World, GuardId) {
    let mut world = dark(map);
    let id = turn(&mut world, GuardKind::Sentry, Direction::East);
    (world, id)
}

#[test]
fn walking_is_heard_where_sneaking_is_not() {
    let hears = |action: Action| {
        let (mut world, id) = behind_a_sentry(CORRIDOR);
        act(&mut world, action);
        world.guard(id).awareness > 0
    };
    assert!(hears(Action::Walk(Direction::East)));
    assert!(!hears(Action::Sneak(Direction::East)));
    assert!(hears(Action::Run(Direction::East)));
}

#[test]
fn ground_changes_the_noise_of_steps() {
    let hears = |ground: char| {
        let map = CORRIDOR.replace("@..s", &format!("@{}s", ground.to_string().repeat(2)));
        let (mut world, id) = behind_a_sentry(&map);
        act(&mut world, Action::Walk(Direction::East));
        world.guard(id).awareness
    };
    let (carpet, earth, stone, gravel) = (hears('_'), hears(','), hears('.'), hears(':'));
    assert_eq!(carpet, 0);
    assert!(
        earth < stone && stone < gravel,
        "{earth}, {stone}, {gravel}"
    );
}

#[test]
fn closed_door_muffles() {
    let hears = |door: char| {
        let map = CORRIDOR.replace("@..s", &format!("@..{door}.s"));
        let (mut world, id) = behind_a_sentry(&map);
        act(&mut world, Action::Run(Direction::East));
        world.guard(id).awareness
    };
    assert!(hears('/') > 0);
    assert_eq!(hears('+'), 0);
}

#[test]
fn loud_noise_is_investigated() {
    let (mut world, id) = behind_a_sentry(CORRIDOR);
    let place = IVec2::new(16, 1);
    for _ in 0..4 {
        sound::make(&mut world, Sound::Pebble, place, 180, SoundSource::Thing);
    }
    wait(&mut world, 1);
    assert_eq!(alert_state(&world, id), AlertState::Investigating);
    wait_until(&mut world, 30, id, |guard| guard.at == place);
    assert!(
        alert_state(&world, id) != AlertState::Chasing,
        "a pebble does not make a guard sure"
    );
}

#[test]
fn only_listeners_become_sure_by_ear() {
    for (letter, kind, sure) in [
        ('s', GuardKind::Sentry, false),
        ('l', GuardKind::Listener, true),
    ] {
        let mut world = dark(&CORRIDOR.replace('s', &letter.to_string()));
        let id = turn(&mut world, kind, Direction::East);
        world.guard_mut(id).saved = 0;
        act(&mut world, Action::Run(Direction::East));
        assert_eq!(
            alert_state(&world, id) == AlertState::Chasing,
            sure,
            "{kind:?}"
        );
    }
}

#[test]
fn listener_ignores_a_silent_thief() {
    let mut world = dark(&CORRIDOR.replace("@..s", "..@l"));
    let id = turn(&mut world, GuardKind::Listener, Direction::West);
    let health = world.state.thief.health;
    wait(&mut world, 20);
    assert_eq!(alert_state(&world, id), AlertState::Calm);
    assert_eq!(world.state.thief.health, health);
}

#[test]
fn only_loud_sounds_wake_sleepers() {
    let (mut world, id) = behind_a_sentry(CORRIDOR);
    world.guard_mut(id).duty = Duty::Sleep;
    act(&mut world, Action::Sneak(Direction::East));
    assert!(world.guard(id).is_asleep());
    act(&mut world, Action::Run(Direction::East));
    assert!(!world.guard(id).is_asleep());
}

#[test]
fn unseen_steps_are_heard_with_a_direction() {
    let map = "
        ####################
        #@........s........#
        ####################";
    let mut world = dark(map);
    let id = the(&world, GuardKind::Sentry);
    let guard = world.guard_mut(id);
    guard.duty = Duty::Patrol;
    guard.facing = Direction::East;
    guard.route = vec![IVec2::new(16, 1), IVec2::new(10, 1)];
    let events = wait(&mut world, 4);
    let heard = events.iter().find_map(|event| match event {
        GameEvent::Heard {
            sound: Sound::Steps(_),
            towards,
            steps,
            ..
        } => Some((*towards, *steps)),
        _ => None,
    });
    let (towards, steps) = heard.expect("footsteps");
    assert_eq!(towards, Some(Direction::East));
    assert!((9..=13).contains(&steps), "{steps}");
    let moved = |event: &GameEvent| {
        matches!(
            event,
            GameEvent::Moved {
                who: crate::Who::Guard(_),
                ..
            }
        )
    };
    assert!(!events.iter().any(moved), "unseen steps are not reported");
}

#[test]
fn call_alerts_other_guards() {
    let map = "
        ##############################
        #@...s......................s#
        ##############################";
    let mut world = scene(map);
    for id in [0, 1] {
        let guard = world.guard_mut(id);
        guard.watch = if id == 0 {
            Direction::West
        } else {
            Direction::East
        };
        guard.facing = guard.watch;
        guard.route = vec![guard.home];
        guard.duty = Duty::Patrol;
    }
    world.rules = {
        let mut rules = (*world.rules).clone();
        rules.noise.call = 300;
        std::sync::Arc::new(rules)
    };
    wait_until(&mut world, 8, 0, |guard| {
        guard.alert_state == AlertState::Chasing
    });
    wait(&mut world, 1);
    assert!(
        !alert_state(&world, 1).is_unaware(),
        "{:?}",
        alert_state(&world, 1)
    );
}

#[test]
fn guards_ignore_each_others_steps() {
    let map = "
        ####################
        #s...s............@#
        ####################";
    let mut world = dark(map);
    let guard = world.guard_mut(0);
    guard.duty = Duty::Patrol;
    guard.route = vec![IVec2::new(3, 1), IVec2::new(1, 1)];
    wait(&mut world, 20);
    assert_eq!(alert_state(&world, 1), AlertState::Calm);
}

#[test]
fn steps_are_louder_without_nerve() {
    let mut world = dark(CORRIDOR);
    let calm = sound::step_reach(&world, 50, Ground::Stone);
    world.state.thief.nerve = 0;
    assert!(sound::step_reach(&world, 50, Ground::Stone) > calm);
    world.state.thief.perks.push(crate::Perk::LightFeet);
    let soft = sound::step_reach(&world, 50, Ground::Stone);
    assert!(soft < u16::MAX && soft < calm * 2);
}
