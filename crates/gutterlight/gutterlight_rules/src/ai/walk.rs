//! How a guard gets from cell to cell.
//!
//! It walks the cheapest way to its goal, which it keeps until the goal is another or
//! something stands in the way. It opens doors, and when calm closes them behind it. Guards do
//! not walk through each other: one that is in the way of another is walked round, or
//! waited for; where neither can, two who come towards each other squeeze past.

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

/// One step on the way to a cell. False if it is there, or there is no way.
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

/// Whether the way that it keeps still leads to the goal from where it stands.
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

/// Whether there is a way to a cell, or to beside it.
pub(crate) fn gets_there(world: &World, id: GuardId, goal: IVec2) -> bool {
    steps_between(world.guard(id).at, goal) <= 1 || way_to(world, id, goal).is_some()
}

/// Looks for a way to a cell, and keeps it.
fn find_way(world: &mut World, id: GuardId, goal: IVec2) -> bool {
    let found = way_to(world, id, goal);
    let there = found.is_some();
    world.guard_mut(id).path = found.unwrap_or_default();
    there
}

/// The way to a cell. One that can not be stood in is reached from beside.
fn way_to(world: &World, id: GuardId, goal: IVec2) -> Option<Vec<IVec2>> {
    let guard = world.guard(id);
    let (from, kind) = (guard.at, guard.kind);
    // Nobody runs for help past the one he runs from.
    let shunned = guard
        .point_of_interest
        .filter(|_| guard.alert_state == AlertState::Fleeing);
    let solid = !world.floor().is_passable(goal);
    let around = world.rules.behavior.walk_round;
    let found = way(world.floor(), from, goal, |at| {
        // As if the goal could be entered, so that the way ends beside it; see below.
        if at == goal && solid {
            return Some(0);
        }
        if shunned == Some(at) {
            return None;
        }
        let taken = at != goal && world.floor().guard_at(at).is_some();
        toll(world, kind, at).map(|toll| toll + if taken { around } else { 0 })
    });
    // A way of one cell is the goal alone: the guard is beside it already.
    found.filter(|cells| !(solid && cells.len() == 1))
}

/// What a cell costs a kind of guard.
pub(crate) fn toll(world: &World, kind: GuardKind, at: IVec2) -> Toll {
    let floor = world.floor();
    if !floor.is_passable(at) || floor.fire_at(at) {
        return None;
    }
    match floor.tile(at) {
        Tile::Door(Door::Closed) if world.rules.guard(kind).hands => {
            Some(world.rules.behavior.door)
        }
        // Hounds have no hands. If they opened doors, no thief would ever escape them.
        Tile::Door(Door::Closed) => None,
        _ => Some(0),
    }
}

/// Someone stands in the way: round him if there is a way that is not much longer, or
/// else wait, if he walks on; false if that is of no use.
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

/// Two in each other's way, on a way for one: each steps to where the other stood, and neither
/// closes a door behind himself.
fn change_places(world: &mut World, id: GuardId, other: GuardId) {
    let places = [world.guard(other).at, world.guard(id).at];
    // The other is moved before its turn, and pays for the step as far as it has saved up.
    let cost = pace::next_cost(world, other);
    let guard = world.guard_mut(other);
    guard.saved = guard.saved.saturating_sub(cost);
    for (id, place) in [id, other].into_iter().zip(places) {
        world.guard_mut(id).path.pop();
        step_into(world, id, place);
    }
}

/// Whether a guard is on its way somewhere, rather than standing or sleeping there.
fn walks(world: &World, id: GuardId) -> bool {
    let guard = world.guard(id);
    guard.is_awake() && guard.alert_state != AlertState::Suspicious && !guard.path.is_empty()
}

/// A guard walks into a thief whom it did not see.
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

/// Steps into a cell, opening a door on the way, and closing the one that it leaves.
pub(crate) fn enter(world: &mut World, id: GuardId, next: IVec2) {
    let from = world.guard(id).at;
    step_into(world, id, next);
    let calm = world.guard(id).alert_state == AlertState::Calm && world.guard_rules(id).hands;
    if calm && world.floor().tile(from) == Tile::Door(Door::Open) && world.is_clear(from) {
        turn_door(world, id, from, Door::Closed);
    }
}

/// Steps into a cell, opening a door on the way.
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
        world.tell(GameEvent::Moved {
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
    sight::tell(world, at, GameEvent::Turned { at, open });
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
