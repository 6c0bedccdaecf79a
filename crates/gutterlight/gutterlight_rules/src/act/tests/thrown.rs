use super::*;
use crate::{AlertState, Door, Sound, floor::Oil, guard::Lantern, light, sight};

const HALL: &str = "
    ################
    #..............#
    #@.............#
    #..............#
    ################";

/// A hall that the thief knows completely, with two of this tool in the first slot.
fn with_tool(tool: Tool) -> World {
    let mut world = scene(HALL);
    hold(&mut world, 0, tool, 2);
    know_everything(&mut world);
    world
}

fn know_everything(world: &mut World) {
    for at in world.floor().tiles.cells() {
        let tile = world.floor().tile(at);
        world.floor_mut().memory[at] = Some(crate::Memory {
            tile,
            fixture: None,
            item: None,
            band: crate::LightBand::Hidden,
        });
    }
}

fn throw(at: IVec2) -> Action {
    Action::Throw { slot: 0, at }
}

/// The cell where the thrown item landed.
fn fell(events: &[GameEvent]) -> IVec2 {
    let threw = events.iter().find_map(|event| match event {
        GameEvent::Threw { to, .. } => Some(*to),
        _ => None,
    });
    threw.expect("something was thrown")
}

#[test]
fn pebble_lands_and_sounds_at_its_target() {
    let mut world = with_tool(Tool::Pebbles);
    let at = off(&world, 6, 1);
    let events = act(&mut world, throw(at));
    assert_eq!(fell(&events), at);
    assert_eq!(held(&world, 0), Some((Tool::Pebbles, 1)));
    assert_eq!(reach_of(&events), Some(world.rules.noise.pebble / 10));
    act(&mut world, throw(at));
    assert_eq!(held(&world, 0), None);
}

#[test]
fn pebble_draws_a_guard() {
    let mut world = with_tool(Tool::Pebbles);
    let (guard, at) = (off(&world, 9, 0), off(&world, 7, 1));
    let id = put_guard(&mut world, guard, GuardKind::Sentry, Direction::East);
    act(&mut world, throw(at));
    assert_eq!(world.guard(id).point_of_interest, Some(at));
    assert_ne!(world.guard(id).alert_state, AlertState::Calm);
}

#[test]
fn targets_must_be_known_near_and_open() {
    let mut world = with_tool(Tool::Pebbles);
    let far = world.rules.thief.throw as i32 + 1;
    for at in [off(&world, far, 0), IVec2::MIN, IVec2::MAX] {
        refuses(&mut world, throw(at), Refusal::TooFar);
    }
    let wall = off(&world, 2, -2);
    refuses(&mut world, throw(wall), Refusal::NoThrow("a wall"));
    let outside = off(&world, -3, 0);
    refuses(&mut world, throw(outside), Refusal::Unseen);
    let unknown = off(&world, far - 1, 0);
    world.floor_mut().memory[unknown] = None;
    refuses(&mut world, throw(unknown), Refusal::Unseen);
    refuses(
        &mut world,
        Action::ThrowTorch { at: unknown },
        Refusal::Unseen,
    );
}

#[test]
fn thrown_items_stop_before_solid_tiles() {
    let mut world = with_tool(Tool::Pebbles);
    let (bars, at) = (off(&world, 4, 0), off(&world, 8, 0));
    put_tile(&mut world, bars, Tile::Bars);
    let events = act(&mut world, throw(at));
    assert_eq!(fell(&events), bars - IVec2::X);
}

#[test]
fn throw_stops_at_a_door_that_has_closed() {
    let mut world = with_tool(Tool::Pebbles);
    let (door, at) = (off(&world, 4, 0), off(&world, 8, 0));
    put_tile(&mut world, door, Tile::Door(Door::Closed));
    know_everything(&mut world);
    world.floor_mut().memory[door].as_mut().expect("known").tile = Tile::Door(Door::Open);
    assert_eq!(world.check(throw(door)), Ok(()));
    let events = act(&mut world, throw(at));
    assert_eq!(fell(&events), door - IVec2::X);
}

#[test]
fn smoke_fills_the_radius_and_thins_out() {
    let mut world = with_tool(Tool::SmokeBomb);
    let (at, wall) = (off(&world, 6, 0), off(&world, 6, -2));
    let events = act(&mut world, throw(at));
    assert!(events.contains(&GameEvent::Smoke { at }));
    let rules = world.rules.tools.clone();
    let mut density = rules.smoke_density - rules.smoke_fades;
    assert_eq!(world.floor().smoke_at(at), density);
    assert_eq!(world.floor().smoke_at(wall), 0);
    let radius = rules.smoke_radius as i32;
    assert!(world.floor().smoke_at(at + IVec2::new(radius, 0)) > 0);
    assert_eq!(world.floor().smoke_at(at + IVec2::new(radius + 1, 0)), 0);
    let beyond = off(&world, 11, 0);
    assert!(
        !sight::in_line(&world, world.state.thief.at, beyond),
        "smoke blocks sight"
    );
    while density > 0 {
        density = density.saturating_sub(rules.smoke_fades);
        act(&mut world, Action::Wait);
        assert_eq!(world.floor().smoke_at(at), density);
    }
    assert!(world.floor().smoke.is_empty());
    assert!(sight::in_line(&world, world.state.thief.at, beyond));
    // Smoke leaves no trace in the light.
    let light = world.light.luminance(at);
    light::rebuild(&mut world);
    assert!((world.light.luminance(at) - light).abs() < 0.02);
}

#[test]
fn two_bombs_do_not_add_up() {
    let mut world = with_tool(Tool::SmokeBomb);
    let at = off(&world, 4, 0);
    act(&mut world, throw(at));
    act(&mut world, throw(at));
    let mut cells: Vec<_> = world
        .floor()
        .smoke
        .iter()
        .map(|smoke| (smoke.at.y, smoke.at.x))
        .collect();
    let count = cells.len();
    cells.sort_unstable();
    cells.dedup();
    assert_eq!(cells.len(), count, "one for each cell");
    assert!(
        world
            .floor()
            .smoke
            .iter()
            .all(|smoke| (1..=100).contains(&smoke.density))
    );
}

#[test]
fn closed_door_stops_smoke() {
    let mut world = scene("########\n#@.+...#\n########");
    hold(&mut world, 0, Tool::SmokeBomb, 1);
    let (here, beyond) = (off(&world, 0, 0), off(&world, 3, 0));
    act(&mut world, throw(here));
    assert!(world.floor().smoke_at(here) > 0);
    assert_eq!(world.floor().smoke_at(beyond), 0);
}

#[test]
fn water_puts_out_all_flames_in_its_radius() {
    let mut world = with_tool(Tool::WaterVial);
    let (at, near, far) = (off(&world, 6, 0), off(&world, 7, 1), off(&world, 9, 0));
    put_lamp(&mut world, at, FixtureKind::Brazier, true);
    put_lamp(&mut world, far, FixtureKind::Sconce, true);
    put_lamp(&mut world, near, FixtureKind::Fungus, true);
    put_item(
        &mut world,
        near,
        Item::Torch(Torch {
            lit: true,
            fuel: 50,
        }),
    );
    world.floor_mut().oil.push(Oil {
        at: near,
        burns: 40,
    });
    let id = put_guard(
        &mut world,
        at + IVec2::Y,
        GuardKind::Watchman,
        Direction::East,
    );
    world.guard_mut(id).lantern = Lantern::Lit;
    let events = act(&mut world, throw(at));
    assert_eq!(reach_of(&events), Some(world.rules.noise.glass / 10));
    let burning: Vec<_> = world
        .floor()
        .fixtures
        .iter()
        .map(|lamp| lamp.burning)
        .collect();
    assert_eq!(
        burning,
        [false, true, true],
        "brazier, distant sconce, fungus"
    );
    assert_eq!(
        world.floor().items[0].item,
        Item::Torch(Torch {
            lit: false,
            fuel: 50
        })
    );
    assert!(!world.floor().fire_at(near));
    assert!(matches!(world.guard(id).lantern, Lantern::Out(_)));
    assert_eq!(world.state.tally.lamps_doused, 1);
    assert!(world.state.thief.torch_burns(), "the thief is dry");
}

#[test]
fn dart_hits_the_first_guard_in_its_path() {
    let mut world = with_tool(Tool::SleepingDart);
    let (near, far) = (off(&world, 4, 0), off(&world, 7, 0));
    let first = put_guard(&mut world, near, GuardKind::Listener, Direction::East);
    let second = put_guard(&mut world, far, GuardKind::Sentry, Direction::East);
    let events = act(&mut world, throw(far));
    assert_eq!(fell(&events), near);
    assert!(events.contains(&GameEvent::Downed {
        guard: first,
        dead: false
    }));
    assert_eq!(world.guard(first).alert_state, AlertState::Unconscious);
    assert!(world.guard(second).is_standing());
    assert_eq!(world.state.tally.takedowns, 1);
    // The first guard is on the ground, so the next dart flies over it.
    let events = act(&mut world, throw(far));
    assert_eq!(fell(&events), far);
}

#[test]
fn dart_sleep_depends_on_kind_and_awareness() {
    let full = Rules::standard().tools.dart_sleep;
    let cases = [
        (GuardKind::Hound, AlertState::Calm, full),
        (GuardKind::Sentry, AlertState::Suspicious, full),
        (GuardKind::Sentry, AlertState::Chasing, full / 2),
        (GuardKind::Watchman, AlertState::Searching, full / 2),
        (GuardKind::Warden, AlertState::Calm, full / 4),
        (GuardKind::Warden, AlertState::Chasing, full / 4),
    ];
    for (kind, alert_state, sleep) in cases {
        let mut world = with_tool(Tool::SleepingDart);
        let at = off(&world, 4, 0);
        let id = put_guard(&mut world, at, kind, Direction::East);
        world.guard_mut(id).alert_state = alert_state;
        act(&mut world, throw(at));
        assert_eq!(world.guard(id).sleep, sleep - 4, "{kind:?} {alert_state:?}");
    }
}

#[test]
fn missed_dart_is_lost_and_silent() {
    let mut world = with_tool(Tool::SleepingDart);
    let at = off(&world, 4, 0);
    let events = act(&mut world, throw(at));
    assert_eq!(reach_of(&events), None);
    assert!(world.floor().items.is_empty());
    assert_eq!(held(&world, 0), Some((Tool::SleepingDart, 1)));
}

#[test]
fn thrown_torch_stays_lit_or_dark() {
    for lit in [false, true] {
        let mut world = with_tool(Tool::Pebbles);
        world.state.thief.torch = Some(Torch { lit, fuel: 30 });
        settle(&mut world);
        let at = off(&world, 8, 0);
        let events = act(&mut world, Action::ThrowTorch { at });
        assert_eq!(fell(&events), at, "lit: {lit}");
        assert_eq!(world.state.thief.torch, None, "lit: {lit}");
        assert_eq!(world.light.luminance(at) > 0.5, lit, "lit: {lit}");
        let fall = |event: &GameEvent| {
            matches!(
                event,
                GameEvent::Sounded {
                    sound: Sound::Fall,
                    ..
                } | GameEvent::Heard {
                    sound: Sound::Fall,
                    ..
                }
            )
        };
        assert!(events.iter().any(fall), "{events:?}");
    }
}
