//! Tests of the Ember: it lights its bearer, wakes the keep, and can be wrapped.

use super::*;
use crate::{Duty, Ember, Ending, Refusal};

const SHRINE: &str = "
    ##################
    #<E............s.#
    ##################";

fn with_ember(map: &str, wrapped: bool, cloth: u16) -> World {
    let mut world = dark(map);
    world.floor_mut().items.clear();
    world.state.thief.ember = Some(Ember { wrapped });
    world.state.thief.cloth = cloth;
    settle(&mut world);
    world
}

#[test]
fn ember_lights_its_bearer_unless_wrapped() {
    let mut world = with_ember(SHRINE, false, 5);
    turn(&mut world, GuardKind::Sentry, Direction::West);
    assert_eq!(band(&world), LightBand::Blazing);
    assert!(is_seen(&world, GuardKind::Sentry));
    let mut world = with_ember(SHRINE, true, 5);
    turn(&mut world, GuardKind::Sentry, Direction::West);
    assert_eq!(band(&world), LightBand::Hidden);
    assert!(!is_seen(&world, GuardKind::Sentry));
}

#[test]
fn wrapped_ember_burns_cloth_until_it_shines() {
    let mut world = with_ember(SHRINE, false, 5);
    act(&mut world, Action::WrapEmber);
    let events = wait(&mut world, 5);
    assert!(events.contains(&GameEvent::ClothBurnt));
    assert_eq!(band(&world), LightBand::Blazing);
    assert_eq!(world.check(Action::WrapEmber), Err(Refusal::NoCloth));
}

#[test]
fn taking_the_ember_wakes_the_keep() {
    let mut world = dark(SHRINE);
    let id = turn(&mut world, GuardKind::Sentry, Direction::East);
    world.guard_mut(id).duty = Duty::Sleep;
    act(&mut world, Action::Walk(Direction::East));
    let events = act(&mut world, Action::PickUp);
    assert!(events.contains(&GameEvent::Alarm));
    assert!(world.view().alarm());
    assert!(!world.guard(id).is_asleep());
    wait(&mut world, 1);
    assert!(!alert_state(&world, id).is_unaware());
}

#[test]
fn leaving_needs_the_ember_and_wins() {
    let mut world = dark(SHRINE);
    world.floor_mut().guards.clear();
    assert_eq!(world.check(Action::Climb), Err(Refusal::NotWithoutEmber));
    act(&mut world, Action::Walk(Direction::East));
    act(&mut world, Action::PickUp);
    act(&mut world, Action::Walk(Direction::West));
    let events = act(&mut world, Action::Climb);
    assert!(events.contains(&GameEvent::Ended(Ending::Escaped)));
    assert_eq!(world.view().ending(), Some(Ending::Escaped));
}
