//! Tests of the game rules, one small drawn scene for each. [`drawing`](crate::drawing) describes
//! the notation.

mod alarm;
mod darkness;
mod ember;
mod fellows;
mod hearing;
mod light;
mod minds;
mod night;
mod opening;
mod seeing;

use glam::IVec2;

use crate::{
    Action, AlertState, Bark, Direction, GameEvent, Guard, GuardId, GuardKind, LightBand, Rules,
    World, ai, awareness, turn,
};

/// A drawn scene with a lit torch.
fn scene(map: &str) -> World {
    World::from_drawing(Rules::standard(), 1, map).expect("a scene")
}

/// A drawn scene with a dark torch.
fn dark(map: &str) -> World {
    let mut world = scene(map);
    // Forget what was seen while the torch was lit.
    world.floor_mut().memory.fill(None);
    set_torch(&mut world, false);
    world
}

fn set_torch(world: &mut World, lit: bool) {
    if let Some(torch) = &mut world.state.thief.torch {
        torch.lit = lit;
    }
    settle(world);
}

/// Updates light and sight after a scene was changed by hand.
fn settle(world: &mut World) {
    for at in world.floor().tiles.cells() {
        crate::light::update_cell(world, at);
    }
    turn::settle_in(world);
    world.events.clear();
}

/// The first guard of this kind.
fn the(world: &World, kind: GuardKind) -> GuardId {
    let mut ids = world.guard_ids();
    ids.find(|&id| world.guard(id).kind == kind)
        .expect("such a guard")
}

/// Turns the first guard of this kind in a direction for good.
fn turn(world: &mut World, kind: GuardKind, facing: Direction) -> GuardId {
    let id = the(world, kind);
    let guard = world.guard_mut(id);
    guard.facing = facing;
    guard.watch = facing;
    // A patrol with a single waypoint never turns.
    guard.route = vec![guard.home];
    guard.duty = crate::Duty::Patrol;
    id
}

/// Performs an action, and returns its events.
fn act(world: &mut World, action: Action) -> Vec<GameEvent> {
    match world.act(action) {
        Ok(events) => events,
        Err(refusal) => panic!("{action:?}: {refusal}"),
    }
}

fn wait(world: &mut World, beats: u32) -> Vec<GameEvent> {
    (0..beats).flat_map(|_| act(world, Action::Wait)).collect()
}

/// Whether someone said this line.
fn says(events: &[GameEvent], words: Bark) -> bool {
    let said = |event: &GameEvent| matches!(event, GameEvent::Said { bark, .. } if *bark == words);
    events.iter().any(said)
}

/// Waits until a condition holds for a guard. Fails after this many beats.
fn wait_until(world: &mut World, beats: u32, id: GuardId, done: impl Fn(&Guard) -> bool) {
    for _ in 0..beats {
        if done(world.guard(id)) {
            return;
        }
        act(world, Action::Wait);
    }
    assert!(
        done(world.guard(id)),
        "after {beats} beats: {:?}",
        world.guard(id)
    );
}

fn is_seen(world: &World, kind: GuardKind) -> bool {
    ai::perceive::guard_sees(world, the(world, kind))
}

fn alert_state(world: &World, id: GuardId) -> AlertState {
    world.guard(id).alert_state
}

fn band(world: &World) -> LightBand {
    world.view().shown_band()
}
