use super::*;
use crate::{
    AlertState, Ember, Ending, Perk,
    act::{fight, perks},
    floor::FLOORS,
    light, sight,
};

const STAIRS: &str = "
    ############
    #<.........#
    #....@.....#
    #.........>#
    ############";

/// The thief on the stairs down.
fn at_stairs() -> World {
    let mut world = scene(STAIRS);
    world.state.thief.at = world.floor().down.expect("stairs down");
    settle(&mut world);
    world
}

/// Moves the thief to the other stairs of this floor, and climbs them.
fn climb(world: &mut World, down: bool) -> Vec<GameEvent> {
    let floor = world.floor();
    let stairs = if down { floor.down } else { Some(floor.up) };
    world.state.thief.at = stairs.expect("stairs");
    settle(world);
    act(world, Action::Climb)
}

/// A game with two floors, which are both the scene.
fn two_floors() -> World {
    let mut world = at_stairs();
    let floor = scene(STAIRS).floor().clone();
    world.state.floors.push(floor);
    world
}

#[test]
fn climbing_needs_stairs() {
    let mut world = scene(STAIRS);
    refuses(&mut world, Action::Climb, Refusal::NoStairs);
    world.state.thief.at = world.floor().up;
    settle(&mut world);
    refuses(&mut world, Action::Climb, Refusal::NotWithoutEmber);
}

#[test]
fn leaving_with_the_ember_ends_the_game() {
    let mut world = scene(STAIRS);
    world.state.thief.at = world.floor().up;
    world.state.thief.ember = Some(Ember { wrapped: true });
    settle(&mut world);
    let events = act(&mut world, Action::Climb);
    assert_eq!(events, [GameEvent::Ended(Ending::Escaped)]);
    refuses(&mut world, Action::Climb, Refusal::GameOver);
}

#[test]
fn first_descent_generates_the_floor_and_offers_perks() {
    let mut world = at_stairs();
    let events = act(&mut world, Action::Climb);
    assert_eq!((world.state.depth, world.state.floors.len()), (1, 2));
    assert_eq!(world.state.thief.at, world.floor().up);
    assert_eq!(world.state.floors[0].left, 0);
    assert!(events.contains(&GameEvent::Entered { depth: 1 }));
    let perks = world.state.offer.expect("an offer");
    assert!(events.contains(&GameEvent::PerkOffered { perks }));
    for action in [Action::Wait, Action::Climb, Action::PickUp] {
        refuses(&mut world, action, Refusal::PerkPending);
    }
    act(&mut world, Action::Learn(0));
    let made = world.floor().tiles.clone();
    climb(&mut world, false);
    assert_eq!(world.state.depth, 0);
    assert_eq!(
        Some(world.state.thief.at),
        world.floor().down,
        "at the other end of the stairs"
    );
    climb(&mut world, true);
    assert_eq!(world.floor().tiles, made);
    assert_eq!(world.state.offer, None, "only the first time");
}

#[test]
fn light_is_that_of_the_current_floor() {
    let mut world = two_floors();
    act(&mut world, Action::Climb);
    let mut fresh = world.clone();
    light::rebuild(&mut fresh);
    assert!(crate::world::same_light(&world, &fresh));
    assert!(sight::sees(&world, world.state.thief.at));
    assert!(world.hearing.cost(world.state.thief.at) == Some(0));
}

#[test]
fn all_stairs_of_a_keep_work() {
    let mut world = at_stairs();
    for depth in 1..FLOORS {
        climb(&mut world, true);
        assert_eq!(world.state.depth, depth, "down");
        // This test is not about guards.
        world.floor_mut().guards.clear();
        act(&mut world, Action::Learn((depth % 3) as u8));
    }
    assert_eq!(world.state.thief.perks.len(), FLOORS - 1);
    assert_eq!(world.floor().down, None);
    world.state.thief.ember = Some(Ember { wrapped: false });
    for depth in (0..FLOORS - 1).rev() {
        climb(&mut world, false);
        assert_eq!(world.state.depth, depth, "up");
    }
    climb(&mut world, false);
    assert_eq!(world.state.ending, Some(Ending::Escaped));
}

#[test]
fn offers_are_new_perks_and_can_be_learned() {
    let mut world = scene(STAIRS);
    refuses(&mut world, Action::Learn(0), Refusal::NoPerkPending);
    world.state.thief.perks = vec![Perk::CatEyes, Perk::WetCloth];
    for _ in 0..20 {
        perks::offer_perks(&mut world);
        let mut offer = world.state.offer.expect("an offer").to_vec();
        assert!(
            offer.iter().all(|&perk| !world.state.thief.has(perk)),
            "{offer:?}"
        );
        offer.sort();
        offer.dedup();
        assert_eq!(offer.len(), 3, "three different ones");
    }
    world.events.clear();
    for none in [3, 255] {
        refuses(&mut world, Action::Learn(none), Refusal::NoSuchPerk);
    }
    let perks = [Perk::ThickSkin, Perk::DeepPockets, Perk::LightFeet];
    for (choice, &perk) in perks.iter().enumerate() {
        world.state.offer = Some(perks);
        let before = world.clone();
        let events = act(&mut world, Action::Learn(choice as u8));
        assert_eq!(events, [GameEvent::Learnt { perk }]);
        assert_eq!(
            (world.state.offer, world.state.tick),
            (None, before.state.tick),
            "{perk:?}"
        );
        assert!(world.state.thief.has(perk), "{perk:?}");
    }
    let rules = Rules::standard();
    assert_eq!(
        world.state.thief.health,
        rules.thief.health + rules.perks.thick_skin
    );
    assert_eq!(
        world.state.thief.tools.len(),
        usize::from(rules.thief.slots) + 1
    );
}

/// A guard that chases the thief, this many cells to the west.
fn chaser(world: &mut World, cells: i32, kind: GuardKind) -> GuardId {
    let at = off(world, -cells, 0);
    let id = put_guard(world, at, kind, Direction::East);
    let thief = world.state.thief.at;
    let guard = world.guard_mut(id);
    guard.alert_state = AlertState::Chasing;
    guard.awareness = 1000;
    guard.point_of_interest = Some(thief);
    id
}

fn standing(world: &World) -> usize {
    let guards = world.floor().guards.iter();
    guards.filter(|guard| guard.is_standing()).count()
}

#[test]
fn chasing_guards_follow_over_stairs() {
    let mut world = two_floors();
    chaser(&mut world, 3, GuardKind::Sentry);
    let far = chaser(&mut world, 9, GuardKind::Watchman);
    let calm = off(&world, -1, -1);
    put_guard(&mut world, calm, GuardKind::Sentry, Direction::West);
    act(&mut world, Action::Climb);
    assert_eq!((standing(&world), world.state.followers.len()), (0, 1));
    act(&mut world, Action::Wait);
    assert_eq!(standing(&world), 0);
    act(&mut world, Action::Wait);
    assert_eq!((standing(&world), world.state.followers.len()), (1, 0));
    let guard = &world.floor().guards[0];
    assert_eq!(
        (guard.kind, guard.alert_state),
        (GuardKind::Sentry, AlertState::Chasing)
    );
    assert!(crate::steps_between(guard.at, world.floor().up) <= 1);
    // The others stay, with their ids.
    let floor = &world.state.floors[0];
    assert!(floor.guards[0].has_left() && !floor.guards[0].is_standing());
    assert_eq!(floor.guards[usize::from(far)].kind, GuardKind::Watchman);
    assert!(floor.guards[usize::from(far)].is_standing());
    assert_eq!(floor.guards.len(), 3);
}

#[test]
fn followers_are_met_on_stairs_and_ids_are_reused() {
    let mut world = two_floors();
    world.state.thief.health = 1000;
    chaser(&mut world, 3, GuardKind::Sentry);
    for turn in 0..12 {
        act(&mut world, Action::Climb);
        let here = world.state.floors.iter().flat_map(|floor| &floor.guards);
        let guards = here.filter(|guard| guard.is_standing()).count();
        assert_eq!(
            guards + world.state.followers.len(),
            1,
            "turn {turn}: no guard is lost"
        );
        assert!(world.floor().guards.len() <= 1, "turn {turn}");
    }
}

#[test]
fn followers_wait_for_room() {
    let mut world = two_floors();
    for at in world.state.floors[1].tiles.cells() {
        if matches!(world.state.floors[1].tile(at), Tile::Ground(_)) {
            world.state.floors[1].tiles[at] = Tile::Wall;
        }
    }
    chaser(&mut world, 2, GuardKind::Sentry);
    act(&mut world, Action::Climb);
    for _ in 0..4 {
        act(&mut world, Action::Wait);
    }
    assert_eq!((standing(&world), world.state.followers.len()), (0, 1));
}

#[test]
fn guards_calm_down_while_the_thief_is_away() {
    for (away, alert_state) in [(8, AlertState::Investigating), (10_000, AlertState::Calm)] {
        let mut world = two_floors();
        let id = chaser(&mut world, 9, GuardKind::Watchman);
        let home = IVec2::new(1, 2);
        world.guard_mut(id).home = home;
        act(&mut world, Action::Climb);
        world.state.tick += away;
        // The guard would see the torch at once.
        world.state.thief.torch = None;
        climb(&mut world, false);
        assert_eq!(
            world.guard(id).alert_state,
            alert_state,
            "after {away} ticks"
        );
    }
}

#[test]
fn unconscious_time_passes_while_the_thief_is_away() {
    let mut world = two_floors();
    let at = off(&world, -9, 0);
    let id = put_guard(&mut world, at, GuardKind::Watchman, Direction::East);
    fight::put_to_sleep(&mut world, id, 500);
    act(&mut world, Action::Climb);
    world.state.tick += 100;
    climb(&mut world, false);
    assert_eq!(world.guard(id).sleep, 500 - 4 - 100 - 4);
}

#[test]
fn guard_on_the_stairs_makes_way() {
    let mut world = two_floors();
    let up = world.state.floors[1].up;
    let mut guard = Guard::new(GuardKind::Sentry, Duty::Patrol, up, Direction::East);
    guard.health = 3;
    world.state.floors[1].guards.push(guard);
    act(&mut world, Action::Climb);
    assert_eq!(world.state.thief.at, up);
    assert_ne!(world.guard(0).at, up);
    assert_eq!(crate::steps_between(world.guard(0).at, up), 1);
}

/// A thief who fled down the stairs from a watchman, and comes back after `away` ticks.
fn fled_and_back(away: u32) -> World {
    let mut world = two_floors();
    chaser(&mut world, 9, GuardKind::Watchman);
    act(&mut world, Action::Climb);
    world.state.tick += away;
    // The guard would see the torch at once.
    world.state.thief.torch = None;
    climb(&mut world, false);
    world
}

#[test]
fn guards_wait_at_stairs_for_stairs_ticks() {
    let stairs_ticks = u32::from(Rules::standard().alarm.stairs_ticks);
    for away in [60, stairs_ticks - 20] {
        let world = fled_and_back(away);
        let steps = crate::steps_between(world.guard(0).at, world.state.thief.at);
        assert!(
            (1..=3).contains(&steps),
            "after {away} ticks: {steps} steps"
        );
        assert!(
            !world.guard(0).alert_state.is_unaware(),
            "after {away} ticks"
        );
    }
    let world = fled_and_back(stairs_ticks + 20);
    let home = world.guard(0).home;
    assert!(crate::steps_between(world.guard(0).at, home) <= 1);
}

#[test]
fn repeated_stairs_do_not_stop_a_chase() {
    let mut world = two_floors();
    world.state.thief.health = 1000;
    chaser(&mut world, 9, GuardKind::Watchman);
    for _ in 0..30 {
        act(&mut world, Action::Climb);
    }
    assert!(
        world.state.thief.health < 1000,
        "no guard reached the thief"
    );
}

#[test]
fn time_passes_on_left_floors() {
    let mut world = two_floors();
    let at = off(&world, -9, -1);
    let id = put_guard(&mut world, at, GuardKind::Watchman, Direction::East);
    let (west, east) = (off(&world, -10, -1), off(&world, -9, 0));
    let guard = world.guard_mut(id);
    guard.route = vec![west, east];
    world.floor_mut().alarm.fright = 300;
    let lies = Torch {
        lit: true,
        fuel: 20,
    };
    put_item(&mut world, east, Item::Torch(lies));
    world.state.thief.torch = None;
    act(&mut world, Action::Climb);
    world.state.tick += 40;
    climb(&mut world, false);
    let floor = world.floor();
    assert_eq!(floor.alarm.fright, 300 - 40 - 4 - 4);
    let torch = Item::Torch(Torch { lit: true, fuel: 8 });
    assert!(
        floor.items.iter().any(|placed| placed.item == torch),
        "{:?}",
        floor.items
    );
    assert_ne!(world.guard(id).at, at, "the patrol walked on");
}
