use super::*;
use crate::{AlertState, Ending, Who, act::fight, floor::Oil};

fn fires(world: &World) -> usize {
    world.floor().oil.iter().filter(|oil| oil.burns > 0).count()
}

/// A room with oil two cells to the east of the thief.
fn with_oil() -> (World, IVec2) {
    let mut world = scene(ROOM);
    hold(&mut world, 0, Tool::OilFlask, 3);
    let at = off(&world, 2, 0);
    act(&mut world, Action::Throw { slot: 0, at });
    (world, at)
}

#[test]
fn flask_covers_floor_but_not_walls() {
    let (mut world, at) = with_oil();
    let radius = world.rules.tools.oil_radius as i32;
    let cells = ((2 * radius + 1) * (2 * radius + 1)) as usize;
    assert_eq!((world.floor().oil.len(), fires(&world)), (cells, 0));
    act(&mut world, Action::Throw { slot: 0, at });
    assert_eq!(world.floor().oil.len(), cells, "one for each cell");
    let wall = off(&world, 3, 0);
    act(&mut world, Action::Throw { slot: 0, at: wall });
    assert!(
        world
            .floor()
            .oil
            .iter()
            .all(|oil| !world.floor().tile(oil.at).is_solid())
    );
}

#[test]
fn only_a_lit_torch_ignites_oil() {
    for lit in [false, true] {
        let (mut world, at) = with_oil();
        world.state.thief.torch = Some(Torch { lit, fuel: 50 });
        let events = act(&mut world, Action::ThrowTorch { at });
        assert_eq!(events.contains(&GameEvent::Fire { at }), lit, "lit: {lit}");
        assert_eq!(world.floor().fire_at(at), lit, "lit: {lit}");
        if lit {
            assert!(world.light.luminance(at) > 0.8, "fire gives light");
        }
    }
}

#[test]
fn brazier_ignites_oil() {
    let mut world = scene(ROOM);
    hold(&mut world, 0, Tool::OilFlask, 1);
    let at = off(&world, 3, 0);
    put_lamp(&mut world, at + IVec2::Y, FixtureKind::Brazier, true);
    act(&mut world, Action::Throw { slot: 0, at });
    assert!(world.floor().fire_at(at + IVec2::Y));
    assert!(
        world.floor().fire_at(at),
        "the fire spreads within the beat"
    );
}

#[test]
fn fire_spreads_and_burns_out() {
    let (mut world, at) = with_oil();
    // Keep the thief out of the fire.
    world.state.thief.at = off(&world, -3, 0);
    put_item(&mut world, at, Item::Torch(Torch { lit: true, fuel: 2 }));
    let mut burnt = 0;
    act(&mut world, Action::Wait);
    assert!(world.floor().fire_at(at));
    act(&mut world, Action::Wait);
    assert_eq!(fires(&world), world.floor().oil.len(), "all of it burns");
    while world.floor().fire_at(at) {
        burnt += 1;
        act(&mut world, Action::Wait);
    }
    assert_eq!(burnt, u32::from(world.rules.tools.oil_burns) / 4 - 1);
    act(&mut world, Action::Wait);
    assert!(world.floor().oil.is_empty());
}

#[test]
fn fire_does_not_cross_gaps_or_walls() {
    let mut world = scene("########\n#@...#.#\n########");
    for east in [2, 5] {
        let at = off(&world, east, 0);
        world.floor_mut().oil.push(Oil { at, burns: 0 });
    }
    let at = off(&world, 3, 0);
    world.floor_mut().oil.push(Oil { at, burns: 40 });
    act(&mut world, Action::Wait);
    act(&mut world, Action::Wait);
    assert!(world.floor().fire_at(off(&world, 2, 0)));
    assert!(!world.floor().fire_at(off(&world, 5, 0)));
}

#[test]
fn oil_in_a_closed_door_does_not_ignite() {
    let mut world = scene("########\n#@...+.#\n########");
    for (east, burns) in [(3, 40), (4, 0)] {
        let at = off(&world, east, 0);
        world.floor_mut().oil.push(Oil { at, burns });
    }
    act(&mut world, Action::Wait);
    act(&mut world, Action::Wait);
    assert_eq!(fires(&world), 1);
}

#[test]
fn fire_kills_the_thief() {
    let mut world = scene(ROOM);
    let at = world.state.thief.at;
    world.floor_mut().oil.push(Oil { at, burns: 400 });
    let damage = world.rules.tools.fire_damage;
    let mut health = world.rules.thief.health;
    let burnt = GameEvent::Burnt {
        whom: Who::Thief,
        damage,
    };
    while health > damage {
        assert!(
            act(&mut world, Action::Wait).contains(&burnt),
            "health {health}"
        );
        health -= damage;
        assert_eq!(world.state.thief.health, health);
    }
    let events = act(&mut world, Action::Wait);
    assert!(events.contains(&GameEvent::Ended(Ending::Burnt)));
    refuses(&mut world, Action::Wait, Refusal::GameOver);
}

#[test]
fn running_through_fire_halves_the_damage() {
    let mut world = scene(ROOM);
    for east in 0..4 {
        let at = off(&world, east, 0);
        world.floor_mut().oil.push(Oil { at, burns: 400 });
    }
    act(&mut world, Action::Run(Direction::East));
    act(&mut world, Action::Run(Direction::East));
    let lost = world.rules.thief.health - world.state.thief.health;
    assert_eq!(lost, world.rules.tools.fire_damage, "one beat, two steps");
}

#[test]
fn guards_leap_out_of_fire() {
    let mut world = scene(ROOM);
    let at = off(&world, 2, 2);
    let id = put_guard(&mut world, at, GuardKind::Watchman, Direction::South);
    world.guard_mut(id).duty = Duty::Sleep;
    let full = world.guard(id).health;
    for step in Direction::ALL
        .map(Direction::step)
        .into_iter()
        .chain([IVec2::ZERO])
    {
        world.floor_mut().oil.push(Oil {
            at: at + step,
            burns: 400,
        });
    }
    let events = act(&mut world, Action::Wait);
    let damage = world.rules.tools.fire_damage;
    assert!(events.contains(&GameEvent::Burnt {
        whom: Who::Guard(id),
        damage
    }));
    let guard = world.guard(id);
    assert_eq!(guard.health, full - damage);
    assert!(!world.floor().fire_at(guard.at) && guard.is_awake());
    assert!(!guard.alert_state.is_unaware(), "{:?}", guard.alert_state);
    act(&mut world, Action::Wait);
    assert_eq!(world.guard(id).health, full - damage, "damaged only once");
}

#[test]
fn fire_kills_unconscious_guards() {
    let mut world = scene(ROOM);
    let at = off(&world, 2, 2);
    let id = put_guard(&mut world, at, GuardKind::Sentry, Direction::South);
    fight::put_to_sleep(&mut world, id, 400);
    world.floor_mut().oil.push(Oil { at, burns: 400 });
    for _ in 0..3 {
        act(&mut world, Action::Wait);
    }
    assert_eq!(
        (world.guard(id).alert_state, world.guard(id).health),
        (AlertState::Dead, 0)
    );
    assert_eq!(world.state.tally.kills, 1);
}
