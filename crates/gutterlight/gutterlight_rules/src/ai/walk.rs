//! How guards move from cell to cell.
//!
//! A guard follows the cheapest path to its goal. It keeps the path until the goal changes or
//! something blocks it. It opens doors, and closes them behind itself when it is calm. Guards do
//! not walk through each other: a guard walks around another one, or waits. If neither is possible
//! and the two walk toward each other, they swap cells.

use glam::IVec2;

use crate::{
    AlertState, Direction, Door, GameEvent, GuardId, GuardKind, Sound, Tile, Who, World,
    ai::{pace, think},
    direction::steps_between,
    guard::SURE,
    light,
    path::{Toll, way},
    sight, sound,
    sound_source::SoundSource,
};

/// Takes one step toward a cell. Returns `false` if the guard is already there, or if there is no
/// path.
pub(crate) fn go(world: &mut World, id: GuardId, goal: IVec2) -> bool {
    if world.guard(id).at == goal {
        return false;
    }
    if !has_way(world, id, goal) && !find_way(world, id, goal) {
        return false;
    }
    let Some(&next) = world.guard(id).path.last() else {
        return false;
    };
    if next == world.state.thief.at {
        bump(world, id, next);
        return true;
    }
    if world.floor().guard_at(next).is_some() {
        return wait_for(world, id, next, goal);
    }
    world.guard_mut(id).path.pop();
    enter(world, id, next);
    true
}

/// Whether the stored path still leads from the guard's cell to the goal.
fn has_way(world: &World, id: GuardId, goal: IVec2) -> bool {
    let guard = world.guard(id);
    let next = guard.path.last();
    guard.path.first() == Some(&goal)
        && next.is_some_and(|&next| {
            steps_between(next, guard.at) == 1
                && toll(world, guard.kind, next).is_some()
                && world.floor().corners_free(guard.at, next)
        })
}

/// Whether a guard can get to a cell, or next to it.
pub(crate) fn gets_there(world: &World, id: GuardId, goal: IVec2) -> bool {
    steps_between(world.guard(id).at, goal) <= 1 || way_to(world, id, goal).is_some()
}

/// Searches a path to a cell, and stores it. Returns whether there is one.
fn find_way(world: &mut World, id: GuardId, goal: IVec2) -> bool {
    let found = way_to(world, id, goal);
    let there = found.is_some();
    world.guard_mut(id).path = found.unwrap_or_default();
    there
}

/// The path to a cell. If no one can stand in the cell, the path ends next to it.
fn way_to(world: &World, id: GuardId, goal: IVec2) -> Option<Vec<IVec2>> {
    let guard = world.guard(id);
    let (from, kind) = (guard.at, guard.kind);
    // A fleeing guard does not run past the thief.
    let shunned = guard
        .point_of_interest
        .filter(|_| guard.alert_state == AlertState::Fleeing);
    let solid = !world.floor().is_passable(goal);
    let around = world.rules.behavior.walk_round;
    let found = way(world.floor(), from, goal, |at| {
        // Pretend that the goal can be entered, so that the path ends next to it. See below.
        if at == goal && solid {
            return Some(0);
        }
        if shunned == Some(at) {
            return None;
        }
        let taken = at != goal && world.floor().guard_at(at).is_some();
        toll(world, kind, at).map(|toll| toll + if taken { around } else { 0 })
    });
    // A path that contains only the goal means that the guard is next to it already.
    found.filter(|cells| !(solid && cells.len() == 1))
}

/// The cost of a cell for a kind of guard, in addition to the step. `None` if it cannot enter.
pub(crate) fn toll(world: &World, kind: GuardKind, at: IVec2) -> Toll {
    let floor = world.floor();
    if !floor.is_passable(at) || floor.fire_at(at) {
        return None;
    }
    match floor.tile(at) {
        Tile::Door(Door::Closed) if world.rules.guard(kind).hands => {
            Some(world.rules.behavior.door)
        }
        // Guards without hands cannot open doors. No thief could escape hounds that can.
        Tile::Door(Door::Closed) => None,
        _ => Some(0),
    }
}

/// Handles another guard in the way: walks around it if the detour is short, or waits if it moves
/// on. Returns `false` if neither helps.
fn wait_for(world: &mut World, id: GuardId, next: IVec2, goal: IVec2) -> bool {
    let guard = world.guard(id);
    let (from, kind) = (guard.at, guard.kind);
    if next == goal {
        return false;
    }
    let round = way(world.floor(), from, goal, |at| {
        let taken = at != goal && world.floor().guard_at(at).is_some();
        toll(world, kind, at).filter(|_| !taken)
    });
    let longer = world.guard(id).path.len() + world.rules.behavior.detour;
    match round.filter(|round| round.len() <= longer) {
        Some(mut round) => {
            let step = round.pop();
            world.guard_mut(id).path = round;
            let free = |step: &IVec2| {
                *step != world.state.thief.at && world.floor().guard_at(*step).is_none()
            };
            if let Some(step) = step.filter(free) {
                enter(world, id, step);
            }
            true
        }
        None => {
            let Some(other) = world.floor().guard_at(next) else {
                return true;
            };
            let walks = walks(world, other);
            let meets = walks && world.guard(other).path.last() == Some(&from);
            if meets && toll(world, world.guard(other).kind, from).is_some() {
                change_places(world, id, other);
            }
            walks
        }
    }
}

/// Swaps two guards that block each other in a corridor. Neither closes a door behind itself.
fn change_places(world: &mut World, id: GuardId, other: GuardId) {
    let places = [world.guard(other).at, world.guard(id).at];
    // The other guard moves before its turn. It pays for the step with the ticks that it has saved.
    let cost = pace::next_cost(world, other);
    let guard = world.guard_mut(other);
    guard.saved = guard.saved.saturating_sub(cost);
    for (id, place) in [id, other].into_iter().zip(places) {
        world.guard_mut(id).path.pop();
        step_into(world, id, place);
    }
}

/// Whether a guard is on its way somewhere.
fn walks(world: &World, id: GuardId) -> bool {
    let guard = world.guard(id);
    guard.is_awake() && guard.alert_state != AlertState::Suspicious && !guard.path.is_empty()
}

/// Handles the contact between a guard and the thief: the guard becomes sure of the thief, who is
/// at `at`.
pub(crate) fn bump(world: &mut World, id: GuardId, at: IVec2) {
    let guard = world.guard_mut(id);
    guard.point_of_interest = Some(at);
    let from = guard.at;
    guard.facing = Direction::towards(from, at).unwrap_or(guard.facing);
    if guard.alert_state == AlertState::Chasing || guard.alert_state == AlertState::Fleeing {
        guard.ticks = 0;
    } else {
        guard.awareness = SURE;
        think::become_sure(world, id);
    }
}

/// Steps into a cell. Opens a door there, and closes the one that a calm guard leaves.
pub(crate) fn enter(world: &mut World, id: GuardId, next: IVec2) {
    let from = world.guard(id).at;
    step_into(world, id, next);
    let calm = world.guard(id).alert_state == AlertState::Calm && world.guard_rules(id).hands;
    if calm && world.floor().tile(from) == Tile::Door(Door::Open) && world.is_clear(from) {
        turn_door(world, id, from, Door::Closed);
    }
}

/// Steps into a cell. Opens a door there.
fn step_into(world: &mut World, id: GuardId, next: IVec2) {
    let from = world.guard(id).at;
    if world.floor().tile(next) == Tile::Door(Door::Closed) {
        turn_door(world, id, next, Door::Open);
    }
    let seen = sight::sees(world, from);
    let guard = world.guard_mut(id);
    guard.at = next;
    guard.facing = Direction::towards(from, next).unwrap_or(guard.facing);
    if seen || sight::sees(world, next) {
        world.emit(GameEvent::Moved {
            who: Who::Guard(id),
            from,
            to: next,
        });
    }
    make_step_sound(world, id, next);
}

fn turn_door(world: &mut World, id: GuardId, at: IVec2, door: Door) {
    if let Some(tile) = world.floor_mut().tiles.get_mut(at) {
        *tile = Tile::Door(door);
    }
    light::update_cell(world, at);
    let open = door == Door::Open;
    sight::emit_if_seen(world, at, GameEvent::Turned { at, open });
    let reach = world.rules.noise.door;
    sound::make(world, Sound::Door, at, reach, SoundSource::Guard(id));
}

fn make_step_sound(world: &mut World, id: GuardId, at: IVec2) {
    let ground = world.floor().tile(at).ground();
    let noise = &world.rules.noise;
    let guard = world.guard(id);
    let (sound, gait) = match (world.guard_rules(id).beast, guard.alert_state) {
        (true, _) => (Sound::Paws, noise.paws),
        (false, AlertState::Chasing | AlertState::Fleeing) => {
            (Sound::Steps(ground), noise.guard_run)
        }
        (false, _) => (Sound::Steps(ground), noise.guard_walk),
    };
    let reach = u32::from(gait) * u32::from(noise.ground(ground)) / 100;
    let reach = reach.min(u32::from(noise.farthest()));
    sound::make(world, sound, at, reach as u16, SoundSource::Guard(id));
}
