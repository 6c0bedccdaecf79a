//! Stairs to other floors and out of the keep, and guards that follow.
//!
//! A guard that chases the thief and is close to the stairs follows. It arrives as many ticks later
//! as it needed to reach the stairs. An empty entry stays on the floor that it left, so that the
//! other guards keep their ids: see [`Guard::has_left`]. `absence` computes what happened on a
//! floor while the thief was away.

use core::mem;

use glam::IVec2;

use crate::{
    AlertState, BEAT, Duty, Ending, GameEvent, Guard, GuardId, Refusal, Tile, Who, World,
    act::{self, absence, flood, perks},
    ai::{self, alarm},
    floor::FLOORS,
    generate::generate,
    light,
    limits::MOST_GUARDS,
    path::{NO_WAY, costs},
    sight, sound,
};

/// The position of the empty entry of a guard that has left its floor.
const ELSEWHERE: IVec2 = IVec2::NEG_ONE;

/// The destination of stairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stairs {
    /// Out of the keep.
    Out,
    /// The floor with this index.
    To(usize),
}

impl Guard {
    /// Whether this is the empty entry of a guard that has left its floor.
    pub fn has_left(&self) -> bool {
        self.at == ELSEWHERE
    }
}

/// The destination of the stairs in the thief's cell.
pub(super) fn may_climb(world: &World) -> Result<Stairs, Refusal> {
    let depth = world.state.depth;
    match world.floor().tile(world.state.thief.at) {
        Tile::StairsUp if depth > 0 => Ok(Stairs::To(depth - 1)),
        Tile::StairsUp if world.state.thief.ember.is_some() => Ok(Stairs::Out),
        Tile::StairsUp if act::may_leave(world) => Err(Refusal::LeavesEmber),
        Tile::StairsUp => Err(Refusal::NotWithoutEmber),
        Tile::StairsDown if depth + 1 < FLOORS => Ok(Stairs::To(depth + 1)),
        _ => Err(Refusal::NoStairs),
    }
}

pub(super) fn climb(world: &mut World) -> u16 {
    match may_climb(world) {
        Ok(Stairs::Out) => world.end(Ending::Escaped),
        Ok(Stairs::To(depth)) => go_to_floor(world, depth),
        Err(_) => {}
    }
    BEAT
}

fn go_to_floor(world: &mut World, depth: usize) {
    gather_followers(world);
    world.floor_mut().left = world.state.tick;
    let new = depth >= world.state.floors.len();
    if new {
        let floor = generate(
            &world.rules,
            world.state.seed,
            world.state.difficulty,
            depth,
        );
        world.state.floors.push(floor);
    }
    let down = depth > mem::replace(&mut world.state.depth, depth);
    let (up, stairs_down) = (world.floor().up, world.floor().down);
    let at = if down { up } else { stairs_down.unwrap_or(up) };
    world.state.thief.at = at;
    for (guard, _) in &mut world.state.followers {
        guard.point_of_interest = Some(at);
    }
    if !new {
        absence::pass(world, at);
    }
    make_way(world, at);
    light::rebuild(world);
    sound::listen(world);
    sight::look(world);
    world.emit(GameEvent::Entered { depth: depth as u8 });
    if new {
        world.announce_twist();
        perks::offer_perks(world);
    }
}

/// Moves a guard off the stairs on which the thief arrives.
fn make_way(world: &mut World, at: IVec2) {
    if let Some(id) = world.floor().guard_at(at)
        && let Some(to) = flood::free_cell_near(world, at, world.rules.combat.make_way)
    {
        world.guard_mut(id).at = to;
        world.guard_mut(id).path.clear();
    }
}

/// Collects the guards that chase the thief and are close enough to follow.
fn gather_followers(world: &mut World) {
    // Guards that are still on the stairs meet the thief there.
    let stairs = world.state.thief.at;
    for (guard, left) in &mut world.state.followers {
        guard.point_of_interest = Some(stairs);
        *left = 0;
    }
    arrive_followers(world, 0);
    for id in world.guard_ids() {
        if world.guard(id).alert_state != AlertState::Chasing {
            continue;
        }
        let ticks = ticks_to(world, id, stairs);
        if let Some(ticks) = ticks.filter(|&ticks| ticks <= world.rules.awareness.follow_ticks) {
            let guard = take_off_floor(world, id);
            world.state.followers.push((guard, ticks));
        }
    }
}

/// The ticks that a guard needs to reach a cell at its chasing speed. `None` if it cannot get
/// there.
fn ticks_to(world: &World, id: GuardId, at: IVec2) -> Option<u16> {
    let guard = world.guard(id);
    let ways = costs(world.floor(), [at], |cell| {
        ai::walk::toll(world, guard.kind, cell)
    });
    let cost = ways.get(guard.at).filter(|&&cost| cost != NO_WAY)?;
    let pace = u32::from(world.rules.guard(guard.kind).chase_ticks);
    u16::try_from(cost.saturating_mul(pace).div_ceil(10)).ok()
}

/// Removes a guard from its floor, and leaves an empty entry with its id.
fn take_off_floor(world: &mut World, id: GuardId) -> Guard {
    let guard = world.guard_mut(id);
    let mut empty = Guard::new(guard.kind, guard.duty, guard.home, guard.facing);
    empty.at = ELSEWHERE;
    empty.alert_state = AlertState::Dead;
    empty.health = 0;
    mem::replace(guard, empty)
}

/// Moves followers whose time is up onto the floor, next to the stairs. Followers that find no room
/// keep waiting.
pub(crate) fn arrive_followers(world: &mut World, ticks: u16) {
    for (guard, left) in mem::take(&mut world.state.followers) {
        let left = left.saturating_sub(ticks);
        let stairs = guard.point_of_interest.unwrap_or(world.state.thief.at);
        let room = || {
            Some((
                flood::free_cell_near(world, stairs, world.rules.combat.make_way)?,
                place_for_guard(world)?,
            ))
        };
        match (left == 0).then(room).flatten() {
            Some((at, place)) => arrive(world, guard, stairs, at, place),
            None => world.state.followers.push((guard, left)),
        }
    }
}

/// The index of an empty entry among the guards, or of a new one.
fn place_for_guard(world: &World) -> Option<usize> {
    let guards = &world.floor().guards;
    let empty = guards.iter().position(Guard::has_left);
    empty.or((guards.len() < MOST_GUARDS).then_some(guards.len()))
}

/// Adds a follower to the floor. It does not know this floor, so it has no route and stays at its
/// post.
fn arrive(world: &mut World, mut guard: Guard, stairs: IVec2, at: IVec2, place: usize) {
    guard.at = at;
    guard.home = at;
    guard.route = vec![at];
    guard.leg = 0;
    guard.duty = match guard.duty {
        Duty::Hunt if alarm::hunts(world) => Duty::Hunt,
        _ => Duty::Post,
    };
    guard.watch = guard.facing;
    guard.mourns = 0;
    guard.lamp = None;
    guard.path.clear();
    guard.ticks = 0;
    guard.point_of_interest = Some(stairs);
    // The id may have belonged to a guard that others mourn.
    ai::think::found_again(world, place as GuardId);
    let guards = &mut world.floor_mut().guards;
    match guards.get_mut(place) {
        Some(empty) => *empty = guard,
        None => guards.push(guard),
    }
    let moved = GameEvent::Moved {
        who: Who::Guard(place as GuardId),
        from: stairs,
        to: at,
    };
    sight::emit_if_seen(world, at, moved);
}
