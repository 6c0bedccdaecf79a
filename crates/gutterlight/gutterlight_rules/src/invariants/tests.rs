use super::*;
use crate::{
    Door, Duty, Ember, Fixture, FixtureKind, Ground, GuardKind, Placed, Rules, Tool,
    floor::{Oil, Smoke},
};

const MAP: &str = "
    #########
    #@!..w.>#
    #.s..+,,#
    #########";

fn world() -> World {
    World::from_drawing(Rules::standard(), 1, MAP).expect("a drawing")
}

/// Breaks a valid world, and expects an error that contains `words`.
#[track_caller]
fn found(change: impl FnOnce(&mut World), words: &str) {
    let mut world = world();
    assert_eq!(world.check_invariants(), Ok(()));
    change(&mut world);
    let broken = world.check_invariants().expect_err(words).to_string();
    assert!(broken.contains(words), "{broken}; expected {words}");
}

#[test]
fn rejects_broken_floors() {
    let at = IVec2::new;
    let set = |at: IVec2, tile| move |world: &mut World| world.floor_mut().tiles[at] = tile;
    let ground = Tile::Ground(Ground::Stone);
    found(|world| world.state.depth = 1, "floor 1 of 1");
    found(|world| world.state.floors.clear(), "floor 0 of 0");
    found(
        |world| world.state.floors = vec![world.floor().clone(); 6],
        "floor 0 of 6",
    );
    found(set(at(0, 1), ground), "open at [0, 1]");
    found(set(at(8, 3), Tile::Door(Door::Locked)), "open at [8, 3]");
    found(|world| world.floor_mut().up = at(0, 0), "are blocked");
    found(
        |world| world.floor_mut().up = at(-1, i32::MIN),
        "are blocked",
    );
    found(
        |world| world.floor_mut().down = Some(at(1, 1)),
        "no stairs down",
    );
    found(
        |world| world.floor_mut().scent = Plane::new(9, 5, 0),
        "another size",
    );
    found(
        |world| world.floor_mut().memory = Plane::new(4, 9, None),
        "another size",
    );
    found(
        |world| world.floor_mut().tiles = Plane::new(200, 3, Tile::Wall),
        "the width is 200",
    );
    found(
        |world| world.floor_mut().tiles = Plane::new(3, 2, Tile::Wall),
        "the height is 2",
    );
}

#[test]
fn rejects_misplaced_things() {
    let at = IVec2::new;
    let put = |at: IVec2, item| {
        move |world: &mut World| world.floor_mut().items.push(Placed { at, item })
    };
    let (tool, count) = (Tool::Salve, 0);
    found(put(at(0, 0), Item::Key), "a key is at [0, 0], in a wall");
    found(put(at(99, 0), Item::Key), "in rock");
    found(
        put(at(1, 1), Item::Tool(Stack { tool, count })),
        "an empty stack of salve",
    );
    let torch = Torch { lit: true, fuel: 0 };
    found(put(at(1, 1), Item::Torch(torch)), "burns without fuel");
    let lamp = |at| Fixture {
        kind: FixtureKind::Sconce,
        at,
        burning: true,
        spare: false,
    };
    found(
        |world| world.floor_mut().fixtures.push(lamp(at(4, 0))),
        "a lamp is at",
    );
    found(
        |world| world.floor_mut().fixtures.push(lamp(at(4, -1))),
        "a lamp is at",
    );
    found(
        |world| world.floor_mut().fixtures = vec![lamp(at(1, 1)); 257],
        "lamps is 257",
    );
    let smoke = |at, density| Smoke { at, density };
    found(
        |world| world.floor_mut().smoke.push(smoke(at(1, 1), 0)),
        "smoke is 0",
    );
    found(
        |world| world.floor_mut().smoke.push(smoke(at(1, 1), 101)),
        "smoke is 101",
    );
    found(
        |world| world.floor_mut().smoke.push(smoke(at(1, 9), 50)),
        "smoke is outside",
    );
    found(
        |world| world.floor_mut().smoke = vec![smoke(at(1, 1), 50); 2],
        "twice",
    );
    let oil = Oil {
        at: at(9, 1),
        burns: 0,
    };
    found(|world| world.floor_mut().oil.push(oil), "oil is outside");
    let oil = Oil {
        at: at(3, 1),
        burns: 0,
    };
    found(|world| world.floor_mut().oil = vec![oil; 2], "twice");
}

#[test]
fn rejects_impossible_guards() {
    let at = IVec2::new;
    let health = world().guard(0).health;
    let guard =
        |change: fn(&mut Guard)| move |world: &mut World| change(&mut world.floor_mut().guards[0]);
    found(
        guard(|guard| guard.at = IVec2::ZERO),
        "watchman 0: it is at [0, 0], in a wall",
    );
    found(guard(|guard| guard.at = IVec2::new(5, 2)), "in a door");
    found(
        guard(|guard| guard.at = IVec2::NEG_ONE),
        "it has left the floor, but is not dead",
    );
    found(
        guard(|guard| guard.at = IVec2::new(2, 2)),
        "another guard is at [2, 2]",
    );
    found(
        guard(|guard| guard.at = IVec2::new(1, 1)),
        "the thief and a guard are both",
    );
    found(guard(|guard| guard.route.clear()), "waypoint 0 of 0");
    found(guard(|guard| guard.leg = 1), "waypoint 1 of 1");
    found(
        guard(|guard| guard.route.push(IVec2::new(0, 4))),
        "outside of the floor",
    );
    found(
        guard(|guard| guard.path.push(IVec2::new(-1, 0))),
        "outside of the floor",
    );
    found(
        guard(|guard| guard.point_of_interest = Some(IVec2::MAX)),
        "outside of the floor",
    );
    found(
        guard(|guard| guard.home = IVec2::MIN),
        "outside of the floor",
    );
    found(
        guard(|guard| guard.lamp = Some(1)),
        "a lamp that does not exist",
    );
    found(guard(|guard| guard.health = 0), "calm with a health of 0");
    found(
        guard(|guard| guard.alert_state = AlertState::Dead),
        &format!("dead with a health of {health}"),
    );
    found(guard(|guard| guard.health = -1), "its health is -1");
    found(
        guard(|guard| guard.awareness = 1001),
        "its awareness is 1001",
    );
    found(guard(|guard| guard.saved = 17), "its saved time is 17");
    let crowd = |world: &mut World| {
        let mut body = world.floor().guards[0].clone();
        (body.alert_state, body.health) = (AlertState::Dead, 0);
        world.floor_mut().guards = vec![body; 65];
    };
    found(crowd, "guards is 65");
    // Bodies may lie on each other, and in the thief's cell.
    let mut world = world();
    for guard in &mut world.floor_mut().guards {
        (guard.alert_state, guard.at) = (AlertState::Unconscious, at(1, 1));
    }
    assert_eq!(world.check_invariants(), Ok(()));
}

#[test]
fn followers_may_have_plans_of_another_floor() {
    let follower = || {
        Guard::new(
            GuardKind::Sentry,
            Duty::Post,
            IVec2::new(60, 30),
            crate::Direction::East,
        )
    };
    let with = |guard: Guard| move |world: &mut World| world.state.followers.push((guard, 3));
    let mut fine = world();
    with(follower())(&mut fine);
    assert_eq!(fine.check_invariants(), Ok(()));
    let far = Guard {
        point_of_interest: Some(IVec2::new(60, 30)),
        ..follower()
    };
    found(with(far), "a follower goes outside of the floor");
    found(
        with(Guard {
            alert_state: AlertState::Dead,
            ..follower()
        }),
        "is not standing",
    );
    found(
        with(Guard {
            leg: 7,
            ..follower()
        }),
        "waypoint 7 of 1",
    );
    found(
        with(Guard {
            home: IVec2::MAX,
            ..follower()
        }),
        "outside of the floor",
    );
}

#[test]
fn rejects_impossible_thieves() {
    let thief = |change: fn(&mut Thief)| move |world: &mut World| change(&mut world.state.thief);
    found(
        thief(|thief| thief.at = IVec2::ZERO),
        "the thief is at [0, 0], in a wall",
    );
    found(thief(|thief| thief.at = IVec2::new(5, 2)), "in a door");
    found(thief(|thief| thief.health = 0), "health is 0");
    found(thief(|thief| thief.health = i16::MAX), "health is 32767");
    found(thief(|thief| thief.nerve = -1), "nerve is -1");
    found(thief(|thief| thief.breath = i16::MAX), "breath is 32767");
    found(thief(|thief| thief.tools.clear()), "slots is 0");
    found(thief(|thief| thief.tools = vec![None; 17]), "slots is 17");
    let none = Stack {
        tool: Tool::Pebbles,
        count: 0,
    };
    found(
        move |world| world.state.thief.tools[0] = Some(none),
        "an empty stack of pebbles",
    );
    found(
        thief(|thief| thief.torch = Some(Torch { lit: true, fuel: 0 })),
        "without fuel",
    );
    found(
        thief(|thief| thief.ember = Some(Ember { wrapped: true })),
        "without cloth",
    );
    found(
        thief(|thief| thief.perks = vec![Perk::CatEyes; 2]),
        "learned twice",
    );
    found(
        thief(|thief| thief.perks = vec![Perk::CatEyes; 9]),
        "perks is 9",
    );
    found(
        |world| world.state.ending = Some(Ending::Burnt),
        "health is",
    );
    found(
        |world| world.state.ending = Some(Ending::Escaped),
        "without the Ember",
    );
    let offer = [Perk::CatEyes, Perk::ThickSkin, Perk::CatEyes];
    found(move |world| world.state.offer = Some(offer), "on offer");
}

#[test]
fn rejects_huge_counters() {
    found(|world| world.state.turn = u32::MAX, "turns is");
    found(|world| world.state.tick = u32::MAX, "ticks is");
    found(|world| world.state.tally.kills = u32::MAX, "kills is");
    found(|world| world.state.burnt.0 = 400, "burned fuel is 400");
    found(|world| world.state.burnt.1 = u32::MAX, "burned cloth is");
    found(|world| world.state.seed = 2, "the dice have another seed");
    let claim = |world: &mut World| {
        world.state.turn = 1;
        world.record.fingerprint = Some(1);
    };
    found(claim, "0 of 1 actions are recorded");
}

#[test]
fn rejects_light_of_another_floor() {
    let mut world = world();
    let other = "#####\n#@..#\n#####";
    world.light = World::from_drawing(Rules::standard(), 1, other)
        .expect("a drawing")
        .light;
    assert!(world.check_invariants().is_err(), "another size");
    found(
        |world| world.floor_mut().tiles[IVec2::new(3, 1)] = Tile::Pillar,
        "does not match its tile",
    );
}
