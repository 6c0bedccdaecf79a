use super::*;
use crate::{
    AlertState, Door, Ground, Perk, Sound, Who, act::fight, floor::Oil, guard::SURE, sight,
};

#[test]
fn gaits_have_their_time_and_noise() {
    let rules = Rules::standard();
    let cases = [
        (
            Action::Walk(Direction::East),
            rules.thief.walk_ticks,
            rules.noise.walk,
        ),
        (
            Action::Sneak(Direction::East),
            rules.thief.sneak_ticks,
            rules.noise.sneak,
        ),
        (
            Action::Run(Direction::East),
            rules.thief.run_ticks,
            rules.noise.run,
        ),
    ];
    for (action, ticks, noise) in cases {
        let mut world = scene(ROOM);
        let (from, to) = (off(&world, 0, 0), off(&world, 1, 0));
        let events = act(&mut world, action);
        let who = Who::Thief;
        assert_eq!(events[0], GameEvent::Moved { who, from, to }, "{action:?}");
        assert_eq!(world.state.thief.at, to, "{action:?}");
        assert_eq!(world.state.thief.facing, Direction::East, "{action:?}");
        assert_eq!(world.state.tick, u32::from(ticks), "{action:?}");
        assert_eq!(reach_of(&events), Some(noise / 10), "{action:?}");
    }
}

#[test]
fn steps_work_in_all_directions() {
    for way in Direction::ALL {
        let mut world = scene(ROOM);
        let to = world.state.thief.at + way.step();
        act(&mut world, Action::Walk(way));
        assert_eq!(world.state.thief.at, to, "{way:?}");
    }
}

#[test]
fn step_noise_depends_on_the_ground() {
    for ground in Ground::ALL {
        let mut world = scene(ROOM);
        let to = off(&world, 0, 1);
        put_tile(&mut world, to, Tile::Ground(ground));
        let events = act(&mut world, Action::Walk(Direction::South));
        let noise = &world.rules.noise;
        let reach = u32::from(noise.walk) * u32::from(noise.ground(ground)) / 1000;
        let sounded = GameEvent::Sounded {
            sound: Sound::Steps(ground),
            at: to,
            reach: reach as u16,
        };
        assert!(events.contains(&sounded), "{events:?}");
    }
}

#[test]
fn light_feet_and_nerve_change_step_noise() {
    let mut plain = scene(ROOM);
    let mut light = scene(ROOM);
    light.state.thief.perks.push(Perk::LightFeet);
    let mut scared = scene(ROOM);
    scared.state.thief.nerve = 0;
    let reach = |world: &mut World| reach_of(&act(world, Action::Run(Direction::East)));
    let (plain, light, scared) = (reach(&mut plain), reach(&mut light), reach(&mut scared));
    assert!(
        light < plain && plain < scared,
        "{light:?} {plain:?} {scared:?}"
    );
}

#[test]
fn solid_tiles_block_steps() {
    let solid = [
        Tile::Rock,
        Tile::Wall,
        Tile::Pillar,
        Tile::Bars,
        Tile::Glass,
        Tile::Door(Door::Locked),
        Tile::Shutter { open: true },
    ];
    for tile in solid {
        let mut world = scene(ROOM);
        let at = off(&world, 1, 0);
        put_tile(&mut world, at, tile);
        for action in [Action::Walk, Action::Sneak, Action::Run] {
            refuses(
                &mut world,
                action(Direction::East),
                Refusal::Blocked(tile.name()),
            );
        }
        refuses(
            &mut world,
            Action::Walk(Direction::NorthEast),
            Refusal::Corner,
        );
    }
    let mut world = scene(ROOM);
    let at = off(&world, 0, -1);
    put_lamp(&mut world, at, FixtureKind::Brazier, false);
    let refusal = Refusal::Blocked(FixtureKind::Brazier.name());
    refuses(&mut world, Action::Walk(Direction::North), refusal);
}

#[test]
fn visible_guards_block_steps_but_bodies_do_not() {
    let mut world = scene(ROOM);
    let at = off(&world, 1, 1);
    let id = put_guard(&mut world, at, GuardKind::Watchman, Direction::South);
    let way = Direction::SouthEast;
    refuses(
        &mut world,
        Action::Walk(way),
        Refusal::Occupied(GuardKind::Watchman),
    );
    refuses(
        &mut world,
        Action::Peek(way),
        Refusal::Occupied(GuardKind::Watchman),
    );
    fight::put_to_sleep(&mut world, id, 400);
    act(&mut world, Action::Walk(way));
    assert_eq!(world.state.thief.at, at);
}

#[test]
fn step_into_a_closed_door_opens_it() {
    for (action, ticks) in [
        (Action::Walk as fn(_) -> _, 4),
        (Action::Sneak, 8),
        (Action::Run, 4),
    ] {
        let mut world = scene("####\n#@+.#\n####");
        let (here, door) = (off(&world, 0, 0), off(&world, 1, 0));
        let action = action(Direction::East);
        let events = act(&mut world, action);
        assert!(
            events.contains(&GameEvent::Turned {
                at: door,
                open: true
            }),
            "{action:?}"
        );
        assert_eq!(
            world.floor().tile(door),
            Tile::Door(Door::Open),
            "{action:?}"
        );
        assert_eq!(
            (world.state.thief.at, world.state.tick),
            (here, ticks),
            "{action:?}"
        );
        assert_eq!(
            world.state.thief.breath, world.rules.thief.breath,
            "{action:?}"
        );
        act(&mut world, Action::Walk(Direction::East));
        assert_eq!(world.state.thief.at, door, "{action:?}");
    }
}

#[test]
fn sneaking_opens_doors_more_quietly() {
    let reach = |action: Action| {
        let mut world = scene("####\n#@+.#\n####");
        reach_of(&act(&mut world, action))
    };
    let quiet = reach(Action::Sneak(Direction::East));
    assert!(quiet < reach(Action::Walk(Direction::East)), "{quiet:?}");
    assert!(quiet > Some(0));
}

#[test]
fn closed_curtains_can_be_walked_through() {
    let mut world = scene(ROOM);
    let at = off(&world, 1, 0);
    put_tile(&mut world, at, Tile::Curtain { open: false });
    act(&mut world, Action::Walk(Direction::East));
    assert_eq!(world.state.thief.at, at);
    assert_eq!(world.floor().tile(at), Tile::Curtain { open: false });
}

#[test]
fn running_costs_breath_that_returns() {
    let mut world = scene(ROOM);
    let steps = world.rules.thief.breath / world.rules.thief.run_ticks as i16;
    for step in 0..steps {
        let way = if step % 2 == 0 {
            Direction::East
        } else {
            Direction::West
        };
        act(&mut world, Action::Run(way));
    }
    assert_eq!(world.state.thief.breath, 0);
    refuses(
        &mut world,
        Action::Run(Direction::East),
        Refusal::OutOfBreath,
    );
    let rest = world
        .rules
        .thief
        .run_ticks
        .div_ceil(world.rules.thief.breath_returns as u16);
    for _ in 0..rest {
        act(&mut world, Action::Wait);
    }
    act(&mut world, Action::Run(Direction::East));
}

#[test]
fn running_is_refused_in_the_cloak() {
    let mut world = scene(ROOM);
    world.state.thief.cloaked = true;
    refuses(
        &mut world,
        Action::Run(Direction::East),
        Refusal::CloakedRun,
    );
    act(&mut world, Action::Walk(Direction::East));
}

#[test]
fn step_into_an_unseen_guard_alerts_it() {
    for action in [Action::Walk, Action::Sneak, Action::Run] {
        let mut world = numb();
        let (here, at) = (off(&world, 0, 0), off(&world, 1, 1));
        let id = put_guard(&mut world, at, GuardKind::Sentry, Direction::East);
        let action = action(Direction::SouthEast);
        let events = act(&mut world, action);
        assert_eq!(world.state.thief.at, here, "{action:?}");
        assert!(world.state.tick > 0, "the bump costs time");
        assert!(reach_of(&events).is_some(), "the step is heard");
        assert_eq!(
            world.guard(id).alert_state,
            AlertState::Chasing,
            "{action:?}"
        );
        assert_eq!(world.guard(id).awareness, SURE, "{action:?}");
        assert_eq!(world.guard(id).point_of_interest, Some(here), "{action:?}");
        assert_eq!(world.state.tally.times_seen, 1, "{action:?}");
    }
}

#[test]
fn unseen_wall_is_felt_and_remembered() {
    let mut world = numb();
    let (here, at) = (off(&world, 0, 0), off(&world, 1, 1));
    put_tile(&mut world, at, Tile::Pillar);
    let way = Direction::SouthEast;
    act(&mut world, Action::Walk(way));
    assert_eq!(world.state.thief.at, here);
    assert_eq!(world.state.tick, u32::from(world.rules.thief.walk_ticks));
    refuses(&mut world, Action::Walk(way), Refusal::Blocked("a pillar"));
}

#[test]
fn refusals_do_not_reveal_unseen_cells() {
    let ways = [
        Action::Peek,
        Action::Open,
        Action::Close,
        Action::Douse,
        Action::Takedown,
        Action::Shove,
        Action::Fight,
    ];
    for action in ways {
        let action = action(Direction::SouthEast);
        let mut seen = scene(ROOM);
        let mut dark = numb();
        for world in [&mut seen, &mut dark] {
            let at = off(world, 1, 1);
            put_tile(world, at, Tile::Pillar);
        }
        assert!(seen.check(action).is_err(), "{action:?} at a pillar");
        let before = dark.floor().tiles.clone();
        act(&mut dark, action);
        assert!(dark.state.tick > 0, "{action:?} costs time");
        assert_eq!(dark.floor().tiles, before, "{action:?}");
    }
}

#[test]
fn walking_picks_nothing_up() {
    let mut world = scene(ROOM);
    let at = off(&world, 1, 0);
    put_item(&mut world, at, Item::Treasure(7));
    act(&mut world, Action::Walk(Direction::East));
    assert_eq!((world.state.thief.purse, world.floor().items.len()), (0, 1));
}

#[test]
fn waiting_takes_a_beat() {
    let mut world = scene(ROOM);
    let here = world.state.thief.at;
    act(&mut world, Action::Wait);
    assert_eq!((world.state.thief.at, world.state.tick), (here, 4));
}

const CORNER: &str = "
    #########
    #.......#
    #.#######
    #@#######
    #########";

#[test]
fn peeking_shows_lit_cells_around_the_corner() {
    let mut world = scene(CORNER);
    let (lamp, here) = (off(&world, 6, -2), off(&world, 0, 0));
    put_lamp(&mut world, lamp, FixtureKind::Sconce, true);
    assert!(!sight::sees(&world, lamp));
    act(&mut world, Action::Walk(Direction::North));
    // From the corner the lamp is not in sight yet; from the next cell it is.
    assert!(!sight::sees(&world, lamp));
    act(&mut world, Action::Peek(Direction::North));
    assert_eq!(world.state.thief.at, here - IVec2::Y, "the thief stays");
    assert!(sight::sees(&world, lamp));
    assert_eq!(
        world.floor().memory[lamp]
            .and_then(|memory| memory.fixture)
            .map(|f| f.1),
        Some(true)
    );
    act(&mut world, Action::Wait);
    assert!(!sight::sees(&world, lamp), "only until the next action");
}

#[test]
fn doors_can_be_peeked_through() {
    for door in [Door::Closed, Door::Locked] {
        let mut world = scene("#########\n#@+.....#\n#########");
        let (door_at, lamp) = (off(&world, 1, 0), off(&world, 6, 0));
        put_tile(&mut world, door_at, Tile::Door(door));
        put_lamp(&mut world, lamp, FixtureKind::Sconce, true);
        assert!(!sight::sees(&world, lamp), "{door:?}");
        act(&mut world, Action::Peek(Direction::East));
        assert!(sight::sees(&world, lamp), "{door:?}");
        assert_eq!(world.floor().tile(door_at), Tile::Door(door), "{door:?}");
    }
}

#[test]
fn peeking_from_inside_a_wall_is_refused() {
    let mut world = scene(CORNER);
    refuses(
        &mut world,
        Action::Peek(Direction::East),
        Refusal::Blocked("a wall"),
    );
    refuses(
        &mut world,
        Action::Peek(Direction::NorthEast),
        Refusal::Corner,
    );
}

#[test]
fn all_actions_are_refused_after_the_end() {
    let mut world = scene(ROOM);
    world.end(crate::Ending::Burnt);
    world.events.clear();
    for action in [
        Action::Wait,
        Action::Walk(Direction::East),
        Action::Learn(0),
    ] {
        refuses(&mut world, action, Refusal::GameOver);
    }
}

#[test]
fn fire_damages_the_thief() {
    let mut world = scene(ROOM);
    let at = off(&world, 1, 0);
    world.floor_mut().oil.push(Oil { at, burns: 40 });
    act(&mut world, Action::Walk(Direction::East));
    let lost = world.rules.thief.health - world.state.thief.health;
    assert_eq!(lost, world.rules.tools.fire_damage);
}
