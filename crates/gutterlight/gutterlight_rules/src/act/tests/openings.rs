use super::*;
use crate::{Door, Sound, act::fight, floor::Oil};

const DOOR: &str = "
    ########
    #.@+...#
    ########";

/// A scene with this tile in the doorway to the east.
fn doorway(tile: Tile) -> (World, IVec2) {
    let mut world = scene(DOOR);
    let at = off(&world, 1, 0);
    put_tile(&mut world, at, tile);
    (world, at)
}

const EAST: Direction = Direction::East;

#[test]
fn open_doors_let_light_through() {
    let (mut world, at) = doorway(Tile::Door(Door::Closed));
    let beyond = at + IVec2::new(2, 0);
    let dark = world.light.luminance(beyond);
    let events = act(&mut world, Action::Open(EAST));
    assert_eq!(events[0], GameEvent::Turned { at, open: true });
    assert_eq!(world.floor().tile(at), Tile::Door(Door::Open));
    assert!(world.light.luminance(beyond) > 2.0 * dark + 0.01);
    assert_eq!(reach_of(&events), Some(world.rules.noise.door / 10));
    refuses(&mut world, Action::Open(EAST), Refusal::NothingToOpen);
    let events = act(&mut world, Action::Close(EAST));
    assert_eq!(events[0], GameEvent::Turned { at, open: false });
    assert_eq!(world.floor().tile(at), Tile::Door(Door::Closed));
    assert!(world.light.luminance(beyond) <= dark + 0.01);
    refuses(&mut world, Action::Close(EAST), Refusal::NothingToClose);
}

#[test]
fn curtains_make_noise() {
    let (mut world, at) = doorway(Tile::Curtain { open: false });
    let events = act(&mut world, Action::Open(EAST));
    assert_eq!(world.floor().tile(at), Tile::Curtain { open: true });
    assert_eq!(reach_of(&events), Some(world.rules.noise.curtain / 10));
    // A curtain can be closed over an item.
    put_item(&mut world, at, Item::Key);
    act(&mut world, Action::Close(EAST));
    assert_eq!(world.floor().tile(at), Tile::Curtain { open: false });
}

#[test]
fn open_shutter_lets_moonlight_in() {
    let (mut world, at) = doorway(Tile::Shutter { open: false });
    let (shaft, far) = (at - IVec2::X, at - IVec2::new(2, 0));
    put_lamp(&mut world, shaft, FixtureKind::Moonlight, false);
    put_lamp(&mut world, far, FixtureKind::Moonlight, false);
    let shines = |world: &World| {
        world
            .floor()
            .fixtures
            .iter()
            .map(|lamp| lamp.burning)
            .collect::<Vec<_>>()
    };
    let events = act(&mut world, Action::Open(EAST));
    assert_eq!(world.floor().tile(at), Tile::Shutter { open: true });
    assert_eq!(shines(&world), [true, false], "only the shaft next to it");
    let lamp = GameEvent::Lamp {
        kind: FixtureKind::Moonlight,
        at: shaft,
        burning: true,
    };
    assert!(events.contains(&lamp));
    act(&mut world, Action::Close(EAST));
    assert_eq!(shines(&world), [false, false]);
}

#[test]
fn shaft_is_dark_when_all_its_shutters_are_closed() {
    let mut world = scene("#####\n#.@.#\n#####");
    let (shaft, west, east) = (off(&world, 0, 0), off(&world, -1, 0), off(&world, 1, 0));
    put_tile(&mut world, west, Tile::Shutter { open: true });
    put_tile(&mut world, east, Tile::Shutter { open: true });
    put_lamp(&mut world, shaft, FixtureKind::Moonlight, true);
    act(&mut world, Action::Close(Direction::West));
    assert!(world.floor().fixtures[0].burning);
    act(&mut world, Action::Close(EAST));
    assert!(!world.floor().fixtures[0].burning);
}

#[test]
fn lock_needs_its_key_or_a_picklock() {
    let (mut world, _) = doorway(Tile::Door(Door::Locked));
    refuses(&mut world, Action::Open(EAST), Refusal::Locked);
    // The key of another floor.
    world.state.thief.keys = 0b10;
    refuses(&mut world, Action::Open(EAST), Refusal::Locked);
}

/// Reported: a blink scroll took a thief into a locked room. Without a key, the thief could not
/// leave it until the end of the night, and no hunter could come in.
#[test]
fn lock_opens_from_the_inside() {
    let mut world = scene(
        "
        #########
        #<..X..@#
        #########",
    );
    let lock = off(&world, -3, 0);
    world.state.thief.at = lock - IVec2::X;
    refuses(&mut world, Action::Open(EAST), Refusal::Locked);
    world.state.thief.at = lock + IVec2::X;
    hold(&mut world, 0, Tool::Picklock, 1);
    let events = act(&mut world, Action::Open(Direction::West));
    let unlocked = GameEvent::Unlocked {
        at: lock,
        picked: false,
    };
    assert_eq!(events[0], unlocked);
    assert_eq!(held(&world, 0), Some((Tool::Picklock, 1)));
    act(&mut world, Action::Walk(Direction::West));
    assert_eq!(world.floor().tile(lock), Tile::Door(Door::Open));
}

#[test]
fn key_unlocks_in_a_beat_and_is_kept() {
    let (mut world, at) = doorway(Tile::Door(Door::Locked));
    world.state.thief.keys = 1;
    hold(&mut world, 0, Tool::Picklock, 1);
    let events = act(&mut world, Action::Open(EAST));
    assert_eq!(events[0], GameEvent::Unlocked { at, picked: false });
    assert_eq!(world.floor().tile(at), Tile::Door(Door::Closed));
    assert_eq!((world.state.tick, world.state.thief.keys), (4, 1));
    assert_eq!(
        held(&world, 0),
        Some((Tool::Picklock, 1)),
        "the picklock is not used"
    );
    act(&mut world, Action::Open(EAST));
    assert_eq!(world.floor().tile(at), Tile::Door(Door::Open));
}

#[test]
fn picklock_takes_longer_and_is_used_up() {
    let (mut world, at) = doorway(Tile::Door(Door::Locked));
    hold(&mut world, 1, Tool::Picklock, 2);
    let events = act(&mut world, Action::Open(EAST));
    assert_eq!(events[0], GameEvent::Unlocked { at, picked: true });
    let sound = |event: &GameEvent| {
        matches!(event, GameEvent::Sounded { sound: Sound::Lock, reach, .. }
            if *reach == world.rules.noise.picklock / 10)
    };
    assert!(events.iter().any(sound));
    assert_eq!(
        world.state.tick,
        u32::from(world.rules.tools.picklock_beats) * 4
    );
    assert_eq!(held(&world, 1), Some((Tool::Picklock, 1)));
}

#[test]
fn obstructed_door_cannot_be_closed() {
    let open = Tile::Door(Door::Open);
    let (mut world, at) = doorway(open);
    put_item(
        &mut world,
        at,
        Item::Torch(Torch {
            lit: false,
            fuel: 3,
        }),
    );
    refuses(&mut world, Action::Close(EAST), Refusal::DoorObstructed);
    world.floor_mut().items.clear();
    let id = put_guard(&mut world, at, GuardKind::Sentry, EAST);
    refuses(&mut world, Action::Close(EAST), Refusal::DoorObstructed);
    fight::put_to_sleep(&mut world, id, 400);
    refuses(&mut world, Action::Close(EAST), Refusal::DoorObstructed);
    world.floor_mut().guards.clear();
    world.floor_mut().oil.push(Oil { at, burns: 40 });
    refuses(&mut world, Action::Close(EAST), Refusal::DoorObstructed);
    world.floor_mut().oil.clear();
    act(&mut world, Action::Close(EAST));
}

#[test]
fn openings_cannot_be_reached_around_corners() {
    let mut world = scene(DOOR);
    refuses(
        &mut world,
        Action::Open(Direction::NorthEast),
        Refusal::Corner,
    );
    refuses(
        &mut world,
        Action::Close(Direction::NorthEast),
        Refusal::Corner,
    );
    refuses(
        &mut world,
        Action::Open(Direction::West),
        Refusal::NothingToOpen,
    );
    refuses(
        &mut world,
        Action::Open(Direction::North),
        Refusal::NothingToOpen,
    );
    refuses(
        &mut world,
        Action::Close(Direction::North),
        Refusal::NothingToClose,
    );
}
