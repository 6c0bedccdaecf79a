//! Tests of the odds against real fights.

use std::sync::Arc;

use super::*;
use crate::{Action, AlertState, Direction, Duty, Ending, Guard, World, guard::SURE, turn};

/// The targets: how many of 100 duels the thief should win from full health.
const WANTED: [(GuardKind, u8); 5] = [
    (GuardKind::Watchman, 60),
    (GuardKind::Hound, 50),
    (GuardKind::Sentry, 40),
    (GuardKind::Listener, 35),
    (GuardKind::Warden, 10),
];

/// The allowed deviation from a target.
const OFF: u8 = 5;

/// The number of duels of each kind. One standard deviation is then at most 1.3 of 100.
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

/// Fights a duel in the game itself. Returns whether the thief won.
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
            .expect("the guard is there");
    }
    world.state.ending != Some(Ending::Slain(kind))
}

/// The percentage of duels that the thief wins in the game itself.
fn share_won(rules: &Arc<Rules>, kind: GuardKind, health: (i16, i16)) -> f64 {
    let won = (0..DUELS).filter(|&seed| fought(rules, kind, health, seed));
    100.0 * won.count() as f64 / DUELS as f64
}

#[test]
fn fights_meet_their_targets() {
    let rules = Rules::standard();
    for (kind, wanted) in WANTED {
        let health = (rules.thief.health, rules.guard(kind).health);
        let won = share_won(&rules, kind, health);
        assert!(
            (won - f64::from(wanted)).abs() <= f64::from(OFF),
            "{}: {won} of 100 duels are won; target {wanted}",
            kind.name()
        );
    }
}

#[test]
fn fights_match_the_odds() {
    let rules = Rules::standard();
    for (kind, _) in WANTED {
        let full = (rules.thief.health, rules.guard(kind).health);
        for health in [full, (full.0 / 2, full.1 / 2), (5, 2)] {
            let predicted = rules.odds(Difficulty::Thief, health.0, kind, health.1);
            let won = share_won(&rules, kind, health);
            // Three standard deviations plus rounding.
            assert!(
                (won - f64::from(predicted)).abs() <= 4.5,
                "{} at {health:?}: {won} of 100 are won; odds {predicted}",
                kind.name()
            );
        }
    }
}

#[test]
fn odds_of_single_blows_match_the_formula() {
    let mut rules = Rules::clone(&Rules::standard());
    rules.guards[GuardKind::Sentry].strike_ticks = 4;
    (rules.thief.hit, rules.guards[GuardKind::Sentry].hit) = (30, 50);
    let odds = |thief, guard| rules.odds(Difficulty::Thief, thief, GuardKind::Sentry, guard);
    // p / (1 - (1 - p) (1 - q)) = 0.3 / (1 - 0.7 * 0.5)
    assert_eq!(odds(1, 1), 46);
    // Striking first is an advantage, and so is each hit that a fighter can take.
    assert!(odds(3, 1) > odds(1, 1) && odds(1, 2) < odds(1, 1));
}

#[test]
fn no_hits_no_win() {
    let mut rules = Rules::clone(&Rules::standard());
    let lamplighter = from_full_health(&rules, GuardKind::Lamplighter);
    assert_eq!(lamplighter, 100, "lamplighters do not fight");
    rules.thief.hit = 0;
    assert_eq!(from_full_health(&rules, GuardKind::Watchman), 0);
    assert_eq!(
        from_full_health(&rules, GuardKind::Lamplighter),
        0,
        "a lamplighter that is never hit does not fall"
    );
    rules.thief.hit = 100;
    rules.thief.damage = 0;
    assert_eq!(from_full_health(&rules, GuardKind::Watchman), 0);
}

#[test]
fn odds_fall_with_difficulty() {
    let rules = Rules::standard();
    for (kind, _) in WANTED {
        let guard = rules.guard(kind).health;
        let odds = Difficulty::ALL.map(|hard| rules.odds(hard, rules.thief.health, kind, guard));
        assert!(odds.is_sorted_by(|a, b| a > b), "{kind:?}: {odds:?}");
    }
}

#[test]
fn view_odds_need_sight_and_use_current_health() {
    let rules = Rules::standard();
    let mut world = World::from_drawing(Arc::clone(&rules), 1, RING).expect("a ring");
    assert_eq!(world.view().odds(0), None, "there is no guard");
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
    assert_eq!(world.view().odds(0), None, "the guard is on the ground");
}
