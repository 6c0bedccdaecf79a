//! That duels end as often as they should, and as often as is told.

use std::sync::Arc;

use super::*;
use crate::{Action, AlertState, Direction, Duty, Ending, Guard, World, guard::SURE, turn};

/// How many of a hundred duels the thief should win from full health.
const WANTED: [(GuardKind, u8); 5] = [
    (GuardKind::Watchman, 60),
    (GuardKind::Hound, 50),
    (GuardKind::Sentry, 40),
    (GuardKind::Listener, 35),
    (GuardKind::Warden, 10),
];

/// By how many in a hundred they may miss that.
const OFF: u8 = 5;

/// Duels of each kind that are fought: one standard deviation is then at most 1.3 in a hundred.
const DUELS: u64 = 1500;

const RING: &str = "
    #####
    #...#
    #.@.#
    #...#
    #####";

/// The odds from full health, on the difficulty `thief`.
fn from_full_health(rules: &Rules, kind: GuardKind) -> u8 {
    let (thief, guard) = (rules.thief.health, rules.guard(kind).health);
    rules.odds(Difficulty::Thief, thief, kind, guard)
}

/// A duel by the game itself; whether the thief won.
fn fought(rules: &Arc<Rules>, kind: GuardKind, health: (i16, i16), seed: u64) -> bool {
    let mut world = World::from_drawing(Arc::clone(rules), seed, RING).expect("a ring");
    world.state.thief.health = health.0;
    let at = world.state.thief.at;
    let mut guard = Guard::new(
        kind,
        Duty::Post,
        at + Direction::East.step(),
        Direction::West,
    );
    guard.health = health.1;
    guard.alert_state = AlertState::Chasing;
    guard.awareness = SURE;
    guard.point_of_interest = Some(at);
    guard.saved = (seed % u64::from(rules.guard(kind).strike_ticks)) as u16;
    world.floor_mut().guards.push(guard);
    turn::settle_in(&mut world);
    while world.guard(0).is_standing() && world.state.ending.is_none() {
        assert_eq!(world.guard(0).at, at + Direction::East.step(), "{kind:?}");
        world
            .act(Action::Fight(Direction::East))
            .expect("it stands there");
    }
    world.state.ending != Some(Ending::Slain(kind))
}

/// How many of a hundred duels the game itself lets the thief win.
fn share_won(rules: &Arc<Rules>, kind: GuardKind, health: (i16, i16)) -> f64 {
    let won = (0..DUELS).filter(|&seed| fought(rules, kind, health, seed));
    100.0 * won.count() as f64 / DUELS as f64
}

#[test]
fn fights_are_as_dangerous_as_they_should_be() {
    let rules = Rules::standard();
    for (kind, wanted) in WANTED {
        let health = (rules.thief.health, rules.guard(kind).health);
        let won = share_won(&rules, kind, health);
        assert!(
            (won - f64::from(wanted)).abs() <= f64::from(OFF),
            "{}: {won} of 100 duels are won, not {wanted}",
            kind.name()
        );
    }
}

#[test]
fn duels_end_as_often_as_is_told() {
    let rules = Rules::standard();
    for (kind, _) in WANTED {
        let full = (rules.thief.health, rules.guard(kind).health);
        for health in [full, (full.0 / 2, full.1 / 2), (5, 2)] {
            let told = rules.odds(Difficulty::Thief, health.0, kind, health.1);
            let won = share_won(&rules, kind, health);
            // Three standard deviations, and the rounding.
            assert!(
                (won - f64::from(told)).abs() <= 4.5,
                "{} at {health:?}: {won} of 100 are won, {told} are told",
                kind.name()
            );
        }
    }
}

#[test]
fn duels_of_one_blow_are_as_likely_as_that_blow() {
    let mut rules = Rules::clone(&Rules::standard());
    rules.guards[GuardKind::Sentry].strike_ticks = 4;
    (rules.thief.hit, rules.guards[GuardKind::Sentry].hit) = (30, 50);
    let odds = |thief, guard| rules.odds(Difficulty::Thief, thief, GuardKind::Sentry, guard);
    // p / (1 - (1 - p) (1 - q)) = 0.3 / (1 - 0.7 * 0.5)
    assert_eq!(odds(1, 1), 46);
    // To begin is worth something; so is each hit that can be taken.
    assert!(odds(3, 1) > odds(1, 1) && odds(1, 2) < odds(1, 1));
}

#[test]
fn whoever_can_not_hit_does_not_win() {
    let mut rules = Rules::clone(&Rules::standard());
    let lamplighter = from_full_health(&rules, GuardKind::Lamplighter);
    assert_eq!(lamplighter, 100, "it does not fight");
    rules.thief.hit = 0;
    assert_eq!(from_full_health(&rules, GuardKind::Watchman), 0);
    assert_eq!(
        from_full_health(&rules, GuardKind::Lamplighter),
        0,
        "nor does it fall"
    );
    rules.thief.hit = 100;
    rules.thief.damage = 0;
    assert_eq!(from_full_health(&rules, GuardKind::Watchman), 0);
}

#[test]
fn harder_games_have_worse_odds() {
    let rules = Rules::standard();
    for (kind, _) in WANTED {
        let guard = rules.guard(kind).health;
        let odds = Difficulty::ALL.map(|hard| rules.odds(hard, rules.thief.health, kind, guard));
        assert!(odds.is_sorted_by(|a, b| a > b), "{kind:?}: {odds:?}");
    }
}

#[test]
fn the_odds_are_told_of_whoever_is_seen_as_both_are() {
    let rules = Rules::standard();
    let mut world = World::from_drawing(Arc::clone(&rules), 1, RING).expect("a ring");
    assert_eq!(world.view().odds(0), None, "nobody is there");
    let at = world.state.thief.at + Direction::East.step();
    let mut guard = Guard::new(GuardKind::Sentry, Duty::Post, at, Direction::West);
    guard.health = rules.guards[GuardKind::Sentry].health;
    world.floor_mut().guards.push(guard);
    turn::settle_in(&mut world);
    let fresh = from_full_health(&rules, GuardKind::Sentry);
    assert_eq!(world.view().odds(0), Some(fresh));
    world.guard_mut(0).health -= 3;
    assert!(world.view().odds(0) > Some(fresh));
    world.state.thief.health /= 3;
    assert!(world.view().odds(0) < Some(fresh));
    world.guard_mut(0).alert_state = AlertState::Unconscious;
    assert_eq!(world.view().odds(0), None, "it lies there");
}
