//! The alarm of a floor: being seen escalates from 0 to 4 bells.
//!
//! Problem: if a chase leaves no trace once it is shaken off, being seen costs nothing.
//!
//! Idea: each floor stores its alarm as the ticks of calm that are needed to end it
//! (`Alarm::fright`). A guard that becomes sure of the thief adds to it, and so does a comrade
//! found on the ground. It decreases while no guard chases the thief, also on floors that the thief
//! has left.
//!
//! ```text
//!    bells   when the bell starts                      while it rings
//!      1     sleepers wake, and stay awake             sight is sharper with each bell
//!      2     dark lamps are lit, also the spare ones   ...
//!      3                                               patrols walk in pairs
//!      4     a hunter arrives by the farther stairs    the hunter regularly learns where you are
//! ```
//!
//! `act::absence` makes guards wait at the stairs over which the thief fled.

use glam::IVec2;

use crate::{
    AlertState, Duty, GameEvent, Guard, GuardId, GuardKind, World,
    direction::steps_between,
    floor::MOST_BELLS,
    guard::{Lantern, SURE},
    limits::MOST_GUARDS,
    rules::Posting,
};

/// The number of bells from which an effect occurs.
pub(crate) const WAKES: u8 = 1;
pub(crate) const LIGHTS: u8 = 2;
pub(crate) const PAIRS: u8 = 3;
pub(crate) const HUNTS: u8 = 4;

/// The number of bells that ring on the thief's floor.
pub(crate) fn bells(world: &World) -> u8 {
    world.floor().alarm.bells(world.rules.alarm.bell_ticks)
}

/// Raises the alarm because a guard is sure of the thief, who is at `at`.
pub(crate) fn seen(world: &mut World, at: IVec2) {
    world.floor_mut().alarm.quarry = Some(at);
    raise(world, world.rules.alarm.seen);
}

/// Raises the alarm because a guard found a comrade on the ground.
pub(crate) fn found(world: &mut World) {
    raise(world, world.rules.alarm.found);
}

/// Rings all bells of the floor.
pub(crate) fn ring_all(world: &mut World) {
    raise(world, world.rules.alarm.bell_ticks * u32::from(MOST_BELLS));
}

/// Adds to the alarm of the floor, and triggers the effect of each new bell.
fn raise(world: &mut World, ticks: u32) {
    let before = bells(world);
    let most = world.rules.alarm.bell_ticks * u32::from(MOST_BELLS);
    let alarm = &mut world.floor_mut().alarm;
    alarm.fright = (alarm.fright + ticks).min(most);
    let now = bells(world);
    // A large addition can start several bells. Each has its effect, in ascending order.
    for bell in before + 1..=now {
        world.state.tally.bells += 1;
        match bell {
            WAKES => wake_sleepers(world),
            LIGHTS => light_up(world),
            HUNTS => call_hunter(world),
            _ => {}
        }
    }
    report_bells(world, before);
}

/// Reports the number of bells if it has changed.
fn report_bells(world: &mut World, before: u8) {
    let bells = bells(world);
    if bells != before {
        let risen = bells > before;
        world.emit(GameEvent::Bells { bells, risen });
    }
}

/// Lets time pass: the alarm decreases while no guard chases the thief.
pub(crate) fn go_on(world: &mut World, ticks: u16) {
    if world.floor().alarm.fright == 0 {
        return;
    }
    let mut guards = world.floor().guards.iter();
    if guards.any(|guard| guard.alert_state == AlertState::Chasing) {
        return;
    }
    let before = bells(world);
    world.floor_mut().alarm.wear_off(u32::from(ticks));
    report_bells(world, before);
    call_off_hunt(world);
}

/// Whether hunters learn where the thief is.
pub(crate) fn hunts(world: &World) -> bool {
    bells(world) >= HUNTS
}

fn wake_sleepers(world: &mut World) {
    for guard in &mut world.floor_mut().guards {
        guard.wake();
    }
}

/// Sends a guard to each dark lamp: the nearest calm one without another lamp to light.
fn light_up(world: &mut World) {
    for lamp in 0..world.floor().fixtures.len() {
        let at = world.floor().fixtures[lamp].at;
        if !should_burn(world, lamp) || is_taken(world, lamp) {
            continue;
        }
        let free = |id: &GuardId| {
            let guard = world.guard(*id);
            let calm = guard.is_awake() && guard.alert_state == AlertState::Calm;
            calm && world.can_light(*id) && guard.lamp.is_none()
        };
        let near = |id: &GuardId| (steps_between(world.guard(*id).at, at), *id);
        let Some(id) = world.guard_ids().filter(free).min_by_key(near) else {
            return;
        };
        world.guard_mut(id).lamp = Some(lamp as u8);
    }
}

/// Sends a hunter to this floor, unless there is one already.
fn call_hunter(world: &mut World) {
    let hunts = |guard: &Guard| guard.duty == Duty::Hunt && guard.is_standing();
    let on_stairs = world.state.followers.iter().any(|(guard, _)| hunts(guard));
    let here = world.floor().guards.iter().any(hunts);
    if !here && !on_stairs {
        send_hunter(world);
    }
}

/// Sends a hunter to this floor, over the stairs that are farther from the thief.
pub(crate) fn send_hunter(world: &mut World) {
    let floor = world.floor();
    if floor.guards.len() + world.state.followers.len() >= MOST_GUARDS {
        return;
    }
    let thief = world.state.thief.at;
    let stairs = [Some(floor.up), floor.down].into_iter().flatten();
    let Some(stairs) = stairs.max_by_key(|&at| (steps_between(at, thief), at.y, at.x)) else {
        return;
    };
    let facing = crate::Direction::towards(stairs, thief).unwrap_or(crate::Direction::North);
    let kind = GuardKind::Watchman;
    let hunter = Guard {
        health: world.rules.guard(kind).health,
        lantern: Lantern::Lit,
        point_of_interest: Some(stairs),
        ..Guard::new(kind, Duty::Hunt, stairs, facing)
    };
    let ticks = world.rules.alarm.hunter_ticks;
    world.state.followers.push((hunter, ticks));
}

/// Ends the hunt if fewer than all bells ring. Hunters then patrol between their stairs and their
/// current cell.
pub(crate) fn call_off_hunt(world: &mut World) {
    if hunts(world) {
        return;
    }
    for guard in &mut world.floor_mut().guards {
        if guard.duty == Duty::Hunt && guard.is_standing() {
            guard.duty = Duty::Patrol;
            guard.route = vec![guard.home, guard.at];
            guard.leg = 0;
        }
    }
}

/// The destination of a hunter: the last known position of the thief. While all bells ring, the
/// position is updated at intervals.
pub(crate) fn quarry(world: &mut World, id: GuardId) -> IVec2 {
    let (tick, every) = (world.state.tick, u32::from(world.rules.alarm.told_ticks));
    let (thief, here) = (world.state.thief.at, world.guard(id).at);
    let rings = hunts(world);
    let alarm = &mut world.floor_mut().alarm;
    if rings && tick >= alarm.told + every {
        alarm.told = tick;
        alarm.quarry = Some(thief);
    }
    alarm.quarry.unwrap_or(here)
}

/// The leader that a patrolling guard follows while three bells ring. Guards on patrol are paired
/// in the order of their ids, and the second of each pair follows the first.
pub(crate) fn partner(world: &World, id: GuardId) -> Option<GuardId> {
    if bells(world) < PAIRS {
        return None;
    }
    let patrols = |id: &GuardId| {
        let guard = world.guard(*id);
        guard.duty == Duty::Patrol
            && world.guard_rules(*id).posting == Posting::Barracks
            && guard.is_standing()
    };
    // Pairs follow from the order of ids, so they stay the same between beats without being stored.
    let mut leader = None;
    for other in world.guard_ids().filter(patrols) {
        match leader.take() {
            Some(first) if other == id => return Some(first),
            Some(_) => {}
            None => leader = Some(other),
        }
    }
    None
}

/// The awareness that eyes add in a beat, increased for each bell that rings.
pub(crate) fn sharpened(world: &World, gain: u32) -> u32 {
    let share = 100 + u32::from(bells(world)) * world.rules.alarm.sharper;
    (gain * share / 100).min(u32::from(SURE))
}

/// Whether a flame is dark and should burn. Spare flames should burn only from the second bell on.
pub(crate) fn should_burn(world: &World, lamp: usize) -> bool {
    let fixture = world.floor().fixtures[lamp];
    let expected = !fixture.spare || bells(world) >= LIGHTS;
    fixture.kind.is_flame() && !fixture.burning && expected
}

/// Whether a guard is on its way to light this lamp.
pub(crate) fn is_taken(world: &World, lamp: usize) -> bool {
    let mut guards = world.floor().guards.iter();
    guards.any(|guard| guard.lamp == Some(lamp as u8) && guard.is_awake())
}
