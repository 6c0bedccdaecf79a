//! Tests of the effects of twists in play.

use std::sync::Arc;

use glam::IVec2;

use super::*;
use crate::{
    Action, Difficulty, Direction, Duty, Ending, GuardKind, Item, Lantern, Refusal, Rules, Tile,
    ai, awareness, floor::Floor,
};

/// A drawn world with a twist, in which the thief has no torch.
fn world(twist: Twist, text: &str) -> World {
    let mut world = World::from_drawing(Rules::standard(), 5, text).expect("a drawing");
    world.floor_mut().twist = Some(twist);
    // Without a torch, no guard sees the thief by chance.
    world.state.thief.torch = None;
    crate::turn::settle_in(&mut world);
    world
}

fn act(world: &mut World, action: Action) -> Vec<GameEvent> {
    let events = world.act(action).expect("the action is possible");
    assert_eq!(world.check_invariants(), Ok(()));
    events
}

fn stirs(twist: Twist) -> GameEvent {
    GameEvent::Twist { twist, stirs: true }
}

/// Waits until a twist does something, for at most this many beats.
fn wait_for(world: &mut World, twist: Twist, beats: u32) -> bool {
    (0..beats).any(|_| act(world, Action::Wait).contains(&stirs(twist)))
}

#[test]
fn twist_is_reported_on_entering_and_at_the_start() {
    let seed = (0..50)
        .find(|&seed| Twist::of_floor(&Rules::standard(), seed, 0).is_some())
        .expect("some floor has a twist");
    let mut world = World::new(seed, Difficulty::Thief);
    let twist = world.view().twist().expect("the floor has a twist");
    let report = GameEvent::Twist {
        twist,
        stirs: false,
    };
    assert!(act(&mut world, Action::Wait).contains(&report));
    assert!(!act(&mut world, Action::Wait).contains(&report));
    let down = world.floor().down.expect("the first floor");
    world.state.thief.at = down;
    world.floor_mut().guards.clear();
    let events = act(&mut world, Action::Climb);
    let twist = world.view().twist().expect("the floor has a twist");
    assert_eq!(
        Some(twist),
        Twist::of_floor(&Rules::standard(), seed, 1),
        "the twist of the second floor"
    );
    let report = GameEvent::Twist {
        twist,
        stirs: false,
    };
    assert!(events.contains(&report));
}

#[test]
fn twist_is_reported_once() {
    let mut world = World::new(3, Difficulty::Thief);
    let reports = |events: &[GameEvent]| {
        let is_report = |event: &&GameEvent| matches!(event, GameEvent::Twist { stirs: false, .. });
        events.iter().filter(is_report).count()
    };
    act(&mut world, Action::Wait);
    world.floor_mut().guards.clear();
    world.state.thief.at = world.floor().down.expect("the first floor");
    let first = act(&mut world, Action::Climb);
    world.state.offer = None;
    world.floor_mut().guards.clear();
    let up = act(&mut world, Action::Climb);
    let again = act(&mut world, Action::Climb);
    assert_eq!([reports(&first), reports(&up), reports(&again)], [1, 0, 0]);
}

#[test]
fn twist_texts_are_distinct() {
    for (place, twist) in Twist::ALL.into_iter().enumerate() {
        for other in &Twist::ALL[..place] {
            assert_ne!(twist.name(), other.name());
            assert_ne!(twist.on_entering(), other.on_entering());
        }
    }
}

const POST: &str = "
    ########################
    #s.........+...........#
    #..........#...........#
    #..........+..........w#
    ############.###########
               #@#
               ###";

#[test]
fn changing_guards_leave_the_post_empty() {
    let mut world = world(Twist::ChangingOfTheGuard, POST);
    let post = world.guard(0).home;
    let round = vec![IVec2::new(22, 3), IVec2::new(13, 1)];
    world.guard_mut(1).duty = Duty::Patrol;
    world.guard_mut(1).route = round.clone();
    let every = u32::from(world.rules.twists.relief_ticks / crate::BEAT);
    assert!(wait_for(&mut world, Twist::ChangingOfTheGuard, every));
    let (sentry, watchman) = (world.guard(0), world.guard(1));
    assert_eq!((sentry.duty, watchman.duty), (Duty::Patrol, Duty::Post));
    assert_eq!((&sentry.route, watchman.home), (&round, post));
    // The sentry leaves before the watchman arrives.
    let empty = (0..40).any(|_| {
        act(&mut world, Action::Wait);
        world.guard_ids().all(|id| world.guard(id).at != post)
    });
    assert!(empty);
    let come = (0..80).any(|_| {
        act(&mut world, Action::Wait);
        world.guard(1).at == post
    });
    assert!(come, "the watchman has not come to the post");
}

/// One door, and a corridor behind it that is one cell wide.
const CELL: &str = "
    ########################
    #s.....+...............#
    ########..............w#
           #....############
           ######@#
                ###";

#[test]
fn guards_change_in_narrow_corridors() {
    for turned in [false, true] {
        let mut world = world(Twist::ChangingOfTheGuard, CELL);
        let (sentry, watchman) = if turned { (1, 0) } else { (0, 1) };
        if turned {
            world.floor_mut().guards.swap(0, 1);
        }
        let post = world.guard(sentry).home;
        let round = vec![IVec2::new(22, 2), IVec2::new(12, 1)];
        world.guard_mut(watchman).duty = Duty::Patrol;
        world.guard_mut(watchman).route = round.clone();
        let every = u32::from(world.rules.twists.relief_ticks / crate::BEAT);
        assert!(wait_for(&mut world, Twist::ChangingOfTheGuard, every));
        assert_eq!(world.guard(watchman).home, post);
        // They meet where neither can pass.
        world.guard_mut(watchman).at = IVec2::new(8, 1);
        let (mut gone, mut come) = (false, false);
        for _ in 0..every - 2 {
            act(&mut world, Action::Wait);
            gone |= world.guard(sentry).at == round[0];
            come |= world.guard(watchman).at == post;
        }
        assert!(gone && come, "turned: {turned}; gone: {gone}, come: {come}");
    }
}

#[test]
fn only_posted_and_patrolling_guards_change() {
    let mut world = world(Twist::ChangingOfTheGuard, POST);
    world.guard_mut(1).duty = Duty::Patrol;
    world.guard_mut(1).route = vec![IVec2::new(22, 3), IVec2::new(13, 1)];
    world.guard_mut(0).duty = Duty::Sleep;
    let every = u32::from(world.rules.twists.relief_ticks / crate::BEAT);
    assert!(!wait_for(&mut world, Twist::ChangingOfTheGuard, 2 * every));
    assert_eq!(world.guard(1).duty, Duty::Patrol);
}

const LOOT: &str = "
    #################################
    #...............+..............$#
    #...............#.............!.#
    #################...............#
    #$X.............#...............#
    #################...............#
    #..............................w#
    ###############.#################
                  #@#
                  ###";

#[test]
fn rival_takes_loot_douses_a_lamp_and_is_heard() {
    let mut world = world(Twist::Rival, LOOT);
    world.guard_mut(0).facing = Direction::South;
    let every = u32::from(world.rules.twists.rival_ticks / crate::BEAT);
    assert!(wait_for(&mut world, Twist::Rival, every));
    let left: Vec<IVec2> = world.floor().items.iter().map(|it| it.at).collect();
    assert_eq!(left, [IVec2::new(1, 4)], "locked treasure stays");
    let lamp = world.floor().fixtures[0];
    assert!(!lamp.burning);
    assert_eq!(
        world.state.tally.lamps_doused, 0,
        "doused by the rival, not by the thief"
    );
    // The watchman has heard the rival.
    let looked = (0..60).any(|_| {
        act(&mut world, Action::Wait);
        world.guard(0).awareness > 0 || world.guard(0).lamp.is_some()
    });
    assert!(looked);
    assert!(
        !wait_for(&mut world, Twist::Rival, 2 * every),
        "no more loot"
    );
}

/// A lamp that shines on the treasure, and a closer one behind a wall.
const LAMPS: &str = "
    #################################
    #...............+..........!...$#
    #...............#............####
    #################............#!.#
    #...............#............##.#
    #################...............#
    #...............................#
    ###############.#################
                  #@#
                  ###";

#[test]
fn rival_ignores_lamps_behind_walls() {
    let mut world = world(Twist::Rival, LAMPS);
    let every = u32::from(world.rules.twists.rival_ticks / crate::BEAT);
    assert!(wait_for(&mut world, Twist::Rival, every));
    let out = world.floor().fixtures.iter().filter(|lamp| !lamp.burning);
    let out: Vec<IVec2> = out.map(|lamp| lamp.at).collect();
    assert_eq!(out, [IVec2::new(27, 1)]);
}

#[test]
fn rival_does_not_steal_in_sight() {
    let mut world = world(Twist::Rival, LOOT);
    world.floor_mut().guards.clear();
    world.state.thief.at = IVec2::new(28, 1);
    let every = u32::from(world.rules.twists.rival_ticks / crate::BEAT);
    assert!(!wait_for(&mut world, Twist::Rival, 2 * every));
    assert_eq!(world.floor().items.len(), 2);
}

const HALL: &str = "
    ######################
    #@..................s#
    #Y...................#
    ######################";

#[test]
fn fog_shortens_sight_and_sharpens_hearing() {
    let foggy = world(Twist::Fog, HALL);
    let mut clear = foggy.clone();
    clear.floor_mut().twist = None;
    let sees = |world: &World| {
        let mut world = world.clone();
        world.guard_mut(0).facing = Direction::West;
        crate::turn::settle_in(&mut world);
        ai::perceive::guard_sees(&world, 0)
    };
    assert!(sees(&clear) && !sees(&foggy));
    let far = IVec2::new(18, 1);
    let mut looks = [clear, foggy].map(|mut world| {
        act(&mut world, Action::Wait);
        world
    });
    assert!(looks[0].sight.contains(far) && !looks[1].sight.contains(far));
    let need = looks
        .each_mut()
        .map(|world| awareness::hearing_need(world, GuardKind::Sentry));
    assert!(need[1] < need[0], "{need:?}");
}

const GAOL: &str = "
    ##########
    #g.X@....#
    ####.#####
       #.....#
       #...<.#
       #######";

#[test]
fn prisoner_reveals_the_floor() {
    let mut world = world(Twist::Prisoner, GAOL);
    world.state.thief.take_key(0);
    let corner = IVec2::new(8, 3);
    assert!(world.view().memory(corner).is_none());
    act(&mut world, Action::Open(Direction::West));
    for _ in 0..4 {
        act(&mut world, Action::Walk(Direction::West));
    }
    let events = act(&mut world, Action::PickUp);
    assert!(events.contains(&stirs(Twist::Prisoner)));
    assert_eq!(
        world.view().memory(corner).map(|memory| memory.tile),
        Some(world.floor().tile(corner))
    );
    assert!(world.view().thief().rescued);
    assert!(world.floor().items.is_empty());
}

/// A game that ended on the stairs out of a keep of which two floors were visited.
fn at_the_gate(rescued: bool) -> World {
    let mut world = world(Twist::Prisoner, GAOL);
    let below = world.floor().clone();
    world.state.floors.push(below);
    world.state.thief.at = world.floor().up;
    world.state.thief.rescued = rescued;
    assert_eq!(world.act(Action::Climb), Err(Refusal::LeavesEmber));
    act(&mut world, Action::GiveUp);
    world
}

#[test]
fn endings_without_the_ember_have_different_scores() {
    let turned_back = at_the_gate(false);
    assert_eq!(turned_back.view().ending(), Some(Ending::TurnedBack));
    let rescued = at_the_gate(true);
    assert_eq!(rescued.view().ending(), Some(Ending::Rescued));
    let worth = &Rules::standard().score;
    let more = rescued.view().score() - turned_back.view().score();
    assert_eq!(more, worth.rescue);
    assert_eq!(
        turned_back.view().score(),
        2 * worth.floor + worth.turned_back
    );
    let words = [turned_back, rescued].map(|world| (world.view().fate(), world.view().summary()));
    assert_ne!(words[0], words[1]);
    assert!(words[1].0.contains("A prisoner is free"), "{}", words[1].0);
}

#[test]
fn giving_up_on_the_first_visit_is_not_an_exit() {
    let mut world = world(Twist::Prisoner, GAOL);
    world.state.thief.at = world.floor().up;
    world.state.thief.rescued = true;
    act(&mut world, Action::GiveUp);
    assert_eq!(world.view().ending(), Some(Ending::GaveUp));
    assert_eq!(world.view().score(), Rules::standard().score.floor);
}

/// Rules in which the floors have this twist.
fn keep_of(twist: Twist) -> Arc<Rules> {
    let mut rules = (*Rules::standard()).clone();
    rules.twists.opening = vec![(1, twist)];
    rules.twists.often = vec![(1, twist)];
    Arc::new(rules)
}

/// First floors of several seeds with this twist, and the same floors without it.
fn with_and_without(twist: Twist) -> [Vec<Floor>; 2] {
    let with = keep_of(twist);
    let mut without = (*with).clone();
    without.twists.opening.clear();
    let floors = |rules: &Rules| {
        (0..12)
            .map(|seed| Floor::generate(rules, seed, Difficulty::Thief, 0))
            .collect::<Vec<_>>()
    };
    [floors(&with), floors(&without)]
}

/// The sum of a count over floors.
fn sum(floors: &[Floor], count: fn(&Floor) -> usize) -> usize {
    floors.iter().map(count).sum()
}

#[test]
fn flooded_floors_have_water() {
    let [with, without] = with_and_without(Twist::Flooded);
    let water = |floor: &Floor| {
        let tiles = floor.tiles.values().iter();
        tiles
            .filter(|&&tile| tile == Tile::Ground(crate::Ground::Water))
            .count()
    };
    assert!(sum(&with, water) > 4 * sum(&without, water) + 12 * 50);
}

#[test]
fn blackout_has_no_flames_but_sentries_with_lanterns() {
    let [with, without] = with_and_without(Twist::Blackout);
    let burning = |floor: &Floor| {
        let lamps = floor.fixtures.iter();
        lamps
            .filter(|lamp| lamp.kind.is_flame() && lamp.burning)
            .count()
    };
    let dark = |floor: &Floor| {
        let sentries = floor.guards.iter();
        let mut sentries = sentries.filter(|guard| guard.kind == GuardKind::Sentry);
        usize::from(sentries.any(|guard| guard.lantern == Lantern::None))
    };
    assert_eq!(sum(&with, burning), 0);
    assert!(sum(&without, burning) > 12 * 4);
    assert_eq!(sum(&with, dark), 0);
    assert!(sum(&without, dark) > 0);
}

#[test]
fn festival_has_more_lamps_and_more_sleepers() {
    let [with, without] = with_and_without(Twist::Festival);
    let burning = |floor: &Floor| floor.fixtures.iter().filter(|lamp| lamp.burning).count();
    let asleep = |floor: &Floor| {
        floor
            .guards
            .iter()
            .filter(|guard| guard.is_asleep())
            .count()
    };
    assert!(sum(&with, burning) > sum(&without, burning));
    assert!(sum(&with, asleep) > sum(&without, asleep));
}

#[test]
fn hounds_replace_watchmen() {
    let [with, without] = with_and_without(Twist::DogsLoose);
    let hounds = |floor: &Floor| of_kind(floor, GuardKind::Hound);
    let watchmen = |floor: &Floor| of_kind(floor, GuardKind::Watchman);
    assert!(sum(&with, hounds) > 12);
    assert_eq!(sum(&without, hounds), 0);
    assert!(sum(&with, watchmen) < sum(&without, watchmen));
}

fn of_kind(floor: &Floor, kind: GuardKind) -> usize {
    let guards = floor.guards.iter();
    guards.filter(|guard| guard.kind == kind).count()
}

#[test]
fn prisoner_is_locked_up_and_the_floor_has_a_key() {
    let rules = keep_of(Twist::Prisoner);
    for seed in 0..16 {
        let floor = Floor::generate(&rules, seed, Difficulty::Thief, 0);
        assert_eq!(floor.twist, Some(Twist::Prisoner), "seed {seed}");
        let count = |item: Item| floor.items.iter().filter(|it| it.item == item).count();
        assert_eq!((count(Item::Prisoner), count(Item::Key)), (1, 1));
        let mut items = floor.items.iter();
        let at = items.find(|it| it.item == Item::Prisoner).expect("one").at;
        let walk = |at: IVec2| floor.is_passable(at).then_some(0);
        let ways = crate::path::costs(&floor, [floor.up], walk);
        assert_eq!(ways[at], crate::path::NO_WAY, "the prisoner could walk out");
    }
}
