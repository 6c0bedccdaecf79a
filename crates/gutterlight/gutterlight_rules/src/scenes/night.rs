//! Tests of the night: dawn ends it, and waiting restores a little nerve.

use super::*;
use crate::{Difficulty, Duty, Ending, FLOORS, Hour, MOST_BELLS, Refusal, path};

const CELLAR: &str = "
    ####################
    #<................>#
    #@.................#
    ####################";

/// A dark scene this many beats before a time in ticks.
fn before(map: &str, time: u32, beats: u32) -> World {
    let mut world = dark(map);
    world.state.tick = time - beats * 4;
    world
}

fn hunters(world: &World) -> usize {
    let guards = world.floor().guards.iter();
    let followers = world.state.followers.iter().map(|(guard, _)| guard);
    let hunts = |guard: &&Guard| guard.duty == Duty::Hunt;
    guards.chain(followers).filter(hunts).count()
}

/// Keeps the thief alive.
fn wait_sturdily(world: &mut World, beats: u32) -> Vec<GameEvent> {
    let mut events = Vec::new();
    for _ in 0..beats {
        world.state.thief.health = 1000;
        events.extend(wait(world, 1));
    }
    events
}

#[test]
fn thief_is_warned_once_before_dawn() {
    let night = Rules::standard().night.clone();
    let mut world = before(CELLAR, night.dawn - night.late, 3);
    assert!(!world.view().is_late());
    let events = wait(&mut world, 3);
    let hours = |events: &[GameEvent]| -> Vec<Hour> {
        let hours = events.iter().filter_map(|event| match event {
            GameEvent::Night(hour) => Some(*hour),
            _ => None,
        });
        hours.collect()
    };
    assert_eq!(hours(&events), [Hour::Late]);
    assert!(world.view().is_late());
    assert_eq!(world.view().ticks_to_dawn(), night.late);
    assert_eq!(world.view().bells(), 0);
    assert_eq!(hours(&wait(&mut world, 10)), []);
    world.state.tick = night.dawn - 4;
    assert_eq!(hours(&wait_sturdily(&mut world, 10)), [Hour::Dawn]);
    assert_eq!(world.view().ticks_to_dawn(), 0);
}

/// Reported: a careful bot fled over the same stairs and waited there until turn 12,000, because
/// bells fall silent while the thief waits.
#[test]
fn all_bells_ring_from_dawn_on_and_never_fall_silent() {
    let rules = Rules::standard();
    let mut world = before(CELLAR, rules.night.dawn, 2);
    wait(&mut world, 1);
    assert_eq!((world.view().bells(), hunters(&world)), (0, 0));
    wait(&mut world, 1);
    assert_eq!((world.view().bells(), hunters(&world)), (MOST_BELLS, 1));
    let events = wait_sturdily(&mut world, 100);
    let silent = |event: &GameEvent| matches!(event, GameEvent::Bells { risen: false, .. });
    assert!(!events.iter().any(silent));
    assert_eq!(world.view().bells(), MOST_BELLS);
    assert_eq!(world.check_invariants(), Ok(()));
}

#[test]
fn stairs_are_no_escape_from_dawn() {
    let mut world = World::new(3, Difficulty::Thief);
    world.state.tick = world.rules.night.dawn;
    world.state.thief.at = world.floor().down.expect("stairs down");
    world.act(Action::Climb).expect("stairs");
    assert_eq!(
        (world.view().depth(), world.view().bells()),
        (1, MOST_BELLS)
    );
    assert_eq!(world.check_invariants(), Ok(()));
}

#[test]
fn another_hunter_comes_at_regular_intervals_after_dawn() {
    let night = Rules::standard().night.clone();
    let mut world = before(CELLAR, night.dawn, 1);
    let every = night.hunters / 4;
    for count in 1..=2 {
        wait_sturdily(&mut world, 1);
        assert_eq!(hunters(&world), count);
        wait_sturdily(&mut world, every - 1);
        assert_eq!(hunters(&world), count);
    }
    wait_sturdily(&mut world, 1);
    assert_eq!(hunters(&world), 3);
}

#[test]
fn thief_is_caught_in_full_daylight() {
    let night = Rules::standard().night.clone();
    let mut world = before(CELLAR, night.dawn + night.daylight, 2);
    assert_eq!(world.view().ticks_to_daylight(), 8);
    wait_sturdily(&mut world, 1);
    assert_eq!(world.view().ending(), None);
    let events = wait_sturdily(&mut world, 1);
    assert_eq!(events.last(), Some(&GameEvent::Ended(Ending::Caught)));
    assert_eq!(world.view().ticks_to_daylight(), 0);
    assert_eq!(world.check_invariants(), Ok(()));
    assert_eq!(world.check(Action::Wait), Err(Refusal::GameOver));
    assert!(!world.view().is_out());
}

/// A thief who leaves the keep in the last beat escapes.
#[test]
fn thief_escapes_in_the_last_beat() {
    let night = Rules::standard().night.clone();
    let mut world = World::new(3, Difficulty::Thief);
    world.state.tick = night.dawn + night.daylight - 4;
    let ember = crate::Ember { wrapped: false };
    world.state.thief.ember = Some(ember);
    act(&mut world, Action::Climb);
    assert_eq!(world.view().ending(), Some(Ending::Escaped));
}

/// Reported: a ghost bot stayed out of reach for thousands of beats after dawn. A thief who cannot
/// even be killed goes back and forth over the same stairs.
#[test]
fn going_back_and_forth_over_stairs_ends_in_full_daylight() {
    let mut world = World::new(3, Difficulty::Thief);
    let night = world.rules.night.clone();
    world.state.tick = night.dawn + night.daylight - 60 * 4;
    descend(&mut world);
    for _ in 1..60 {
        assert_eq!(world.view().ending(), None);
        world.state.thief.health = 1000;
        act(&mut world, Action::Climb);
    }
    assert_eq!(world.view().ending(), Some(Ending::Caught));
}

/// Goes down one floor.
fn descend(world: &mut World) {
    world.state.thief.at = world.floor().down.expect("stairs down");
    act(world, Action::Climb);
    act(world, Action::Learn(0));
}

/// A thief who does nothing but hide from dawn on, at the stairs of different floors.
#[test]
fn hiding_thief_never_outlasts_full_daylight() {
    let games = Difficulty::ALL.into_iter().flat_map(|difficulty| {
        let floors = 0..3;
        floors.map(move |floor| (difficulty, floor))
    });
    for (difficulty, floor) in games {
        let seed = 10 + floor;
        let mut world = World::new(seed, difficulty);
        let night = world.rules.night.clone();
        for _ in 0..floor {
            descend(&mut world);
        }
        set_torch(&mut world, false);
        world.state.tick = night.dawn;
        while world.view().ending().is_none() {
            wait(&mut world, 1);
            let day = world.state.tick - night.dawn;
            assert!(day <= night.daylight, "{difficulty:?}, seed {seed}");
        }
        let lost = world.view().ending();
        assert!(
            matches!(lost, Some(Ending::Slain(_) | Ending::Caught)),
            "{difficulty:?}, seed {seed}: {lost:?}"
        );
    }
}

/// Dawn is a warning and not yet the end: a thief can still climb from the lowest floor to the gate,
/// in half of the time.
#[test]
fn time_from_dawn_is_enough_to_climb_out() {
    let rules = Rules::standard();
    for seed in 0..4 {
        let mut steps = 0;
        for depth in 0..FLOORS {
            let floor = crate::generate::generate(&rules, seed, Difficulty::Thief, depth);
            let ember = |placed: &&crate::Placed| placed.item == crate::Item::Ember;
            let from = floor.down.or_else(|| {
                let ember = floor.items.iter().find(ember);
                ember.map(|placed| placed.at)
            });
            let passable = |at| floor.is_passable(at).then_some(0);
            let costs = path::costs(&floor, from, passable);
            steps += costs[floor.up].div_ceil(10);
        }
        let ticks = steps * u32::from(rules.thief.walk_ticks);
        assert!(ticks <= rules.night.daylight / 2, "seed {seed}: {ticks}");
    }
}

/// A thief in the dark, without nerve and fuel.
fn shaken(map: &str) -> World {
    let mut world = dark(map);
    let thief = &mut world.state.thief;
    thief.nerve = 0;
    if let Some(torch) = &mut thief.torch {
        torch.fuel = 1;
    }
    assert_eq!(world.check(Action::LightTorch), Err(Refusal::NoFuel));
    world
}

/// Reported: a thief without nerve and fuel had no way on.
#[test]
fn waiting_in_the_dark_restores_a_little_nerve() {
    let mut world = shaken(CELLAR);
    let calm = GameEvent::Nerve { gone: false };
    let (gain, most) = {
        let rules = &world.rules.thief;
        (rules.nerve_rests, rules.nerve_rested)
    };
    assert!(wait(&mut world, 1).contains(&calm));
    assert_eq!(world.state.thief.nerve, gain);
    assert!(!wait(&mut world, 100).contains(&calm));
    assert_eq!(world.state.thief.nerve, most);
    // It never takes nerve away.
    world.state.thief.nerve = most + 10;
    wait(&mut world, 1);
    assert_eq!(world.state.thief.nerve, most + 10);
}

#[test]
fn only_waiting_away_from_guards_restores_nerve_in_the_dark() {
    let mut world = shaken(CELLAR);
    for _ in 0..3 {
        world.act(Action::Walk(Direction::East)).expect("free");
        world.act(Action::Sneak(Direction::West)).expect("free");
    }
    assert_eq!(world.state.thief.nerve, 0);
    let mut world = shaken(
        "
        #############
        #@.....s....#
        #############",
    );
    turn(&mut world, GuardKind::Sentry, Direction::East);
    wait(&mut world, 10);
    assert_eq!(world.state.thief.nerve, 0);
}
