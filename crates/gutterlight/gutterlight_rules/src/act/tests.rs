//! Tests of every action and every refusal.
//!
//! The drawn scenes are plain rooms. Each test adds what it is about, so that everything relevant
//! is in the test itself.

mod any;
mod fight;
mod fire;
mod hands;
mod lamps;
mod openings;
mod stairs;
mod thrown;
mod tools;
mod walk;

use std::sync::Arc;

use glam::IVec2;

use crate::{
    Action, Difficulty, Direction, Duty, Fixture, FixtureKind, GameEvent, Guard, GuardId,
    GuardKind, Item, Placed, Refusal, Rules, Stack, Tile, Tool, Torch, World, light, sight, turn,
};

const ROOM: &str = "
    #########
    #.......#
    #.......#
    #.......#
    #...@...#
    #.......#
    #.......#
    #.......#
    #########";

/// A scene with the standard rules.
fn scene(map: &str) -> World {
    scene_by(Rules::standard(), map)
}

/// A scene with other rules.
fn scene_by(rules: Arc<Rules>, map: &str) -> World {
    let mut world = World::from_drawing(rules, 1, map).expect("a scene");
    settle(&mut world);
    world
}

/// Updates light and sight after a scene was changed by hand.
fn settle(world: &mut World) {
    for at in world.floor().tiles.cells() {
        light::update_cell(world, at);
    }
    turn::settle_in(world);
    world.events.clear();
}

/// The cell at this offset from the thief, to the east and to the south.
fn off(world: &World, east: i32, south: i32) -> IVec2 {
    world.state.thief.at + IVec2::new(east, south)
}

fn put_tile(world: &mut World, at: IVec2, tile: Tile) {
    world.floor_mut().tiles[at] = tile;
    settle(world);
}

fn put_item(world: &mut World, at: IVec2, item: Item) {
    world.floor_mut().items.push(Placed { at, item });
    settle(world);
}

fn put_lamp(world: &mut World, at: IVec2, kind: FixtureKind, burning: bool) {
    world.floor_mut().fixtures.push(Fixture {
        kind,
        at,
        burning,
        spare: false,
    });
    settle(world);
}

/// Adds a guard whose route is its own cell.
fn put_guard(world: &mut World, at: IVec2, kind: GuardKind, facing: Direction) -> GuardId {
    let mut guard = Guard::new(kind, Duty::Patrol, at, facing);
    guard.health = world.rules.guard(kind).health;
    world.floor_mut().guards.push(guard);
    settle(world);
    (world.floor().guards.len() - 1) as GuardId
}

/// A dark room with rules in which the thief does not feel even the neighboring cells.
fn numb() -> World {
    let mut rules = Rules::clone(&Rules::standard());
    rules.sight.touch = 0;
    let mut world = scene_by(Arc::new(rules), ROOM);
    world.state.thief.torch = Some(Torch {
        lit: false,
        fuel: 9,
    });
    world.floor_mut().memory.fill(None);
    settle(&mut world);
    assert!(!sight::sees(&world, off(&world, 1, 1)));
    world
}

fn hold(world: &mut World, slot: usize, tool: Tool, count: u8) {
    world.state.thief.tools[slot] = Some(Stack { tool, count });
}

fn held(world: &World, slot: usize) -> Option<(Tool, u8)> {
    world.state.thief.tools[slot].map(|stack| (stack.tool, stack.count))
}

/// Performs an action, and returns its events.
fn act(world: &mut World, action: Action) -> Vec<GameEvent> {
    match world.act(action) {
        Ok(events) => events,
        Err(refusal) => panic!("{action:?}: {refusal}"),
    }
}

/// Expects that an action is refused for this reason, and that nothing changes.
fn refuses(world: &mut World, action: Action, why: Refusal) {
    let before = world.clone();
    assert_eq!(world.act(action), Err(why), "{action:?}");
    assert!(
        *world == before,
        "{action:?} was refused but changed the world"
    );
}

/// The reach in cells of the first sound that the thief made or saw.
fn reach_of(events: &[GameEvent]) -> Option<u16> {
    events.iter().find_map(|event| match event {
        GameEvent::Sounded { reach, .. } => Some(*reach),
        _ => None,
    })
}
